"""A deal played again and again by bots that slip now and then, as people do.

The bots of the panel have no chance of their own, so that they would play a deal the same way each time. On each turn,
with a small chance, whoever is to move does something else than the bot would: any legal hint or discard, each equally
likely. A deal that forgives such slips is an easy one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import float64, int8, int32, int64, uint64, void

from handful._bits import nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel_of_type
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import (
    ILLEGAL,
    SEATED,
    TABLES,
    Seated,
    Seats,
    Tables,
    act,
    start_game,
    take_turn,
    tell,
)
from handful.errors import IllegalActionError
from handful.hanabi.deal import Deal
from handful.hanabi.kernels.bridge import deck_from_cards
from handful.hanabi.kernels.game import legal_mask, score, seat_chance
from handful.hanabi.kernels.layout import ONGOING, Decks, Game, Rulebook
from handful.hanabi.rules import Rules
from handful.splitmix_jit import Chance, add_key, below, seed_key

SLIP_STREAM = 7  # of chance, beside those of deals and of bots
RESOLUTION = 1 << 20  # of the chance of a slip


@inlined_kernel
def slips_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the actions that a slip may be: hints and discards; plays where there is nothing else."""
    size = wide(rulebook["hand_size"])
    legal = legal_mask(game, rulebook)
    others: int = legal & ~(((wide(1) << size) - 1) << size)
    return others if others else legal


@kernel_of_type(void(SEATED, TABLES, int8[:, ::1], float64, int64, uint64[::1], int32[:, ::1]), borrows=True)
def _play_slipping(
    seated: Seated,
    tables: Tables,
    decks: Decks,
    slip: float,
    seed: int,
    slips: Chance,
    scores: npt.NDArray[np.int32],
) -> None:
    """Play each deck as often as its row of scores is long; a score of −1 says that a bot chose an illegal action."""
    game, rulebook = tables.games[0], tables.rulebooks[0]
    often = wide(slip * RESOLUTION)
    for d in range(len(decks)):
        for place in range(rulebook["deck_size"]):
            tables.decks[0, place] = decks[d, place]
        for repeat in range(scores.shape[1]):
            seat_chance(tables.chance[0], seed, d, repeat)
            slips[0] = add_key(add_key(seed_key(seed), SLIP_STREAM), repeat)
            start_game(tables, 0, 0)
            while game["ending"] == ONGOING:
                if below(slips, 0, RESOLUTION) < often:
                    mask = slips_mask(game, rulebook)
                    act(tables, 0, nth_bit(mask, below(slips, 0, popcount(mask))))
                    tell(seated, tables, 0)
                else:
                    take_turn(seated, tables, 0)
            scores[d, repeat] = -1 if game["ending"] == ILLEGAL else score(game, rulebook)


def slipping_scores(
    rules: Rules, bot: CompiledBot, deals: Sequence[Deal], repeats: int, slip: float, seed: int
) -> npt.NDArray[np.int32]:
    """Return the scores of a bot with itself on each deal, a row for each, played so often with slips.

    The slips of repeat r are the same chance on every deal. All deals begin with player 0.
    """
    seats = Seats(dict.fromkeys(range(rules.players), bot), by_address=True)
    decks = np.stack([deck_from_cards(rules, deal.deck) for deal in deals])
    scores = np.zeros((len(deals), repeats), np.int32)
    _play_slipping(seats.seated, seats.tables(rules), decks, slip, seed, np.zeros(1, np.uint64), scores)
    if scores.min() < 0:
        raise IllegalActionError("a bot chose an illegal action after a slip")
    return scores
