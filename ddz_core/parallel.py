"""Threads for batch work; the kernels release the GIL.

concurrent.futures is imported where it is used: it costs more than all the rest of this package.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from ddz_core.checks import between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

__all__ = ["as_completed", "n_slices", "n_threads", "over_slices", "pieces"]

MAX_THREADS = 1024
# Seconds that compiled work should take in one go: nothing can interrupt it meanwhile.
PIECE = 0.05
# Seconds. A wait without an end cannot be interrupted on every system.
WAIT = 0.5
ROWS_A_PIECE = 4096

T = TypeVar("T")


def n_threads(threads: int | None) -> int:
    """The number of threads to use: as asked for, or one for each processor of this process."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return between(threads, "threads", 1, MAX_THREADS)


def n_slices(n: int, threads: int | None, smallest: int) -> int:
    """Into how many slices to cut n rows, so that none is much below `smallest`."""
    return max(1, min(n_threads(threads), n // smallest))


def over_slices(work: Callable[[int, int], None], n: int, slices: int) -> None:
    """Call ``work(start, stop)`` on slices of ``range(n)``, a thread each."""
    bounds = [n * i // slices for i in range(slices + 1)]
    stopped = threading.Event()

    def one(start: int, end: int) -> None:
        for first, stop in pieces(end - start, stopped, ROWS_A_PIECE):
            work(start + first, start + stop)

    from concurrent.futures import ThreadPoolExecutor, wait  # noqa: PLC0415

    pool = ThreadPoolExecutor(slices)
    try:
        futures = [pool.submit(one, *ends) for ends in itertools.pairwise(bounds)]
        for future in futures:
            while not future.done():
                wait([future], WAIT)
            future.result()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)


def pieces(
    n: int, stopped: threading.Event | None = None, first: int = 64
) -> Iterator[tuple[int, int]]:
    """Cut ``range(n)`` into (start, stop) that take the caller about `PIECE` seconds each.

    They begin with `first`. Once `stopped` is set there are no more.
    """
    start, size = 0, first
    while start < n and not (stopped is not None and stopped.is_set()):
        stop = min(start + size, n)
        began = time.monotonic()
        yield start, stop
        took = time.monotonic() - began
        start = stop
        if took < PIECE / 2:
            size *= 2
        elif took > 2 * PIECE:
            size = max(1, size // 2)


def as_completed(
    work: Callable[[int], T],
    n_chunks: int,
    threads: int | None,
    stopped: threading.Event | None = None,
) -> Iterator[T]:
    """Results of ``work(0)`` … ``work(n_chunks - 1)``, as they come.

    Only a few chunks are under way at any time, so that memory stays flat however many there are.
    An exception, in a chunk or (Ctrl-C too) in the caller, does not wait for them: it sets
    `stopped`, which tells them that nobody wants their results any more.
    """
    workers = min(n_threads(threads), n_chunks)
    if workers <= 1:
        yield from map(work, range(n_chunks))
        return
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait  # noqa: PLC0415

    pool = ThreadPoolExecutor(workers)
    chunks = iter(range(n_chunks))
    under_way: set[Future[T]] = set()
    finished = False
    try:
        while True:
            while len(under_way) < 2 * workers and (chunk := next(chunks, None)) is not None:
                under_way.add(pool.submit(work, chunk))
            if not under_way:
                finished = True
                return
            done, under_way = wait(under_way, WAIT, FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        if stopped is not None and not finished:
            stopped.set()
        pool.shutdown(wait=finished, cancel_futures=True)
