"""Bots in some seats of many games: what they do until somebody else is to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import boolean, float32, float64, int8, int64, types, uint64

from handful._jit import kernel_of_type
from handful.bots.kernel_types import GAMES_TYPE, RULES_TYPE
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import ILLEGAL, SEATED, Seats, ask, tell
from handful.envs.reward_kernel import act_for_reward
from handful.errors import IllegalActionError
from handful.hanabi.kernels.layout import ONGOING, Rulebooks

ALL_LEGAL = -1

_SLOTS = types.Tuple(
    (GAMES_TYPE, RULES_TYPE, int8[:, ::1], int64[:, :, ::1], float64[:, ::1], uint64[:, ::1], boolean[::1])
)


# The slots: games, rulebooks, decks, memory, parameters, chance, has_regained
@kernel_of_type(int64(SEATED, boolean[::1], _SLOTS, boolean, boolean[::1], float64[::1], float32[::1]))
def _bots_move(seated, is_bot, slots, has_acted, is_asked, weights, rewards):  # type: ignore[no-untyped-def]
    """Let the bots move in the games that are marked; return the first game with an illegal choice, or ALL_LEGAL."""
    games, rulebooks, decks, memory, parameters, chance, has_regained = slots
    for g in range(len(games)):
        if not is_asked[g]:
            continue
        game = games[g]
        if has_acted:
            tell(seated, games, g, rulebooks, decks[g], memory[g], parameters)
        while game["ending"] == ONGOING and is_bot[game["current"]]:
            action = ask(seated, games, g, rulebooks, decks[g], memory[g], parameters, chance[g])
            if action == ILLEGAL:
                return g
            hints = game["hints"]
            rewards[g] += act_for_reward(game, rulebooks[0], decks[g], action, weights)
            has_regained[g] = game["hints"] > hints
            tell(seated, games, g, rulebooks, decks[g], memory[g], parameters)
    return ALL_LEGAL


class Partners(Seats):
    """The bots in some seats of `count` games, with what each of them remembers of each game."""

    def __init__(self, rulebooks: Rulebooks, bots: Mapping[int, CompiledBot], count: int) -> None:
        super().__init__(bots)
        self.rulebooks, self.memory = rulebooks, self.new_memory(count)

    def move(self, slots: Any, weights: Any, out: Any, is_asked: npt.NDArray[np.bool_], has_acted: bool) -> None:
        """Let the bots move in the slots that are marked, until somebody else is to move or the game ends.

        With `has_acted`, somebody else has just made a turn there, which the bots observe first.
        """
        notes = (self.memory, self.parameters)
        games = (slots.games, self.rulebooks, slots.decks, *notes, slots.chance, slots.has_regained)
        wrong = _bots_move(self.seated, self.is_bot, games, has_acted, is_asked, weights, out.rewards)
        if wrong != ALL_LEGAL:
            raise IllegalActionError(f"slot {wrong}: the bot in seat {slots.games[wrong]['current']} chose illegally")
