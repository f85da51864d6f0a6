"""`ddz_core.interop.douzero` against DouZero itself: its generator, infosets and observations."""

import random
import subprocess
import sys
import types
from collections import Counter

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.interop import douzero as ours

env_module = pytest.importorskip("douzero.env.env", reason="DouZero is not installed")
game_module = pytest.importorskip("douzero.env.game")
generator_module = pytest.importorskip("douzero.env.move_generator")

GAMES = 60
FIELDS = (
    "player_position",
    "player_hand_cards",
    "num_cards_left_dict",
    "three_landlord_cards",
    "card_play_action_seq",
    "other_hand_cards",
    "last_move",
    "last_two_moves",
    "last_move_dict",
    "played_cards",
    "all_handcards",
    "last_pid",
    "bomb_num",
)


def rows(x):
    return Counter(np.asarray(row, np.int8).tobytes() for row in x)


def strange(cards):
    """Airplanes that DouZero's own detector does not know, or takes for others: with three or four
    equal single cards."""
    counts = Counter(cards)
    return len(cards) >= 12 and len([n for n in counts.values() if n >= 3]) * 4 > len(cards)


def test_cards():
    assert ours.to_cards("33TA2BR") == [3, 3, 10, 14, 17, 20, 30]
    assert ours.to_cards(ddz.Move.parse("333+4")) == [3, 3, 3, 4]
    assert str(ours.from_cards([30, 20, 17, 14, 3, 3])) == "33A2BR"
    for wrong, error in (
        ([15], ddz.InvalidCardsError),
        ([3] * 5, ddz.InvalidCardsError),
        ([20, 20], ddz.InvalidCardsError),
        (["3"], TypeError),
        ("33", TypeError),
        (3, TypeError),
    ):
        with pytest.raises(error):
            ours.from_cards(wrong)


def test_the_generator():
    rng = random.Random(1)
    names = [name for name in dir(ours.MovesGener) if name.startswith("gen_")]
    assert names == [name for name in dir(generator_module.MovesGener) if name.startswith("gen_")]
    for _ in range(150):
        ranks = rng.sample(ours.RANKS, rng.randint(5, 15))
        pack = [card for card in ours.PACK if card in ranks]
        cards = sorted(rng.sample(pack, min(len(pack), rng.randint(1, 17))))
        theirs, mine = generator_module.MovesGener(cards), ours.MovesGener(cards)
        for name in names:
            for number in range(9) if "serial" in name else (None,):
                args = () if number is None else (number,)
                expected = {tuple(sorted(move)) for move in getattr(theirs, name)(*args)}
                found = [tuple(move) for move in getattr(mine, name)(*args)]
                assert len(found) == len(set(found))
                assert set(found) == expected, (name, args, cards)
    assert ours.MovesGener([]).gen_moves() == []
    with pytest.raises(ddz.InvalidCardsError):
        ours.MovesGener([3] * 5)


@pytest.mark.parametrize("objective", ["adp", "wp", "logadp"])
def test_random_games_are_the_same(objective):
    rng = random.Random(1)
    steps = 0
    for seed in range(GAMES):
        np.random.seed(seed)  # noqa: NPY002
        theirs = env_module.Env(objective)
        obs = theirs.reset()
        np.random.seed(seed)  # noqa: NPY002
        mine = ours.Env(objective)
        my_obs = mine.reset()
        while True:
            for name in FIELDS:
                assert getattr(theirs.infoset, name) == getattr(mine.infoset, name), name
            legal = sorted(map(sorted, {tuple(action) for action in obs["legal_actions"]}))
            assert sorted(my_obs["legal_actions"]) == legal
            assert my_obs["position"] == obs["position"]
            for name in ("x_no_action", "z"):
                assert my_obs[name].dtype == obs[name].dtype
                assert np.array_equal(my_obs[name], obs[name])
            assert my_obs["x_batch"].dtype == obs["x_batch"].dtype
            assert set(rows(my_obs["x_batch"])) == set(rows(obs["x_batch"]))
            assert max(rows(my_obs["x_batch"]).values()) == 1
            assert my_obs["z_batch"].dtype == obs["z_batch"].dtype
            assert my_obs["z_batch"].shape == (len(legal), 5, 162)
            assert (my_obs["z_batch"] == obs["z_batch"][0]).all()
            steps += 1
            action = rng.choice([action for action in legal if not strange(action)])
            obs, reward, done, _ = theirs.step(list(action))
            my_obs, my_reward, my_done, info = mine.step(list(action))
            assert (my_reward, my_done, info) == (reward, done, {})
            assert type(my_reward) is float
            if done:
                assert my_obs is None
                break
    assert steps > 20 * GAMES


