"""The single values of a record: rules, seats, bids, moves, codes, results and tags."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ddz_core._values import Move
from ddz_core.auction import Bid
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Result
from ddz_core.record_reader import At, brief, placed
from ddz_core.rules import Rules
from ddz_core.vocabulary import RANK_SYMBOLS, Rank

__all__ = [
    "MAX_DEALS",
    "RESULT_TAGS",
    "RULE_OPTIONS",
    "TYPE_OF_RESULT",
    "bid_of",
    "check_tags",
    "code_of",
    "move_of",
    "option_as_json",
    "option_from_json",
    "result_as_json",
    "result_of",
    "rules_from_json",
    "rules_of",
    "seat_of",
]

# The results's items in the order of the text format, there by these names.
RESULT_TAGS = {
    "winner": "Winner",
    "landlord": "Landlord",
    "landlord_won": "LandlordWon",
    "base": "Base",
    "bombs": "Bombs",
    "doubling_bombs": "DoublingBombs",
    "rockets": "Rockets",
    "robs": "Robs",
    "spring": "Spring",
    "anti_spring": "AntiSpring",
    "multiplier": "Multiplier",
    "stake": "Stake",
    "points": "Points",
    "redeals": "Redeals",
}
RULE_OPTIONS = {option.name: option.default for option in dataclasses.fields(Rules) if option.init}

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
RESERVED_TAGS = {"DdzRecord", "Rules", "Result", "Checksum", *RESULT_TAGS.values()}
MAX_TAGS = 100
MAX_TAG_TEXT = 1000
# Every state of a game has all deals before, so that a replay takes the square of their number.
MAX_DEALS = 1000

T = TypeVar("T")


def option_as_json(name: str, value: object) -> object:
    """An option of `Rules` as a JSON value."""
    return RANK_SYMBOLS[int(value)] if name == "lowest_rank" else value  # type: ignore[call-overload]


def option_from_json(name: str, value: object) -> object:
    """An option of `Rules` from a JSON value; what cannot be one is returned as it is."""
    if name == "lowest_rank" and isinstance(value, str) and len(value) == 1:
        place = RANK_SYMBOLS.find(value)
        return Rank(place) if place >= 0 else value
    return value


def rules_from_json(value: object) -> Rules:
    """The rule set of a preset's name or an object of options.

    Raises
    ------
    RecordError
        It is neither, or an option is unknown or out of its range.
    """
    if isinstance(value, str):
        return _parsed(Rules.preset, value)
    if isinstance(value, dict):
        return rules_of({name: option_from_json(name, option) for name, option in value.items()})
    raise RecordError(f"rules are a preset's name or an object, not {brief(value)}")


def rules_of(options: Mapping[str, object]) -> Rules:
    """A rule set from its options; RecordError for any that is not one."""
    for name, value in options.items():
        if name not in RULE_OPTIONS:
            raise placed((name,), f"rules have no option {brief(name)}")
        if name == "lowest_rank" and not isinstance(value, Rank):
            raise placed((name,), f"lowest_rank is {brief(value)}; it must be a rank")
    try:
        return Rules(**options)  # type: ignore[arg-type]
    except (DdzError, TypeError) as error:
        raise RecordError(str(error)) from None


def seat_of(value: object) -> int:
    """A seat, of any number of players."""
    if type(value) is not int or not 0 <= value <= 9:
        raise RecordError(f"{brief(value)} is no seat")
    return value


def bid_of(value: object) -> Bid:
    """A bid from its word."""
    if not isinstance(value, str):
        raise RecordError(f"a bid is a word, not {brief(value)}")
    return _parsed(Bid.parse, value)


def move_of(value: object, rules: Rules) -> Move:
    """A move from its notation."""
    if not isinstance(value, str):
        raise RecordError(f"a move is a word, not {brief(value)}")
    return _parsed(lambda text: Move.parse(text, rules), value)


def code_of(value: object) -> str:
    """A deal's code as `Deal.code` writes it."""
    if not isinstance(value, str):
        raise RecordError(f"a deal is a code, not {brief(value)}")
    return _parsed(Deal.from_code, value).code


def _parsed(parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except DdzError as error:
        raise RecordError(str(error)) from None


# ---- results and tags ----------------------------------------------------------------------------

RESULT_TYPES: dict[str, Callable[[object], bool]] = {
    "seat": lambda value: value is None or type(value) is int,
    "flag": lambda value: value is None or type(value) is bool,
    "number": lambda value: type(value) is int,
    "numbers": lambda value: (
        isinstance(value, tuple) and all(type(points) is int for points in value)
    ),
}
TYPE_OF_RESULT = {
    **dict.fromkeys(RESULT_TAGS, "number"),
    **dict.fromkeys(("winner", "landlord"), "seat"),
    **dict.fromkeys(("landlord_won", "spring", "anti_spring"), "flag"),
    "points": "numbers",
}


def result_of(items: Mapping[str, object]) -> Result:
    """A result from all its items; RecordError for any that is missing, unknown or mistyped."""
    for name in RESULT_TAGS:
        if name not in items:
            raise RecordError(f"the result has no {name}")
    for name, value in items.items():
        if name not in RESULT_TAGS:
            raise placed((name,), f"a result has no {brief(name)}")
        if not RESULT_TYPES[TYPE_OF_RESULT[name]](value):
            raise placed((name,), f"the result's {name} may not be {brief(value)}")
    return Result(**items)  # type: ignore[arg-type]


def result_as_json(result: Result) -> dict[str, Any]:
    """A result's items as JSON values."""
    items = {name: getattr(result, name) for name in RESULT_TAGS}
    return {**items, "points": list(result.points)}


def check_tags(tags: Mapping[str, str]) -> None:
    """Refuse tags that the text format cannot have."""
    if len(tags) > MAX_TAGS:
        raise RecordError(f"{len(tags)} tags; a record has at most {MAX_TAGS}")
    for name, value in tags.items():
        with At(name):
            _check_tag(name, value)


def _check_tag(name: object, value: object) -> None:
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"tags must be str to str, not {brief(name)}: {brief(value)}")
    if not TAG_NAME.fullmatch(name):
        raise RecordError(
            f"tag {brief(name)}: a name has letters, digits and _, and starts with a letter"
        )
    if name in RESERVED_TAGS:
        raise RecordError(f"tag {name!r}: the format itself uses this name")
    if len(value) > MAX_TAG_TEXT:
        raise RecordError(f"tag {name!r}: {len(value)} letters; a tag has at most {MAX_TAG_TEXT}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise RecordError(f"tag {name!r}: {value[:80]!r} is no Unicode text")
