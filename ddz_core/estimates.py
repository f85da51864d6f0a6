"""Means of samples, and how far they may be off."""

from __future__ import annotations

import math
from numbers import Real
from typing import NamedTuple

from ddz_core._values import integer
from ddz_core.errors import DdzError

__all__ = ["Estimate", "estimate", "normal_quantile", "wilson"]


class Estimate(NamedTuple):
    """A sample mean and its standard error.

    Attributes
    ----------
    mean : float
        NaN below one game.
    se : float
        NaN below two games.
    """

    mean: float
    se: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The normal approximation's interval for the mean.

        Parameters
        ----------
        confidence : float
            Between 0 and 1.

        Returns
        -------
        tuple of float
            Lower and upper bound; NaN where the standard error is.

        Raises
        ------
        DdzError
            `confidence` out of its range.
        TypeError
            `confidence` is no number.
        """
        half = normal_quantile(confidence) * self.se
        return (self.mean - half, self.mean + half)


def estimate(n: int, total: int, squares: int) -> Estimate:
    """The mean of `n` whole numbers with this sum and this sum of squares."""
    if n < 1:
        return Estimate(math.nan, math.nan)
    if n < 2:
        return Estimate(total / n, math.nan)
    # Whole numbers until the division: no rounding builds up over 10**12 games.
    return Estimate(total / n, math.sqrt((n * squares - total * total) / (n * n * (n - 1))))


def normal_quantile(confidence: float) -> float:
    """Standard errors on either side of the mean that hold this share of a normal distribution."""
    if isinstance(confidence, bool) or not isinstance(confidence, Real):
        raise TypeError(f"confidence must be a number, not {repr(confidence)[:80]}")
    if not 0 < (1 + confidence) / 2 < 1 or confidence <= 0:
        raise DdzError(f"confidence is {confidence}; it must be between 0 and 1")
    from statistics import NormalDist  # noqa: PLC0415 (slow to import)

    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(wins: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for the rate of something that happened `wins` times in `n`.

    NaN where `n` is 0; DdzError and TypeError about what is no count or no confidence.
    """
    wins = integer(wins, "wins")
    if not 0 <= wins <= n:
        raise DdzError(f"wins is {wins}; it must be 0 … {n}")
    z = normal_quantile(confidence)
    if not n:
        return (math.nan, math.nan)
    centre = (wins + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(wins * (n - wins) / n + z * z / 4)
    return (max(0.0, centre - half), min(1.0, centre + half))
