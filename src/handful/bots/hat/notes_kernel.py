"""What everybody knows, as the bots `hat` and `information` note it: for each slot the cards that it can be.

Each seat keeps notes of its own, and all are equal after every turn. Nothing in them depends on a card that somebody at
the table cannot see, but for what was told in the code. Copies are counted in *planes*: plane c has the types of which
more than c copies are left, so that the weight of a mask is the sum of popcount(mask & plane) over the planes.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful.bots.settings import Settings
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, NO_CARD, Game, Rulebook
from handful.hanabi.kernels.worth import playable_mask, worthless_mask
from handful.hanabi.rules import MAX_PLAYERS

MOST_COPIES = 3  # of a card, that the planes hold
NONE = -1  # no slot, no action, no answer yet


class Notes(TypedDict):
    """What everybody knows after a turn."""

    followed: Annotated[int, np.int64]  # turns that these notes have followed, and 1; 0 before the first
    playable: Annotated[int, np.int64]  # types that extend a stack
    dead: Annotated[int, np.int64]  # types that can never be played any more
    known: Annotated[int, np.int64]  # types of which a copy is in a hand and everybody knows it
    twice: Annotated[int, np.int64]  # types of which two copies are
    plain_suit: Annotated[int, np.int64]  # types that one suit hint touches, and the others do not
    plain_value: Annotated[int, np.int64]  # types that one value hint touches, and the others do not
    left: Annotated[Ints, np.int64, MOST_COPIES]  # planes: copies in the hands or in the deck
    free: Annotated[Ints, np.int64, MOST_COPIES]  # planes: the same, less the cards of which everybody knows the type
    lengths: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: cards held
    masks: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place (seat · hand size + slot): types that the card can be


NOTES = record_type(Notes)


def notes_of(row: Ints) -> Notes:
    """Return the notes at the beginning of a seat's row of memory, for those outside of kernels."""
    notes: Notes = row[: words_of(NOTES)].view(NOTES)[0]
    return notes


@kernel
def weight(planes: Ints, mask: int) -> int:
    """Return how many copies of the types of a mask are in some planes."""
    return popcount(mask & planes[0]) + popcount(mask & planes[1]) + popcount(mask & planes[2])


@inlined_kernel
def is_single(mask: int) -> bool:
    """Return whether a mask has at most one member."""
    return mask & (mask - 1) == 0


@inlined_kernel
def is_within(mask: int, wanted: int) -> bool:
    """Return whether a card that can be the types of a mask is surely of the wanted ones."""
    return mask != 0 and mask & ~wanted == 0


@inlined_kernel
def seat_after(rulebook: Rulebook, seat: int, ahead: int) -> int:
    """Return the seat so many places ahead, fewer than there are players."""
    other = seat + ahead
    return other - wide(rulebook["players"]) if other >= rulebook["players"] else other


@kernel
def take_copy(planes: Ints, bit: int) -> None:
    """Take one copy of a type out of planes."""
    if planes[2] & bit:
        planes[2] ^= bit
    elif planes[1] & bit:
        planes[1] ^= bit
    else:
        planes[0] &= ~bit


@kernel
def put_copy(planes: Ints, bit: int) -> None:
    """Put one more copy of a type into planes."""
    copy = 0
    while planes[copy] & bit:
        copy += 1
    planes[copy] |= bit


@kernel
def note_copies(game: Game, notes: Notes, card: int) -> None:
    """Write how many copies of a type are left into the planes."""
    bit = wide(1) << card
    for copy in range(MOST_COPIES):
        if game["left"][card] > copy:
            notes["left"][copy] |= bit
        else:
            notes["left"][copy] &= ~bit


@kernel
def note_plain_types(rulebook: Rulebook, notes: Notes) -> None:
    """Write which types are touched by one suit hint alone, and by one value hint alone."""
    suit_hints = (wide(1) << rulebook["suit_hints"]) - 1
    plain_suit, plain_value = wide(0), wide(0)
    for card in range(rulebook["types"]):
        touching = wide(rulebook["touching"][card])
        plain_suit |= wide(popcount(touching & suit_hints) == 1 and rulebook["suit_hints"] > 1) << card
        plain_value |= wide(popcount(touching & ~suit_hints) == 1 and rulebook["values"] > 1) << card
    notes["plain_suit"], notes["plain_value"] = plain_suit, plain_value


