"""Whether a perfect game is still possible, as far as is seen at once: cards that are gone, turns that are left."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.kernels.game import pace
from handful.hanabi.kernels.layout import NO_CARD, Game, Rulebook


@inlined_kernel
def is_lost(game: Game, rulebook: Rulebook) -> bool:
    """Return whether the last turn has made a perfect game impossible: a card is gone, or there are too few turns."""
    if game["last_order"] != NO_CARD:
        card = wide(game["cards"][game["last_order"]])
        if game["left"][card] == 0 and rulebook["value_of"][card] > game["stacks"][rulebook["suit_of"][card]]:
            return True
    return too_few_turns(game, rulebook)


@inlined_kernel
def too_few_turns(game: Game, rulebook: Rulebook) -> bool:
    """Return whether there are fewer turns left than cards to play."""
    return bool(rulebook["has_last_round"] and pace(game, rulebook) < 0)


@kernel
def is_hopeless(game: Game, rulebook: Rulebook) -> bool:
    """Return whether a perfect game is impossible: all copies of a needed card are gone, or there are too few turns."""
    for card in range(rulebook["types"]):
        if game["left"][card] == 0 and rulebook["value_of"][card] > game["stacks"][rulebook["suit_of"][card]]:
            return True
    return too_few_turns(game, rulebook)
