"""Label setting: lock in the hands in the order of their expected turns, each once, up to symmetry.

Finkle 2017, section 2.6: with X′ the draws after which some throw leads to a hand that is known,

    E_hyp(h) = ((52 − n) + Σ over X′ of the least known E after the draw) / |X′|,

and the hand with the least E_hyp has E_hyp = E (Theorem 3). Here a draw is seen from the n + 1 cards g that are then
held: when the first of the n-card hands in g is locked in, with E, it is the best throw for all others in g, for good,
because hands are locked in in increasing order. So every g is visited once. All is counted over whole orbits: the
pairs (hand alike to h, draw) that lead to cards alike to g are as many as the pairs (cards alike to g, throw) that lead
to hands alike to h. So every throw of g that leads to h adds orbit(g) to the weight of h, and orbit(g) · E to its sum,
which starts at (52 − n) · orbit(h); and E_hyp(h) = sum / weight.

An update averages E_hyp with a value that is not larger than it, so E_hyp falls, but never below what was locked in
last. That allows a queue of one *band* [low, high) of values at a time, cut into buckets, with a heap for the current
bucket alone. If the queue overflows it is thrown away and filled again: all there is to know is in sums and weights.

At the end of the file is the approximation of the thesis, which locks in many hands at a time.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel
from handful._records import Annotated, Floats, Ints, SmallInts, TypedDict, record_type
from handful.rummy.kernels.hand_index import (
    HandIndex,
    Shorts,
    Suits,
    hand_at,
    mask_index,
    orbit_at,
    orbit_size,
    sorted_index,
    sorted_suits,
)
from handful.rummy.kernels.heap import Heap, lift, make_heap, take_first, value_of
from handful.rummy.kernels.neighbours import Bytes, Work, cards_unseen, find_throws, find_unseen, orbit_unseen
from handful.rummy.kernels.queue import (
    NOTHING,
    NUM_BUCKETS,
    PRIME,
    SPLITTER,
    WINDOW_SIZE,
    BucketHeap,
    Queue,
    Run,
    push_bucket,
    push_heap,
    quotient,
    remove_first,
)

Residues: TypeAlias = npt.NDArray[np.uint32]

LOCKED = 65535  # the weight of a hand that is known: its sum is then E itself
NO_HAND = 65534  # the weight of an index without a hand
CLASS_WINDOW = 1e-10  # values further apart than this are different, whatever the rounding
NEAR_TIE = 1e-24  # different values closer than this may be locked in in the wrong order,
NEAR_TIE_WITHOUT_TAILS = 1e-12  # or this, if tails are not carried
NOT_YET = -1  # the cohort of a hand that is not locked in


class State(NamedTuple):
    """What is known of the hands.

    By index of a hand: `sums`, float64, and `weights`, uint16, as above; `tails`, float64, what was rounded off the
    sums; `residues`, uint32, the sums modulo a prime. Tails and residues may be empty: they serve to count classes
    exactly, for which hands have to be locked in in the right order even if they differ in the twentieth digit. By
    index of n + 1 cards: a bit of `seen`, uint8.
    """

    sums: Floats
    tails: Floats
    weights: Shorts
    residues: Residues
    seen: Bytes


def make_state(hands: int, larger_hands: int, residues: bool, tails: bool) -> State:
    """Return a state for so many indices of hands, and of hands with a card more, in which nothing is known yet."""
    return State(
        np.zeros(hands, np.float64),
        np.zeros(hands if tails else 0, np.float64),
        np.zeros(hands, np.uint16),
        np.zeros(hands if residues else 0, np.uint32),
        np.zeros((larger_hands + 7) // 8, np.uint8),
    )


@kernel
def prepare(state: State, hand_index: HandIndex, first: int, last: int) -> int:
    """Set sums and weights of the indices [first, last) to where they start; return how many are hands."""
    sums, weights, residues = state.sums, state.weights, state.residues
    draws = 52 - hand_index["cards"]
    found = 0
    for index in range(first, last):
        orbit, _ = orbit_at(hand_index, index)
        if orbit == 0:
            sums[index] = np.nan
            weights[index] = NO_HAND
            continue
        found += 1
        sums[index] = draws * orbit
        weights[index] = 0
        if len(residues) > 0:
            residues[index] = draws * orbit
    return found


@kernel
def lock_in(run: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex, rummy_masks: Ints) -> bool:
    """Lock in the rummies, if some are named, by their masks; or else the hands of the band, if the queue can hold it.

    Returns whether it can. One kernel for both, so that what they need is compiled once.
    """
    if len(rummy_masks) > 0:
        lock_rummies(run, state, queue, hand_index, larger, rummy_masks)
        return True
    fill_band(run, state, queue)
    if run["overflow"]:
        return False
    lock_band(run, state, queue, hand_index, larger)
    return True


@kernel
def lock_rummies(
    run: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex, rummy_masks: Ints
) -> None:
    """Lock in all rummies with E = 0, those that are alike once, and spread the news."""
    run["classes"] = 1
    run["high"] = -1.0  # nothing is queued
    for i in range(len(rummy_masks)):
        rummy = mask_index(hand_index, rummy_masks[i])
        if state.weights[rummy] == LOCKED:
            continue
        state.weights[rummy] = LOCKED
        state.sums[rummy] = 0.0
        if len(state.residues) > 0:
            state.residues[rummy] = 0
        orbit, suits = orbit_at(hand_index, rummy)
        run["num_locked"] += 1
        run["hands_locked"] += orbit
        spread(run, state, queue, hand_index, larger, suits)


@kernel
def fill_band(run: Run, state: State, queue: Queue) -> None:
    """Put all hands with E_hyp below the top of the band into the queue."""
    sums, tails, weights, entries = state.sums, state.tails, state.weights, queue.entries
    run["pool_used"] = run["heap_size"] = run["bucket"] = run["overflow"] = 0
    run["heads"][:] = NOTHING
    low, high, scale = run["low"], run["high"], run["scale"]
    for index in range(len(sums)):
        weight = wide(weights[index])
        # sum / weight < high, without the division
        if weight < NO_HAND and sums[index] < high * weight:
            value, _ = quotient(sums[index], tails[index] if len(tails) > 0 else 0.0, weight)
            bucket = wide((value - low) * scale)
            push_bucket(run, entries, index, min(max(bucket, 0), NUM_BUCKETS - 1))
            if run["overflow"]:
                break


@kernel
def lock_band(run: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex) -> None:
    """Lock in all hands of the band, in order. Stops early if the queue overflows: then it has to be filled again."""
    sums, tails, weights, entries, heap = state.sums, state.tails, state.weights, queue.entries, queue.heap
    for bucket in range(NUM_BUCKETS):
        run["bucket"] = bucket
        entry = wide(run["heads"][bucket])
        while entry != NOTHING:
            hand = wide(entries[entry, 0])
            if weights[hand] != LOCKED:
                value, tail = quotient(sums[hand], tails[hand] if len(tails) > 0 else 0.0, wide(weights[hand]))
                push_heap(run, heap, value, tail, hand)
            entry = wide(entries[entry, 1])
        while run["heap_size"] > 0 and run["overflow"] == 0:
            run["value"], run["tail"], hand = heap[0]["value"], heap[0]["tail"], heap[0]["hand"]
            remove_first(run, heap)
            if weights[hand] == LOCKED:
                continue
            # An entry is out of date if its hand was locked in, or has fallen: then there is another, lower entry.
            value, tail = quotient(sums[hand], tails[hand] if len(tails) > 0 else 0.0, wide(weights[hand]))
            if value == run["value"] and tail == run["tail"]:
                lock(run, state, queue, hand_index, larger, hand)
        if run["overflow"]:
            return


@kernel
def lock(run: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex, hand: int) -> None:
    """Lock in a hand with the least E_hyp of all, which is `value` and `tail` of the run; and spread the news."""
    weight = wide(state.weights[hand])
    value = run["value"]
    state.sums[hand] = value
    state.weights[hand] = LOCKED
    if len(state.residues) > 0:
        run["residue"] = wide(state.residues[hand]) * run["inverses"][weight] % PRIME
        state.residues[hand] = run["residue"]
        count_class(run, NEAR_TIE if len(state.tails) > 0 else NEAR_TIE_WITHOUT_TAILS)
    orbit, suits = orbit_at(hand_index, hand)
    run["num_locked"] += 1
    run["hands_locked"] += orbit
    run["last"] = value
    if run["best_value"] == 0.0:
        run["best_value"], run["best"] = value, hand
    if value > run["worst_value"]:
        run["worst_value"], run["worst"] = value, hand
    # The total over all hands, with what was rounded off carried along (Kahan).
    term = value * orbit - run["total_rest"]
    total = run["total"] + term
    run["total_rest"] = (total - run["total"]) - term
    run["total"] = total
    # A hand whose weight is complete is in no n + 1 cards that were not seen.
    if weight != (52 - hand_index["cards"]) * orbit:
        spread(run, state, queue, hand_index, larger, suits)


@kernel
def count_class(run: Run, near_tie: float) -> None:
    """Count the value that is being locked in, if it was not met before. Values come in order: equal ones are near."""
    value, tail, residue = run["value"], run["tail"], run["residue"]
    values, tails, residues = run["window_values"], run["window_tails"], run["window_residues"]
    used = 0
    is_new, is_near = True, False
    for i in range(run["window_used"]):
        if values[i] < value - CLASS_WINDOW:
            continue
        values[used], tails[used], residues[used] = values[i], tails[i], residues[i]
        if residues[used] == residue:
            is_new = False
            values[used], tails[used] = value, tail
        elif (value - values[used]) + (tail - tails[used]) < near_tie:
            is_near = True
        used += 1
    if is_new:
        run["classes"] += 1
        run["near_ties"] += is_near
        if used < WINDOW_SIZE:
            values[used], tails[used], residues[used] = value, tail, residue
            used += 1
    run["window_used"] = used


@kernel
def spread(run: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex, suits: Suits) -> None:
    """Visit all n + 1 cards that contain a hand of sorted suits and were not seen before."""
    sums, tails, weights, residues = state.sums, state.tails, state.weights, state.residues
    entries, heap, work = queue.entries, queue.heap, run["work"]
    for suit in range(4):
        for i in range(find_unseen(work, larger, state.seen, suits, suit)):
            more = cards_unseen(work, suits, suit, i)
            orbit = orbit_unseen(work, larger, more, i)
            num_throws = find_throws(work, hand_index, more)
            update(run, sums, tails, weights, num_throws, orbit, entries, heap)
            if len(residues) > 0:
                update_residues(residues, weights, work, num_throws, orbit * run["residue"] % PRIME)


@kernel
def update(
    run: Run,
    sums: Floats,
    tails: Floats,
    weights: Shorts,
    num_throws: int,
    orbit: int,
    entries: SmallInts,
    heap: BucketHeap,
) -> None:
    """Tell the hands that are left after each throw of n + 1 cards what the best throw is worth: the run's value."""
    throws = run["work"]["throws"]
    low, high, scale, current = run["low"], run["high"], run["scale"], run["bucket"]
    value = run["value"]
    # orbit · (value + tail), as a number and what was rounded off it
    coarse = value * SPLITTER
    coarse -= coarse - value
    weighted = orbit * value
    weighted_tail = (orbit * coarse - weighted) + orbit * (value - coarse) + orbit * run["tail"]
    old_tail = new_tail = 0.0
    for i in range(num_throws):
        hand = throws[i]
        weight = wide(weights[hand])
        if weight == LOCKED:
            continue
        total = sums[hand]
        new_total, new_weight = total + weighted, weight + orbit
        sums[hand], weights[hand] = new_total, new_weight
        if len(tails) > 0:
            # what total + weighted was rounded by (Knuth)
            part = new_total - total
            old_tail = tails[hand]
            new_tail = old_tail + ((total - (new_total - part)) + (weighted - part)) + weighted_tail
            tails[hand] = new_tail
        # E_hyp is still above the band: sum / weight ≥ high
        if new_total >= high * new_weight:
            continue
        new_value, rest = quotient(new_total, new_tail, new_weight)
        bucket = min(wide((new_value - low) * scale), NUM_BUCKETS - 1)
        if bucket <= current:
            push_heap(run, heap, new_value, rest, hand)
            continue
        before = NUM_BUCKETS
        if total < high * weight:
            old_value, _ = quotient(total, old_tail, weight)
            before = min(wide((old_value - low) * scale), NUM_BUCKETS - 1)
        if bucket < before:
            push_bucket(run, entries, hand, bucket)


