"""Timing shared by the benchmarks: all contenders take turns, so that a drift slows them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import NamedTuple, TypeVar

K = TypeVar("K")
T = TypeVar("T")
# Before the first round, as a part of a round.
WARM_UP = 0.5
# Even, so that each contender is as often early as late in a round.
SLICES = 6


class Spread(NamedTuple):
    """Of the rounds."""

    least: float
    median: float
    most: float

    def __str__(self) -> str:
        return " … ".join(f"{x:,.0f}" if x >= 100 else f"{x:.3g}" for x in self)


def turns(rounds: int, contenders: Mapping[K, T]) -> Iterator[tuple[K, T]]:
    """Each contender once a round, every other round in the reverse order."""
    order = list(contenders.items())
    for number in range(rounds):
        yield from reversed(order) if number % 2 else order


def best_of(rounds: int, contenders: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The least seconds of each by the wall clock, since the work may use several threads."""
    best = dict.fromkeys(contenders, float("inf"))
    for name, work in turns(rounds, contenders):
        start = time.perf_counter()
        work()
        best[name] = min(best[name], time.perf_counter() - start)
    return best


def rates(
    rounds: int, seconds: float, contenders: Mapping[K, Callable[[], int]]
) -> dict[K, list[float]]:
    """Units a second of processor time in each round; a call does some units and says how many.

    A round's seconds are taken in slices, between those of the others.
    """
    for work in contenders.values():
        timed(work, WARM_UP * seconds)
    found: dict[K, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        units, spent = dict.fromkeys(contenders, 0), dict.fromkeys(contenders, 0.0)
        for name, work in turns(SLICES, contenders):
            done, took = timed(work, seconds / SLICES)
            units[name] += done
            spent[name] += took
        for name in contenders:
            found[name].append(units[name] / spent[name])
    return found


def timed(work: Callable[[], int], seconds: float) -> tuple[int, float]:
    """So much of the work that it takes these seconds or a little more."""
    units, start = 0, time.process_time()
    while True:
        units += work()
        if (spent := time.process_time() - start) >= seconds:
            return units, spent


def ratios(ours: list[float], theirs: list[float]) -> Spread:
    """Round by round."""
    paired = [mine / their for mine, their in zip(ours, theirs, strict=True)]
    return Spread(min(paired), median(paired), max(paired))
