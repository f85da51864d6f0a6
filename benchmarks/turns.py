"""Time of `min_turns` a hand: random hands by size and rule set, then the slowest hands known.

    python benchmarks/turns.py [--hands N] [--climb SECONDS]

Each figure is the least of five calls, less the call of an empty hand (Python's share). `--climb`
looks for slower hands by moving cards about.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import ddz_core as ddz

STANDARD = ddz.Rules.standard()
RULES = {
    "standard": STANDARD,
    "douzero": ddz.Rules.douzero(),
    "botzone": ddz.Rules.botzone(),
    "permissive": STANDARD.replace(
        airplane_kicker_cap=4, quad_kicker_cap=4, both_jokers_as_kickers=True, shuttles=True
    ),
    "four_player": ddz.Rules.four_player(),
    "four_singles": ddz.Rules.four_player().replace(triple_single=True),
}
SIZES = {1: (10, 17, 20), 2: (25, 33)}

# By hill climbing, `--climb 600`.
SLOWEST = {
    "standard": """
        777789999TJJJJQKKKKA 345667788899TTTJJJQK JJJJQQQQKKKKAAAA2222
    """,
    "botzone": """
        333389999TJJJJ2222BR 566668888TTTTKKKK2BR
    """,
    "permissive": """
        3333455556777789999T 333366668888TTTT2222
    """,
    "four_player": """
        55556666777888999TTTTJJJB 3334445556667778888999TTTTJJJQQK2
        4445555555666666667777778889992BR 33344445555556668889TTTQQQKAAA222
    """,
    "four_singles": """
        6667777888889999TTTTJJJJQQQQKKABR 33344455566677778888999TTJJQQKA2B
    """,
}


def ns(hand: ddz.Hand, rules: ddz.Rules) -> int:
    """Nanoseconds of one call."""
    least = None
    for _ in range(5):
        start = time.perf_counter_ns()
        ddz.min_turns(hand, rules)
        passed = time.perf_counter_ns() - start
        least = passed if least is None else min(least, passed)
    assert least is not None
    return least


def overhead(rules: ddz.Rules) -> int:
    """The call itself: an empty hand."""
    return min(ns(ddz.Hand(), rules) for _ in range(100))


def deal(rng: random.Random, rules: ddz.Rules, size: int) -> ddz.Hand:
    """Cards drawn from the whole deck."""
    deck = [rank for rank, n in enumerate(rules.deck) for _ in range(n)]
    counts = [0] * 15
    for rank in rng.sample(deck, size):
        counts[rank] += 1
    return ddz.Hand.from_counts(counts)


def moved(rng: random.Random, rules: ddz.Rules, hand: ddz.Hand) -> ddz.Hand:
    """The hand with one to four cards changed for others of the deck."""
    counts = hand.counts.tolist()
    for _ in range(rng.randint(1, 4)):
        counts[rng.choice([rank for rank in range(15) if counts[rank]])] -= 1
        counts[rng.choice([rank for rank in range(15) if counts[rank] < rules.deck[rank]])] += 1
    return ddz.Hand.from_counts(counts)


def climb(rules: ddz.Rules, size: int, seconds: float) -> tuple[int, ddz.Hand]:
    """The slowest hand met within so many seconds, from many random starts."""
    rng = random.Random(size)
    end = time.perf_counter() + seconds
    slowest = (0, ddz.Hand())
    while time.perf_counter() < end:
        hand = deal(rng, rules, size)
        best, fails = ns(hand, rules), 0
        while fails < 300 and time.perf_counter() < end:
            other = moved(rng, rules, hand)
            passed = ns(other, rules)
            fails = 0 if passed > 1.02 * best else fails + 1
            if passed >= best:
                hand, best = other, passed
        # Measured again: a busy machine must not make a hand look slow.
        slowest = max(slowest, (min(best, ns(hand, rules)), hand), key=lambda pair: pair[0])
    return slowest


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--climb", type=float, default=0, metavar="SECONDS")
    options = parser.parse_args()
    print(f"{'rules':13} {'cards':>5} {'mean':>9} {'median':>9} {'99 %':>9} {'max':>9}  us")
    for name, rules in RULES.items():
        rng = random.Random(name)
        base = overhead(rules)
        for size in SIZES[rules.packs]:
            times = sorted(
                max(0, ns(deal(rng, rules, size), rules) - base) / 1000
                for _ in range(options.hands)
            )
            row = (
                statistics.mean(times),
                statistics.median(times),
                times[len(times) * 99 // 100],
                times[-1],
            )
            print(f"{name:13} {size:5} " + " ".join(f"{value:9.2f}" for value in row))
    print("\nslowest hands known")
    for name, hands in SLOWEST.items():
        rules = RULES[name]
        for hand in hands.split():
            passed = (ns(ddz.Hand(hand), rules) - overhead(rules)) / 1000
            print(f"{name:13} {len(ddz.Hand(hand)):5} {passed:9.2f} us  {hand}")
    if options.climb:
        print("\nclimbing")
        for name, rules in RULES.items():
            passed, found = climb(rules, rules.max_hand, options.climb / len(RULES))
            print(f"{name:13} {len(found):5} {passed / 1000:9.2f} us  {found}")


if __name__ == "__main__":
    main()
