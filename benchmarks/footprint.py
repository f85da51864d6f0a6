"""Import time, memory over ten million queries, and the size of the built wheel.

    python benchmarks/footprint.py [--queries 10000000] [--wheel dist/*.whl]

Import time is the median of several fresh interpreters that start, import and end, less one that
only starts and ends; numpy's own import is shown beside it. Memory is the resident set (Linux).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import ddz_core as ddz


def startup(code: str, runs: int = 9) -> float:
    """Median milliseconds of an interpreter that runs `code` and ends."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def resident_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def queries_of(hands: list[ddz.Hand], others: list[ddz.Hand], last: ddz.Move) -> int:
    """One round of every kind of query; how many."""
    for hand, other in zip(hands, others, strict=True):
        ddz.legal_moves(hand)
        ddz.legal_moves(other, last)
        ddz.count_legal_moves(hand)
        ddz.legal_move_at(hand, 3)
        ddz.classify(other)
        ddz.min_turns(hand)
        ddz.decompose(other)
        ddz.why_illegal(other, "33", last)
        with contextlib.suppress(ddz.InvalidCardsError):
            ddz.legal_moves("33333")
        position = ddz.Position([hand, other])
        position.play(position.legal_moves()[0])
        position.undo()
    return 11 * len(hands)


def memory(queries: int) -> tuple[int, int, int]:
    """(queries made, resident kB after the first rounds, resident kB at the end)."""
    deals = ddz.random_hands("standard", 200, seed=1)
    hands, others = ([ddz.Hand.from_counts(h) for h in deals[:, seat]] for seat in (0, 1))
    rows = np.ascontiguousarray(deals[:, 0])
    last = ddz.Move.parse("7")
    made = 0
    before = 0
    while made < queries:
        made += queries_of(hands, others, last)
        made += len(ddz.legal_moves_batch(rows)[0])
        if not before and made > queries // 20:
            before = resident_kb()
    return made, before, resident_kb()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=10_000_000)
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    bare, numpy, ours = (startup(code) for code in ("pass", "import numpy", "import ddz_core"))
    print(f"import: {ours - bare:.0f} ms with numpy, of which numpy {numpy - bare:.0f} ms")
    if options.wheel:
        print(f"wheel: {options.wheel.stat().st_size / 1e3:,.0f} kB")
    made, before, after = memory(options.queries)
    print(f"memory: {before:,} kB early on, {after:,} kB after {made:,} queries")


if __name__ == "__main__":
    main()
