"""The hat of a hand, for the bot `hat`: its answer to questions that everybody else could ask about it.

A hat is a number below `cells`. A question has outcomes, to which the cells are dealt out by their chances; the outcome
that is true keeps its cells, and the next question is asked with these, until a single cell is left: the hat.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.hat.belief_kernel import (
    ASKED,
    CELLS,
    CHANCE_OF,
    CHANCES,
    LEFT,
    MASKS,
    MAX_SLOTS,
    NONE,
    RULED_OUT,
    SOON_PLAYABLE,
    SOON_WORTHLESS,
    Row,
    belief,
    is_within,
    weight,
)
from handful.bots.shared.cells_kernel import share_cells
from handful.hanabi.kernels.layout import Game, Rulebook

CERTAIN = 1 << 24  # a chance of 1


@kernel
def pick_slots(row: Row, length: int, wanted: int, most: int) -> int:
    """Write the slots that may be of the wanted cards, but need not, to ASKED; return how many, at most `most`.

    The most likely ones are taken, and asked about in ascending order: so the outcomes are more equal.
    """
    count = 0
    for slot in range(length):
        mask = row[MASKS + slot]
        inside, total = weight(row, wide(LEFT), mask & wanted), weight(row, LEFT, mask)
        if 0 < inside < total:
            row[CHANCE_OF + slot] = inside * CERTAIN // total
            place = count
            while place > 0 and row[CHANCE_OF + row[ASKED + place - 1]] > row[CHANCE_OF + slot]:
                row[ASKED + place] = row[ASKED + place - 1]
                place -= 1
            row[ASKED + place] = slot
            count += 1
    surplus = max(count - most, 0)
    for i in range(count - surplus):
        row[ASKED + i] = row[ASKED + i + surplus]
    return count - surplus


@kernel
def is_any_within(row: Row, length: int, wanted: int) -> bool:
    """Whether some card of the hand is known to be one of the wanted."""
    is_found = False
    for slot in range(length):
        is_found = is_found or is_within(row[MASKS + slot], wanted)
    return is_found


@inlined_kernel
def pick_likely_play(row: Row, length: int) -> int:
    """Write the slot whose chance to be playable is nearest to 0.7, from 0.5 to 0.9, to ASKED; return 1, or 0."""
    count = pick_slots(row, length, row[SOON_PLAYABLE], wide(MAX_SLOTS))
    least, chosen = wide(2 * CERTAIN // 10), NONE
    for i in range(count):
        slot = row[ASKED + i]
        distance = abs(row[CHANCE_OF + slot] - 7 * CERTAIN // 10)
        if distance <= least:
            least, chosen = distance - 1, slot
    if chosen == NONE:
        return 0
    row[ASKED] = chosen
    return 1


@kernel
def hat(game: Game, rulebook: Rulebook, row: Row, player: int, cells: int, told: int) -> int:
    """Return the hat of a hand. What it says of each slot is left in MASKS.

    With `told` NONE the hand is seen, and the questions are answered; else `told` is the hat, and the answers are read
    from it. Questions 1 to 3 are about the first of some slots that is playable, or worthless; then slots are split.
    """
    first, length = player * wide(rulebook["hand_size"]), min(wide(game["lengths"][player]), MAX_SLOTS)
    is_seen, answer = told == NONE, wide(0)
    for slot in range(length):
        row[MASKS + slot] = belief(game, row, first + slot)
    while cells > 1:
        wanted, count = row[SOON_PLAYABLE], 0
        if not is_any_within(row, length, wanted):
            count = pick_slots(row, length, wanted, cells - 1)
            if count == 0 and not is_any_within(row, length, row[SOON_WORTHLESS]):
                wanted = row[SOON_WORTHLESS]
                count = pick_slots(row, length, wanted, cells - 1)
        if count == 0:
            wanted = row[SOON_PLAYABLE]
            count = pick_likely_play(row, length)
        if count == 0:
            break
        none = wide(CERTAIN)
        for i in range(count):
            row[CHANCES + i] = none * row[CHANCE_OF + row[ASKED + i]] // CERTAIN
            none -= row[CHANCES + i]
        row[CHANCES + count] = none
        share_cells(row, CELLS, CHANCES, count + 1, cells)
        outcome = 0
        if is_seen:
            while outcome < count and not wanted >> game["cards"][game["orders"][first + row[ASKED + outcome]]] & 1:
                answer += row[CELLS + outcome]
                outcome += 1
        else:
            while outcome < count and told >= row[CELLS + outcome]:
                told -= row[CELLS + outcome]
                outcome += 1
        for i in range(min(outcome + 1, count)):
            row[MASKS + row[ASKED + i]] &= wanted if i == outcome else ~wanted
        cells = row[CELLS + outcome]
    while cells > 1:
        slot = pick_unsure(row, length)
        if slot == NONE:
            break
        outcomes = group_cards(row, row[MASKS + slot], cells)
        share_cells(row, CELLS, CHANCES, outcomes, cells)
        outcome = 0
        if is_seen:
            card = wide(game["cards"][game["orders"][first + slot]])
            while outcome < outcomes - 1 and not row[ASKED + outcome] >> card & 1:
                answer += row[CELLS + outcome]
                outcome += 1
        else:
            while outcome < outcomes - 1 and told >= row[CELLS + outcome]:
                told -= row[CELLS + outcome]
                outcome += 1
        row[MASKS + slot] &= row[ASKED + outcome]
        cells = row[CELLS + outcome]
    return answer


@inlined_kernel
def pick_unsure(row: Row, length: int) -> int:
    """Return the slot least likely to be worthless, of those not known as far as it matters; NONE if all are."""
    worthless = row[SOON_WORTHLESS]
    least, chosen = wide(2 * CERTAIN), NONE
    for slot in range(length):
        mask = row[MASKS + slot]
        if popcount(mask & ~worthless) + wide(mask & worthless != 0) > 1:
            chance = weight(row, wide(LEFT), mask & worthless) * CERTAIN // weight(row, LEFT, mask)
            if chance < least:
                least, chosen = chance, slot
    return chosen


@inlined_kernel
def group_cards(row: Row, mask: int, cells: int) -> int:
    """Write groups of the cards of a mask to ASKED, and their weights to CHANCES; return how many: at most `cells`.

    The worthless cards are one group; the others are split into groups of about equal weight.
    """
    worthless = mask & row[SOON_WORTHLESS]
    rest = mask & ~worthless
    outcomes = 0
    if worthless:
        row[ASKED], row[CHANCES] = worthless, weight(row, wide(LEFT), worthless)
        outcomes = 1
    groups, closed = min(cells - outcomes, popcount(rest)), 0
    total, before, group = weight(row, wide(LEFT), rest), wide(0), wide(0)
    while rest:
        bit = rest & -rest
        rest ^= bit
        group |= bit
        before += weight(row, wide(LEFT), bit)
        # A group is closed when it has its part of the whole, or when each card left is needed for a group of its own.
        if before * groups >= total * (closed + 1) or popcount(rest) <= groups - closed - 1:
            row[ASKED + outcomes], row[CHANCES + outcomes] = group, weight(row, wide(LEFT), group)
            outcomes += 1
            closed += 1
            group = wide(0)
    return outcomes


@kernel
def learn(game: Game, rulebook: Rulebook, row: Row, player: int) -> None:
    """Note for good what MASKS say of a hand."""
    first = player * wide(rulebook["hand_size"])
    for slot in range(min(wide(game["lengths"][player]), MAX_SLOTS)):
        row[RULED_OUT + game["orders"][first + slot]] |= ~row[MASKS + slot]
