"""Share solved and time to solve, over fixed seeded sets of open-hand deals, on one core.

    python benchmarks/solve.py [--sets 8+8+8,12+12+12,14+12+12,20+17+17] [--positions N]
                               [--limit SECONDS] [--table-mb MB] [--points] [--resolver] [--puzzles]

Random cards of one pack under the standard rules, seat 0 the landlord and to lead. Each position is
solved once, who wins (`--points`: the landlord's multiple), with the given limit; the shares at
shorter limits follow from its time.
`--puzzles` times the two-player puzzles of tests/data with all winning first moves, `--resolver`
sets the package doudizhu-resolver (if installed) against us on its own puzzles.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import time
from pathlib import Path

import ddz_core as ddz
from ddz_core.solve import Objective, solve

# Positions and seconds a position.
SETS = {
    "8+8+8": (1000, 10.0),
    "12+12+12": (200, 10.0),
    "14+12+12": (200, 10.0),
    "20+17+17": (50, 60.0),
}
LIMITS = (1.0, 10.0, 60.0)
DATA = Path(__file__).parent.parent / "tests" / "data"

RESOLVER_PUZZLES = (
    ("As-Ac-9c", "2h-Qd-Qh-10d-10h-7d-7h-5d-5h", "3d"),
    ("As-Ac-9c", "2h-Qd-Qh-10d-10h-7d-7h-5d", "3h"),
    ("2h-Qd-Qh-10d-10h-7d-7h-5d-5h-3h", "As-9s", None),
    ("2h-Qd-Qh-10d-10h-7d-7h-5d-5h-3h", "As-Ac-9c", None),
)


def random_position(sizes: str, index: int) -> ddz.Position:
    """The index-th position of a set; the same on every machine."""
    numbers = [int(size) for size in sizes.split("+")]
    rng = random.Random(f"{sizes} {index}")
    deck = [rank for rank, n in enumerate(ddz.Rules.standard().deck) for _ in range(n)]
    rng.shuffle(deck)
    hands = []
    for size in numbers:
        counts = [0] * 15
        for rank in deck[:size]:
            counts[rank] += 1
        del deck[:size]
        hands.append(ddz.Hand.from_counts(counts))
    return ddz.Position(hands)


def run_set(
    sizes: str,
    positions: int,
    limit: float,
    table_mb: float,
    *,
    first: int = 0,
    objective: Objective = "win",
) -> None:
    """Print one row."""
    times = []
    nodes = 0
    wins = 0
    for index in range(first, first + positions):
        solution = solve(
            random_position(sizes, index),
            objective=objective,
            time_limit=limit,
            table_mb=table_mb,
        )
        times.append(solution.seconds if solution.proved else float("inf"))
        nodes += solution.nodes
        wins += solution.lower > 0
    spent = sum(min(seconds, limit) for seconds in times)
    times.sort()

    def centile(share: float) -> str:
        seconds = times[min(positions - 1, int(share * positions))]
        return f"{seconds * 1e3:10.3f} ms" if seconds < limit else f"  > {limit:g} s".ljust(13)

    solved = " ".join(
        f"{sum(seconds <= bound for seconds in times) / positions:6.1%} in {bound:g} s"
        for bound in LIMITS
        if bound <= limit
    )
    print(
        f"{sizes:9} n={positions:4}  {solved}  median {centile(0.5)}  90% {centile(0.9)}  "
        f"99% {centile(0.99)}  landlord wins {wins}  {nodes / spent / 1e3:.0f} k nodes/s",
        flush=True,
    )


def puzzle_positions() -> list[tuple[str, ddz.Position]]:
    """The two-player puzzles that the tests check."""
    found = []
    for line in (DATA / "endgames_two_player.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        allowed = case["allowed"]
        rules = ddz.Rules.douzero().replace(
            airplane_singles=allowed["triple_single"],
            airplane_pairs=allowed["triple_pair"],
            **allowed,
        )
        hands = [case["to_move"], case["other"]]
        found.append((case["id"], ddz.Position(hands, last=case["last"], rules=rules)))
    return found


def run_puzzles() -> None:
    """All winning first moves of every puzzle, each the best of three."""
    slowest = (0.0, "")
    total = 0.0
    puzzles = puzzle_positions()
    for name, position in puzzles:
        seconds = min(solve(position, all_moves=True).seconds for _ in range(3))
        slowest = max(slowest, (seconds, name))
        total += seconds
    print(
        f"{len(puzzles)} two-player puzzles, all winning moves: {total * 1e3:.2f} ms together, "
        f"slowest {slowest[1]} {slowest[0] * 1e3:.2f} ms"
    )


def cards_of(text: str) -> str:
    """doudizhu-resolver's cards in our letters."""
    return "".join(card[:-1].replace("10", "T") for card in text.split("-"))


def run_resolver() -> None:
    """The peer and we on the peer's puzzles, in turn."""
    try:
        import doudizhu_resolver  # noqa: PLC0415
    except ImportError:
        print("doudizhu-resolver is not installed")
        return
    for mine, theirs, last in RESOLVER_PUZZLES:
        doudizhu_resolver.clear_cache()
        with contextlib.redirect_stdout(io.StringIO()) as output:
            start = time.perf_counter()
            # It cannot print the winning plays that it has found: under Python 3 its names of suits
            # have no decode.
            with contextlib.suppress(AttributeError):
                doudizhu_resolver.find_strategy(mine, theirs, last)
            peer = time.perf_counter() - start
        position = ddz.Position(
            [cards_of(mine), cards_of(theirs)],
            last=last and cards_of(last),
            rules=ddz.Rules.douzero(),
        )
        ours = float("inf")
        for _ in range(5):
            start = time.perf_counter()
            solution = solve(position, all_moves=True)
            ours = min(ours, time.perf_counter() - start)
        agrees = ("already lost" in output.getvalue()) == (not solution.moves)
        print(
            f"{cards_of(mine)} / {cards_of(theirs)} on {last and cards_of(last)}: "
            f"doudizhu-resolver {peer:.3f} s, ours {ours * 1e6:.0f} us, ratio {peer / ours:,.0f}, "
            f"{'same result' if agrees else 'RESULTS DIFFER'}"
        )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--positions", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--table-mb", type=float, default=1024)
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--puzzles", action="store_true")
    parser.add_argument("--resolver", action="store_true")
    options = parser.parse_args()
    if options.puzzles:
        run_puzzles()
    if options.resolver:
        run_resolver()
    if options.puzzles or options.resolver:
        return
    for sizes in options.sets.split(","):
        positions, limit = SETS.get(sizes, (20, 10.0))
        run_set(
            sizes,
            options.positions or positions,
            options.limit or limit,
            options.table_mb,
            first=options.first,
            objective="points" if options.points else "win",
        )


if __name__ == "__main__":
    main()
