"""Whole deals a second, who does the work best, and whether memory stays flat.

    python benchmarks/simulate.py [--rules standard] [--seconds 2]
    python benchmarks/simulate.py --checksums
    python benchmarks/simulate.py --dask [--chunk-seconds 1.2] [--rounds 5]
    python benchmarks/simulate.py --memory [100000000] [--minutes 3]

Without an option: deals a second of every policy on one and two threads, with the auction and with
the landlord given, and of policies written in Python; then the same run by every executor, a
checksum each: the exit code is 1 if they differ. With --dask: two Dask workers against two threads
on chunks of a second or more, in turns, first one and then the other first; medians. With --memory:
that many random deals (or as many as fit the minutes), and how large the process was all along; the
exit code is 1 if it grows by more than 4 MB after the first tenth.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import multiprocessing
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ddz_core import executors
from ddz_core.simulate import SimulationResult, simulate

POLICIES = ("random", "greedy", "rule")
MEGABYTE = 2**20
MOST_GROWTH = 4
# With few, which worker has the last one decides the time.
CHUNKS = 20


def checksum(result: SimulationResult) -> str:
    """Of every count and of which deals they are."""
    text = repr((result.parts, result.counts.tolist()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Lowest:
    """The simplest policy in Python: what it costs is what every such policy costs at least."""

    def __call__(self, observation: Any, moves: Any, rng: Any) -> int:
        return min(1, len(moves) - 1) if observation.last is not None else 0


class LowestBatch(Lowest):
    """The same, asked in batches."""

    def batch(self, observations: Any, moves: Any, rng: Any) -> list[int]:
        return [self(seen, some, rng) for seen, some in zip(observations, moves, strict=True)]


def speed(seconds: float, **options: Any) -> float:
    """Deals a second: enough deals to fill the time, then the best of three."""
    deals, took = 64, 0.0
    while took < seconds / 8:
        deals *= 2
        took = timed(lambda: simulate(deals=deals, seed=1, **options))  # noqa: B023
    deals = max(1, int(deals * seconds / 3 / took))
    return deals / min(timed(lambda: simulate(deals=deals, seed=1, **options)) for _ in range(3))


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def show_speeds(rules: str, seconds: float) -> None:
    print(f"deals a second, {rules}")
    for landlord in (None, 0):
        print("  with the auction" if landlord is None else "  landlord given")
        for policy in POLICIES:
            one, two = (
                speed(seconds, rules=rules, policies=policy, landlord=landlord, threads=threads)
                for threads in (1, 2)
            )
            gain = f"({two / one:.2f}×)"
            print(f"    {policy:8} {one:>9,.0f} on one thread, {two:>9,.0f} on two {gain}")
    for policy in (Lowest(), LowestBatch()):
        each = speed(seconds, rules=rules, policies=policy)
        mixed = speed(seconds, rules=rules, policies=[policy, "random", "random"], landlord=0)
        print(f"  {type(policy).__name__:12} {each:>8,.0f} every seat {mixed:>8,.0f} landlord only")


def show_checksums(rules: str) -> bool:
    """Whether every executor comes to the same counts."""
    options: dict[str, Any] = {"rules": rules, "deals": 100_000, "policies": "rule", "seed": 1}
    print(f"checksums of {options['deals']:,} deals, {rules}, rule")
    sums: list[str] = []

    def run(name: str, **who: Any) -> None:
        sums.append(checksum(simulate(**options, **who)))
        print(f"  {name:22} {sums[-1]}", flush=True)

    for threads in (1, 2, 7):
        run(f"{threads} thread{'s' if threads > 1 else ''}", threads=threads)
    run("ThreadPoolExecutor", executor=concurrent.futures.ThreadPoolExecutor)
    for method in ("spawn", "forkserver"):
        if method in multiprocessing.get_all_start_methods():
            run(f"processes, {method}", executor=executors.processes(2, method))
    try:
        with dask_client() as client:
            run("Dask", executor=client.get_executor(pure=False))
    except ImportError:
        print("  Dask                   not installed (the extra cluster)")
    same = len(set(sums)) == 1
    print(f"  {len(sums)} executors, {'all the same' if same else 'THEY DIFFER'}")
    return same


def dask_client() -> Any:
    import distributed  # noqa: PLC0415

    return distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None)


def show_dask(rules: str, chunk_seconds: float, rounds: int) -> None:
    """What two Dask workers take longer than two threads."""
    policy = "rule"
    rate = speed(1.0, rules=rules, policies=policy, threads=1)
    chunk = int(rate * chunk_seconds)
    options: dict[str, Any] = {
        "rules": rules, "deals": CHUNKS * chunk, "policies": policy, "seed": 1, "chunk": chunk,
    }  # fmt: skip
    with dask_client() as client:
        pool = client.get_executor(pure=False)
        runs: dict[str, Callable[[], object]] = {
            "two threads": lambda: simulate(**options, threads=2),
            "two Dask workers": lambda: simulate(**options, executor=pool),
        }
        # Workers import the package when they have their first chunk.
        simulate(rules=rules, deals=1000, executor=pool, chunk=10)
        times: dict[str, list[float]] = {name: [] for name in runs}
        for number in range(rounds):
            # Whoever is first may find a cooler or less busy machine.
            for name in list(runs)[:: 1 if number % 2 else -1]:
                times[name].append(timed(runs[name]))
    overheads = [d / t - 1 for t, d in zip(*times.values(), strict=True)]
    print(f"{CHUNKS} chunks of {chunk:,} deals ({chunk_seconds} s each on one core)")
    for name, each in times.items():
        shown = " ".join(f"{seconds:.2f}" for seconds in sorted(each))
        print(f"  {name:17} median {statistics.median(each):.2f} s of {shown}")
    print(
        f"  overhead, median of {rounds} rounds {statistics.median(overheads):+.1%} "
        f"({min(overheads):+.1%} … {max(overheads):+.1%})"
    )


def resident() -> float:
    """Megabytes of this process in memory now, or its largest so far where that is not known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / MEGABYTE
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show_memory(rules: str, deals: int, minutes: float) -> bool:
    """Whether the process is no larger at the end than after the first tenth."""
    start, sizes = time.monotonic(), [resident()]

    def progress(finished: int, total: int) -> None:
        if finished >= len(sizes) * total // 100:
            sizes.append(resident())
        if time.monotonic() - start > 60 * minutes:
            raise KeyboardInterrupt

    result = simulate(rules, deals, "random", seed=1, threads=2, progress=progress)
    settled = max(sizes[: max(2, len(sizes) // 10)])
    growth = max(sizes) - settled
    print(
        f"{result.deals:,} of {deals:,} random deals in {time.monotonic() - start:.0f} s: "
        f"{sizes[0]:.1f} MB before, {settled:.1f} MB after a tenth, {max(sizes):.1f} MB at most, "
        f"{sizes[-1]:.1f} MB at the end; checksum {checksum(result)}"
    )
    return growth <= MOST_GROWTH


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--chunk-seconds", type=float, default=1.2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--checksums", action="store_true", help="these alone")
    parser.add_argument("--memory", type=int, nargs="?", const=10**8)
    parser.add_argument("--minutes", type=float, default=60.0)
    arguments = parser.parse_args()
    if arguments.memory:
        return int(not show_memory(arguments.rules, arguments.memory, arguments.minutes))
    if arguments.dask:
        show_dask(arguments.rules, arguments.chunk_seconds, arguments.rounds)
        return 0
    if not arguments.checksums:
        show_speeds(arguments.rules, arguments.seconds)
    return int(not show_checksums(arguments.rules))


if __name__ == "__main__":
    sys.exit(main())
