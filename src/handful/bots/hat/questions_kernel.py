"""The questions that a code answers about a hand: public, and different for every hand and every turn.

With n answers to tell apart, a question with outcomes 1, …, k shares the n cells among its outcomes; the next question
is asked with the cells of the outcome, until one cell is left. Each outcome has at least one cell, and each further
cell goes where the chance per cell is largest. So the answer to all questions is one number below n, and nobody need
hear the questions: whoever knows what is public asks the same ones.

Chances are whole numbers, of which `one` is certainty: so all machines agree.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict
from handful.bots.hat.notes_kernel import MOST_COPIES, NONE, Notes, is_single, is_within, weight
from handful.bots.hat.settings import PARAMETERS
from handful.bots.settings import Settings, settings_type
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, Game

MOST_OUTCOMES = 32
SETTINGS = settings_type(PARAMETERS)


class Question(TypedDict):
    """Scratch paper for the questions about a hand."""

    first: Annotated[int, np.int64]  # the place of its slot 0
    length: Annotated[int, np.int64]  # its cards
    playable: Annotated[int, np.int64]  # types that are playable on its turn, as far as everybody can foresee
    dead: Annotated[int, np.int64]
    one: Annotated[int, np.int64]  # the chance of what is certain
    copies: Annotated[Ints, np.int64, MOST_COPIES]  # planes: by these a type is likely
    hand: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per slot: the types that the card can be, so far
    chances: Annotated[Ints, np.int64, MOST_OUTCOMES]  # per outcome: how likely it is
    cells: Annotated[Ints, np.int64, MOST_OUTCOMES]  # per outcome: its cells
    groups: Annotated[Ints, np.int64, MOST_OUTCOMES]  # per outcome: the types that the slot then can be, or the slot


@kernel
def share_cells(shares: Ints, chances: Ints, outcomes: int, cells: int) -> None:
    """Give each outcome a cell, and each further cell to the outcome with the largest chance per cell."""
    for outcome in range(outcomes):
        shares[outcome] = 1
    for _ in range(cells - outcomes):
        best = 0
        for outcome in range(1, outcomes):
            # chance / cells of this outcome > that of the best one
            if chances[outcome] * shares[best] > chances[best] * shares[outcome]:
                best = outcome
        shares[best] += 1


@kernel
def chance_of(question: Question, mask: int, wanted: int) -> int:
    """Return how likely a card of a mask is of the wanted types: the weight of these by the weight of all."""
    if mask & wanted == 0:
        return wide(0)
    if mask & ~wanted == 0:
        return question["one"]
    return weight(question["copies"], mask & wanted) * question["one"] // weight(question["copies"], mask)


@kernel
def outcome_of(question: Question, answer: int) -> int:
    """Return the outcome in the cells of which an answer is, counted from the first cell of the question."""
    outcome, below = wide(0), question["cells"][0]
    while answer >= below:
        outcome += 1
        below += question["cells"][outcome]
    return outcome


@kernel
def list_likely(question: Question, wanted: int, most: int) -> int:
    """Write the slots that may be of the wanted types, by ascending chance; return how many.

    They are at most the `most` likeliest. Their chances go beside them, each as if it were the first.
    """
    chances, slots = question["chances"], question["groups"]
    count = wide(0)
    for slot in range(question["length"]):
        mask = question["hand"][slot]
        if mask & wanted and mask & ~wanted:
            chance = chance_of(question, mask, wanted)
            at = count
            while at > 0 and chances[at - 1] > chance:
                chances[at], slots[at] = chances[at - 1], slots[at - 1]
                at -= 1
            chances[at], slots[at] = chance, slot
            count += 1
    spare = count - most
    if spare > 0:
        for at in range(most):
            chances[at], slots[at] = chances[at + spare], slots[at + spare]
        count = most
    return count


@inlined_kernel
def card_in(game: Game, question: Question, slot: int) -> int:
    """Return the card in a slot of the hand, which is seen."""
    return wide(game["cards"][game["orders"][question["first"] + slot]])


@kernel
def ask_first(game: Game, question: Question, count: int, cells: int, wanted: int, answer: int) -> int:
    """Ask which of the listed slots is the first of the wanted types, or none; return the outcome, and narrow the hand.

    `answer` is the number within these cells, or negative if the cards are seen.
    """
    hand, chances, slots = question["hand"], question["chances"], question["groups"]
    rest = question["one"]
    for at in range(count):
        chances[at] = rest * chances[at] // question["one"]
        rest -= chances[at]
    chances[count] = rest
    share_cells(question["cells"], chances, count + 1, cells)
    outcome = wide(0)
    if answer >= 0:
        outcome = outcome_of(question, answer)
    else:
        while outcome < count and not wanted >> card_in(game, question, slots[outcome]) & 1:
            outcome += 1
    for at in range(outcome):
        hand[slots[at]] &= ~wanted
    if outcome < count:
        hand[slots[outcome]] &= wanted
    return outcome


@kernel
def ask_no_or_yes(game: Game, question: Question, slot: int, cells: int, wanted: int, answer: int) -> int:
    """Ask whether a slot is of the wanted types: no (0) or yes (1); return the outcome, and narrow the hand."""
    chance = chance_of(question, question["hand"][slot], wanted)
    question["chances"][0], question["chances"][1] = question["one"] - chance, chance
    share_cells(question["cells"], question["chances"], 2, cells)
    outcome = outcome_of(question, answer) if answer >= 0 else wanted >> card_in(game, question, slot) & 1
    question["hand"][slot] &= wanted if outcome else ~wanted
    return outcome


@kernel
def split_what_is_left(question: Question, live: int, groups: int, outcomes: int) -> int:
    """Write groups of live types and their chances after the outcomes; return how many outcomes there are then.

    Each group takes its share of the weight that is left, the last type only if it comes nearer to it by that.
    """
    copies = question["copies"]
    types_left, weight_left = popcount(live), weight(copies, live)
    total = weight_left
    if outcomes:
        total += weight(copies, question["groups"][0])
        question["chances"][0] = weight(copies, question["groups"][0]) * question["one"] // total
    for groups_left in range(groups, 0, -1):
        # The group leaves a type for each group to come.
        group, heavy = wide(0), wide(0)
        share = weight_left // groups_left
        while types_left >= groups_left and live and (group == 0 or groups_left == 1 or heavy < share):
            bit = live & -live
            weight_of_bit = weight(copies, bit)
            if group and groups_left > 1 and 2 * heavy + weight_of_bit > 2 * share:
                break
            group |= bit
            heavy += weight_of_bit
            live ^= bit
            types_left -= 1
        question["groups"][outcomes], question["chances"][outcomes] = group, heavy * question["one"] // total
        outcomes += 1
        weight_left -= heavy
    return outcomes


@kernel
def split_as_it_goes(question: Question, live: int, groups: int, outcomes: int) -> int:
    """Write groups of live types and their weights after the outcomes; return how many outcomes there are then.

    A group is closed when it has its part of the whole, or when each type left is needed for a group of its own.
    """
    copies = question["copies"]
    if outcomes:
        question["chances"][0] = weight(copies, question["groups"][0])
    total, before, group, closed = weight(copies, live), wide(0), wide(0), wide(0)
    while live:
        bit = live & -live
        live ^= bit
        group |= bit
        before += weight(copies, bit)
        if before * groups >= total * (closed + 1) or popcount(live) <= groups - closed - 1:
            question["groups"][outcomes], question["chances"][outcomes] = group, weight(copies, group)
            outcomes += 1
            closed += 1
            group = wide(0)
    return outcomes


@kernel
def ask_groups(game: Game, question: Question, slot: int, cells: int, answer: int, settings: Settings) -> int:
    """Ask what a slot is: dead, or of which group of live types; return the outcome, and narrow the hand.

    The groups have about equal weights.
    """
    mask, groups = question["hand"][slot], question["groups"]
    outcomes, live = wide(mask & question["dead"] != 0), mask & ~question["dead"]
    groups[0] = mask & question["dead"]
    count = min(cells - outcomes, popcount(live))
    if settings["splits_as_it_goes"] > 0:
        outcomes = split_as_it_goes(question, live, count, outcomes)
    else:
        outcomes = split_what_is_left(question, live, count, outcomes)
    share_cells(question["cells"], question["chances"], outcomes, cells)
    outcome = wide(0)
    if answer >= 0:
        outcome = outcome_of(question, answer)
    else:
        card = card_in(game, question, slot)
        while outcome < outcomes - 1 and not groups[outcome] >> card & 1:
            outcome += 1
    question["hand"][slot] = groups[outcome]
    return outcome


@kernel
def even_slot(question: Question, settings: Settings) -> int:
    """Return the slot whose chance to be playable is in the range and nearest to the best, or NONE."""
    one, playable = question["one"], question["playable"]
    low, high = wide(one * settings["even_low"]), wide(one * settings["even_high"])
    best = wide(one * settings["even_best"])
    chosen, nearest, chosen_chance = wide(NONE), one, wide(0)
    for slot in range(question["length"]):
        mask = question["hand"][slot]
        if mask & playable and mask & ~playable:
            chance = chance_of(question, mask, playable)
            is_nearer = abs(chance - best) < nearest
            if abs(chance - best) == nearest and chance < chosen_chance:
                is_nearer = settings["ties_to_unlikely"] > 0
            if low <= chance <= high and is_nearer:
                chosen, nearest, chosen_chance = wide(slot), abs(chance - best), chance
    return chosen


@kernel
def open_slot(question: Question) -> int:
    """Return the slot of an unknown card that is least likely dead, or NONE if there is none."""
    chosen, least = wide(NONE), question["one"]
    for slot in range(question["length"]):
        mask = question["hand"][slot]
        if mask & ~question["dead"] and not is_single(mask):
            chance = chance_of(question, mask, question["dead"])
            if chance < least:
                chosen, least = wide(slot), chance
    return chosen


@kernel
def is_any_within(question: Question, wanted: int) -> bool:
    """Return whether a slot of the hand is known to be of the wanted types."""
    is_found = False
    for slot in range(question["length"]):
        is_found |= is_within(question["hand"][slot], wanted)
    return is_found


@kernel
def ask_plainly(game: Game, question: Question, cells: int, answer: int, settings: Settings) -> int:
    """Ask one of the first three questions; return its outcome, or NONE if none of them makes sense.

    1. Nothing known to be playable: which slot is the first playable one?
    2. Nothing known to be dead: which slot is the first dead one? (Without `asks_always_for_dead` only if nothing is
       known to be playable either.)
    3. A slot that is playable with a middling chance: is it?
    """
    playable, dead = question["playable"], question["dead"]
    has_play = is_any_within(question, playable)
    if not has_play:
        count = list_likely(question, playable, cells - 1)
        if count:
            return ask_first(game, question, count, cells, playable, answer)
    if (not has_play or settings["asks_always_for_dead"] > 0) and not is_any_within(question, dead):
        count = list_likely(question, dead, cells - 1)
        if count:
            return ask_first(game, question, count, cells, dead, answer)
    slot = even_slot(question, settings)
    if slot == NONE:
        return wide(NONE)
    if settings["yes_comes_first"] > 0:
        question["groups"][0], question["chances"][0] = slot, chance_of(question, question["hand"][slot], playable)
        return ask_first(game, question, 1, cells, playable, answer)
    return ask_no_or_yes(game, question, slot, cells, playable, answer)


@kernel
def ask(game: Game, question: Question, cells: int, answer: int, settings: Settings) -> int:
    """Return the answer about a hand, a number below `cells`, and narrow `question["hand"]` by it.

    With a negative `answer` the cards of the hand are seen, and the answer is found; otherwise it is given. When none
    of the plain questions makes sense: the slot least likely dead, is it dead, or of which group?
    """
    low, is_split = wide(0), False
    while cells > 1:
        within = answer - low if answer >= 0 else wide(NONE)
        outcome = wide(NONE)
        if not is_split or settings["asks_again"] > 0:
            outcome = ask_plainly(game, question, cells, within, settings)
        if outcome == NONE:
            slot = open_slot(question)
            if slot == NONE:
                return low
            is_split = True
            outcome = ask_groups(game, question, slot, cells, within, settings)
        for earlier in range(outcome):
            low += question["cells"][earlier]
        cells = question["cells"][outcome]
    return low


@inlined_kernel
def take_up_hand(notes: Notes, question: Question, first: int, length: int) -> None:
    """Begin the questions about a hand: with what everybody knows of it so far."""
    question["first"], question["length"] = first, length
    for slot in range(length):
        question["hand"][slot] = notes["masks"][first + slot]
