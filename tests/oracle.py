"""A slow second opinion on the rules of Dou Dizhu, written from the definitions alone.

It imports nothing of ddz_core and shares no idea with it. Inside, the same question is answered
twice: `readings` looks at given cards and decides, `plays` builds every play from a main part and
its kickers. The tests hold the two against each other and both against the published counts.

Cards are 15 counts in the order 3 4 5 6 7 8 9 T J Q K A 2 B R. A reading is
(kind, highest rank of the main part, chain length, number of cards); a move is (cards, reading).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import add

Cards = tuple[int, ...]
Reading = tuple[str, int, int, int]
Move = tuple[Cards, Reading]

RANKS = "3456789TJQKA2BR"
ACE, TWO, BLACK, RED = 11, 12, 13, 14
NO_CARDS: Cards = (0,) * 15
PASS: Move = (NO_CARDS, ("PASS", 0, 0, 0))

ATTACHED = (
    "TRIPLE_SINGLE",
    "TRIPLE_PAIR",
    "AIRPLANE_SINGLES",
    "AIRPLANE_PAIRS",
    "QUAD_SINGLES",
    "QUAD_PAIRS",
)


@dataclass(frozen=True)
class OracleRules:
    """The combination part of one rule set; the defaults are those of `standard`."""

    name: str
    players: int = 3
    packs: int = 1
    lowest_rank: int = 0
    max_hand: int = 20
    airplane_cap: int = 2  # equal single kickers of an airplane or a shuttle
    quad_cap: int = 2  # equal single kickers of one quad
    both_jokers: bool = False
    extending: bool = True  # may a triple of kickers lie beside the airplane that it would extend?
    attached: frozenset[str] = frozenset(ATTACHED)
    shuttles: bool = False
    held_quads_stay_together: bool = False

    def deck(self) -> Cards:
        """The number of cards of each rank."""
        return tuple(
            self.packs if r in (BLACK, RED) else 4 * self.packs if r >= self.lowest_rank else 0
            for r in range(15)
        )


_FOUR_PLAYER_KINDS = frozenset({"TRIPLE_PAIR", "AIRPLANE_PAIRS"})
_OPENSPIEL_KINDS = frozenset(ATTACHED) - {"QUAD_SINGLES", "QUAD_PAIRS"}

PRESETS: dict[str, OracleRules] = {
    rules.name: rules
    for rules in (
        OracleRules("standard"),
        OracleRules("club"),
        OracleRules("pagat", quad_cap=1),
        OracleRules("pagat_distinct", airplane_cap=1, quad_cap=1),
        OracleRules("duel", players=2, lowest_rank=2),
        OracleRules("casual"),
        OracleRules("four_player", players=4, packs=2, max_hand=33, attached=_FOUR_PLAYER_KINDS),
        OracleRules("rlcard", airplane_cap=3, extending=False),
        OracleRules("douzero", airplane_cap=4, both_jokers=True),
        OracleRules("openspiel", airplane_cap=3, attached=_OPENSPIEL_KINDS),
        OracleRules("botzone", airplane_cap=1, quad_cap=1, both_jokers=True, shuttles=True),
    )
}
VARIANTS: dict[str, OracleRules] = {
    rules.name: rules
    for rules in (
        OracleRules("cap_3", airplane_cap=3),
        OracleRules("cap_4", airplane_cap=4),
        OracleRules("held_quads", held_quads_stay_together=True),
        OracleRules("held_quads_cap_4", airplane_cap=4, held_quads_stay_together=True),
        OracleRules("no_singles_attached", attached=frozenset({"TRIPLE_PAIR", "QUAD_PAIRS"})),
        OracleRules("nothing_attached", attached=frozenset()),
        OracleRules("free_shuttles", airplane_cap=4, both_jokers=True, shuttles=True),
    )
}
ALL_RULES = PRESETS | VARIANTS


# --- Readings: look at the cards and decide -------------------------------------------------------


def readings(cards: Cards, rules: OracleRules) -> set[Reading]:
    """Every reading of these cards as a play; empty when they are no play at all."""
    if any(not 0 <= n <= most for n, most in zip(cards, rules.deck(), strict=True)):
        return set()
    return _plain_readings(cards, rules) | _attached_readings(cards, rules)


def _plain_readings(cards: Cards, rules: OracleRules) -> set[Reading]:
    size = sum(cards)
    present = [r for r in range(15) if cards[r]]
    found: set[Reading] = set()
    if not present:
        return found
    low, high = present[0], present[-1]
    if len(present) == 1:
        kind = {1: "SINGLE", 2: "PAIR", 3: "TRIPLE"}.get(size, "BOMB")
        found.add((kind, high, 1, size))
    if present == [BLACK, RED] and size == 2 * rules.packs:
        found.add(("ROCKET", RED, 1, size))
    # A chain: neighbouring ranks, equally many cards of each, nothing above the ace.
    if high <= ACE and high - low + 1 == len(present) and len({cards[r] for r in present}) == 1:
        shortest = {"STRAIGHT": (1, 5), "PAIR_STRAIGHT": (2, 3), "AIRPLANE": (3, 2)}
        if rules.shuttles:
            shortest["SHUTTLE"] = (4, 2)
        for kind, (each, least) in shortest.items():
            if cards[low] == each and len(present) >= least:
                found.add((kind, high, len(present), size))
    return found


def _attached_readings(cards: Cards, rules: OracleRules) -> set[Reading]:
    """Try every main part: what is left over must be kickers by the book."""
    found: set[Reading] = set()
    size = sum(cards)
    for each, low in ((e, r) for e in (3, 4) for r in range(13)):
        for high in range(low, 13):
            main = range(low, high + 1)
            length = len(main)
            if (length > 1 and high > ACE) or any(cards[r] < each for r in main):
                break
            # "A kicker never has a rank of the main part": no card of those ranks may be left.
            if any(cards[r] != each for r in main):
                continue
            rest = tuple(0 if r in main else cards[r] for r in range(15))
            for kind, units, cap in _attached_kinds(each, length, rules):
                if kind.endswith(("PAIR", "PAIRS")):
                    allowed = _pair_kickers(rest, units)
                else:
                    allowed = _single_kickers(rest, main, rules, units, cap)
                if allowed:
                    found.add((kind, high, length, size))
    return found


def _attached_kinds(each: int, length: int, rules: OracleRules) -> Iterator[tuple[str, int, int]]:
    """(kind, number of kickers, most of one rank) of what this main part may carry."""
    if each == 3:
        base, units = ("TRIPLE" if length == 1 else "AIRPLANE"), length
    else:
        base, units = ("QUAD" if length == 1 else "SHUTTLE"), 2 * length
    cap = rules.quad_cap if base == "QUAD" else rules.airplane_cap
    for what in ("SINGLE", "PAIR"):
        kind = f"{base}_{what}" + ("" if base == "TRIPLE" else "S")
        if kind in rules.attached or (base == "SHUTTLE" and rules.shuttles):
            yield kind, units, cap


def _single_kickers(rest: Cards, main: range, rules: OracleRules, units: int, cap: int) -> bool:
    if sum(rest) != units or max(rest) > cap:
        return False
    if rest[BLACK] and rest[RED] and not rules.both_jokers:
        return False
    if not rules.extending and len(main) > 1:
        beside = {main[0] - 1, main[-1] + 1} & set(range(ACE + 1))
        return all(rest[r] < 3 for r in beside)
    return True


def _pair_kickers(rest: Cards, units: int) -> bool:
    # Each side pair has a rank of its own, so four of a rank are never two of them.
    return set(rest) <= {0, 2} and sum(rest) == 2 * units


# --- Plays: build every play of a hand ------------------------------------------------------------


def plays(hand: Cards, rules: OracleRules, max_cards: int | None = None) -> list[Move]:
    """Every play (with each of its readings) that can be put down from this hand."""
    limit = sum(hand) if max_cards is None else max_cards
    built: list[Move] = []
    if hand[BLACK] == hand[RED] == rules.packs and 2 * rules.packs <= limit:
        built.append(((0,) * 13 + (rules.packs,) * 2, ("ROCKET", RED, 1, 2 * rules.packs)))
    for kind, each, low, length in _main_parts(hand, rules):
        high = low + length - 1
        main = [each if low <= r <= high else 0 for r in range(15)]
        free = tuple(0 if main[r] else hand[r] for r in range(15))
        for kickers in _kickers(kind, free, low, length, rules):
            cards = tuple(map(add, main, kickers))
            size = sum(cards)
            if size <= limit:
                built.append((cards, (kind, high, length, size)))
    if rules.held_quads_stay_together:
        built = [move for move in built if not _splits_a_quad(hand, move)]
    return built


def _main_parts(hand: Cards, rules: OracleRules) -> Iterator[tuple[str, int, int, int]]:
    """(kind, cards of each rank, lowest rank, chain length) of every main part in the hand."""
    groups = {
        1: ("SINGLE",),
        2: ("PAIR",),
        3: ("TRIPLE", "TRIPLE_SINGLE", "TRIPLE_PAIR"),
        4: ("BOMB", "QUAD_SINGLES", "QUAD_PAIRS"),
    } | {n: ("BOMB",) for n in range(5, 9)}
    for rank in range(15):
        for each in range(1, hand[rank] + 1):
            for kind in groups[each]:
                if kind not in ATTACHED or kind in rules.attached:
                    yield kind, each, rank, 1
    chains = [("STRAIGHT", 1, 5), ("PAIR_STRAIGHT", 2, 3), ("AIRPLANE", 3, 2)]
    chains += [(k, 3, 2) for k in ("AIRPLANE_SINGLES", "AIRPLANE_PAIRS") if k in rules.attached]
    if rules.shuttles:
        chains += [(k, 4, 2) for k in ("SHUTTLE", "SHUTTLE_SINGLES", "SHUTTLE_PAIRS")]
    for kind, each, shortest in chains:
        for low in range(ACE + 1):
            for length in range(shortest, ACE + 2 - low):
                if hand[low + length - 1] < each:
                    break
                if all(hand[r] >= each for r in range(low, low + length)):
                    yield kind, each, low, length


def _kickers(kind: str, free: Cards, low: int, length: int, rules: OracleRules) -> Iterator[Cards]:
    """Every allowed multiset of kickers out of the free cards."""
    if kind in ("TRIPLE_SINGLE", "AIRPLANE_SINGLES"):
        most = [rules.airplane_cap] * 15
        if kind == "AIRPLANE_SINGLES" and not rules.extending:
            for rank in (low - 1, low + length):
                if 0 <= rank <= ACE:
                    most[rank] = min(most[rank], 2)
        yield from _pick_singles(free, most, length, rules, 0)
    elif kind == "QUAD_SINGLES":
        yield from _pick_singles(free, [rules.quad_cap] * 15, 2, rules, 0)
    elif kind == "SHUTTLE_SINGLES":
        yield from _pick_singles(free, [rules.airplane_cap] * 15, 2 * length, rules, 0)
    elif kind in ("TRIPLE_PAIR", "AIRPLANE_PAIRS"):
        yield from _pick_pairs(free, length, 0)
    elif kind in ("QUAD_PAIRS", "SHUTTLE_PAIRS"):
        yield from _pick_pairs(free, 2 * length, 0)
    else:
        yield NO_CARDS


def _pick_singles(
    free: Cards, most: list[int], units: int, rules: OracleRules, rank: int
) -> Iterator[Cards]:
    if units == 0:
        yield (0,) * (15 - rank)
        return
    if rank == 15:
        return
    for taken in range(min(free[rank], most[rank], units) + 1):
        rest_of_hand = free
        if rank == BLACK and taken and not rules.both_jokers:
            rest_of_hand = (*free[:RED], 0)
        for rest in _pick_singles(rest_of_hand, most, units - taken, rules, rank + 1):
            yield (taken, *rest)


def _pick_pairs(free: Cards, units: int, rank: int) -> Iterator[Cards]:
    if units == 0:
        yield (0,) * (15 - rank)
        return
    if rank == 15:
        return
    for taken in (0, 2) if free[rank] >= 2 else (0,):
        for rest in _pick_pairs(free, units - taken // 2, rank + 1):
            yield (taken, *rest)


def _splits_a_quad(hand: Cards, move: Move) -> bool:
    """Does the play touch four held of a rank other than as the four of a bomb, quad or shuttle?"""
    cards, (kind, high, length, _) = move
    whole = kind == "BOMB" or kind.startswith(("QUAD", "SHUTTLE"))
    main = range(high - length + 1, high + 1) if whole else range(0)
    return any(hand[r] == 4 and cards[r] and r not in main for r in range(15))


# --- Beating and the legal moves ------------------------------------------------------------------


def beats(later: Reading, earlier: Reading) -> bool:
    """Does the later play beat the earlier one? Kickers never count."""
    kind, rank, length, size = later
    if kind == "PASS" or earlier[0] == "ROCKET":
        return False
    if kind == "ROCKET":
        return True
    if kind == "BOMB":
        return earlier[0] != "BOMB" or (size, rank) > (earlier[3], earlier[1])
    return (kind, length, size) == (earlier[0], earlier[2], earlier[3]) and rank > earlier[1]


@lru_cache(maxsize=4096)
def leads(hand: Cards, rules: OracleRules) -> tuple[Move, ...]:
    """Every move of whoever leads with this hand."""
    return tuple(plays(hand, rules))


def legal(hand: Cards, last: Move | None, rules: OracleRules) -> list[Move]:
    """The legal moves; following, PASS is the first."""
    if last is None:
        return list(leads(hand, rules))
    return [PASS, *(move for move in leads(hand, rules) if beats(move[1], last[1]))]


# --- The play phase -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    """A state of the play phase; `after` makes the next one."""

    rules: OracleRules
    hands: tuple[Cards, ...]
    landlord: int = 0
    turn: int = 0
    last: Move | None = None
    passes: int = 0
    target: int = 0
    winner: int | None = None
    bombs: int = 0
    rockets: int = 0
    plays: tuple[int, ...] = ()
    standing_plays: tuple[int, ...] = ()
    opening_stood: bool = False
    # A play that lay on the table when the model was made belongs to no counter.
    last_counts: bool = False

    def __post_init__(self) -> None:
        if not self.plays:
            object.__setattr__(self, "plays", (0,) * len(self.hands))
            object.__setattr__(self, "standing_plays", (0,) * len(self.hands))

    def legal(self) -> list[Move]:
        """The legal moves; none when the game is over."""
        if self.winner is not None:
            return []
        return legal(self.hands[self.turn], self.last, self.rules)

    def after(self, move: Move) -> Model:
        """The state after this legal move."""
        following = (self.turn + 1) % len(self.hands)
        if move == PASS:
            passed = replace(self, turn=following, passes=self.passes + 1)
            if passed.passes < len(self.hands) - 1:
                return passed
            # Everyone else passed: whose turn it is now played last, and leads.
            closed = passed._stand(following) if self.last_counts else passed
            return replace(closed, last=None, passes=0, last_counts=False)
        cards, (kind, *_) = move
        seat = self.turn
        left = tuple(a - b for a, b in zip(self.hands[seat], cards, strict=True))
        state = replace(
            self,
            hands=(*self.hands[:seat], left, *self.hands[seat + 1 :]),
            turn=following,
            last=move,
            passes=0,
            last_counts=True,
            bombs=self.bombs + (kind == "BOMB"),
            rockets=self.rockets + (kind == "ROCKET"),
            plays=_plus_one(self.plays, seat),
        )
        goal = 0 if seat == self.landlord else self.target
        if sum(left) > goal:
            return state
        return replace(state._stand(seat), winner=seat)

    def _stand(self, seat: int) -> Model:
        """Count the last play, made by this seat, as one that nobody overtook."""
        opening = seat == self.landlord and self.plays[seat] == 1
        return replace(
            self,
            standing_plays=_plus_one(self.standing_plays, seat),
            opening_stood=self.opening_stood or opening,
        )


def _plus_one(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(n + (i == seat) for i, n in enumerate(counts))


def perft(model: Model, depth: int) -> int:
    """Leaves at exactly this depth; a game that ends before is one leaf."""
    if depth == 0 or model.winner is not None:
        return 1
    if depth == 1:
        return len(model.legal())
    return sum(perft(model.after(move), depth - 1) for move in model.legal())


# --- Fewest plays ---------------------------------------------------------------------------------


def min_turns(hand: Cards, rules: OracleRules) -> int:
    """The fewest plays that empty the hand when nobody answers."""
    known: dict[Cards, int] = {NO_CARDS: 0}

    def fewest(cards: Cards) -> int:
        if cards not in known:
            # Some play must take the lowest rank, and the order of plays does not matter here.
            lowest = next(r for r in range(15) if cards[r])
            known[cards] = 1 + min(
                fewest(tuple(a - b for a, b in zip(cards, play, strict=True)))
                for play, _ in plays(cards, rules)
                if play[lowest]
            )
        return known[cards]

    return fewest(hand)


# --- Text -----------------------------------------------------------------------------------------


def parse(text: str) -> Cards:
    """Counts from text such as "333444+56"."""
    return tuple(text.count(rank) for rank in RANKS)


def text_of(cards: Cards) -> str:
    """The cards in rank order."""
    return "".join(rank * n for rank, n in zip(RANKS, cards, strict=True))


def main_part(move: Move) -> Cards:
    """The cards of the move without its kickers."""
    cards, (kind, high, length, _) = move
    if kind == "ROCKET":
        return cards
    return tuple(cards[r] if high - length < r <= high else 0 for r in range(15))


def move_text(move: Move) -> str:
    """The main part, then + and the kickers; or pass."""
    if move == PASS:
        return "pass"
    main = main_part(move)
    kickers = tuple(a - b for a, b in zip(move[0], main, strict=True))
    return text_of(main) + ("+" + text_of(kickers) if any(kickers) else "")