@kernel
def update_residues(residues: Residues, weights: Shorts, work: Work, num_throws: int, weighted: int) -> None:
    """Tell the same hands the same modulo the prime."""
    throws = work["throws"]
    for i in range(num_throws):
        hand = throws[i]
        if weights[hand] != LOCKED:
            residue = wide(residues[hand]) + weighted
            residues[hand] = residue - PRIME if residue >= PRIME else residue


# Within a tolerance: Finkle 2017, section 5.2. A round takes the least E_hyp of the hands that are not locked in, locks
# in all whose E_hyp is less than the tolerance above it (a *cohort*), with the E_hyp that they have, and only then
# works out E_hyp anew for the others. Theorem 4: no value is more than the tolerance too high.
#
# Unlike in the exact order, a hand may be locked in with a smaller value than one that was locked in before it. So the
# value of n + 1 cards, the least of the hands in it that are locked in, may still fall, and is looked at every time one
# of them is locked in.


class Counters(TypedDict):
    """Which round it is, and how many members its cohort has."""

    members: Annotated[int, np.int64]
    round: Annotated[int, np.int64]


COUNTERS = record_type(Counters)


class Cohorts(NamedTuple):
    """By index of a hand: `sums` and `weights` as above, and `cohorts`, int32: the round, 0 for rummies.

    `heap` has the hands that may be locked in next, the least E_hyp first. `members`, int32, has the cohort of this
    round, and `counters` how many it has.
    """

    sums: Floats
    weights: Shorts
    cohorts: SmallInts
    heap: Heap
    members: SmallInts
    counters: Counters


