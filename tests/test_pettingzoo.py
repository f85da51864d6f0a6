"""The PettingZoo environment: PettingZoo's own tests, and the games that it plays."""

import contextlib
import io
import itertools
import pickle
import random
import sys
import types
import warnings

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.features import native_features

pettingzoo_test = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not installed")
module = pytest.importorskip("ddz_core.envs.pettingzoo")

# PettingZoo tells every environment whose observations are dicts that they are no arrays.
DICTS = ("Observation is not a NumPy array", "probably should be gymnasium.spaces")
SETTINGS = [
    {},
    {"rules": "standard", "auction": True},
    {"rules": "duel", "auction": True},
    {"rules": "pagat", "auction": True, "rewards": "win"},
    {"rules": "four_player"},
    {"rules": "douzero"},
    {"rules": "openspiel", "auction": True},
]


def play(env, seed=1, rng=None):
    """A random game; every (agent, action)."""
    rng = random.Random(seed) if rng is None else rng
    env.reset(seed=seed)
    actions, rewards = [], {}
    for agent in env.agent_iter():
        seen, reward, over, truncated, info = env.last()
        assert truncated is False
        assert env.observation_space(agent).contains(seen)
        if over:
            rewards[agent] = reward
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        legal = info["legal_actions"].tolist()
        assert sorted(legal) == np.flatnonzero(seen["action_mask"]).tolist()
        actions.append((agent, rng.choice(legal)))
        env.step(actions[-1][1])
    return actions, rewards


@pytest.mark.parametrize("settings", SETTINGS)
def test_pettingzoos_own_tests(settings):
    for make in (module.env, module.raw_env):
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            for message in DICTS:
                warnings.filterwarnings("ignore", f".*{message}")
            pettingzoo_test.api_test(make(**settings), num_cycles=60)
            pettingzoo_test.seed_test(lambda make=make: make(**settings), num_cycles=20)


def test_pettingzoos_benchmark_runs(monkeypatch, capsys):
    # It goes on for five seconds by this clock, which it reads after each round of the agents.
    clock = itertools.count()
    ticks = types.SimpleNamespace(time=lambda: next(clock) / 50)
    # Its package has a function of the module's name.
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", ticks)
    for make in (module.env, module.raw_env):
        pettingzoo_test.performance_benchmark(make("standard", auction=True))
    assert capsys.readouterr().out.count("Finished performance benchmark") == 2


@pytest.mark.parametrize("settings", SETTINGS)
def test_games_are_the_cores(settings):
    env = module.raw_env(**settings)
    for seed in range(3):
        actions, rewards = play(env, seed)
        game = env.game
        again = ddz.Game(env.rules, deal=game.deals)
        for agent, action in actions:
            assert agent == f"player_{again.turn}"
            if action >= env.actions.n:
                again.bid(action - env.actions.n)
            else:
                again.play(env.actions.move(action))
        assert again == game
        points = again.result.points
        if env._wins:
            points = np.sign(points)
        assert [rewards[agent] for agent in env.possible_agents] == list(points)
        assert env.agents == []


def test_the_observation_is_our_native_features():
    env = module.raw_env("standard", auction=True)
    env.reset(seed=2)
    rng = random.Random(2)
    for agent in env.agent_iter():
        seen, _, over, _, info = env.last()
        if over:
            break
        native = native_features(env.game, dtype=np.int8)
        assert np.array_equal(
            seen["observation"], np.concatenate([native.x[0], native.history[0].ravel()])
        )
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        env.step(rng.choice(info["legal_actions"].tolist()))


def test_without_an_auction_player_0_is_the_landlord():
    env = module.env("standard")
    env.reset(seed=1)
    assert env.game.landlord == 0
    assert env.agent_selection == "player_0"
    assert len(env.game.hands[0]) == 20


def test_seeds():
    env = module.env()
    first = play(env, 5)
    env.reset()
    second = env.game.deal
    assert play(env, 5) == first
    env.reset()
    assert env.game.deal == second
    env.reset(seed=6)
    assert env.game.deal != second


def test_seeds_of_other_kinds():
    env = module.env()
    deals = []
    for seed in (7, np.int64(7), [7], np.random.SeedSequence(7), np.random.SeedSequence(7)):
        env.reset(seed=seed)
        env.reset()
        deals.append(env.game.deal)
    assert deals == deals[:1] * 5
    for seed in (True, -1, 1.5, "x"):
        with pytest.raises((TypeError, ValueError), match="seed"):
            env.reset(seed=seed)


