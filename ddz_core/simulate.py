"""Monte-Carlo simulation of whole deals, on all processors or on a cluster."""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ddz_core.checks import between, file_path
from ddz_core.errors import DdzError
from ddz_core.game import _check_goal
from ddz_core.interrupts import only_own_interrupts
from ddz_core.parallel import n_threads
from ddz_core.plan import BLOCK, Plan, deals_in, run_chunk, seats_of
from ddz_core.rules import as_rules
from ddz_core.seeds import seed_sequence
from ddz_core.simulation_result import Part, SimulationResult
from ddz_core.tallies import Tally, gaps, new_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from ddz_core.checkpoint import Checkpoint
    from ddz_core.executors import AnyExecutor
    from ddz_core.plan import Seats
    from ddz_core.policies import Policies
    from ddz_core.rules import Rules
    from ddz_core.seeds import Seed
    from ddz_core.tallies import Ranges

__all__ = ["SimulationResult", "simulate"]

MAX_DEALS = 10**12
# Deals a chunk where policies are written in Python: as many as make large batches, or so few that
# a run can be stopped and stored soon.
BATCHED = 512
ONE_BY_ONE = 64
# Seconds that a chunk takes, about: in threads of this process, and sent to others.
NEAR = 0.25
FAR_AWAY = 1.0
# Chunks that there should be, so that many workers share them, as long as none takes less than this
# part of the time above: sending it would take longer than playing it.
MANY = 64
LEAST = 16
MOST_IN_A_CHUNK = 10**8


