"""Checks of the numbers, cards and objects that callers give."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ddz_core._values import integer
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "between",
    "each",
    "file_path",
    "flag",
    "instance",
    "integers",
    "iterable",
    "number",
    "one_of",
    "sorted_cards",
    "wrong_kind",
]

T = TypeVar("T")
Choice = TypeVar("Choice", bound=str | None)


def wrong_kind(value: object, name: str, wanted: str) -> TypeError:
    """What to raise about a value that is not what is wanted."""
    return TypeError(f"{name} must be {wanted}, not {type(value).__name__}: {repr(value)[:80]}")


def instance(value: object, kind: type[T], name: str) -> T:
    """The value, if it is of this class."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise wrong_kind(value, name, f"{article} {kind.__name__}")
    return value


def between(value: object, name: str, low: int, high: int) -> int:
    """The value as an int, if it is one from `low` to `high`."""
    found = integer(value, name)
    if not low <= found <= high:
        # Python refuses to write out numbers of thousands of digits.
        shown = found if found.bit_length() <= 128 else f"a number of {found.bit_length()} bits"
        raise DdzError(f"{name} is {shown}; it must be {int(low)} … {int(high)}")
    return found


def number(value: object, name: str) -> float:
    """The value as a float, if it is a real number; infinite if it is too large for one."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_kind(value, name, "a number")
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf  # type: ignore[operator]


def flag(value: object, name: str) -> bool:
    """The value, if it is a bool: that ``"no"`` is true would be a surprise."""
    if not isinstance(value, bool | np.bool_):
        raise wrong_kind(value, name, "True or False")
    return bool(value)


def one_of(value: object, name: str, choices: Sequence[Choice]) -> Choice:
    """The choice that the value is, if it is one."""
    allowed = ", ".join(map(repr, choices))
    if not isinstance(value, str) and (value is not None or None not in choices):
        raise wrong_kind(value, name, f"one of {allowed}")
    for choice in choices:
        if value == choice:
            return choice
    raise DdzError(f"{name} is {repr(value)[:80]}; it must be one of {allowed}")


def file_path(value: object, name: str) -> str | os.PathLike[str]:
    """The value, if it names a file: the number of one that is open already does not."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name} must be a str or path, not {repr(value)[:80]}")
    return value


def iterable(values: Iterable[T], name: str) -> Iterable[T]:
    """The values, if they can be gone through."""
    if not isinstance(values, Iterable):
        raise wrong_kind(values, name, "iterable")
    return values


def each(values: Iterable[object], kind: type[T], name: str) -> Iterator[T]:
    """The values, if they are of this class."""
    for i, value in enumerate(iterable(values, name)):
        yield instance(value, kind, f"{name}[{i}]")


def integers(values: object, name: str) -> NDArray[np.integer[Any]]:
    """The values as an array, if they are integers."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise TypeError(f"{name} must be integers in an array, not {repr(values)[:80]}") from error
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    return array


def sorted_cards(cards: object, where: str) -> tuple[int, ...]:
    """Suited cards in ascending order, if they are integers."""
    if isinstance(cards, str | bytes) or not isinstance(cards, Iterable):
        raise wrong_kind(cards, where, "a sequence of card ids")
    return tuple(sorted(integer(card, f"card id in {where}") for card in cards))
