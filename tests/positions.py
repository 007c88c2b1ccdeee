"""Positions in the middle of a game, written in a line."""

from __future__ import annotations

from collections.abc import Sequence

from handful.hanabi import (
    NO_VARIANT,
    Card,
    Rules,
    State,
    Variant,
    card_at,
    card_text,
    parse_cards,
)
from handful.hanabi.cards import cards_in, sorted_deck


def arrange(
    rules: Rules,
    hands: Sequence[str],
    stacks: Sequence[int] = (),
    *,
    discards: str = "",
    deck: str | None = None,
    hints: int | None = None,
    strikes: int = 0,
) -> State:
    """A game in the middle with these hands. The deck starts with `deck`; every other card is in the deck below it.

    With `deck` empty ("") there is no deck: what is in no other place has been discarded.
    """
    variant = rules.variant
    faces = [parse_cards(variant, hand) for hand in hands]
    stacks = stacks or [0] * variant.num_suits
    thrown, top = parse_cards(variant, discards), parse_cards(variant, deck or "")
    rest = sorted_deck(variant)
    played = [Card(suit, value) for suit, height in enumerate(stacks) for value in range(1, height + 1)]
    for card in [*played, *thrown, *top, *(card for hand in faces for card in hand)]:
        rest.remove(card)
    if deck == "":
        return State.arrange(rules, faces, (), stacks, [*thrown, *rest], hints=hints, strikes=strikes)
    return State.arrange(rules, faces, [*top, *rest], stacks, thrown, hints=hints, strikes=strikes)


def possible(state: State, player: int, slot: int) -> set[str]:
    """What a card can be by the hints, in notation."""
    variant = state.rules.variant
    return {card_text(variant, card) for card in cards_in(variant, state.hands[player][slot].knowledge.possible_mask)}


def every(variant: Variant = NO_VARIANT) -> set[str]:
    return {card_text(variant, card_at(variant, index)) for index in range(variant.num_types)}


# The hands of Example 2.8 (with blue for the white of the box) and of who hints.
JOHN = "r1 g4 g5 b1 b4"
MARY = "p1 p2 p3 p4 p5"
RED, YELLOW, GREEN, BLUE, PURPLE = range(5)
