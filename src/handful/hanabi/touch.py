"""Which cards a hint touches: the suit, then the modifiers, then the value decide, in a fixed order.

For a value hint: blind; the suit (all, none); funnels, chimneys, odds and evens; the special value; equal. For a suit
hint: blind; the suit (all, none); synesthesia (not for suits that value hints never touch); the special value; Prism;
the suit's own colours. Where a line decides, those after it are not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.hanabi.modifiers import Modifiers
from handful.hanabi.suits import Suit

ODD, EVEN = 1, 2  # the value hints of Odds and Evens


def hintable_values(modifiers: Modifiers, values: int) -> tuple[int, ...]:
    """Return the value hints that can be given, of the values 1, …, `values`."""
    if modifiers.value_mute:
        return ()
    if modifiers.odds_and_evens:
        return (ODD, EVEN)
    unspoken = modifiers.special_value if modifiers.special_value_hints != "own" else 0
    return tuple(value for value in range(1, values + 1) if value != unspoken)


def colours_of(suits: Sequence[Suit]) -> tuple[str, ...]:
    """Return the names of the suit hints of a variant: each suit's own, in the order of the suits, each once."""
    return tuple(dict.fromkeys(colour for suit in suits for colour in suit.own_hints))


def touched_by_suit_hint(suit: Suit, value: int, hint: int, colours: Sequence[str], modifiers: Modifiers) -> bool:
    """Return whether suit hint number `hint` touches a card. The value of START is 0: it comes before all others."""
    if modifiers.are_suit_hints_blind:
        return False
    if suit.suit_hints in ("every", "none"):
        return suit.suit_hints == "every"
    # START is touched by the last one: (0 − 1) mod the number of colours.
    is_of_value = hint == (value - 1) % len(colours)
    if modifiers.synesthesia and suit.value_hints != "none" and is_of_value:
        return True
    if value == modifiers.special_value and value and modifiers.special_suit_hints != "own":
        return modifiers.special_suit_hints == "every"
    if suit.suit_hints == "by value":
        return is_of_value
    return colours[hint] in suit.own_hints


def touched_by_value_hint(
    suit: Suit, suit_number: int, value: int, hint: int, hintable: Sequence[int], modifiers: Modifiers
) -> bool:
    """Return whether the hint of value `hint` touches a card. The value of START is 0, which no hint names."""
    if modifiers.are_value_hints_blind:
        return False
    if suit.value_hints != "own":
        return suit.value_hints == "every"
    if modifiers.funnels:
        return bool(value) and value <= hint
    if modifiers.chimneys:
        return value >= hint
    if modifiers.odds_and_evens:
        return bool(value) and value % 2 == hint % 2
    if value == modifiers.special_value and value:
        match modifiers.special_value_hints:
            case "deceptive":
                return hint == hintable[suit_number % len(hintable)]
            case "every" | "none":
                return modifiers.special_value_hints == "every"
            case "own":
                pass
    return value == hint
