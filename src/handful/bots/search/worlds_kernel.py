"""Worlds for a search: own hands that fit what the seat knows, each as likely as it is, and shuffled decks.

`masks` has the cards that each own slot can be, for who sees the other hands; `pool` the cards that are not in sight
and that the seat does not know to hold.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, nth_bit, popcount, wide
from handful._jit import kernel
from handful.bots.search.scene_kernel import Ints, Scene, SmallInts
from handful.hanabi.kernels.layout import Game, Rulebook
from handful.splitmix_jit import Chance, below

MOST_TRIES = 400  # to draw a hand
MOST_ORDERS = 5040  # orders of the unseen cards that are looked at, to find all deals that fit
NOTHING = -1


@kernel
def gather_pool(row: Ints, planes: int, num_planes: int, pool: Ints) -> int:
    """Write the cards of bit planes one by one, in ascending order; return how many."""
    count = wide(0)
    types = row[planes]
    while types:
        card = lowest_bit(types)
        types &= types - 1
        for plane in range(num_planes):
            if row[planes + plane] >> card & 1:
                pool[count] = card
                count += 1
    return count


@kernel
def find_fits(masks: Ints, pool: Ints, count: int, fits: Ints) -> int:
    """Write which cards of the pool fit each slot, as masks of places, 0 if it is known; return how many are not."""
    unknown = wide(0)
    for slot in range(len(masks)):
        fits[slot] = 0
        if masks[slot] & (masks[slot] - 1):
            unknown += 1
            for i in range(count):
                fits[slot] |= (masks[slot] >> pool[i] & 1) << i
    return unknown


@kernel
def draw_hand(masks: Ints, pool: Ints, fits: Ints, hand: SmallInts, chance: Chance) -> int:
    """Draw a hand; return the places of the pool that it takes, as a mask, or NOTHING if none was found.

    Each slot takes any card that fits it, and all is done again if two take the same: so all hands are equally likely.
    """
    for _ in range(MOST_TRIES):
        used = wide(0)
        is_good = True
        for slot in range(len(masks)):
            if masks[slot] & (masks[slot] - 1) == 0:
                hand[slot] = lowest_bit(masks[slot])
                continue
            fitting = popcount(fits[slot])
            if fitting == 0:
                return NOTHING
            i = nth_bit(fits[slot], below(chance, 0, fitting))
            if used >> i & 1:
                is_good = False
                break
            used |= wide(1) << i
            hand[slot] = pool[i]
        if is_good:
            return used
    return NOTHING


@kernel
def lay_world(game: Game, rulebook: Rulebook, hand: SmallInts, pool: Ints, rest: int, deck: SmallInts) -> int:
    """Lay all cards in sight, a hand, and the places `rest` of the pool into a deck; return where the rest begins."""
    for order in range(game["drawn"]):
        deck[order] = game["cards"][order]
    seat = wide(game["current"])
    first = seat * wide(rulebook["hand_size"])
    for slot in range(game["lengths"][seat]):
        deck[game["orders"][first + slot]] = hand[slot]
    drawn = wide(game["drawn"])
    place = drawn
    while rest:
        deck[place] = pool[lowest_bit(rest)]
        rest &= rest - 1
        place += 1
    return drawn


@kernel
def shuffle_rest(rulebook: Rulebook, deck: SmallInts, first: int, chance: Chance) -> None:
    """Shuffle a deck from a place on."""
    for i in range(wide(rulebook["deck_size"]) - 1, first, -1):
        j = first + below(chance, 0, i - first + 1)
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def next_order(pool: Ints, count: int) -> bool:
    """Put the cards of the pool into the next order of all, as in a dictionary; return False after the last one."""
    i = count - 2
    while i >= 0 and pool[i] >= pool[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = count - 1
    while pool[j] <= pool[i]:
        j -= 1
    pool[i], pool[j] = pool[j], pool[i]
    low, high = i + 1, count - 1
    while low < high:
        pool[low], pool[high] = pool[high], pool[low]
        low += 1
        high -= 1
    return True


@kernel
def count_orders(pool: Ints, count: int) -> int:
    """Return in how many orders the cards of a sorted pool can lie, or more than MOST_ORDERS: count! / Π copies!."""
    orders, copies = 1, 0
    for i in range(count):
        copies = copies + 1 if i > 0 and pool[i] == pool[i - 1] else 1
        orders = orders * (i + 1) // copies
        if orders > MOST_ORDERS * 64:
            return orders
    return orders


@kernel
def list_all_worlds(scene: Scene, masks: Ints, pool: Ints, count: int, most: int) -> int:
    """Write all worlds, if they are at most so many; return how many, or 0 if they are more.

    A world is an order of the pool: first come the own cards that are not known, then the deck. All are equally likely,
    as the copies of a card can be exchanged in equally many ways in each.
    """
    game, rulebook = scene.games[1], scene.rulebooks[0]
    if most == 0 or count_orders(pool, count) > MOST_ORDERS:
        return 0
    hand = np.zeros(len(masks), np.int8)
    found = wide(0)
    order = pool.copy()
    while True:
        used = wide(0)
        is_good = True
        for slot in range(len(masks)):
            if masks[slot] & (masks[slot] - 1) == 0:
                hand[slot] = lowest_bit(masks[slot])
            else:
                hand[slot] = order[used]
                is_good &= masks[slot] >> order[used] & 1 != 0
                used += 1
        if is_good:
            if found == most:
                return 0
            rest = (wide(1) << count) - (wide(1) << used)
            lay_world(game, rulebook, hand, order, rest, scene.decks[found])
            found += 1
        if not next_order(order, count):
            break
    # In any order, so that the first few are like the others.
    for i in range(found - 1, 0, -1):
        j = below(scene.stream, 0, i + 1)
        for place in range(scene.decks.shape[1]):
            scene.decks[i, place], scene.decks[j, place] = scene.decks[j, place], scene.decks[i, place]
    return found


@kernel
def draw_worlds(scene: Scene, masks: Ints, pool: Ints, count: int, fits: Ints, most: int) -> int:
    """Draw so many worlds; return how many were found."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    hand = np.zeros(len(masks), np.int8)
    for world in range(most):
        used = draw_hand(masks, pool, fits, hand, scene.stream)
        if used == NOTHING:
            return world
        rest = ((wide(1) << count) - 1) & ~used
        first = lay_world(game, rulebook, hand, pool, rest, scene.decks[world])
        shuffle_rest(rulebook, scene.decks[world], first, scene.stream)
    return most
