"""Threads for batch work; the kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ddz_core._values import integer

__all__ = ["n_threads", "over_slices"]

MAX_THREADS = 1024


def n_threads(threads: int | None) -> int:
    """The number of threads to use: as asked for, or one for each processor of this process."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (
            os.cpu_count() or 1
        )
    number = integer(threads, "threads")
    if not 1 <= number <= MAX_THREADS:
        raise ValueError(f"threads is {number}; it must be 1 … {MAX_THREADS}")
    return number


def over_slices(
    work: Callable[[int, int], None], n: int, threads: int | None, smallest: int
) -> None:
    """Call ``work(start, stop)`` on slices of ``range(n)``, none much below `smallest`."""
    slices = max(1, min(n_threads(threads), n // smallest))
    bounds = [n * i // slices for i in range(slices + 1)]
    if slices == 1:
        work(0, n)
        return
    with ThreadPoolExecutor(slices) as pool:
        list(pool.map(work, bounds[:-1], bounds[1:]))
