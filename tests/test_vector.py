"""VectorEnv against `Game`, step by step, and what it refuses."""

import copy
import multiprocessing
import os
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core import _vector
from ddz_core.actions import ActionSpace
from ddz_core.features import POSITIONS, douzero_features, native_features

gymnasium = pytest.importorskip("gymnasium")

from ddz_core.envs import VectorEnv  # noqa: E402 (needs gymnasium)


def phase_of(game):
    return ("auction", "play", "over").index(game.phase)


class Mirror:
    """The same games through `Game`, with the deals of the environment."""

    def __init__(self, env, auction=True):
        self.env = env
        self.rules = env.rules
        self.played = env.rules if auction else env.rules.replace(auction="none")
        self.games = [self.fresh(i) for i in range(env.num_envs)]

    def fresh(self, i):
        return ddz.Game(self.played, deal=self.env.deal(i))

    def act(self, i, action):
        """Take an action by its place; the deals after a redeal are the environment's."""
        game = self.games[i]
        if game.phase == "auction":
            game.bid(game.legal_bids()[action])
        else:
            game.play(game.legal_moves()[action])

    def follow(self, i):
        """After a redeal of the environment, a game with its new deal."""
        game = self.games[i]
        if game.redeals:
            deals = [*game.deals[:-1], self.env.deal(i)]
            twin = ddz.Game(self.played, deal=deals)
            for auction in game.auctions:
                for _, bid in auction:
                    twin.bid(bid)
            self.games[i] = twin

    def check(self, infos):
        env = self.env
        indptr, moves = env.indptr, env.moves
        for i, game in enumerate(self.games):
            turn = -1 if game.turn is None else game.turn
            landlord = game.landlord if game.phase == "play" else None
            assert infos["turn"][i] == turn
            assert infos["phase"][i] == phase_of(game)
            assert infos["landlord"][i] == (-1 if landlord is None else landlord)
            own = moves[indptr[i] : indptr[i + 1]]
            if game.phase == "auction":
                assert own["rank"].tolist() == [int(bid) for bid in game.legal_bids()]
                assert not own["cards"].any()
            else:
                assert np.array_equal(own, game.legal_moves().array)
            if game.phase == "play":
                assert env.position(i).hands == game.hands
                assert env.position(i).hash == game.position.hash
            else:
                assert game.phase == "over" or env.position(i) is None


AUCTIONS = [(rules, None) for rules in ddz.Rules.preset_names()] + [
    ("standard", False),
    ("four_player", False),
    ("duel", False),
]


@pytest.mark.parametrize(("rules", "auction"), AUCTIONS)
def test_the_games_are_those_of_game(rules, auction):
    env = VectorEnv(3, rules, auction=auction)
    _, infos = env.reset(seed=11)
    env.action_space.seed(1)
    mirror = Mirror(env, auction is not False)
    rng = np.random.default_rng(5)
    finished = 0
    for _ in range(250):
        mirror.check(infos)
        counts = np.diff(env.indptr)
        actions = rng.integers(0, counts)
        # Bidders are shy, so that there are redeals.
        actions[(infos["phase"] == 0) & (rng.random(3) < 0.6)] = 0
        acted = infos["turn"]
        before = [game.redeals for game in mirror.games]
        for i, action in enumerate(actions):
            mirror.act(i, action)
        _, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        assert np.array_equal(infos["acted"], acted)
        assert np.array_equal(infos["_points"], terminated)
        for i, game in enumerate(mirror.games):
            assert terminated[i] == (game.phase == "over")
            result = game.result
            assert infos["points"][i].tolist() == list(
                result.points if result else (0,) * game.rules.players
            )
            assert rewards[i] == (result.points[acted[i]] if result else 0)
            ended = -1 if result is None or result.landlord is None else result.landlord
            assert infos["ended_landlord"][i] == ended
            if result:
                mirror.games[i] = mirror.fresh(i)
                finished += 1
            elif game.redeals > before[i]:
                mirror.follow(i)
    assert finished >= 3


