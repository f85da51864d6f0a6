"""Taking the i-th move by counting gives what listing gives."""

import random

import numpy as np
import oracle
import pytest
from deals import RULES, any_hand, random_play
from helpers import core_hand, core_move, core_rules

import ddz_core as ddz


@pytest.mark.parametrize("name", list(RULES))
def test_every_index_gives_the_listed_move(name):
    rng = random.Random(f"at {name}")
    rules, core = RULES[name], core_rules(name)
    for _ in range(60):
        cards = any_hand(rng, rules)
        hand = core_hand(cards)
        other = random_play(rng, any_hand(rng, rules), rules)
        for last in (None, core_move(other, name)):
            moves = ddz.legal_moves(hand, last, core)
            for index in {*range(0, len(moves), 1 + len(moves) // 60), len(moves) - 1}:
                assert ddz.legal_move_at(hand, index, last, core) == moves[index]
            assert ddz.legal_move_at(hand, -1, last, core) == moves[-1]


def test_the_widest_hands_at_every_index():
    for hand, rules in (
        ("3333444456789TJQKABR", ddz.Rules.botzone().replace(airplane_kicker_cap=4)),
        ("333444555666789TJQKA", ddz.Rules.douzero()),
        ("333444555666777888BR", ddz.Rules.rlcard()),
        ("3344555666777888999TTTJJJQQKKAA22", ddz.Rules.four_player()),
    ):
        moves = ddz.legal_moves(hand, rules=rules)
        assert [ddz.legal_move_at(hand, i, rules=rules) for i in range(len(moves))] == list(moves)


@pytest.mark.parametrize("index", [4, -5, 2**70])
def test_an_index_out_of_range_is_named(index):
    with pytest.raises(IndexError, match=f"index {index} is out of range for 4 legal moves"):
        ddz.legal_move_at("3456", index)


@pytest.mark.parametrize("index", [1.0, "1", None, True, np.float64(1)])
def test_an_index_that_is_no_integer(index):
    with pytest.raises(TypeError, match="index must be an integer"):
        ddz.legal_move_at("3456", index)


def test_numpy_integers_are_integers():
    assert ddz.legal_move_at("3456", np.int64(2)) == ddz.legal_moves("3456")[2]


def test_the_oracle_has_as_many_presets_as_the_core():
    assert set(oracle.PRESETS) == set(ddz.Rules.preset_names())
