"""`ddz_core.interop.rlcard` against RLCard itself: its ids, and its environment state for state."""

import random
import subprocess
import sys

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.interop import rlcard as ours

rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed (extra `test`)")
rlcard_utils = pytest.importorskip("rlcard.games.doudizhu.utils")

GAMES = 40


def both(seed, **config):
    config = {"seed": seed, "allow_step_back": True, **config}
    return rlcard.make("doudizhu", config), ours.make("doudizhu", config)


def assert_same_state(theirs, mine, record=True):
    assert list(theirs) == list(mine)
    assert theirs["obs"].dtype == mine["obs"].dtype
    assert np.array_equal(theirs["obs"], mine["obs"])
    assert set(theirs["legal_actions"]) == set(mine["legal_actions"])
    for action, vector in theirs["legal_actions"].items():
        assert vector.dtype == mine["legal_actions"][action].dtype
        assert np.array_equal(vector, mine["legal_actions"][action])
    raw, mine_raw = dict(theirs["raw_obs"]), dict(mine["raw_obs"])
    assert sorted(raw.pop("actions")) == sorted(mine_raw.pop("actions"))
    assert raw == mine_raw
    assert sorted(theirs["raw_legal_actions"]) == sorted(mine["raw_legal_actions"])
    if record:
        assert theirs["action_record"] == mine["action_record"]


# ---- ids -----------------------------------------------------------------------------------------


def test_the_ids_are_rlcards():
    assert [ours.action_string(i) for i in range(ours.N_ACTIONS)] == rlcard_utils.ID_2_ACTION
    assert rlcard_utils.ID_2_ACTION[ours.PASS_ID] == "pass"


def test_ids_moves_and_texts_lead_to_each_other():
    rng = random.Random(1)
    for number in [0, ours.PASS_ID, *(rng.randrange(ours.N_ACTIONS) for _ in range(2000))]:
        move = ours.action_move(number)
        text = ours.action_string(number)
        assert text in (str(move.cards), "pass")
        assert ours.action_id(move) == ours.action_id(text) == number
    plays = ddz.all_plays("rlcard")
    ids = ours.action_ids(plays)
    assert sorted(ids.tolist()) == list(range(ours.PASS_ID))
    assert ours.action_ids(plays.array).tolist() == ids.tolist()
    moves = ddz.legal_moves("33445566", "44", "rlcard")
    assert ours.action_ids(moves)[0] == ours.PASS_ID


def test_what_is_no_action():
    for wrong in (-1, ours.N_ACTIONS):
        with pytest.raises(ddz.IllegalMoveError, match="0 … 27471"):
            ours.action_move(wrong)
    with pytest.raises(TypeError):
        ours.action_string("3")
    with pytest.raises(ddz.IllegalMoveError, match="no action"):
        ours.action_id("34")
    with pytest.raises(ddz.InvalidCardsError):
        ours.action_id("xyz")
    with pytest.raises(TypeError, match="Move or a str"):
        ours.action_id(3)
    (shuttle, *_) = [m for m in ddz.all_plays("botzone") if m.kind == ddz.Kind.SHUTTLE]
    with pytest.raises(ddz.IllegalMoveError):
        ours.action_id(shuttle)
    with pytest.raises(TypeError):
        ours.action_ids([1, 2])


