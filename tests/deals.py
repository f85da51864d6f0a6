"""Rule sets, the move space and random cards, in the oracle's words only."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

import oracle
from oracle import Cards, Move, OracleRules

RULES = oracle.ALL_RULES
PRESETS = list(oracle.PRESETS)


@cache
def all_plays(name: str) -> tuple[Move, ...]:
    """The oracle's whole move space: every play of the full deck with each of its readings."""
    rules = RULES[name]
    return tuple(oracle.plays(rules.deck(), rules, rules.max_hand))


def counts_of(ranks: Iterable[int]) -> Cards:
    """Counts from a list of ranks."""
    counts = [0] * 15
    for rank in ranks:
        counts[rank] += 1
    return tuple(counts)


def deck_ranks(rules: OracleRules) -> list[int]:
    """The deck as a list of ranks."""
    return [rank for rank, n in enumerate(rules.deck()) for _ in range(n)]


def random_hand(rng: random.Random, rules: OracleRules, size: int) -> Cards:
    """A hand dealt from the full deck."""
    return counts_of(rng.sample(deck_ranks(rules), size))


def clumped_hand(rng: random.Random, rules: OracleRules, size: int) -> Cards:
    """A hand of few ranks: full of triples, quads and chains, which a fair deal seldom has."""
    ranks = deck_ranks(rules)
    # From just enough ranks for all the cards (nothing but quads) to about twice as many.
    width = 1 + size // (4 * rules.packs) + rng.randrange(5)
    first = rng.randrange(rules.lowest_rank, 15)
    window = {first + i for i in range(width)} | {rng.randrange(15)}
    pool = [rank for rank in ranks if rank in window]
    rest = [rank for rank in ranks if rank not in window]
    rng.shuffle(pool)
    rng.shuffle(rest)
    return counts_of((pool + rest)[:size])


def any_hand(rng: random.Random, rules: OracleRules) -> Cards:
    """A hand of any size and either sort."""
    size = rng.randint(1, rules.max_hand)
    make = random_hand if rng.random() < 0.5 else clumped_hand
    return make(rng, rules, size)


def random_play(rng: random.Random, hand: Cards, rules: OracleRules) -> Move | None:
    """A play of this hand, every kind that it has being equally likely; None when it has none."""
    moves = oracle.leads(hand, rules)
    if not moves:
        return None
    kind = rng.choice(sorted({reading[0] for _, reading in moves}))
    return rng.choice([move for move in moves if move[1][0] == kind])


def deal(rng: random.Random, rules: OracleRules, sizes: Sequence[int]) -> tuple[Cards, ...]:
    """Hands of these sizes from one deck."""
    ranks = deck_ranks(rules)
    rng.shuffle(ranks)
    hands = []
    for size in sizes:
        hands.append(counts_of(ranks[:size]))
        ranks = ranks[size:]
    return tuple(hands)
