"""Who does the work of a simulation: threads, processes, or a cluster.

`simulate` takes as ``executor``

* nothing: threads of this process;
* any `concurrent.futures.Executor`, such as Dask's ``client.get_executor(pure=False)``, or
  `RayExecutor`;
* a function that makes one, such as `processes`: when the executor breaks because a worker died,
  another one is made and what was lost is done again.
"""

from __future__ import annotations

import math
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ddz_core.interrupts import raised_elsewhere
from ddz_core.parallel import n_threads

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from multiprocessing.process import BaseProcess

__all__ = ["AnyExecutor", "RayExecutor", "completed", "in_threads", "processes"]

AnyExecutor: TypeAlias = Executor | Callable[[], Executor]
Task: TypeAlias = tuple[int, int]
T = TypeVar("T")

# Chunks under way for each worker, so that none waits for the next one.
A_WORKER = 2
# Losses of work in a row, with nothing finished in between, after which we give up.
MOST_LOSSES = 4
# Seconds. A wait without an end cannot be interrupted on every system.
WAIT = 0.5
# Seconds after which we look again how many workers there are.
LOOK = 5.0


def completed(
    source: AnyExecutor, work: Callable[[int, int], T], tasks: Iterator[Task]
) -> Generator[tuple[Task, T]]:
    """Each task with its result ``work(*task)``, as they come.

    Few tasks are under way at any time, so that memory stays flat. What a broken executor or a
    cancelled future has lost is done again.

    Raises
    ------
    RuntimeError
        The executor broke and cannot be made anew, or it breaks again and again.
    """
    pool = _Pool(source)
    under_way: dict[Future[T], tuple[Task, int]] = {}
    lost: list[Task] = []
    finished = False
    try:
        while True:
            while len(under_way) < pool.room:
                task = lost.pop() if lost else next(tasks, None)
                if task is None:
                    break
                try:
                    future = pool.executor.submit(work, *task)
                except BrokenExecutor as error:
                    lost.append(task)
                    pool.mend(pool.number, error)
                else:
                    under_way[future] = (task, pool.number)
            if not under_way:
                finished = True
                return
            done, _ = wait(under_way, timeout=WAIT, return_when=FIRST_COMPLETED)
            for future in done:
                task, number = under_way.pop(future)
                try:
                    # Not raised, lest it look like an interrupt of this thread.
                    if isinstance(raised := future.exception(), KeyboardInterrupt):
                        raise raised_elsewhere() from raised
                    result = future.result()
                except (BrokenExecutor, CancelledError) as error:
                    lost.append(task)
                    pool.mend(number, error)
                else:
                    pool.losses = 0
                    yield task, result
    finally:
        pool.close(under_way, finished=finished)


class _Pool:
    """An executor, and how to make another one."""

    def __init__(self, source: AnyExecutor) -> None:
        self._make: Callable[[], Executor] | None = None
        if isinstance(source, type) or not hasattr(source, "submit"):
            self._make = source
        self.executor: Executor = self._new() if self._make else source  # type: ignore[assignment]
        self.number = 0
        self.losses = 0
        self._looked = -math.inf
        self._room = 0

    @property
    def room(self) -> int:
        """How many chunks may be under way; a cluster may grow."""
        _check_open(self.executor)
        if time.monotonic() > self._looked + LOOK:
            self._looked = time.monotonic()
            self._room = A_WORKER * _workers(self.executor)
        return self._room

    def _new(self) -> Executor:
        made = self._make()  # type: ignore[misc]
        if not hasattr(made, "submit"):
            raise TypeError(f"executor makes no executor, but {repr(made)[:80]}")
        return made

    def mend(self, number: int, error: BaseException) -> None:
        """Make a new executor, unless it was done since this one, with this number, broke."""
        if number != self.number:
            return
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise RuntimeError(
                f"the executor lost its work {self.losses} times with nothing finished in between: "
                f"{type(error).__name__}: {error}{self._hint()}"
            ) from error
        if not isinstance(error, BrokenExecutor):
            return
        if self._make is None:
            raise RuntimeError(
                f"the executor broke ({type(error).__name__}: {error}); give a function that makes "
                "one, such as executor=ddz_core.executors.processes(2), and it will be made anew; "
                "with resume=path what was finished is kept"
            ) from error
        self.executor.shutdown(wait=False)
        self.executor = self._new()
        self.number += 1

    def _hint(self) -> str:
        if not isinstance(self.executor, ProcessPoolExecutor):
            return ""
        return (
            " (processes import the program that started them: it needs "
            'if __name__ == "__main__":, and its policies must be in a file, not in an interactive '
            "session)"
        )

    def close(self, under_way: Iterable[Future[Any]], *, finished: bool) -> None:
        """Part with an executor that we made; early if need be, with what is under way."""
        workers = [] if finished or self._make is None else _processes_of(self.executor)
        for worker in workers:
            worker.kill()
        if not workers:
            for future in under_way:
                future.cancel()
        if self._make is not None:
            # Of killed processes the pool itself gives up what they had, and does so best alone.
            self.executor.shutdown(wait=finished, cancel_futures=not workers)


