"""What both players of the bot `conventions` know of both hands: one row of numbers, the same for either of them.

The row has, for each slot of each hand, the mask of the cards that may be there: by the hints themselves, and by what
the actions of both meant. Everything else in it follows from these masks and from the table.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import kernel
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, Game, Rulebook

Ints: TypeAlias = npt.NDArray[np.int64]

NO_SLOT = -1

# The words of a row. TURN: the turn that it stands for, plus 1 (0: nothing is noted yet). The masks of the cards that
# are playable, worthless, critical (the last copy of a card still needed), playable soon (once cards that both can name
# have been played), and held by somebody for all to know; the hint tokens.
TURN, PLAYABLE, WORTHLESS, CRITICAL, SOON, HELD, HINTS = range(7)
# Copies that are left, as four bit planes: plane i has the cards with more than i copies in the hands or in the deck.
LEFT = 8
# Per seat, at the word + seat: the slots touched by a hint, sure plays and sure trash (as masks); the chop and the one
# after it (NO_SLOT if there is none); the number of cards held.
TOUCHED, PLAYS, TRASH, CHOP, NEXT_CHOP, LENGTH = range(12, 24, 2)
# Per slot: the mask of the cards that may be there, at MASKS + seat · HAND + slot.
MASKS, HAND = 24, MAX_HAND_CARDS // 2
STATE_WORDS = MASKS + 2 * HAND
# Room for work, which is not common knowledge: the partner's masks after an action; as the player to move sees it, the
# own masks, the partner's cards, and the copies unseen (bit planes).
AFTER = STATE_WORDS
OWN = AFTER + HAND
FACES = OWN + HAND
UNSEEN = FACES + HAND
ROW_WORDS = UNSEEN + 4


@kernel
def note_worth(game: Game, rulebook: Rulebook, state: Ints) -> None:
    """Write which cards are playable, worthless and critical, and the copies that are left."""
    values = wide(rulebook["values"])
    playable, worthless = wide(0), wide(0)
    plane_1, plane_2, plane_3, plane_4 = wide(0), wide(0), wide(0), wide(0)
    for suit in range(wide(rulebook["suits"])):
        height, first, is_blocked = wide(game["stacks"][suit]), suit * values, False
        for value in range(values):
            bit, left = wide(1) << first + value, wide(game["left"][first + value])
            if value == height:
                playable |= bit
            if value < height or is_blocked:
                worthless |= bit
            is_blocked = is_blocked or (value >= height and left == 0)
            plane_1 |= bit * (left > 0)
            plane_2 |= bit * (left > 1)
            plane_3 |= bit * (left > 2)
            plane_4 |= bit * (left > 3)
    state[LEFT], state[LEFT + 1], state[LEFT + 2], state[LEFT + 3] = plane_1, plane_2, plane_3, plane_4
    state[PLAYABLE], state[WORTHLESS] = playable, worthless
    state[CRITICAL] = plane_1 & ~plane_2 & ~worthless


@kernel
def forget_meanings(game: Game, rulebook: Rulebook, state: Ints) -> None:
    """Go back to the direct information: what hints have shown."""
    size = wide(rulebook["hand_size"])
    for seat in range(2):
        for slot in range(wide(game["lengths"][seat])):
            state[MASKS + seat * HAND + slot] = game["possible"][seat * size + slot]


@kernel
def rule_out_copies(state: Ints) -> bool:
    """Narrow all masks by counting copies; return whether each still has a card.

    A card all of whose copies lie in slots where nothing else is possible is nowhere else.
    """
    left_1, left_2, left_3, left_4 = state[LEFT], state[LEFT + 1], state[LEFT + 2], state[LEFT + 3]
    is_changed = True
    while is_changed:
        once, twice, thrice = wide(0), wide(0), wide(0)
        for seat in range(2):
            for place in range(MASKS + seat * HAND, MASKS + seat * HAND + state[LENGTH + seat]):
                state[place] &= left_1
                mask = state[place]
                if mask == 0:
                    return False
                if mask & (mask - 1) == 0:
                    thrice |= twice & mask
                    twice |= once & mask
                    once |= mask
        state[HELD] = once
        located = (left_1 & ~left_2 & once) | (left_2 & ~left_3 & twice) | (left_3 & ~left_4 & thrice)
        is_changed = False
        for seat in range(2):
            for place in range(MASKS + seat * HAND, MASKS + seat * HAND + state[LENGTH + seat]):
                mask = state[place]
                if mask & (mask - 1) and mask & located:
                    state[place] = mask & ~located
                    is_changed = True
    return True


@kernel
def note_hand(state: Ints, seat: int) -> None:
    """Write what follows from the masks of a hand: sure plays, sure trash, the chop and the next chop.

    The chop is the oldest slot that no hint has touched and that is not sure to be playable, worthless or critical.
    """
    plays, trash, chop, next_chop = wide(0), wide(0), NO_SLOT, NO_SLOT
    for slot in range(state[LENGTH + seat]):
        mask = state[MASKS + seat * HAND + slot]
        if mask & ~state[PLAYABLE] == 0:
            plays |= wide(1) << slot
        elif mask & ~state[WORTHLESS] == 0:
            trash |= wide(1) << slot
        elif not state[TOUCHED + seat] >> slot & 1 and mask & ~state[CRITICAL]:
            if chop == NO_SLOT:
                chop = slot
            elif next_chop == NO_SLOT:
                next_chop = slot
    state[PLAYS + seat], state[TRASH + seat] = plays, trash
    state[CHOP + seat], state[NEXT_CHOP + seat] = chop, next_chop


@kernel
def refresh(game: Game, rulebook: Rulebook, state: Ints) -> None:
    """Write all that follows from the masks and from the table."""
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    note_worth(game, rulebook, state)
    for seat in range(2):
        touched = wide(0)
        length = wide(game["lengths"][seat])
        for slot in range(length):
            place = seat * size + slot
            state[MASKS + seat * HAND + slot] &= game["possible"][place]
            touched |= wide(game["touched"][place] != 0) << slot
        state[TOUCHED + seat], state[LENGTH + seat] = touched, length
    if not rule_out_copies(state):
        forget_meanings(game, rulebook, state)  # somebody meant something else
        rule_out_copies(state)
    tops = wide(0)
    for suit in range(wide(rulebook["suits"])):
        tops |= wide(1) << suit * values + values - 1
    soon, more = wide(0), state[PLAYABLE]
    while more != soon:
        soon = more
        more = soon | (soon & state[HELD] & ~tops) << 1
    state[SOON] = soon & ~state[WORTHLESS]
    note_hand(state, 0)
    note_hand(state, 1)
    state[HINTS], state[TURN] = game["hints"], game["turn"] + 1


@kernel
def begin(game: Game, rulebook: Rulebook, state: Ints) -> None:
    """Write the row for a game of which nothing is known but what lies open."""
    state[:] = 0
    forget_meanings(game, rulebook, state)
    refresh(game, rulebook, state)


@kernel
def begin_deal(rulebook: Rulebook, state: Ints) -> None:
    """Write the row for a game in which nobody has moved yet."""
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    state[:] = 0
    for suit in range(wide(rulebook["suits"])):
        state[PLAYABLE] |= wide(1) << suit * values
        for card in range(suit * values, (suit + 1) * values):
            for copy in range(min(4, wide(rulebook["copies"][card]))):
                state[LEFT + copy] |= wide(1) << card
    state[CRITICAL] = state[LEFT] & ~state[LEFT + 1]
    state[SOON], state[HINTS], state[TURN] = state[PLAYABLE], rulebook["max_hints"], 1
    for seat in range(2):
        for slot in range(size):
            state[MASKS + seat * HAND + slot] = rulebook["all_mask"]
        state[LENGTH + seat] = size
        note_hand(state, seat)


@kernel
def is_first_turn(game: Game, rulebook: Rulebook) -> bool:
    """Return whether this is a deal of which at most one turn has been played, and not a position in mid-game."""
    cards = wide(game["turn"] == 1 and game["last_slot"] >= 0)  # used on the first turn
    for card in range(wide(rulebook["types"])):
        cards += game["left"][card]
    return bool(game["turn"] <= 1 and cards == rulebook["deck_size"])


@kernel
def newest(slots: int) -> int:
    """Return the newest slot of a mask of slots that is not empty."""
    slot = 0
    while slots > 1:
        slots >>= 1
        slot += 1
    return slot


@kernel
def weight(mask: int, state: Ints, planes: int) -> int:
    """Return how many copies there are of the cards of a mask, by the bit planes at this word: LEFT or UNSEEN.

    A fourth copy and those after it do not count: only decks of one's own have them.
    """
    return popcount(mask & state[planes]) + popcount(mask & state[planes + 1]) + popcount(mask & state[planes + 2])
