"""Games recorded by other programs: RLCard Showdown's replays and DouZero's card lists."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, NoReturn

from ddz_core._queries import classify
from ddz_core._values import Hand, Move
from ddz_core.checks import instance
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game, Phase
from ddz_core.record import Record
from ddz_core.record_reader import brief, read_file
from ddz_core.rules import Rules
from ddz_core.strict_json import parse_json
from ddz_core.vocabulary import RANK_SYMBOLS, Rank

__all__ = ["from_douzero", "from_rlcard", "is_rlcard"]

SEATS = 3
HAND, KITTY, LANDLORD_HAND = 17, 3, 20

# RLCard's suits in the order of the suited ids.
RLCARD_SUITS = "HDSC"
RLCARD_CARDS = {
    **{
        suit + RANK_SYMBOLS[rank]: 4 * rank + place
        for rank in Rank
        if rank <= Rank.TWO
        for place, suit in enumerate(RLCARD_SUITS)
    },
    "BJ": 52,
    "RJ": 53,
}
RLCARD_PASSES = ("pass", "P")
# Letters of the longest Python literal that is read; a replay has some thirty thousand.
MAX_LITERAL = 2**20
PYTHON_LITERAL = "{'"

# DouZero's numbers for the ranks from 3 up.
DOUZERO_RANKS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)
# Its positions in the order of play.
DOUZERO_SEATS = ("landlord", "landlord_down", "landlord_up")


def from_rlcard(
    source: str | os.PathLike[str] | Mapping[str, Any], *, kitty: str | None = None
) -> Record:
    """The record of a replay of RLCard Showdown.

    Parameters
    ----------
    source : str, os.PathLike or mapping
        The replay: JSON text (or the Python literal in which its server sends it), a file of one,
        or the object itself, with ``playerInfo`` (``id``, ``index``, ``role``), ``initHands`` (suit
        and rank of each card, as ``"S2 HT RJ"``) and ``moveHistory`` (``playerIdx``, ``move``). A
        move is a text or a list of cards; ``"pass"``, ``"P"``, an empty text and an empty list
        pass. Other members are not read.
    kitty : str, optional
        The landlord's three extra cards, as in ``initHands``, which lists all his twenty and does
        not say which they were. By default the last three that it lists stand for them, and the tag
        ``Kitty`` says so; moves and result are the same whatever they are.

    Returns
    -------
    Record
        Under the rules ``rlcard``, seats numbered by ``index``. The players' names are in the tags
        ``Seat0``, ``Seat1``, ``Seat2``, where the replay has them.

    Raises
    ------
    RecordError
        It is no such replay, or not a game by the rules: the place and the reason.
    OSError
        The file cannot be read.
    """
    replay = _replay(source)
    tags = {"Source": "RLCard Showdown"}
    landlord = _landlord(replay, tags)
    hands = []
    dealt: dict[int, str] = {}
    for seat, value in enumerate(_items(replay, "initHands", SEATS)):
        place = f"initHands[{seat}]"
        cards = _rlcard_cards(value, place)
        wanted = LANDLORD_HAND if seat == landlord else HAND
        if len(cards) != wanted:
            raise RecordError(f"{place}: {len(cards)} cards, not {wanted}")
        for card in cards:
            if card in dealt:
                name = _rlcard_name(card)
                raise RecordError(f"{place}: {name} was dealt before, in {dealt[card]}")
            dealt[card] = place
        hands.append(cards)
    if kitty is None:
        extra = hands[landlord][-KITTY:]
        tags["Kitty"] = "not in the replay: the landlord's last three cards stand for it"
    else:
        extra = _rlcard_cards(kitty, "kitty")
        if len(set(extra)) != KITTY or not set(extra) <= set(hands[landlord]):
            raise RecordError(f"kitty: {brief(kitty)} is not three of the landlord's cards")
    hands[landlord] = [card for card in hands[landlord] if card not in extra]
    deal = _deal(hands, extra, landlord)

    left = [set(hand) for hand in hands]
    left[landlord].update(extra)
    actions = []
    for number, item in enumerate(_items(replay, "moveHistory")):
        place = f"moveHistory[{number}]"
        if not isinstance(item, Mapping):
            raise RecordError(f"{place}: a move is an object, not {brief(item)}")
        seat = _index(item, "playerIdx", place)
        cards = _rlcard_cards(_member(item, "move", place), f"{place}.move")
        for card in cards:
            if card not in left[seat]:
                name = _rlcard_name(card)
                raise RecordError(f"{place}.move: seat {seat} does not hold {name}")
            left[seat].remove(card)
        actions.append((place, seat, Hand.from_ids(cards)))
    return _recorded(Rules.rlcard(), deal, actions, tags)


def from_douzero(
    card_play_data: Mapping[str, Iterable[int]], actions: Iterable[Sequence[int]] = ()
) -> Record:
    """The record of a game of DouZero.

    Parameters
    ----------
    card_play_data : mapping
        As its environment takes it: lists of ranks (3 … 14, 17 for a two, 20 and 30 for the black
        and the red joker) under ``landlord`` (twenty cards), ``landlord_down`` (who plays after
        him), ``landlord_up`` and ``three_landlord_cards``. Copy it before the game: the environment
        removes played cards from these lists.
    actions : iterable of sequence of int
        What was played, in order, as in its ``card_play_action_seq``: ranks, none to pass.

    Returns
    -------
    Record
        Under the rules ``douzero``; the landlord is seat 0, ``landlord_down`` 1 and ``landlord_up``
        2. Suits, which DouZero does not have, are given to the cards of each rank in the order of
        the seats.

    Raises
    ------
    RecordError
        It is no such data, or not a game by the rules: the place and the reason.

    Notes
    -----
    DouZero's actions do not say which of several readings is meant (333444555666). The record has
    the one that the next play of the trick beats, and else the first of: no kickers, the highest
    main part.
    """
    if not isinstance(card_play_data, Mapping):
        raise RecordError(f"card_play_data is a mapping, not {brief(card_play_data)}")
    ranks = [_douzero_ranks(card_play_data, name) for name in DOUZERO_SEATS]
    kitty = _douzero_ranks(card_play_data, "three_landlord_cards")
    sizes = (LANDLORD_HAND, HAND, HAND, KITTY)
    names = (*DOUZERO_SEATS, "three_landlord_cards")
    for name, cards, size in zip(names, (*ranks, kitty), sizes, strict=True):
        if len(cards) != size:
            raise RecordError(f"{name}: {len(cards)} cards, not {size}")
    for rank in kitty:
        if rank not in ranks[0]:
            symbol = RANK_SYMBOLS[rank]
            raise RecordError(f"three_landlord_cards: the landlord does not hold {symbol}")
        ranks[0].remove(rank)
    dealt = [0] * len(Rank)
    piles: list[list[int]] = []
    for name, cards in zip(names, (*ranks, kitty), strict=True):
        piles.append([])
        for rank in sorted(cards):
            if dealt[rank] == (4 if rank <= Rank.TWO else 1):
                raise RecordError(f"{name}: one {RANK_SYMBOLS[rank]} too many in all hands")
            # The black joker is 52, the red one 53.
            first = 4 * rank if rank <= Rank.BLACK_JOKER else 53
            piles[-1].append(first + dealt[rank])
            dealt[rank] += 1
    deal = _deal(piles[:SEATS], piles[SEATS], 0)

    plays = []
    if isinstance(actions, str | bytes | Mapping) or not isinstance(actions, Iterable):
        raise RecordError(f"actions are a list of lists, not {brief(actions)}")
    for number, action in enumerate(actions):
        place = f"actions[{number}]"
        counts = [0] * len(Rank)
        for rank in _douzero_list(action, place):
            counts[rank] += 1
        try:
            plays.append((place, None, Hand.from_counts(counts)))
        except DdzError as error:
            raise RecordError(f"{place}: {error}") from None
    return _recorded(Rules.douzero(), deal, plays, {"Source": "DouZero"})


# ---- a game from what was played -----------------------------------------------------------------


def _deal(hands: Sequence[Sequence[int]], kitty: Sequence[int], landlord: int) -> Deal:
    return Deal(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        kitty=tuple(sorted(kitty)),
        undealt=(),
        opener=landlord,
    )


def _recorded(
    rules: Rules,
    deal: Deal,
    actions: Sequence[tuple[str, int | None, Hand]],
    tags: Mapping[str, str],
) -> Record:
    """Play (place, seat if known, cards) through; no cards are a pass."""
    game = Game(rules, deal=deal)
    for number, (place, seat, cards) in enumerate(actions):
        if game.phase == Phase.OVER:
            raise RecordError(f"{place}: the game is over before it")
        if seat not in (None, game.turn):
            raise RecordError(f"{place}: it is seat {game.turn}'s turn, not {seat}'s")
        readings = [move for move in game.legal_moves() if move.cards == cards]
        try:
            if len(readings) > 1:
                answers = [later for _, _, later in actions[number + 1 : number + SEATS]]
                game.play(_meant(readings, answers, rules))
            else:
                game.play(cards if cards else Move.PASS)
        except DdzError as error:
            raise RecordError(f"{place}: {error}") from None
    return Record.from_game(game, tags)


def _meant(readings: Sequence[Move], answers: Sequence[Hand], rules: Rules) -> Move:
    """The reading that whoever answered took it for; see the notes of `from_douzero`."""
    ordered = sorted(readings, key=lambda move: (len(move.kickers), -(move.rank or 0)))
    answer = next((cards for cards in answers if cards), Hand())
    for move in ordered:
        if any(reply.beats(move) for reply in classify(answer, rules)):
            return move
    return ordered[0]


# ---- RLCard Showdown -----------------------------------------------------------------------------


def is_rlcard(text: str) -> bool:
    """Whether a text is meant as a replay of RLCard Showdown, by the members that it has."""
    if instance(text, str, "text").lstrip().startswith(PYTHON_LITERAL):
        return True
    try:
        value = parse_json(text)
    except RecordError:
        return False
    if isinstance(value, dict):
        return "moveHistory" in value and "ddz_record" not in value
    return isinstance(value, str)


def _replay(source: object) -> Mapping[str, Any]:
    if isinstance(source, os.PathLike):
        source = read_file(source)
    if isinstance(source, str):
        source = _parsed(source)
        # The server sends the text of a text.
        if isinstance(source, str):
            source = _parsed(source)
    if not isinstance(source, Mapping):
        raise RecordError(f"a replay is an object, not {brief(source)}")
    return source


def _parsed(text: str) -> object:
    """The value of a JSON text or of the Python literal that RLCard Showdown's server makes."""
    if not text.lstrip().startswith(PYTHON_LITERAL):
        return parse_json(text)
    if len(text) > MAX_LITERAL:
        raise RecordError(f"line 1: a Python literal of {len(text)} letters is no replay")
    try:
        return _literal(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        raise RecordError(f"line {line}: neither JSON nor a Python literal") from None


def _literal(node: ast.expr) -> object:
    """The value of a literal. The names of a dict must be texts: unlike numbers, they cannot be
    chosen so that all have the same hash."""
    match node:
        case ast.Constant(value=str() | int() | float() | None as constant):
            return constant
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            members: dict[str, object] = {}
            for key, value in zip(keys, values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                    raise SyntaxError("", ("", node.lineno, 0, ""))
                members[key.value] = _literal(value)
            return members
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
    raise SyntaxError("", ("", node.lineno, 0, ""))


def _landlord(replay: Mapping[str, Any], tags: dict[str, str]) -> int:
    """The landlord's seat; puts the players' names into the tags."""
    roles: dict[int, object] = {}
    for number, player in enumerate(_items(replay, "playerInfo", SEATS)):
        place = f"playerInfo[{number}]"
        if not isinstance(player, Mapping):
            raise RecordError(f"{place}: a player is an object, not {brief(player)}")
        seat = _index(player, "index", place)
        if seat in roles:
            raise RecordError(f"{place}.index: {seat} was given before")
        roles[seat] = _member(player, "role", place)
        if roles[seat] not in ("landlord", "peasant"):
            role = brief(roles[seat])
            raise RecordError(f"{place}.role: {role} is neither 'landlord' nor 'peasant'")
        agent = player.get("agentInfo")
        name = agent.get("name") if isinstance(agent, Mapping) else None
        if isinstance(name, str) and name.isprintable():
            tags[f"Seat{seat}"] = name[:100]
    landlords = [seat for seat, role in roles.items() if role == "landlord"]
    if len(landlords) != 1:
        raise RecordError(f"playerInfo: {len(landlords)} landlords, not one")
    return landlords[0]


def _items(replay: Mapping[str, Any], name: str, number: int | None = None) -> Sequence[Any]:
    value = _member(replay, name, "the replay")
    if not isinstance(value, list | tuple):
        raise RecordError(f"{name}: a list, not {brief(value)}")
    if number is not None and len(value) != number:
        raise RecordError(f"{name}: {len(value)} items, not {number}")
    return value


def _member(value: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in value:
        raise RecordError(f"{place} has no {name!r}")
    return value[name]


def _index(value: Mapping[str, Any], name: str, place: str) -> int:
    seat = _member(value, name, place)
    if type(seat) is not int or not 0 <= seat < SEATS:
        raise RecordError(f"{place}.{name}: {brief(seat)} is no seat 0, 1 or 2")
    return seat


def _rlcard_cards(value: object, place: str) -> list[int]:
    words: Sequence[object]
    if isinstance(value, str):
        words = value.split()
    elif isinstance(value, list | tuple):
        words = value
    else:
        raise RecordError(f"{place}: cards are a text or a list, not {brief(value)}")
    if len(words) == 1 and words[0] in RLCARD_PASSES:
        return []
    cards = []
    for word in words:
        card = RLCARD_CARDS.get(word) if isinstance(word, str) else None
        if card is None:
            raise RecordError(f"{place}: {brief(word)} is no card (as H3, ST, BJ or RJ)")
        cards.append(card)
    return cards


def _rlcard_name(card: int) -> str:
    return next(name for name, number in RLCARD_CARDS.items() if number == card)


# ---- DouZero -------------------------------------------------------------------------------------


def _douzero_ranks(data: Mapping[str, object], name: str) -> list[int]:
    if name not in data:
        raise RecordError(f"card_play_data has no {name!r}")
    return _douzero_list(data[name], name)


def _douzero_list(value: object, place: str) -> list[int]:
    """Ranks 0 … 14 from DouZero's numbers."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise RecordError(f"{place}: cards are a list of numbers, not {brief(value)}")
    ranks = []
    for number in value:
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            _no_rank(number, place)
        if index(number) not in DOUZERO_RANKS:
            _no_rank(number, place)
        ranks.append(DOUZERO_RANKS.index(index(number)))
    return ranks


def _no_rank(number: object, place: str) -> NoReturn:
    raise RecordError(
        f"{place}: {brief(number)} is no rank; ranks are {', '.join(map(str, DOUZERO_RANKS))}"
    )
