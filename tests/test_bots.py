"""The three opponents play and bid whole games of every rule set."""

import pickle

import numpy as np
import pytest
from game_helpers import PRESETS

import ddz_core as ddz
from ddz_core.bots import Easy, Normal, Strong
from ddz_core.policies import built_in


@pytest.mark.parametrize("name", PRESETS)
def test_they_play_whole_deals(name):
    players = [Strong(4), Normal(), Easy(), Easy()][: ddz.Rules.preset(name).players]
    result = ddz.simulate(name, 1, players, seed=3)
    again = ddz.simulate(name, 1, players, seed=3)
    assert result.deals == 1
    assert result == again
    assert result.policies[0] == "strong(4)"


def test_a_given_landlord_needs_no_auction():
    """What a policy sees is a game that can be, so that it may be evaluated."""
    result = ddz.simulate("standard", 1, {"landlord": Strong(2), "peasant": "rule"}, 1, landlord=1)
    assert result.landlords == (0, 1, 0)


def test_easy_and_normal_are_built_in_policies():
    assert (Easy(), Normal()) == (built_in("greedy"), built_in("rule"))
    assert pickle.loads(pickle.dumps([Easy(), Normal()])) == [Easy(), Normal()]


def test_strong_plays_the_best_move_found():
    game = ddz.Game("standard", seed=5)
    game.bid(3)
    seen = game.observe(game.turn)
    index = Strong(64)(seen, seen.legal_moves, np.random.default_rng(1))
    best = ddz.evaluate_moves(seen, 64, seed=np.random.default_rng(1), stop_at=4).best
    assert seen.legal_moves[index] == best


def test_bids_follow_the_worth_of_the_hand():
    rng = np.random.default_rng(1)
    for cards, expected in (
        ("334455667TJKAA22R"[:15] + "BR", "3"),
        ("34567789TTJJQ33K5"[:17], "pass"),
    ):
        deal = ddz.deal("standard", 1, fixed={0: cards}, opener=0)
        seen = ddz.Game("standard", deal=deal).observe(0)
        bids = seen.legal_bids
        assert str(bids[Strong(128).bid(seen, bids, rng)]) == expected


def test_a_rob_is_weighed_against_being_the_peasant():
    """In a duel even a poor hand had better be the landlord's, until robs let the peasant win."""
    rng = np.random.default_rng(1)
    cards, said = {0: "56789TJ5678TJ9QK6", 1: "AAAA2222BRKKKQQQJ"}, []
    game = ddz.Game("duel", deal=ddz.deal("duel", 1, fixed=cards, opener=0))
    while game.phase == "auction":
        seen = game.observe(game.turn)
        said.append(str(seen.legal_bids[Strong(128).bid(seen, seen.legal_bids, rng)]))
        game.bid(said[-1])
    assert said[:2] == ["call", "rob"]


@pytest.mark.parametrize(
    ("samples", "error"), [(0, ValueError), (10**7, ValueError), ("2", TypeError)]
)
def test_bad_numbers_of_samples(samples, error):
    with pytest.raises(error, match="samples"):
        Strong(samples)
