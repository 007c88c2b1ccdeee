"""The last draws of a stock, exactly: what is thrown does not come back, and after so many draws it is over.

A position is which k cards of the stock have come, D, and which hand H is held: any n of the n cards of the start and
of D, for k were thrown. The order of the stock is not known, so each of the m cards that has not come to this player is
equally likely to come next. With r draws in all, the chance to go out is

    W(D, H) = 1 if H melds whole; 0 if |D| = r; otherwise
    W(D, H) = Σ over d not in D of max over t of W(D + d, H + d − t), / (m − |D|),

and of throws with the same chance that is best which takes fewer draws on average, worked out in the same way.

The cards of the start have places 0, …, n − 1, those of the stock n, n + 1, …; H is numbered among the n + k cards that
it may be made of, in their order. Layer k has C(m, k) · C(n + k, n) positions; it needs only the one after it.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import borrowing_kernel
from handful._records import Floats, Ints
from handful.rummy.kernels.chain import TIE
from handful.rummy.kernels.play import Rules, is_rummy
from handful.rummy.kernels.reduced_deck import add_place, number_of, numbers_without, places_of


def in_layer(size: int, stock: int, layer: int) -> int:
    """Return how many positions a layer has."""
    return comb(stock, layer) * comb(size + layer, size)


def positions(size: int, stock: int, draws: int) -> int:
    """Return how many positions there are: Σ C(m, k) · C(n + k, n), for k from 0 to r."""
    return sum(in_layer(size, stock, layer) for layer in range(draws + 1))


CHANCE, TURNS = 0, 1  # columns of what is found of a position


class Room(NamedTuple):
    """Room to work in, int64: what of the stock has come, without and with a draw; places of a hand; throws.

    `shifted` are the places of the hand when a card is drawn that lies among them, `more` those with it, `numbers` of
    what each throw leaves.
    """

    come: Ints
    come_then: Ints
    places: Ints
    shifted: Ints
    more: Ints
    numbers: Ints


def make_room(cards: int) -> Room:
    """Return room for so many cards of the start and the stock."""
    return Room(*(np.zeros(cards + 2, np.int64) for _ in Room._fields))


@borrowing_kernel
def hand_mask(cards: Ints, size: int, room: Room) -> int:
    """Return the hand of the places in `room`, as a mask of the deck."""
    mask = wide(0)
    for i in range(size):
        place = room.places[i]
        mask |= wide(1) << wide(cards[place if place < size else size + room.come[place - size]])
    return mask


@borrowing_kernel
def throws_after(binomials: Ints, size: int, layer: int, drawn: int, room: Room) -> bool:
    """Fill in the numbers of the positions that each throw leads to after a draw; return whether it had not come."""
    if not add_place(room.come, layer, drawn, room.come_then):
        return False
    new = size
    while room.come_then[new - size] != drawn:
        new += 1
    for i in range(size):
        room.shifted[i] = room.places[i] + (room.places[i] >= new)
    add_place(room.shifted, size, new, room.more)
    numbers_without(binomials, room.more, size + 1, room.numbers)
    base = number_of(binomials, room.come_then, layer + 1) * binomials[size + layer + 1, size]
    for i in range(size + 1):
        room.numbers[i] += base
    return True


@borrowing_kernel
def best_throw(numbers: Ints, size: int, after: Floats) -> int:
    """Return where the throw leads that has the greatest chance, and of those the fewest turns."""
    best = numbers[0]
    for i in range(1, size + 1):
        other = numbers[i]
        gain = after[other, CHANCE] - after[best, CHANCE]
        if gain > TIE or (gain > -TIE and after[other, TURNS] < after[best, TURNS] - TIE):
            best = other
    return wide(best)


@borrowing_kernel
def work_out(
    rules: Rules, binomials: Ints, cards: Ints, size: int, layer: int, room: Room, after: Floats, found: Floats
) -> None:
    """Fill in chance and turns of all positions of a layer, from those of the layer `after` it; the last has none."""
    stock, hands = len(cards) - size, binomials[size + layer, size]
    for number in range(len(found)):
        places_of(binomials, number // hands, layer, room.come)
        places_of(binomials, number % hands, size, room.places)
        chance, turns = 0.0, 0.0
        if is_rummy(rules, hand_mask(cards, size, room)):
            chance = 1.0
        elif len(after) > 0:
            for drawn in range(stock):
                if throws_after(binomials, size, layer, drawn, room):
                    best = best_throw(room.numbers, size, after)
                    chance += after[best, CHANCE] / (stock - layer)
                    turns += (1.0 + after[best, TURNS]) / (stock - layer)
        found[number, CHANCE], found[number, TURNS] = chance, turns
