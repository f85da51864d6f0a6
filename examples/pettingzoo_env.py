"""A linear value of actions, learnt in PettingZoo's AEC loop.

The value of an action is a weight for each card that it plays and for how many these are; each of
the seats has its own weights, which are drawn towards the seat's points after each game.
"""

from __future__ import annotations

import argparse

import numpy as np

from ddz_core.envs.pettingzoo import env as make


def features(env):
    """A row of numbers for each action: the cards of each rank, how many, and whether it passes."""
    moves = env.actions.moves.array
    counts = (moves["cards"][:, None] >> np.arange(0, 60, 4, dtype=np.uint64)) & np.uint64(15)
    total = counts.sum(axis=1, keepdims=True)
    return np.hstack([counts / 4, total / 20, total == 0]).astype(np.float32)


def play(env, rows, weights, *, epsilon, rng, learners):
    """One game; each agent's (row of its action)s, and its points."""
    env.reset(seed=int(rng.integers(2**31)))
    taken = {agent: [] for agent in env.possible_agents}
    points = {}
    for agent in env.agent_iter():
        _, reward, over, _, info = env.last()
        if over:
            points[agent] = reward
            env.step(None)
            continue
        legal = info["legal_actions"]
        if agent in learners and rng.random() >= epsilon:
            action = legal[np.argmax(rows[legal] @ weights[agent])]
        else:
            action = rng.choice(legal)
        taken[agent].append(rows[action])
        env.step(int(action))
    return taken, points


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--test", type=int, default=500)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    env = make(options.rules, rewards="win")
    rows = features(env)
    weights = {agent: np.zeros(rows.shape[1], np.float32) for agent in env.possible_agents}
    for _ in range(options.games):
        taken, points = play(env, rows, weights, epsilon=0.2, rng=rng, learners=env.possible_agents)
        for agent, played in taken.items():
            for row in played:
                weights[agent] += 0.01 * (points[agent] - row @ weights[agent]) * row
    for name, learners in (("random", ()), ("linear", ("player_0",))):
        won = sum(
            play(env, rows, weights, epsilon=0, rng=rng, learners=learners)[1]["player_0"] > 0
            for _ in range(options.test)
        )
        print(f"a {name} landlord wins {won / options.test:.0%} against random peasants")


if __name__ == "__main__":
    main()
