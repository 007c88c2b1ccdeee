"""What a sample of games says, with its uncertainty."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054  # the normal quantile of 97.5 %

Interval = tuple[float, float]


def wilson_interval(successes: int, trials: int) -> Interval:
    """Return the 95 % confidence interval of a proportion (Wilson 1927), good also near 0 and 1.

    >>> [round(bound, 4) for bound in wilson_interval(0, 100)]
    [0.0, 0.037]
    """
    if trials == 0:
        return (0.0, 1.0)
    share = successes / trials
    spread = Z95 * sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    centre = share + Z95**2 / (2 * trials)
    scale = 1 + Z95**2 / trials
    # At 0 and at all successes the bounds are exact; rounding must not move them.
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return (low, high)


def mean_and_sd(histogram: tuple[int, ...]) -> tuple[float, float]:
    """Return mean and sample standard deviation of scores 0, 1, …, each occurring so many times.

    The sums are exact integers, so the result does not depend on how the games were split up.

    >>> mean_and_sd((1, 0, 1))
    (1.0, 1.4142135623730951)
    """
    count = sum(histogram)
    if count == 0:
        return (0.0, 0.0)
    total = sum(score * times for score, times in enumerate(histogram))
    squares = sum(score * score * times for score, times in enumerate(histogram))
    variance = (squares * count - total * total) / (count * (count - 1)) if count > 1 else 0.0
    return (total / count, sqrt(variance))


def deal_mean_interval(total: int, deal_squares: int, deals: int, repeat: int) -> Interval:
    """Return the 95 % confidence interval of a mean score over deals that were played `repeat` times each.

    The deals are the sample: their average scores have the variance (Σ S² − (Σ S)² / n) / (n − 1) / repeat², with S the
    sum of a deal's scores. With one repeat this is `mean_interval`.

    >>> deal_mean_interval(total=4, deal_squares=8, deals=2, repeat=2)
    (1.0, 1.0)
    """
    variance = (deal_squares * deals - total * total) / (deals * (deals - 1)) / repeat**2 if deals > 1 else 0.0
    return mean_interval(total / (deals * repeat), sqrt(variance), deals)


def mean_interval(mean: float, sd: float, count: int) -> Interval:
    """Return the 95 % confidence interval of a mean."""
    half = Z95 * sd / sqrt(count) if count else 0.0
    return (mean - half, mean + half)
