"""The judgement of `table`: a few hundred weights, fitted to rounds in half a minute, and shipped.

It stands in for the exact table of ten cards, which takes half an hour to make. Rounds are played by the weights so
far, one choice in ten by chance; for every occasion and turn the result of the round, in points, is fitted to
features of the position by least squares (a ridge; the turns before and after count too, by less); then the new
weights play. `kernels.judgement` says what the features are.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from handful.rummy.gin.rules import EAAI, GinRules

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.judgement import Weights

FILE = Path(__file__).with_name("judgement.csv")
ITERATIONS = 4
ROUNDS = 20_000  # of an iteration
EXPLORED = 0.1
RIDGE = 5.0
NEIGHBOURS = 0.3  # how much the turn before and the turn after count
SEED = 100


def first_weights() -> Weights:
    """Return where the fit starts: deadwood, and twice the mean of the seven best next ones; knock when possible."""
    import numpy as np

    from handful.rummy.gin.kernels.judgement import AFTER_THROW, AT_DRAW, AT_KNOCK, NUM_FEATURES, NUM_TURNS, OCCASIONS

    weights = np.zeros((len(OCCASIONS), NUM_TURNS, NUM_FEATURES))
    for occasion in (AFTER_THROW, AT_DRAW):
        weights[occasion, :, 1], weights[occasion, :, 4] = -1.0, -2.0
    weights[AT_KNOCK, :, 0] = -5.0
    return weights


def refit(weights: Weights, seed: int, rounds: int = ROUNDS, rules: GinRules = EAAI) -> Weights:
    """Return the weights that fit best what rounds by these weights brought."""
    import numpy as np

    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.fitting import collect
    from handful.rummy.gin.kernels.judgement import NUM_FEATURES, NUM_TURNS
    from handful.rummy.gin.kernels.layout import ROUND, VIEW

    sums = np.zeros((*weights.shape[:2], NUM_FEATURES, NUM_FEATURES + 1))
    collect(rulebook(rules), weights, np.zeros(1, ROUND), np.zeros(1, VIEW), (seed, 0, rounds), EXPLORED, sums)
    fitted = np.zeros_like(weights)
    for occasion, of_turns in enumerate(sums):
        for turn in range(NUM_TURNS):
            near = [of_turns[other] for other in (turn - 1, turn + 1) if 0 <= other < NUM_TURNS]
            both = of_turns[turn] + NEIGHBOURS * np.sum(near, axis=0)
            fitted[occasion, turn] = np.linalg.solve(both[:, :-1] + RIDGE * np.eye(NUM_FEATURES), both[:, -1])
    return fitted


def make_weights(on_iteration: Callable[[int], None] | None = None) -> Weights:
    """Return the weights, made anew: the same on every machine, but for the last digits."""
    weights = first_weights()
    for iteration in range(ITERATIONS):
        weights = refit(weights, SEED + iteration)
        if on_iteration is not None:
            on_iteration(1)
    return weights


def shipped_weights() -> Weights:
    """Return the weights that come with the package."""
    import numpy as np

    from handful.rummy.gin.kernels.judgement import NUM_FEATURES, NUM_TURNS, OCCASIONS

    rows = np.loadtxt(FILE, delimiter=",", comments="#")
    return np.ascontiguousarray(rows.reshape(len(OCCASIONS), NUM_TURNS, NUM_FEATURES))
