"""Every hand up to symmetry as a number, without hashing.

Two hands are alike if suits are exchanged, or ranks are mapped by a symmetry of the runs: the reversal A↔K, 2↔Q, … for
aces low; the reflection that fixes the ace, 2↔K, 3↔Q, …, for aces high or low; rotations and reflections of the circle
of 13 ranks for runs round the corner. With the 24 exchanges of suits these are groups of 48, 48 and 624.

A hand is four suits of 13 bits, sorted by their sizes: its *shape*. Subsets of a size are numbered so that alike ones
are neighbours. The longest suit, the *anchor*, is mapped to the first subset alike to it; the same symmetry maps the
other suits; suits of equal size become a multiset of numbers; and these are the digits of a mixed radix. Where several
suits could be the anchor, or two symmetries map it (it is symmetric), the smallest number counts. How many symmetries
give that number is how many fix the hand, and so tells how many hands are alike.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, SmallInts, TypedDict, record_type

Shorts: TypeAlias = npt.NDArray[np.uint16]
Suits: TypeAlias = tuple[int, int, int, int]  # as size << 13 | subset, sorted, the largest first

NUM_SUBSETS = 1 << 13
SUIT_PERMUTATIONS = 24
NO_MAP = 63  # where a suit has no second symmetry that maps it to the first alike
NO_MAPS = NO_MAP << 6 | NO_MAP
NO_SHAPE = -1
UNUSED = 1 << 62  # beyond the last orbit of a size
MOST_SUBSETS = comb(13, 6)
MOST_ORBITS = 1024
MOST_SHAPES = 64


class HandIndex(TypedDict):
    """What turns hands of so many cards, under an ace rule, into indices: one record, so that kernels pass one pointer.

    The 8192 subsets of a suit under the symmetries of the ranks: ``mapped[symmetry << 13 | subset]`` is the number,
    among the subsets of its size, of what a symmetry makes of a subset. ``alike[subset]`` is orbit << 12 | second map
    << 6 | first map, where the orbit counts the classes of alike subsets of a size, and the maps are the symmetries
    that take the subset to the first of its class. ``subsets[size, number]`` undoes the numbering; ``starts[size,
    orbit]`` is the first number of a class; ``counts[size]`` how many subsets of a size there are.

    The shapes of the hands; a shape's key is s0 << 8 | s1 << 4 | s2, its sizes from the longest on. ``bases[key]`` is
    the first index of a shape; ``radices[key]`` how many values the suits shorter than the longest take; ``anchors[s0 ·
    5 + k, orbit]`` how many anchor parts come before an orbit, where k suits are longest; ``shapes[i]`` is (key, base)
    in order of base, and (0, total) after the last; `total` is the number of indices.
    """

    mapped: Annotated[Shorts, np.uint16, 26 * NUM_SUBSETS]
    alike: Annotated[SmallInts, np.int32, NUM_SUBSETS]
    subsets: Annotated[Shorts, np.uint16, (14, MOST_SUBSETS)]
    starts: Annotated[Ints, np.int64, (14, MOST_ORBITS)]
    counts: Annotated[Ints, np.int64, 14]
    bases: Annotated[Ints, np.int64, 1 << 12]
    radices: Annotated[Ints, np.int64, 1 << 12]
    anchors: Annotated[Ints, np.int64, (14 * 5, MOST_ORBITS)]
    shapes: Annotated[Ints, np.int64, (MOST_SHAPES, 2)]
    symmetries: Annotated[int, np.int64]
    cards: Annotated[int, np.int64]
    total: Annotated[int, np.int64]


HAND_INDEX = record_type(HandIndex)


def rank_symmetries(aces: str) -> list[list[int]]:
    """Return the symmetries of the ranks, the identity first: `symmetry[rank]` is where a rank goes."""
    if aces == "low":
        return [list(range(13)), [12 - rank for rank in range(13)]]
    if aces == "high":
        return [list(range(13)), [-rank % 13 for rank in range(13)]]
    return [[(sign * rank + shift) % 13 for rank in range(13)] for sign, shift in product((1, -1), range(13))]


def _fill_suits(hand_index: HandIndex, aces: str) -> None:
    """Fill in what an ace rule makes of the subsets of a suit."""
    symmetries = rank_symmetries(aces)
    subsets = np.arange(NUM_SUBSETS)
    images = np.zeros((len(symmetries), NUM_SUBSETS), np.int64)
    for which, symmetry in enumerate(symmetries):
        for rank, goes_to in enumerate(symmetry):
            images[which] |= (subsets >> rank & 1) << goes_to
    sizes = np.array([int(subset).bit_count() for subset in subsets])
    first = images.min(axis=0)
    first_map = images.argmin(axis=0)
    last_map = len(symmetries) - 1 - images[::-1].argmin(axis=0)
    second_map = np.where(last_map == first_map, NO_MAP, last_map)
    numbers, orbits = np.zeros(NUM_SUBSETS, np.int64), np.zeros(NUM_SUBSETS, np.int64)
    hand_index["starts"][:] = UNUSED
    for size in range(14):
        members = subsets[sizes == size]
        members = members[np.lexsort((members, first[members]))]
        is_first = first[members] == members
        numbers[members] = np.arange(len(members))
        orbits[members] = np.cumsum(is_first) - 1
        hand_index["subsets"][size, : len(members)] = members
        hand_index["starts"][size, : is_first.sum()] = np.flatnonzero(is_first)
        hand_index["counts"][size] = len(members)
    hand_index["mapped"][: len(symmetries) << 13] = numbers[images].reshape(-1)
    hand_index["alike"][:] = orbits << 12 | second_map << 6 | first_map
    hand_index["symmetries"] = len(symmetries)


def _multisets(kinds: int, members: int) -> int:
    return comb(kinds + members - 1, members)


def _fill_shapes(hand_index: HandIndex, cards: int) -> None:
    """Fill in the shapes of hands of so many cards, and where their indices begin."""
    hand_index["bases"][:] = NO_SHAPE
    hand_index["anchors"][:] = UNUSED
    num_shapes = total = 0
    for sizes in product(range(min(cards, 13), -1, -1), repeat=4):
        if sum(sizes) != cards or list(sizes) != sorted(sizes, reverse=True):
            continue
        longest, num_longest = sizes[0], sizes.count(sizes[0])
        starts = [int(start) for start in hand_index["starts"][longest] if start != UNUSED]
        parts = 0
        for orbit, start in enumerate(starts):
            hand_index["anchors"][longest * 5 + num_longest, orbit] = parts
            parts += _multisets(comb(13, longest) - start, num_longest - 1)
        radix = 1
        for size in set(sizes[num_longest:]):
            radix *= _multisets(comb(13, size), sizes.count(size))
        key = sizes[0] << 8 | sizes[1] << 4 | sizes[2]
        hand_index["bases"][key], hand_index["radices"][key] = total, radix
        hand_index["shapes"][num_shapes] = key, total
        num_shapes += 1
        total += parts * radix
    hand_index["shapes"][num_shapes] = 0, total
    hand_index["cards"], hand_index["total"] = cards, total


@lru_cache(maxsize=32)
def make_hand_index(aces: str, cards: int) -> HandIndex:
    """Return the index of the hands of so many cards."""
    hand_index: HandIndex = np.zeros(1, HAND_INDEX)[0]
    _fill_suits(hand_index, aces)
    _fill_shapes(hand_index, cards)
    return hand_index


@inlined_kernel
def sorted_suits(mask: int) -> Suits:
    """Return the suits of a hand of 52 bits, clubs lowest, largest first (a sorting network of five exchanges)."""
    clubs, diamonds, hearts, spades = mask & 8191, mask >> 13 & 8191, mask >> 26 & 8191, mask >> 39
    a, b = popcount(clubs) << 13 | clubs, popcount(diamonds) << 13 | diamonds
    c, d = popcount(hearts) << 13 | hearts, popcount(spades) << 13 | spades
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a, b, c, d


@kernel
def orbit_size(num_symmetries: int, symmetries: int, a: int, b: int, c: int, d: int) -> int:
    """Return how many hands are alike: the order of the group over that of the stabiliser (a, …, d are sorted).

    A hand is fixed by a symmetry of ranks, if suitable suits are exchanged as well, and by exchanging equal suits.
    """
    equal = 1
    if a == b:
        equal = 2
        if b == c:
            equal = 24 if c == d else 6
        elif c == d:
            equal = 4
    elif b == c:
        equal = 6 if c == d else 2
    elif c == d:
        equal = 2
    return SUIT_PERMUTATIONS * num_symmetries // (symmetries * equal)


@kernel
def sorted_index(hand_index: HandIndex, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Return the index of a hand of sorted suits (size << 13 | subset), and how many rank symmetries give it."""
    key = (a >> 13) << 8 | (b >> 13) << 4 | c >> 13
    if b >> 13 < a >> 13:
        alike = wide(hand_index["alike"][a & 8191])
        part, symmetries = rest_of_three(hand_index, alike & 63, b, c, d), 1
        second = alike >> 6 & 63
        if second != NO_MAP:
            other = rest_of_three(hand_index, second, b, c, d)
            if other == part:
                symmetries = 2
            part = min(part, other)
        return hand_index["bases"][key] + (alike >> 12) * hand_index["radices"][key] + part, symmetries
    part, symmetries = best_anchor(hand_index, key, a, b, c, d)
    return hand_index["bases"][key] + part, symmetries


