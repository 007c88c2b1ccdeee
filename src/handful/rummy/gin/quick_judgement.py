"""The quick judgement and the habits of players: fitted to rounds of `table` against several, and shipped.

The weights by least squares, as those of `judgement`; the habits of each kind of player by the likelihood of what it
did, one after the other, in steps that grow smaller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.rummy.gin.judgement import EXPLORED, NEIGHBOURS, RIDGE
from handful.rummy.gin.rules import EAAI

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.gin.kernels.judgement import Weights
    from handful.rummy.gin.kernels.worlds import Habits

ROUNDS, SEED = 60_000, 200
HABIT_ROUNDS, HABIT_SEED = 400, 300  # of each kind
FIRST_HABITS = (0.3, 0.05, 0.3, 1.0, 0.2, 0.0, 0.02, 0.03)
FIRST_STEPS = (0.15, 0.03, 0.15, 0.5, 0.1, 0.5, 0.01, 0.015)
LEAST_CHANCE = 0.002  # of a lapse
MOST_SLOPE = 3.0  # nobody is surer than that: the habits of `quick`, who is explained fully, would grow for ever
WORTHWHILE = 0.5  # of log likelihood, for a step
SWEEPS, SHRINKS = 5, 0.55


def fit_quick() -> Weights:
    """Return the weights of the quick judgement, made anew."""
    import numpy as np

    from handful.rummy.gin.judgement import shipped_weights
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.quick import NUM_FEATURES, NUM_TURNS, OCCASIONS
    from handful.rummy.gin.kernels.quick_fitting import collect_quickly

    fitted = np.zeros((len(OCCASIONS), NUM_TURNS, NUM_FEATURES))
    sums = np.zeros((*fitted.shape, NUM_FEATURES + 1))
    collect_quickly(rulebook(EAAI), shipped_weights(), fitted, (SEED, 0, ROUNDS), EXPLORED, sums)
    for occasion, of_turns in enumerate(sums):
        for turn in range(NUM_TURNS):
            near = [of_turns[other] for other in (turn - 1, turn + 1) if 0 <= other < NUM_TURNS]
            both = of_turns[turn] + NEIGHBOURS * np.sum(near, axis=0)
            fitted[occasion, turn] = np.linalg.solve(both[:, :-1] + RIDGE * np.eye(NUM_FEATURES), both[:, -1])
    return fitted


def fit_habits(weights: Weights) -> Habits:
    """Return the habits of each kind of player, made anew, given the quick judgement."""
    import numpy as np

    from handful.rummy.gin.kernels.worlds import NUM_KINDS

    return np.array([_fit_kind(weights, kind) for kind in range(NUM_KINDS)])


def _fit_kind(weights: Weights, kind: int) -> npt.NDArray[np.float64]:
    import numpy as np

    from handful.rummy.gin.judgement import shipped_weights
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.quick_fitting import habits_fit
    from handful.rummy.gin.kernels.worlds import (
        HABITS,
        LAPSE,
        NUM_KINDS,
        TAKE_SLOPE,
        TAKE_UNMELDED,
        THROW_EXCESS,
        THROW_SLOPE,
        WAIT_SLOPE,
    )

    book, judgement = rulebook(EAAI), shipped_weights()

    slopes = [THROW_SLOPE, THROW_EXCESS, TAKE_SLOPE, WAIT_SLOPE]

    def likelihood(habits: npt.NDArray[np.float64]) -> float:
        if min(habits[LAPSE], habits[TAKE_UNMELDED]) < LEAST_CHANCE or max(habits[slopes]) > MOST_SLOPE:
            return float("-inf")
        told, of_all = np.zeros(4), np.zeros((NUM_KINDS, HABITS))
        of_all[kind] = habits
        habits_fit(book, judgement, weights, of_all, (HABIT_SEED, 0, HABIT_ROUNDS), kind, told)
        return float(told[1] + told[3])

    best, steps = np.array(FIRST_HABITS), np.array(FIRST_STEPS)
    most = likelihood(best)
    for _ in range(SWEEPS):
        for place in range(len(best)):
            for sign in (1, -1):
                while True:
                    tried = best.copy()
                    tried[place] += sign * steps[place]
                    found = likelihood(tried)
                    if found <= most + WORTHWHILE:
                        break
                    best, most = tried, found
        steps *= SHRINKS
    return best
