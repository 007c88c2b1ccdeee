"""What the thinking player knows beforehand: quick judgement, habits of players, the win chance of every score."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from handful.rummy.gin.rules import GinRules

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.choices import Model
    from handful.rummy.gin.kernels.judgement import Weights
    from handful.rummy.gin.kernels.win_chance import WinChances
    from handful.rummy.gin.kernels.worlds import Habits

FILE = Path(__file__).with_name("quick_judgement.csv")
ROUNDS = 20_000  # from which the distribution of the points of a round is taken
SEED = 3


@lru_cache(maxsize=1)
def shipped_quick() -> tuple[Weights, Habits]:
    """Return the weights of the quick judgement and the habits of players that come with the package."""
    import numpy as np

    from handful.rummy.gin.kernels.quick import NUM_FEATURES, NUM_TURNS, OCCASIONS
    from handful.rummy.gin.kernels.worlds import HABITS

    rows = np.loadtxt(FILE, delimiter=",", comments="#")
    weights = np.ascontiguousarray(rows[:-1].reshape(len(OCCASIONS), NUM_TURNS, NUM_FEATURES))
    return weights, np.ascontiguousarray(rows[-1, :HABITS])


@lru_cache(maxsize=16)
def win_chances(rules: GinRules) -> WinChances:
    """Return the win chance of every score of a game, for who starts the next round.

    >>> from handful.rummy.gin.rules import EAAI
    >>> bool(0.5 < win_chances(EAAI)[0, 0] < 0.52 < win_chances(EAAI)[60, 40])
    True
    """
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.win_chance import round_points, solve_win_chances

    weights, _ = shipped_quick()
    return solve_win_chances(round_points(rulebook(rules), weights, SEED, ROUNDS), rules.target)


def win_chance(rules: GinRules, own: int, other: int, starts: bool) -> float:
    """Return the win chance of a score before a round is dealt."""
    solved = win_chances(rules)
    return float(solved[own, other] if starts else 1.0 - solved[other, own])


@lru_cache(maxsize=16)
def model_for(rules: GinRules) -> Model:
    """Return all that is known beforehand, by some rules."""
    from handful.rummy.gin.kernels.choices import Model

    weights, habits = shipped_quick()
    return Model(weights, habits, win_chances(replace(rules, name="")))
