"""The game around one hand: all hands that share enough cards with it, solved exactly; what lies further out is judged.

A hand near the *centre* is the centre without some of its n cards, and with as many of the u others that are left
instead: k of them in *layer* k. It is numbered within its layer by what it lacks, then by what it has instead, as in
`reduced_deck`. The hands of the last layer have the turns that they are judged to take; those of the layers inside are
solved as in `whole_deck`: by the order of their turns, until that does not change.

Every n + 1 cards that can be held inside lack k cards and have k + 1 others, with k less than the last layer: they are
numbered in the same way.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import borrowing_kernel, kernel
from handful._records import Floats, Ints
from handful.rummy.gone.kernels.judgement import Judgement, judged
from handful.rummy.gone.kernels.whole_deck import KNOWN
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
def take_nearby(layers: Layers, judged_turns: Floats, order: Ints, state: Pass) -> None:
    """Fill in the turns of playing by an order of all hands near a centre; those of the last layer are as judged."""
    draws = len(layers.others)
    state.sums[:], state.weights[:], state.seen[:] = draws, 0, 0
    for i in range(len(order)):
        hand = order[i]
        layer = wide(0)
        while hand >= layers.bases[layer + 1]:
            layer += 1
        weight = wide(state.weights[hand])
        state.weights[hand] = KNOWN
        turns = judged_turns[hand]
        if layer < layers.last and turns > 0.0:
            turns = state.sums[hand] / weight if weight > 0 else np.inf
        state.turns[hand] = turns
        if turns == np.inf or (layer < layers.last and weight == draws):
            continue
        sets = layers.binomials[draws, layer]
        number = hand - layers.bases[layer]
        lacks, number = layers.lacking[layer, number // sets], number % sets
        places_of(layers.binomials, number, layer, state.places)
        # A card of the centre is drawn again,
        rest = lacks
        while rest:
            bit = rest & -rest
            rest ^= bit
            tell(layers, layer - 1, lacks ^ bit, state.places, number, turns, state)
        # or one of the others.
        if layer < layers.last:
            for drawn in range(draws):
                if add_place(state.places, layer, drawn, state.more):
                    larger = number_of(layers.binomials, state.more, layer + 1)
                    tell(layers, layer, lacks, state.more, larger, turns, state)


@borrowing_kernel
def tell(layers: Layers, layer: int, lacks: int, has: Ints, number: int, turns: float, state: Pass) -> None:
    """Tell the hands in n + 1 cards, which lack some cards of the centre and have one more others, of their first."""
    draws, size = len(layers.others), len(layers.centre)
    binomials, rank = layers.binomials, layers.ranks[lacks]
    larger = layers.larger_bases[layer] + rank * binomials[draws, layer + 1] + number
    bit = 1 << (larger & 7)
    if state.seen[larger >> 3] & bit:
        return
    state.seen[larger >> 3] |= bit
    numbers_without(binomials, has, layer + 1, state.throws)
    first = layers.bases[layer] + rank * binomials[draws, layer]
    for i in range(layer + 1):
        other = first + state.throws[i]
        if state.weights[other] != KNOWN:
            state.sums[other] += turns
            state.weights[other] += 1
    if layer + 1 == layers.last:
        return  # what is judged need not be told
    for i in range(size):
        if not lacks >> i & 1:
            thrown = layers.ranks[lacks | wide(1) << i]
            other = layers.bases[layer + 1] + thrown * binomials[draws, layer + 1] + number
            if state.weights[other] != KNOWN:
                state.sums[other] += turns
                state.weights[other] += 1


def number_near(layers: Layers, lacks: int, other: int) -> int:
    """Return the number of the centre without one card and with one of the others instead, given by their places."""
    return int(layers.bases[1] + layers.ranks[1 << lacks] * len(layers.others) + other)
