"""Steps a second of the PettingZoo environment against RLCard's, in one run.

    python benchmarks/pettingzoo_env.py [--seconds 2] [--rounds 3]

One core, one process, the same policy for all: a uniformly random legal action, and the next game
when one ends. A step is one action with the observation that follows it. The contenders take
turns, `--rounds` times each; the best round counts, and ratios are to RLCard's own environment. In
the row "from the mask" the policy looks for the legal actions in the int8 mask, as PettingZoo's own
performance benchmark does, which takes longer than the environment; else it takes them from the
info. RLCard is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ddz_core.envs.pettingzoo import env, raw_env
from ddz_core.interop import douzero
from ddz_core.interop import rlcard as ours

# A contender does some steps and says how many.
Contender = Callable[[], int]
STEPS = 200


def aec(make: Callable[..., Any], *, mask: bool = False, **settings: Any) -> Contender:
    """A PettingZoo environment, by its own loop."""
    table = make("standard", **settings)
    table.reset(seed=1)
    draw = random.Random(1).random

    def run() -> int:
        for _ in range(STEPS):
            seen, _, over, _, info = table.last()
            if over:
                table.reset()
                continue
            legal = np.flatnonzero(seen["action_mask"]) if mask else info["legal_actions"]
            table.step(int(legal[int(draw() * len(legal))]))
        return STEPS

    return run


def rlcard(make: Callable[..., Any]) -> Contender:
    """RLCard's environment, or ours in its stead."""
    table = make("doudizhu", {"seed": 1, "allow_step_back": False})
    state, _ = table.reset()
    draw = random.Random(1).random

    def run() -> int:
        nonlocal state
        for _ in range(STEPS):
            legal = list(state["legal_actions"])
            state, _ = table.step(legal[int(draw() * len(legal))])
            if table.is_over():
                state, _ = table.reset()
        return STEPS

    return run


def actor() -> Contender:
    """Our environment in DouZero's stead."""
    table = douzero.Env("adp", np.random.default_rng(1))
    seen = table.reset()
    draw = random.Random(1).random

    def run() -> int:
        nonlocal seen
        for _ in range(STEPS):
            legal = seen["legal_actions"]
            seen, _, done, _ = table.step(legal[int(draw() * len(legal))])
            if done:
                seen = table.reset()
        return STEPS

    return run


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    contenders: dict[str, Contender] = {
        "ddz_core raw_env()": aec(raw_env),
        "ddz_core env()": aec(env),
        "ddz_core env(), auction": aec(env, auction=True),
        "ddz_core env(), from the mask": aec(env, mask=True),
        "ddz_core.interop.rlcard": rlcard(ours.make),
        "ddz_core.interop.douzero": actor(),
    }
    reference = "RLCard env"
    try:
        import rlcard as theirs  # noqa: PLC0415

        contenders[reference] = rlcard(theirs.make)
    except ImportError:
        print("RLCard is not installed: no ratios")
    best = dict.fromkeys(contenders, 0.0)
    for run in contenders.values():
        run()
    for _ in range(options.rounds):
        for name, run in contenders.items():
            start = time.process_time()
            steps = 0
            while (spent := time.process_time() - start) < options.seconds:
                steps += run()
            best[name] = max(best[name], steps / spent)
    print(f"{'environment':32}{'steps/s':>10}{'ratio':>8}")
    for name, rate in best.items():
        ratio = f"{rate / best[reference]:8.1f}" if reference in best else ""
        print(f"{name:32}{rate:10,.0f}{ratio}")


if __name__ == "__main__":
    main()
