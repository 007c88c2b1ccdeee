"""What a card is worth: playable, worthless or unique (Bergh 2015, Definitions 4.2 to 4.4).

All three depend only on what lies open: the stacks and the discard pile. So each is a mask of cards that everybody
can name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handful.hanabi.cards import Card, card_index
from handful.hanabi.variants import Variant


def copies_left(variant: Variant, stacks: Sequence[int], discards: Iterable[Card]) -> list[int]:
    """Return, by card index, how many copies are still in the hands or in the deck."""
    left = list(variant.copies)
    for suit, height in enumerate(stacks):
        for value in range(height):
            left[suit * variant.num_values + value] -= 1
    for card in discards:
        left[card_index(variant, card)] -= 1
    return left


def playable_mask(variant: Variant, stacks: Sequence[int]) -> int:
    """Return the mask of the cards that extend a stack now (Definition 4.2)."""
    return sum(
        1 << suit * variant.num_values + height for suit, height in enumerate(stacks) if height < variant.num_values
    )


def worthless_mask(variant: Variant, stacks: Sequence[int], left: Sequence[int]) -> int:
    """Return the mask of the cards that can never be played (Definition 4.3).

    They are already on their stack, or a card that must come before them has no copy left.
    """
    mask = 0
    for suit, height in enumerate(stacks):
        is_blocked = False
        for value in range(1, variant.num_values + 1):
            index = suit * variant.num_values + value - 1
            if value <= height or is_blocked:
                mask |= 1 << index
            is_blocked = is_blocked or (value > height and left[index] == 0)
    return mask


def unique_mask(left: Sequence[int]) -> int:
    """Return the mask of the cards of which one copy is left (Definition 4.4)."""
    return sum(1 << index for index, count in enumerate(left) if count == 1)
