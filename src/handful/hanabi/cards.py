"""A card: a suit and a value; and its notation, `r1` to `p5`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from handful.errors import NotationError, shown
from handful.hanabi.variants import Variant


class Card(NamedTuple):
    """What is printed on a card. `suit` counts from 0, `value` from 1, as they are spoken."""

    suit: int
    value: int


def card_index(variant: Variant, card: Card) -> int:
    """Return the index of a card: suit by suit, value by value."""
    return card.suit * variant.num_values + card.value - 1


def card_at(variant: Variant, index: int) -> Card:
    """Return the card of an index."""
    suit, value = divmod(index, variant.num_values)
    return Card(suit, value + 1)


def sorted_deck(variant: Variant) -> list[Card]:
    """Return all cards of the deck, by suit and then value: r1 r1 r1 r2 r2 …"""
    return [card_at(variant, index) for index, count in enumerate(variant.copies) for _ in range(count)]


def cards_in(variant: Variant, mask: int) -> Iterator[Card]:
    """Yield the cards of a mask, in order."""
    while mask:
        lowest = mask & -mask
        yield card_at(variant, lowest.bit_length() - 1)
        mask ^= lowest


def cards_mask(variant: Variant, cards: Iterable[Card]) -> int:
    """Return the mask of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card_index(variant, card)
    return mask


def card_text(variant: Variant, card: Card) -> str:
    """Return the notation of a card.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> card_text(NO_VARIANT, Card(4, 5))
    'p5'
    """
    return f"{variant.suits[card.suit].letter}{variant.value_text(card.value)}"


def parse_card(variant: Variant, text: str) -> Card:
    """Return the card that is written so.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> parse_card(NO_VARIANT, "y2")
    Card(suit=1, value=2)
    """
    letters = [suit.letter for suit in variant.suits]
    letter, digits = text[:1].lower(), text[1:]
    value = variant.value_read(digits)
    if letter in letters and value is not None:
        return Card(letters.index(letter), value)
    start = " or S" if variant.start_value else ""
    expected = f"a suit of {' '.join(letters)} and a value of 1 to {variant.stack_size}{start}, such as {letters[0]}1"
    raise NotationError(f"{shown(text)} is not a card of {variant.name}: expected {expected}")


def parse_cards(variant: Variant, text: str) -> list[Card]:
    """Return the cards of a text, separated by white space or commas."""
    return [parse_card(variant, word) for word in text.replace(",", " ").split()]
