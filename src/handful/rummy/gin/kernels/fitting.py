"""Rounds of `table` with itself, and the normal equations of what its positions brought: one fit for each occasion."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, nth_bit, popcount
from handful._jit import kernel
from handful.rummy.gin.actions import DRAW, KNOCK
from handful.rummy.gin.kernels.deadwood import DECK, NO_CARD, deadwood
from handful.rummy.gin.kernels.judgement import (
    AFTER_THROW,
    AT_DRAW,
    AT_KNOCK,
    NUM_FEATURES,
    NUM_TURNS,
    Features,
    Weights,
    choose_table,
    describe,
    describe_throw,
    knock_value,
)
from handful.rummy.gin.kernels.layout import Rounds, Rulebook, Views
from handful.rummy.gin.kernels.marjj import own_turn
from handful.rummy.gin.kernels.round import act, deal_deck, forbidden_card, legal_mask, show, start_round
from handful.rummy.gin.round import OVER, THROWING
from handful.splitmix_jit import Chance, add_key, below, seed_key, unit

MOST_SAMPLES = 400  # of a round


@kernel
def explored(views: Views, v: int, rules: Rulebook, action: int, chance: Chance, share: float) -> int:
    """Return the action, or with a small chance another one: a throw that leaves little more, a knock, a refusal."""
    w = views[v]
    if unit(chance, 0) >= share:
        return action
    if w["phase"] != THROWING:
        return action if below(chance, 0, 2) or (w["passes"] < 2 and w["num_turns"] == 0) else DRAW
    throws, knocks = legal_mask(w["hand"], forbidden_card(w["taken"], rules), w["knock_limit"])
    if knocks and below(chance, 0, 2):
        best, least = 0, 1000
        while knocks:
            card = knocks & -knocks
            knocks ^= card
            if deadwood(w["hand"] & ~card) < least:
                best, least = card, deadwood(w["hand"] & ~card)
        return KNOCK + lowest_bit(best)
    return nth_bit(throws, below(chance, 0, popcount(throws)))


@kernel
def note(views: Views, v: int, action: int, weights: Weights, features: Features) -> tuple[int, int]:
    """Write the features of a choice; return its occasion (−1: none that is fitted) and turn."""
    w = views[v]
    turn = min(own_turn(views, v), NUM_TURNS) - 1
    unseen = DECK & ~w["hand"] & ~w["pile"] & ~w["known"]
    if action == DRAW:
        describe(w["hand"], unseen & ~(1 << w["upcard"]), w["knock_limit"], features)
        describe_throw(NO_CARD, w["hand"], w["known"], w["pile"], features)
        return AT_DRAW, turn
    if w["phase"] != THROWING:
        return -1, turn
    if action >= KNOCK:
        knock_value(views, v, w["hand"] & ~(1 << (action - KNOCK)), weights, turn, features)
        return AT_KNOCK, turn
    describe(w["hand"] & ~(1 << action), unseen, w["knock_limit"], features)
    describe_throw(action, w["hand"], w["known"], w["pile"], features)
    return AFTER_THROW, turn


@kernel
def collect(
    rules: Rulebook,
    weights: Weights,
    rounds: Rounds,
    views: Views,
    numbers: tuple[int, int, int],
    share: float,
    sums: npt.NDArray[np.float64],
) -> None:
    """Play rounds of `numbers` = (seed, first, last) and add what they tell to sums."""
    seed, first, last = numbers
    chance = np.zeros(2, np.uint64)
    features = np.zeros((MOST_SAMPLES, NUM_FEATURES))
    places = np.zeros((MOST_SAMPLES, 3), np.int64)
    for number in range(first, last):
        chance[0] = add_key(add_key(seed_key(seed), 7), number)
        deal_deck(rounds, 0, chance, seed, number, 0)
        start_round(rounds, 0, rules, number & 1)
        samples = 0
        while rounds[0]["phase"] != OVER:
            player = rounds[0]["current"]
            show(rounds, 0, views, 0, player)
            action = choose_table(views, 0, rules, weights, features[MOST_SAMPLES - 1])
            action = explored(views, 0, rules, action, chance, share)
            if samples < MOST_SAMPLES - 1:
                occasion, turn = note(views, 0, action, weights, features[samples])
                if occasion >= 0:
                    places[samples, 0], places[samples, 1], places[samples, 2] = occasion, turn, player
                    samples += 1
            act(rounds, 0, rules, action)
        winner, points = rounds[0]["winner"], rounds[0]["points"]
        for sample in range(samples):
            result = 0.0 if winner < 0 else points if places[sample, 2] == winner else -points
            target = sums[places[sample, 0], places[sample, 1]]
            for a in range(NUM_FEATURES):
                value = features[sample, a]
                for b in range(NUM_FEATURES):
                    target[a, b] += value * features[sample, b]
                target[a, NUM_FEATURES] += value * result
