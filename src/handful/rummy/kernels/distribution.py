"""How the turns are spread: those of one hand, from the chain of hands that optimal play runs through; those of all.

The second moment of every hand of a game is found in one pass over the hands in order. From T = 1 + T′ follows, if k of
the 52 − n draws lead on to a better hand and the others change nothing,

    E(T²) = ((52 − n) (2 E − 1) + Σ over those k draws of the E(T²) of the hand that is kept) / k.

As in `label_setting`, a draw is seen from the n + 1 cards g that are then held, and counted over whole orbits. The
first hand of g in the order of E, of equal ones that of the least index, is the best throw for all the others; so every
g is visited once, when that hand is taken, and then adds orbit(g) · E(T²) to the sum, and orbit(g) to the weight, of
every other hand in it, but for those of the same E, which rather throw the draw. When a hand is taken itself, all that
leads on from it was there before, and

    E(T²) = ((52 − n) · orbit · (2 E − 1) + sum) / weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful._records import Floats, Ints
from handful.rummy.kernels.chain import DONE, FOLLOWED, LEFT, TIE, Chain
from handful.rummy.kernels.hand_index import HandIndex, Shorts, Suits, orbit_at
from handful.rummy.kernels.neighbours import Bytes, Work, cards_unseen, find_throws, find_unseen, orbit_unseen

# A chance that is so small a part of that to be in a hand at all waits until more has come together.
LEAST_MOVED = 1e-12


@kernel
def moments_of(chain: Chain, draws: int) -> tuple[float, float]:
    """Return E(T²) of the first hand of a chain, if all were followed, and the chance to meet one that was not.

    With k draws that lead on: E(T²) = ((52 − n) (2 E − 1) + Σ over those draws of the target's E(T²)) / k.
    """
    moments, leaves = np.zeros(chain.sizes["hands"]), np.zeros(chain.sizes["hands"])
    for i in range(chain.sizes["hands"] - 1, -1, -1):
        if chain.fates[i] != FOLLOWED:
            leaves[i] = 1.0
            continue
        total, leaving = draws * (2.0 * chain.values[i] - 1.0), 0.0
        for edge in range(chain.firsts[i], chain.firsts[i + 1]):
            if chain.targets[edge] != DONE:
                total += wide(chain.counts[edge]) * moments[chain.targets[edge]]
                leaving += wide(chain.counts[edge]) * leaves[chain.targets[edge]]
        moments[i], leaves[i] = total / (draws - chain.stays[i]), leaving / (draws - chain.stays[i])
    return float(moments[0]), float(leaves[0])


@kernel
def run_chain(chain: Chain, draws: int, most_turns: int, least_rest: float) -> Floats:
    """Return P(T = t) for t = 0, 1, … from the first hand, until less than a given chance is left.

    A turn moves the chance of every hand along its draws. From the last hand of the chain to the first, so that what
    arrives in a turn does not move on in the same turn. What arrives at a hand that was chosen counts for those, too,
    that were left.
    """
    chances = np.zeros(chain.sizes["hands"])
    chances[0] = 1.0
    ended = np.zeros(most_turns + 1)
    rest, turn, lowest = 1.0, 0, 0
    while turn < most_turns and rest > least_rest:
        turn += 1
        done, held = 0.0, 0.0
        reached = lowest
        for i in range(lowest, -1, -1):
            chance = chances[i]
            held += chance
            if chance <= LEAST_MOVED * chain.visits[i]:
                continue
            per_draw = chance / draws
            chances[i] = per_draw * chain.stays[i]
            for edge in range(chain.firsts[i], chain.firsts[i + 1]):
                share = per_draw * wide(chain.counts[edge])
                target = wide(chain.targets[edge])
                if target == DONE:
                    done += share
                elif chain.fates[target] != LEFT:
                    chances[target] += share * chain.boosts[target]
                    reached = max(reached, target)
        lowest = reached
        ended[turn] = done
        rest = held - done
    return ended[: turn + 1]


@kernel
def turns_of(chain: Chain, draws: int, most_turns: int, least_rest: float) -> tuple[Floats, float, float]:
    """Return all, P(T = t) as `run_chain`, E(T²) and the chance to leave as `moments_of`: one kernel to compile."""
    second, leaves = moments_of(chain, draws)
    return run_chain(chain, draws, most_turns, least_rest), second, leaves


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
def take_hands(
    known: Moments, values: Floats, order: Ints, hand_index: HandIndex, larger: HandIndex, work: Work
) -> None:
    """Find the second moments of the hands of a list, which follow in order on those that were taken before."""
    moments, weights, totals = known.moments, known.weights, known.totals
    draws = 52 - hand_index["cards"]
    sum_of_moments = sum_of_squares = 0.0
    for i in range(len(order)):
        hand = order[i]
        value = values[hand]
        orbit, suits = orbit_at(hand_index, hand)
        weight = wide(weights[hand])
        moment = 0.0
        if value > 0.0:
            moment = (draws * orbit * (2.0 * value - 1.0) + moments[hand]) / weight
        moments[hand] = moment
        sum_of_moments += orbit * moment
        sum_of_squares += orbit * value * value
        # A hand whose weight is complete is in no n + 1 cards that were not seen.
        if weight != draws * orbit:
            tell(known, values, hand_index, larger, suits, value, moment, work)
    totals[0] += sum_of_moments
    totals[1] += sum_of_squares


@kernel
def tell(
    known: Moments,
    values: Floats,
    hand_index: HandIndex,
    larger: HandIndex,
    suits: Suits,
    value: float,
    moment: float,
    work: Work,
) -> None:
    """Visit all n + 1 cards that contain a hand and were not seen before, and tell their other hands of it."""
    moments, weights = known.moments, known.weights
    for suit in range(4):
        for i in range(find_unseen(work, larger, known.seen, suits, suit)):
            more = cards_unseen(work, suits, suit, i)
            orbit = orbit_unseen(work, larger, more, i)
            for throw in range(find_throws(work, hand_index, more)):
                other = work["throws"][throw]
                if values[other] > value + TIE:
                    moments[other] += orbit * moment
                    weights[other] += orbit