@kernel
def begin(game: Game, rulebook: Rulebook, notes: Notes, settings: Settings) -> None:
    """Start notes where the game is, from what the hints alone have said."""
    notes["followed"] = game["turn"] + 1
    note_plain_types(rulebook, notes)
    for card in range(rulebook["types"]):
        note_copies(game, notes, card)
    size = wide(rulebook["hand_size"])
    for seat in range(rulebook["players"]):
        notes["lengths"][seat] = game["lengths"][seat]
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            notes["masks"][place] = game["possible"][place]
    notes["playable"], notes["dead"] = playable_mask(game, rulebook), worthless_mask(game, rulebook)
    draw_conclusions(game, rulebook, notes, settings)


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
def begin_new_game(game: Game, rulebook: Rulebook, notes: Notes, settings: Settings) -> None:
    """Start notes as they are before the first turn of a game, of which one turn has been made."""
    playable = wide(0)
    for copy in range(MOST_COPIES):
        notes["left"][copy] = 0
    for card in range(rulebook["types"]):
        for copy in range(MOST_COPIES):
            notes["left"][copy] |= wide(rulebook["copies"][card] > copy) << card
        playable |= wide(rulebook["value_of"][card] == 1) << card
    notes["playable"], notes["dead"], notes["followed"] = playable, 0, 1
    note_plain_types(rulebook, notes)
    size = wide(rulebook["hand_size"])
    for seat in range(rulebook["players"]):
        notes["lengths"][seat] = size
        for place in range(seat * size, seat * size + size):
            notes["masks"][place] = rulebook["all_mask"]
    draw_conclusions(game, rulebook, notes, settings)


@kernel
def draw_conclusions(game: Game, rulebook: Rulebook, notes: Notes, settings: Settings) -> None:
    """Strike out the types of which all copies are accounted for, again and again; note what is known then.

    Without the setting `concludes` only those are struck out of which no copy is left.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    free = notes["free"]
    for copy in range(MOST_COPIES):
        free[copy] = notes["left"][copy]
    notes["known"], notes["twice"] = 0, 0
    is_settled = settings["concludes"] == 0.0
    for seat in range(players):
        for place in range(seat * size, seat * size + notes["lengths"][seat]):
            if is_settled:
                notes["masks"][place] &= free[0]
            elif is_single(notes["masks"][place]):
                note_known(notes, notes["masks"][place])
    while not is_settled:
        is_settled = True
        for seat in range(players):
            for place in range(seat * size, seat * size + notes["lengths"][seat]):
                mask = notes["masks"][place]
                if mask & ~free[0] and not is_single(mask):
                    mask &= free[0]
                    if mask == 0:  # somebody does not keep to the code: only the hints themselves count
                        mask = game["possible"][place] & notes["left"][0]
                    notes["masks"][place] = mask
                    if is_single(mask):
                        note_known(notes, mask)
                        is_settled = False


@inlined_kernel
def note_known(notes: Notes, mask: int) -> None:
    """Note that everybody knows a card that is held; `mask` has its type alone."""
    take_copy(notes["free"], mask)
    notes["twice"] |= notes["known"] & mask
    notes["known"] |= mask


@kernel
def apply_turn(game: Game, rulebook: Rulebook, notes: Notes, settings: Settings) -> None:
    """Bring notes, in which the last turn is decoded, to where the game is now."""
    size, masks = wide(rulebook["hand_size"]), notes["masks"]
    actor = wide(game["last_actor"])
    notes["followed"] = game["turn"] + 1
    if game["last_slot"] == NO_CARD:
        target = seat_after(rulebook, actor, wide(rulebook["ahead_of"][game["last_action"]]))
        for place in range(target * size, target * size + game["lengths"][target]):
            mask = masks[place] & game["possible"][place]
            masks[place] = mask if mask or settings["concludes"] == 0.0 else game["possible"][place]
    else:
        first = actor * size
        last = first + notes["lengths"][actor] - 1
        for place in range(first + game["last_slot"], last):
            masks[place] = masks[place + 1]
        if game["last_drew"] != NO_CARD:
            masks[last] = rulebook["all_mask"]
        notes["lengths"][actor] = game["lengths"][actor]
        note_copies(game, notes, wide(game["cards"][game["last_order"]]))
        notes["playable"], notes["dead"] = playable_mask(game, rulebook), worthless_mask(game, rulebook)
    draw_conclusions(game, rulebook, notes, settings)