def test_who_speaks_first_goes_round_by_games():
    env = VectorEnv(1, "club")
    env.reset(seed=3)
    openers = []
    while len(openers) < 5:
        # Two deals in which nobody bids, then the first bidder says three.
        opener = env.deal(0).opener
        for _ in range(6):
            env.step(np.zeros(1, np.int64))
            assert env.deal(0).opener == opener
        openers.append(opener)
        env.step(np.array([3]))
        terminated = [False]
        while not terminated[0]:
            _, _, terminated, _, _ = env.step(env.sample())
    assert openers == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_douzero_observations_are_those_of_single_games(dtype):
    env = VectorEnv(8, "standard", observation="douzero", dtype=dtype, autoreset="next_step")
    observations, infos = env.reset(seed=2)
    mirror = Mirror(env)
    for _ in range(80):
        rows = env.rows
        place = {
            game: (part, j) for part in rows.values() for j, game in enumerate(part.games.tolist())
        }
        for i, game in enumerate(mirror.games):
            if game.phase != "play":
                assert i not in place
                assert observations["role"][i] == -1
                assert not observations["x_no_action"][i].any()
                assert not observations["z"][i].any()
                continue
            part, j = place[i]
            expected = douzero_features(game, dtype=dtype)
            own = slice(part.indptr[j], part.indptr[j + 1])
            width = len(expected.x_no_action)
            assert POSITIONS[observations["role"][i]] == part.position == expected.position
            assert part.x.dtype == part.z.dtype == dtype
            assert np.array_equal(part.x[own], expected.x)
            assert np.array_equal(part.z[j], expected.z)
            assert np.array_equal(observations["x_no_action"][i, :width], expected.x_no_action)
            assert not observations["x_no_action"][i, width:].any()
            assert np.array_equal(observations["z"][i], expected.z)
        actions = env.sample()
        over = infos["phase"] == 2
        before = [game.redeals for game in mirror.games]
        for i in np.flatnonzero(~over):
            mirror.act(i, actions[i])
        observations, _, _, _, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        for i, game in enumerate(mirror.games):
            if over[i]:
                mirror.games[i] = mirror.fresh(i)
            elif game.redeals > before[i]:
                mirror.follow(i)


@pytest.mark.parametrize("rules", ["pagat", "duel", "four_player", "rlcard"])
def test_native_observations_are_those_of_single_games(rules):
    env = VectorEnv(4, rules, observation="native", dtype=np.int8, autoreset="next_step")
    observations, infos = env.reset(seed=2)
    mirror = Mirror(env)
    for _ in range(70):
        for i, game in enumerate(mirror.games):
            if game.phase == "over":
                assert not observations["x"][i].any()
                assert not observations["history"][i].any()
                continue
            expected = native_features(game, dtype=np.int8)
            own = slice(env.indptr[i], env.indptr[i + 1])
            assert np.array_equal(observations["x"][i], expected.x[0])
            assert np.array_equal(observations["history"][i], expected.history[0])
            assert np.array_equal(env.action_rows[own], expected.actions)
        actions = env.sample()
        over = infos["phase"] == 2
        before = [game.redeals for game in mirror.games]
        for i in np.flatnonzero(~over):
            mirror.act(i, actions[i])
        observations, _, _, _, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        for i, game in enumerate(mirror.games):
            if over[i]:
                mirror.games[i] = mirror.fresh(i)
            elif game.redeals > before[i]:
                mirror.follow(i)


