"""The indices of all hands that differ from one by a card of a suit: what the solver spends its time on.

If one suit of a hand gains or loses a card, whichever card it is, the shape of what comes out is the same; and as long
as another suit is the anchor, so is the symmetry that maps the suits. So nearly all of an index (see `hand_index`) is
found once for a suit: it is constant + stride · f(number of the changed suit), where f(x) is x itself, or the number of
a multiset of x and one or two suits of the same size. If several suits may be the anchor, or two symmetries map it,
there are several such *candidates*, and the smallest value counts. If the changed suit is the anchor, the other three
are mapped by each symmetry at most once.

So the solver gets from a hand to its neighbours. Every set of n + 1 cards is visited once, from the first of its hands,
in whatever order hands are taken: a bit for each set, up to symmetry, tells whether it was seen. From a hand,
`find_unseen` finds the sets that hold a card more of one suit and were not; `find_throws` then leads from one of them
to all of its hands.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type
from handful.rummy.kernels.hand_index import (
    NO_MAP,
    HandIndex,
    Suits,
    anchor_maps,
    best_anchor,
    lowest_orbit,
    orbit_size,
    pair_rank,
    rest_of_three,
    rest_of_two,
    triple_rank,
)

Bytes: TypeAlias = npt.NDArray[np.uint8]

ROOM = 64  # for the cards of a deck
ALONE, PAIR, TRIPLE = range(3)  # what the number of the changed suit is combined with


class Work(TypedDict):
    """Room to work in.

    What was found: `indices`, and by how many symmetries each (`maps_found`). What the solver keeps: `fresh`, the sets
    of n + 1 cards that were not seen, as symmetries << 13 | card that was drawn; `throws`, the indices of their hands.
    Candidates: a constant, up to two numbers of a multiset (`firsts`, `seconds`), and the symmetry (`maps`). And what
    each symmetry makes of the suits that stay, if it is known (`rests`).
    """

    indices: Annotated[Ints, np.int64, ROOM]
    maps_found: Annotated[Ints, np.int64, ROOM]
    fresh: Annotated[Ints, np.int64, ROOM]
    throws: Annotated[Ints, np.int64, ROOM]
    constants: Annotated[Ints, np.int64, ROOM]
    firsts: Annotated[Ints, np.int64, ROOM]
    seconds: Annotated[Ints, np.int64, ROOM]
    maps: Annotated[Ints, np.int64, ROOM]
    rests: Annotated[Ints, np.int64, ROOM]


WORK = record_type(Work)


def make_work() -> Work:
    """Return room to work in."""
    work: Work = np.zeros(1, WORK)[0]
    return work


@kernel
def changed_indices(
    hand_index: HandIndex, others: tuple[int, int, int], held: int, size: int, bits: int, work: Work
) -> int:
    """Write down the indices of hands in which one card of a suit is changed; return how many.

    `others` are the suits that stay, sorted, as size << 13 | subset. The suit `held` becomes held ^ bit for each bit of
    `bits`, and then has `size` cards. What is found are `indices` and `maps_found` of the work.
    """
    p, q, r = others
    key = shape_key(p >> 13, q >> 13, r >> 13, size)
    if size > p >> 13:
        return change_anchor(hand_index, key, others, held, bits, work)
    return change_other(hand_index, key, others, held, size, bits, work)


@kernel
def change_anchor(
    hand_index: HandIndex, key: int, others: tuple[int, int, int], held: int, bits: int, work: Work
) -> int:
    """Do so where the changed suit is longer than all others: it is the anchor."""
    p, q, r = others
    base, radix = hand_index["bases"][key], hand_index["radices"][key]
    for symmetry in range(hand_index["symmetries"]):
        work["rests"][symmetry] = -1
    found = 0
    while bits:
        bit = bits & -bits
        bits ^= bit
        alike = wide(hand_index["alike"][held ^ bit])
        symmetry, maps = alike & 63, 1
        part = work["rests"][symmetry]
        if part < 0:
            part = rest_of_three(hand_index, symmetry, p, q, r)
            work["rests"][symmetry] = part
        second = alike >> 6 & 63
        if second != NO_MAP:
            other = rest_of_three(hand_index, second, p, q, r)
            if other == part:
                maps = 2
            part = min(part, other)
        work["indices"][found] = base + (alike >> 12) * radix + part
        work["maps_found"][found] = maps
        found += 1
    return found


@kernel
def change_other(
    hand_index: HandIndex, key: int, others: tuple[int, int, int], held: int, size: int, bits: int, work: Work
) -> int:
    """Do so where another suit is at least as long: the index is the least of some candidates."""
    base, mapped = hand_index["bases"][key], hand_index["mapped"]
    lowest, shift, kind, stride, candidates = find_candidates(hand_index, key, others, size, work)
    is_longest = size == others[0] >> 13
    # Nearly always there is one candidate: it is kept at hand.
    constant, first, last = work["constants"][0], work["firsts"][0], work["seconds"][0]
    mapped_from = work["maps"][0] << 13
    found = 0
    while bits:
        bit = bits & -bits
        bits ^= bit
        changed = held ^ bit
        maps = 1
        if is_longest and wide(hand_index["alike"][changed]) >> 12 <= lowest:
            a, b, c, d = put_among(others, size << 13 | changed)
            part, maps = best_anchor(hand_index, key, a, b, c, d)
            index = base + part
        else:
            x = wide(mapped[mapped_from | changed]) - shift
            index = constant + stride * combined(kind, x, first, last)
            for i in range(1, candidates):
                x = wide(mapped[work["maps"][i] << 13 | changed]) - shift
                x = combined(kind, x, work["firsts"][i], work["seconds"][i])
                other = work["constants"][i] + stride * x
                if other == index:
                    maps += 1
                elif other < index:
                    index, maps = other, 1
        work["indices"][found] = index
        work["maps_found"][found] = maps
        found += 1
    return found


@inlined_kernel
def combined(kind: int, x: int, first: int, last: int) -> int:
    """Return x itself, or the number of a multiset of x and one or two others."""
    if kind == PAIR:
        return pair_rank(x, first)
    if kind == TRIPLE:
        return triple_rank(x, first, last)
    return x


@inlined_kernel
def put_among(others: tuple[int, int, int], suit: int) -> Suits:
    """Return three sorted suits with a fourth in its place."""
    p, q, r = others
    a, b = max(p, suit), min(p, suit)
    b, c = max(q, b), min(q, b)
    c, d = max(r, c), min(r, c)
    return a, b, c, d


@inlined_kernel
def shape_key(p: int, q: int, r: int, size: int) -> int:
    """Return the key of a shape with three sizes, sorted, and a fourth."""
    if size >= p:
        return size << 8 | p << 4 | q
    if size >= q:
        return p << 8 | size << 4 | q
    if size >= r:
        return p << 8 | q << 4 | size
    return p << 8 | q << 4 | r


@kernel
def find_candidates(
    hand_index: HandIndex, key: int, suits: tuple[int, int, int], size: int, work: Work
) -> tuple[int, int, int, int, int]:
    """Write down the ways in which p, or q or r of the same size, is the anchor, where no suit is longer.

    Returns the lowest orbit of the three, what to subtract from the number of the changed suit, what it is combined
    with, the stride, and how many candidates there are.
    """
    p, q, r = suits
    base, radix, counts = hand_index["bases"][key], hand_index["radices"][key], hand_index["counts"]
    mapped = hand_index["mapped"]
    longest = p >> 13
    others = 1 + (q >> 13 == longest) + (r >> 13 == longest)
    is_longest = size == longest
    lowest = lowest_orbit(hand_index, others, p, q, r, 0)
    start = hand_index["starts"][longest, lowest]
    anchor_base = hand_index["anchors"][longest * 5 + others + is_longest, lowest]
    shift = start if is_longest else wide(0)
    kind, stride = ALONE, wide(1)
    found = 0
    anchor, one, two, previous = p, q, r, wide(-1)
    for _ in range(others):
        maps = anchor_maps(hand_index, anchor, previous, lowest)
        for turn in range(2):
            symmetry = maps >> 6 * turn & 63
            if symmetry == NO_MAP:
                continue
            x = wide(mapped[symmetry << 13 | one & 8191])
            y = wide(mapped[symmetry << 13 | two & 8191])
            part, first, last, rest = anchor_base, wide(0), wide(0), wide(0)
            if is_longest:
                stride = radix
                if others == 1:
                    rest = rest_of_two(hand_index, symmetry, one, two)
                elif others == 2:
                    kind, first, rest = PAIR, x - start, y
                else:
                    kind, first, last = TRIPLE, x - start, y - start
            elif others == 3:
                part += pair_rank(x - start, y - start)
            elif others == 2:
                part += x - start
                kind, stride, rest, first = with_one(counts, size, two >> 13, y)
            else:
                kind, stride, rest, first, last = with_two(counts, size, one >> 13, two >> 13, x, y)
            work["constants"][found] = base + part * radix + rest
            work["firsts"][found], work["seconds"][found] = first, last
            work["maps"][found] = symmetry
            found += 1
        previous = anchor
        if others == 2:
            anchor, one = one, anchor
        else:
            anchor, one, two = one, two, anchor
    return lowest, shift, kind, stride, found


@inlined_kernel
def with_one(counts: Ints, size: int, other_size: int, y: int) -> tuple[int, int, int, int]:
    """Return kind, stride, constant and partner of the digits of a changed suit and one of number y."""
    if size == other_size:
        return PAIR, wide(1), wide(0), y
    if size > other_size:
        return ALONE, counts[other_size], y, wide(0)
    return ALONE, wide(1), y * counts[size], wide(0)


@inlined_kernel
def with_two(counts: Ints, size: int, x_size: int, y_size: int, x: int, y: int) -> tuple[int, int, int, int, int]:
    """Return kind, stride, constant and partners of the digits of a changed suit and two of numbers x and y.

    The digits of `rest_of_three`: (first · count of the second + second) · count of the third + third, largest size
    first.
    """
    zero = wide(0)
    if x_size == y_size:
        if size == x_size:
            return TRIPLE, wide(1), zero, x, y
        if size > x_size:
            return ALONE, counts[x_size] * (counts[x_size] + 1) >> 1, pair_rank(x, y), zero, zero
        return ALONE, wide(1), pair_rank(x, y) * counts[size], zero, zero
    if size == x_size:
        return PAIR, counts[y_size], y, x, zero
    if size == y_size:
        return PAIR, wide(1), x * (counts[size] * (counts[size] + 1) >> 1), y, zero
    if size > x_size:
        return ALONE, counts[x_size] * counts[y_size], x * counts[y_size] + y, zero, zero
    if size > y_size:
        return ALONE, counts[y_size], x * counts[size] * counts[y_size] + y, zero, zero
    return ALONE, wide(1), (x * counts[y_size] + y) * counts[size], zero, zero


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
def find_unseen(work: Work, larger: HandIndex, seen: Bytes, suits: Suits, suit: int) -> int:
    """Find the sets of n + 1 cards that were not seen and hold a card more of a suit; return how many. Now they are.

    `fresh` of the work gets the card that was drawn, and how many symmetries give the index of the set.
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
        index = work["indices"][i]
        bit = 1 << (index & 7)
        if not seen[index >> 3] & bit:
            seen[index >> 3] |= bit
            work["fresh"][fresh] = work["maps_found"][i] << 13 | drawn
            fresh += 1
    return fresh


@inlined_kernel
def cards_unseen(work: Work, suits: Suits, suit: int, number: int) -> Suits:
    """Return the suits of one of the sets that were found: the changed suit takes its place among the others."""
    return put_among(suits_beside(suits, suit), suit_at(suits, suit) + 8192 + (work["fresh"][number] & 8191))


@inlined_kernel
def orbit_unseen(work: Work, larger: HandIndex, suits: Suits, number: int) -> int:
    """Return how many sets are alike to one of those that were found."""
    e, f, g, h = suits
    return orbit_size(larger["symmetries"], work["fresh"][number] >> 13, e, f, g, h)


@kernel
def find_throws(work: Work, hand_index: HandIndex, suits: Suits) -> int:
    """Write the indices of the hands that are left after each throw of n + 1 cards to `work`; return how many."""
    total = 0
    for suit in range(4):
        held = suit_at(suits, suit)
        if held == 0:
            break
        found = changed_indices(hand_index, suits_beside(suits, suit), held & 8191, (held >> 13) - 1, held & 8191, work)
        for i in range(found):
            work["throws"][total] = work["indices"][i]
            total += 1
    return total
