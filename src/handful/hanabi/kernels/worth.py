"""What a card is worth, as masks, on records: `hanabi.worth` has the definitions.

Where suits are built in other ways than 1 2 3 …, `hanabi.orders` says what these functions do.
"""

from __future__ import annotations

from handful._bits import nth_bit, wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.kernels.layout import MAX_ORDERED_VALUES, MAX_ORDERS, Game, Rulebook


@kernel
def playable_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards that extend a stack now (Definition 4.2)."""
    if not rulebook["is_ascending"]:
        return _next_in_orders(game, rulebook)
    values = wide(rulebook["values"])
    mask = 0
    for suit in range(rulebook["suits"]):
        height = wide(game["stacks"][suit])
        if height < values:
            mask |= 1 << (suit * values + height)
    return mask


@kernel
def worthless_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards that can never be played (Definition 4.3)."""
    if not rulebook["is_ascending"]:
        return rulebook["all_mask"] & ~_useful_in_orders(game, rulebook)
    values = wide(rulebook["values"])
    mask = 0
    for suit in range(rulebook["suits"]):
        height = wide(game["stacks"][suit])
        mask |= ((1 << height) - 1) << (suit * values)
        for value in range(height, values):
            if game["left"][suit * values + value] == 0:
                # All above the missing card: bits value + 1, …, values − 1 of this suit.
                mask |= ((1 << values) - (1 << (value + 1))) << (suit * values)
                break
    return mask


@kernel
def unique_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards of which one copy is left (Definition 4.4)."""
    mask = 0
    for card in range(rulebook["types"]):
        if game["left"][card] == 1:
            mask |= 1 << card
    return mask


# Suits that can be built in several orders, or in another one


@inlined_kernel
def card_in_order(rulebook: Rulebook, suit: int, order: int, place: int) -> int:
    """Return the index of the card that comes at a place of an order of a suit."""
    value = wide(rulebook["order_values"][(suit * MAX_ORDERS + order) * MAX_ORDERED_VALUES + place])
    return suit * wide(rulebook["values"]) + value - 1


@inlined_kernel
def height_in_order(game: Game, rulebook: Rulebook, suit: int, order: int) -> int:
    """Return how high a stack can become in an order, while copies of what comes next are left."""
    height = wide(game["stacks"][suit])
    while height < rulebook["stack_size"] and game["left"][card_in_order(rulebook, suit, order, height)]:
        height += 1
    return height


@kernel
def _next_in_orders(game: Game, rulebook: Rulebook) -> int:
    mask = wide(0)
    for suit in range(rulebook["suits"]):
        for order in range(MAX_ORDERS):
            if game["open_orders"][suit] >> order & 1 and game["stacks"][suit] < rulebook["stack_size"]:
                mask |= wide(1) << card_in_order(rulebook, suit, order, wide(game["stacks"][suit]))
    return mask


@kernel
def _useful_in_orders(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards up to and with the first of each open order that has no copy left."""
    mask = wide(0)
    for suit in range(rulebook["suits"]):
        for order in range(MAX_ORDERS):
            if game["open_orders"][suit] >> order & 1:
                top = height_in_order(game, rulebook, suit, order)
                for place in range(wide(game["stacks"][suit]), min(top + 1, wide(rulebook["stack_size"]))):
                    mask |= wide(1) << card_in_order(rulebook, suit, order, place)
    return mask


@kernel
def is_perfect_possible(game: Game, rulebook: Rulebook) -> bool:
    """Return whether no card that the maximum score needs is lost."""
    if rulebook["is_ascending"]:
        for card in range(rulebook["types"]):
            is_missing = rulebook["value_of"][card] > game["stacks"][rulebook["suit_of"][card]]
            if is_missing and game["left"][card] == 0:
                return False
        return True
    taken = wide(1)  # of Sudoku: bit m is set if the suits so far can be full with the orders of the mask m
    for suit in range(rulebook["suits"]):
        full = wide(0)
        for order in range(MAX_ORDERS):
            if game["open_orders"][suit] >> order & 1:
                full |= wide(height_in_order(game, rulebook, suit, order) == rulebook["stack_size"]) << order
        if full == 0:
            return False
        taken = _with_one_more(taken, full)
    return not rulebook["sudoku"] or taken != 0


@inlined_kernel
def _with_one_more(taken: int, full: int) -> int:
    """Return the masks of orders that can be given away once a suit takes one of `full`, as bits of a number."""
    after = wide(0)
    for mask in range(1 << MAX_ORDERS):
        if taken >> mask & 1:
            for order in range(MAX_ORDERS):
                if full & ~mask & 1 << order:
                    after |= wide(1) << (mask | 1 << order)
    return after


@kernel
def best_points(game: Game, rulebook: Rulebook) -> int:
    """Return the points that the stacks can still reach with the copies that are left."""
    if rulebook["sudoku"]:
        return _best_sudoku_points(game, rulebook)
    values, points = wide(rulebook["values"]), wide(0)
    for suit in range(rulebook["suits"]):
        best = height = wide(game["stacks"][suit])
        if rulebook["is_ascending"]:
            while height < values and game["left"][suit * values + height] > 0:
                height += 1
            best = height
        else:
            for order in range(MAX_ORDERS):
                if game["open_orders"][suit] >> order & 1:
                    best = max(best, height_in_order(game, rulebook, suit, order))
        points += best
    return points


@kernel
def _best_sudoku_points(game: Game, rulebook: Rulebook) -> int:
    """Return the most points of all ways to give each suit an order of its own: the orders in every sequence."""
    orders, best = wide(rulebook["values"]), wide(0)
    ways = wide(1)
    for order in range(orders):
        ways *= order + 1
    for way in range(ways):
        free, rest, points = (wide(1) << orders) - 1, wide(way), wide(0)
        for suit in range(rulebook["suits"]):
            order = nth_bit(free, rest % (orders - suit))
            rest //= orders - suit
            free ^= wide(1) << order
            if game["open_orders"][suit] >> order & 1:
                points += height_in_order(game, rulebook, suit, order)
            elif game["stacks"][suit] > 0:
                points = wide(-1 << 20)  # this stack has started otherwise
        best = max(best, points)
    return best
