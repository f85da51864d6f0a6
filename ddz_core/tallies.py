"""Exact counts of finished deals, and which deals they are of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ddz_core._simulate import TALLY, TALLY_SIZE
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["Ranges", "Tally", "gaps", "joined", "new_counts", "parts_of"]

# Deals by number: sorted, apart from each other, each from its first to before its stop.
Ranges: TypeAlias = tuple[tuple[int, int], ...]


def new_counts() -> NDArray[np.int64]:
    """The counts of no deal."""
    return np.zeros(TALLY_SIZE, np.int64)


def parts_of(counts: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Views of the counts' parts by name; single numbers have no dimension."""
    views, start = {}, 0
    for name, shape in TALLY:
        size = math.prod(shape)
        views[name] = counts[start : start + size].reshape(shape)
        start += size
    return views


def joined(one: Ranges, other: Ranges) -> Ranges:
    """All deals of both.

    Raises
    ------
    DdzError
        A deal is in both.
    """
    together: list[tuple[int, int]] = []
    for first, stop in sorted(one + other):
        if together and first < together[-1][1]:
            last = min(stop, together[-1][1]) - 1
            raise DdzError(f"deals {first} … {last} are in both: they would count twice")
        if together and first == together[-1][1]:
            together[-1] = (together[-1][0], stop)
        else:
            together.append((first, stop))
    return tuple(together)


def gaps(ranges: Ranges, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The ranges between `first` and `stop` that are not there."""
    at = first
    for begin, end in (*ranges, (stop, stop)):
        if begin > at:
            yield at, begin
        at = end


@dataclass(frozen=True)
class Tally:
    """What has been counted so far. It never changes: an interrupt cannot leave half a chunk."""

    counts: NDArray[np.int64]
    ranges: Ranges = ()

    def plus(self, counts: NDArray[np.int64], first: int, stop: int) -> Tally:
        """With one more chunk."""
        return Tally(self.counts + counts, joined(self.ranges, ((first, stop),)))

    @property
    def deals(self) -> int:
        """How many deals were finished."""
        return sum(stop - first for first, stop in self.ranges)
