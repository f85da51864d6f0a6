"""Why cards may not be played, in words for the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddz_core._queries import classify, count_legal_moves
from ddz_core._values import Hand, Move
from ddz_core.errors import Illegal, InvalidCardsError
from ddz_core.rules import Rules, as_rules
from ddz_core.vocabulary import Kind, Rank

__all__ = ["why_illegal"]

# Kinds that hold a whole four: playing one does not split four cards that are held.
FOURS_TOGETHER = frozenset(
    (
        Kind.BOMB,
        Kind.QUAD_SINGLES,
        Kind.QUAD_PAIRS,
        Kind.SHUTTLE,
        Kind.SHUTTLE_SINGLES,
        Kind.SHUTTLE_PAIRS,
    )
)

# (cards of a rank, whether a chain) of a main part: its kind alone, with singles, with pairs.
KINDS_OF_MAIN = {
    (3, False): (Kind.TRIPLE, Kind.TRIPLE_SINGLE, Kind.TRIPLE_PAIR),
    (3, True): (Kind.AIRPLANE, Kind.AIRPLANE_SINGLES, Kind.AIRPLANE_PAIRS),
    (4, False): (Kind.BOMB, Kind.QUAD_SINGLES, Kind.QUAD_PAIRS),
    (4, True): (Kind.SHUTTLE, Kind.SHUTTLE_SINGLES, Kind.SHUTTLE_PAIRS),
}

# Where cards come equally near to several plays, the reason that tells the player most.
MOST_TELLING = (
    Illegal.KICKER_PAIRS_EQUAL,
    Illegal.KICKERS_BOTH_JOKERS,
    Illegal.KICKERS_TOO_MANY_EQUAL,
    Illegal.KICKERS_EXTEND_CHAIN,
    Illegal.KICKER_OF_MAIN_RANK,
    Illegal.KIND_NOT_IN_RULES,
    Illegal.KICKERS_MIXED,
    Illegal.KICKER_NUMBER,
)


def why_illegal(
    hand: Hand | str,
    cards: Hand | Move | str | None,
    last: Move | str | None = None,
    rules: Rules | str | None = None,
) -> Illegal | None:
    """The reason why these cards may not be played, or None when they may.

    Parameters
    ----------
    hand : Hand or str
        The player's cards.
    cards : Hand, Move, str or None
        What the player wants to put down. None, `Move.PASS`, ``"pass"`` and no cards mean to pass.
        A Move, or a text with ``+`` between main part and kickers, stands for that one reading;
        cards without a reading are legal if any reading of them is.
    last : Move, str or None
        The play to beat; None (or PASS) when the player leads.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    Illegal or None
        The first reason that applies: cards that are not held, no card at all or a pass on a lead,
        cards that are no combination (with the rule that they come nearest to breaking), a held
        four split, a play that does not beat `last`. None exactly when one of `legal_moves` is
        this play.

    Raises
    ------
    InvalidCardsError
        A hand that the rule set's deck does not have, or unknown letters in `cards`.
    IllegalMoveError
        `last` is no play of the rule set.
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.

    Examples
    --------
    >>> print(why_illegal("33344459", "333444+59"))
    None
    >>> print(why_illegal("TJQKA2", "TJQKA2"))
    Twos and jokers do not belong to a straight, pair straight or airplane.
    """
    rules = as_rules(rules)
    count_legal_moves(hand, last, rules)  # validates hand and last
    hand = Hand(hand)
    last = Move.parse(last, rules) if isinstance(last, str) else last
    leads = last is None or last == Move.PASS
    play, main = _split(cards)

    if not play <= hand:
        return Illegal.NOT_IN_HAND
    if not play:
        return _why_no_pass(cards) if leads else None
    readings = [
        reading
        for reading in classify(play, rules)
        if reading == cards or (not isinstance(cards, Move) and main in (None, reading.main))
    ]
    if not readings:
        return _nearest_rule(play, main, rules)
    if rules.held_quads_stay_together:
        readings = [reading for reading in readings if not _splits_four(hand, reading)]
        if not readings:
            return Illegal.HELD_QUAD_SPLIT
    if last is None or leads or any(reading.beats(last) for reading in readings):
        return None
    return _why_not_higher(readings, last)


def _split(cards: Hand | Move | str | None) -> tuple[Hand, Hand | None]:
    """All cards of the play, and its main part where the player names one."""
    if cards is None:
        return Hand(), None
    if isinstance(cards, Move):
        return cards.cards, cards.main
    if isinstance(cards, str):
        if cards.strip().lower() == "pass":
            return Hand(), None
        main, plus, kickers = cards.partition("+")
        if plus:
            parts = Hand(main), Hand(kickers)
            if not all(parts):
                raise InvalidCardsError(f"cards {cards!r} have nothing on one side of the '+'")
            return parts[0] + parts[1], parts[0]
    return Hand(cards), None


def _why_no_pass(cards: Hand | Move | str | None) -> Illegal:
    no_card = isinstance(cards, Hand) or (isinstance(cards, str) and not cards.strip())
    return Illegal.NO_CARDS if no_card else Illegal.LEADER_MAY_NOT_PASS


def _splits_four(hand: Hand, reading: Move) -> bool:
    main = reading.main if reading.kind in FOURS_TOGETHER else Hand()
    return any(hand.count(rank) >= 4 and rank not in main for rank in set(reading.cards))


def _why_not_higher(readings: Sequence[Move], last: Move) -> Illegal:
    if last.kind == Kind.ROCKET:
        return Illegal.NOTHING_BEATS_ROCKET
    same_kind = [reading for reading in readings if reading.kind == last.kind]
    if not same_kind:
        return Illegal.WRONG_KIND
    if last.kind == Kind.BOMB or any(reading.n_cards == last.n_cards for reading in same_kind):
        return Illegal.TOO_LOW
    return Illegal.WRONG_SIZE


# ---- what comes nearest to a combination ---------------------------------------------------------


def _nearest_rule(cards: Hand, main: Hand | None, rules: Rules) -> Illegal:
    """Which rule cards that have no reading (with this main part, if any) break."""
    counts = [cards.count(rank) for rank in Rank]
    ranks = [rank for rank in Rank if counts[rank]]
    if main is None:
        runs = list(_main_parts(counts))
        tripled = [rank for rank in ranks if counts[rank] >= 3]
        unit = 3
    else:
        tripled = sorted(set(main))
        unit = main.count(tripled[0]) if tripled else 0
        if unit not in (3, 4) or any(main.count(rank) != unit for rank in tripled):
            return Illegal.NO_COMBINATION
        runs = [(unit, tripled)] if _why_no_chain(tripled) is None or len(tripled) == 1 else []

    fitting = []
    for size, run in runs:
        broken = _broken_kicker_rules(size, run, counts, rules)
        if broken:
            fitting.append((len(broken), MOST_TELLING.index(broken[0])))
    if fitting:
        return MOST_TELLING[min(fitting)[1]]

    loose = len(cards) - unit * len(tripled)
    if len(tripled) > 1 and loose in (0, len(tripled), 2 * len(tripled)):
        reason = _why_no_chain(tripled)
        if reason is not None:
            return reason
    if tripled:
        return min(
            (_misfit(size, run, counts) for size, run in runs),
            key=MOST_TELLING.index,
            default=Illegal.KICKER_NUMBER,
        )
    if set(ranks) == {Rank.BLACK_JOKER, Rank.RED_JOKER}:
        return Illegal.ROCKET_INCOMPLETE
    return _why_no_straight(counts, ranks)


def _main_parts(counts: Sequence[int]) -> Iterator[tuple[int, list[Rank]]]:
    """(cards of a rank, ranks) of every triple, quad and chain of them."""
    for unit in (3, 4):
        for low in Rank:
            run: list[Rank] = []
            for rank in Rank:
                if rank < low:
                    continue
                if counts[rank] < unit or (run and rank > Rank.ACE):
                    break
                run.append(rank)
                yield unit, list(run)


def _left_over(unit: int, run: Sequence[Rank], counts: Sequence[int]) -> list[int]:
    return [n - unit if rank in run else n for rank, n in zip(Rank, counts, strict=True)]


def _broken_kicker_rules(
    unit: int, run: Sequence[Rank], counts: Sequence[int], rules: Rules
) -> list[Illegal]:
    """What is wrong with the rest as kickers, if their number fits; the most telling first."""
    rest = _left_over(unit, run, counts)
    groups = len(run) * (1 if unit == 3 else 2)
    bare, with_singles, with_pairs = KINDS_OF_MAIN[unit, len(run) > 1]
    broken = set()
    if any(rest[rank] for rank in run):
        broken.add(Illegal.KICKER_OF_MAIN_RANK)
    both_jokers = rest[Rank.BLACK_JOKER] and rest[Rank.RED_JOKER]
    if both_jokers and not rules.both_jokers_as_kickers:
        broken.add(Illegal.KICKERS_BOTH_JOKERS)

    if sum(rest) == 0:
        kind = bare
    elif sum(rest) == groups:
        kind = with_singles
        cap = rules.quad_kicker_cap if kind == Kind.QUAD_SINGLES else rules.airplane_kicker_cap
        if max(rest) > cap and groups > 1:
            broken.add(Illegal.KICKERS_TOO_MANY_EQUAL)
        if kind == Kind.AIRPLANE_SINGLES and not rules.chain_extending_kickers:
            beside = {run[0] - 1, run[-1] + 1} & set(range(Rank.ACE + 1))
            if any(rest[rank] >= 3 for rank in beside):
                broken.add(Illegal.KICKERS_EXTEND_CHAIN)
    elif sum(rest) == 2 * groups:
        kind = with_pairs
        if any(n % 2 for n in rest):
            broken.add(_mixed_or_number(rest))
        elif max(rest) > 2:
            broken.add(Illegal.KICKER_PAIRS_EQUAL)
    else:
        return []
    if kind not in rules.kinds:
        broken.add(Illegal.KIND_NOT_IN_RULES)
    return sorted(broken, key=MOST_TELLING.index)


def _mixed_or_number(rest: Sequence[int]) -> Illegal:
    return Illegal.KICKERS_MIXED if {1, 2} == set(rest) - {0} else Illegal.KICKER_NUMBER


def _misfit(unit: int, run: Sequence[Rank], counts: Sequence[int]) -> Illegal:
    """Why a number of loose cards that fits neither singles nor pairs is wrong."""
    rest = _left_over(unit, run, counts)
    kickers = len(run) * (1 if unit == 3 else 2)
    if sum(n > 0 for n in rest) == kickers:
        return _mixed_or_number(rest)
    return Illegal.KICKER_NUMBER


def _why_no_chain(ranks: Sequence[Rank]) -> Illegal | None:
    if ranks[-1] > Rank.ACE:
        return Illegal.CHAIN_HAS_TWO_OR_JOKER
    if ranks[-1] - ranks[0] >= len(ranks):
        return Illegal.NOT_CONSECUTIVE
    return None


def _why_no_straight(counts: Sequence[int], ranks: Sequence[Rank]) -> Illegal:
    """The reason for cards without three of any rank."""
    each = counts[ranks[0]]
    if any(counts[rank] != each for rank in ranks):
        return Illegal.NO_COMBINATION
    reason = _why_no_chain(ranks)
    if len(ranks) >= (5 if each == 1 else 3):
        return reason or Illegal.NO_COMBINATION
    # Few cards that are no neighbours either were hardly meant as a chain.
    return Illegal.CHAIN_TOO_SHORT if reason is None else Illegal.NO_COMBINATION
