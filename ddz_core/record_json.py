"""The JSON format of records; docs/record-format.md describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ddz_core.errors import RecordError
from ddz_core.record_reader import (
    VERSION,
    At,
    Contents,
    Place,
    Reader,
    brief,
    checksum,
    placed,
    wrong_version,
)
from ddz_core.record_values import (
    MAX_DEALS,
    RULE_OPTIONS,
    bid_of,
    check_tags,
    code_of,
    move_of,
    option_as_json,
    result_as_json,
    result_of,
    rules_from_json,
    seat_of,
)
from ddz_core.rules import Rules
from ddz_core.strict_json import line_of, path_name

if TYPE_CHECKING:
    from ddz_core.game import Result
    from ddz_core.record import Record

__all__ = ["JsonReader", "to_json"]

MEMBERS = ("ddz_record", "rules", "tags", "deals", "moves", "result", "checksum")
COMPACT: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


# ---- writing -------------------------------------------------------------------------------------


def to_json(record: Record) -> str:
    """The record as one line of JSON."""
    values = _values(record)
    whole = {**values, "checksum": _checksum(values)}
    return json.dumps(whole, ensure_ascii=False, **COMPACT)


def _values(record: Record) -> dict[str, Any]:
    """The record as JSON values, without the checksum."""
    rules: object = record.rules.name
    if record.rules.name not in Rules.preset_names():
        rules = {name: option_as_json(name, getattr(record.rules, name)) for name in RULE_OPTIONS}
    result = record.result
    return {
        "ddz_record": VERSION,
        "rules": rules,
        "tags": record.tags,
        "deals": [
            {"code": code, "bids": [[seat, str(bid)] for seat, bid in bids]}
            for code, bids in zip(record.deals, record.auctions, strict=True)
        ],
        "moves": [[seat, str(move)] for seat, move in record.moves],
        "result": None if result is None else result_as_json(result),
    }


def _checksum(values: Mapping[str, object]) -> str:
    rest = {name: value for name, value in values.items() if name != "checksum"}
    return checksum(json.dumps(rest, sort_keys=True, ensure_ascii=True, **COMPACT))


# ---- reading -------------------------------------------------------------------------------------


class JsonReader(Reader):
    """Reads the JSON format.

    Parameters
    ----------
    values : object
        What the JSON text holds.
    text : str, optional
        The text itself, so that places have their line.
    """

    def __init__(self, values: object, text: str | None = None) -> None:
        self.values = values
        self.text = text

    def where(self, place: Place) -> str:
        path = () if isinstance(place, int) else place
        words = [] if self.text is None else [f"line {line_of(self.text, path)}"]
        words += [path_name(path)] if path else []
        return f"{', '.join(words)}: " if words else ""

    def checksum(self) -> tuple[Place, object]:
        return ("checksum",), self.values["checksum"] if isinstance(self.values, dict) else None

    def contents(self) -> Contents:
        values = self.values
        if not isinstance(values, dict):
            raise RecordError(f"a record is an object, not {brief(values)}")
        version = values.get("ddz_record")
        if type(version) is not int or version != VERSION:
            raise placed(("ddz_record",) if "ddz_record" in values else (), wrong_version(version))
        _check_members(values, "the record", MEMBERS)
        try:
            self.unchanged = values["checksum"] == _checksum(values)
        except (ValueError, RecursionError):
            self.unchanged = False
        with At("rules"):
            rules = rules_from_json(values["rules"])
        with At("tags"):
            tags = _tags(values["tags"])
        with At("deals"):
            deals, auctions = _deals(values["deals"])
        with At("moves"):
            moves = _moves(values["moves"], rules)
        with At("result"):
            result = _result(values["result"])
        return Contents(rules, deals, auctions, moves, result, tags)


def _tags(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise RecordError(f"tags are an object of texts, not {brief(value)}")
    for name, text in value.items():
        if not isinstance(text, str):
            raise placed((name,), f"tags are an object of texts, not of {brief(text)}")
    check_tags(value)
    return value


def _deals(value: object) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    deals, auctions = [], []
    for number, deal in enumerate(_list(value, "deals are")):
        with At(number):
            if number == MAX_DEALS:
                raise RecordError(f"a record has at most {MAX_DEALS} deals")
            _check_members(deal, "a deal", ("code", "bids"))
            with At("code"):
                deals.append(code_of(deal["code"]))
            with At("bids"):
                auctions.append(_bids(deal["bids"]))
    return tuple(deals), tuple(auctions)


def _bids(value: object) -> tuple[tuple[int, Any], ...]:
    bids = []
    for index, pair in enumerate(_list(value, "bids are")):
        with At(index):
            seat, bid = _pair(pair)
            bids.append((seat_of(seat), bid_of(bid)))
    return tuple(bids)


def _moves(value: object, rules: Rules) -> tuple[tuple[int, Any], ...]:
    moves = []
    for index, pair in enumerate(_list(value, "moves are")):
        with At(index):
            seat, move = _pair(pair)
            moves.append((seat_of(seat), move_of(move, rules)))
    return tuple(moves)


def _result(value: object) -> Result | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise RecordError(f"a result is null or an object, not {brief(value)}")
    items = dict(value)
    if isinstance(items.get("points"), list):
        items["points"] = tuple(items["points"])
    return result_of(items)


def _check_members(value: object, what: str, names: Sequence[str]) -> None:
    if not isinstance(value, dict):
        raise RecordError(f"{what} is an object, not {brief(value)}")
    for name in names:
        if name not in value:
            raise RecordError(f"{what} has no member {name!r}")
    for name in value:
        if name not in names:
            raise placed((name,), f"{what} has no such member as {brief(name)}")


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError(f"{what} a list, not {brief(value)}")
    return value


def _pair(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError(f"a bid or move is a list of a seat and a word, not {brief(value)}")
    return value
