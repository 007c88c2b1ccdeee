"""What each card is worth to each hand: how many more turns it takes if that card alone is gone.

Finkle 2017, section 6.3, conjectures a "value-added" model for cards that are gone: the turns that each of them adds,
summed up. Here is what a card adds: E without it, less E, where E without it is that of the best play with 51 cards,

    E₋c(h) = min over sets X′ of draws of ((51 − n) + Σ over d in X′ of min over throws of E₋c(h + d − t)) / |X′|.

Hands that are alike have one *row*, of 52 cards, so all cards are worked out at once: whatever leads on from a hand is
found once, and then is a sum of rows. Hands are taken in the order of E, which is nearly that of every E₋c: a
sweep over them finds nearly all of it, and the next ones the rest, from above: what a row says is at any time what some
way to play takes, up to rounding.

Two facts keep a sweep short. Draws lead on in nearly the same order for all cards, so they are taken from the best on,
and for each card as long as they help. And who plays with 52 cards can throw card c back whenever it is drawn, and then
takes (52 − n) / (51 − n) turns for each with 51: so E₋c ≥ E · (51 − n) / (52 − n), and throws too bad for that are left
out.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import borrowing_kernel, inlined_kernel
from handful._records import Floats, Ints, SmallInts
from handful.rummy.gone.kernels.place import labelled_suits, place_of
from handful.rummy.kernels.hand_index import HandIndex, hand_at
from handful.rummy.kernels.neighbours import Work, find_throws

Rows: TypeAlias = npt.NDArray[np.int16]
Tables: TypeAlias = npt.NDArray[np.int32]

# A row has 16 columns for each suit, of which 13 are cards: so the processor takes a suit at once.
SUIT_COLUMNS = 16
COLUMNS = 4 * SUIT_COLUMNS
PER_TURN = 512  # a row counts in parts of a turn
MOST_ADDED = 32767  # as many or more, or not known yet
# Turns are added up as whole numbers of finer parts, so that no rounding keeps the processor from doing many at once.
FINE = 1 << 16  # parts of a turn
FINE_PER_PART = FINE // PER_TURN
NEVER = 600 * FINE  # 49 times this is less than 2³¹
REFINED = 2  # times that the draws of a hand are chosen anew


class Sweep(NamedTuple):
    """What a sweep reads and writes: the answers, by index; the rows, int16; and where symmetries take the ranks."""

    hand_index: HandIndex
    values: Floats
    rows: Rows
    maps: Ints


class Room(NamedTuple):
    """Room to work in, for one hand.

    By draw and throw: `turns`, E of what is left, and `masks`. By draw: `least`, the least of them; `order`, the draws
    by it. In fine parts of a turn, int32: by draw, in that order, and column: `best`, of the throws. By column: `sums`
    over draws and how many (`weights`), and what comes of them (`found`).
    """

    turns: Floats
    masks: Ints
    least: Floats
    order: Ints
    best: Tables
    sums: SmallInts
    weights: SmallInts
    found: SmallInts


def make_room(cards: int) -> Room:
    """Return room for hands of so many cards."""
    return Room(
        np.zeros((52, cards + 1)),
        np.zeros((52, cards + 1), np.int64),
        np.zeros(52),
        np.zeros(52, np.int64),
        np.zeros((52, COLUMNS), np.int32),
        np.zeros(COLUMNS, np.int32),
        np.zeros(COLUMNS, np.int32),
        np.zeros(COLUMNS, np.int32),
    )


@inlined_kernel
def column(card: int) -> int:
    """Return the column of a card, 13 · suit + rank, in the row of the hand that is kept."""
    return card + 3 * (card // 13)


@borrowing_kernel
def sweep_hands(sweep: Sweep, hands: Ints, work: Work, room: Room) -> float:
    """Find the rows of hands anew, in this order. Returns by how many turns an entry has changed at most."""
    most = 0.0
    for i in range(len(hands)):
        hand = hands[i]
        if sweep.values[hand] == 0.0:
            sweep.rows[hand, :] = 0
            continue
        mask = hand_at(sweep.hand_index, hand)
        look_ahead(sweep, mask, work, room)
        gather(sweep, mask, room)
        most = max(most, write_row(sweep, hand, mask, room))
    return most


@inlined_kernel
def look_ahead(sweep: Sweep, mask: int, work: Work, room: Room) -> None:
    """Find E after every draw and throw; order the throws of each draw, and the draws."""
    draws = 0
    for drawn in range(52):
        if mask >> drawn & 1:
            continue
        held = mask | wide(1) << drawn
        a, b, c, d = labelled_suits(held)
        find_throws(work, sweep.hand_index, (a >> 2, b >> 2, c >> 2, d >> 2))
        throw = 0
        for label in (a, b, c, d):
            rest, shift = label >> 2 & 8191, 13 * (label & 3)
            while rest:
                bit = rest & -rest
                rest ^= bit
                value, left = sweep.values[work["throws"][throw]], held ^ bit << shift
                # The least first: an insertion
                place = throw
                while place > 0 and room.turns[drawn, place - 1] > value:
                    room.turns[drawn, place] = room.turns[drawn, place - 1]
                    room.masks[drawn, place] = room.masks[drawn, place - 1]
                    place -= 1
                room.turns[drawn, place], room.masks[drawn, place] = value, left
                throw += 1
        least = room.turns[drawn, 0]
        place = draws
        while place > 0 and room.least[place - 1] > least:
            room.least[place], room.order[place] = room.least[place - 1], room.order[place - 1]
            place -= 1
        room.least[place], room.order[place] = least, drawn
        draws += 1


@inlined_kernel
def gather(sweep: Sweep, mask: int, room: Room) -> None:
    """Sum up, for every card that may be gone, what the draws lead to that are worth a change."""
    draws = 52 - wide(sweep.hand_index["cards"])
    room.sums[:], room.weights[:] = 0, 1  # where there is no card
    for card in range(52):
        if not mask >> card & 1:
            room.sums[column(card)], room.weights[column(card)] = FINE * (draws - 1), 0
    taken = 0
    while taken < draws:
        drawn = room.order[taken]
        best = room.best[taken]
        best[:] = NEVER
        if not may_help(best, room, floor_of(room.least[taken], draws)):
            break
        best_of_throws(sweep, mask, drawn, room, best)
        add_draw(best, room)
        taken += 1
    for _ in range(REFINED):
        refine(room, mask, FINE * (draws - 1), taken)


@inlined_kernel
def floor_of(turns: float, draws: int) -> int:
    """Return the least that a hand of these turns can take if a card is gone, in fine parts."""
    return wide(turns * (draws - 1.0) / draws * FINE)


@inlined_kernel
def may_help(best: SmallInts, room: Room, floor: int) -> bool:
    """Return whether a hand of no fewer turns than `floor` may help any card: after this draw, and at all."""
    sums, weights, signs = room.sums, room.weights, wide(0)
    for i in range(COLUMNS):
        # best > floor and sums > floor · weights: both differences are negative
        signs |= (floor - wide(best[i])) & (floor * wide(weights[i]) - wide(sums[i]))
    return signs < 0


@inlined_kernel
def best_of_throws(sweep: Sweep, mask: int, drawn: int, room: Room, best: SmallInts) -> None:
    """Find, for every card that may be gone, the turns after the best throw of a hand and a draw."""
    draws = 52 - wide(sweep.hand_index["cards"])
    best[column(drawn)] = 0  # cannot be drawn if it is gone: no throw need be looked at for its sake
    for throw in range(53 - draws):
        value, left = room.turns[drawn, throw], room.masks[drawn, throw]
        if not may_help(best, room, floor_of(value, draws)):
            break
        if left != mask:
            index, place = place_of(sweep.hand_index, left)
            add_row(sweep.rows[index], sweep.maps, place, wide(value * FINE), best)
    best[column(drawn)] = NEVER


@inlined_kernel
def add_row(row: Rows, maps: Ints, place: int, value: int, best: SmallInts) -> None:
    """Lower the best turns of every card to those of a hand, from its row and its place."""
    symmetry = place >> 8
    for suit in range(4):
        first = SUIT_COLUMNS * (place >> 2 * suit & 3)
        kept, changed = row[first : first + SUIT_COLUMNS], best[SUIT_COLUMNS * suit : SUIT_COLUMNS * (suit + 1)]
        if symmetry == 0:
            for rank in range(SUIT_COLUMNS):
                changed[rank] = min(changed[rank], np.int32(value + np.int32(kept[rank]) * np.int32(FINE_PER_PART)))
        elif maps[symmetry, 0] == 12 and maps[symmetry, 1] == 11:  # king to ace
            for rank in range(13):
                added = np.int32(kept[12 - rank]) * np.int32(FINE_PER_PART)
                changed[rank] = min(changed[rank], np.int32(value + added))
        else:
            for rank in range(13):
                added = np.int32(kept[maps[symmetry, rank]]) * np.int32(FINE_PER_PART)
                changed[rank] = min(changed[rank], np.int32(value + added))


@inlined_kernel
def add_draw(best: SmallInts, room: Room) -> None:
    """Count a draw for every card for which it helps: if it leads to less than what was found so far."""
    sums, weights = room.sums, room.weights
    for i in range(COLUMNS):
        helps = np.int32(best[i] * weights[i]) < sums[i]
        sums[i] += best[i] if helps else np.int32(0)
        weights[i] += np.int32(1) if helps else np.int32(0)


@inlined_kernel
def refine(room: Room, mask: int, own: int, taken: int) -> None:
    """Choose the draws anew that lead to less than what was found: some cards took the first of them too early."""
    sums, weights, found = room.sums, room.weights, room.found
    for i in range(COLUMNS):
        found[i] = np.int32(np.float32(sums[i]) / np.float32(weights[i]))
        sums[i], weights[i] = own, 0
    for draw in range(taken):
        best = room.best[draw]
        for i in range(COLUMNS):
            helps = best[i] <= found[i]
            sums[i] += best[i] if helps else np.int32(0)
            weights[i] += np.int32(1) if helps else np.int32(0)


@inlined_kernel
def write_row(sweep: Sweep, hand: int, mask: int, room: Room) -> float:
    """Write what was found; return by how many turns an entry has changed at most."""
    row, value = sweep.rows[hand], sweep.values[hand]
    most = wide(0)
    for suit in range(4):
        row[SUIT_COLUMNS * suit + 13 : SUIT_COLUMNS * (suit + 1)] = 0
    for card in range(52):
        i = column(card)
        if mask >> card & 1:
            row[i] = 0
            continue
        turns = room.sums[i] / (room.weights[i] * float(FINE)) - value
        added = min(wide(np.floor(turns * PER_TURN + 0.5)), MOST_ADDED)
        most = max(most, abs(wide(row[i]) - added))
        row[i] = added
    return most / PER_TURN
