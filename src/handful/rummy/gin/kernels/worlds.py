"""Hands that the opponent may have, each with how likely it is, given what the opponent threw, took and refused.

Given a hand of now, the rounds that lead to it are equally many for every hand: so a hand is drawn uniformly from the
cards that are not seen, and its past is drawn turn by turn, backwards: the thrown card goes back into the hand; the
card that came before it was taken from the pile, or else any hidden one, each equally likely. Each step has a weight,
how likely a player in that place would have done what was done:

- of the throws that are worth a thought, one is as likely as exp(b · what it is worth by the quick judgement);
- the upcard is taken with the logistic chance of what taking it is worth more than drawing;
- a player who could knock does not with the logistic chance of what the throw is worth more than the knock.

These three slopes are fitted to rounds of all our players together (`python -m benchmarks.gin_judgement`).
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type
from handful.rummy.gin.kernels.deadwood import DECK, NO_CARD
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.layout import MOST_TURNS, Rulebook, Views
from handful.rummy.gin.kernels.quick import quick_draw, quick_knock, quick_throw, throwable, thrown_worth
from handful.rummy.gin.kernels.round import forbidden_card
from handful.rummy.gin.kernels.simple import can_meld, least_throws
from handful.splitmix_jit import Chance, below, unit

# Fitted by `benchmarks.gin_judgement`: slopes and the chance of what no judgement explains.
HABITS = 8
THROW_SLOPE, THROW_EXCESS, TAKE_SLOPE, TAKE_SHIFT, WAIT_SLOPE, WAIT_SHIFT, LAPSE, TAKE_UNMELDED = range(HABITS)

Habits: TypeAlias = npt.NDArray[np.float64]
Hands: TypeAlias = npt.NDArray[np.int64]


class PastFields(TypedDict):
    """The opponent's turns, as the opponent saw them: what is the same in every world."""

    num_turns: Annotated[int, np.int64]
    threw: Annotated[Ints, np.int64, MOST_TURNS]
    took: Annotated[Ints, np.int64, MOST_TURNS]  # −1: from the stock
    offered: Annotated[Ints, np.int64, MOST_TURNS]  # the upcard that was taken or refused; −1: there was no choice
    turn: Annotated[Ints, np.int64, MOST_TURNS]
    known: Annotated[Ints, np.int64, MOST_TURNS]  # masks: what the pile gave the opponent, before the throw
    own_known: Annotated[Ints, np.int64, MOST_TURNS]  # masks: what the opponent knows of this player
    pile: Annotated[Ints, np.int64, MOST_TURNS]  # masks, before the throw
    first_refused: Annotated[int, np.int64]  # the first upcard, if the opponent let it lie without drawing, or −1


PAST = record_type(PastFields)
Pasts: TypeAlias = npt.NDArray[np.void]


@kernel
def recall(views: Views, v: int, pasts: Pasts) -> None:
    """Write the opponent's turns, from the history of a view."""
    w, p = views[v], pasts[0]
    thrown, total = 0, w["num_turns"]
    for turn in range(total):
        thrown |= 1 << wide(w["threw"][turn])
    first = wide(w["took"][0]) if total and w["took"][0] != NO_CARD else NO_CARD
    lying = w["pile"] & ~thrown
    if not total and w["phase"] == 0:
        first = w["upcard"]
    elif not total and w["taken"] != NO_CARD:
        first = w["taken"]
    elif first == NO_CARD and lying:
        first = lowest_bit(lying)
    known, own, pile, upcard, number = 0, 0, 0, first, 0
    for turn in range(total):
        is_own = (turn & 1 == 0) == (w["has_first"] != 0)
        took, threw = wide(w["took"][turn]), wide(w["threw"][turn])
        if took == NO_CARD:
            if upcard != NO_CARD:
                pile |= 1 << upcard
        elif is_own:
            own |= 1 << took
        else:
            known |= 1 << took
        if not is_own:
            p["threw"][number] = threw
            p["took"][number] = took
            # Who draws after two refusals has refused before.
            p["offered"][number] = NO_CARD if turn == 0 and took == NO_CARD else upcard
            p["turn"][number] = turn // 2 + 1
            p["known"][number] = known
            p["own_known"][number] = own
            p["pile"][number] = pile
            number += 1
        known &= ~(1 << threw)
        own &= ~(1 << threw)
        upcard = threw
    p["num_turns"] = number
    passed = w["passes"] >= 2 or (w["passes"] == 1 and w["is_starter"] == 0)
    p["first_refused"] = first if passed else NO_CARD


@inlined_kernel
def logistic(x: float) -> float:
    """Return 1 / (1 + exp(−x))."""
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def throw_chance(
    pasts: Pasts, t: int, hand: int, rules: Rulebook, limit: int, weights: Weights, habits: Habits, features: Features
) -> float:
    """Return how likely a player with eleven cards makes the throw that was made, and does not knock."""
    p = pasts[0]
    card, known, pile, turn = p["threw"][t], p["own_known"][t], p["pile"][t], p["turn"][t]
    forbidden = forbidden_card(p["took"][t], rules)
    least, _ = least_throws(hand, forbidden)
    chance = 1.0
    total, most, made = 0.0, -1e9, 0.0
    left = throwable(hand, forbidden) | 1 << card
    number = popcount(left)
    while left:
        other = lowest_bit(left)
        left &= left - 1
        value = thrown_worth(hand, other, known, pile, limit, turn, weights, features)
        most = max(most, value)
        # features[1] is the deadwood that is left
        force = math.exp(habits[THROW_SLOPE] * value - habits[THROW_EXCESS] * (features[1] - least))
        total += force
        if other == card:
            made = force
    chance = made / total * (1.0 - habits[LAPSE]) + habits[LAPSE] / number
    if least == 0:
        chance *= habits[LAPSE]
    elif least <= limit:
        knocking = quick_knock(least, known, turn, weights, features)
        waits = logistic(habits[WAIT_SLOPE] * (most - knocking) + habits[WAIT_SHIFT])
        chance *= waits * (1.0 - habits[LAPSE]) + habits[LAPSE]
    return chance


