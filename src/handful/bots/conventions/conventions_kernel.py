"""The bot `conventions`, compiled. `conventions` says what it does."""

from __future__ import annotations

from handful._jit import kernel_of_type
from handful.bots.conventions.meaning_kernel import note_turn
from handful.bots.conventions.policy_kernel import Weights, choose_action
from handful.bots.conventions.state_kernel import ROW_WORDS, TURN, Ints
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.layout import Games, Rulebooks
from handful.splitmix_jit import Chance


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _parameters: Weights) -> None:
    """Take note of what a turn meant."""
    note_turn(games[g], rulebooks[0], memory[seat, :ROW_WORDS])


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Weights, _chance: Chance
) -> int:
    """Return the number of the action chosen."""
    is_new = memory[seat, TURN] == 0
    action = choose_action(games[g], rulebooks[0], memory[seat, :ROW_WORDS], seat, parameters[seat])
    if is_new:
        memory[seat, TURN] = 0  # a choice is not a turn: the first one is noted when it has happened
    return action
