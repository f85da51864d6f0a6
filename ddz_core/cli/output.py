"""What is printed: tables, JSON objects, and the words for both."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import ddz_core as ddz
from ddz_core.cli.arguments import BadInputError

__all__ = [
    "as_facts",
    "by_kind",
    "counted",
    "in_percent",
    "label",
    "move_as_json",
    "print_json",
    "printable",
    "shown",
    "tables",
]

KIND_LABELS = {
    ddz.Kind.TRIPLE_SINGLE: "triple + single",
    ddz.Kind.TRIPLE_PAIR: "triple + pair",
    ddz.Kind.PAIR_STRAIGHT: "pair straight",
    ddz.Kind.AIRPLANE_SINGLES: "airplane + singles",
    ddz.Kind.AIRPLANE_PAIRS: "airplane + pairs",
    ddz.Kind.QUAD_SINGLES: "quad + singles",
    ddz.Kind.QUAD_PAIRS: "quad + pairs",
    ddz.Kind.SHUTTLE_SINGLES: "shuttle + singles",
    ddz.Kind.SHUTTLE_PAIRS: "shuttle + pairs",
}


def tables() -> ModuleType:
    """The part that needs rich; asked for before any long work, so that none is lost."""
    try:
        from ddz_core import tables as found  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise BadInputError(
            'tables need the extra cli: pip install "ddz_core[cli]" (or use --json)'
        ) from None
    return found


def print_json(answer: dict[str, Any]) -> None:
    """One JSON object on stdout; a number that is not known is null."""
    print(json.dumps(without_nan(answer), allow_nan=False))


def without_nan(answer: Any) -> Any:
    """The same with None for NaN, which JSON does not have."""
    if isinstance(answer, dict):
        return {key: without_nan(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [without_nan(value) for value in answer]
    return None if isinstance(answer, float) and math.isnan(answer) else answer


def move_as_json(move: ddz.Move) -> dict[str, Any]:
    """A move as a JSON object."""
    return {
        "play": str(move),
        "kind": move.kind.name,
        "rank": None if move.rank is None else move.rank.symbol,
        "length": move.length,
        "n_cards": move.n_cards,
    }


def as_facts(query: dict[str, Any]) -> str:
    """What was asked, for the line below a table."""
    return ", ".join(f"{name} {value}" for name, value in query.items() if value is not None)


def printable(text: str) -> str:
    """A text in which what would move the cursor or change the colours is escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def label(kind: ddz.Kind) -> str:
    """A kind's name for people."""
    return KIND_LABELS.get(kind, kind.name.lower())


def shown(number: float) -> str:
    """A mean or standard error; nothing for one that is not known."""
    return "" if math.isnan(number) else f"{number:.4f}"


def in_percent(share: float, places: int = 3) -> str:
    """A rate in percent."""
    return "" if math.isnan(share) else f"{share:.{places}%}"


def counted(n: int, thing: str, things: str | None = None) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{n:,} {thing if n == 1 else things or thing + 's'}"


def by_kind(moves: Iterable[ddz.Move]) -> dict[ddz.Kind, list[str]]:
    """The texts of the moves of each kind."""
    groups: dict[ddz.Kind, list[str]] = {}
    for move in moves:
        groups.setdefault(move.kind, []).append(str(move))
    return groups
