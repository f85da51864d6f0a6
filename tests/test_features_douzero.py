"""Our features in DouZero's layout against DouZero's own, on its own infosets."""

import random

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.features import POSITIONS, douzero_batch, douzero_features

env = pytest.importorskip("douzero.env.env", reason="pip install --no-deps douzero")
peer = pytest.importorskip("douzero.env.game")

CARDS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)
INFOSETS = 10_000


class Seat:
    """What DouZero asks for a move; it is told one."""

    def act(self, infoset):
        return self.action


def cards_of(hand):
    return [CARDS[rank] for rank in hand]


def hand_of(cards):
    counts = [0] * 15
    for card in cards:
        counts[CARDS.index(card)] += 1
    return ddz.Hand.from_counts(counts)


def random_game(seed):
    """Pairs of our observation and DouZero's infoset, through a game that both play."""
    rng = random.Random(seed)
    game = ddz.Game("douzero", seed=seed)
    players = {position: Seat() for position in POSITIONS}
    theirs = peer.GameEnv(players)
    hands = dict(zip(POSITIONS, map(cards_of, game.hands), strict=True))
    theirs.card_play_init({**hands, "three_landlord_cards": cards_of(game.deal.kitty_cards)})
    while game.phase == "play":
        infoset = theirs.game_infoset
        yield game.observe(game.turn), infoset
        known = {tuple(action) for action in infoset.legal_actions}
        moves = [move for move in game.legal_moves() if tuple(cards_of(move.cards)) in known]
        # Passes are half of all moves of random play; fewer make other plays likelier.
        plays = [move for move in moves if move.n_cards]
        move = rng.choice(plays if plays and rng.random() < 0.5 else moves)
        players[theirs.acting_player_position].action = cards_of(move.cards)
        game.play(move)
        theirs.step()


def infosets(n):
    seed = 0
    while n > 0:
        for pair in random_game(seed):
            yield pair
            n -= 1
        seed += 1


def test_equal_to_get_obs_on_random_infosets():
    seen = dict.fromkeys(POSITIONS, 0)
    same_actions = 0
    for observation, infoset in infosets(INFOSETS):
        moves = observation.legal_moves
        ours = [cards_of(move.cards) for move in moves]
        same_actions += {*map(tuple, infoset.legal_actions)} == {*map(tuple, ours)}
        # The same rows in the same order: their list has some moves twice, in another order.
        infoset.legal_actions = ours
        expected = env.get_obs(infoset)
        found = douzero_features(observation)
        assert found.position == expected["position"]
        assert found.moves == moves
        for name, array in (
            ("x_batch", found.x),
            ("z_batch", found.z_batch),
            ("x_no_action", found.x_no_action),
        ):
            assert array.dtype == expected[name].dtype
            assert np.array_equal(array, expected[name]), name
        assert np.array_equal(found.z, expected["z"])
        seen[found.position] += 1
    assert sum(seen.values()) >= INFOSETS
    assert min(seen.values()) > INFOSETS / 5
    # Their detector takes a few plays for something else, and then lists other answers.
    assert same_actions > 0.99 * INFOSETS


def test_int8_and_callers_arrays():
    for observation, infoset in infosets(60):
        infoset.legal_actions = [cards_of(move.cards) for move in observation.legal_moves]
        expected = env.get_obs(infoset)
        n, columns = expected["x_batch"].shape
        x = np.full((n, columns), 7, np.int8)
        z = np.full((n, 5, 162), 7, np.float32)
        found = douzero_features(observation, x=x, z=z)
        assert found.x is x
        assert np.array_equal(x, expected["x_batch"])
        assert np.array_equal(z, expected["z_batch"])
        assert np.array_equal(found.z, expected["z"])


def test_batch():
    pairs = list(infosets(100))
    rows = douzero_batch([observation for observation, _ in pairs], dtype=np.int8)
    places = []
    for position, part in rows.items():
        for j, game in enumerate(part.games):
            observation, infoset = pairs[game]
            infoset.legal_actions = [cards_of(move.cards) for move in observation.legal_moves]
            expected = env.get_obs(infoset)
            own = slice(part.indptr[j], part.indptr[j + 1])
            assert expected["position"] == position
            assert np.array_equal(part.x[own], expected["x_batch"])
            assert np.array_equal(part.z[j], expected["z"])
            assert np.array_equal(part.z_batch[own], expected["z_batch"])
            assert np.array_equal(part.x_no_action[j], expected["x_no_action"])
            places.append(game)
    assert sorted(places) == list(range(len(pairs)))
