"""The pace of a game on records: how many turns are to spare."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import inlined_kernel
from handful.hanabi.kernels.layout import NOT_YET, Game, Rulebook


@inlined_kernel
def pace(game: Game, rulebook: Rulebook) -> int:
    """Return how many turns may pass without a point: those that can still use a card, less the points missing.

    These turns are one for each card of the deck and a last one for each player; in the last round, those left.
    """
    turns = wide(rulebook["deck_size"]) - wide(game["drawn"]) + wide(rulebook["players"])
    if game["turns_left"] != NOT_YET:
        turns = wide(game["turns_left"])
    return turns - (wide(rulebook["max_score"]) - wide(game["points"]))
