"""Steps a second of our environments against DouZero's, RLCard's and OpenSpiel's, in one run.

    python benchmarks/envs.py [--seconds 1.5] [--rounds 3] [--games 64 256]

One core, one process, the same policy for all: a uniformly random legal action, and the next game
when one ends. A step is one action of one seat, with the observation that follows it. The
contenders take turns, `--rounds` times each; the best round counts. Those that are not installed
are left out.

The second table is of observations alone: DouZero's `get_obs` and ours of the same moments of the
same random games, all legal moves of each.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ddz_core as ddz
from ddz_core._features import Seen, write_douzero
from ddz_core.envs import VectorEnv
from ddz_core.features import douzero_batch, douzero_features

# A contender does some steps and says how many.
Contender = Callable[[], int]
MOMENTS = 1500


def ours(games: int, observation: str | None, dtype: Any, *, repeat: bool = False) -> Contender:
    """A VectorEnv with this observation; with `repeat` z is repeated for each legal move too."""
    env = VectorEnv(games, "douzero", observation=observation, dtype=dtype)
    env.reset(seed=1)

    def run() -> int:
        for _ in range(16):
            env.step(env.sample())
            if observation == "douzero":
                rows = env.rows
                if repeat:
                    for part in rows.values():
                        part.z_batch  # noqa: B018
        return 16 * games

    return run


def douzero() -> Contender:
    from douzero.env.env import Env  # noqa: PLC0415

    env = Env("adp")
    env.reset()
    rng = random.Random(1)

    def run() -> int:
        for _ in range(50):
            _, _, done, _ = env.step(rng.choice(env.infoset.legal_actions))
            if done:
                env.reset()
        return 50

    return run


def rlcard() -> Contender:
    import rlcard as peer  # noqa: PLC0415

    env = peer.make("doudizhu", config={"seed": 1})
    rng = random.Random(1)
    state = [env.reset()[0]]

    def run() -> int:
        for _ in range(50):
            state[0], _ = env.step(rng.choice(list(state[0]["legal_actions"])))
            if env.is_over():
                state[0] = env.reset()[0]
        return 50

    return run


def openspiel() -> Contender:
    """It has no tensors of this game: states and legal actions alone, the auction included."""
    import pyspiel  # noqa: PLC0415

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)
    states: list[Any] = [None]

    def fresh() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        return state

    states[0] = fresh()

    def run() -> int:
        state = states[0]
        for _ in range(200):
            state.apply_action(rng.choice(state.legal_actions()))
            if state.is_terminal():
                state = fresh()
        states[0] = state
        return 200

    return run


def contenders(sizes: list[int]) -> Iterator[tuple[str, Contender]]:
    for name, make in (("DouZero env", douzero), ("RLCard env", rlcard), ("OpenSpiel", openspiel)):
        try:
            yield name, make()
        except ImportError as error:
            print(f"{name} is left out: {error}")
    for games in sizes:
        yield f"VectorEnv({games}), DouZero float32", ours(games, "douzero", np.float32)
        yield (
            f"VectorEnv({games}), DouZero float32, z a row",
            ours(games, "douzero", np.float32, repeat=True),
        )
        yield f"VectorEnv({games}), DouZero int8", ours(games, "douzero", np.int8)
        yield f"VectorEnv({games}), native int8", ours(games, "native", np.int8)
        yield f"VectorEnv({games}), no features", ours(games, None, np.float32)


def speed(run: Contender, seconds: float) -> float:
    """Steps a second."""
    steps, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        steps += run()
    return steps / passed


def moments() -> tuple[list[ddz.Observation], list[Any]]:
    """The same moments of random games as our observations and as DouZero's infosets."""
    from douzero.env.env import Env  # noqa: PLC0415

    env = Env("adp")
    rng = random.Random(3)
    cards = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)
    observations, infosets = [], []
    for seed in range(40):
        game = ddz.Game("douzero", seed=seed)
        env._env.reset()
        hands = [[cards[rank] for rank in hand] for hand in game.hands]
        names = ("landlord", "landlord_down", "landlord_up")
        data = dict(zip(names, hands, strict=True))
        env._env.card_play_init({**data, "three_landlord_cards": hands[0][:3]})
        env.infoset = env._game_infoset
        while game.phase == "play":
            observations.append(game.observe(game.turn))
            infosets.append(env.infoset)
            # Our move, if DouZero has it too (it has some more).
            known = [sorted(action) for action in env.infoset.legal_actions]
            pairs = [(m, sorted(cards[rank] for rank in m.cards)) for m in game.legal_moves()]
            pairs = [(move, action) for move, action in pairs if action in known]
            move, action = rng.choice(pairs)
            game.play(move)
            env.step(action)
    return observations[:MOMENTS], infosets[:MOMENTS]


