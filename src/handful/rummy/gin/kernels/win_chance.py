"""How likely a score wins the game: solved from the distribution of what a round brings, from the end backwards.

W(a, b) is the win chance of who has a points, starts the next round, and plays against b. With P(p) the chance that a
round brings who starts p points (negative: the dealer −p; 0: nobody), and the starter changing after a scored round,

    (1 − P(0)) · W(a, b) = Σ P(p) · (1 − W(b, a + p)) + Σ P(−p) · (1 − W(b + p, a)),

where W is 1 and 0 beyond the target. Points only grow, so one pass by falling a + b solves it.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.kernels.judgement import Weights
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rulebook
from handful.rummy.gin.kernels.places import play_out
from handful.rummy.gin.kernels.round import deal_deck, start_round
from handful.splitmix_jit import add_key, seed_key

WinChances: TypeAlias = npt.NDArray[np.float64]  # W, by own score and the other's
LARGEST_ROUND = 400  # points; more are counted as so many


@kernel
def round_points(rules: Rulebook, weights: Weights, seed: int, rounds_played: int) -> npt.NDArray[np.float64]:
    """Return P: how often a round of the quick judgement with itself brings who starts points (+ LARGEST_ROUND)."""
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(1, np.uint64)
    features, found = np.zeros(weights.shape[2]), np.zeros(2 * LARGEST_ROUND + 1)
    for number in range(rounds_played):
        chance[0] = add_key(seed_key(seed), number)
        deal_deck(rounds, 0, chance, seed, number, 0)
        start_round(rounds, 0, rules, 0)
        play_out(rounds, 0, views, rules, weights, features)
        r = rounds[0]
        points = min(r["points"], LARGEST_ROUND)
        found[LARGEST_ROUND + (0 if r["winner"] < 0 else points if r["winner"] == 0 else -points)] += 1
    return found / rounds_played


@kernel
def solve_win_chances(found: npt.NDArray[np.float64], target: int) -> WinChances:
    """Return W for all scores below the target."""
    solved = np.zeros((target, target))
    scored = 1.0 - found[LARGEST_ROUND]
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), min(target, total + 1)):
            other, chance = total - own, 0.0
            for points in range(1, LARGEST_ROUND + 1):
                gained, lost = found[LARGEST_ROUND + points], found[LARGEST_ROUND - points]
                if gained:
                    chance += gained * (1.0 if own + points >= target else 1.0 - solved[other, own + points])
                if lost and other + points < target:
                    chance += lost * (1.0 - solved[other + points, own])
            solved[own, other] = chance / scored
    return solved


@inlined_kernel
def chance_after(solved: WinChances, own: int, other: int, is_starter: int, points: int) -> float:
    """Return the win chance after a round that brings a player points (negative: the opponent; 0: nobody)."""
    target = len(solved)
    if points > 0:
        own += points
    else:
        other -= points
    if own >= target:
        return 1.0
    if other >= target:
        return 0.0
    starts = (is_starter != 0) == (points == 0)  # the starter changes after a scored round
    return float(solved[own, other] if starts else 1.0 - solved[other, own])
