"""Where a run of the solver is, and its queue: the hands that are locked in next.

The queue holds the hands of a *band* [low, high) of values. It is cut into buckets, each an unordered list; only those
of the current bucket are in a heap. A hand has an entry in each bucket that it has fallen to: the lowest counts, the
others are out of date when they are reached. Values are sums of two floats, value and tail, so that hands are in the
right order even if they differ in the twentieth digit.

The heap is not that of `heap`, which remembers the place of every hand: with ten cards there is no room for that, and a
hand may be in this one twice. One heap for both, with values, tails and places in arrays of their own, was tried: it
made the solver a quarter slower (six cards, aces low: 1.43 seconds of CPU instead of 1.13).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Floats, Ints, SmallInts, TypedDict, record_type
from handful.rummy.kernels.neighbours import WORK, Work

PRIME = 2**31 - 1  # E is also carried modulo this prime, which tells exactly whether two values are equal
NUM_BUCKETS = 1024
NOTHING = -1
WINDOW_SIZE = 1 << 10
SPLITTER = float(2**27 + 1)  # cuts 53 bits into halves (Dekker)
LARGEST_WEIGHT = 49 * 624  # draws of three cards, times the largest orbit


class Run(TypedDict):
    """Where a run is. It is kept in checkpoints: a change of its fields is a new version of them."""

    low: Annotated[float, np.float64]  # the limits of the band
    high: Annotated[float, np.float64]
    scale: Annotated[float, np.float64]  # buckets per turn
    narrowing: Annotated[float, np.float64]  # what part of the width is chosen
    pool_used: Annotated[int, np.int64]  # entries of the queue
    heap_size: Annotated[int, np.int64]
    bucket: Annotated[int, np.int64]  # the current one
    overflow: Annotated[int, np.int64]  # whether the queue was too small
    value: Annotated[float, np.float64]  # what is being locked in
    tail: Annotated[float, np.float64]
    residue: Annotated[int, np.int64]
    num_locked: Annotated[int, np.int64]  # hands up to symmetry
    hands_locked: Annotated[int, np.int64]  # hands in all
    last: Annotated[float, np.float64]  # value that was locked in
    total: Annotated[float, np.float64]  # of the values of all hands,
    total_rest: Annotated[float, np.float64]  # and what was rounded off it
    best_value: Annotated[float, np.float64]  # the least and the greatest,
    worst_value: Annotated[float, np.float64]
    best: Annotated[int, np.int64]  # and where they are
    worst: Annotated[int, np.int64]
    classes: Annotated[int, np.int64]
    near_ties: Annotated[int, np.int64]
    window_used: Annotated[int, np.int64]  # values met last, for counting classes
    window_values: Annotated[Floats, np.float64, WINDOW_SIZE]
    window_tails: Annotated[Floats, np.float64, WINDOW_SIZE]
    window_residues: Annotated[Ints, np.int64, WINDOW_SIZE]
    heads: Annotated[SmallInts, np.int32, NUM_BUCKETS]  # by bucket: the first entry of the queue, or NOTHING
    inverses: Annotated[Ints, np.int64, LARGEST_WEIGHT + 1]  # of weights, modulo the prime
    work: Annotated[Work, WORK]


RUN = record_type(Run)
HEAP_ENTRY = np.dtype([("value", np.float64), ("tail", np.float64), ("hand", np.int64)], align=True)
BucketHeap: TypeAlias = npt.NDArray[np.void]


class Queue(NamedTuple):
    """Hands of the band: a linked list for each bucket, in `entries`, int32, as (hand, next entry or NOTHING).

    `heap`, of HEAP_ENTRY, has those of the current bucket, the least first.
    """

    entries: SmallInts
    heap: BucketHeap


def make_run() -> Run:
    """Return the record of a run that begins."""
    run: Run = np.zeros(1, RUN)[0]
    run["narrowing"] = 1.0
    inverses = run["inverses"]
    inverses[1] = 1
    for i in range(2, len(inverses)):
        inverses[i] = (PRIME - PRIME // i) * int(inverses[PRIME % i]) % PRIME
    return run


def make_queue(capacity: int) -> Queue:
    """Return an empty queue with room for so many entries."""
    return Queue(np.zeros((capacity, 2), np.int32), np.zeros(capacity, HEAP_ENTRY))


@inlined_kernel
def quotient(total: float, tail: float, weight: int) -> tuple[float, float]:
    """Return (total + tail) / weight as a value and what was rounded off it (a double-double number).

    With q = total / weight rounded, the remainder total − q · weight is exact if q is split into two halves.
    """
    value = total / weight
    coarse = value * SPLITTER
    coarse -= coarse - value
    rest = ((total - coarse * weight) - (value - coarse) * weight + tail) / weight
    rounded = value + rest
    return rounded, rest - (rounded - value)


@kernel
def push_bucket(run: Run, entries: SmallInts, hand: int, bucket: int) -> None:
    """Add an entry to the list of a bucket."""
    entry = run["pool_used"]
    if entry == len(entries):
        run["overflow"] = 1
        return
    run["pool_used"] = entry + 1
    entries[entry, 0] = hand
    entries[entry, 1] = run["heads"][bucket]
    run["heads"][bucket] = entry


@kernel
def push_heap(run: Run, heap: BucketHeap, value: float, tail: float, hand: int) -> None:
    """Add a hand to the heap of the current bucket."""
    place = run["heap_size"]
    if place == len(heap):
        run["overflow"] = 1
        return
    run["heap_size"] = place + 1
    while place > 0:
        parent = (place - 1) >> 1
        if not is_less(value, tail, heap[parent]["value"], heap[parent]["tail"]):
            break
        move_entry(heap, parent, place)
        place = parent
    heap[place]["value"] = value
    heap[place]["tail"] = tail
    heap[place]["hand"] = hand


@kernel
def remove_first(run: Run, heap: BucketHeap) -> None:
    """Remove the least entry of a heap that is not empty."""
    size = run["heap_size"] - 1
    run["heap_size"] = size
    value, tail = heap[size]["value"], heap[size]["tail"]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        second = child + 1
        if second < size and is_less(
            heap[second]["value"], heap[second]["tail"], heap[child]["value"], heap[child]["tail"]
        ):
            child = second
        if not is_less(heap[child]["value"], heap[child]["tail"], value, tail):
            break
        move_entry(heap, child, place)
        place = child
    move_entry(heap, size, place)


@inlined_kernel
def is_less(value: float, tail: float, other_value: float, other_tail: float) -> bool:
    """Return whether value + tail is less than another."""
    return value < other_value or (value == other_value and tail < other_tail)


@inlined_kernel
def move_entry(heap: BucketHeap, origin: int, place: int) -> None:
    """Copy an entry of a heap to another place."""
    heap[place]["value"] = heap[origin]["value"]
    heap[place]["tail"] = heap[origin]["tail"]
    heap[place]["hand"] = heap[origin]["hand"]
