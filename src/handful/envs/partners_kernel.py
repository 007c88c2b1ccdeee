"""Bots in some seats of many games: what they do until somebody else is to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import boolean, float32, float64, int8, int64, types, uint64, void

from handful._bits import wide
from handful._jit import kernel_of_type
from handful.bots.kernel_types import CHOOSE, GAMES_TYPE, OBSERVE, RULES_TYPE
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import hide_hand, show_hand
from handful.envs.reward_kernel import act_for_reward
from handful.errors import IllegalActionError
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import ONGOING
from handful.hanabi.rules import MAX_PLAYERS

ALL_LEGAL = -1

CHOOSERS = types.UniTuple(types.FunctionType(CHOOSE), MAX_PLAYERS)
OBSERVERS = types.UniTuple(types.FunctionType(OBSERVE), MAX_PLAYERS)


@kernel_of_type(OBSERVE)
def _observe_nothing(_games: Any, _g: int, _rules: Any, _seat: int, _memory: object, _parameters: object) -> None:
    pass


# observers, takes_notes, games, g, rules, deck, memory, parameters
@kernel_of_type(void(OBSERVERS, boolean[::1], GAMES_TYPE, int64, RULES_TYPE, int8[::1], int64[:, ::1], float64[:, ::1]))
def tell(observers, takes_notes, games, g, rulebooks, deck, memory, parameters):  # type: ignore[no-untyped-def]
    """Let every bot that takes notes observe the last turn of game g."""
    for seat in range(rulebooks[0]["players"]):
        if takes_notes[seat]:
            hide_hand(games[g], rulebooks[0], seat)
            observers[seat](games, g, rulebooks, seat, memory, parameters)
            show_hand(games[g], rulebooks[0], seat, deck)


# choosers, observers, is_bot, takes_notes, games, rules, decks, memory,
# parameters, chance, has_acted, is_asked, weights, rewards, has_regained
@kernel_of_type(
    int64(
        *(CHOOSERS, OBSERVERS, boolean[::1], boolean[::1], GAMES_TYPE, RULES_TYPE, int8[:, ::1], int64[:, :, ::1]),
        *(float64[:, ::1], uint64[:, ::1], boolean, boolean[::1], float64[::1], float32[::1], boolean[::1]),
    )
)
def _bots_move(  # type: ignore[no-untyped-def]
    choosers,
    observers,
    is_bot,
    takes_notes,
    games,
    rulebooks,
    decks,
    memory,
    parameters,
    chance,
    has_acted,
    is_asked,
    weights,
    rewards,
    has_regained,
):
    """Let the bots move in the games that are marked; return the first game with an illegal choice, or ALL_LEGAL."""
    rulebook = rulebooks[0]
    for g in range(len(games)):
        if not is_asked[g]:
            continue
        game = games[g]
        if has_acted:
            tell(observers, takes_notes, games, g, rulebooks, decks[g], memory[g], parameters)
        while game["ending"] == ONGOING and is_bot[game["current"]]:
            seat = wide(game["current"])
            hide_hand(game, rulebook, seat)
            action = choosers[seat](games, g, rulebooks, seat, memory[g], parameters, chance[g])
            show_hand(game, rulebook, seat, decks[g])
            if action < 0 or action >= rulebook["num_actions"] or not legal_mask(game, rulebook) >> action & 1:
                return g
            hints = game["hints"]
            rewards[g] += act_for_reward(game, rulebook, decks[g], action, weights)
            has_regained[g] = game["hints"] > hints
            tell(observers, takes_notes, games, g, rulebooks, decks[g], memory[g], parameters)
    return ALL_LEGAL


class _Pointer(types.WrapperAddressProtocol):  # type: ignore[misc]  # numba has no types
    """A compiled function with its address looked up once: numba would do it on every call, which takes 0.1 ms each."""

    def __init__(self, function: Any, signature: Any) -> None:
        self.function, self._signature = function, signature
        compiled = function.get_compile_result(signature)
        self._address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    def __wrapper_address__(self) -> int:
        return int(self._address)

    def signature(self) -> Any:
        """Return the type of the function."""
        return self._signature


def _pointers(functions: Iterable[Any], signature: Any) -> tuple[Any, ...]:
    """Return functions to pass to a kernel; with the compiler off they are passed as they are."""
    return tuple(_Pointer(each, signature) if hasattr(each, "get_compile_result") else each for each in functions)


class Seats:
    """Who sits where: bots in some seats of `count` games, with what each of them remembers."""

    def __init__(self, rulebook_of: Any, bots: Mapping[int, CompiledBot], count: int) -> None:
        self.rules = rulebook_of
        some = next(iter(bots.values()))
        # A kernel has six seats. In those that are empty, or not a bot's, nobody is ever asked.
        seats = [bots.get(seat, some) for seat in range(MAX_PLAYERS)]
        self.choosers = _pointers((bot.choose for bot in seats), CHOOSE)
        self.observers = _pointers((bot.observe or _observe_nothing for bot in seats), OBSERVE)
        self.is_bot = np.array([seat in bots for seat in range(MAX_PLAYERS)])
        self.takes_notes = self.is_bot & np.array([bot.observe is not None for bot in seats])
        words = max(1, *(bot.memory_words for bot in seats))
        self.memory = np.zeros((count, MAX_PLAYERS, words), np.int64)
        settings = [() if bot.parameters is None else bot.parameters for bot in seats]
        self.parameters = np.zeros((MAX_PLAYERS, max(1, *map(len, settings))))
        for seat, row in enumerate(settings):
            self.parameters[seat, : len(row)] = row

    def move(self, slots: Any, weights: Any, out: Any, is_asked: npt.NDArray[np.bool_], has_acted: bool) -> None:
        """Let the bots move in the slots that are marked, until somebody else is to move or the game ends.

        With `has_acted`, somebody else has just made a turn there, which the bots observe first.
        """
        wrong = _bots_move(
            self.choosers,
            self.observers,
            self.is_bot,
            self.takes_notes,
            slots.games,
            self.rules,
            slots.decks,
            self.memory,
            self.parameters,
            slots.chance,
            has_acted,
            is_asked,
            weights,
            out.rewards,
            slots.has_regained,
        )
        if wrong != ALL_LEGAL:
            raise IllegalActionError(f"slot {wrong}: the bot in seat {slots.games[wrong]['current']} chose illegally")
