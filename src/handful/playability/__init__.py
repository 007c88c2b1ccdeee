"""Can it be won? Real deals under the full rules, with all cards known."""

from handful.playability.deals import solve
from handful.playability.solution import Solution

__all__ = ["Solution", "solve"]
