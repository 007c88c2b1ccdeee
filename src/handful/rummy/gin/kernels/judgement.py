"""`table`: a hand judged by a small table of weights, fitted to the results of rounds; see `gin.judgement`.

The worth of a position, in points that the round brings, is a sum of weights times features, with other weights for
each of some turns, and for three occasions: after a throw, when the stock is drawn from, and at a knock. The
features of ten cards are what one more card could make of them: each unseen card gives, after the best throw, a
deadwood q; they count these (means, how many make gin, how many are better than now).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.actions import BIG_GIN, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import DECK, NO_CARD, deadwood, least_after_throw, loose_cards
from handful.rummy.gin.kernels.layout import Rulebook, Views
from handful.rummy.gin.kernels.marjj import own_turn, relatives
from handful.rummy.gin.kernels.round import forbidden_card
from handful.rummy.gin.kernels.simple import is_drawing, least_throws, may_take, refusal
from handful.rummy.gin.round import WALL

FEATURES = (
    "one",
    "deadwood",
    "deadwood squared / 50",
    "mean q",
    "mean of the seven least q",
    "cards that make gin",
    "whether any makes gin",
    "cards that make q less than the deadwood",
    "whether one could knock",
    "loose cards",
    "cards known of the opponent",
    "relatives of the thrown card that are known of the opponent",
    "relatives of the thrown card that are gone",
    "points of the thrown card",
)
NUM_FEATURES = len(FEATURES)
OCCASIONS = ("after a throw", "at a draw from the stock", "at a knock")
AFTER_THROW, AT_DRAW, AT_KNOCK = range(3)
NUM_TURNS = 14  # of a player that have weights of their own; later ones share the last
MARGIN = 12  # points: throws that leave more than this above the least are not judged

Weights: TypeAlias = npt.NDArray[np.float64]  # by occasion, turn and feature
Features: TypeAlias = npt.NDArray[np.float64]


@kernel
def describe(hand: int, unseen: int, limit: int, features: Features) -> None:
    """Write the features of ten cards; those of a thrown card and of the opponent are left as they are."""
    now = deadwood(hand)
    total, gins, better, cards = 0, 0, 0, popcount(unseen)
    lows = 0
    row = wide(0x7F7F7F7F7F7F7F)  # the seven least, a byte each
    left = unseen
    while left:
        card = left & -left
        left ^= card
        q = least_after_throw(hand | card)
        total += q
        gins += q == 0
        better += q < now
        row = _kept_least(row, q)
    for place in range(7):
        lows += row >> (8 * place) & 0x7F
    features[0] = 1.0
    features[1] = now
    features[2] = now * now / 50.0
    features[3] = total / max(1, cards)
    features[4] = lows / 7.0
    features[5] = gins
    features[6] = 1.0 if gins else 0.0
    features[7] = better
    features[8] = 1.0 if now <= limit else 0.0
    features[9] = popcount(loose_cards(hand))


@inlined_kernel
def _kept_least(row: int, q: int) -> int:
    """Return the seven least numbers, each a byte, the least lowest, after one more."""
    if q >= row >> 48:
        return row
    place = 48
    while place > 0 and row >> (place - 8) & 0x7F > q:
        place -= 8
    below = row & ((1 << place) - 1)
    above = (row >> place) << (place + 8)
    return (below | q << place | above) & 0x7F7F7F7F7F7F7F


@inlined_kernel
def describe_throw(card: int, hand: int, known: int, pile: int, features: Features) -> None:
    """Write the features of a thrown card, and of what is known of the opponent."""
    features[10] = popcount(known)
    if card == NO_CARD:
        features[11] = features[12] = features[13] = 0.0
        return
    near = relatives(card)
    features[11] = popcount(near & known)
    features[12] = popcount(near & (pile | hand))
    features[13] = min(card % 13 + 1, 10)


@inlined_kernel
def worth(weights: Weights, occasion: int, turn: int, features: Features) -> float:
    """Return the sum of weights times features."""
    row = weights[occasion, min(turn, NUM_TURNS) - 1]
    total = 0.0
    for feature in range(NUM_FEATURES):
        total += row[feature] * features[feature]
    return total


@kernel
def best_throw(
    views: Views, v: int, hand: int, forbidden: int, weights: Weights, turn: int, features: Features
) -> tuple[int, float]:
    """Return the throw that is worth most, and what it is worth."""
    w = views[v]
    unseen = DECK & ~hand & ~w["pile"] & ~w["known"]
    least, _ = least_throws(hand, forbidden)
    chosen, most = NO_CARD, -1e9
    left = hand & ~forbidden
    while left:
        card = lowest_bit(left)
        left &= left - 1
        kept = hand & ~(1 << card)
        if deadwood(kept) > least + MARGIN:
            continue
        describe(kept, unseen, w["knock_limit"], features)
        describe_throw(card, hand, w["known"], w["pile"], features)
        value = worth(weights, AFTER_THROW, turn, features)
        if value > most:
            chosen, most = card, value
    return chosen, most


@kernel
def knock_value(views: Views, v: int, kept: int, weights: Weights, turn: int, features: Features) -> float:
    """Return what a knock with ten cards is worth."""
    features[:] = 0.0
    now = deadwood(kept)
    features[0] = 1.0
    features[1] = now
    features[2] = now * now / 50.0
    features[8] = 1.0 if now == 0 else 0.0
    features[10] = popcount(views[v]["known"])
    return worth(weights, AT_KNOCK, turn, features)


@kernel
def draw_value(views: Views, v: int, weights: Weights, turn: int, features: Features) -> float:
    """Return what it is worth to leave the upcard lying and draw from the stock."""
    w = views[v]
    unseen = DECK & ~w["hand"] & ~w["pile"] & ~w["known"] & ~(1 << w["upcard"])
    describe(w["hand"], unseen, w["knock_limit"], features)
    describe_throw(NO_CARD, w["hand"], w["known"], w["pile"], features)
    return worth(weights, AT_DRAW, turn, features)


@kernel
def take_value(views: Views, v: int, rules: Rulebook, weights: Weights, turn: int, features: Features) -> float:
    """Return what it is worth to take the upcard: the better of the best throw and the best knock then."""
    w = views[v]
    hand = w["hand"] | 1 << w["upcard"]
    forbidden = forbidden_card(w["upcard"], rules)
    _, value = best_throw(views, v, hand, forbidden, weights, turn, features)
    least, best = least_throws(hand, forbidden)
    if least <= w["knock_limit"]:
        value = max(value, knock_value(views, v, hand & ~(best & -best), weights, turn, features))
    return value


@kernel
def choose_table(views: Views, v: int, rules: Rulebook, weights: Weights, features: Features) -> int:
    """Return what is worth most by the weights."""
    w = views[v]
    turn = own_turn(views, v)
    if is_drawing(views, v):
        if not may_take(views, v):
            return refusal(views, v)
        taking = take_value(views, v, rules, weights, turn, features)
        return TAKE if taking > draw_value(views, v, weights, turn, features) else refusal(views, v)
    hand = w["hand"]
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
    forbidden = forbidden_card(w["taken"], rules)
    least, best = least_throws(hand, forbidden)
    if w["phase"] == WALL:
        return KNOCK + lowest_bit(best) if least <= w["knock_limit"] else PASS
    if rules[0]["big_gin_bonus"] and deadwood(hand) == 0:
        return BIG_GIN
    if least == 0:
        return KNOCK + lowest_bit(best)
    throw, value = best_throw(views, v, hand, forbidden, weights, turn, features)
    if least <= w["knock_limit"] and knock_value(views, v, hand & ~(best & -best), weights, turn, features) > value:
        return KNOCK + lowest_bit(best)
    return throw
