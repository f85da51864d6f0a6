"""The widest hands: the named bounds are reached, and their neighbours stay below them."""

import pytest

import ddz_core as ddz
from ddz_core._generate import MAX_MOVES_ONE_PACK, MAX_MOVES_TWO_PACKS

ONE_PACK = ddz.Rules.botzone().replace(airplane_kicker_cap=4, quad_kicker_cap=4)
TWO_PACKS = ddz.Rules.four_player().replace(triple_single=True)

# Found by benchmarks/widest_hands.py, which tries all 153,009,740 hands of 20 cards.
WIDEST = [
    (ONE_PACK, "3333444456789TJQKABR", MAX_MOVES_ONE_PACK),
    (ddz.Rules.standard(), "333444555666789TJQKA", 519),
    (ddz.Rules.rlcard(), "333444555666789TJQKA", 519),
    (ddz.Rules.douzero(), "333444555666789TJQKA", 521),
    (ddz.Rules.botzone(), "3333444456789TJQKABR", 804),
    (TWO_PACKS, "3344555666777888999TTTJJJQQKKAA22", MAX_MOVES_TWO_PACKS),
    (ddz.Rules.four_player(), "3344555666777888999TTTJJJQQKKAA22", 1845),
]


@pytest.mark.parametrize(("rules", "hand", "most"), WIDEST)
def test_the_widest_hands_reach_their_bound(rules, hand, most):
    assert len(hand) == rules.max_hand
    assert (
        ddz.count_legal_moves(hand, rules=rules) == most == len(ddz.legal_moves(hand, rules=rules))
    )


@pytest.mark.parametrize(("rules", "hand", "most"), WIDEST)
def test_no_hand_one_card_away_is_wider(rules, hand, most):
    counts = ddz.Hand(hand).counts.tolist()
    for gone in range(15):
        for come in range(15):
            other = list(counts)
            other[gone] -= 1
            other[come] += 1
            if other[gone] >= 0 and other[come] <= rules.deck[come]:
                assert ddz.count_legal_moves(ddz.Hand.from_counts(other), rules=rules) <= most


def test_max_moves_of_rules_is_the_bound():
    assert ddz.Rules.standard().max_moves == MAX_MOVES_ONE_PACK
    assert ddz.Rules.four_player().max_moves == MAX_MOVES_TWO_PACKS
