"""What the network of the bot `learned` is told of a position: numbers from 0 to 1.

They say what the player sees who has just moved, the *mover*; the *partner* is next. Cards that the partner holds are
in sight; of the mover's own hand there are the masks of `note_view`. The suits come in the order of their stacks, the
highest first, so that the network need not learn anything five times; suits of the same height in the order of the
copies that are left of them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Ints
from handful.bots.conventions.notes_kernel import NO_SLOT, NUM_PLANES, Paper, question_about_play, weight
from handful.hanabi.kernels.game import pace
from handful.hanabi.kernels.layout import NOT_YET, Game, Rulebook

SUITS, VALUES, HAND_SIZE = 5, 5, 5
CARDS = SUITS * VALUES
MOST_TURNS = 12  # up to which the turns that are left are told one by one
MOST_SLACK = 12
PER_CARD, PER_OTHER, PER_OWN = 9, 23, 18
GLOBALS = 64
CARDS_AT = GLOBALS
OTHER_AT = CARDS_AT + CARDS * PER_CARD
OWN_AT = OTHER_AT + HAND_SIZE * PER_OTHER
INPUTS = OWN_AT + HAND_SIZE * PER_OWN

Inputs: TypeAlias = npt.NDArray[np.float32]  # INPUTS of them


@inlined_kernel
def copies_of(card: int, planes: Ints) -> int:
    """Return how many copies of a card bit planes have."""
    count = wide(0)
    for plane in range(NUM_PLANES):
        count += planes[plane] >> card & 1
    return count


@kernel
def suit_order(game: Game, rulebook: Rulebook, places: Ints) -> None:
    """Write the place of every suit among all: the highest stack first, then the most copies left of high cards."""
    for suit in range(SUITS):
        places[suit] = 0
    for suit in range(SUITS):
        mine = suit_key(game, suit)
        for other in range(suit + 1, SUITS):
            if suit_key(game, other) > mine:
                places[suit] += 1
            else:
                places[other] += 1


@inlined_kernel
def suit_key(game: Game, suit: int) -> int:
    """Return what suits are sorted by."""
    key = wide(game["stacks"][suit])
    for value in range(VALUES - 1, -1, -1):
        key = key << 2 | wide(game["left"][suit * VALUES + value])
    return key


@inlined_kernel
def steps(inputs: Inputs, at: int, number: int, most: int) -> None:
    """Write a number from 0 to `most` as so many ones, in `most` places."""
    for place in range(min(number, most)):
        inputs[at + place] = 1.0


@kernel
def describe_table(game: Game, rulebook: Rulebook, paper: Paper, mover: int, inputs: Inputs) -> None:
    """Write what belongs to no card: turns, slack, tokens, strikes, and what both know to be sure."""
    partner = 1 - mover
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    turns = deck + 2 if game["turns_left"] == NOT_YET else wide(game["turns_left"])
    slack = pace(game, rulebook)
    inputs[0] = deck * np.float32(1 / 40)
    inputs[1] = min(max(slack, 0), 20) * np.float32(1 / 20)
    inputs[2] = wide(game["points"]) * np.float32(1 / 25)
    inputs[3] = wide(game["hints"]) * np.float32(1 / 8)
    at = 4
    if turns <= MOST_TURNS:
        inputs[at + turns] = 1.0
    at += MOST_TURNS + 1
    steps(inputs, at, slack + 1, MOST_SLACK)
    at += MOST_SLACK
    steps(inputs, at, wide(game["hints"]), 8)
    at += 8
    steps(inputs, at, wide(game["strikes"]), 2)
    at += 2
    for seat in (partner, mover):
        steps(inputs, at, popcount(paper["plays"][seat]), 3)
        steps(inputs, at + 3, popcount(paper["trash"][seat]), 3)
        inputs[at + 6] = paper["chop"][seat] == NO_SLOT
        inputs[at + 7] = paper["length"][seat] * np.float32(1 / 5)
        at += 8
    has_play, tokens = paper["plays"][partner] != 0, wide(game["hints"])
    inputs[at] = not has_play and tokens == 0
    inputs[at + 1] = not has_play and tokens == 0 and paper["trash"][partner] == 0
    inputs[at + 2] = not has_play and tokens == 1
    inputs[at + 3] = not has_play and tokens == 8
    inputs[at + 4] = game["turns_left"] != NOT_YET
    inputs[at + 5] = (paper["plays"][mover] == 0) and not has_play
    inputs[at + 6] = slack - deck == 0
    inputs[at + 7] = 1.0


@kernel
def describe_cards(paper: Paper, mover: int, places: Ints, inputs: Inputs) -> None:
    """Write what there is to say of each of the cards."""
    partner = 1 - mover
    for card in range(CARDS):
        bit = wide(1) << card
        at = CARDS_AT + (places[card // VALUES] * VALUES + card % VALUES) * PER_CARD
        if paper["worthless"] & bit:
            inputs[at] = 1.0
            continue
        inputs[at + 1] = copies_of(card, paper["unseen"]) * np.float32(1 / 3)
        inputs[at + 2] = paper["critical"] & bit != 0
        inputs[at + 3] = copies_of(card, paper["left"]) * np.float32(1 / 3)
    for slot in range(paper["length"][partner]):
        card, mask = paper["faces"][slot], paper["masks"][partner, slot]
        if paper["worthless"] >> card & 1:
            continue
        at = CARDS_AT + (places[card // VALUES] * VALUES + card % VALUES) * PER_CARD
        inputs[at + 4] = 1.0
        if mask & (mask - 1) == 0:
            inputs[at + 5] = 1.0
        elif mask & ~paper["playable"] == 0:
            inputs[at + 6] = 1.0
    for slot in range(paper["length"][mover]):
        mask = paper["own"][slot]
        if mask == 0:
            continue  # what is thought of contradicts itself
        if mask & (mask - 1) == 0:
            card = lowest_bit(mask)
            at = CARDS_AT + (places[card // VALUES] * VALUES + card % VALUES) * PER_CARD
            if not paper["worthless"] & mask:
                inputs[at + 7] = 1.0
                inputs[at + 8] = paper["masks"][mover, slot] == mask
            continue
        total = weight(mask, paper["unseen"])
        if total == 0:
            continue
        share = np.float32(1 / total)
        mask &= ~paper["worthless"]
        while mask:
            card = lowest_bit(mask)
            mask &= mask - 1
            at = CARDS_AT + (places[card // VALUES] * VALUES + card % VALUES) * PER_CARD
            inputs[at + 7] = min(np.float32(1.0), inputs[at + 7] + share * np.float32(copies_of(card, paper["unseen"])))


@kernel
def describe_other(paper: Paper, mover: int, inputs: Inputs) -> None:
    """Write what there is to say of each slot of the partner: what it is, and what both know of it."""
    partner = 1 - mover
    playable, worthless, critical = paper["playable"], paper["worthless"], paper["critical"]
    asked = question_about_play(paper, partner)
    known = wide(0)
    for slot in range(paper["length"][mover]):
        mask = paper["own"][slot]
        if mask & (mask - 1) == 0:
            known |= mask
    seen_once, seen_twice = wide(0), wide(0)
    for slot in range(paper["length"][partner]):
        bit = wide(1) << paper["faces"][slot]
        seen_twice |= seen_once & bit
        seen_once |= bit
    for slot in range(paper["length"][partner]):
        at = OTHER_AT + slot * PER_OTHER
        card, mask = paper["faces"][slot], paper["masks"][partner, slot]
        bit = wide(1) << card
        value = card % VALUES
        inputs[at] = 1.0
        if worthless & bit:
            inputs[at + 1] = 1.0
        else:
            inputs[at + 2] = playable & bit != 0
            inputs[at + 3] = critical & bit != 0
            inputs[at + 4] = paper["soon"] & bit != 0
            if not playable & bit:
                away = 1
                while value - away > 0 and not playable & bit >> away:
                    away += 1
                inputs[at + 4 + min(away, 3)] = 1.0  # 5, 6, 7
            inputs[at + 8] = known & bit != 0
            inputs[at + 9] = seen_twice & bit != 0
            inputs[at + 10] = (value + 1) * np.float32(1 / 5)
        total = weight(mask, paper["left"])
        share = np.float32(1 / max(total, 1))
        inputs[at + 11] = paper["touched"][partner] >> slot & 1
        inputs[at + 12] = mask & ~playable == 0
        inputs[at + 13] = mask & ~worthless == 0
        inputs[at + 14] = weight(mask & playable, paper["left"]) * share
        inputs[at + 15] = weight(mask & worthless, paper["left"]) * share
        inputs[at + 16] = weight(mask & critical, paper["left"]) * share
        inputs[at + 17] = popcount(mask) * np.float32(1 / 25)
        inputs[at + 18] = mask & (mask - 1) == 0
        inputs[at + 19] = slot == paper["chop"][partner]
        inputs[at + 20] = slot == paper["next_chop"][partner]
        inputs[at + 21] = slot == asked
        inputs[at + 22] = (slot == paper["chop"][partner]) and (critical & bit != 0)


@kernel
def describe_own(paper: Paper, mover: int, inputs: Inputs) -> None:
    """Write what there is to say of each own slot: what the mover knows of it, and what both know."""
    playable, worthless, critical = paper["playable"], paper["worthless"], paper["critical"]
    asked = question_about_play(paper, mover)
    for slot in range(paper["length"][mover]):
        at = OWN_AT + slot * PER_OWN
        mask, public = paper["own"][slot], paper["masks"][mover, slot]
        inputs[at] = 1.0
        if mask & (mask - 1) == 0:
            inputs[at + 1] = playable & mask != 0
            inputs[at + 2] = worthless & mask != 0
            inputs[at + 3] = critical & mask != 0
            inputs[at + 4] = 1.0
            inputs[at + 5] = (lowest_bit(mask) % VALUES + 1) * np.float32(1 / 5)
        else:
            share = np.float32(1 / max(weight(mask, paper["unseen"]), 1))
            inputs[at + 1] = weight(mask & playable, paper["unseen"]) * share
            inputs[at + 2] = weight(mask & worthless, paper["unseen"]) * share
            inputs[at + 3] = weight(mask & critical, paper["unseen"]) * share
        inputs[at + 6] = popcount(mask) * np.float32(1 / 25)
        inputs[at + 7] = paper["touched"][mover] >> slot & 1
        inputs[at + 8] = public & ~playable == 0
        inputs[at + 9] = public & ~worthless == 0
        share = np.float32(1 / max(weight(public, paper["left"]), 1))
        inputs[at + 10] = weight(public & playable, paper["left"]) * share
        inputs[at + 11] = weight(public & worthless, paper["left"]) * share
        inputs[at + 12] = weight(public & critical, paper["left"]) * share
        inputs[at + 13] = popcount(public) * np.float32(1 / 25)
        inputs[at + 14] = slot == paper["chop"][mover]
        inputs[at + 15] = slot == paper["next_chop"][mover]
        inputs[at + 16] = slot == asked
        inputs[at + 17] = public & (public - 1) == 0


@kernel
def describe(game: Game, rulebook: Rulebook, paper: Paper, mover: int, places: Ints, inputs: Inputs) -> None:
    """Write all inputs; the notes must have the view of the mover (`note_view`)."""
    for i in range(INPUTS):
        inputs[i] = 0.0
    suit_order(game, rulebook, places)
    describe_table(game, rulebook, paper, mover, inputs)
    describe_cards(paper, mover, places, inputs)
    describe_other(paper, mover, inputs)
    describe_own(paper, mover, inputs)