@kernel
def rest_of_three(hand_index: HandIndex, symmetry: int, b: int, c: int, d: int) -> int:
    """Return the digits of the three suits that are shorter than the anchor, all mapped by a symmetry."""
    mapped, counts = hand_index["mapped"], hand_index["counts"]
    x = wide(mapped[symmetry << 13 | b & 8191])
    y = wide(mapped[symmetry << 13 | c & 8191])
    z = wide(mapped[symmetry << 13 | d & 8191])
    c_size, d_size = c >> 13, d >> 13
    if b >> 13 == c_size:
        if c_size == d_size:
            return triple_rank(x, y, z)
        return wide(pair_rank(x, y) * counts[d_size] + z)
    if c_size == d_size:
        count = counts[c_size]
        return wide(x * (count * (count + 1) >> 1) + pair_rank(y, z))
    return wide((x * counts[c_size] + y) * counts[d_size] + z)


@kernel
def rest_of_two(hand_index: HandIndex, symmetry: int, c: int, d: int) -> int:
    """Return the digits of the two suits that are shorter than two anchors, both mapped by a symmetry."""
    y = wide(hand_index["mapped"][symmetry << 13 | c & 8191])
    z = wide(hand_index["mapped"][symmetry << 13 | d & 8191])
    if c >> 13 == d >> 13:
        return pair_rank(y, z)
    return wide(y * hand_index["counts"][d >> 13] + z)


