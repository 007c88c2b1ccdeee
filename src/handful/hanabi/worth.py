"""What a card is worth: playable, worthless, unique or critical (Bergh 2015, Definitions 4.2 to 4.4).

All of it depends only on the stacks and the discard pile. So each is a mask of cards that whoever knows these can name.
A stack is its height and the orders that are open to it (`hanabi.orders`); where `open_orders` is left out, every suit
has the orders of an empty stack, which is right wherever a suit can be built in one order only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handful.hanabi import orders
from handful.hanabi.cards import Card, card_index
from handful.hanabi.variants import Variant


def copies_left(
    variant: Variant, stacks: Sequence[int], discards: Iterable[Card], open_orders: Sequence[int] | None = None
) -> list[int]:
    """Return, by card index, how many copies are still in the hands or in the deck."""
    left = list(variant.copies)
    for card in stacked_cards(variant, stacks, open_orders):
        left[card_index(variant, card)] -= 1
    for card in discards:
        left[card_index(variant, card)] -= 1
    return left


def stacked_cards(
    variant: Variant, stacks: Sequence[int], open_orders: Sequence[int] | None = None
) -> tuple[Card, ...]:
    """Return the cards on all stacks, suit by suit, the lowest of a stack first."""
    by_suit = stacked_values(variant, stacks, open_orders)
    return tuple(Card(suit, value) for suit, values in enumerate(by_suit) for value in values)


def stacked_values(
    variant: Variant, stacks: Sequence[int], open_orders: Sequence[int] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return the values that lie on each stack, the lowest of a stack first."""
    masks = variant.open_orders if open_orders is None else open_orders
    return tuple(orders.stack_values(variant.orders[suit], masks[suit], height) for suit, height in enumerate(stacks))


def playable_mask(variant: Variant, stacks: Sequence[int], open_orders: Sequence[int] | None = None) -> int:
    """Return the mask of the cards that extend a stack now (Definition 4.2)."""
    masks = variant.open_orders if open_orders is None else open_orders
    return sum(
        1 << suit * variant.num_values + value - 1
        for suit, height in enumerate(stacks)
        for value in orders.next_values(variant.orders[suit], masks[suit], height)
    )


def worthless_mask(
    variant: Variant, stacks: Sequence[int], left: Sequence[int], open_orders: Sequence[int] | None = None
) -> int:
    """Return the mask of the cards that can never be played (Definition 4.3).

    Whatever order is followed, they are on their stack already, or a card that must come before them has no copy left.
    A card that is lost itself counts as worth having, were there one.
    """
    masks = variant.open_orders if open_orders is None else open_orders
    useful = 0
    for suit, height in enumerate(stacks):
        for value in _values_in_reach(variant, suit, height, masks[suit], left):
            useful |= 1 << suit * variant.num_values + value - 1
    return variant.all_mask & ~useful


def _values_in_reach(variant: Variant, suit: int, height: int, open_orders: int, left: Sequence[int]) -> set[int]:
    """Return the values that a stack could come to, up to and with the first of each order that has no copy left."""
    copies = left[suit * variant.num_values : (suit + 1) * variant.num_values]
    found: set[int] = set()
    for number, order in enumerate(variant.orders[suit]):
        if open_orders >> number & 1:
            found.update(order[height : orders.reachable_height(order, height, copies) + 1])
    return found


def unique_mask(left: Sequence[int]) -> int:
    """Return the mask of the cards of which one copy is left (Definition 4.4)."""
    return sum(1 << index for index, count in enumerate(left) if count == 1)


def best_heights(
    variant: Variant, stacks: Sequence[int], left: Sequence[int], open_orders: Sequence[int] | None = None
) -> tuple[int, ...]:
    """Return how high each stack can still become, with these copies left; their sum is the best score.

    In Sudoku, where stacks must start at different values, they are the heights of one way to reach the largest sum.
    """
    masks = variant.open_orders if open_orders is None else open_orders
    by_suit = [left[suit * variant.num_values : (suit + 1) * variant.num_values] for suit in range(variant.num_suits)]
    if variant.modifiers.sudoku:
        return orders.best_sudoku_heights(variant.orders[0], list(zip(stacks, masks, strict=True)), by_suit)
    return tuple(
        orders.best_height(variant.orders[suit], masks[suit], height, by_suit[suit])
        for suit, height in enumerate(stacks)
    )


def critical_mask(
    variant: Variant, stacks: Sequence[int], left: Sequence[int], open_orders: Sequence[int] | None = None
) -> int:
    """Return the mask of the cards whose loss would lower the best score: the last copies that are needed."""
    best = sum(best_heights(variant, stacks, left, open_orders))
    mask = 0
    for index, count in enumerate(left):
        if count == 1:
            without = [*left[:index], 0, *left[index + 1 :]]
            if sum(best_heights(variant, stacks, without, open_orders)) < best:
                mask |= 1 << index
    return mask