@kernel
def take_chance(
    hand: int,
    upcard: int,
    place: tuple[int, int, int, int],
    rules: Rulebook,
    weights: Weights,
    habits: Habits,
    features: Features,
) -> float:
    """Return how likely a player with ten cards takes the upcard; `place`: known, pile, limit, turn."""
    if not can_meld(hand, upcard):
        return habits[TAKE_UNMELDED]
    known, pile, limit, turn = place
    whole, forbidden = hand | 1 << upcard, forbidden_card(upcard, rules)
    _, taking = quick_throw(whole, forbidden, known, pile, limit, turn, weights, features)
    least, _ = least_throws(whole, forbidden)
    if least <= limit:
        taking = max(taking, quick_knock(least, known, turn, weights, features))
    drawing = quick_draw(hand, upcard, known, pile, limit, turn, weights, features)
    takes = logistic(habits[TAKE_SLOPE] * (taking - drawing) + habits[TAKE_SHIFT])
    return takes * (1.0 - 2.0 * habits[LAPSE]) + habits[LAPSE]


@kernel
def past_weight(
    pasts: Pasts,
    hand: int,
    rules: Rulebook,
    limit: int,
    weights: Weights,
    habits: Habits,
    features: Features,
    chance: Chance,
    stream: int,
) -> float:
    """Draw a past of a hand of ten, and return the logarithm of how likely it makes what was done."""
    p, logarithm = pasts[0], 0.0
    for t in range(p["num_turns"] - 1, -1, -1):
        eleven = hand | 1 << p["threw"][t]
        logarithm += math.log(throw_chance(pasts, t, eleven, rules, limit, weights, habits, features))
        took, offered = p["took"][t], p["offered"][t]
        if took != NO_CARD:
            hand = eleven & ~(1 << took)
        else:
            hidden = eleven & ~p["known"][t]
            hand = eleven & ~(1 << nth_bit(hidden, below(chance, stream, popcount(hidden))))
        if offered != NO_CARD:
            # The pile as it was when the upcard still lay on it.
            place = (p["own_known"][t], p["pile"][t] & ~(1 << offered), limit, p["turn"][t])
            takes = take_chance(hand, offered, place, rules, weights, habits, features)
            logarithm += math.log(takes if took != NO_CARD else 1.0 - takes)
    if p["first_refused"] != NO_CARD:
        takes = take_chance(hand, p["first_refused"], (0, 0, limit, 1), rules, weights, habits, features)
        logarithm += math.log(1.0 - takes)
    return logarithm


@inlined_kernel
def hidden_cards(views: Views, v: int) -> int:
    """Return the cards that are in the opponent's hand or in the stock, nobody here knows where."""
    w = views[v]
    seen = w["hand"] | w["pile"] | w["known"]
    if w["upcard"] != NO_CARD:
        seen |= 1 << w["upcard"]
    return DECK & ~seen


@kernel
def drawn_hand(pool: int, size: int, chance: Chance, stream: int) -> int:
    """Return that many cards of a pool, uniformly drawn."""
    hand, left = 0, popcount(pool)
    while size:
        card = 1 << nth_bit(pool, below(chance, stream, left))
        hand |= card
        pool &= ~card
        left -= 1
        size -= 1
    return hand


@kernel
def draw_worlds(
    views: Views,
    v: int,
    rules: Rulebook,
    weights: Weights,
    habits: Habits,
    chance: Chance,
    stream: int,
    tried: Hands,
    worlds: Hands,
) -> float:
    """Fill `worlds` with hands of the opponent as likely as they are; return how many tries these are worth.

    As many hands are tried as `tried` has places; of them, each world takes one by its weight, evenly spread.
    """
    pasts, features = np.zeros(1, PAST), np.zeros(weights.shape[2])
    recall(views, v, pasts)
    w = views[v]
    pool, size = hidden_cards(views, v), 10 - popcount(w["known"])
    chances = np.zeros(len(tried))
    for i in range(len(tried)):
        tried[i] = w["known"] | drawn_hand(pool, size, chance, stream)
        chances[i] = past_weight(pasts, tried[i], rules, w["knock_limit"], weights, habits, features, chance, stream)
    most = chances.max()
    total, squares = 0.0, 0.0
    for i in range(len(tried)):
        chances[i] = math.exp(chances[i] - most)
        total += chances[i]
        squares += chances[i] * chances[i]
    step = total / len(worlds)
    place, passed, i = unit(chance, stream) * step, chances[0], 0
    for j in range(len(worlds)):
        while passed < place and i < len(tried) - 1:
            i += 1
            passed += chances[i]
        worlds[j] = tried[i]
        place += step
    for j in range(len(worlds) - 1):  # in any order, so that the first of them are a fair part
        other = j + below(chance, stream, len(worlds) - j)
        worlds[j], worlds[other] = worlds[other], worlds[j]
    return total * total / squares
