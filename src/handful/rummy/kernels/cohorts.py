"""The approximation of Finkle 2017, section 5.2: lock in whole cohorts of hands within a tolerance of the least E_hyp.

A round takes the least E_hyp of the hands that are not locked in, locks in all whose E_hyp is less than the tolerance
above it, with the E_hyp that they have, and only then works out E_hyp anew for the others. Theorem 4: no value is more
than the tolerance too high.

Unlike in the exact order, a hand may be locked in with a smaller value than one that was locked in before it. So the
value of n + 1 cards, the least of the hands in it that are locked in, may still fall, and is looked at every time one
of them is locked in.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel
from handful.rummy.kernels.hand_index import Floats, Hands, Ints, Shorts, hand_at, hand_index, sorted_suits
from handful.rummy.kernels.label_setting import LOCKED, NO_HAND
from handful.rummy.kernels.neighbours import FRESH, THROWS
from handful.rummy.kernels.visits import find_throws

Numbers: TypeAlias = npt.NDArray[np.int32]

NOT_YET = -1  # the cohort of a hand that is not locked in
MEMBERS, QUEUED, ROUND = range(3)  # fields of `counters`


class Cohorts(NamedTuple):
    """By index of a hand: `sums` and `weights` as in `solve_kernel`, and `cohorts`, int32: the round, 0 for rummies.

    `heap`, int32, has the hands that may be locked in next, the least E_hyp first, and `places[hand]`, int32, where in
    it a hand is, or NOT_YET. `members`, int32, has the cohort of this round.
    """

    sums: Floats
    weights: Shorts
    cohorts: Numbers
    heap: Numbers
    places: Numbers
    members: Numbers
    counters: Ints


def make_cohorts(sums: Floats, weights: Shorts) -> Cohorts:
    """Return cohorts for sums and weights that are prepared (`solve_kernel.prepare`), with nothing locked in yet."""
    size = len(sums)
    return Cohorts(
        sums,
        weights,
        np.full(size, NOT_YET, np.int32),
        np.zeros(size, np.int32),
        np.full(size, NOT_YET, np.int32),
        np.zeros(size, np.int32),
        np.zeros(3, np.int64),
    )


@kernel
def lock_first_cohort(state: Cohorts, work: Ints, hands: Hands, larger: Hands, rummies: Ints) -> None:
    """Lock in the rummies, with 0 turns."""
    state.counters[MEMBERS] = len(rummies)
    for i in range(len(rummies)):
        state.members[i] = rummies[i]
        state.sums[rummies[i]] = 0.0
    lock_members(state, work, hands, larger)


@kernel
def run_rounds(state: Cohorts, work: Ints, hands: Hands, larger: Hands, tolerance: float, rounds: int) -> int:
    """Lock in cohorts, at most so many; return how many hands are still queued, 0 if all is done."""
    counters = state.counters
    for _ in range(rounds):
        if counters[QUEUED] == 0:
            break
        least = value_of(state, state.heap[0])
        counters[ROUND] += 1
        counters[MEMBERS] = 0
        while counters[QUEUED] > 0 and value_of(state, state.heap[0]) - least < tolerance:
            hand = wide(state.heap[0])
            state.members[counters[MEMBERS]] = hand
            counters[MEMBERS] += 1
            state.sums[hand] = value_of(state, hand)
            remove_first(state)
        lock_members(state, work, hands, larger)
    return wide(counters[QUEUED])


@kernel
def value_of(state: Cohorts, hand: int) -> float:
    """Return E_hyp of a hand that was reached."""
    value: float = state.sums[hand] / wide(state.weights[hand])
    return value


@kernel
def lock_members(state: Cohorts, work: Ints, hands: Hands, larger: Hands) -> None:
    """Lock in the members of this round, whose sums are E already, and tell all others."""
    for i in range(state.counters[MEMBERS]):
        state.weights[state.members[i]] = LOCKED
        state.cohorts[state.members[i]] = state.counters[ROUND]
    met = work[FRESH]
    for i in range(state.counters[MEMBERS]):
        hand = wide(state.members[i])
        clubs, diamonds, hearts, spades = hand_at(hands, hand)
        num_met = 0
        for card in range(52):
            suit, bit = card // 13, 1 << card % 13
            held = clubs if suit == 0 else diamonds if suit == 1 else hearts if suit == 2 else spades
            if held & bit:
                continue
            c, d = clubs | bit * (suit == 0), diamonds | bit * (suit == 1)
            h, s = hearts | bit * (suit == 2), spades | bit * (suit == 3)
            index, orbit = hand_index(larger, c, d, h, s)
            is_new = True
            for j in range(num_met):
                if met[j] == index:
                    is_new = False
            if is_new:
                met[num_met] = index
                num_met += 1
                a, b, e, f = sorted_suits(c, d, h, s)
                tell(state, work, find_throws(work, hands, (a, b, e, f)), hand, orbit)


@kernel
def tell(state: Cohorts, work: Ints, num_throws: int, hand: int, orbit: int) -> None:
    """Tell the hands in n + 1 cards what the best throw is worth now, if a hand of this round has changed that.

    If several hands of this round are in the n + 1 cards, the one of the lowest index does it.
    """
    throws, now = work[THROWS], state.counters[ROUND]
    before = after = np.inf
    for i in range(num_throws):
        other = throws[i]
        if state.weights[other] == LOCKED:
            if state.cohorts[other] == now and other < hand:
                return
            after = min(after, state.sums[other])
            if state.cohorts[other] < now:
                before = min(before, state.sums[other])
    if after >= before:
        return
    for i in range(num_throws):
        other = throws[i]
        if state.weights[other] >= NO_HAND:
            continue
        if before == np.inf:
            state.sums[other] += orbit * after
            state.weights[other] += orbit
        else:
            state.sums[other] += orbit * (after - before)
        rise(state, other)


@kernel
def rise(state: Cohorts, hand: int) -> None:
    """Move a hand, whose E_hyp has fallen, to its place in the heap; it enters if it was not there."""
    heap, places = state.heap, state.places
    place = wide(places[hand])
    if place == NOT_YET:
        place = state.counters[QUEUED]
        state.counters[QUEUED] += 1
    value = value_of(state, hand)
    while place > 0:
        parent = (place - 1) >> 1
        if value_of(state, heap[parent]) <= value:
            break
        heap[place] = heap[parent]
        places[heap[place]] = place
        place = parent
    heap[place] = hand
    places[hand] = place


@kernel
def remove_first(state: Cohorts) -> None:
    """Remove the first hand of the heap."""
    heap, places = state.heap, state.places
    places[heap[0]] = NOT_YET
    size = state.counters[QUEUED] - 1
    state.counters[QUEUED] = size
    if size == 0:
        return
    hand = heap[size]
    value = value_of(state, hand)
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and value_of(state, heap[child + 1]) < value_of(state, heap[child]):
            child += 1
        if value_of(state, heap[child]) >= value:
            break
        heap[place] = heap[child]
        places[heap[place]] = place
        place = child
    heap[place] = hand
    places[hand] = place
