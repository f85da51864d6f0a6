"""Hidden hands a second, one thread, and the time to set up an observation.

    python benchmarks/hidden.py [--samples N]

Each figure is the best of five runs. Three random games after so many plies, seen by each seat; the
median and the slowest of these are shown.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import ddz_core as ddz
from ddz_core.hidden import sample_hidden

PRESETS = ("standard", "pagat", "duel", "four_player")
PLIES = (0, 1, 6, 15, 30)


def game_after(name: str, seed: int, plies: int) -> ddz.Game:
    """A random game; its landlord is who bid highest."""
    rng = random.Random(seed)
    game = ddz.Game(name, seed=seed)
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    for _ in range(plies):
        if game.phase == "play":
            game.play(rng.choice(game.legal_moves()))
    return game


def seconds(observation: ddz.Observation, n: int) -> float:
    """The shortest of five calls."""
    least = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        sample_hidden(observation, n, seed=1)
        least = min(least, time.perf_counter() - start)
    return least


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    n = parser.parse_args().samples
    print(f"{'':22}{'million samples/s':>24}{'set-up in µs':>20}")
    print(f"{'':22}{'median':>12}{'slowest':>12}{'median':>10}{'slowest':>10}")
    for name in PRESETS:
        for plies in PLIES:
            setups, rates = [], []
            for seed in range(3):
                game = game_after(name, seed, plies)
                for seat in range(game.rules.players):
                    seen = game.observe(seat)
                    setup = seconds(seen, 1)
                    setups.append(setup * 1e6)
                    rates.append(n / (seconds(seen, n) - setup) / 1e6)
            print(
                f"{name:12}{plies:4} plies{statistics.median(rates):12.2f}{min(rates):12.2f}"
                f"{statistics.median(setups):10.0f}{max(setups):10.0f}"
            )


if __name__ == "__main__":
    main()
