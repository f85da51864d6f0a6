"""DouZero's acting loop with a dummy network, on ddz_core's environment.

What its ``dmc`` actor does between two learner steps, without torch: play, keep ``x_no_action``,
``z`` and the action of each position, and hand over a buffer of a position when it is full. With
DouZero and torch installed its own ``act`` runs unchanged, by one line before it is called:

    douzero.dmc.utils.Env = ddz_core.interop.douzero.Env
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from ddz_core.interop.douzero import POSITIONS, Env

# from douzero.env import Env        <- the one line that changes


class DummyNetwork:
    """Random weights, one layer: the shapes that DouZero's networks take."""

    def __init__(self, rng):
        self.x = {position: rng.normal(size=373 if position == "landlord" else 484)
                  for position in POSITIONS}  # fmt: skip
        self.z = rng.normal(size=(5, 162))

    def act(self, position, obs):
        """The place of the action of the highest value."""
        values = obs["x_batch"] @ self.x[position] + (obs["z_batch"] * self.z).sum(axis=(1, 2))
        return int(np.argmax(values))


def act(env, network, steps, unroll):
    """Full buffers of each position, as they come."""
    held = {position: [] for position in POSITIONS}
    obs = env.reset()
    start = dict.fromkeys(POSITIONS, 0)
    for _ in range(steps):
        position = obs["position"]
        action = obs["legal_actions"][network.act(position, obs)]
        held[position].append({"x": obs["x_no_action"], "z": obs["z"], "action": action})
        obs, reward, done, _ = env.step(action)
        if not done:
            continue
        for name, rows in held.items():
            for row in rows[start[name] :]:
                row["target"] = reward if name == "landlord" else -reward
            while len(rows) >= unroll:
                yield name, rows[:unroll]
                del rows[:unroll]
            start[name] = len(rows)
        obs = env.reset()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--unroll", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    start = time.perf_counter()
    buffers = dict.fromkeys(POSITIONS, 0)
    for position, rows in act(Env("adp", rng), DummyNetwork(rng), options.steps, options.unroll):
        assert len(rows) == options.unroll
        buffers[position] += 1
    rate = options.steps / (time.perf_counter() - start)
    print(f"{options.steps} steps, {rate:,.0f} a second; full buffers: {buffers}")


if __name__ == "__main__":
    main()
