"""Labelled states for the order of moves: what each move of them would have cost the solver.

    python training/gather.py OUT.npz [--seconds 600] [--limit 4000] [--least 0] [--cards 24 54]
                              [--seed 0]

Random cards are dealt and played down, by the solver's own order and at random, to states that a
search of `--limit` positions solves. Where the seat to move wins and no move wins at sight, every
move is searched on its own, with the same limit. With `--least`, only states that take so many
positions are kept, and no move is searched for much longer than its state. One row a move:

    facts  int16 [rows, N]   what Search.facts says of it
    row    int8  [rows]      which network judges it
    state  int32 [rows]      moves of one state have one number
    won    bool  [rows]      the move wins; a search that stopped counts as lost
    cost   int32 [rows]      positions that its own search took

Run it with several seeds side by side and give all files to training/fit.py.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np

import ddz_core as ddz
from ddz_core._solver import Search


def deal(rng: np.random.Generator, low: int, high: int) -> ddz.Position:
    """Cards of one pack, the landlord's hand the largest more often than not."""
    total = int(rng.integers(low, high, endpoint=True))
    landlord = min(total // 3 + rng.choice((0, 0, 0, 1, 2, 3, 4)), 20)
    first = min((total - landlord) // 2 - rng.choice((0, 0, 0, 1, 2)), 17)
    deck = np.array(ddz.Rules.standard().deck)
    hands = []
    for size in (landlord, first, min(total - landlord - first, 17)):
        hand = rng.multivariate_hypergeometric(deck, size)
        deck -= hand
        hands.append(ddz.Hand.from_counts(hand))
    return ddz.Position(hands)


def searched(position: ddz.Position, limit: int) -> tuple[bool | None, int]:
    """Whether the landlord wins, if so many positions tell, and how many it took."""
    search = Search(position, table_mb=64)
    return search.prove(position, limit), search.nodes


def gather(
    seconds: float, limit: int, least: int, cards: tuple[int, int], seed: int
) -> dict[str, np.ndarray]:
    """The arrays to be saved."""
    rng = random.Random(seed)
    dealer = np.random.default_rng(seed)
    rows: list[tuple[list[int], int, int, bool, int]] = []
    states = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        position = deal(dealer, *cards)
        while position.winner is None and time.monotonic() < end:
            search = Search(position, table_mb=1)
            if search.known(position) is not None:
                break
            moves = position.legal_moves()
            network, facts = search.facts(position)
            open_moves = [i for i, known in enumerate(facts) if known is not None]
            if not open_moves:
                position.play(rng.choice(moves))
                continue
            landlord_wins, took = searched(position, limit)
            if landlord_wins is not None and took < least:
                break  # what follows takes less still
            by_landlord = position.turn == position.landlord
            if landlord_wins is not by_landlord:
                # Not solved, or the seat to move loses whatever it does.
                position.play(moves[rng.choice(open_moves)])
                continue
            tried = []
            for i in open_moves:
                position.play(moves[i])
                value, cost = searched(
                    position, min(limit, took * 13 // 10 + 50) if least else limit
                )
                position.undo()
                tried.append((i, value is by_landlord, cost))
            if len(tried) > 1 and any(won for _, won, _ in tried):
                for i, won, cost in tried:
                    known = facts[i]
                    assert known is not None
                    rows.append((known, network, states, won, cost))
                states += 1
            wins = [(cost * rng.random(), i) for i, won, cost in tried if won]
            chosen = min(wins)[1] if wins and rng.random() < 0.5 else rng.choice(open_moves)
            position.play(moves[chosen])
    return {
        "facts": np.array([row[0] for row in rows], np.int16),
        "row": np.array([row[1] for row in rows], np.int8),
        "state": np.array([row[2] for row in rows], np.int32),
        "won": np.array([row[3] for row in rows], bool),
        "cost": np.array([row[4] for row in rows], np.int32),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--limit", type=int, default=4000)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--cards", type=int, nargs=2, default=(24, 54))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    arrays = gather(
        options.seconds, options.limit, options.least, tuple(options.cards), options.seed
    )
    np.savez_compressed(options.out, **arrays)
    states = int(arrays["state"].max(initial=-1)) + 1
    print(f"{options.out}: {states} states, {len(arrays['cost'])} moves")


if __name__ == "__main__":
    main()
