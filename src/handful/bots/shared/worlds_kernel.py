"""Redeals inside kernels: the cards that a seat cannot see, dealt anew so that they fit all that it has been told.

The hidden cards are those of the own hand and of the deck. Every way to deal them that fits the hints is equally
likely: each own slot draws one of the hidden cards that fit it, for itself, and if two slots have drawn the same card,
all draw again; the deck is what is left, shuffled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel
from handful.hanabi.kernels.game import note_hintable
from handful.hanabi.kernels.layout import MAX_DECK, Decks, Game, Rulebook
from handful.splitmix_jit import Chance, below

MOST_TRIES = 2_000  # hardly ever more than ten; after these, slots that fit few cards go first


class Hidden(NamedTuple):
    """What a seat cannot see. `cards[:size[0]]` are the hidden cards, one entry a copy.

    `fits[slot, :num_fits[slot]]` are the places in `cards` that the hints allow for an own slot; `drawn` is scratch.
    """

    cards: npt.NDArray[np.int8]
    size: npt.NDArray[np.int64]
    fits: npt.NDArray[np.int8]
    num_fits: npt.NDArray[np.int64]
    drawn: npt.NDArray[np.int64]


@kernel
def hidden_from(game: Game, rulebook: Rulebook, seat: int) -> Hidden:
    """Return what a seat cannot see."""
    size = wide(rulebook["hand_size"])
    unseen = np.zeros(rulebook["types"], np.int64)
    for card in range(rulebook["types"]):
        unseen[card] = game["left"][card]
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                unseen[game["cards"][game["orders"][place]]] -= 1
    cards, count = np.zeros(MAX_DECK, np.int8), 0
    for card in range(rulebook["types"]):
        for _ in range(unseen[card]):
            cards[count] = card
            count += 1
    fits = np.zeros((size, MAX_DECK), np.int8)
    num_fits = np.zeros(size, np.int64)
    for slot in range(game["lengths"][seat]):
        possible = game["possible"][seat * size + slot]
        for place in range(count):
            if possible >> cards[place] & 1:
                fits[slot, num_fits[slot]] = place
                num_fits[slot] += 1
    return Hidden(cards, np.full(1, count, np.int64), fits, num_fits, np.zeros(size, np.int64))


@kernel
def draw_hand(hidden: Hidden, length: int, chance: Chance, stream: int) -> int:
    """Draw a place of `hidden.cards` for each own slot into `hidden.drawn`; return them as a mask."""
    for _ in range(MOST_TRIES):
        taken, slot = wide(0), 0
        while slot < length:
            place = wide(hidden.fits[slot, below(chance, stream, hidden.num_fits[slot])])
            if taken >> place & 1:
                break
            taken |= wide(1) << place
            hidden.drawn[slot] = place
            slot += 1
        if slot == length:
            return taken
    return draw_hand_by_need(hidden, length, chance, stream)


@kernel
def draw_hand_by_need(hidden: Hidden, length: int, chance: Chance, stream: int) -> int:
    """Draw as `draw_hand` does, the slots that fit the fewest cards first: quick, but not all hands equally likely."""
    while True:
        taken, told = wide(0), wide(0)
        for _ in range(length):
            chosen, fewest = -1, wide(MAX_DECK + 1)
            for slot in range(length):
                free = wide(0)
                for k in range(hidden.num_fits[slot]):
                    free += ~(taken >> hidden.fits[slot, k]) & 1
                if not told >> slot & 1 and free < fewest:
                    chosen, fewest = slot, free
            if fewest == 0:
                break
            nth = below(chance, stream, fewest)
            for k in range(hidden.num_fits[chosen]):
                place = wide(hidden.fits[chosen, k])
                if not taken >> place & 1:
                    if nth == 0:
                        taken |= wide(1) << place
                        hidden.drawn[chosen] = place
                        break
                    nth -= 1
            told |= wide(1) << chosen
        if told == (wide(1) << length) - 1:
            return taken


@kernel
def redeal(
    game: Game, rulebook: Rulebook, deck: Decks, seat: int, hidden: Hidden, chance: Chance, stream: int, draws: int
) -> None:
    """Deal the hidden cards of a seat anew: the own hand into `game`, and the next `draws` cards of the deck.

    `deck` is int8 of length MAX_DECK.
    """
    length, first = wide(game["lengths"][seat]), seat * wide(rulebook["hand_size"])
    taken = draw_hand(hidden, length, chance, stream)
    for slot in range(length):
        game["cards"][game["orders"][first + slot]] = hidden.cards[hidden.drawn[slot]]
    note_hintable(game, rulebook, seat)
    top, end = wide(game["drawn"]), wide(game["drawn"])
    for place in range(hidden.size[0]):
        if not taken >> place & 1:
            deck[end] = hidden.cards[place]
            end += 1
    for place in range(top, min(end - 1, top + draws)):
        other = place + below(chance, stream, end - place)
        deck[place], deck[other] = deck[other], deck[place]
