"""The indices of all hands that differ from one by a card of a suit: what the solver spends its time on.

If one suit of a hand gains or loses a card, whichever card it is, the shape of what comes out is the same; and as long
as another suit is the anchor, so is the symmetry that maps the suits. So nearly all of an index (see `hands_kernel`) is
found once for a suit: it is constant + stride · f(number of the changed suit), where f(x) is x itself, or the number of
a multiset of x and one or two suits of the same size. If several suits may be the anchor, or two symmetries map it,
there are several such *candidates*, and the smallest value counts. If the changed suit is the anchor, the other three
are mapped by each symmetry at most once.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.kernels.hand_index import (
    NO_MAP,
    Hands,
    Ints,
    best_anchor,
    pair_rank,
    rest_of_three,
    rest_of_two,
    triple_rank,
)

# Rows of the room to work in: what was found (indices, and how many symmetries give each); what the solver keeps there;
# and candidates.
INDICES, MAPS_FOUND, FRESH, THROWS, CONSTANTS, FIRSTS, SECONDS, MAPS, RESTS = range(9)
NUM_ROWS, ROW_LENGTH = 9, 64

ALONE, PAIR, TRIPLE = range(3)  # what the number of the changed suit is combined with


def make_work() -> Ints:
    """Return room to work in: int64, NUM_ROWS × ROW_LENGTH."""
    return np.zeros((NUM_ROWS, ROW_LENGTH), np.int64)


@kernel
def changed_indices(hands: Hands, others: tuple[int, int, int], held: int, size: int, bits: int, work: Ints) -> int:
    """Write down the indices of hands in which one card of a suit is changed; return how many.

    `others` are the suits that stay, sorted, as size << 13 | subset. The suit `held` becomes held ^ bit for each bit of
    `bits`, and then has `size` cards. Indices and numbers of symmetries go to the rows INDICES and MAPS_FOUND of
    `work`.
    """
    p, q, r = others
    key = shape_key(p >> 13, q >> 13, r >> 13, size)
    base, radix = hands["bases"][key], hands["radices"][key]
    found = 0
    if size > p >> 13:
        for symmetry in range(hands["symmetries"]):
            work[RESTS, symmetry] = -1
        while bits:
            bit = bits & -bits
            bits ^= bit
            alike = wide(hands["alike"][held ^ bit])
            symmetry, maps = alike & 63, 1
            part = work[RESTS, symmetry]
            if part < 0:
                part = rest_of_three(hands, symmetry, p, q, r)
                work[RESTS, symmetry] = part
            second = alike >> 6 & 63
            if second != NO_MAP:
                other = rest_of_three(hands, second, p, q, r)
                if other == part:
                    maps = 2
                part = min(part, other)
            work[INDICES, found] = base + (alike >> 12) * radix + part
            work[MAPS_FOUND, found] = maps
            found += 1
        return found

    lowest, shift, kind, stride, candidates = find_candidates(hands, base, radix, p, q, r, size, work)
    is_longest = size == p >> 13
    constant, first, last = work[CONSTANTS, 0], work[FIRSTS, 0], work[SECONDS, 0]
    mapped_from = work[MAPS, 0] << 13
    while bits:
        bit = bits & -bits
        bits ^= bit
        changed = held ^ bit
        maps = 1
        if is_longest and wide(hands["alike"][changed]) >> 12 <= lowest:
            x = size << 13 | changed
            b, c, d = q, r, wide(0)
            a, b = max(p, x), min(p, x)
            b, c = max(b, q), min(b, q)
            c, d = max(c, r), min(c, r)
            part, maps = best_anchor(hands, key, a, b, c, d)
            index = base + part
        else:
            x = wide(hands["mapped"][mapped_from | changed]) - shift
            if kind == PAIR:
                x = pair_rank(x, first)
            elif kind == TRIPLE:
                x = triple_rank(x, first, last)
            index = constant + stride * x
            for i in range(1, candidates):
                x = wide(hands["mapped"][work[MAPS, i] << 13 | changed]) - shift
                if kind == PAIR:
                    x = pair_rank(x, work[FIRSTS, i])
                elif kind == TRIPLE:
                    x = triple_rank(x, work[FIRSTS, i], work[SECONDS, i])
                other = work[CONSTANTS, i] + stride * x
                if other == index:
                    maps += 1
                elif other < index:
                    index, maps = other, 1
        work[INDICES, found] = index
        work[MAPS_FOUND, found] = maps
        found += 1
    return found


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
    hands: Hands, base: int, radix: int, p: int, q: int, r: int, size: int, work: Ints
) -> tuple[int, int, int, int, int]:
    """Write down the ways in which p, or q or r of the same size, is the anchor, where no suit is longer.

    Returns the lowest orbit of the three, what to subtract from the number of the changed suit, what it is combined
    with, the stride, and how many candidates there are.
    """
    longest = p >> 13
    others = 1 + (q >> 13 == longest) + (r >> 13 == longest)
    is_longest = size == longest
    lowest = wide(hands["alike"][p & 8191]) >> 12
    if others > 1:
        lowest = min(lowest, wide(hands["alike"][q & 8191]) >> 12)
    if others > 2:
        lowest = min(lowest, wide(hands["alike"][r & 8191]) >> 12)
    start = hands["starts"][longest, lowest]
    anchor_base = hands["anchors"][longest * 5 + others + is_longest, lowest]
    shift = start if is_longest else wide(0)
    kind, stride = ALONE, wide(1)
    found = 0
    anchor, one, two, previous = p, q, r, wide(-1)
    for _ in range(others):
        alike = wide(hands["alike"][anchor & 8191])
        if alike >> 12 == lowest and anchor != previous:
            for turn in range(2):
                symmetry = alike >> 6 * turn & 63
                if symmetry == NO_MAP:
                    continue
                x = wide(hands["mapped"][symmetry << 13 | one & 8191])
                y = wide(hands["mapped"][symmetry << 13 | two & 8191])
                part, first, last = anchor_base, wide(0), wide(0)
                rest = wide(0)
                if is_longest:
                    stride = radix
                    if others == 1:
                        rest = rest_of_two(hands, symmetry, one, two)
                    elif others == 2:
                        kind, first, rest = PAIR, x - start, y
                    else:
                        kind, first, last = TRIPLE, x - start, y - start
                elif others == 3:
                    part += pair_rank(x - start, y - start)
                elif others == 2:
                    part += x - start
                    kind, stride, rest, first = with_one(hands["counts"], size, two >> 13, y)
                else:
                    kind, stride, rest, first, last = with_two(hands["counts"], size, one >> 13, two >> 13, x, y)
                work[CONSTANTS, found] = base + part * radix + rest
                work[FIRSTS, found], work[SECONDS, found] = first, last
                work[MAPS, found] = symmetry
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
