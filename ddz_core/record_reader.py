"""What the two formats of records share: places, their errors, checksums and the reading of files.

The formats know nothing of the rules of the game: a `Reader` gives the contents of a record, and
the words for any place in it.
"""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from ddz_core.errors import RecordError
from ddz_core.strict_json import Path

if TYPE_CHECKING:
    from ddz_core._values import Move
    from ddz_core.auction import Bid
    from ddz_core.game import Result
    from ddz_core.rules import Rules

__all__ = [
    "MAX_TEXT",
    "VERSION",
    "At",
    "Contents",
    "Place",
    "PlacedError",
    "Reader",
    "brief",
    "checksum",
    "placed",
    "read_file",
    "read_text",
    "wrong_version",
]

VERSION = 1

# Bytes (or letters) of the largest text that is read. A record has a few thousand; all the deals
# and tags that it may have come to less than two million.
MAX_TEXT = 4 * 2**20

# A place in a record: its path in the JSON format, whatever the format, or a line.
Place: TypeAlias = int | Path


class Contents(NamedTuple):
    """What a record holds, whether or not the game follows the rules."""

    rules: Rules
    deals: tuple[str, ...]
    auctions: tuple[tuple[tuple[int, Bid], ...], ...]
    moves: tuple[tuple[int, Move], ...]
    result: Result | None
    tags: dict[str, str]


# ---- errors and their places ---------------------------------------------------------------------


class PlacedError(RecordError):
    """A RecordError that knows its place in the record; its message does not name it yet."""

    place: Place = ()


def placed(place: Place, reason: str) -> PlacedError:
    """An error at a place."""
    error = PlacedError(reason)
    error.place = place
    return error


class At:
    """A context that gives errors their place, or puts its own before theirs."""

    def __init__(self, *place: str | int, line: int | None = None) -> None:
        self.place: Place = place if line is None else line

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, RecordError):
            inner = error.place if isinstance(error, PlacedError) else ()
            if isinstance(inner, int):
                return
            whole = self.place if isinstance(self.place, int) else self.place + inner
            raise placed(whole, str(error)) from None


class Reader(ABC):
    """One record on its way from a text.

    Attributes
    ----------
    unchanged : bool
        Whether the checksum agrees; known once `contents` was asked for.
    """

    unchanged = True

    @abstractmethod
    def contents(self) -> Contents:
        """What the record says; RecordError where it says nothing."""

    @abstractmethod
    def where(self, place: Place) -> str:
        """The words that go before a complaint about this place."""

    @abstractmethod
    def checksum(self) -> tuple[Place, object]:
        """The place of the checksum, and what stands there."""

    def refusal(self, error: RecordError) -> RecordError:
        """An error in the words of the format."""
        place = error.place if isinstance(error, PlacedError) else ()
        doubt = "" if self.unchanged else " (nor does the checksum agree: the record was changed)"
        return RecordError(f"{self.where(place)}{error}{doubt}")

    def check(self) -> None:
        """Refuse a record that was changed, all else being right."""
        if not self.unchanged:
            place, found = self.checksum()
            raise RecordError(
                f"{self.where(place)}{brief(found)} is not the checksum of this record: "
                "it was changed"
            )


def brief(value: object) -> str:
    """A value for a message, whatever it is, and not long."""
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or too many digits
        shown = type(value).__name__
    return shown if len(shown) <= 80 else f"{shown[:80]}…"


def wrong_version(version: object) -> str:
    """Why this version of the format is not read."""
    if version is None:
        return "there is no version of the record format: this is no record"
    return f"version {brief(version)} of the record format; this program reads {VERSION}"


# ---- texts and files -----------------------------------------------------------------------------


def checksum(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of a file that is not too large to be a record."""
    with open(path, "rb") as file:
        return read_text(file)


def read_text(stream: BinaryIO) -> str:
    """The text that a stream has, if it is UTF-8 and not too large to be a record."""
    data = stream.read(MAX_TEXT + 1)
    if len(data) > MAX_TEXT:
        raise RecordError(f"line 1: a file of more than {MAX_TEXT} bytes is no record")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(
            f"line {line}: the byte 0x{data[error.start]:02x} is no UTF-8 text"
        ) from None