@inlined_kernel
def pair_rank(x: int, y: int) -> int:
    """Return the number of a multiset {x, y}: with x ≤ y, y (y + 1) / 2 + x."""
    low, high = min(x, y), max(x, y)
    return (high * (high + 1) >> 1) + low


@kernel
def triple_rank(x: int, y: int, z: int) -> int:
    """Return the number of a multiset {x, y, z}: with x ≤ y ≤ z, z (z + 1) (z + 2) / 6 + y (y + 1) / 2 + x."""
    low, middle = min(x, y), max(x, y)
    middle, high = min(middle, z), max(middle, z)
    low, middle = min(low, middle), max(low, middle)
    return high * (high + 1) * (high + 2) // 6 + (middle * (middle + 1) >> 1) + low


@kernel
def best_anchor(hand_index: HandIndex, key: int, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Return the smallest part of an index within its shape, where two or more suits are longest; and how many give it.

    The anchor is of the lowest orbit, so that the other longest suits have numbers from the start of that orbit on.
    """
    size = a >> 13
    num_longest = 2 + (c >> 13 == size) + (d >> 13 == size)
    lowest = lowest_orbit(hand_index, num_longest, a, b, c, d)
    start = hand_index["starts"][size, lowest]
    base = hand_index["anchors"][size * 5 + num_longest, lowest]
    radix, mapped = hand_index["radices"][key], hand_index["mapped"]
    best, symmetries = wide(1) << 62, 0
    previous = wide(-1)
    anchor, one, two, three = a, b, c, d
    for _ in range(num_longest):
        maps = anchor_maps(hand_index, anchor, previous, lowest)
        for turn in range(2):
            symmetry = maps >> 6 * turn & 63
            if symmetry == NO_MAP:
                continue
            x = wide(mapped[symmetry << 13 | one & 8191]) - start
            if num_longest == 2:
                part = (base + x) * radix + rest_of_two(hand_index, symmetry, two, three)
            else:
                y = wide(mapped[symmetry << 13 | two & 8191]) - start
                z = wide(mapped[symmetry << 13 | three & 8191])
                part = base + triple_rank(x, y, z - start)
                if num_longest == 3:
                    part = (base + pair_rank(x, y)) * radix + z
            if part < best:
                best, symmetries = part, 0
            if part == best:
                symmetries += 1
        previous = anchor
        # The next of the longest suits becomes the anchor, and this one takes the place behind them.
        if num_longest == 2:
            anchor, one = one, anchor
        elif num_longest == 3:
            anchor, one, two = one, two, anchor
        else:
            anchor, one, two, three = one, two, three, anchor
    return best, symmetries


@inlined_kernel
def lowest_orbit(hand_index: HandIndex, num_longest: int, a: int, b: int, c: int, d: int) -> int:
    """Return the lowest orbit of the longest suits, which are the first so many: that of the anchor."""
    alike = hand_index["alike"]
    lowest = wide(alike[a & 8191]) >> 12
    if num_longest > 1:
        lowest = min(lowest, wide(alike[b & 8191]) >> 12)
    if num_longest > 2:
        lowest = min(lowest, wide(alike[c & 8191]) >> 12)
    if num_longest > 3:
        lowest = min(lowest, wide(alike[d & 8191]) >> 12)
    return lowest


@inlined_kernel
def anchor_maps(hand_index: HandIndex, suit: int, previous: int, lowest: int) -> int:
    """Return second map << 6 | first map of a suit that may be the anchor, NO_MAPS of one that may not.

    Equal suits are neighbours, and the same anchor: the second of them need not be tried.
    """
    alike = wide(hand_index["alike"][suit & 8191])
    return alike & 4095 if alike >> 12 == lowest and suit != previous else wide(NO_MAPS)


@kernel
def unrank_pair(rank: int) -> tuple[int, int]:
    """Return x ≤ y of a pair's number."""
    y = wide((np.sqrt(8.0 * rank + 1.0) - 1.0) / 2.0)
    while y * (y + 1) >> 1 > rank:
        y -= 1
    while (y + 1) * (y + 2) >> 1 <= rank:
        y += 1
    return rank - (y * (y + 1) >> 1), y


@kernel
def unrank_triple(rank: int) -> tuple[int, int, int]:
    """Return x ≤ y ≤ z of a triple's number."""
    z = wide((6.0 * rank) ** (1.0 / 3.0))
    while z * (z + 1) * (z + 2) // 6 > rank:
        z -= 1
    while (z + 1) * (z + 2) * (z + 3) // 6 <= rank:
        z += 1
    x, y = unrank_pair(rank - z * (z + 1) * (z + 2) // 6)
    return x, y, z


@kernel
def hand_at(hand_index: HandIndex, index: int) -> int:
    """Return the hand at an index, as a mask. At the few indices of no hand, what comes back has another index."""
    counts, shapes = hand_index["counts"], hand_index["shapes"]
    place = 0
    while index >= shapes[place + 1, 1]:
        place += 1
    key = shapes[place, 0]
    s0, s1, s2 = key >> 8, key >> 4 & 15, key & 15
    s3 = hand_index["cards"] - s0 - s1 - s2
    index -= shapes[place, 1]
    radix = hand_index["radices"][key]
    rest, part = index % radix, index // radix
    num_longest = 1 + (s1 == s0) + (s2 == s0) + (s3 == s0)
    # The orbit of the anchor: the last with no more parts before it (a binary search in a sorted row).
    row = hand_index["anchors"][s0 * 5 + num_longest]
    low, high = 0, len(row)
    while high - low > 1:
        middle = low + high >> 1
        if row[middle] <= part:
            low = middle
        else:
            high = middle
    start = hand_index["starts"][s0, low]
    part -= row[low]
    x = y = z = wide(0)
    if num_longest == 1:
        if s1 == s2 and s2 == s3:
            x, y, z = unrank_triple(rest)
        elif s1 == s2:
            x, y = unrank_pair(rest // counts[s3])
            z = rest % counts[s3]
        elif s2 == s3:
            pairs = counts[s2] * (counts[s2] + 1) >> 1
            x = rest // pairs
            y, z = unrank_pair(rest % pairs)
        else:
            y, z = rest // counts[s3], rest % counts[s3]
            x, y = y // counts[s2], y % counts[s2]
    elif num_longest == 2:
        x = part + start
        if s2 == s3:
            y, z = unrank_pair(rest)
        else:
            y, z = rest // counts[s3], rest % counts[s3]
    elif num_longest == 3:
        x, y = unrank_pair(part)
        x, y, z = x + start, y + start, rest
    else:
        x, y, z = unrank_triple(part)
        x, y, z = x + start, y + start, z + start
    subsets = hand_index["subsets"]
    low_half = wide(subsets[s0, start]) | wide(subsets[s1, x]) << 13
    return low_half | wide(subsets[s2, y]) << 26 | wide(subsets[s3, z]) << 39


@kernel
def mask_index(hand_index: HandIndex, mask: int) -> int:
    """Return the index of a hand that is given as a mask."""
    a, b, c, d = sorted_suits(mask)
    index, _ = sorted_index(hand_index, a, b, c, d)
    return index


@kernel
def orbit_at(hand_index: HandIndex, index: int) -> tuple[int, Suits]:
    """Return how many hands are alike to that at an index, 0 if there is none; and its suits, sorted."""
    a, b, c, d = sorted_suits(hand_at(hand_index, index))
    found, symmetries = sorted_index(hand_index, a, b, c, d)
    orbit = orbit_size(hand_index["symmetries"], symmetries, a, b, c, d) if found == index else 0
    return orbit, (a, b, c, d)


@kernel
def all_orbits(hand_index: HandIndex) -> Shorts:
    """Return how many hands are alike to that at each index, uint16: 0 at those of no hand."""
    orbits = np.zeros(hand_index["total"], np.uint16)
    for index in range(len(orbits)):
        orbits[index], _ = orbit_at(hand_index, index)
    return orbits


@kernel
def indices_of(hand_index: HandIndex, hand_masks: Ints) -> Ints:
    """Return the index of each hand of a list of masks."""
    indices = np.zeros(len(hand_masks), np.int64)
    for i in range(len(hand_masks)):
        indices[i] = mask_index(hand_index, hand_masks[i])
    return indices


@lru_cache(maxsize=1)
def _places_in_order() -> Ints:
    """Return, for each subset of a suit, the bits of its clubs in card order: of the lowest card, the AC, bit 51."""
    places = np.zeros(NUM_SUBSETS, np.int64)
    for rank in range(13):
        places |= (np.arange(NUM_SUBSETS) >> rank & 1) << 51 - 4 * rank
    return places


def first_alike(hand_index: HandIndex, indices: Ints) -> int:
    """Return the first in card order (by rank, then suit) of all hands alike to one at these indices, as a mask.

    The first in card order is the one whose bits, read from the lowest card on, make the largest number. No kernel:
    NumPy tries all symmetries on all hands sooner than that were compiled.
    """
    held = np.array([hand_at(hand_index, index) for index in indices], np.int64)
    suits = held[:, None] >> np.array([0, 13, 26, 39]) & 8191
    sizes = np.array([[int(subset).bit_count() for subset in hand] for hand in suits])
    best, best_mask = -1, 0
    for symmetry in range(hand_index["symmetries"]):
        images = hand_index["subsets"][sizes, hand_index["mapped"][symmetry << 13 | suits]]
        for order in permutations(range(4)):
            ordered = images[:, order]
            values = (_places_in_order()[ordered] >> np.arange(4)).sum(axis=1)
            first = int(values.argmax())
            if values[first] > best:
                best, best_mask = (
                    int(values[first]),
                    sum(int(image) << 13 * suit for suit, image in enumerate(ordered[first])),
                )
    return best_mask
