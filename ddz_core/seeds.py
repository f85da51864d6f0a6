"""Seeds as users of NumPy expect them, cut into one child a chunk of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core.errors import DdzError

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

__all__ = ["child", "chunk_state", "plain_entropy", "seed_sequence"]

# Larger numbers than this are refused: results could not be written down. Python reads and writes
# numbers of fewer digits under every setting of its limit.
MOST_BITS = 2048
# The time that a pool takes grows with the square of its size.
MOST_POOL = 256


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    """The seed sequence of what users of `numpy.random.default_rng` give it.

    A Generator or BitGenerator gives words of its stream, so that it moves on and two calls differ;
    a SeedSequence is used as it is, so that two calls agree. None asks the operating system.

    Raises
    ------
    DdzError
        A number of 2**2048 or more.
    TypeError, ValueError
        No seed.
    """
    if isinstance(seed, (bool, np.bool_)):
        raise TypeError(f"seed must be no bool, but it is {seed!r}")
    if isinstance(seed, np.random.SeedSequence):
        _check_size((plain_entropy(seed), seed.spawn_key))
        if seed.pool_size > MOST_POOL:
            raise DdzError(f"seed has a pool_size of {seed.pool_size}; at most {MOST_POOL} is read")
        return seed
    if isinstance(seed, np.random.BitGenerator):
        seed = np.random.Generator(seed)
    if isinstance(seed, np.random.Generator):
        return np.random.SeedSequence(seed.integers(0, 2**32, size=8, dtype=np.uint32).tolist())
    if isinstance(seed, np.ndarray):
        seed = seed.tolist()
    _check_size(seed)
    try:
        return np.random.SeedSequence(_flat(seed) if isinstance(seed, (list, tuple)) else seed)
    except (TypeError, ValueError, RecursionError) as error:
        kind = ValueError if isinstance(error, RecursionError) else type(error)
        raise kind(
            f"seed must be None, a non-negative int or sequence of them, a SeedSequence, a "
            f"BitGenerator or a Generator, not {_brief(seed)}"
        ) from error


def plain_entropy(sequence: np.random.SeedSequence) -> int | tuple[int, ...]:
    """A seed sequence's entropy as Python's own numbers, nested sequences in one; it makes the same
    sequence."""
    entropy: Any = sequence.entropy
    if not isinstance(entropy, (list, tuple, range, np.ndarray)):
        return int(entropy)
    return tuple(_number(word) for word in _flat(entropy))


def _number(word: Any) -> int:
    return int(word, 16 if word.startswith("0x") else 10) if isinstance(word, str) else int(word)


def _flat(words: Any) -> list[Any]:
    """All words of a sequence of sequences, in order, as NumPy reads it."""
    if isinstance(words, np.ndarray):
        words = words.tolist()
    found = []
    for word in words:
        found += _flat(word) if isinstance(word, (list, tuple, range, np.ndarray)) else [word]
    return found


def _check_size(seed: Any) -> None:
    words = _flat(seed) if isinstance(seed, (list, tuple)) else [seed]
    if any(isinstance(word, int) and word.bit_length() > MOST_BITS for word in words):
        raise DdzError(f"seed must be below 2**{MOST_BITS}; several numbers may be given in a list")


def _brief(seed: object) -> str:
    try:
        return repr(seed)[:80]
    except (RecursionError, ValueError):
        return f"a {type(seed).__name__}"


def child(sequence: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A child by its key, without counting it as spawned."""
    return np.random.SeedSequence(
        sequence.entropy, spawn_key=(*sequence.spawn_key, *key), pool_size=sequence.pool_size
    )


def chunk_state(sequence: np.random.SeedSequence, chunk: int) -> NDArray[np.uint64]:
    """The core generator's state for one chunk: four words of the sequence's child `chunk`."""
    return np.asarray(child(sequence, chunk).generate_state(4, np.uint64), np.uint64)
