"""Can it be won? Real deals under the full rules, with all cards known; and where was a played game lost?"""

from handful.playability.analysis import Analysis, analyse
from handful.playability.deals import solve
from handful.playability.solution import Solution

__all__ = ["Analysis", "Solution", "analyse", "solve"]
