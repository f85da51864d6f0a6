"""Checks of the numbers, cards and objects that callers give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ddz_core._values import integer
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["between", "instance", "integers", "sorted_cards"]

T = TypeVar("T")


def instance(value: object, kind: type[T], name: str) -> T:
    """The value, if it is of this class."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise TypeError(
            f"{name} must be {article} {kind.__name__}, not {type(value).__name__}: "
            f"{repr(value)[:80]}"
        )
    return value


def between(value: object, name: str, low: int, high: int) -> int:
    """The value as an int, if it is one from `low` to `high`."""
    number = integer(value, name)
    if not low <= number <= high:
        # Python refuses to write out numbers of thousands of digits.
        shown = number if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
        raise DdzError(f"{name} is {shown}; it must be {int(low)} … {int(high)}")
    return number


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
        raise TypeError(
            f"{where} must be a sequence of card ids, not {type(cards).__name__}: "
            f"{repr(cards)[:80]}"
        )
    return tuple(sorted(integer(card, f"card id in {where}") for card in cards))