def features(seconds: float, rounds: int) -> None:
    from douzero.env.env import get_obs  # noqa: PLC0415

    observations, infosets = moments()
    n = len(observations)
    seen = [Seen(observation) for observation in observations]
    by_role: dict[int, list[int]] = {}
    for i, one in enumerate(seen):
        by_role.setdefault(one.columns, []).append(i)
    groups = []
    for columns, places in by_role.items():
        # A batch as a trainer would have it: some 64 at a time.
        for first in range(0, len(places), 64):
            part = places[first : first + 64]
            moves = [observations[i].legal_moves for i in part]
            rows = sum(map(len, moves))
            groups.append(
                (
                    [seen[i] for i in part],
                    moves,
                    np.empty((rows, columns + 54), np.float32),
                    np.empty((len(part), 5, 162), np.float32),
                    np.empty((rows, 5, 162), np.float32),
                    np.empty((len(part), columns), np.int8),
                )
            )

    def theirs() -> int:
        for infoset in infosets:
            get_obs(infoset)
        return n

    def single() -> int:
        for observation in observations:
            douzero_features(observation)
        return n

    def batch() -> int:
        douzero_batch(observations)
        return n

    def core() -> int:
        for group, moves, x, z, _, head in groups:
            write_douzero(group, moves, x, z, head)
        return n

    def core_repeated() -> int:
        for group, moves, x, _, z, head in groups:
            write_douzero(group, moves, x, z, head)
        return n

    rows = sum(len(observation.legal_moves) for observation in observations)
    print(f"\n{n} moments of random games, {rows / n:.1f} legal moves each")
    table(
        [
            ("DouZero get_obs", theirs),
            ("douzero_features, one at a time", single),
            ("douzero_batch of Observations", batch),
            ("the core, 64 at a time", core),
            ("the core, 64 at a time, z a row", core_repeated),
        ],
        seconds,
        rounds,
        "observations/s",
        ("DouZero get_obs",),
    )


def table(
    runs: list[tuple[str, Contender]],
    seconds: float,
    rounds: int,
    unit: str,
    peers: tuple[str, ...],
) -> None:
    best = dict.fromkeys((name for name, _ in runs), 0.0)
    for _, run in runs:
        speed(run, min(seconds, 0.2))
    for _ in range(rounds):
        for name, run in runs:
            best[name] = max(best[name], speed(run, seconds))
    there = [peer for peer in peers if peer in best]
    print(f"{'':44}{unit:>16}" + "".join(f"{'x ' + peer:>18}" for peer in there))
    for name, rate in best.items():
        ratios = "".join(f"{rate / best[peer]:>18,.1f}" for peer in there)
        print(f"{name:44}{rate:>16,.0f}{ratios}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, nargs="+", default=[64, 256])
    arguments = parser.parse_args()
    np.random.seed(1)  # noqa: NPY002 (DouZero deals from it)
    table(
        list(contenders(arguments.games)),
        arguments.seconds,
        arguments.rounds,
        "steps/s",
        ("DouZero env", "RLCard env", "OpenSpiel"),
    )
    try:
        features(arguments.seconds, arguments.rounds)
    except ImportError as error:
        print(f"DouZero's get_obs is left out: {error}")


if __name__ == "__main__":
    main()
