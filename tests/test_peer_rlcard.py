"""The `rlcard` preset has RLCard's very moves: its action file, and its own random games."""

import random

import numpy as np
import oracle
import pytest
from deals import RULES, all_plays
from helpers import core_rules, oracle_moves

import ddz_core as ddz

rlcard_utils = pytest.importorskip(
    "rlcard.games.doudizhu.utils", reason="RLCard is not installed (extra `test`)"
)
rlcard_game = pytest.importorskip("rlcard.games.doudizhu.game")

POSITIONS = 3000


def test_the_oracle_has_rlcards_action_strings():
    actions = set(rlcard_utils.ID_2_ACTION)
    assert len(actions) == 27472
    assert {oracle.text_of(cards) for cards, _ in all_plays("rlcard")} == actions - {"pass"}


def test_the_core_has_rlcards_action_strings():
    plays = [str(move.cards) for move in ddz.all_plays(core_rules("rlcard"))]
    assert len(plays) == 27471
    assert set(plays) == set(rlcard_utils.ID_2_ACTION) - {"pass"}


def test_legal_actions_in_rlcards_own_random_games():
    core = core_rules("rlcard")
    for hand, last, theirs in positions(random.Random(3), POSITIONS):
        (move,) = ddz.classify(last, rules=core) if last else (None,)
        moves = ddz.legal_moves(hand, move, rules=core)
        ours = [oracle.text_of(cards) or "pass" for cards, _ in oracle_moves(moves)]
        assert sorted(ours) == sorted(theirs), (hand, last)


def test_the_oracle_on_some_of_the_same_positions():
    rules = RULES["rlcard"]
    for hand, last, theirs in positions(random.Random(3), 200):
        table = None
        if last:
            cards = oracle.parse(last)
            (reading,) = oracle.readings(cards, rules)
            table = (cards, reading)
        ours = [
            oracle.text_of(c) or "pass" for c, _ in oracle.legal(oracle.parse(hand), table, rules)
        ]
        assert sorted(ours) == sorted(theirs), (hand, last)


def positions(rng, n):
    """(hand, play to beat or None, legal actions) as RLCard's game meets them."""
    game = rlcard_game.DoudizhuGame()
    found = 0
    while True:
        # RLCard itself draws from numpy's legacy generator.
        game.np_random = np.random.RandomState(rng.randrange(2**32))
        state, seat = game.init_game()
        last, owner = None, None
        while not game.is_over():
            leads = owner is None or owner == seat
            yield state["current_hand"], None if leads else last, state["actions"]
            found += 1
            if found == n:
                return
            action = rng.choice(sorted(state["actions"]))
            if action != "pass":
                last, owner = action, seat
            state, seat = game.step(action)
