"""Card layouts that several programs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["unary"]

# For 0 … 4 cards of a rank, as many ones.
UNARY = np.tri(5, 4, -1, dtype=np.int8)


def unary(counts: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Card counts as RLCard and DouZero write them: four places a rank, filled from the first, and
    one for each joker.

    Parameters
    ----------
    counts : ndarray of uint8, shape (…, 15)

    Returns
    -------
    ndarray of int8, shape (…, 54)
    """
    cards = np.empty((*counts.shape[:-1], 54), np.int8)
    cards[..., :52] = UNARY[counts[..., :13]].reshape(*counts.shape[:-1], 52)
    cards[..., 52:] = counts[..., 13:]
    return cards


def reading_keys(moves: NDArray[np.void]) -> NDArray[np.uint64]:
    """A number for each move of one pack, different for different moves.

    Parameters
    ----------
    moves : structured ndarray

    Notes
    -----
    With one pack the jokers' counts leave the bits 53 … 55 and 57 … 63 of the cards unused: kind,
    cards and number of cards fix the chain length, and kind and rank fit in there.
    """
    kind = moves["kind"].astype(np.uint64)
    rank = np.where(kind > 0, moves["rank"], 0).astype(np.uint64)
    low, high = rank & np.uint64(7), rank >> np.uint64(3)
    cards: NDArray[np.uint64] = moves["cards"]
    keys: NDArray[np.uint64] = (
        cards | low << np.uint64(53) | kind << np.uint64(57) | high << np.uint64(62)
    )
    return keys
