"""Policies and runs that the tests of simulate share; importable from other processes."""

from __future__ import annotations

import time
from pathlib import Path

import ddz_core as ddz


def shortest(observation, moves, rng):
    """The first move that is not a pass, if there is one."""
    return min(1, len(moves) - 1) if observation.last is not None else 0


class Drawn:
    """Draws its moves, and bids at random too."""

    name = "drawn"

    def __call__(self, observation, moves, rng):
        assert observation.turn == observation.seat
        assert observation.legal_moves == moves
        return int(rng.integers(len(moves)))

    def bid(self, observation, bids, rng):
        assert observation.legal_bids == bids
        return int(rng.integers(len(bids)))


class Network:
    """Is asked about many positions at once, and remembers how many."""

    def __init__(self):
        self.sizes = []

    def __call__(self, observation, moves, rng):
        raise AssertionError("a batched policy is asked in batches")

    def batch(self, observations, moves, rng):
        self.sizes.append(len(observations))
        return [int(index) for index in rng.integers([len(one) for one in moves])]


class Slow:
    """Takes its time."""

    name = "slow"

    def __init__(self, seconds, size=0):
        self.seconds = seconds
        self.weights = b"x" * size

    def __call__(self, observation, moves, rng):
        time.sleep(self.seconds)
        return len(moves) - 1


class Deadly:
    """Kills its own process, once, as often as files in a folder say."""

    name = "deadly"

    def __init__(self, folder: Path, times: int):
        self.folder = folder
        self.times = times

    def __call__(self, observation, moves, rng):
        import os  # noqa: PLC0415
        import signal  # noqa: PLC0415

        for attempt in range(self.times):
            try:
                (self.folder / f"death-{attempt}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return 0


class First:
    """What `Deadly` does when it does not kill."""

    name = "deadly"

    def __call__(self, observation, moves, rng):
        return 0


def interrupting(observation, moves, rng):
    """Raises what only Ctrl-C should."""
    raise KeyboardInterrupt


class Silent:
    """Never bids."""

    def __call__(self, observation, moves, rng):
        return 0

    def bid(self, observation, bids, rng):
        return 0


class Wrong:
    """Answers what is no index."""

    def __init__(self, answer):
        self.answer = answer

    def __call__(self, observation, moves, rng):
        return self.answer


class Bidding(Wrong):
    """Bids what is no index either."""

    def bid(self, observation, bids, rng):
        return self.answer


RULES = [*ddz.Rules.preset_names()]
