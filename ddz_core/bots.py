"""Three opponents of different strength, ready to play: each is a `Policy` that also bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.auction import Bid
from ddz_core.checks import between, instance
from ddz_core.evaluate import evaluate_bid, evaluate_moves
from ddz_core.observation import Observation
from ddz_core.policies import BuiltIn

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ddz_core._values import MoveList

__all__ = ["Easy", "Normal", "Strong"]

MOST_SAMPLES = 10**6
# Standard errors by which the best move must lead before fewer samples are enough.
CLEAR = 4.0


class Easy(BuiltIn):
    """Plays its hand in as few turns as it can and looks at nobody else: ``"greedy"``."""

    def __init__(self) -> None:
        super().__init__("greedy")

    def __reduce__(self) -> tuple[type[Easy], tuple[()]]:  # type: ignore[override]
        return Easy, ()


class Normal(BuiltIn):
    """Plays by rules of thumb, counts cards and works with its partner: ``"rule"``."""

    def __init__(self) -> None:
        super().__init__("rule")

    def __reduce__(self) -> tuple[type[Normal], tuple[()]]:  # type: ignore[override]
        return Normal, ()


class Strong:
    """Tries every move, and every bid, on hidden hands that fit what it has seen.

    Parameters
    ----------
    samples : int
        Hidden hands for each decision, 1 … 10**6; fewer where the best move is clear before.

    Raises
    ------
    DdzError
        `samples` out of range.
    TypeError
        `samples` is no integer.

    Notes
    -----
    `evaluate_moves` and `evaluate_bid` with ``"rule"`` playing the games out, seeded by the
    generator that it is called with: the same generator gives the same game.
    """

    def __init__(self, samples: int = 256) -> None:
        self.samples = between(samples, "samples", 1, MOST_SAMPLES)

    @property
    def name(self) -> str:
        """What results call it."""
        return f"strong({self.samples})"

    def __call__(self, observation: Observation, moves: MoveList, rng: np.random.Generator) -> int:
        """The index of the move that brings most points."""
        if len(moves) == 1:
            return 0
        found = evaluate_moves(observation, self.samples, seed=rng, stop_at=CLEAR, threads=1)
        return moves.index(found.best)

    def bid(self, observation: Observation, bids: Sequence[Bid], rng: np.random.Generator) -> int:
        """The index of the bid that brings most points against passing."""
        instance(observation, Observation, "observation")
        if len(bids) == 1:
            return 0
        found = evaluate_bid(
            observation.hand,
            observation.rules,
            self.samples,
            seed=rng,
            robs=observation.robs,
            threads=1,
        )
        # Where bids are no numbers, the rules say what stands.
        standing = None if observation.rules.auction == "call_rob" else observation.base
        gains = [0.0 if bid is Bid.PASS else found.gain(bid, standing).mean for bid in bids]
        return max(range(len(bids)), key=gains.__getitem__)