def test_each_row_is_its_action():
    env = ours.Env("adp", np.random.default_rng(1))
    obs = env.reset()
    for _ in range(300):
        for row, action in zip(obs["x_batch"], obs["legal_actions"], strict=True):
            counts = np.bincount([ours.INDEX[card] for card in action], minlength=15)
            assert row[-54:-2].reshape(13, 4).sum(axis=1).tolist() == counts[:13].tolist()
            assert row[-2:].tolist() == counts[13:].tolist()
        obs, _, done, _ = env.step(obs["legal_actions"][-1])
        if done:
            obs = env.reset()


def test_cards_with_more_readings_are_one_action():
    airplane = [3] * 3 + [4] * 3 + [5] * 3 + [6] * 3
    game = ours.GameEnv({position: Plays(airplane) for position in ours.POSITIONS})
    game.card_play_init(
        {
            "landlord": [*airplane, 7, 8],
            "landlord_down": [7] * 3 + [8] * 3 + [9] * 3 + [10] * 3 + [11],
            "landlord_up": [12, 13],
            "three_landlord_cards": [3, 4, 8],
        }
    )
    legal = game.get_legal_card_play_actions()
    assert legal.count(airplane) == 1
    assert len({tuple(action) for action in legal}) == len(legal)
    obs = ours.get_obs(game.get_infoset())
    assert len(obs["x_batch"]) == len(obs["z_batch"]) == len(legal)
    game.step()
    # It is taken for the bare airplane, which only a higher one beats.
    assert game.get_legal_card_play_actions() == [[], [7] * 3 + [8] * 3 + [9] * 3 + [10] * 3]
    assert game.get_infoset().three_landlord_cards == [8]


class Plays:
    def __init__(self, action):
        self.action = action

    def act(self, infoset):
        return self.action


class Lowest:
    def act(self, infoset):
        return max(infoset.legal_actions, key=lambda action: (len(action), action))


def test_games_with_players_have_the_same_totals():
    rng = random.Random(3)
    games = [
        module({position: Lowest() for position in ours.POSITIONS})
        for module in (game_module.GameEnv, ours.GameEnv)
    ]
    for _ in range(20):
        pack = ours.PACK.copy()
        rng.shuffle(pack)
        data = {
            "landlord": sorted(pack[:20]),
            "landlord_up": sorted(pack[20:37]),
            "landlord_down": sorted(pack[37:]),
            "three_landlord_cards": sorted(pack[17:20]),
        }
        for game in games:
            mine = {name: list(cards) for name, cards in data.items()}
            game.card_play_init(mine)
            while not game.game_over:
                game.step()
        theirs, mine = games
        for name in ("num_wins", "num_scores", "player_utility_dict", "winner", "bomb_num"):
            assert getattr(mine, name) == getattr(theirs, name), name
        assert mine.get_winner() == theirs.get_winner()
        assert mine.get_bomb_num() == theirs.get_bomb_num()
        assert mine.card_play_action_seq == theirs.card_play_action_seq
        assert mine.three_landlord_cards == theirs.three_landlord_cards
        for game in games:
            game.reset()
            assert game.game_over is False


def test_lists_given_and_got_are_the_callers():
    game = ours.GameEnv({position: Lowest() for position in ours.POSITIONS})
    pack = ours.PACK
    data = {
        "landlord": pack[:20],
        "landlord_up": pack[20:37],
        "landlord_down": pack[37:],
        "three_landlord_cards": pack[17:20],
    }
    game.card_play_init(data)
    before = game.get_infoset()
    before.legal_actions[0].append(99)
    before.player_hand_cards.clear()
    before.three_landlord_cards.clear()
    game.step()
    legal = game.get_legal_card_play_actions()
    infoset = game.get_infoset()
    infoset.last_two_moves[0].append(99)
    infoset.legal_actions.clear()
    assert game.get_legal_card_play_actions() == legal
    assert infoset.last_move == infoset.card_play_action_seq[-1]
    assert data["landlord"] == pack[:20]
    assert game.get_infoset().all_handcards["landlord"]
    assert all(99 not in action for action in game.get_infoset().card_play_action_seq)


