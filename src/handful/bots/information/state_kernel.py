"""What everybody knows, as the bot `information` keeps it: for each slot the cards that it can be.

A *row* is an int64 array with the fields named below; each seat keeps one of its own, and all are equal after every
turn. Nothing in it depends on a card that somebody at the table cannot see, but for what was told in the code.
Copies are counted in *planes*: plane c has the types of which more than c copies are left, so that the weight of a
mask is the sum of popcount(mask & plane) over the planes.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, NO_CARD, Game, Rulebook
from handful.hanabi.kernels.worth import playable_mask, worthless_mask
from handful.hanabi.rules import MAX_PLAYERS

Row: TypeAlias = npt.NDArray[np.int64]

MOST_COPIES = 3  # of a card, that the planes hold

# What a row has, from its first word on.
FOLLOWED = 0  # turns that this row has followed, and 1; 0 before the first
PLAYABLE = 1  # types that extend a stack
DEAD = 2  # types that can never be played any more
LEFT = 3  # planes: copies in the hands or in the deck
FREE = LEFT + MOST_COPIES  # planes: the same, less the cards of which everybody knows what they are
KNOWN = FREE + MOST_COPIES  # types of which a copy is in a hand and everybody knows it
TWICE = KNOWN + 1  # types of which two copies are
PLAIN_SUIT = TWICE + 1  # types that one suit hint touches, and the others do not
PLAIN_VALUE = PLAIN_SUIT + 1  # types that one value hint touches, and the others do not
LENGTHS = PLAIN_VALUE + 1  # per seat: cards held
MASKS = LENGTHS + MAX_PLAYERS  # per place (seat · hand size + slot): the types that the card can be
PUBLIC_WORDS = MASKS + MAX_HAND_CARDS  # what comes after these is scratch paper


@kernel
def weight(row: Row, planes: int, mask: int) -> int:
    """Return how many copies of the types of a mask are in the planes that start at a word of the row."""
    return popcount(mask & row[planes]) + popcount(mask & row[planes + 1]) + popcount(mask & row[planes + 2])


@inlined_kernel
def is_single(mask: int) -> bool:
    """Return whether a mask has at most one member."""
    return mask & (mask - 1) == 0


@kernel
def take_copy(row: Row, planes: int, bit: int) -> None:
    """Take one copy of a type out of planes."""
    if row[planes + 2] & bit:
        row[planes + 2] ^= bit
    elif row[planes + 1] & bit:
        row[planes + 1] ^= bit
    else:
        row[planes] &= ~bit


@kernel
def note_copies(game: Game, row: Row, card: int) -> None:
    """Write how many copies of a type are left into the planes."""
    bit = wide(1) << card
    for copy in range(MOST_COPIES):
        if game["left"][card] > copy:
            row[LEFT + copy] |= bit
        else:
            row[LEFT + copy] &= ~bit


@kernel
def note_plain_types(rulebook: Rulebook, row: Row) -> None:
    """Write which types are touched by one suit hint alone, and by one value hint alone."""
    suit_hints = (wide(1) << rulebook["suit_hints"]) - 1
    row[PLAIN_SUIT], row[PLAIN_VALUE] = 0, 0
    for card in range(rulebook["types"]):
        touching = wide(rulebook["touching"][card])
        row[PLAIN_SUIT] |= wide(popcount(touching & suit_hints) == 1 and rulebook["suit_hints"] > 1) << card
        row[PLAIN_VALUE] |= wide(popcount(touching & ~suit_hints) == 1 and rulebook["values"] > 1) << card


@kernel
def begin(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Start a row where the game is, from what the hints alone have said."""
    row[FOLLOWED] = game["turn"] + 1
    note_plain_types(rulebook, row)
    for card in range(rulebook["types"]):
        note_copies(game, row, card)
    size = wide(rulebook["hand_size"])
    for seat in range(rulebook["players"]):
        row[LENGTHS + seat] = game["lengths"][seat]
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            row[MASKS + place] = game["possible"][place]
    row[PLAYABLE] = playable_mask(game, rulebook)
    row[DEAD] = worthless_mask(game, rulebook)
    draw_conclusions(game, rulebook, row)


@kernel
def is_new_game(game: Game, rulebook: Rulebook) -> bool:
    """Return whether the game began with a full deck, and one turn has been made."""
    if game["turn"] != 1:
        return False
    copies = wide(game["last_slot"] != NO_CARD)
    for card in range(rulebook["types"]):
        copies += wide(game["left"][card])
    return bool(copies == rulebook["deck_size"])


@kernel
def begin_new_game(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Start a row as it is before the first turn of a game, of which one turn has been made."""
    for card in range(rulebook["types"]):
        for copy in range(MOST_COPIES):
            row[LEFT + copy] |= wide(rulebook["copies"][card] > copy) << card
        row[PLAYABLE] |= wide(rulebook["value_of"][card] == 1) << card
    row[DEAD] = 0
    row[FOLLOWED] = 1
    note_plain_types(rulebook, row)
    size = wide(rulebook["hand_size"])
    for seat in range(rulebook["players"]):
        row[LENGTHS + seat] = size
        for place in range(seat * size, seat * size + size):
            row[MASKS + place] = rulebook["all_mask"]
    draw_conclusions(game, rulebook, row)


@kernel
def draw_conclusions(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Strike out the types of which all copies are accounted for, again and again; note what is known then."""
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    for copy in range(MOST_COPIES):
        row[FREE + copy] = row[LEFT + copy]
    known, twice = wide(0), wide(0)
    for seat in range(players):
        for place in range(MASKS + seat * size, MASKS + seat * size + row[LENGTHS + seat]):
            mask = row[place]
            if is_single(mask):
                take_copy(row, FREE, mask)
                twice |= known & mask
                known |= mask
    is_settled = False
    while not is_settled:
        is_settled = True
        for seat in range(players):
            for place in range(MASKS + seat * size, MASKS + seat * size + row[LENGTHS + seat]):
                mask = row[place]
                if mask & ~row[FREE] and not is_single(mask):
                    mask &= row[FREE]
                    if mask == 0:  # somebody does not keep to the code: only the hints themselves count
                        mask = game["possible"][place - MASKS] & row[LEFT]
                    row[place] = mask
                    if is_single(mask):
                        take_copy(row, FREE, mask)
                        twice |= known & mask
                        known |= mask
                        is_settled = False
    row[KNOWN], row[TWICE] = known, twice


@kernel
def apply_turn(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Bring a row, in which the last turn is decoded, to where the game is now."""
    size = wide(rulebook["hand_size"])
    actor = wide(game["last_actor"])
    row[FOLLOWED] = game["turn"] + 1
    if game["last_slot"] == NO_CARD:
        target = wide(actor + rulebook["ahead_of"][game["last_action"]]) % rulebook["players"]
        for place in range(target * size, target * size + game["lengths"][target]):
            mask = row[MASKS + place] & game["possible"][place]
            row[MASKS + place] = mask if mask else game["possible"][place]
    else:
        first = MASKS + actor * size
        last = first + row[LENGTHS + actor] - 1
        for place in range(first + game["last_slot"], last):
            row[place] = row[place + 1]
        if game["last_drew"] != NO_CARD:
            row[last] = rulebook["all_mask"]
        row[LENGTHS + actor] = game["lengths"][actor]
        note_copies(game, row, wide(game["cards"][game["last_order"]]))
        row[PLAYABLE] = playable_mask(game, rulebook)
        row[DEAD] = worthless_mask(game, rulebook)
    draw_conclusions(game, rulebook, row)
