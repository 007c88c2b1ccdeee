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
from handful.rummy.kernels.heap import Heap, lift, make_heap, take_first, value_of
from handful.rummy.kernels.label_setting import LOCKED, NO_HAND
from handful.rummy.kernels.neighbours import FRESH, THROWS
from handful.rummy.kernels.visits import find_throws

Numbers: TypeAlias = npt.NDArray[np.int32]

NOT_YET = -1  # the cohort of a hand that is not locked in
MEMBERS, ROUND = range(2)  # fields of `counters`


class Cohorts(NamedTuple):
    """By index of a hand: `sums` and `weights` as in `solve_kernel`, and `cohorts`, int32: the round, 0 for rummies.

    `heap` has the hands that may be locked in next, the least E_hyp first. `members`, int32, has the cohort of this
    round.
    """

    sums: Floats
    weights: Shorts
    cohorts: Numbers
    heap: Heap
    members: Numbers
    counters: Ints


def make_cohorts(sums: Floats, weights: Shorts) -> Cohorts:
    """Return cohorts for sums and weights that are prepared (`solve_kernel.prepare`), with nothing locked in yet."""
    size = len(sums)
    return Cohorts(
        sums,
        weights,
        np.full(size, NOT_YET, np.int32),
        make_heap(sums, weights),
        np.zeros(size, np.int32),
        np.zeros(2, np.int64),
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
    counters, heap = state.counters, state.heap
    for _ in range(rounds):
        if heap.size[0] == 0:
            break
        least = value_of(heap, wide(heap.entries[0]))
        counters[ROUND] += 1
        counters[MEMBERS] = 0
        while heap.size[0] > 0 and value_of(heap, wide(heap.entries[0])) - least < tolerance:
            hand = take_first(heap)
            state.members[counters[MEMBERS]] = hand
            counters[MEMBERS] += 1
            state.sums[hand] = value_of(heap, hand)
        lock_members(state, work, hands, larger)
    return wide(heap.size[0])


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
        lift(state.heap, other)
