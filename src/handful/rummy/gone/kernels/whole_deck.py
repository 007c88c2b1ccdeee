"""All hands of the cards that are left, solved exactly: order them, see what that order is worth, order them anew.

The hand that leads its n + 1 cards, the first of them in an order, is what a player keeps who plays by that order; and
since every hand leads on to earlier ones alone, one pass finds what all hands take then:

    V(h) = ((m − n) + Σ over draws d that lead on of V(first hand of h + d)) / number of those draws.

The order of V is at least as good to play by (policy iteration); once it does not change, V is the best there is, by
Theorem 3 of Finkle 2017. The first order is that of label setting, but for hands within a two-hundredth of a turn: they lie
in buckets in which nothing is sorted. Then two or three passes settle it, and prove it.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import borrowing_kernel, inlined_kernel
from handful._records import Floats, Ints, SmallInts
from handful.rummy.kernels.neighbours import Bytes
from handful.rummy.kernels.reduced_deck import numbers_without, places_of

Shorts: TypeAlias = npt.NDArray[np.int16]

KNOWN = 255  # the weight of a hand that was taken in this pass
NOBODY = -1
NOWHERE = -1
NUM_BUCKETS, BUCKETS_A_TURN = 30_000, 200  # hands of 150 turns and more are in the last


class Buckets(NamedTuple):
    """Hands that are not taken yet, in buckets by their turns: `heads`, int32, the first of each, or NOBODY.

    By hand: `next_ones` and `previous`, int32, in its bucket; and `buckets`, int16, which it is, or NOWHERE.
    """

    heads: SmallInts
    next_ones: SmallInts
    previous: SmallInts
    buckets: Shorts


def make_buckets(hands: int) -> Buckets:
    """Return empty buckets for so many hands."""
    return Buckets(
        np.full(NUM_BUCKETS, NOBODY, np.int32),
        np.full(hands, NOBODY, np.int32),
        np.full(hands, NOBODY, np.int32),
        np.full(hands, NOWHERE, np.int16),
    )


@inlined_kernel
def leave(buckets: Buckets, hand: int) -> None:
    """Take a hand out of its bucket, if it is in one."""
    bucket = wide(buckets.buckets[hand])
    if bucket == NOWHERE:
        return
    before, after = wide(buckets.previous[hand]), wide(buckets.next_ones[hand])
    if before == NOBODY:
        buckets.heads[bucket] = after
    else:
        buckets.next_ones[before] = after
    if after != NOBODY:
        buckets.previous[after] = before
    buckets.buckets[hand] = NOWHERE


@inlined_kernel
def enter(buckets: Buckets, hand: int, turns: float, current: int) -> None:
    """Put a hand into the bucket of its turns, but into none before the current one."""
    bucket, before = max(min(wide(turns * BUCKETS_A_TURN), NUM_BUCKETS - 1), current), wide(buckets.buckets[hand])
    if bucket == before or before == 0:  # only rummies are in the first, and they stay
        return
    leave(buckets, hand)
    first = wide(buckets.heads[bucket])
    buckets.heads[bucket], buckets.next_ones[hand], buckets.previous[hand] = hand, first, NOBODY
    if first != NOBODY:
        buckets.previous[first] = hand
    buckets.buckets[hand] = bucket


class Deck(NamedTuple):
    """What is known of the hands of a deck while they are taken.

    By number: `values`; `sums` over draws that lead on, and how many (`weights`, uint8); `is_rummy`. By number of a
    hand with a card more, a bit of `seen`. And room for places and numbers.
    """

    values: Floats
    sums: Floats
    weights: Bytes
    is_rummy: Bytes
    seen: Bytes
    places: Ints
    more: Ints
    throws: Ints
    above: Ints


def make_deck(values: Floats, is_rummy: Bytes, deck_size: int, size: int) -> Deck:
    """Return what is known before any hand is taken."""
    larger = (comb(deck_size, size + 1) + 7) // 8
    sums, weights, seen = np.zeros(len(values)), np.zeros(len(values), np.uint8), np.zeros(larger, np.uint8)
    room = [np.zeros(size + 2, np.int64) for _ in range(4)]
    return Deck(values, sums, weights, is_rummy, seen, *room)


@borrowing_kernel
def take_nearly_in_order(binomials: Ints, deck_size: int, size: int, deck: Deck, buckets: Buckets) -> None:
    """Fill in the values, by number, of locking in hands from the least expected turns on, but for those of a bucket."""
    begin(deck_size, size, deck)
    for hand in range(len(deck.values)):
        deck.values[hand] = np.inf
        if deck.is_rummy[hand]:
            enter(buckets, hand, 0.0, 0)
    for bucket in range(NUM_BUCKETS):
        while buckets.heads[bucket] != NOBODY:
            hand = wide(buckets.heads[bucket])
            leave(buckets, hand)
            if take(binomials, deck_size, size, hand, deck):
                tell(binomials, deck_size, size, deck, deck.values[hand], buckets, bucket)


@borrowing_kernel
def take_in_order(binomials: Ints, deck_size: int, size: int, order: Ints, deck: Deck, buckets: Buckets) -> None:
    """Fill in the values, by number, of playing by an order of all hands.

    A hand that nothing before it leads on from has no value yet (infinity): it is told to nobody.
    """
    begin(deck_size, size, deck)
    for i in range(len(order)):
        hand = order[i]
        if take(binomials, deck_size, size, hand, deck):
            tell(binomials, deck_size, size, deck, deck.values[hand], buckets, NOWHERE)


@inlined_kernel
def begin(deck_size: int, size: int, deck: Deck) -> None:
    """Forget what was known."""
    deck.sums[:], deck.weights[:], deck.seen[:] = deck_size - size, 0, 0


@borrowing_kernel
def take(binomials: Ints, deck_size: int, size: int, hand: int, deck: Deck) -> bool:
    """Take a hand: write down its value, and its places; return whether anybody has to be told."""
    weight = wide(deck.weights[hand])
    deck.weights[hand] = KNOWN
    value = deck.sums[hand] / weight if weight > 0 else np.inf
    if deck.is_rummy[hand]:
        value = 0.0
    deck.values[hand] = value
    if weight == deck_size - size or value == np.inf:
        return False  # all its n + 1 cards were seen
    places_of(binomials, hand, size, deck.places)
    return True


@borrowing_kernel
def tell(binomials: Ints, deck_size: int, size: int, deck: Deck, value: float, buckets: Buckets, bucket: int) -> None:
    """Tell all hands that share n + 1 unseen cards with the hand that was taken; those in buckets move."""
    places, more, throws, above = deck.places, deck.more, deck.throws, deck.above
    # above[j]: what the cards from the j-th on count, each one place further up
    above[size] = 0
    for j in range(size - 1, -1, -1):
        above[j] = above[j + 1] + binomials[places[j], j + 2]
    below, before = wide(0), 0
    for drawn in range(deck_size):
        if before < size and places[before] == drawn:
            below += binomials[drawn, before + 1]
            before += 1
            continue
        larger = below + binomials[drawn, before + 1] + above[before]
        bit = 1 << (larger & 7)
        if deck.seen[larger >> 3] & bit:
            continue
        deck.seen[larger >> 3] |= bit
        for j in range(size):
            more[j + (j >= before)] = places[j]
        more[before] = drawn
        numbers_without(binomials, more, size + 1, throws)
        for j in range(size + 1):
            other = throws[j]
            if deck.weights[other] != KNOWN:
                deck.sums[other] += value
                deck.weights[other] += 1
                if bucket != NOWHERE:
                    enter(buckets, other, deck.sums[other] / deck.weights[other], bucket)