@pytest.mark.parametrize("rules", ["standard", "duel", "douzero"])
def test_ids_go_the_way_of_places(rules):
    """The same games by ids and by places, and the masks of both."""
    by_place = VectorEnv(5, rules)
    by_id = VectorEnv(5, rules, actions="id")
    space = ActionSpace(rules)
    by_place.reset(seed=8)
    _, infos = by_id.reset(seed=8)
    rng = np.random.default_rng(1)
    bids = 0 if rules == "douzero" else 6
    assert by_id.single_action_space.n == space.n + bids
    for _ in range(120):
        assert np.array_equal(by_id.moves, by_place.moves)
        indptr, ids = by_place.indptr, by_place.legal_ids()
        assert np.array_equal(ids, by_id.legal_ids())
        mask = infos["action_mask"]
        assert mask.shape == (5, by_id.single_action_space.n)
        counts = np.diff(indptr)
        for i in range(5):
            own = ids[indptr[i] : indptr[i + 1]]
            assert np.array_equal(np.flatnonzero(mask[i]), np.sort(own))
            if infos["phase"][i] == 1:
                assert np.array_equal(own, space.ids(by_id.moves[indptr[i] : indptr[i + 1]]))
            else:
                bid = by_id.moves[indptr[i] : indptr[i + 1]]["rank"]
                assert np.array_equal(own, space.n + bid)
        assert np.array_equal(by_place.action_mask.sum(axis=1), counts)
        places = rng.integers(0, counts)
        first = by_place.step(places)
        second = by_id.step(ids[indptr[:-1] + places])
        infos = second[4]
        assert np.array_equal(first[1], second[1])
        assert np.array_equal(first[2], second[2])


def digest(env, steps, seed=4):
    env.reset(seed=seed)
    trail = []
    rng = np.random.default_rng(2)
    for _ in range(steps):
        draws = rng.random(256)[: env.num_envs]
        places = (draws * np.diff(env.indptr)).astype(np.int64)
        _, rewards, terminated, _, infos = env.step(places)
        trail.append((rewards[:10], terminated[:10], infos["turn"][:10], env.moves[:5].copy()))
    return trail


