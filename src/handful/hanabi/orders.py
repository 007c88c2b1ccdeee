"""The orders in which a suit may be built, and which of them a stack can still follow.

A suit has one or more *orders*: sequences of values, all as long as a full stack. Usually there is one, 1 2 3 4 5; a
reversed suit has 5 4 3 2 1, Sudoku one from every value on (3 4 5 1 2), Up or Down four. A stack is the beginning of
at least one order. So two numbers say all about it: its *height*, and the mask of the orders that are still *open* to
it. In Sudoku the first card of a stack closes the orders that begin alike to all other stacks.

Whatever asks which card comes next, what is worthless or which score is still possible, asks here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

Order: TypeAlias = tuple[int, ...]


def orders_of_suit(values: int, is_reversed: bool, is_up_or_down: bool, is_sudoku: bool) -> tuple[Order, ...]:
    """Return the orders in which a suit may be built. In Up or Down the last value is START.

    >>> orders_of_suit(3, is_reversed=False, is_up_or_down=False, is_sudoku=True)
    ((1, 2, 3), (2, 3, 1), (3, 1, 2))
    >>> orders_of_suit(6, is_reversed=False, is_up_or_down=True, is_sudoku=False)
    ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1), (6, 2, 3, 4, 5), (6, 4, 3, 2, 1))
    """
    if is_up_or_down:
        size, start = values - 1, values
        up, down = tuple(range(1, size + 1)), tuple(range(size, 0, -1))
        # On START comes what follows the first card of an order, so five cards complete a stack in any of them.
        return (up, down, (start, *up[1:]), (start, *down[1:]))
    up = tuple(range(1, values + 1))
    if is_sudoku:
        return tuple(up[first:] + up[:first] for first in range(values))
    return (up[::-1],) if is_reversed else (up,)


def next_values(orders: Sequence[Order], open_orders: int, height: int) -> set[int]:
    """Return the values that a stack takes next."""
    return {order[height] for order in _open(orders, open_orders) if height < len(order)}


def opened_by(orders: Sequence[Order], open_orders: int, height: int, value: int) -> int:
    """Return the orders still open to a stack once a value lies on it; 0 if it does not fit."""
    return sum(
        1 << number
        for number, order in enumerate(orders)
        if open_orders >> number & 1 and height < len(order) and order[height] == value
    )


def stack_values(orders: Sequence[Order], open_orders: int, height: int) -> Order:
    """Return the values that lie on a stack, the first one first: all open orders begin with them."""
    return next(iter(_open(orders, open_orders)))[:height] if height else ()


def reachable_height(order: Order, height: int, left: Sequence[int]) -> int:
    """Return how high a stack can become in an order, while copies of what comes next are left (by value, from 1)."""
    while height < len(order) and left[order[height] - 1]:
        height += 1
    return height


def useful_values(orders: Sequence[Order], open_orders: int, height: int, left: Sequence[int]) -> set[int]:
    """Return the values of which a card could still come to lie on a stack: those up to the first that is lost."""
    useful: set[int] = set()
    for order in _open(orders, open_orders):
        useful.update(order[height : reachable_height(order, height, left)])
    return useful


def best_height(orders: Sequence[Order], open_orders: int, height: int, left: Sequence[int]) -> int:
    """Return how high a stack can still become, whatever the other stacks do."""
    return max((reachable_height(order, height, left) for order in _open(orders, open_orders)), default=height)


def best_sudoku_heights(
    orders: Sequence[Order], stacks: Sequence[tuple[int, int]], left: Sequence[Sequence[int]]
) -> tuple[int, ...]:
    """Return how high all stacks can become together where no two may follow the same order.

    `stacks` are (height, open orders) by suit, `left` the copies left by suit and value. Of all ways to give each stack
    an order of its own (or none, and it stays empty) the first with the largest sum counts.
    """
    # best[taken] = (sum, heights of the suits so far), where `taken` is the mask of the orders given away.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for (height, open_orders), copies in zip(stacks, left, strict=True):
        after: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (total, heights) in best.items():
            choices: list[tuple[int, int]] = [] if height else [(taken, 0)]
            choices += [
                (taken | 1 << number, reachable_height(order, height, copies))
                for number, order in enumerate(orders)
                if open_orders >> number & 1 and not taken >> number & 1
            ]
            for key, top in choices:
                if key not in after or total + top > after[key][0]:
                    after[key] = (total + top, (*heights, top))
        best = after
    return max(best.values(), key=lambda found: found[0])[1]


@cache
def all_open(num_orders: int) -> int:
    """Return the mask of all orders of a suit."""
    return (1 << num_orders) - 1


def _open(orders: Sequence[Order], open_orders: int) -> Iterator[Order]:
    return (order for number, order in enumerate(orders) if open_orders >> number & 1)
