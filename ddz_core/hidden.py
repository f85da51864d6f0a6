"""The hands that one seat cannot see, drawn from all that fit what it has seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core.checks import between
from ddz_core.errors import DdzError
from ddz_core.knowledge import Knowledge, knowledge_of
from ddz_core.parallel import as_completed
from ddz_core.seeds import chunk_state, seed_sequence

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.seeds import Seed

    Weight: TypeAlias = Callable[[NDArray[np.uint8]], Any]

__all__ = ["WeightedSample", "sample_hidden", "sample_weighted"]

# Part of the stream's definition: changing it changes every seeded result.
SAMPLES_A_CHUNK = 8192
MAX_SAMPLES = 10**12


def sample_hidden(
    observation: Observation, n: int, seed: Seed = None, *, threads: int | None = 1
) -> NDArray[np.uint8]:
    """Draw hands of all seats that fit what one seat has seen.

    Parameters
    ----------
    observation : Observation
        As `Game.observe` gives it, in any phase.
    n : int
        Number of samples, up to 10**12 and at most what memory holds.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. Samples are cut into chunks of 8192, each with its own
        child sequence: the same seed gives the same samples for any number of threads, on any
        machine. The stream stays the same within a minor version.
    threads : int, optional
        One by default; None for all processors.

    Returns
    -------
    ndarray of uint8, shape (n, seats, 15)
        Cards that each seat holds now, ``3 4 5 6 7 8 9 T J Q K A 2 B R``; the observer's own hand
        is in its place. In the auction they are the hands as dealt, the kitty lying apart.

    Raises
    ------
    DdzError
        `n` or `threads` out of range, or an observation whose fields contradict each other: the
        message names the field.
    TypeError
        A value of the wrong type.
    ValueError
        A negative seed.

    Notes
    -----
    The samples are independent, and uniform over the deals of suited cards that fit:

    - the seat's own cards, as dealt;
    - every play so far, by ranks: players choose ranks, so that the suits which they put down tell
      nothing;
    - how many cards each seat has left;
    - the kitty, where this seat has seen it: the landlord's hand and plays together contain it;
    - the card that was turned face up (002): that of the seat which spoke first;
    - cards that are never dealt (003), and in the auction the kitty, which are among the unseen.

    So hands R of the other seats weigh as many suited deals as lead to them: for each rank
    1 / ((R + P - k)! …), with one factor for each other seat and one for the cards that nobody
    gets, where P counts what the seat has played and k the cards known to have been its own: the
    kitty's, if the seat is the landlord, and the face-up card. Where quads must stay together,
    whoever broke into a rank did not hold four of it.

    Nothing is read into bids, passes or choices of plays, nor into who spoke first where no card
    was turned up (``first_bidder="heart_three"``);
    `sample_weighted` is for that. Samples are exact but for the rounding of double precision.

    Examples
    --------
    >>> from ddz_core.game import Game
    >>> game = Game("standard", seed=1)
    >>> game.bid(3)
    >>> hands = sample_hidden(game.observe(0), 1000, seed=1)
    >>> hands.shape, hands[0].sum(axis=1).tolist()
    ((1000, 3, 15), [20, 17, 17])
    """
    size = _size(n)
    return _drawn(knowledge_of(observation), size, seed_sequence(seed), threads)


def _size(n: object) -> int:
    return between(n, "n", 0, MAX_SAMPLES)


def _drawn(
    knowledge: Knowledge, n: int, sequence: np.random.SeedSequence, threads: int | None
) -> NDArray[np.uint8]:
    hands = np.empty((n, knowledge.observation.rules.players, 15), np.uint8)

    def chunk(index: int) -> None:
        part = hands[index * SAMPLES_A_CHUNK : (index + 1) * SAMPLES_A_CHUNK]
        knowledge.hidden.fill(chunk_state(sequence, index), part)

    for _ in as_completed(chunk, -(-n // SAMPLES_A_CHUNK), threads):
        pass
    return hands


@dataclass(frozen=True, eq=False)  # arrays have no == of a bool
class WeightedSample:
    """Hidden hands with importance weights.

    Attributes
    ----------
    hands : ndarray of uint8, shape (n, seats, 15)
    weights : ndarray of float64, shape (n,)
        Their sum is one, so that ``weights @ values`` is the weighted mean.
    effective_size : float
        Kish's: how many equally weighted samples would be as good, 1 / sum(weights ** 2).
    """

    hands: NDArray[np.uint8]
    weights: NDArray[np.float64]
    effective_size: float


def sample_weighted(
    observation: Observation,
    n: int,
    weight: Weight,
    seed: Seed = None,
    *,
    threads: int | None = 1,
) -> WeightedSample:
    """Draw hidden hands as `sample_hidden` does, weighted by softer evidence.

    Parameters
    ----------
    observation, n, seed, threads
        As in `sample_hidden`.
    weight : callable
        Called once with the hands, an array of shape (n, seats, 15) that it must not change;
        returns n numbers, finite and not negative: how much more likely what was seen is with these
        hands than with others, by any scale.

    Returns
    -------
    WeightedSample

    Raises
    ------
    DdzError
        As in `sample_hidden`; weights of another shape, negative or not finite, or all zero.
    TypeError
        A value of the wrong type, or weights that are no numbers.
    ValueError
        A negative seed.

    Examples
    --------
    Who holds the big joker would have bid, so that a seat which passed has it half as often:

    >>> from ddz_core.game import Game
    >>> game = Game("standard", seed=1)
    >>> game.bid("pass")
    >>> sample = sample_weighted(
    ...     game.observe(1), 1000, lambda hands: 1 - 0.5 * hands[:, 0, 14], seed=1
    ... )
    >>> sample.effective_size < 1000
    True
    """
    if not callable(weight):
        raise TypeError(f"weight must be callable, not {repr(weight)[:80]}")
    hands = sample_hidden(observation, n, seed, threads=threads)
    weights = checked_weights(weight, hands)
    if not len(weights):
        return WeightedSample(hands, weights, 0.0)
    if not weights.any():
        raise DdzError(f"all {len(weights)} weights are zero")
    # By the largest first: their sum could overflow.
    weights /= weights.max()
    weights /= weights.sum()
    return WeightedSample(hands, weights, float(1 / (weights * weights).sum()))


def checked_weights(weight: Weight, hands: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What a weight function says about these hands, as floats of its own."""
    shown = hands.view()
    shown.flags.writeable = False
    given = np.asarray(weight(shown))
    if given.dtype.kind not in "buif":
        raise TypeError(f"weight must return numbers, not an array of {given.dtype}")
    if given.shape != (len(hands),):
        raise DdzError(
            f"weight returned an array of shape {given.shape}; it must be ({len(hands)},)"
        )
    weights = given.astype(np.float64)
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        first = int(wrong.argmax())
        raise DdzError(
            f"weight {first} is {weights[first]}; weights must be finite and not negative"
        )
    return weights
