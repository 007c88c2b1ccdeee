"""Every set of n + 1 cards is visited once: from the first of its hands, in whatever order hands are taken.

A bit for each set of n + 1 cards, up to symmetry, tells whether it was seen. From a hand, `find_unseen` finds those
that hold a card more of one suit and were not; `find_throws` then leads from one of them to all of its hands.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful.rummy.kernels.hand_index import Hands, Ints, orbit_size
from handful.rummy.kernels.neighbours import FRESH, INDICES, MAPS_FOUND, THROWS, changed_indices

Bytes: TypeAlias = npt.NDArray[np.uint8]
Suits: TypeAlias = tuple[int, int, int, int]  # as size << 13 | subset, sorted, the largest first


@inlined_kernel
def suit_at(suits: Suits, suit: int) -> int:
    """Return one of four suits."""
    a, b, c, d = suits
    return a if suit == 0 else b if suit == 1 else c if suit == 2 else d


@inlined_kernel
def suits_beside(suits: Suits, suit: int) -> tuple[int, int, int]:
    """Return the other three, in their order."""
    a, b, c, d = suits
    return a if suit > 0 else b, b if suit > 1 else c, c if suit > 2 else d


@kernel
def find_unseen(work: Ints, larger: Hands, seen: Bytes, suits: Suits, suit: int) -> int:
    """Find the sets of n + 1 cards that were not seen and hold a card more of a suit; return how many. Now they are.

    The row FRESH of `work` gets the card that was drawn, and how many symmetries give the index of the set.
    """
    a, b, c, d = suits
    if (suit == 1 and b == a) or (suit == 2 and c == b) or (suit == 3 and d == c):
        return 0  # draws of equal suits lead to the same cards
    held, others = suit_at(suits, suit), suits_beside(suits, suit)
    free = ~held & 8191
    found = changed_indices(larger, others, held & 8191, (held >> 13) + 1, free, work)
    # The bits are looked up together, so that the processor fetches many at a time.
    fresh = 0
    for i in range(found):
        drawn = free & -free
        free ^= drawn
        index = work[INDICES, i]
        bit = 1 << (index & 7)
        if not seen[index >> 3] & bit:
            seen[index >> 3] |= bit
            work[FRESH, fresh] = work[MAPS_FOUND, i] << 13 | drawn
            fresh += 1
    return fresh


@inlined_kernel
def cards_unseen(work: Ints, suits: Suits, suit: int, number: int) -> Suits:
    """Return the suits of one of the sets that were found: the changed suit takes its place among the others."""
    p, q, r = suits_beside(suits, suit)
    x = suit_at(suits, suit) + 8192 + (work[FRESH, number] & 8191)
    e, f = max(p, x), min(p, x)
    f, g = max(q, f), min(q, f)
    g, h = max(r, g), min(r, g)
    return e, f, g, h


@inlined_kernel
def orbit_unseen(work: Ints, larger: Hands, suits: Suits, number: int) -> int:
    """Return how many sets are alike to one of those that were found."""
    e, f, g, h = suits
    return orbit_size(larger["symmetries"], work[FRESH, number] >> 13, e, f, g, h)


@kernel
def find_throws(work: Ints, hands: Hands, suits: Suits) -> int:
    """Write the indices of the hands that are left after each throw of n + 1 cards to `work`; return how many."""
    total = 0
    for suit in range(4):
        held = suit_at(suits, suit)
        if held == 0:
            break
        found = changed_indices(hands, suits_beside(suits, suit), held & 8191, (held >> 13) - 1, held & 8191, work)
        for i in range(found):
            work[THROWS, total] = work[INDICES, i]
            total += 1
    return total