def make_cohorts(sums: Floats, weights: Shorts) -> Cohorts:
    """Return cohorts for sums and weights that are prepared (`prepare`), with nothing locked in yet."""
    size = len(sums)
    return Cohorts(
        sums,
        weights,
        np.full(size, NOT_YET, np.int32),
        make_heap(sums, weights),
        np.zeros(size, np.int32),
        np.zeros(1, COUNTERS)[0],
    )


@kernel
def lock_first_cohort(state: Cohorts, work: Work, hand_index: HandIndex, larger: HandIndex, rummies: Ints) -> None:
    """Lock in the rummies, with 0 turns."""
    state.counters["members"] = len(rummies)
    for i in range(len(rummies)):
        state.members[i] = rummies[i]
        state.sums[rummies[i]] = 0.0
    lock_members(state, work, hand_index, larger)


@kernel
def run_rounds(
    state: Cohorts, work: Work, hand_index: HandIndex, larger: HandIndex, tolerance: float, rounds: int
) -> int:
    """Lock in cohorts, at most so many; return how many hands are still queued, 0 if all is done."""
    counters, heap = state.counters, state.heap
    for _ in range(rounds):
        if heap.size[0] == 0:
            break
        least = value_of(heap, wide(heap.entries[0]))
        counters["round"] += 1
        counters["members"] = 0
        while heap.size[0] > 0 and value_of(heap, wide(heap.entries[0])) - least < tolerance:
            hand = take_first(heap)
            state.members[counters["members"]] = hand
            counters["members"] += 1
            state.sums[hand] = value_of(heap, hand)
        lock_members(state, work, hand_index, larger)
    return wide(heap.size[0])