def test_rlcard_is_not_needed():
    code = (
        "import sys; sys.modules['rlcard'] = None\n"
        "from ddz_core.interop import rlcard\n"
        "env = rlcard.make('doudizhu', {'seed': 1}); state, seat = env.reset()\n"
        "env.step(next(iter(state['legal_actions'])))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- the environment -----------------------------------------------------------------------------


def test_random_games_are_the_same_state_for_state():
    rng = random.Random(1)
    for seed in range(GAMES):
        theirs, mine = both(seed)
        state, seat = theirs.reset()
        my_state, my_seat = mine.reset()
        while True:
            assert seat == my_seat == mine.get_player_id()
            assert_same_state(state, my_state)
            perfect, my_perfect = theirs.get_perfect_information(), mine.get_perfect_information()
            assert sorted(perfect.pop("legal_actions")) == sorted(my_perfect.pop("legal_actions"))
            assert perfect == my_perfect
            if theirs.is_over():
                break
            action = rng.choice(sorted(state["legal_actions"]))
            feature = mine.get_action_feature(action)
            assert np.array_equal(theirs.get_action_feature(action), feature)
            state, seat = theirs.step(action)
            my_state, my_seat = mine.step(action)
            for other in range(3):
                assert_same_state(theirs.get_state(other), mine.get_state(other))
        assert mine.is_over()
        assert mine.timestep == theirs.timestep
        assert mine.get_payoffs().tolist() == theirs.get_payoffs().tolist()
        assert mine.get_payoffs().dtype == theirs.get_payoffs().dtype
    assert (mine.num_actions, mine.num_players) == (theirs.num_actions, theirs.num_players)
    assert (mine.state_shape, mine.action_shape) == (theirs.state_shape, theirs.action_shape)
    assert mine.name == theirs.name


def test_seeds_deal_as_rlcard_does_from_reset_to_reset():
    for seed in (0, 7, 2**63, 2**64 + 5, 10**30):
        theirs, mine = both(seed)
        assert mine.seed(seed) == theirs.seed(seed)
        for _ in range(3):
            assert_same_state(theirs.reset()[0], mine.reset()[0])
    assert ours.make("doudizhu", {"seed": None}).reset()[1] == 0


def test_raw_actions():
    theirs, mine = both(3)
    state, _ = theirs.reset()
    mine.reset()
    action = sorted(state["raw_legal_actions"])[-1]
    assert_same_state(theirs.step(action, True)[0], mine.step(action, True)[0])


def test_step_back_restores_every_state():
    rng = random.Random(2)
    for seed in range(10):
        _, mine = both(seed)
        state, _ = mine.reset()
        assert mine.step_back() is False
        states = [state]
        while not mine.is_over():
            action = rng.choice(sorted(states[-1]["legal_actions"]))
            states.append(mine.step(action)[0])
        records = list(mine.action_recorder)
        for state in reversed(states[:-1]):
            back, seat = mine.step_back()
            records.pop()
            assert seat == back["raw_obs"]["self"] == mine.get_player_id()
            assert_same_state(state, back, record=False)
            assert back["action_record"] == records
        assert mine.step_back() is False


def test_rlcards_random_agents_play_the_same_games():
    agents = pytest.importorskip("rlcard.agents")
    results = []
    for env in both(5):
        env.set_agents([agents.RandomAgent(env.num_actions) for _ in range(3)])
        np.random.seed(1)  # noqa: NPY002 (RLCard's agent draws from it)
        trajectories, payoffs = env.run(is_training=True)
        assert sum(payoffs) in (1, 2)
        results.append((trajectories, payoffs))
        env.run(is_training=False)
    for trajectory in results[1][0]:
        # States and actions in turn, and the state at the end.
        assert len(trajectory) % 2
        assert all(isinstance(state, dict) for state in trajectory[::2])
        assert all(isinstance(int(action), int) for action in trajectory[1::2])


def test_the_trajectories_are_rlcards():
    class First:
        use_raw = False

        def step(self, state):
            return min(state["legal_actions"])

        def eval_step(self, state):
            return max(state["legal_actions"]), {}

    for training in (True, False):
        found = []
        for env in both(11):
            env.set_agents([First()] * 3)
            found.append(env.run(is_training=training))
        (theirs, payoffs), (mine, my_payoffs) = found
        assert payoffs.tolist() == my_payoffs.tolist()
        for trajectory, my_trajectory in zip(theirs, mine, strict=True):
            assert trajectory[1::2] == my_trajectory[1::2]
            for state, my_state in zip(trajectory[::2], my_trajectory[::2], strict=True):
                assert_same_state(state, my_state)


def test_register():
    ours.register("ddz-core-test")
    env = rlcard.make("ddz-core-test", {"seed": 1})
    assert isinstance(env, ours.DoudizhuEnv)
    with pytest.raises(ValueError, match="ddz-core-test"):
        ours.register("ddz-core-test")


def test_dmc_agents_act_on_it():
    """RLCard's Deep Monte Carlo actor, unchanged: two full buffers a seat."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    model = pytest.importorskip("rlcard.agents.dmc_agent.model")
    utils = pytest.importorskip("rlcard.agents.dmc_agent.utils")
    env = ours.make("doudizhu", {"seed": 0})
    net = model.DMCModel(env.state_shape, env.action_shape, mlp_layers=[8], device="cpu")
    buffers = utils.create_buffers(20, 1, env.state_shape, env.action_shape, ["cpu"])["cpu"]

    class Free:
        left = 6

        def get(self):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            return 0

    full = {seat: [] for seat in range(3)}
    queues = {
        seat: type("Full", (), {"put": lambda _, i, s=seat: full[s].append(i)})() for seat in full
    }
    free = Free()
    with torch.no_grad():
        utils.act(0, "cpu", 20, dict.fromkeys(range(3), free), queues, net, buffers, env)
    assert sum(map(len, full.values())) == 6


# ---- errors --------------------------------------------------------------------------------------


def test_refused_actions_change_nothing():
    env = ours.make("doudizhu", {"seed": 1})
    with pytest.raises(ddz.PhaseError, match="call reset"):
        env.step(0)
    state, _ = env.reset()
    wrong = next(i for i in range(ours.N_ACTIONS) if i not in state["legal_actions"])
    for action, error in (
        (wrong, ddz.IllegalMoveError),
        (ours.PASS_ID, ddz.IllegalMoveError),
        (-1, ddz.IllegalMoveError),
        (27472, ddz.IllegalMoveError),
        ("3", TypeError),
        (1.5, TypeError),
    ):
        with pytest.raises(error):
            env.step(action)
    with pytest.raises(ddz.IllegalMoveError, match="not legal for seat 0"):
        env.step("pass", raw_action=True)
    assert_same_state(state, env.get_state(0))
    assert env.timestep == 0


def test_calls_out_of_order():
    env = ours.make("doudizhu", {"seed": 1})
    env.reset()
    with pytest.raises(ddz.PhaseError, match="no payoffs"):
        env.get_payoffs()
    with pytest.raises(ddz.PhaseError, match="step_back is off"):
        env.step_back()
    with pytest.raises(ddz.PhaseError, match="set_agents"):
        env.run()
    with pytest.raises(ddz.DdzError, match="2 agents"):
        env.set_agents([None, None])
    with pytest.raises(ddz.DdzError, match="player_id is 3"):
        env.get_state(3)
    while not env.is_over():
        env.step(min(env.get_state(env.get_player_id())["legal_actions"]))
    with pytest.raises(ddz.PhaseError, match="game is over"):
        env.step(0)
    with pytest.raises(ddz.DdzError, match="negative"):
        env.seed(-1)
    with pytest.raises(ddz.DdzError, match="blackjack"):
        ours.make("blackjack")
    for config in (5, "seed", {"seed": "1"}, {"seed": 1.5}):
        with pytest.raises(TypeError, match=r"config|seed"):
            ours.make("doudizhu", config)
