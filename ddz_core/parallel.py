"""Threads for batch work; the kernels release the GIL.

concurrent.futures is imported where it is used: it costs more than all the rest of this package.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from ddz_core._values import integer
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

__all__ = ["as_completed", "n_slices", "n_threads", "over_slices"]

MAX_THREADS = 1024

T = TypeVar("T")


def n_threads(threads: int | None) -> int:
    """The number of threads to use: as asked for, or one for each processor of this process."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    number = integer(threads, "threads")
    if not 1 <= number <= MAX_THREADS:
        raise DdzError(f"threads is {number}; it must be 1 … {MAX_THREADS}")
    return number


def n_slices(n: int, threads: int | None, smallest: int) -> int:
    """Into how many slices to cut n rows, so that none is much below `smallest`."""
    return max(1, min(n_threads(threads), n // smallest))


def over_slices(work: Callable[[int, int], None], n: int, slices: int) -> None:
    """Call ``work(start, stop)`` on slices of ``range(n)``, a thread each."""
    bounds = [n * i // slices for i in range(slices + 1)]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    with ThreadPoolExecutor(slices) as pool:
        list(pool.map(work, bounds[:-1], bounds[1:]))


def as_completed(work: Callable[[int], T], n_chunks: int, threads: int | None) -> Iterator[T]:
    """Results of ``work(0)`` … ``work(n_chunks - 1)``, as they come.

    Only a few chunks are under way at any time, so that memory stays flat however many there are,
    and an exception (Ctrl-C too) in the caller waits for those alone.
    """
    workers = min(n_threads(threads), n_chunks)
    if workers <= 1:
        yield from map(work, range(n_chunks))
        return
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait  # noqa: PLC0415

    with ThreadPoolExecutor(workers) as pool:
        chunks = iter(range(n_chunks))
        under_way: set[Future[T]] = set()
        while True:
            while len(under_way) < 2 * workers and (chunk := next(chunks, None)) is not None:
                under_way.add(pool.submit(work, chunk))
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
