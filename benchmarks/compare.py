"""ddz_core, OpenSpiel, RLCard and DouZero in one run, as ratios.

    python benchmarks/compare.py [--parts queries environments observations] [--deals 200]
        [--rounds 15] [--seconds 0.5] [--games 256] [--seed 1] [--json]

All libraries take their turns in every round, so that a machine whose speed drifts slows them
alike; the ratios are what to quote. Libraries that are not installed are left out (extra `bench`;
DouZero's generator, game and environment need no torch: `pip install --no-deps douzero`).

queries: the best of the rounds. Lead: all legal moves of the landlord's 20 cards. Follow: all
answers of a 17-card hand to a random lead of these. Each library plays its own rules, and ddz_core
the preset of the same name. Games, the median of the rounds: random legal moves from the deal to
the end, the deal included; DouZero and OpenSpiel are given the deals, RLCard shuffles its own.
Whole games: the same, move by move through `ddz_core.Game`, which deals its own, and of OpenSpiel
with its bidding and its random deal drawn move by move too.

environments, observations: steps a second with the observations on which they are taken, and
observations alone; environments.py and observations.py say what is counted. Rates are the median of
the rounds, of `--seconds` each, and ratios the least, the median and the most of any round's.
"""

from __future__ import annotations

import argparse
import json

import environments
import observations
import queries
from rich.console import Console

PARTS = {
    "queries": (
        lambda options: queries.measure(
            options.deals, options.rounds, options.seconds, options.seed
        ),
        queries.show,
    ),
    "environments": (
        lambda options: environments.measure(options.games, options.rounds, options.seconds),
        environments.show,
    ),
    "observations": (
        lambda options: observations.measure(options.rounds, options.seconds),
        observations.show,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS])
    parser.add_argument("--deals", type=int, default=200, help="of the queries")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a contender a round")
    parser.add_argument("--games", type=int, default=256, help="of VectorEnv")
    parser.add_argument("--seed", type=int, default=1, help="of the queries")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {}
    console = Console(width=110)
    for part in options.parts:
        measure, show = PARTS[part]
        results[part] = measure(options)
        if not options.json:
            show(results[part], console)
    if options.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
