"""What a card is worth, as masks, on records: `hanabi.worth` has the definitions."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import kernel
from handful.hanabi.kernels.layout import Game, Rulebook


@kernel
def playable_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards that extend a stack now (Definition 4.2)."""
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