def test_a_refused_reset_changes_nothing():
    env, twin = module.env(), module.env()
    for table in (env, twin):
        table.reset(seed=1)
    game = env.game
    for options, error in (({"deal": ddz.deal("duel", 1)}, ddz.DdzError), ([1], TypeError)):
        with pytest.raises(error):
            env.reset(seed=2, options=options)
    assert env.game is game
    env.reset()
    twin.reset()
    assert env.game.deal == twin.game.deal


def test_a_given_deal():
    env = module.env("standard")
    deal = ddz.deal(env.rules, 9)
    env.reset(options={"deal": deal})
    assert env.game.deal == deal
    with pytest.raises(ddz.DdzError):
        env.reset(options={"deal": ddz.deal("duel", 1)})
    with pytest.raises(TypeError):
        env.reset(options={"deal": 5})


def test_copies_go_on_alike():
    env = module.raw_env("standard", auction=True)
    env.reset(seed=3)
    twin = pickle.loads(pickle.dumps(env))
    assert play(twin, 4) == play(env, 4)


def test_render():
    env = module.env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game)
    shown = module.env(render_mode="human")
    shown.reset(seed=1)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shown.step(int(shown.last()[4]["legal_actions"][0]))
    assert str(shown.game) in out.getvalue()
    with pytest.raises(ddz.DdzError, match="render_mode is None"):
        module.env().render()


# ---- errors --------------------------------------------------------------------------------------


def test_illegal_actions_are_refused_and_change_nothing():
    env = module.raw_env()
    env.reset(seed=1)
    seen = env.last()[0]
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[-1])
    for action, error in (
        (illegal, ddz.IllegalMoveError),
        (0, ddz.IllegalMoveError),
        (-1, ddz.IllegalMoveError),
        (env.action_space("player_0").n, ddz.IllegalMoveError),
        (None, TypeError),
        (1.0, TypeError),
        ("3", TypeError),
        (True, TypeError),
    ):
        with pytest.raises(error):
            env.step(action)
    assert env.game.moves == ()
    again = env.last()[0]
    assert all(np.array_equal(again[key], seen[key]) for key in seen)
    bidding = module.raw_env(auction=True)
    bidding.reset(seed=1)
    with pytest.raises(ddz.IllegalMoveError, match=r"bid rob"):
        bidding.step(bidding.actions.n + 5)


def test_illegal_actions_end_the_game():
    env = module.env()
    env.reset(seed=1)
    env.step(int(env.last()[4]["legal_actions"][0]))
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[-1]))
    found = {}
    for agent in env.agent_iter():
        _, found[agent], over, _, _ = env.last()
        assert over
        env.step(None)
    assert found == {"player_0": 0, "player_1": -1, "player_2": 0}
    env.reset(seed=1)
    with pytest.raises(ddz.IllegalMoveError):
        env.step(10**9)


def test_calls_out_of_order():
    env = module.env()
    with pytest.raises(ddz.PhaseError, match="call reset"):
        env.step(0)
    with pytest.raises(ddz.PhaseError, match="call reset"):
        env.observe("player_0")
    play(env)
    with pytest.raises(ddz.PhaseError, match="game is over"):
        env.step(0)
    env.reset()
    with pytest.raises(ddz.DdzError, match="agent is 'nobody'"):
        env.observe("nobody")


@pytest.mark.parametrize(
    "settings",
    [{"rules": "x"}, {"rewards": "x"}, {"render_mode": "x"}, {"illegal": "x"}],
)
def test_unknown_settings(settings):
    with pytest.raises(ddz.DdzError):
        module.raw_env(**settings)


@pytest.mark.parametrize(
    "settings", [{"auction": 1}, {"rewards": 1}, {"render_mode": True}, {"illegal": None}]
)
def test_settings_of_the_wrong_kind(settings):
    with pytest.raises(TypeError, match=f"^{next(iter(settings))} must be "):
        module.raw_env(**settings)


def test_an_action_of_an_agent_that_is_done():
    env = module.env()
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.last()[4]["legal_actions"][-1]))
    with pytest.raises(ValueError, match="dead"):
        env.step(0)
