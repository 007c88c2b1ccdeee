"""Where a run of the solver is, and its queue: the hands that are locked in next.

The queue holds the hands of a *band* [low, high) of values. It is cut into buckets, each an unordered list; only those
of the current bucket are in a heap. A hand has an entry in each bucket that it has fallen to: the lowest counts, the
others are out of date when they are reached. Values are sums of two floats, value and tail, so that hands are in the
right order even if they differ in the twentieth digit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful.rummy.kernels.neighbours import NUM_ROWS, ROW_LENGTH

Entries: TypeAlias = npt.NDArray[np.int32]

PRIME = 2**31 - 1  # E is also carried modulo this prime, which tells exactly whether two values are equal
NUM_BUCKETS = 1024
NOTHING = -1
WINDOW_SIZE = 1 << 10
SPLITTER = float(2**27 + 1)  # cuts 53 bits into halves (Dekker)
LARGEST_WEIGHT = 49 * 624  # draws of three cards, times the largest orbit

# Where a run is. `low`, `high`: the limits of the band, `scale`: buckets per turn, `narrowing`: what part of the width
# is chosen; `pool_used`, `heap_size`, `bucket`, `overflow`: of the queue; `value`, `tail`, `residue`: what is being
# locked in; `num_locked` hands up to symmetry, and `hands_locked` in all; `last`: the last value locked in; `total` of
# the values of all hands, and what was rounded off (`total_rest`); `best`, `worst`: where the least and the greatest
# value are; `classes`, `near_ties` and the `window` of values met last, for counting classes; `heads[bucket]`: the
# first entry of the queue, or NOTHING; `inverses[weight]` modulo the prime; `work`: the room of `neighbours_kernel`.
RUN = np.dtype(
    [
        ("low", np.float64),
        ("high", np.float64),
        ("scale", np.float64),
        ("narrowing", np.float64),
        ("pool_used", np.int64),
        ("heap_size", np.int64),
        ("bucket", np.int64),
        ("overflow", np.int64),
        ("value", np.float64),
        ("tail", np.float64),
        ("residue", np.int64),
        ("num_locked", np.int64),
        ("hands_locked", np.int64),
        ("last", np.float64),
        ("total", np.float64),
        ("total_rest", np.float64),
        ("best_value", np.float64),
        ("worst_value", np.float64),
        ("best", np.int64),
        ("worst", np.int64),
        ("classes", np.int64),
        ("near_ties", np.int64),
        ("window_used", np.int64),
        ("window_values", np.float64, WINDOW_SIZE),
        ("window_tails", np.float64, WINDOW_SIZE),
        ("window_residues", np.int64, WINDOW_SIZE),
        ("heads", np.int32, NUM_BUCKETS),
        ("inverses", np.int64, LARGEST_WEIGHT + 1),
        ("work", np.int64, (NUM_ROWS, ROW_LENGTH)),
    ],
    align=True,
)
Run: TypeAlias = Any  # a record of type RUN
HEAP_ENTRY = np.dtype([("value", np.float64), ("tail", np.float64), ("hand", np.int64)], align=True)
Heap: TypeAlias = npt.NDArray[np.void]


class Queue(NamedTuple):
    """Hands of the band: a linked list for each bucket, in `entries`, int32, as (hand, next entry or NOTHING).

    `heap`, of HEAP_ENTRY, has those of the current bucket, the least first.
    """

    entries: Entries
    heap: Heap


def make_run() -> Run:
    """Return the record of a run that begins."""
    run = np.zeros(1, RUN)[0]
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
def push_bucket(run: Run, entries: Entries, hand: int, bucket: int) -> None:
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
def push_heap(run: Run, heap: Heap, value: float, tail: float, hand: int) -> None:
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
def remove_first(run: Run, heap: Heap) -> None:
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
def move_entry(heap: Heap, origin: int, place: int) -> None:
    """Copy an entry of a heap to another place."""
    heap[place]["value"] = heap[origin]["value"]
    heap[place]["tail"] = heap[origin]["tail"]
    heap[place]["hand"] = heap[origin]["hand"]
