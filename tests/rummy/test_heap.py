"""The heap of hands against Python's own."""

from __future__ import annotations

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from handful.rummy.kernels.heap import NOT_QUEUED, lift, make_heap, take_first, value_of

# What happens to a hand (its sum falls to so much), or None: the first is taken.
events = st.lists(st.none() | st.tuples(st.integers(0, 9), st.integers(-20, 20)), max_size=60)


@given(events)
def test_hands_leave_in_the_order_of_their_values_as_from_heapq(happening: list[tuple[int, int] | None]) -> None:
    weights = np.arange(1, 11, dtype=np.uint16)
    heap = make_heap(np.zeros(10), weights)
    plain: list[tuple[float, int]] = []
    values: dict[int, float] = {}
    for each in happening:
        if each is not None:
            hand, value = each
            if value < values.get(hand, 99.0):
                values[hand] = float(value)
                heap.sums[hand] = value * (hand + 1)
                lift(heap, hand)
                heapq.heappush(plain, (float(value), hand))
        elif values:
            # Entries of hands that have fallen since, or are gone, are out of date.
            while values.get(plain[0][1]) != plain[0][0]:
                heapq.heappop(plain)
            hand = take_first(heap)
            assert value_of(heap, hand) == plain[0][0] == values.pop(hand)
            assert heap.places[hand] == NOT_QUEUED
        assert set(heap.entries[: heap.size[0]]) == set(values)
        assert all(heap.entries[heap.places[hand]] == hand for hand in values)
