"""What the thinking player knows beforehand: judgements, habits of players, the win chance of every score."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from handful.rummy.gin.open_judgement import shipped_network
from handful.rummy.gin.rules import EAAI, GinRules

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.choices import Model, SearchSettings
    from handful.rummy.gin.kernels.judgement import Weights
    from handful.rummy.gin.kernels.win_chance import WinChances
    from handful.rummy.gin.kernels.worlds import Habits

FILE = Path(__file__).with_name("quick_judgement.csv")
ROUNDS = 10_000  # from which the distribution of the points of a round is taken
SEED = 3


@dataclass(frozen=True)
class Thought:
    """How long the thinking player thinks: the defaults are what is measured in docs/gin.md.

    A chain of pasts begins with the likeliest of `tried`, takes `burn` steps, and then `steps` from one world to the
    next. Choices that are `sure` standard errors behind after a `batch` of worlds fall out. `depth` is how many draws
    play-outs go before open hands are judged (−1: to the end); `margin` how many points a throw may seem worse. In the
    last draws every throw is tried, in `last` times as many worlds.
    """

    tried: int = 32
    burn: int = 200
    steps: int = 8
    worlds: int = 128
    batch: int = 32
    choices: int = 4
    depth: int = 1
    margin: float = 6.0
    sure: float = 2.5
    last: int = 8

    def record(self) -> SearchSettings:
        """Return the settings as kernels read them."""
        import numpy as np

        from handful.rummy.gin.kernels.choices import SEARCH_SETTINGS

        return np.array([astuple(self)], SEARCH_SETTINGS)

    def fitting(self, rules: GinRules) -> Thought:
        """Return the settings for some rules: what the network did not learn is played to the end."""
        usual = (rules.gin_bonus, rules.undercut_bonus, rules.wall) == (EAAI.gin_bonus, EAAI.undercut_bonus, EAAI.wall)
        return self if usual else replace(self, depth=-1)


@lru_cache(maxsize=1)
def shipped_quick() -> tuple[Weights, Habits]:
    """Return the weights of the quick judgement and the habits of each kind of player that come with the package."""
    import numpy as np

    from handful.rummy.gin.kernels.quick import NUM_FEATURES, NUM_TURNS, OCCASIONS
    from handful.rummy.gin.kernels.worlds import HABITS, NUM_KINDS

    rows = np.loadtxt(FILE, delimiter=",", comments="#")
    weights = np.ascontiguousarray(rows[:-NUM_KINDS].reshape(len(OCCASIONS), NUM_TURNS, NUM_FEATURES))
    return weights, np.ascontiguousarray(rows[-NUM_KINDS:, :HABITS])


def win_chances(rules: GinRules) -> WinChances:
    """Return the win chance of every score of a game, for who starts the next round.

    >>> from handful.rummy.gin.rules import EAAI
    >>> bool(0.5 < win_chances(EAAI)[0, 0] < 0.52 < win_chances(EAAI)[60, 40])
    True
    """
    return model_for(rules).solved


def win_chance(rules: GinRules, own: int, other: int, starts: bool) -> float:
    """Return the win chance of a score before a round is dealt."""
    solved = win_chances(rules)
    return float(solved[own, other] if starts else 1.0 - solved[other, own])


@lru_cache(maxsize=16)
def model_for(rules: GinRules) -> Model:
    """Return all that is known beforehand, by some rules."""
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.choices import Model
    from handful.rummy.gin.kernels.win_chance import round_points, solve_win_chances

    weights, habits = shipped_quick()
    found = round_points(rulebook(rules), weights, SEED, ROUNDS)
    return Model(weights, habits, solve_win_chances(found, rules.target), shipped_network(), found)
