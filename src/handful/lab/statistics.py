"""What a sample of games says, with its uncertainty: intervals of 95 % confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handful.lab.games import Tally

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


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of many games, which all results have. `histogram[s]` of them scored s."""

    games: int
    mean: float
    sd: float
    mean_ci95: Interval
    perfect: float
    perfect_ci95: Interval
    strikeouts: int
    min: int
    max: int
    turns: float
    histogram: tuple[int, ...] = field(repr=False)


def figures_of(tally: Tally, repeat: int) -> dict[str, Any]:
    """Return the figures of at least one game, by the names that results have for them.

    >>> from handful.lab.games import Tally
    >>> figures_of(Tally((0, 1, 3), strikeouts=0, turns=20, cpu_seconds=0.5, deal_squares=13), repeat=1)["perfect"]
    0.75
    """
    games = sum(tally.histogram)
    mean, sd = mean_and_sd(tally.histogram)
    total = sum(score * times for score, times in enumerate(tally.histogram))
    scored = [score for score, times in enumerate(tally.histogram) if times]
    perfect = tally.histogram[-1]
    return {
        "games": games,
        "mean": mean,
        "sd": sd,
        "mean_ci95": deal_mean_interval(total, tally.deal_squares, games // repeat, repeat),
        "perfect": perfect / games,
        "perfect_ci95": wilson_interval(perfect, games),
        "strikeouts": tally.strikeouts,
        "min": scored[0],
        "max": scored[-1],
        "turns": tally.turns / games,
        "histogram": tally.histogram,
        "cpu_seconds": tally.cpu_seconds,
    }


# Two bots on the same deals


@dataclass(frozen=True)
class Differences:
    """Sums over deals: of a difference and of its square. Whole numbers, so that they add up in any order."""

    total: int = 0
    squares: int = 0

    def __add__(self, other: Differences) -> Differences:
        return Differences(self.total + other.total, self.squares + other.squares)

    def mean(self, deals: int, repeat: int) -> float:
        """Return the mean difference a game. Each deal's difference is a sum over its repeats."""
        return self.total / (deals * repeat)

    def mean_interval(self, deals: int, repeat: int) -> Interval:
        """Return the interval of the mean difference a game: normal, from the spread between deals.

        With the differences d_1, …, d_n of n deals, s their sample standard deviation and r the repeats:
        (mean(d) ± 1.96 · s / √n) / r. Repeats of a deal are not independent, so that n counts deals, not games.

        >>> [round(bound, 3) for bound in Differences(total=6, squares=20).mean_interval(deals=4, repeat=1)]
        [-0.377, 3.377]
        """
        variance = (self.squares * deals - self.total**2) / (deals * (deals - 1)) if deals > 1 else 0.0
        half = Z95 * sqrt(variance / deals) / repeat
        mean = self.mean(deals, repeat)
        return (mean - half, mean + half)

    def share_interval(self, deals: int, repeat: int) -> Interval:
        """Return the interval of a difference of two shares, each deal's difference lying in −repeat, …, repeat.

        The adjusted Wald interval for paired data (Bonett and Price 2012): as above, but as if two more deals had been
        played, one all for the first and one all for the second. So it is honest where the two hardly ever differ,
        and where the plain interval would have no width at all. With r = 1, and b (c) deals where only the first (the
        second) has it: D ± 1.96 · √((p + q − D²) / m), where m = n + 2, p = (b + 1) / m, q = (c + 1) / m, D = p − q.

        >>> [round(bound, 4) for bound in Differences().share_interval(deals=100, repeat=1)]
        [-0.0272, 0.0272]
        """
        count = deals + 2
        mean = self.total / (count * repeat)
        variance = (self.squares + 2 * repeat**2) / (count * repeat**2) - mean**2
        half = Z95 * sqrt(variance / count)
        return (max(-1.0, mean - half), min(1.0, mean + half))


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation; equal values share the mean of their ranks. 0 where all are equal.

    >>> spearman([1, 2, 3, 4], [10, 30, 20, 40])
    0.8
    """
    a, b = _ranks(first), _ranks(second)
    mean = (len(a) + 1) / 2
    spread = sqrt(sum((each - mean) ** 2 for each in a) * sum((each - mean) ** 2 for each in b))
    together = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    return together / spread if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the ranks from 1 on."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = (first + last) / 2 + 1
        first = last + 1
    return ranks
