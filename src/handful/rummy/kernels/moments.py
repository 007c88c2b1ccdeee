"""The second moment of the turns, E(T²), of every hand of a solved game, in one pass over the hands in order.

From T = 1 + T′ follows, if k of the 52 − n draws lead on to a better hand and the others change nothing,

    E(T²) = ((52 − n) (2 E − 1) + Σ over those k draws of the E(T²) of the hand that is kept) / k.

As in `solve_kernel`, a draw is seen from the n + 1 cards g that are then held, and counted over whole orbits. The first
hand of g in the order of E, of equal ones that of the least index, is the best throw for all the others; so every g is
visited once, when that hand is taken, and then adds orbit(g) · E(T²) to the sum, and orbit(g) to the weight, of every
other hand in it, but for those of the same E, which rather throw the draw. When a hand is taken itself, all that leads
on from it was there before, and

    E(T²) = ((52 − n) · orbit · (2 E − 1) + sum) / weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful.rummy.kernels.distribution import TIE
from handful.rummy.kernels.hand_index import Floats, Hands, Ints, Shorts, hand_at, hand_index, sorted_suits
from handful.rummy.kernels.neighbours import THROWS
from handful.rummy.kernels.visits import Bytes, cards_unseen, find_throws, find_unseen, orbit_unseen


class Moments(NamedTuple):
    """What is known of the second moments.

    By index of a hand: `moments`, float64, the sum above, and E(T²) from when the hand was taken; `weights`, uint16. By
    index of n + 1 cards: a bit of `seen`, uint8. `totals`, float64: of E(T²) and of E², over all hands that were taken.
    """

    moments: Floats
    weights: Shorts
    seen: Bytes
    totals: Floats


def make_moments(hands: int, larger_hands: int) -> Moments:
    """Return room for so many indices of hands, and of hands with a card more; nothing is known yet."""
    return Moments(
        np.zeros(hands, np.float64),
        np.zeros(hands, np.uint16),
        np.zeros((larger_hands + 7) // 8, np.uint8),
        np.zeros(2, np.float64),
    )


@kernel
def sort_ties(values: Floats, order: Ints) -> None:
    """Put hands of equal E into the order of their indices: rounding must not choose between them.

    `order` has the indices of hands in the order of their values.
    """
    for i in range(1, len(order)):
        hand, place = order[i], i
        while place > 0 and order[place - 1] > hand and values[order[place - 1]] >= values[hand] - TIE:
            order[place] = order[place - 1]
            place -= 1
        order[place] = hand


@kernel
def take_hands(known: Moments, values: Floats, order: Ints, hands: Hands, larger: Hands, work: Ints) -> None:
    """Find the second moments of the hands of a list, which follow in order on those that were taken before."""
    moments, weights, totals = known.moments, known.weights, known.totals
    draws = 52 - hands["cards"]
    sum_of_moments = sum_of_squares = 0.0
    for i in range(len(order)):
        hand = order[i]
        value = values[hand]
        clubs, diamonds, hearts, spades = hand_at(hands, hand)
        _, orbit = hand_index(hands, clubs, diamonds, hearts, spades)
        weight = wide(weights[hand])
        moment = 0.0
        if value > 0.0:
            moment = (draws * orbit * (2.0 * value - 1.0) + moments[hand]) / weight
        moments[hand] = moment
        sum_of_moments += orbit * moment
        sum_of_squares += orbit * value * value
        # A hand whose weight is complete is in no n + 1 cards that were not seen.
        if weight != draws * orbit:
            tell(known, values, hands, larger, sorted_suits(clubs, diamonds, hearts, spades), value, moment, work)
    totals[0] += sum_of_moments
    totals[1] += sum_of_squares


@kernel
def tell(
    known: Moments,
    values: Floats,
    hands: Hands,
    larger: Hands,
    suits: tuple[int, int, int, int],
    value: float,
    moment: float,
    work: Ints,
) -> None:
    """Visit all n + 1 cards that contain a hand and were not seen before, and tell their other hands of it."""
    moments, weights = known.moments, known.weights
    for suit in range(4):
        for i in range(find_unseen(work, larger, known.seen, suits, suit)):
            more = cards_unseen(work, suits, suit, i)
            orbit = orbit_unseen(work, larger, more, i)
            for throw in range(find_throws(work, hands, more)):
                other = work[THROWS, throw]
                if values[other] > value + TIE:
                    moments[other] += orbit * moment
                    weights[other] += orbit
