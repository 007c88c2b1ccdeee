"""Rounds of the quick judgement with itself, and what they brought from each draw on: the samples of `open_hands`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._jit import kernel
from handful.rummy.gin.actions import DRAW
from handful.rummy.gin.kernels.fitting import explored
from handful.rummy.gin.kernels.judgement import Weights
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rulebook
from handful.rummy.gin.kernels.open_hands import INPUTS, INPUTS_AT, PAPER_SIZE, describe_both, stock_of
from handful.rummy.gin.kernels.quick_player import choose_quick
from handful.rummy.gin.kernels.round import act, deal_deck, show, start_round
from handful.rummy.gin.round import OVER
from handful.splitmix_jit import add_key, seed_key

MOST_DRAWS = 32  # of a round


@kernel
def collect_draws(
    rules: Rulebook,
    weights: Weights,
    numbers: tuple[int, int, int],
    share: float,
    inputs: npt.NDArray[np.float32],
    results: npt.NDArray[np.int64],
) -> int:
    """Fill rows of inputs, and the points the round then brought who drew; return how many rows there are.

    `numbers` = (seed, first, last); a share of the choices is made by chance.
    """
    seed, first, last = numbers
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(2, np.uint64)
    features, paper = np.zeros(weights.shape[2]), np.zeros(PAPER_SIZE)
    drawers = np.zeros(MOST_DRAWS, np.int64)
    r, rows = rounds[0], 0
    for number in range(first, last):
        chance[0] = add_key(add_key(seed_key(seed), 9), number)
        deal_deck(rounds, 0, chance, seed, number, 0)
        start_round(rounds, 0, rules, number & 1)
        samples = 0
        while r["phase"] != OVER:
            player = r["current"]
            show(rounds, 0, views, 0, player)
            action = choose_quick(views, 0, rules, weights, features)
            action = explored(views, 0, rules, action, chance, share)
            if action == DRAW and samples < MOST_DRAWS and rows + samples < len(results):
                draws = 52 - r["next_card"] - rules[0]["wall"]
                describe_both(
                    r["hands"][player], r["hands"][1 - player], stock_of(rounds, 0), r["knock_limit"], draws, paper
                )
                inputs[rows + samples] = paper[INPUTS_AT : INPUTS_AT + INPUTS]
                drawers[samples] = player
                samples += 1
            act(rounds, 0, rules, action)
        points = 0 if r["winner"] < 0 else r["points"] if r["winner"] == 0 else -r["points"]
        for sample in range(samples):
            results[rows] = points if drawers[sample] == 0 else -points
            rows += 1
    return rows