# ---- its trainer ---------------------------------------------------------------------------------


class Dummy:
    """A network that takes any action."""

    steps = 0

    def __init__(self, torch):
        self.torch = torch

    def forward(self, position, z, x, training=False, flags=None):
        assert x.shape == (len(x), 373 if position == "landlord" else 484)
        assert z.shape == (len(x), 5, 162)
        self.steps += 1
        return {"action": self.torch.randint(len(x), (1,))[0]}


def test_douzeros_actor_runs_a_thousand_steps(monkeypatch):
    """Its ``act``, unchanged but for the Env that it imports."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    utils = pytest.importorskip("douzero.dmc.utils")
    monkeypatch.setattr(utils, "Env", ours.Env)
    flags = types.SimpleNamespace(objective="adp", unroll_length=100, num_buffers=1)
    buffers = utils.create_buffers(flags, ["cpu"])["cpu"]
    free = iter([0] * 12)

    class Free:
        def get(self):
            for index in free:
                return index
            raise KeyboardInterrupt

    full = {position: [] for position in ours.POSITIONS}
    queues = {
        position: type("Full", (), {"put": lambda _, i, p=position: full[p].append(i)})()
        for position in full
    }
    net = Dummy(torch)
    np.random.seed(1)  # noqa: NPY002
    utils.act(0, "cpu", dict.fromkeys(full, Free()), queues, net, buffers, flags)
    assert net.steps >= 1000
    assert sum(map(len, full.values())) == 12
    assert set(np.unique(buffers["landlord"]["obs_x_no_action"][0].numpy())) <= {0, 1}


def test_douzero_and_torch_are_not_needed():
    code = (
        "import sys; sys.modules['douzero'] = sys.modules['torch'] = None\n"
        "from ddz_core.interop.douzero import Env\n"
        "env = Env('adp'); obs = env.reset(); env.step(obs['legal_actions'][0])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- errors --------------------------------------------------------------------------------------


def test_refused_actions_change_nothing():
    env = ours.Env("adp", np.random.default_rng(1))
    with pytest.raises(ddz.PhaseError, match="no cards"):
        env.step([3])
    env.reset()
    infoset = env.infoset
    for action, error in (
        ([], ddz.IllegalMoveError),
        ([3, 4], ddz.IllegalMoveError),
        ([99], ddz.InvalidCardsError),
        (5, TypeError),
        (None, TypeError),
    ):
        with pytest.raises(error):
            env.step(action)
    assert env.infoset is infoset
    done = False
    while not done:
        _, _, done, _ = env.step(env.infoset.legal_actions[0])
    with pytest.raises(ddz.PhaseError, match="game is over"):
        env.step([3])
    env.close()


def test_wrong_deals_and_players():
    with pytest.raises(ddz.DdzError, match="nobody for landlord_up"):
        ours.GameEnv({"landlord": Lowest(), "landlord_down": Lowest()})
    with pytest.raises(ddz.DdzError, match="objective is 'x'"):
        ours.Env("x")
    for rng in (1, "seed"):
        with pytest.raises(TypeError, match="rng must be"):
            ours.Env("adp", rng)
    game = ours.GameEnv({position: Lowest() for position in ours.POSITIONS})
    data = {
        "landlord": [3, 4, 5],
        "landlord_up": [3],
        "landlord_down": [4],
        "three_landlord_cards": [3, 4, 5],
    }
    for change, error in (
        ({"landlord": [3, 4]}, ddz.InvalidCardsError),
        ({"landlord": [3, 4, 5, 15]}, ddz.InvalidCardsError),
        ({"landlord_up": []}, ddz.DdzError),
        ({"landlord_up": 5}, TypeError),
        ({"landlord_up": [3, 3, 3, 3]}, ddz.InvalidCardsError),
    ):
        with pytest.raises(error):
            game.card_play_init({**data, **change})
        with pytest.raises(ddz.PhaseError):
            game.get_infoset()
    del data["landlord_up"]
    with pytest.raises(ddz.DdzError, match="no landlord_up"):
        game.card_play_init(data)
    with pytest.raises(TypeError, match="InfoSet of ddz_core"):
        ours.get_obs(object())
