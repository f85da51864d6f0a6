"""A linear value of moves, learnt from many games at once by VectorEnv.

Every seat plays the move of the highest value, mostly; after each game the weights of its moves are
drawn towards what its side won. Landlord and peasants have weights of their own. At the end the
landlord that was learnt plays against random peasants, and a random landlord too.
"""

from __future__ import annotations

import argparse

import numpy as np

from ddz_core.envs import VectorEnv
from ddz_core.features import POSITIONS

COLUMNS = {"landlord": 373, "landlord_down": 484, "landlord_up": 484}


def choose(env, weights, epsilon, rng, greedy=POSITIONS):
    """For each game an action, and the row of features that stands for it."""
    actions = env.sample()
    chosen = [None] * env.num_envs
    for position, rows in env.rows.items():
        values = rows.x @ weights[position]
        for place, game in enumerate(rows.games):
            low, high = rows.indptr[place], rows.indptr[place + 1]
            if position in greedy and rng.random() >= epsilon:
                actions[game] = np.argmax(values[low:high])
            chosen[game] = (position, rows.x[low + actions[game]].copy())
    return actions, chosen


def train(games, steps, rng, rate=0.01, epsilon=0.1):
    """Weights of each position."""
    env = VectorEnv(games, "douzero", observation="douzero")
    env.reset(seed=int(rng.integers(2**31)))
    weights = {position: np.zeros(columns, np.float32) for position, columns in COLUMNS.items()}
    history = [[] for _ in range(games)]
    for _ in range(steps):
        actions, chosen = choose(env, weights, epsilon, rng)
        for game, row in enumerate(chosen):
            history[game].append(row)
        _, _, ended, _, infos = env.step(actions)
        for game in np.flatnonzero(ended):
            won = np.sign(infos["points"][game, 0])
            for position, row in history[game]:
                target = won if position == "landlord" else -won
                error = target - row @ weights[position]
                weights[position] += rate * error * row / np.sqrt(len(row))
            history[game].clear()
    return weights


def landlord_wins(weights, games, rng, greedy):
    """The share of games that the landlord wins when these positions play what was learnt."""
    env = VectorEnv(64, "douzero", observation="douzero")
    env.reset(seed=int(rng.integers(2**31)))
    won = played = 0
    while played < games:
        actions, _ = choose(env, weights, 0.0, rng, greedy)
        _, _, ended, _, infos = env.step(actions)
        won += int((infos["points"][ended, 0] > 0).sum())
        played += int(ended.sum())
    return won / played


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=64, help="at once")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--test", type=int, default=500, help="games to test with")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    weights = train(options.games, options.steps, rng)
    for name, greedy in (("random", ()), ("linear", ("landlord",))):
        share = landlord_wins(weights, options.test, rng, greedy)
        print(f"a {name} landlord wins {share:.0%} against random peasants")


if __name__ == "__main__":
    main()