def test_the_same_from_a_seed_whatever_the_threads():
    made = [VectorEnv(200, "standard", observation="douzero", threads=t) for t in (1, 2, 3)]
    made.append(VectorEnv(10, "standard"))
    trails = [digest(env, 60) for env in made]
    for other in trails[1:]:
        for one, two in zip(trails[0], other, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    for name in ("x", "z"):
        for position in POSITIONS:
            one, two = (getattr(env.rows[position], name) for env in made[:2])
            assert np.array_equal(one, two)
    for env in made:
        env.close()
    different = digest(VectorEnv(10, "standard"), 60, seed=5)
    assert any(not np.array_equal(a[2], b[2]) for a, b in zip(different, trails[-1], strict=True))


def test_reset_goes_on_with_the_stream_or_starts_it_again():
    env = VectorEnv(2, "standard")
    env.reset(seed=1)
    first = env.deal(0)
    assert env.deal(1) != first
    env.reset()
    second = env.deal(0)
    assert second != first
    env.reset(seed=1)
    assert env.deal(0) == first
    env.reset()
    assert env.deal(0) == second
    fresh = VectorEnv(1)
    fresh.reset()
    other = VectorEnv(1)
    other.reset()
    assert fresh.deal(0) != other.deal(0)


def test_seeds_of_every_kind():
    env = VectorEnv(2, "standard")
    found = []
    for seed in (5, np.int64(5), [5], (5,), np.array([5]), np.random.SeedSequence(5)):
        env.reset(seed=seed)
        found.append((env.deal(1), env.sample().tolist()))
    assert found == found[:1] * len(found)
    env.reset(seed=np.int64(5))
    assert env.np_random_seed == 5
    env.reset(seed=np.random.default_rng(1))
    assert env.np_random_seed == -1
    first = env.deal(0)
    env.reset(seed=np.random.default_rng(1))
    assert env.deal(0) == first


def run_until_over(env, infos):
    while not (infos["phase"] == 2).any():
        *_, infos = env.step(env.sample())
    return infos


def test_next_step_autoreset():
    env = VectorEnv(3, "rlcard", autoreset="next_step")
    _, infos = env.reset(seed=1)
    infos = run_until_over(env, infos)
    over = infos["phase"] == 2
    assert (infos["turn"][over] == -1).all()
    assert (np.diff(env.indptr)[over] == 0).all()
    assert env.sample()[over].tolist() == [0] * over.sum()
    actions = env.sample()
    actions[over] = 10**9
    _, rewards, terminated, _, infos = env.step(actions)
    assert not terminated[over].any()
    assert not rewards[over].any()
    assert not infos["points"][over].any()
    assert (infos["acted"][over] == -1).all()
    assert (infos["phase"][over] == 1).all()
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("actions", ["index", "id"])
def test_without_autoreset_a_finished_game_waits(actions):
    env = VectorEnv(3, "rlcard", autoreset="disabled", actions=actions)
    _, infos = env.reset(seed=1)
    infos = run_until_over(env, infos)
    over = infos["phase"] == 2
    others = [env.position(i) for i in range(3)]
    with pytest.raises(ddz.PhaseError, match=f"game {int(np.argmax(over))} is over"):
        env.step(env.sample())
    assert [env.position(i) for i in range(3)] == others
    _, infos = env.reset(options={"reset_mask": over})
    assert not (infos["phase"] == 2).any()
    for i in np.flatnonzero(~over):
        assert env.position(i) == others[i]
    env.step(env.sample())


def unchanged(env, bad, error, match):
    """An action array that is refused, and that nothing happened."""
    moves, indptr = env.moves.copy(), env.indptr.copy()
    positions = [env.position(i) for i in range(env.num_envs)]
    with pytest.raises(error, match=match):
        env.step(bad)
    assert np.array_equal(env.moves, moves)
    assert np.array_equal(env.indptr, indptr)
    assert [env.position(i) for i in range(env.num_envs)] == positions


@pytest.mark.parametrize("actions", ["index", "id"])
def test_refused_actions_leave_every_game_as_it_was(actions):
    env = VectorEnv(4, "standard", actions=actions)
    env.reset(seed=6)
    for _ in range(12):
        env.step(env.sample())
    good = env.sample()
    for game, wrong in ((3, -1), (0, 10**6), (2, 2**62), (1, -(2**63))):
        bad = good.copy()
        bad[game] = wrong
        unchanged(env, bad, ddz.IllegalMoveError, rf"actions\[{game}\] is {wrong}")
    for wrong, error in (
        (good[:3], ddz.IllegalMoveError),
        (good[:, None], ddz.IllegalMoveError),
        (np.int64(0), ddz.IllegalMoveError),
        (good.astype(float), TypeError),
        (good.astype(bool), TypeError),
        ([None] * 4, TypeError),
        (["a"] * 4, TypeError),
        ([[0], [0, 1], [0], [0]], TypeError),
    ):
        unchanged(env, wrong, error, "actions must")
    unchanged(env, np.full(4, 2**64 - 1, np.uint64), ddz.IllegalMoveError, r"actions\[0\]")
    # The very same actions are fine afterwards, in any type of integer.
    env.step(good.astype(np.int32))


def test_ids_that_are_not_legal_here():
    env = VectorEnv(2, "standard", actions="id")
    env.reset(seed=6)
    bid = env.ids.n
    unchanged(env, np.array([bid, 0]), ddz.IllegalMoveError, r"actions\[1\] is 0 \(pass\)")
    unchanged(env, np.array([bid, bid + 4]), ddz.IllegalMoveError, r"\(bid 4\)")
    env.step(np.array([bid + 3, bid + 3]))
    unchanged(env, np.array([0, 0]), ddz.IllegalMoveError, r"actions\[0\] is 0 \(pass\)")
    unchanged(env, np.array([bid, bid]), ddz.IllegalMoveError, r"\(bid 0\)")
    absent = next(
        number
        for number in range(1, 16)
        if not any(env.position(0).legal_moves()[i] == env.ids.move(number) for i in range(9))
        and env.ids.move(number) not in env.position(0).legal_moves()
    )
    unchanged(env, np.array([absent, 1]), ddz.IllegalMoveError, rf"actions\[0\] is {absent}")


def test_before_the_first_reset():
    env = VectorEnv(2)
    with pytest.raises(ddz.PhaseError, match="reset"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ddz.PhaseError, match="reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ddz.PhaseError, match="reset"):
        env.deal(0)
    assert env.position(0) is None


def test_wrong_arguments():
    for arguments, error in (
        ({"n": 0}, ddz.DdzError),
        ({"n": 1.5}, TypeError),
        ({"n": 2, "rules": "nothing"}, ddz.DdzError),
        ({"n": 2, "rules": "rlcard", "auction": True}, ddz.DdzError),
        ({"n": 2, "actions": "name"}, ddz.DdzError),
        ({"n": 2, "observation": "rlcard"}, ddz.DdzError),
        ({"n": 2, "rules": "duel", "observation": "douzero"}, ddz.DdzError),
        ({"n": 2, "dtype": np.float64}, TypeError),
        ({"n": 2, "autoreset": True}, TypeError),
        ({"n": 2, "reward": "all"}, ddz.DdzError),
        ({"n": 2, "threads": 0}, ddz.DdzError),
    ):
        with pytest.raises(error):
            VectorEnv(**arguments)
    env = VectorEnv(2)
    env.reset(seed=1)
    for options, error in (
        ({"mask": 1}, ddz.DdzError),
        ([], TypeError),
        (5, TypeError),
        ({"reset_mask": [True, True]}, TypeError),
        ({"reset_mask": np.ones(2, int)}, TypeError),
        ({"reset_mask": np.ones(3, bool)}, ddz.DdzError),
    ):
        with pytest.raises(error):
            env.reset(options=options)
    for seed in ("x", -1, True, 1.5):
        with pytest.raises((TypeError, ValueError)):
            env.reset(seed=seed)
    with pytest.raises(ddz.DdzError):
        env.position(2)
    with pytest.raises(ddz.DdzError, match="douzero"):
        env.rows  # noqa: B018
    with pytest.raises(ddz.DdzError, match="native"):
        env.action_rows  # noqa: B018


@pytest.mark.parametrize("actions", ["index", "id"])
def test_masks_are_written_into_one_array(actions):
    env = VectorEnv(20, "standard", actions=actions)
    copies = VectorEnv(20, "standard", actions=actions, copy=True)
    env.reset(seed=1)
    copies.reset(seed=1)
    first = env.action_mask
    assert not first.flags.writeable
    for _ in range(150):
        mask = env.action_mask
        assert np.shares_memory(mask, first)
        counts = np.diff(env.indptr)
        if actions == "index":
            assert np.array_equal(mask, np.arange(mask.shape[1]) < counts[:, None])
        own = copies.action_mask
        before = own.copy()
        step = env.sample()
        env.step(step)
        copies.step(step)
        env.action_mask, copies.action_mask  # noqa: B018
        assert np.array_equal(own, before)
        assert np.array_equal(mask.sum(axis=1), np.diff(env.indptr))


# ---- threads, processes, Ctrl-C and want of memory -----------------------------------------------


def check_lists(env):
    """Lists and masks are those of the games as they stand."""
    indptr = env.indptr
    assert np.array_equal(env.action_mask.sum(axis=1), np.diff(indptr))
    for i in range(env.num_envs):
        legal = env.position(i).legal_moves()
        assert np.array_equal(env.moves[indptr[i] : indptr[i + 1]], legal.array)


class Scarce:
    """NumPy with memory for so many more new arrays, which are full of rubbish."""

    def __init__(self, arrays):
        self._left = arrays

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, shape, dtype):
        if not self._left:
            raise MemoryError
        self._left -= 1
        array = np.empty(shape, dtype)
        array.reshape(-1).view(np.uint8)[:] = 0x77
        return array


@pytest.mark.parametrize("arrays", [0, 1, 2])
def test_want_of_memory(arrays, monkeypatch):
    """Of three arrays that grow together some do not."""
    env = VectorEnv(16, "douzero", actions="id", observation="native")
    env.reset(seed=1)
    for _ in range(40):
        env.step(env.sample())
    with monkeypatch.context() as patched:
        patched.setattr(_vector, "np", Scarce(arrays))
        with pytest.raises(MemoryError):
            all(env.reset(seed=seed) for seed in range(200))
    for call in (env.sample, env.legal_ids, lambda: env.step(np.zeros(16, np.int64))):
        with pytest.raises(ddz.PhaseError, match="reset"):
            call()
    env.reset(seed=1)
    check_lists(env)
    env.step(env.sample())


class Interrupted(ThreadPoolExecutor):
    """Ctrl-C comes just when work was handed out, which takes a while."""

    def submit(self, work, *arguments):
        super().submit(lambda: (time.sleep(0.1), work(*arguments)))
        raise KeyboardInterrupt


def test_nothing_goes_on_behind_a_broken_off_step():
    env = VectorEnv(200, "douzero", actions="id", threads=2)
    env.reset(seed=1)
    actions = env.sample()
    env._pool, env._pool_of = Interrupted(2), os.getpid()
    with pytest.raises(KeyboardInterrupt):
        env.step(actions)
    with pytest.raises(ddz.PhaseError, match="reset"):
        env.step(actions)
    env.reset(options={"reset_mask": np.zeros(200, bool)})
    check_lists(env)
    env.step(env.sample())
    env.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_goes_on():
    env = VectorEnv(200, "douzero", threads=2)
    env.reset(seed=1)
    env.step(env.sample())
    context = multiprocessing.get_context("fork")
    process = context.Process(target=lambda: (env.step(env.sample()), env.close()))
    process.start()
    process.join(30)
    hung = process.is_alive()
    process.kill()
    assert not hung
    assert process.exitcode == 0
    env.close()


def test_reading_waits_for_a_step():
    env = VectorEnv(2000, "douzero", actions="id")
    env.reset(seed=1)
    stop = threading.Event()
    errors = []

    def read():
        try:
            while not stop.is_set():
                indptr = env.indptr
                assert len(env.legal_ids()) > 0
                assert env.position(7).legal_moves()
                assert len(env.sample()) == len(indptr) - 1
        except Exception as error:
            errors.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(60):
        indptr, ids = env.indptr, env.legal_ids()
        env.step(ids[indptr[:-1]])
    stop.set()
    reader.join()
    assert errors == []


def test_actions_that_call_the_environment():
    env = VectorEnv(2, "douzero")
    env.reset(seed=1)

    class Actions:
        def __array__(self, dtype=None, copy=None):
            env.reset(seed=2)
            return np.zeros(2, np.int64)

    thread = threading.Thread(target=env.step, args=(Actions(),), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def test_no_copies_of_an_environment():
    env = VectorEnv(2)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another one"):
            copied(env)


def test_a_closed_environment_has_no_threads():
    env = VectorEnv(200, "douzero", threads=2)
    env.reset(seed=1)
    env.close()
    env.close()
    env.step(env.sample())
    assert env._pool is None


def test_views_are_read_only_and_copies_stay():
    env = VectorEnv(2, "douzero", observation="douzero")
    observations, _ = env.reset(seed=1)
    for array in (observations["z"], env.moves, env.rows["landlord"].x):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array[...]
    env = VectorEnv(2, "douzero", observation="douzero", copy=True)
    observations, _ = env.reset(seed=1)
    kept, x = observations["x_no_action"], env.rows["landlord"].x
    before = kept.copy(), x.copy()
    for _ in range(5):
        env.step(env.sample())
    assert np.array_equal(kept, before[0])
    assert np.array_equal(x, before[1])


def test_rewards_of_the_landlord():
    env = VectorEnv(16, "douzero", reward="landlord")
    env.reset(seed=1)
    signs = set()
    for _ in range(300):
        _, rewards, terminated, _, infos = env.step(env.sample())
        assert not rewards[~terminated].any()
        for i in np.flatnonzero(terminated):
            assert rewards[i] == infos["points"][i, infos["ended_landlord"][i]]
            signs.add(np.sign(rewards[i]))
    assert signs == {-1, 1}


def test_spaces():
    env = VectorEnv(3, "standard", observation="native", actions="id")
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert env.action_space.contains(env.sample())
    assert env.single_observation_space["x"].shape == observations["x"].shape[1:]
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.unwrapped is env
    assert "3 games of standard" in repr(env)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    wrapped.step(env.sample())
    env.close()
