"""Where a hand is kept, and by which symmetry: so that what is kept of single cards of the deck can be found, too.

`hand_index` gives alike hands the same index. What is kept at an index is about the one hand that `hand_at` makes of
it; of another hand, suits and ranks have to be mapped to those. A *place* says how: the position of each suit among
those of the kept hand, two bits each from the clubs on, and above them the symmetry of the ranks.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Ints
from handful.rummy.kernels.hand_index import NO_MAP, HandIndex, pair_rank, rank_symmetries, triple_rank

LABEL_BITS = 2
LABEL = 3


def rank_maps(aces: str) -> Ints:
    """Return where each symmetry takes each rank, int64: the symmetries in the order of `hand_index`."""
    return np.array(rank_symmetries(aces), np.int64)


@inlined_kernel
def exchanged(a: int, b: int) -> tuple[int, int]:
    """Return the larger of two first."""
    return max(a, b), min(a, b)


@inlined_kernel
def labelled_suits(mask: int) -> tuple[int, int, int, int]:
    """Return the suits of a hand, largest first, as size << 15 | subset << 2 | label: which suit it is."""
    clubs, diamonds, hearts, spades = mask & 8191, mask >> 13 & 8191, mask >> 26 & 8191, mask >> 39
    a, b = popcount(clubs) << 15 | clubs << 2, popcount(diamonds) << 15 | diamonds << 2 | 1
    c, d = popcount(hearts) << 15 | hearts << 2 | 2, popcount(spades) << 15 | spades << 2 | 3
    a, b = exchanged(a, b)
    c, d = exchanged(c, d)
    a, c = exchanged(a, c)
    b, d = exchanged(b, d)
    b, c = exchanged(b, c)
    return a, b, c, d


@kernel
def place_of(hand_index: HandIndex, mask: int) -> tuple[int, int]:
    """Return the index of a hand, and its place: positions of suits, and symmetry << 8."""
    a, b, c, d = labelled_suits(mask)
    longest = a >> 15
    lowest = wide(hand_index["alike"][a >> 2 & 8191]) >> 12
    num_longest = 1
    if b >> 15 == longest:
        lowest = min(lowest, wide(hand_index["alike"][b >> 2 & 8191]) >> 12)
        num_longest = 2
    if c >> 15 == longest:
        lowest = min(lowest, wide(hand_index["alike"][c >> 2 & 8191]) >> 12)
        num_longest = 3
    if d >> 15 == longest:
        lowest = min(lowest, wide(hand_index["alike"][d >> 2 & 8191]) >> 12)
        num_longest = 4
    best, place = wide(1) << 62, wide(0)
    anchor, one, two, three = a, b, c, d
    for _ in range(num_longest):
        alike = wide(hand_index["alike"][anchor >> 2 & 8191])
        if alike >> 12 == lowest:
            part, suits = anchored(hand_index, alike & 63, num_longest, lowest, (anchor, one, two, three))
            if part < best:
                best, place = part, (alike & 63) << 8 | suits
            second = alike >> 6 & 63
            if second != NO_MAP:
                part, suits = anchored(hand_index, second, num_longest, lowest, (anchor, one, two, three))
                if part < best:
                    best, place = part, second << 8 | suits
        # The next of the longest suits becomes the anchor, and this one takes the place behind them.
        if num_longest == 2:
            anchor, one = one, anchor
        elif num_longest == 3:
            anchor, one, two = one, two, anchor
        else:
            anchor, one, two, three = one, two, three, anchor
    key = (a >> 15) << 8 | (b >> 15) << 4 | c >> 15
    return hand_index["bases"][key] + best, place


@kernel
def anchored(
    hand_index: HandIndex, symmetry: int, num_longest: int, lowest: int, suits: tuple[int, int, int, int]
) -> tuple[int, int]:
    """Return the part of the index in its shape, if the first suit is the anchor, mapped by a symmetry; and positions.

    The suits behind it are sorted by size, the largest first; of equal size, by what the symmetry makes of them.
    """
    anchor, one, two, three = suits
    mapped = hand_index["mapped"]
    longest = anchor >> 15
    x = wide(mapped[symmetry << 13 | one >> 2 & 8191])
    y = wide(mapped[symmetry << 13 | two >> 2 & 8191])
    z = wide(mapped[symmetry << 13 | three >> 2 & 8191])
    p, q, r = one >> 15, two >> 15, three >> 15
    part = anchored_part(hand_index, num_longest, lowest, longest, (p, q, r), (x, y, z))
    # Sorted as numbers: larger sizes first, then smaller numbers; labels do not matter
    u, v, w = (15 - p) << 15 | x << 2 | one & LABEL, (15 - q) << 15 | y << 2 | two & LABEL, (15 - r) << 15 | z << 2
    w |= three & LABEL
    v, u = exchanged(u, v)
    w, v = max(v, w), min(v, w)
    v, u = exchanged(u, v)
    positions = wide(1) << 2 * (u & LABEL) | wide(2) << 2 * (v & LABEL) | wide(3) << 2 * (w & LABEL)
    return part, positions


@kernel
def anchored_part(
    hand_index: HandIndex,
    num_longest: int,
    lowest: int,
    longest: int,
    sizes: tuple[int, int, int],
    numbers: tuple[int, int, int],
) -> int:
    """Return the part of an index, from sizes and mapped numbers of the suits behind the anchor (see `hand_at`)."""
    p, q, r = sizes
    x, y, z = numbers
    counts = hand_index["counts"]
    key = longest << 8 | p << 4 | q
    radix = hand_index["radices"][key]
    base = hand_index["anchors"][longest * 5 + num_longest, lowest]
    start = hand_index["starts"][longest, lowest]
    if num_longest == 4:
        return wide(base + triple_rank(x - start, y - start, z - start))
    if num_longest == 3:
        return wide((base + pair_rank(x - start, y - start)) * radix + z)
    if num_longest == 2:
        rest = pair_rank(y, z) if q == r else y * counts[r] + z
        return wide((base + x - start) * radix + rest)
    if p == q and q == r:
        rest = triple_rank(x, y, z)
    elif p == q:
        rest = pair_rank(x, y) * counts[r] + z
    elif q == r:
        rest = x * (counts[q] * (counts[q] + 1) >> 1) + pair_rank(y, z)
    else:
        rest = (x * counts[q] + y) * counts[r] + z
    return wide(base * radix + rest)


@inlined_kernel
def column_of(maps: Ints, place: int, card: int) -> int:
    """Return which card of the kept hand's deck a card is, 13 · suit + rank."""
    suit = card // 13
    return (place >> 2 * suit & 3) * 13 + wide(maps[place >> 8, card - 13 * suit])


@kernel
def placed_mask(maps: Ints, place: int, mask: int) -> int:
    """Return what a place makes of a hand: of the hand that it was found for, the one that is kept."""
    image = wide(0)
    for card in range(52):
        if mask >> card & 1:
            image |= wide(1) << column_of(maps, place, card)
    return image