def _processes_of(executor: Executor) -> list[BaseProcess]:
    """The processes of a pool, which would finish what they have begun before they end."""
    return list((getattr(executor, "_processes", None) or {}).values())


def _workers(executor: Executor) -> int:
    """How many tasks it does at a time, as far as it says."""
    known = getattr(executor, "_max_workers", None)
    if known is None and hasattr(executor, "_client"):
        known = _dask_threads(executor._client)
    return known if isinstance(known, int) and known > 0 else n_threads(None)


def _check_open(executor: Executor) -> None:
    if getattr(getattr(executor, "_client", None), "status", None) in {"closing", "closed"}:
        raise RuntimeError("the executor's Dask client is closed; make another one")


def _dask_threads(client: Any) -> int:
    try:
        return sum(client.nthreads().values())
    except Exception as error:
        raise RuntimeError(
            f"the executor's Dask client has no scheduler that answers ({type(error).__name__}: "
            f"{error})"
        ) from error


def in_threads(
    work: Callable[[int, int, threading.Event | None], T], tasks: Iterator[Task], threads: int
) -> Generator[tuple[Task, T]]:
    """The same in threads of this process; leaving early tells those under way to stop."""
    stopped = threading.Event()
    try:
        yield from completed(
            lambda: ThreadPoolExecutor(threads),
            lambda first, stop: work(first, stop, stopped),
            tasks,
        )
    finally:
        stopped.set()


# ---- executors -----------------------------------------------------------------------------------


def processes(
    workers: int | None = None, method: str = "spawn"
) -> Callable[[], ProcessPoolExecutor]:
    """A function that makes a pool of processes, for ``simulate(executor=processes(4))``.

    Ctrl-C is left to the calling process. Processes end at once when a run is stopped, and when the
    calling process dies. As with all of multiprocessing, a script that uses it must keep what it
    runs under ``if __name__ == "__main__":``, and policies must be functions or classes of a file
    that the processes can import, not of an interactive session.

    Parameters
    ----------
    workers : int, optional
        All processors by default.
    method : {"spawn", "forkserver", "fork"}
        How processes start. To fork a process that has threads may hang it.

    Returns
    -------
    callable

    Raises
    ------
    DdzError
        `workers` out of range.
    ValueError
        No such method here.
    """
    number = n_threads(workers)
    context = multiprocessing.get_context(method)

    def make() -> ProcessPoolExecutor:
        return _Processes(number, mp_context=context, initializer=_begin)

    return make


class _Processes(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to us from the moment they start, which they do in `submit`."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        # What a thread blocks, a process that it starts blocks too.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """What a process of the pool does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    """End this process when the one that it works for is gone, killed perhaps."""
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


class RayExecutor(Executor):
    """An executor whose work is done by Ray.

    Ray itself does a task again when its worker died (``max_retries``, three times by default).

    Parameters
    ----------
    workers : int, optional
        How many tasks Ray does at a time; all its processors by default.
    **options
        For Ray's remote functions: ``num_cpus``, ``max_retries``, ``runtime_env`` and so on.

    Raises
    ------
    ImportError
        Ray is not installed.

    Examples
    --------
    ``ray.init(address="auto")``, then ``simulate(deals=10**9, executor=RayExecutor())``.
    """

    def __init__(self, workers: int | None = None, **options: Any) -> None:
        import ray  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

        if not ray.is_initialized():
            ray.init()
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self._max_workers = max(1, cpus) if workers is None else n_threads(workers)
        self._remote = ray.remote(_call)
        if options:
            self._remote = self._remote.options(**options)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have ``fn(*args, **kwargs)`` done, and return its future."""
        return self._remote.remote(fn, args, kwargs).future()  # type: ignore[no-any-return]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing: Ray goes on until ``ray.shutdown()``."""


def _call(fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return fn(*args, **kwargs)
