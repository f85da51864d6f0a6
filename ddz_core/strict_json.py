"""JSON read as strictly as its standard has it, and the places of its values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TypeAlias

from ddz_core.errors import RecordError

__all__ = ["Path", "line_of", "parse_json", "path_name"]

# The names and indexes that lead to a value from the outside in.
Path: TypeAlias = tuple[str | int, ...]

# Digits of the longest whole number; more would take Python a time that grows with their square.
MAX_DIGITS = 4300
# Of what Python found to be nested too deeply, the place that is named; no limit by itself.
MAX_DEPTH = 100

TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[][{},:]|[^][{},:"\s]++', re.DOTALL)
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class _RefusedError(Exception):
    """Something that the standard's grammar allows, or Python's reader, but not this one."""


def parse_json(text: str) -> Any:
    """The value of a JSON text, as strict as JSON is.

    Raises
    ------
    RecordError
        It is no JSON, names one member of an object twice, or has a number of thousands of digits:
        the line and the reason.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_members, parse_int=_whole, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        reason = f"line {error.lineno}: no JSON at column {error.colno}: {error.msg}"
    except RecursionError:
        reason = _fault(text) or "line 1: the JSON is nested too deeply"
    except (_RefusedError, ValueError) as error:
        reason = _fault(text) or f"line 1: {error}"
    raise RecordError(reason)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RefusedError("a member occurs twice in one object")
    return found


def _whole(digits: str) -> int:
    return int(digits) if len(digits.removeprefix("-")) <= MAX_DIGITS else _refuse("a long number")


def _refuse(word: str) -> NoReturn:
    raise _RefusedError(f"{word} is no JSON number")


def _fault(text: str) -> str | None:
    """The first thing that was refused, with its place; the text is JSON as far as to there."""
    names: list[set[str]] = []  # of the members so far, for each object that is open
    for path, start, token in _values(text):
        reason = None
        name = path[-1] if path else None
        if isinstance(name, str):
            if name in names[len(path) - 1]:
                reason = f"the member {name[:80]!r} occurs twice in one object"
            names[len(path) - 1].add(name)
        if token in ("{", "["):
            names[len(path) :] = [set()]
        if token in ("NaN", "Infinity", "-Infinity"):
            reason = f"{token} is no JSON number"
        elif len(digits := token.removeprefix("-")) > MAX_DIGITS and digits.isdecimal():
            reason = f"a number of {len(digits)} digits; at most {MAX_DIGITS} are read"
        elif len(path) > MAX_DEPTH:
            reason = "the JSON is nested too deeply"
        if reason is not None:
            line = f"line {_line(text, start)}"
            return f"{line}, {path_name(path)}: {reason}" if path else f"{line}: {reason}"
    return None


def _values(text: str) -> Iterator[tuple[list[str | int | None], int, str]]:
    """Each value of a JSON text in turn: its path, where it begins, and its first token.

    The path is the walk's own list. A text that is no JSON ends the walk sooner or later.
    """
    path: list[str | int | None] = []  # None is a member whose name is still to come
    for found in TOKEN.finditer(text):
        token = found[0]
        if token in ("]", "}"):
            if not path:
                return
            path.pop()
        elif token == ",":
            if not path:
                return
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path and path[-1] is None:
            try:
                path[-1] = json.loads(token, strict=False) if "\\" in token else token[1:-1]
            except ValueError:
                return
        elif token != ":":
            yield path, found.start(), token
            if token in ("[", "{"):
                path.append(0 if token == "[" else None)


def line_of(text: str, path: Path) -> int:
    """The line on which the value at this path of a JSON text begins; of what leads there, where
    the value is not there. The text must be one that `parse_json` reads.
    """
    wanted = list(path)
    best, start = -1, 0
    for here, at, _ in _values(text):
        if best < len(here) <= len(wanted) and here == wanted[: len(here)]:
            best, start = len(here), at
            if best == len(wanted):
                break
    return _line(text, start)


def _line(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1


def path_name(path: Sequence[str | int | None]) -> str:
    """A path in words: ``deals[0].code``."""
    words = []
    for step in path[:10]:
        if isinstance(step, str) and PLAIN_NAME.fullmatch(step):
            words.append(f".{step}")
        else:
            words.append(f"[{step[:80]!r}]" if isinstance(step, str) else f"[{step}]")
    return "".join(words).removeprefix(".") + ("…" if len(path) > 10 else "")
