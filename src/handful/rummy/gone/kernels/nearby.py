"""The game around one hand: all hands that share enough cards with it, solved exactly; what lies further out is judged.

A hand near the *centre* is the centre without some of its n cards, and with as many of the u others that are left
instead: k of them in *layer* k. It is numbered within its layer by what it lacks, then by what it has instead, as in
`reduced_deck`. The hands of the last layer have the turns that they are judged to take; those of the layers inside are
solved as in `whole_deck`, in the order of their turns but for those within a two-hundredth of a turn.

Every n + 1 cards that can be held inside lack k cards and have k + 1 others, with k less than the last layer: they are
numbered in the same way.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from handful._bits import popcount, wide
from handful._jit import borrowing_kernel, inlined_kernel, kernel
from handful._records import Floats, Ints
from handful.rummy.gone.kernels.judgement import Judgement, judged
from handful.rummy.gone.kernels.whole_deck import KNOWN, NOBODY, NUM_BUCKETS, Buckets, enter, leave
from handful.rummy.kernels.neighbours import Bytes
from handful.rummy.kernels.reduced_deck import add_place, make_binomials, number_of, numbers_without, places_of


class Layers(NamedTuple):
    """How the hands around a centre are numbered.

    `centre` and `others`, int64, are cards; `last` is the last layer. `bases[k]` is the first number of layer k, and
    `larger_bases[k]` that of the n + 1 cards that lack k. By k and place: `lacking`, the sets of cards of the centre,
    as masks of their places; by such a mask: `ranks`, its place among those of its size.
    """

    centre: Ints
    others: Ints
    last: int
    bases: Ints
    larger_bases: Ints
    lacking: Ints
    ranks: Ints
    binomials: Ints


def hands_within(size: int, others: int, last: int) -> int:
    """Return how many hands there are in the layers up to the last."""
    return sum(comb(size, k) * comb(others, k) for k in range(last + 1))


def sets_within(size: int, others: int, last: int) -> int:
    """Return how many sets of a card more lead to them: what there is to do."""
    return sum(comb(size, k) * comb(others, k + 1) for k in range(last))


def make_layers(centre: Ints, others: Ints, last: int) -> Layers:
    """Return the numbering of the hands around a centre."""
    size = len(centre)
    bases = [hands_within(size, len(others), k - 1) for k in range(last + 2)]
    larger = [sets_within(size, len(others), k) for k in range(last + 1)]
    lacking, ranks = np.zeros((size + 1, comb(size, size // 2)), np.int64), np.zeros(1 << size, np.int64)
    counts = [0] * (size + 1)
    for mask in range(1 << size):
        k = mask.bit_count()
        lacking[k, counts[k]], ranks[mask] = mask, counts[k]
        counts[k] += 1
    return Layers(
        centre, others, last, np.array(bases), np.array(larger), lacking, ranks, make_binomials(max(size, last + 1))
    )


@kernel
def judge_layers(layers: Layers, judgement: Judgement, found: Floats) -> None:
    """Fill in how many turns every hand is judged to take."""
    places = np.zeros(len(layers.centre) + 1, np.int64)
    centre = wide(0)
    for card in layers.centre:
        centre |= wide(1) << card
    for layer in range(layers.last + 1):
        sets = layers.binomials[len(layers.others), layer]
        for number in range(layers.bases[layer + 1] - layers.bases[layer]):
            mask, lacks = centre, layers.lacking[layer, number // sets]
            for i in range(len(layers.centre)):
                if lacks >> i & 1:
                    mask ^= wide(1) << layers.centre[i]
            places_of(layers.binomials, number % sets, layer, places)
            for i in range(layer):
                mask |= wide(1) << layers.others[places[i]]
            found[layers.bases[layer] + number] = judged(judgement, mask)


class Pass(NamedTuple):
    """What a pass writes: by number of a hand, `turns`, `sums` and `weights`; by number of a card more, bits of `seen`.

    And room for places and numbers.
    """

    turns: Floats
    sums: Floats
    weights: Bytes
    seen: Bytes
    places: Ints
    more: Ints
    throws: Ints


def make_pass(layers: Layers) -> Pass:
    """Return room for a pass."""
    hands, size = int(layers.bases[-1]), len(layers.centre)
    return Pass(
        np.zeros(hands),
        np.zeros(hands),
        np.zeros(hands, np.uint8),
        np.zeros((int(layers.larger_bases[-1]) + 7) // 8, np.uint8),
        np.zeros(size + 2, np.int64),
        np.zeros(size + 2, np.int64),
        np.zeros(size + 2, np.int64),
    )


@borrowing_kernel
def take_nearby(layers: Layers, judged_turns: Floats, state: Pass, buckets: Buckets) -> None:
    """Fill in the turns of all hands near a centre, in order but for those of a bucket; the last layer is as judged."""
    state.sums[:], state.weights[:], state.seen[:] = len(layers.others), 0, 0
    inside = layers.bases[layers.last]
    for hand in range(len(judged_turns)):
        state.turns[hand] = np.inf
        if hand >= inside or judged_turns[hand] == 0.0:
            enter(buckets, hand, judged_turns[hand], 0)
    for bucket in range(NUM_BUCKETS):
        while buckets.heads[bucket] != NOBODY:
            hand = wide(buckets.heads[bucket])
            leave(buckets, hand)
            weight = wide(state.weights[hand])
            state.weights[hand] = KNOWN
            turns = judged_turns[hand]
            if hand < inside and turns > 0.0:
                turns = state.sums[hand] / weight
            state.turns[hand] = turns
            if hand >= inside or weight != len(layers.others):
                tell_from(layers, hand, turns, state, buckets, bucket)


@borrowing_kernel
def tell_from(layers: Layers, hand: int, turns: float, state: Pass, buckets: Buckets, bucket: int) -> None:
    """Tell all hands that share n + 1 unseen cards with a hand of its turns."""
    draws, layer = len(layers.others), wide(0)
    while hand >= layers.bases[layer + 1]:
        layer += 1
    sets = layers.binomials[draws, layer]
    number = hand - layers.bases[layer]
    lacks, number = layers.lacking[layer, number // sets], number % sets
    places_of(layers.binomials, number, layer, state.places)
    # A card of the centre is drawn again,
    rest = lacks
    while rest:
        bit = rest & -rest
        rest ^= bit
        larger = layers.larger_bases[layer - 1] + layers.ranks[lacks ^ bit] * sets + number
        if is_new(state.seen, larger):
            tell(layers, lacks ^ bit, state.places, number, turns, state, buckets, bucket)
    # or one of the others.
    if layer < layers.last:
        first = layers.larger_bases[layer] + layers.ranks[lacks] * layers.binomials[draws, layer + 1]
        for drawn in range(draws):
            if add_place(state.places, layer, drawn, state.more):
                larger = number_of(layers.binomials, state.more, layer + 1)
                if is_new(state.seen, first + larger):
                    tell(layers, lacks, state.more, larger, turns, state, buckets, bucket)


@inlined_kernel
def is_new(seen: Bytes, number: int) -> bool:
    """Return whether n + 1 cards are seen for the first time; now they are."""
    bit = 1 << (number & 7)
    if seen[number >> 3] & bit:
        return False
    seen[number >> 3] |= bit
    return True


@borrowing_kernel
def tell(
    layers: Layers,
    lacks: int,
    has: Ints,
    number: int,
    turns: float,
    state: Pass,
    buckets: Buckets,
    bucket: int,
) -> None:
    """Tell the hands in n + 1 cards, which lack some cards of the centre and have one more others, of their first."""
    draws, binomials, layer = len(layers.others), layers.binomials, popcount(lacks)
    numbers_without(binomials, has, layer + 1, state.throws)
    first = layers.bases[layer] + layers.ranks[lacks] * binomials[draws, layer]
    for i in range(layer + 1):
        hear(state, first + state.throws[i], turns, buckets, bucket)
    if layer + 1 == layers.last:
        return  # what is judged need not be told
    for i in range(len(layers.centre)):
        if not lacks >> i & 1:
            thrown = layers.ranks[lacks | wide(1) << i]
            other = layers.bases[layer + 1] + thrown * binomials[draws, layer + 1] + number
            hear(state, other, turns, buckets, bucket)


@inlined_kernel
def hear(state: Pass, hand: int, turns: float, buckets: Buckets, bucket: int) -> None:
    """Count a draw that leads on to so many turns from a hand, which then may move to a lower bucket."""
    if state.weights[hand] != KNOWN:
        state.sums[hand] += turns
        state.weights[hand] += 1
        enter(buckets, hand, state.sums[hand] / state.weights[hand], bucket)


def number_near(layers: Layers, lacks: int, other: int) -> int:
    """Return the number of the centre without one card and with one of the others instead, given by their places."""
    return int(layers.bases[1] + layers.ranks[1 << lacks] * len(layers.others) + other)
