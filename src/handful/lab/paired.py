"""Differences on the same deals: their sums, and what they say with 95 % confidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from handful.lab.statistics import Z95, Interval


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
