"""The one heap of hands that finds the next: a hand whose value falls moves up in it.

`queue` has another, of the few hands of a bucket at a time, with their values beside them: there is no room to remember
the places of all.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel

Numbers: TypeAlias = npt.NDArray[Any]  # of whole numbers, as small as they may be

NOT_QUEUED = -1  # the place of a hand that is not in the heap


class Heap(NamedTuple):
    """Hands by their values, sum / weight: the least first, ``size[0]`` of them in `entries`.

    By hand: `places`, where in `entries` it is, or NOT_QUEUED (or less, if the caller writes more there); `sums`,
    float64, and `weights`, which are the caller's. There is no array of values: with nine cards it would be 600 MB.
    """

    entries: Numbers
    places: Numbers
    sums: npt.NDArray[np.float64]
    weights: Numbers
    size: Numbers


def make_heap(sums: npt.NDArray[np.float64], weights: Numbers) -> Heap:
    """Return an empty heap for the hands of these sums and weights."""
    places = np.full(len(sums), NOT_QUEUED, np.int32)
    return Heap(np.zeros(len(sums), np.int32), places, sums, weights, np.zeros(1, np.int64))


@inlined_kernel
def value_of(heap: Heap, hand: int) -> float:
    """Return the value of a hand."""
    value: float = heap.sums[hand] / wide(heap.weights[hand])
    return value


@inlined_kernel
def put(heap: Heap, hand: int, place: int) -> None:
    """Put a hand at a place."""
    heap.entries[place] = hand
    heap.places[hand] = place


@kernel
def lift(heap: Heap, hand: int) -> None:
    """Move a hand whose value has fallen to its place; it enters if it was not there."""
    place = wide(heap.places[hand])
    if place == NOT_QUEUED:
        place = wide(heap.size[0])
        heap.size[0] += 1
    value = value_of(heap, hand)
    while place > 0:
        parent = (place - 1) >> 1
        other = wide(heap.entries[parent])
        if value_of(heap, other) <= value:
            break
        put(heap, other, place)
        place = parent
    put(heap, hand, place)


@kernel
def take_first(heap: Heap) -> int:
    """Remove the hand of the least value from a heap that is not empty, and return it."""
    entries = heap.entries
    first = wide(entries[0])
    heap.places[first] = NOT_QUEUED
    heap.size[0] -= 1
    size = wide(heap.size[0])
    if size == 0:
        return first
    last = wide(entries[size])
    value = value_of(heap, last)
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and value_of(heap, wide(entries[child + 1])) < value_of(heap, wide(entries[child])):
            child += 1
        if value_of(heap, wide(entries[child])) >= value:
            break
        put(heap, wide(entries[child]), place)
        place = child
    put(heap, last, place)
    return first
