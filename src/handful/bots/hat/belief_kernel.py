"""What everybody knows of every card, for the bot `hat`: what hints showed by touching, and what they told.

Row `seat` of the memory is what that seat has noted; its places are named below. RULED_OUT is the same for all seats as
long as all of them are bots of this kind: everybody learns from the same hints the same.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.kernels.layout import MAX_DECK, Game, Rulebook
from handful.hanabi.kernels.worth import playable_mask, worthless_mask

Row: TypeAlias = npt.NDArray[np.int64]

NONE = -1
MAX_SLOTS = 8  # of a hand that is told something
MAX_CELLS = 24

RULED_OUT = 0  # by place in the deck: mask of the cards that this one cannot be
PLAYABLE = RULED_OUT + MAX_DECK  # masks of the cards that are, at the moment, playable, …
WORTHLESS = PLAYABLE + 1
UNIQUE = PLAYABLE + 2
LEFT = PLAYABLE + 3  # three planes: the cards of which more than 0, 1, 2 copies are left
UNSEEN = LEFT + 3  # three planes: the same for the copies that this seat does not see
SOON_PLAYABLE = UNSEEN + 3  # playable and worthless when the turn of a player comes
SOON_WORTHLESS = SOON_PLAYABLE + 1
MASKS = SOON_WORTHLESS + 1  # scratch: by slot, what is known of the hand that questions are asked about
CHANCE_OF = MASKS + MAX_SLOTS  # scratch: by slot
ASKED = CHANCE_OF + MAX_SLOTS  # scratch: by number, the slot or the cards asked about
CHANCES = ASKED + MAX_CELLS  # scratch: by outcome
CELLS = CHANCES + MAX_CELLS  # scratch: by outcome
LOSS = CELLS + MAX_CELLS  # of the last discard thought of, in thousandths
BELIEF_WORDS = LOSS + 1


@kernel
def seat_after(rulebook: Rulebook, seat: int, ahead: int) -> int:
    """Return the seat so many places ahead, fewer than there are players."""
    other = seat + ahead
    return other - wide(rulebook["players"]) if other >= rulebook["players"] else other


@kernel
def look(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Note which cards are playable, worthless, unique, and how many copies are left."""
    row[PLAYABLE], row[WORTHLESS] = playable_mask(game, rulebook), worthless_mask(game, rulebook)
    plane_0, plane_1, plane_2 = wide(0), wide(0), wide(0)
    for card in range(rulebook["types"]):
        left = wide(game["left"][card])
        plane_0 |= wide(left > 0) << card
        plane_1 |= wide(left > 1) << card
        plane_2 |= wide(left > 2) << card
    row[LEFT], row[LEFT + 1], row[LEFT + 2] = plane_0, plane_1, plane_2
    row[UNIQUE] = plane_0 & ~plane_1 & ~row[WORTHLESS]


@kernel
def belief(game: Game, row: Row, place: int) -> int:
    """Return the mask of the cards that a held card can be, as everybody knows."""
    return wide(row[LEFT] & ~row[RULED_OUT + game["orders"][place]])


@inlined_kernel
def is_within(mask: int, wanted: int) -> bool:
    """Whether a card that can be one of a mask is certainly one of the wanted."""
    return mask != 0 and not mask & ~wanted


@kernel
def weight(row: Row, planes: int, mask: int) -> int:
    """Return how many copies of the cards of a mask there are, by the planes LEFT or UNSEEN."""
    return popcount(mask & row[planes]) + popcount(mask & row[planes + 1]) + popcount(mask & row[planes + 2])


@inlined_kernel
def foresee_play(game: Game, rulebook: Rulebook, row: Row, player: int) -> None:
    """Let a player play, if everybody knows exactly which card that is: change SOON_PLAYABLE and SOON_WORTHLESS."""
    first = player * wide(rulebook["hand_size"])
    for place in range(first, first + game["lengths"][player]):
        mask = belief(game, row, place)
        if mask & row[SOON_PLAYABLE] and not mask & (mask - 1):
            row[SOON_PLAYABLE] ^= mask
            if rulebook["value_of"][lowest_bit(mask)] < rulebook["values"]:
                row[SOON_PLAYABLE] |= mask << 1  # the next card of the suit
            row[SOON_WORTHLESS] |= mask
            return


@inlined_kernel
def note_shown(game: Game, rulebook: Rulebook, row: Row, player: int) -> None:
    """Note what hints have shown of a hand by touching cards or not."""
    first = player * wide(rulebook["hand_size"])
    for place in range(first, first + game["lengths"][player]):
        row[RULED_OUT + game["orders"][place]] |= ~game["possible"][place]


@inlined_kernel
def weigh_unseen(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Note how many copies of each card this seat does not see."""
    plane_0, plane_1, plane_2 = row[LEFT], row[LEFT + 1], row[LEFT + 2]
    for other in range(rulebook["players"]):
        if other != seat:
            first = other * wide(rulebook["hand_size"])
            for place in range(first, first + game["lengths"][other]):
                bit = wide(1) << game["cards"][game["orders"][place]]
                if plane_2 & bit:
                    plane_2 ^= bit
                elif plane_1 & bit:
                    plane_1 ^= bit
                else:
                    plane_0 &= ~bit
    row[UNSEEN], row[UNSEEN + 1], row[UNSEEN + 2] = plane_0, plane_1, plane_2


@kernel
def own_belief(game: Game, rulebook: Rulebook, row: Row, seat: int, slot: int) -> int:
    """Return what an own card can be, by all that was told and by what this seat sees.

    If that is nothing, somebody at the table tells nonsense: then only what hints have shown counts.
    """
    place = seat * wide(rulebook["hand_size"]) + slot
    mask = belief(game, row, place) & row[UNSEEN]
    if not mask:
        mask = wide(game["possible"][place] & row[UNSEEN])
    return mask if mask else wide(row[UNSEEN])
