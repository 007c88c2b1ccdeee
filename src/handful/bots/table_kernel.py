"""The compiled table: bots in their seats, many games one after another, without leaving the kernel.

The same as `bots.table`, number for number: a test plays the same seeds at both. `ask` and `tell` are how
environments and data sets let bots play; `_play_one` is the same for the simulator, and as fast as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import boolean, float64, int8, int16, int64, types, uint64, void

from handful._bits import wide
from handful._jit import inlined_kernel, kernel_of_type
from handful._records import Floats, Ints
from handful.bots.kernel_types import CHOOSE, GAMES_TYPE, OBSERVE, RULES_TYPE
from handful.bots.protocol import CompiledBot
from handful.errors import IllegalActionError, RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.kernels.bridge import deck_from_cards
from handful.hanabi.kernels.game import act, legal_mask, note_hintable, score, seat_chance, shuffle_deck, start
from handful.hanabi.kernels.layout import (
    GAME,
    HIDDEN,
    MAX_DECK,
    ONGOING,
    Decks,
    Game,
    Games,
    Rulebook,
    Rulebooks,
    rulebook_of,
)
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.splitmix_jit import Chance

ILLEGAL = -2  # the ending of a game in which a bot chose an action that is not legal


@inlined_kernel
def hide_hand(game: Game, rulebook: Rulebook, seat: int) -> None:
    """Turn the cards of a seat face down, so that its bot cannot see them: nor which hints would touch them."""
    first = seat * rulebook["hand_size"]
    for place in range(first, first + game["lengths"][seat]):
        game["cards"][game["orders"][place]] = HIDDEN
    game["hintable"][seat] = 0


@inlined_kernel
def show_hand(game: Game, rulebook: Rulebook, seat: int, deck: Decks) -> None:
    """Turn the cards of a seat face up again."""
    first = seat * rulebook["hand_size"]
    for place in range(first, first + game["lengths"][seat]):
        order = game["orders"][place]
        game["cards"][order] = deck[order]
    note_hintable(game, rulebook, seat)


@kernel_of_type(OBSERVE)
def _observe_nothing(
    _games: Games, _g: int, _rulebooks: Rulebooks, _seat: int, _memory: object, _parameters: object
) -> None:
    pass


class Seated(NamedTuple):
    """The bots of a table, as kernels take them: a kernel has six seats, and those without a bot are never asked.

    By seat: who chooses and who observes; as masks of seats, who takes notes, and who sees the own hand, too.
    """

    choosers: Any
    observers: Any
    notes_mask: int
    open_mask: int


_CHOOSERS = types.UniTuple(types.FunctionType(CHOOSE), MAX_PLAYERS)
_OBSERVERS = types.UniTuple(types.FunctionType(OBSERVE), MAX_PLAYERS)
SEATED = types.NamedTuple((_CHOOSERS, _OBSERVERS, int64, int64), Seated)


@inlined_kernel
def ask(
    seated: Seated,
    games: Games,
    g: int,
    rulebooks: Rulebooks,
    deck: Decks,
    memory: Ints,
    parameters: Floats,
    chance: Chance,
) -> int:
    """Return what the bot to move in game g chooses, from what it may see; ILLEGAL if that is not legal."""
    game, rulebook = games[g], rulebooks[0]
    seat = wide(game["current"])
    if not seated.open_mask >> seat & 1:
        hide_hand(game, rulebook, seat)
    action = seated.choosers[seat](games, g, rulebooks, seat, memory, parameters, chance)
    show_hand(game, rulebook, seat, deck)
    is_number = 0 <= action < rulebook["num_actions"]
    return wide(action) if is_number and legal_mask(game, rulebook) >> action & 1 else ILLEGAL


@inlined_kernel
def tell(
    seated: Seated, games: Games, g: int, rulebooks: Rulebooks, deck: Decks, memory: Ints, parameters: Floats
) -> None:
    """Let every bot that takes notes observe the last turn of game g."""
    game, rulebook = games[g], rulebooks[0]
    for seat in range(rulebook["players"]):
        if seated.notes_mask >> seat & 1:
            hide_hand(game, rulebook, seat)
            seated.observers[seat](games, g, rulebooks, seat, memory, parameters)
            show_hand(game, rulebook, seat, deck)


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


def _functions(functions: Iterable[Any], signature: Any, by_address: bool) -> tuple[Any, ...]:
    """Return functions to pass to a kernel; with the compiler off they are passed as they are."""
    return tuple(
        _Pointer(each, signature) if by_address and hasattr(each, "get_compile_result") else each for each in functions
    )


class Seats:
    """Who sits where: compiled bots in some seats, and how much each of them remembers.

    For kernels that are called often, a turn or a few games at a time, bots are passed `by_address`: the call of the
    kernel is then quick, that of a bot a little slower.
    """

    def __init__(self, bots: Mapping[int, CompiledBot], by_address: bool = True) -> None:
        some = next(iter(bots.values()))
        seats = [bots.get(seat, some) for seat in range(MAX_PLAYERS)]
        self.is_bot = np.array([seat in bots for seat in range(MAX_PLAYERS)])
        settings = [() if bot.parameters is None else bot.parameters for bot in seats]
        self.parameters = np.zeros((MAX_PLAYERS, max(1, *map(len, settings))))
        for seat, row in enumerate(settings):
            self.parameters[seat, : len(row)] = row
        self.seated = Seated(
            _functions((bot.choose for bot in seats), CHOOSE, by_address),
            _functions((bot.observe or _observe_nothing for bot in seats), OBSERVE, by_address),
            sum(1 << seat for seat, bot in bots.items() if bot.observe is not None),
            sum(1 << seat for seat, bot in bots.items() if bot.sees == "hands"),
        )
        self.memory_words = max(1, *(bot.memory_words for bot in seats))
        self.notes_words = max(bot.memory_words if bot.notes_words is None else bot.notes_words for bot in seats)

    def table(self, rules: Rules, deck: Decks) -> tuple[Any, ...]:
        """Return an empty table, as kernels of type TABLE in their arguments take it."""
        chance = np.zeros(MAX_PLAYERS, np.uint64)
        return np.zeros(1, GAME), rulebook_of(rules), deck, self.new_memory(), self.parameters, chance

    def new_memory(self, *games: int) -> npt.NDArray[np.int64]:
        """Return memory for a table, or for so many games: a row for each seat."""
        return np.zeros((*games, MAX_PLAYERS, self.memory_words), np.int64)


TABLE = types.Tuple((GAMES_TYPE, RULES_TYPE, int8[::1], int64[:, ::1], float64[:, ::1], uint64[::1]))


# choosers, observers, takes_notes, sees_hand, games, rulebooks, deck, memory, parameters, chance. One
# by one and not as a tuple, of which numba copies every part for every turn: that would halve the speed of quick bots.
_ARGUMENTS = (
    *(_CHOOSERS, _OBSERVERS, boolean[::1], boolean[::1], GAMES_TYPE, RULES_TYPE),
    *(int8[::1], int64[:, ::1], float64[:, ::1], uint64[::1]),
)


@kernel_of_type(void(*_ARGUMENTS))
def _play_one(choosers, observers, takes_notes, sees_hand, games, rulebooks, deck, memory, parameters, chance):  # type: ignore[no-untyped-def]
    """Play the game that was started in games[0] to its end."""
    game, rulebook = games[0], rulebooks[0]
    while game["ending"] == ONGOING:
        seat = wide(game["current"])
        if not sees_hand[seat]:
            hide_hand(game, rulebook, seat)
        action = choosers[seat](games, 0, rulebooks, seat, memory, parameters, chance)
        show_hand(game, rulebook, seat, deck)
        if action < 0 or action >= rulebook["num_actions"] or not legal_mask(game, rulebook) >> action & 1:
            game["ending"] = ILLEGAL
            return
        act(game, rulebook, deck, action)
        for other in range(rulebook["players"]):
            if takes_notes[other]:
                hide_hand(game, rulebook, other)
                observers[other](games, 0, rulebooks, other, memory, parameters)
                show_hand(game, rulebook, other, deck)


@kernel_of_type(void(*_ARGUMENTS, int64[::1], boolean, int8[::1], int8[::1], int16[::1]))
def _play_many(  # type: ignore[no-untyped-def]
    choosers,
    observers,
    takes_notes,
    sees_hand,
    games,
    rulebooks,
    deck,
    memory,
    parameters,
    chance,
    plan,
    is_fixed,
    scores,
    endings,
    turns,
):
    """Play the games of a plan (seed, first game, repeats of each deal, starter, words of notes); one row each."""
    seed, first, repeats, starter, notes = plan
    game, rulebook = games[0], rulebooks[0]
    for i in range(len(scores)):
        number, repeat = first + i // repeats, i % repeats
        if not is_fixed:
            shuffle_deck(deck, rulebook, seed, number, chance)
        seat_chance(chance, seed, number, repeat)
        memory[:, :notes] = 0
        start(game, rulebook, deck, starter)
        _play_one(choosers, observers, takes_notes, sees_hand, games, rulebooks, deck, memory, parameters, chance)
        scores[i] = score(game, rulebook)
        endings[i] = game["ending"]
        turns[i] = game["turn"]


@dataclass(frozen=True)
class Results:
    """The results of some games, in their order: `scores` and `endings` (see `layout.ENDINGS`) int8, `turns` int16."""

    scores: npt.NDArray[np.int8]
    endings: npt.NDArray[np.int8]
    turns: npt.NDArray[np.int16]


class CompiledTable:
    """A table with a compiled bot in each seat."""

    def __init__(self, rules: Rules, bots: Sequence[CompiledBot]) -> None:
        if len(bots) != rules.players:
            raise RulesError(f"{len(bots)} bots for {rules.players} seats")
        self.rules = rules
        seats = Seats(dict(enumerate(bots)), by_address=False)
        self._notes_words, masks = seats.notes_words, (seats.seated.notes_mask, seats.seated.open_mask)
        takes_notes, sees_hand = (np.array([mask >> seat & 1 == 1 for seat in range(MAX_PLAYERS)]) for mask in masks)
        self._deck = np.zeros(MAX_DECK, np.int8)
        self._arguments: tuple[Any, ...] = (*seats.seated[:2], takes_notes, sees_hand, *seats.table(rules, self._deck))

    def play(self, seed: int, first: int, count: int, repeats: int = 1, deal: Deal | None = None) -> Results:
        """Return the results of deals first, …, first + count − 1 of a seed, each played `repeats` times.

        With a `deal`, every game is on that deal, and only the bots' chance differs.
        """
        games = count * repeats
        results = Results(np.zeros(games, np.int8), np.zeros(games, np.int8), np.zeros(games, np.int16))
        starter = 0
        if deal is not None:
            starter = deal.starter
            self._deck[:] = deck_from_cards(self.rules, deal.deck)
        plan = np.array([seed, first, repeats, starter, self._notes_words])
        filled = (results.scores, results.endings, results.turns)
        _play_many(*(*self._arguments, plan, deal is not None, *filled))
        illegal = np.flatnonzero(results.endings == ILLEGAL)
        if len(illegal):
            raise IllegalActionError(
                f"game {first + illegal[0] // repeats} of seed {seed}: a bot chose an illegal action"
            )
        return results
