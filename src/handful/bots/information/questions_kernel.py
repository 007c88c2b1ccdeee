"""The questions that a code answers about a hand: public, and different for every hand and every turn.

With n answers to tell apart, a question with outcomes 1, …, k shares the n cells among its outcomes; the next question
is asked with the cells of the outcome, until one cell is left. Each outcome has at least one cell, and each further
cell goes where the chance per cell is largest. So the answer to all questions is one number below n, and nobody need
hear the questions: whoever knows what is public asks the same ones.

Chances are whole numbers of which `ONE` is certainty: so all machines agree.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import kernel
from handful.bots.information.state_kernel import FREE, PUBLIC_WORDS, Row, is_single, weight
from handful.bots.shared.cells_kernel import share_cells
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, Game

ONE_BITS = 20
ONE = 1 << ONE_BITS
MOST_OUTCOMES = 32

# Scratch paper of the questions.
HAND = PUBLIC_WORDS  # masks of the hand that is asked about; its first word is that of slot 0
CHANCES = HAND + MAX_HAND_CARDS  # per outcome: how likely it is
CELLS = CHANCES + MOST_OUTCOMES  # per outcome: its cells
GROUPS = CELLS + MOST_OUTCOMES  # per outcome: the types that the slot then can be, or the slot that is meant
QUESTION_WORDS = GROUPS + MOST_OUTCOMES

Settings: TypeAlias = npt.NDArray[np.float64]

# Settings: the range of chances that rule 3 asks about, the one it likes best, whether rule 2 is for all hands.
EVEN_LOW, EVEN_HIGH, EVEN_BEST, ASKS_ALWAYS_FOR_DEAD = range(4)
QUESTION_SETTINGS = 4


@kernel
def chance_of(row: Row, mask: int, wanted: int) -> int:
    """Return how likely a card of a mask is of the wanted types: the weight of these by the weight of all."""
    if mask & wanted == 0:
        return 0
    if mask & ~wanted == 0:
        return ONE
    return (weight(row, FREE, mask & wanted) << ONE_BITS) // weight(row, FREE, mask)


@kernel
def outcome_of(row: Row, answer: int) -> int:
    """Return the outcome in the cells of which an answer is, counted from the first cell of the question."""
    outcome, below = 0, row[CELLS]
    while answer >= below:
        outcome += 1
        below += row[CELLS + outcome]
    return outcome


@kernel
def cells_before(row: Row, outcome: int) -> int:
    """Return how many cells the outcomes before this one have."""
    total = 0
    for earlier in range(outcome):
        total += row[CELLS + earlier]
    return total


@kernel
def list_likely(row: Row, length: int, wanted: int, most: int) -> int:
    """Write the slots that may be of the wanted types, by ascending chance; return how many.

    They are at most the `most` likeliest. Their chances go beside them, each as if it were the first.
    """
    count = 0
    for slot in range(length):
        mask = row[HAND + slot]
        if mask & wanted and mask & ~wanted:
            chance = chance_of(row, mask, wanted)
            at = count
            while at > 0 and row[CHANCES + at - 1] > chance:
                row[CHANCES + at] = row[CHANCES + at - 1]
                row[GROUPS + at] = row[GROUPS + at - 1]
                at -= 1
            row[CHANCES + at] = chance
            row[GROUPS + at] = slot
            count += 1
    spare = count - most
    if spare > 0:
        for at in range(most):
            row[CHANCES + at] = row[CHANCES + at + spare]
            row[GROUPS + at] = row[GROUPS + at + spare]
        count = most
    return count


@kernel
def ask_first(game: Game, first: int, row: Row, count: int, cells: int, wanted: int, answer: int) -> int:
    """Ask which of the listed slots is the first of the wanted types, or none; return the outcome, and narrow the hand.

    `answer` is the number within these cells, or negative if the cards are seen, from place `first` on.
    """
    rest = wide(ONE)
    for at in range(count):
        chance = (rest * row[CHANCES + at]) >> ONE_BITS
        row[CHANCES + at] = chance
        rest -= chance
    row[CHANCES + count] = rest
    share_cells(row, CELLS, CHANCES, count + 1, cells)
    outcome = 0
    if answer >= 0:
        outcome = outcome_of(row, answer)
    else:
        while outcome < count and not wanted >> game["cards"][game["orders"][first + row[GROUPS + outcome]]] & 1:
            outcome += 1
    for at in range(outcome):
        row[HAND + row[GROUPS + at]] &= ~wanted
    if outcome < count:
        row[HAND + row[GROUPS + outcome]] &= wanted
    return outcome


@kernel
def ask_even(game: Game, first: int, row: Row, slot: int, cells: int, wanted: int, answer: int) -> int:
    """Ask whether a slot is of the wanted types: no (0) or yes (1); return the outcome, and narrow the hand."""
    chance = chance_of(row, row[HAND + slot], wanted)
    row[CHANCES], row[CHANCES + 1] = ONE - chance, chance
    share_cells(row, CELLS, CHANCES, 2, cells)
    outcome = wide(0)
    if answer >= 0:
        outcome = wide(outcome_of(row, answer))
    else:
        outcome = wanted >> game["cards"][game["orders"][first + slot]] & 1
    row[HAND + slot] &= wanted if outcome else ~wanted
    return outcome


@kernel
def ask_groups(game: Game, first: int, row: Row, slot: int, cells: int, dead: int, answer: int) -> int:
    """Ask what a slot is: dead, or of which group of live types; return the outcome, and narrow the hand.

    The groups have about equal weights.
    """
    mask = row[HAND + slot]
    total = weight(row, FREE, mask)
    outcomes = 0
    if mask & dead:
        row[GROUPS] = mask & dead
        row[CHANCES] = (weight(row, FREE, mask & dead) << ONE_BITS) // total
        outcomes = 1
    live = mask & ~dead
    types_left = popcount(live)
    groups = min(cells - outcomes, types_left)
    weight_left = weight(row, FREE, live)
    for groups_left in range(groups, 0, -1):
        # The group takes its share of the weight, and leaves a type for each group to come.
        group, heavy = wide(0), wide(0)
        share = weight_left // groups_left
        while types_left >= groups_left and live and (group == 0 or groups_left == 1 or heavy < share):
            bit = live & -live
            weight_of_bit = weight(row, FREE, bit)
            if group and groups_left > 1 and 2 * heavy + weight_of_bit > 2 * share:
                break
            group |= bit
            heavy += weight_of_bit
            live ^= bit
            types_left -= 1
        row[GROUPS + outcomes] = group
        row[CHANCES + outcomes] = (heavy << ONE_BITS) // total
        outcomes += 1
        weight_left -= heavy
    share_cells(row, CELLS, CHANCES, outcomes, cells)
    outcome = 0
    if answer >= 0:
        outcome = outcome_of(row, answer)
    else:
        card = wide(game["cards"][game["orders"][first + slot]])
        while outcome < outcomes - 1 and not row[GROUPS + outcome] >> card & 1:
            outcome += 1
    row[HAND + slot] = row[GROUPS + outcome]
    return outcome


@kernel
def even_slot(row: Row, length: int, playable: int, settings: Settings) -> int:
    """Return the slot whose chance to be playable is in the range of rule 3 and nearest to its best, or −1."""
    low, high, best = wide(ONE * settings[EVEN_LOW]), wide(ONE * settings[EVEN_HIGH]), wide(ONE * settings[EVEN_BEST])
    chosen, nearest = -1, ONE
    for slot in range(length):
        mask = row[HAND + slot]
        if mask & playable and mask & ~playable:
            chance = chance_of(row, mask, playable)
            if low <= chance <= high and abs(chance - best) < nearest:
                chosen, nearest = slot, abs(chance - best)
    return chosen


@kernel
def open_slot(row: Row, length: int, dead: int) -> int:
    """Return the slot of an unknown card that is least likely dead, or −1 if there is none."""
    chosen, least = -1, ONE
    for slot in range(length):
        mask = row[HAND + slot]
        if mask & ~dead and not is_single(mask):
            chance = chance_of(row, mask, dead)
            if chance < least:
                chosen, least = slot, chance
    return chosen


@kernel
def ask(
    game: Game, first: int, row: Row, length: int, cells: int, playable: int, dead: int, answer: int, settings: Settings
) -> int:
    """Return the answer about a hand, a number below `cells`, and narrow the masks at `HAND` by it.

    With a negative `answer` the cards of the hand are seen, and the answer is found; otherwise it is given.

    1. Nothing known to be playable: which slot is the first playable one?
    2. Nothing known to be dead: which slot is the first dead one? (Without `ASKS_ALWAYS_FOR_DEAD` only if nothing is
       known to be playable either.)
    3. A slot that is playable with a middling chance: is it?
    4. The slot least likely dead: is it dead, or of which group?
    """
    low = wide(0)
    while cells > 1:
        has_play, has_dead = False, False
        for slot in range(length):
            mask = row[HAND + slot]
            has_play |= mask & ~playable == 0
            has_dead |= mask & ~dead == 0
        within = answer - low if answer >= 0 else answer
        outcome = -1
        if not has_play:
            count = list_likely(row, length, playable, cells - 1)
            if count:
                outcome = ask_first(game, first, row, count, cells, playable, within)
        if outcome < 0 and not has_dead and (settings[ASKS_ALWAYS_FOR_DEAD] or not has_play):
            count = list_likely(row, length, dead, cells - 1)
            if count:
                outcome = ask_first(game, first, row, count, cells, dead, within)
        if outcome < 0:
            slot = even_slot(row, length, playable, settings)
            if slot >= 0:
                outcome = ask_even(game, first, row, slot, cells, playable, within)
        if outcome < 0:
            slot = open_slot(row, length, dead)
            if slot < 0:
                return low
            outcome = ask_groups(game, first, row, slot, cells, dead, within)
        low += cells_before(row, outcome)
        cells = row[CELLS + outcome]
    return low
