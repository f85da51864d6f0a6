"""`classify` gives the oracle's readings, on every small vector and on near misses."""

import itertools
import random

import oracle
import pytest
from deals import PRESETS, RULES, all_plays, any_hand, deck_ranks, random_play
from helpers import assert_same_moves, core_hand, core_rules

import ddz_core as ddz

SMALL = 6


def vectors(deck, size):
    """Every vector of exactly that many cards of the deck."""
    if not deck:
        if size == 0:
            yield ()
        return
    for n in range(min(deck[0], size) + 1):
        for rest in vectors(deck[1:], size - n):
            yield (n, *rest)


@pytest.mark.parametrize("name", PRESETS)
def test_every_vector_of_up_to_six_cards(name):
    # The oracle's plays of the full deck say for all vectors at once what is a play and what not
    # (test_oracle.py holds them against its readings), so only the core is asked one by one.
    rules, core = RULES[name], core_rules(name)
    readings = {}
    for cards, reading in all_plays(name):
        if sum(cards) <= SMALL:
            readings.setdefault(cards, []).append((cards, reading))
    seen = 0
    for cards in itertools.chain.from_iterable(
        vectors(rules.deck(), size) for size in range(SMALL + 1)
    ):
        found = ddz.classify(core_hand(cards), rules=core)
        expected = readings.get(cards, [])
        if found or expected:
            assert_same_moves(found, expected, (name, oracle.text_of(cards)))
            seen += 1
    assert seen == len(readings)


@pytest.mark.parametrize("name", RULES)
def test_random_vectors_and_near_misses(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"classify {name}")
    for _ in range(1500):
        cards = any_hand(rng, rules)
        if rng.random() < 0.8:
            play = random_play(rng, cards, rules)
            if play is None:
                continue
            cards = _nudged(rng, play[0], rules)
        expected = [(cards, reading) for reading in oracle.readings(cards, rules)]
        found = ddz.classify(core_hand(cards), rules=core)
        assert_same_moves(found, expected, (name, oracle.text_of(cards)))


def _nudged(rng, cards, rules):
    """The cards with up to two of them exchanged, added or dropped."""
    ranks = [rank for rank in range(15) for _ in range(cards[rank])]
    for _ in range(rng.randint(0, 2)):
        change = rng.choice(["drop", "add", "swap"])
        if change != "add" and len(ranks) > 1:
            ranks.remove(rng.choice(ranks))
        if change != "drop":
            ranks.append(rng.choice(deck_ranks(rules)))
    counts = [0] * 15
    for rank in ranks:
        counts[rank] = min(counts[rank] + 1, rules.deck()[rank])
    return tuple(counts)


@pytest.mark.parametrize("name", ["openspiel", "douzero"])
def test_every_reading_is_listed(name):
    texts = {str(move) for move in ddz.classify("333444555666", rules=core_rules(name))}
    assert texts == {"333444555666", "333444555+666", "444555666+333"}


def test_a_cap_of_two_leaves_one_reading():
    for name in ("standard", "rlcard", "botzone", "pagat"):
        assert [str(m) for m in ddz.classify("333444555666", rules=core_rules(name))] == [
            "333444555666"
        ]
