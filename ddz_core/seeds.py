"""Seeds as users of NumPy expect them, cut into one child a chunk of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

# numpy loads numpy.random when it is first used, and so do we.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Seed: TypeAlias = (
        int
        | Sequence[int]
        | np.random.SeedSequence
        | np.random.BitGenerator
        | np.random.Generator
        | None
    )

__all__ = ["chunk_state", "seed_sequence"]


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    """The seed sequence of what users of `numpy.random.default_rng` give it.

    A Generator or BitGenerator gives words of its stream, so that it moves on and two calls differ;
    a SeedSequence is used as it is, so that two calls agree. None asks the operating system.
    """
    if isinstance(seed, (bool, np.bool_)):
        raise TypeError(f"seed must be no bool, but it is {seed!r}")
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, np.random.BitGenerator):
        seed = np.random.Generator(seed)
    if isinstance(seed, np.random.Generator):
        return np.random.SeedSequence(seed.integers(0, 2**32, size=8, dtype=np.uint32).tolist())
    try:
        return np.random.SeedSequence(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"seed must be None, a non-negative int or sequence of them, a SeedSequence, a "
            f"BitGenerator or a Generator, not {repr(seed)[:80]}"
        ) from error


def chunk_state(sequence: np.random.SeedSequence, chunk: int) -> NDArray[np.uint64]:
    """The core generator's state for one chunk: four words of the sequence's child `chunk`."""
    child = np.random.SeedSequence(
        sequence.entropy,
        spawn_key=(*sequence.spawn_key, chunk),
        pool_size=sequence.pool_size,
    )
    return np.asarray(child.generate_state(4, np.uint64), np.uint64)
