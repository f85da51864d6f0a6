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
