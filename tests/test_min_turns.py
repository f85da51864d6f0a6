"""`min_turns` is the oracle's exact figure, and `decompose` proves it play by play."""

import random

import oracle
import pytest
from deals import RULES, clumped_hand, random_hand
from helpers import core_hand, core_rules

import ddz_core as ddz

HANDS = 30


@pytest.mark.parametrize("name", RULES)
def test_against_the_oracle(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"turns {name}")
    for size in [*(1 + i % 14 for i in range(2 * HANDS)), 17, 17, 20, 20]:
        make = random_hand if rng.random() < 0.5 else clumped_hand
        hand = make(rng, rules, size)
        turns = ddz.min_turns(core_hand(hand), rules=core)
        assert turns == oracle.min_turns(hand, rules), (name, oracle.text_of(hand))
        assert len(ddz.decompose(core_hand(hand), rules=core)) == turns


@pytest.mark.parametrize("name", RULES)
def test_decompose_is_a_split_into_that_many_legal_plays(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"decompose {name}")
    for i in range(HANDS):
        make = random_hand if i % 2 else clumped_hand
        hand = core_hand(make(rng, rules, rng.randint(1, min(rules.max_hand, 20))))
        left = hand
        moves = ddz.decompose(hand, rules=core)
        assert len(moves) == ddz.min_turns(hand, rules=core)
        for move in moves:
            assert move in list(ddz.legal_moves(left, rules=core))
            left = left - move.cards
        assert len(left) == 0


def test_no_cards_need_no_turn():
    assert ddz.min_turns("") == 0
    assert len(ddz.decompose("")) == 0


@pytest.mark.parametrize("name", ["standard", "douzero"])
def test_a_further_card_costs_at_most_one_turn(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"one more {name}")
    for _ in range(60):
        hand = random_hand(rng, rules, 17)
        rank = rng.choice([r for r in range(15) if hand[r] < rules.deck()[r]])
        larger = tuple(n + (r == rank) for r, n in enumerate(hand))
        turns = ddz.min_turns(core_hand(hand), rules=core)
        assert ddz.min_turns(core_hand(larger), rules=core) <= turns + 1