@kernel
def lock_members(state: Cohorts, work: Work, hand_index: HandIndex, larger: HandIndex) -> None:
    """Lock in the members of this round, whose sums are E already, and tell all others."""
    for i in range(state.counters["members"]):
        state.weights[state.members[i]] = LOCKED
        state.cohorts[state.members[i]] = state.counters["round"]
    met = work["fresh"]
    for i in range(state.counters["members"]):
        hand = wide(state.members[i])
        mask, num_met = hand_at(hand_index, hand), 0
        for drawn in range(52):
            if mask >> drawn & 1:
                continue
            a, b, c, d = sorted_suits(mask | wide(1) << drawn)
            index, symmetries = sorted_index(larger, a, b, c, d)
            is_new = True
            for j in range(num_met):
                if met[j] == index:
                    is_new = False
            if is_new:
                met[num_met] = index
                num_met += 1
                orbit = orbit_size(larger["symmetries"], symmetries, a, b, c, d)
                tell(state, work, find_throws(work, hand_index, (a, b, c, d)), hand, orbit)


@kernel
def tell(state: Cohorts, work: Work, num_throws: int, hand: int, orbit: int) -> None:
    """Tell the hands in n + 1 cards what the best throw is worth now, if a hand of this round has changed that.

    If several hands of this round are in the n + 1 cards, the one of the lowest index does it.
    """
    throws, now = work["throws"], state.counters["round"]
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