def simulate(
    rules: Rules | str | None = None,
    deals: int = 1000,
    policies: Policies = "rule",
    seed: Seed = None,
    *,
    landlord: int | None = None,
    first: int = 0,
    executor: AnyExecutor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> SimulationResult:
    """Play whole deals: dealt, bid for, played to the end and scored as `Game` does.

    Each deal has random numbers of its own, which depend on `seed` and the deal's number alone: the
    same seed gives the same deals (and deals dealt again) whatever the policies are, so that
    policies can be compared on the same cards; and the same result for any number of threads,
    processes or machines.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    deals : int
        Number of deals, up to 10**12. One that is dealt again because nobody bid is one deal.
    policies : str, Policy, sequence or mapping
        ``"random"``, ``"greedy"``, ``"rule"``, or a `Policy` written in Python, for every seat; a
        sequence with one for each seat; or a mapping with the keys ``"landlord"`` and
        ``"peasant"``, where the landlord's policy bids for every seat. A Python policy is asked
        where there is more than one legal move, and bids if it has a method ``bid``, else as
        ``"rule"`` does. One with a method ``batch`` is asked about all games of a chunk at once.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. The stream stays the same within a minor version.
    landlord : int, optional
        The landlord's seat: no auction, base 1. By default the auction finds him.
    first : int
        The number of the first deal, so that a run can be split: deals 0 … 499 and 500 … 999 add up
        to deals 0 … 999 of the same seed. Batched policies that draw numbers or depend on their
        batch need a split at a multiple of `chunk`. Where the first bidder rotates (001) the deal's
        number says who it is.
    executor : concurrent.futures.Executor or callable, optional
        Who does the work: threads by default; any executor (Dask's ``client.get_executor(
        pure=False)``, `ddz_core.executors.RayExecutor`); or a function that makes one, as
        ``ddz_core.executors.processes(4)`` is. When a worker dies its chunk is done again; to
        survive a broken pool of processes takes the function.
    threads : int, optional
        Without an executor. All processors by default, and one for policies written in Python,
        which must be safe to call from several threads if there are to be more.
    chunk : int, optional
        Deals a piece of work: what takes a quarter of a second in threads (4096 at most), and a
        second elsewhere; 64 with policies written in Python, 512 with batched ones. Chunks end
        where deals' numbers are multiples of it. It changes no number, but with batched policies,
        whose batches and random numbers depend on it.
    progress : callable, optional
        Called with (deals finished, deals) after each chunk, in the calling thread.
    resume : str or path, optional
        A checkpoint: written every few seconds and at the end, and read where it exists, so that a
        run that was killed goes on and comes to the same result. With ``seed=None`` the seed is
        drawn once and kept in it. When it cannot be written in mid-run (no space is left) the run
        goes on, tries again, and warns: RuntimeWarning.

    Returns
    -------
    SimulationResult

    Raises
    ------
    RecordError
        `resume` is no file, or one that is no checkpoint, damaged, or of another run: what differs.
    OSError
        `resume` cannot be read, or not be written at the start.
    DdzError
        A value out of its range, an unknown policy or preset, or an answer of a policy that is no
        move; in 10000 deals in a row nobody bid.
    TypeError
        A value of the wrong type.
    RuntimeError
        The executor broke and cannot be made anew, or is closed; or a policy raised
        KeyboardInterrupt.
    ValueError
        A negative seed, or one of 2**2048 or more.

    Notes
    -----
    Ctrl-C stops the run within a second and returns what is finished, marked `partial`, instead of
    raising KeyboardInterrupt, and so does a KeyboardInterrupt that `progress` raises. A pool of
    processes that was made for the run is ended at once; elsewhere what is under way is cancelled
    or left behind, and so is a call of a Python policy that takes longer, in its thread.

    Examples
    --------
    >>> result = simulate("standard", 2000, "random", seed=1)
    >>> result.deals, result.partial
    (2000, False)
    >>> sum(result.wins_as_landlord) == result.landlord_wins
    True
    """
    chosen = as_rules(rules)
    _check_goal(chosen)
    number = between(deals, "deals", 0, MAX_DEALS)
    start = between(first, "first", 0, MAX_DEALS)
    seat = None if landlord is None else between(landlord, "landlord", 0, chosen.players - 1)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {repr(progress)[:80]}")
    _check_executor(executor, threads)
    seats = seats_of(policies, chosen.players, seat)
    size = _chunk_size(chunk, number, chosen, seats, far_away=executor is not None)
    file = None if resume is None else file_path(resume, "resume")
    # A Generator moves on when it is asked for a seed, so it is asked once.
    given = None if seed is None else seed_sequence(seed)
    plan = Plan(chosen, seats, seat, given or seed_sequence(None))
    run = _Run(plan, start, number, progress)
    if file is not None:
        run.open(
            Path(os.path.realpath(file)),
            size if seats.batched else None,
            may_change_seed=given is None,
        )
    return run.go(size, executor, threads)


class _Run:
    """A run under way."""

    def __init__(
        self,
        plan: Plan,
        first: int,
        deals: int,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self._plan = plan
        self._first = first
        self._deals = deals
        self._progress = progress
        self._tally = Tally(new_counts())
        self._checkpoint: Checkpoint | None = None

    @property
    def _result(self) -> SimulationResult:
        plan = self._plan
        return SimulationResult(
            plan.rules,
            plan.seats.labels,
            plan.landlord,
            self._deals,
            (Part.of(plan.seed, self._tally.ranges),),
            self._tally.counts,
        )

    def open(self, path: Path, chunk: int | None, *, may_change_seed: bool) -> None:
        """Take up what a checkpoint holds, or begin one."""
        from ddz_core import checkpoint  # noqa: PLC0415 (for long runs only)

        saved = checkpoint.load(path)
        if saved is not None:
            result, first, old_chunk = saved
            checkpoint.check_same_run(
                path,
                (result, first, old_chunk),
                (self._result, self._first, chunk),
                any_seed=may_change_seed,
            )
            (part,) = result.parts
            plan = self._plan
            self._plan = Plan(plan.rules, plan.seats, plan.landlord, part.seed)
            self._tally = Tally(result.counts, part.ranges)
        self._checkpoint = checkpoint.Checkpoint(path, self._first, chunk)
        self._checkpoint.write(self._result)

    def go(self, size: int, executor: AnyExecutor | None, threads: int | None) -> SimulationResult:
        """Play what is missing."""
        tasks = _tasks(self._tally.ranges, self._first, self._first + self._deals, size)
        try:
            if self._tally.deals:
                if self._progress is not None:
                    self._progress(self._tally.deals, self._deals)
                if self._tally.deals == self._deals:
                    return self._result
            with contextlib.closing(self._chunks(tasks, size, executor, threads)) as chunks:
                for (first, stop), counts in chunks:
                    # One assignment: an interrupt comes before or after it.
                    self._tally = self._tally.plus(counts, first, stop)
                    if self._checkpoint is not None and self._checkpoint.is_due:
                        self._checkpoint.write_or_warn(self._result)
                    if self._progress is not None:
                        self._progress(self._tally.deals, self._deals)
        except KeyboardInterrupt:
            pass
        finally:
            if self._checkpoint is not None:
                self._checkpoint.write_or_warn(self._result, at_the_end=True)
        return self._result

    def _chunks(
        self,
        tasks: Iterator[tuple[int, int]],
        size: int,
        executor: AnyExecutor | None,
        threads: int | None,
    ) -> Generator[tuple[tuple[int, int], NDArray[np.int64]]]:
        work = functools.partial(run_chunk, self._plan)
        if executor is None:
            workers = n_threads(threads)
            if threads is None and not self._plan.seats.compiled:
                workers = 1
            workers = min(workers, -(-self._deals // size))
            if workers <= 1:
                return _one_by_one(work, tasks)
        from ddz_core import executors  # noqa: PLC0415 (slow to import)

        if executor is None:
            return executors.in_threads(work, tasks, workers)
        return executors.completed(executor, work, tasks)


def _one_by_one(
    work: Callable[[int, int], NDArray[np.int64]], tasks: Iterator[tuple[int, int]]
) -> Generator[tuple[tuple[int, int], NDArray[np.int64]]]:
    """Each task with its result, in this thread."""
    for task in tasks:
        with only_own_interrupts():
            result = work(*task)
        yield task, result


def _tasks(done: Ranges, first: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """What is missing, cut where deals' numbers are multiples of `size`, whatever is there already
    and wherever the run begins."""
    for begin, end in gaps(done, first, stop):
        at = begin
        while at < end:
            cut = min(end, (at // size + 1) * size)
            yield at, cut
            at = cut


def _chunk_size(
    chunk: int | None, deals: int, rules: Rules, seats: Seats, *, far_away: bool
) -> int:
    if chunk is not None:
        return between(chunk, "chunk", 1, MOST_IN_A_CHUNK)
    if not seats.compiled:
        return BATCHED if seats.batched else ONE_BY_ONE
    if not far_away:
        return min(BLOCK, deals_in(NEAR, rules, seats))
    most = deals_in(FAR_AWAY, rules, seats)
    return min(most, max(1, most // LEAST, deals // MANY))


def _check_executor(executor: object, threads: int | None) -> None:
    n_threads(threads)
    if executor is None:
        return
    if threads is not None:
        raise DdzError("simulate takes an executor or a number of threads, not both")
    if not (hasattr(executor, "submit") or callable(executor)):
        raise TypeError(
            "executor must be a concurrent.futures.Executor or a function that makes one, not "
            f"{repr(executor)[:80]}"
        )
