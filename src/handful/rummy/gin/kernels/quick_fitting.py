"""Rounds of several players, and what they tell: the quick judgement's weights, and the habits of opponents.

One seat is always `table`, which also tries other choices; in every fourth round the other is `simple`, in every fourth
`marjj`, else `table` too. The results of `table`'s places are what the weights are fitted to. The habits of a kind are
fitted to what a player of this kind did against `table`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.actions import DRAW, KNOCK, TAKE
from handful.rummy.gin.kernels.deadwood import DECK, NO_CARD, deadwood
from handful.rummy.gin.kernels.fitting import MOST_SAMPLES, explored
from handful.rummy.gin.kernels.judgement import Features, Weights, choose_table
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rounds, Rulebook, Views
from handful.rummy.gin.kernels.marjj import choose_marjj, own_turn
from handful.rummy.gin.kernels.quick import (
    AFTER_THROW,
    AT_DRAW,
    AT_KNOCK,
    NUM_FEATURES,
    NUM_TURNS,
    describe_quick_throw,
    describe_quickly,
    quick_knock,
)
from handful.rummy.gin.kernels.quick_player import choose_quick
from handful.rummy.gin.kernels.round import act, deal_deck, show, start_round
from handful.rummy.gin.kernels.simple import choose_simple, is_drawing, least_throws, may_take
from handful.rummy.gin.kernels.worlds import KINDS, PAST, Habits, Pasts, Reader, take_chance, throw_chance
from handful.rummy.gin.round import OVER, THROWING
from handful.splitmix_jit import Chance, add_key, seed_key

QUICK_KIND = KINDS.index("quick")  # others have the numbers of `choose_of`


@kernel
def note_quickly(views: Views, v: int, action: int, weights: Weights, features: Features) -> tuple[int, int]:
    """Write the quick features of a choice; return its occasion (−1: none that is fitted) and turn."""
    w = views[v]
    turn = min(own_turn(views, v), NUM_TURNS) - 1
    unseen = DECK & ~w["hand"] & ~w["pile"] & ~w["known"]
    if action == DRAW:
        describe_quickly(w["hand"], unseen & ~(1 << w["upcard"]), w["knock_limit"], features)
        describe_quick_throw(NO_CARD, w["hand"], w["known"], w["pile"], features)
        return AT_DRAW, turn
    if w["phase"] != THROWING:
        return -1, turn
    if action >= KNOCK:
        quick_knock(deadwood(w["hand"] & ~(1 << (action - KNOCK))), w["known"], turn, weights, features)
        return AT_KNOCK, turn
    describe_quickly(w["hand"] & ~(1 << action), unseen, w["knock_limit"], features)
    describe_quick_throw(action, w["hand"], w["known"], w["pile"], features)
    return AFTER_THROW, turn


@inlined_kernel
def choose_of(kind: int, views: Views, rules: Rulebook, weights: Weights, features: Features, chance: Chance) -> int:
    """Return what the player of a round does: `simple` (2), `marjj` (3), or `table`."""
    if kind == 2:
        return choose_simple(views, 0, rules, chance, 1)
    if kind == 3:
        return choose_marjj(views, 0, rules)
    return choose_table(views, 0, rules, weights, features)


@inlined_kernel
def _begin(rounds: Rounds, rules: Rulebook, chance: Chance, seed: int, number: int) -> None:
    for stream in range(2):
        chance[stream] = add_key(add_key(seed_key(seed), 7 + stream), number)
    deal_deck(rounds, 0, chance, seed, number, 0)
    start_round(rounds, 0, rules, number & 1)


@kernel
def collect_quickly(
    rules: Rulebook,
    judgement: Weights,
    weights: Weights,
    numbers: tuple[int, int, int],
    share: float,
    sums: npt.NDArray[np.float64],
) -> None:
    """Play rounds of `numbers` = (seed, first, last) and add the normal equations of their results to sums."""
    seed, first, last = numbers
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    features, places = np.zeros((MOST_SAMPLES, NUM_FEATURES)), np.zeros((MOST_SAMPLES, 3), np.int64)
    thought = np.zeros(judgement.shape[2])
    for number in range(first, last):
        _begin(rounds, rules, chance, seed, number)
        samples = 0
        while rounds[0]["phase"] != OVER:
            player = rounds[0]["current"]
            show(rounds, 0, views, 0, player)
            kind = number // 2 % 4 if player else 0
            action = choose_of(kind, views, rules, judgement, thought, chance)
            if kind < 2:
                action = explored(views, 0, rules, action, chance, share)
                if samples < MOST_SAMPLES:
                    occasion, turn = note_quickly(views, 0, action, weights, features[samples])
                    if occasion >= 0:
                        places[samples, 0], places[samples, 1], places[samples, 2] = occasion, turn, player
                        samples += 1
            act(rounds, 0, rules, action)
        winner, points = rounds[0]["winner"], rounds[0]["points"]
        for sample in range(samples):
            result = 0.0 if winner < 0 else points if places[sample, 2] == winner else -points
            target = sums[places[sample, 0], places[sample, 1]]
            for a in range(NUM_FEATURES):
                for b in range(NUM_FEATURES):
                    target[a, b] += features[sample, a] * features[sample, b]
                target[a, NUM_FEATURES] += features[sample, a] * result


@kernel
def habits_fit(
    rules: Rulebook,
    judgement: Weights,
    weights: Weights,
    habits: Habits,
    numbers: tuple[int, int, int],
    kind: int,
    told: npt.NDArray[np.float64],
) -> None:
    """Add to `told`: throws of a kind and their log likelihood by its habits, offered upcards and theirs."""
    seed, first, last = numbers
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    pasts, thought = np.zeros(1, PAST), np.zeros(judgement.shape[2])
    reader = Reader(rules, weights, habits, np.zeros(NUM_FEATURES))
    for number in range(first, last):
        _begin(rounds, rules, chance, seed, number)
        while rounds[0]["phase"] != OVER:
            player = rounds[0]["current"]
            show(rounds, 0, views, 0, player)
            if player == 0:
                act(rounds, 0, rules, choose_of(0, views, rules, judgement, thought, chance))
                continue
            if kind == QUICK_KIND:
                action = choose_quick(views, 0, rules, weights, reader.features)
            else:
                action = choose_of(kind, views, rules, judgement, thought, chance)
            w = views[0]
            if is_drawing(views, 0) and may_take(views, 0):
                place = (wide(w["known"]), wide(w["pile"]), wide(w["knock_limit"]), own_turn(views, 0))
                takes = take_chance(w["hand"], w["upcard"], place, kind, reader)
                told[2] += 1
                told[3] += math.log(takes if action == TAKE else 1.0 - takes)
            elif w["phase"] == THROWING:
                told[0] += 1
                told[1] += _throw_likelihood(views, action, kind, reader, pasts)
            act(rounds, 0, rules, action)


@kernel
def _throw_likelihood(views: Views, action: int, kind: int, reader: Reader, pasts: Pasts) -> float:
    w, p = views[0], pasts[0]
    p["limit"] = w["knock_limit"]
    p["threw"][0] = action if action < TAKE else action - KNOCK
    p["took"][0], p["pile"][0], p["own_known"][0] = w["taken"], w["pile"], w["known"]
    p["turn"][0] = own_turn(views, 0)
    chance = throw_chance(pasts, 0, w["hand"], kind, reader)
    if action < TAKE:
        return math.log(chance)
    least, _ = least_throws(w["hand"], 0)
    if least == 0:
        return 0.0
    # What is left for a knock: one minus the chance of all throws together.
    total, left = 0.0, wide(w["hand"])
    while left:
        card = left & -left
        left ^= card
        p["threw"][0] = popcount(card - 1)
        total += throw_chance(pasts, 0, w["hand"], kind, reader)
    return math.log(max(1.0 - total, 1e-3))
