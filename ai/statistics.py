"""Statistics of matches: win shares with intervals, Elo, and a sequential test.

Matches of one deal are not independent (the same cards, seats rotated), so the deal is the unit: every estimate is a mean over
deals of each deal's mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, variance

#: The 97.5 % point of the normal distribution: two-sided 95 %.
_Z = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % confidence interval.

    Attributes:
        value: the estimate.
        low, high: the ends.
    """

    value: float
    low: float
    high: float

    def map(self, function: Callable[[float], float]) -> Interval:
        """Return the interval under a rising function."""
        return Interval(function(self.value), function(self.low), function(self.high))


def quantile(freedom: int) -> float:
    """Return the 97.5 % point of Student's t (Cornish-Fisher expansion, Abramowitz & Stegun 26.7.5)."""
    z, v = _Z, freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / v + g2 / v**2 + g3 / v**3 + g4 / v**4


def share(deals: Sequence[float]) -> Interval:
    """Return the mean of a share of 0..1 over deals, with Wilson's interval at the effective number of matches.

    The effective number is that of independent matches with the same variance of the mean (Korn & Graubard 1998, Survey
    Methodology 24); without any variance, the number of deals. Unlike the plain normal interval it stays within 0..1.

    Args:
        deals: each deal's mean.

    Raises:
        ValueError: no deal.
    """
    if not deals:
        raise ValueError("an interval needs at least one deal")
    n, mean = len(deals), fmean(deals)
    if n == 1:
        return Interval(mean, 0.0, 1.0)
    spread = variance(deals) / n
    effective = mean * (1 - mean) / spread if spread > 0 and 0 < mean < 1 else n
    t2 = quantile(n - 1) ** 2
    middle = (mean + t2 / (2 * effective)) / (1 + t2 / effective)
    half = math.sqrt(t2 * (mean * (1 - mean) / effective + t2 / (4 * effective**2))) / (1 + t2 / effective)
    return Interval(mean, max(0.0, middle - half), min(1.0, middle + half))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Interval:
    """Return the sum of parts as a share of the sum of wholes, deal by deal, with its interval as in `share`.

    A ratio of means is nearly linear around its value: the deals' residuals give its variance (Cochran 1977, Sampling
    Techniques, 6.3).

    Args:
        parts: each deal's part, from 0 to its whole.
        wholes: each deal's whole, 0..1.

    Raises:
        ValueError: no deal.
    """
    if not any(wholes):
        return Interval(0.5, 0.0, 1.0) if wholes else share([])
    mean = fmean(wholes)
    value = fmean(parts) / mean
    return share([value + (part - value * whole) / mean for part, whole in zip(parts, wholes, strict=True)])


def elo(score: float) -> float:
    """Return the Elo difference that makes a score of 0..1 expected; at most 1200 either way."""
    if score <= 0:
        return -1200.0
    if score >= 1:
        return 1200.0
    return max(-1200.0, min(1200.0, 400 * math.log10(score / (1 - score))))


def score_of(difference: float) -> float:
    """Return the expected score of whoever is so many Elo points ahead."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two Elo differences (generalised SPRT on deals' means; Van den Bergh, as chess engines use it).

    Attributes:
        low, high: the Elo differences of the two hypotheses.
        error: the chance of either wrong decision.
    """

    low: float
    high: float
    error: float = 0.05

    def likelihood(self, deals: Sequence[float]) -> float:
        """Return the log-likelihood ratio of `high` over `low` so far; 0 while there is too little to judge by."""
        if len(deals) < 2:
            return 0.0
        spread = variance(deals)
        if spread == 0:
            return 0.0
        s0, s1 = score_of(self.low), score_of(self.high)
        return len(deals) * (s1 - s0) * (2 * fmean(deals) - s0 - s1) / (2 * spread)

    def verdict(self, deals: Sequence[float]) -> str | None:
        """Return "high" or "low" once it is decided, else None."""
        bound = math.log((1 - self.error) / self.error)
        ratio = self.likelihood(deals)
        if ratio >= bound:
            return "high"
        return "low" if ratio <= -bound else None
