"""Worlds for a search: own hands that fit what the seat knows, each as likely as it is, and shuffled decks.

`scene.unseen[0]` has the cards that are not in sight and that the seat does not know to hold, and what fits each slot.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful._records import Bytes, Ints
from handful.bots.search.race_kernel import Scene
from handful.bots.shared.worlds_kernel import World, deal_rest, draw_hand, fit_slot, gather_planes, know_slot
from handful.hanabi.kernels.layout import Rulebook
from handful.splitmix_jit import Chance, below

MOST_ORDERS = 5040  # orders of the unseen cards that are looked at, to find all deals that fit


@kernel
def gather_hidden(scene: Scene, planes: Ints, masks: Ints) -> bool:
    """Write what the seat cannot see, from bit planes and the masks of its own slots; return whether it is all there.

    A card that the seat knows to hold is not among those of the planes.
    """
    game, rulebook, world = scene.games[1], scene.rulebooks[0], scene.unseen[0]
    gather_planes(world, planes)
    for slot in range(len(masks)):
        if masks[slot] & (masks[slot] - 1):
            fit_slot(world, slot, masks[slot])
        else:
            know_slot(world, slot, lowest_bit(masks[slot]))
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    return bool(world["size"] == deck + popcount(world["slots_mask"]))


@kernel
def lay_world(scene: Scene, world: World, number: int) -> None:
    """Lay all cards in sight, the hand of a world, and the rest of it, as it lies, into deck `number` of the scene."""
    game, deck = scene.games[1], scene.decks[number]
    for order in range(game["drawn"]):
        deck[order] = game["cards"][order]
    seat = wide(game["current"])
    first = seat * wide(scene.rulebooks[0]["hand_size"])
    for slot in range(game["lengths"][seat]):
        deck[game["orders"][first + slot]] = world["hand"][slot]
    deal_rest(world, deck, wide(game["drawn"]), 0, scene.stream, 0)


@kernel
def shuffle_rest(rulebook: Rulebook, deck: Bytes, first: int, chance: Chance) -> None:
    """Shuffle a deck from a place on."""
    for i in range(wide(rulebook["deck_size"]) - 1, first, -1):
        j = first + below(chance, 0, i - first + 1)
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def next_order(pool: Bytes, count: int) -> bool:
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
def count_orders(pool: Bytes, count: int) -> int:
    """Return in how many orders the cards of a sorted pool can lie, or more than MOST_ORDERS: count! / Π copies!."""
    orders, copies = 1, 0
    for i in range(count):
        copies = copies + 1 if i > 0 and pool[i] == pool[i - 1] else 1
        orders = orders * (i + 1) // copies
        if orders > MOST_ORDERS * 64:
            return orders
    return orders


@kernel
def list_all_worlds(scene: Scene, masks: Ints, most: int) -> int:
    """Write all worlds, if they are at most so many; return how many, or 0 if they are more.

    A world is an order of the unseen cards: first come the own cards that are not known, then the deck. All are equally
    likely, as the copies of a card can be exchanged in equally many ways in each.
    """
    worlds = scene.unseen.copy()
    world, slots = worlds[0], scene.unseen[0]["slots_mask"]
    if most == 0 or count_orders(world["cards"], world["size"]) > MOST_ORDERS:
        return 0
    world["taken_mask"] = (wide(1) << popcount(slots)) - 1
    found = wide(0)
    while True:
        used, is_good = wide(0), True
        for slot in range(len(masks)):
            if slots >> slot & 1:
                world["hand"][slot] = world["cards"][used]
                is_good &= masks[slot] >> world["cards"][used] & 1 != 0
                used += 1
        if is_good:
            if found == most:
                return 0
            lay_world(scene, world, found)
            found += 1
        if not next_order(world["cards"], world["size"]):
            break
    # In any order, so that the first few are like the others.
    for i in range(found - 1, 0, -1):
        j = below(scene.stream, 0, i + 1)
        for place in range(scene.decks.shape[1]):
            scene.decks[i, place], scene.decks[j, place] = scene.decks[j, place], scene.decks[i, place]
    return found


@kernel
def draw_worlds(scene: Scene, most: int) -> int:
    """Draw so many worlds; return how many were found."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    for number in range(most):
        if not draw_hand(scene.unseen[0], scene.stream, 0):
            return number
        lay_world(scene, scene.unseen[0], number)
        shuffle_rest(rulebook, scene.decks[number], wide(game["drawn"]), scene.stream)
    return most
