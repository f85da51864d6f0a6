"""Means of samples, and how far they may be off."""

from __future__ import annotations

import math
from typing import NamedTuple

from ddz_core._values import integer
from ddz_core.checks import number
from ddz_core.errors import DdzError

__all__ = ["Estimate", "Rate", "estimate", "normal_quantile", "rate", "wilson"]


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


class Rate(NamedTuple):
    """How often something happens: a sample mean of zeros and ones.

    Attributes
    ----------
    mean : float
        The share of games; NaN below one game.
    se : float
        Standard error; NaN below two games.
    n : float
        Of how many games; where they have weights, the effective number.
    """

    mean: float
    se: float
    n: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's score interval, which is right for rare events too.

        Parameters
        ----------
        confidence : float
            Between 0 and 1.

        Returns
        -------
        tuple of float
            Lower and upper bound; NaN where there are no games.

        Raises
        ------
        DdzError
            `confidence` out of its range.
        TypeError
            `confidence` is no number.
        """
        return _wilson(self.mean, self.n, normal_quantile(confidence))


def rate(events: int, n: int) -> Rate:
    """The rate of something that happened `events` times in `n`."""
    return Rate(*estimate(n, events, events), n)


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
    confidence = number(confidence, "confidence")
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
    return _wilson(wins / n if n else math.nan, n, normal_quantile(confidence))


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    if not n > 0:
        return (math.nan, math.nan)
    slack = z * z / n
    centre = share + slack / 2
    half = math.sqrt(slack * (share * (1 - share) + slack / 4))
    # What never happened may have no chance, and what always did may be certain: exactly.
    low = 0.0 if share <= 0 else max(0.0, (centre - half) / (1 + slack))
    high = 1.0 if share >= 1 else min(1.0, (centre + half) / (1 + slack))
    return (low, high)
