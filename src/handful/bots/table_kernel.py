"""The compiled table: bots in their seats, many games one after another, without leaving the kernel.

The same as `bots.table`, number for number: a test plays the same seeds at both. `ask` and `tell` are how every
compiled loop lets bots play: the simulator here, environments with bots as partners, data sets.
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
from handful.bots.kernel_types import CHOOSE, GAMES_TYPE, OBSERVE, RULES_TYPE
from handful.bots.protocol import CompiledBot
from handful.errors import IllegalActionError, RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.kernels.bridge import deck_from_cards
from handful.hanabi.kernels.game import act, legal_mask, note_hintable, score, seat_chance, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, HIDDEN, MAX_DECK, ONGOING, Decks, Game, Games, Rulebook, rulebook_of
from handful.hanabi.rules import MAX_PLAYERS, Rules

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
    _games: Games, _g: int, _rulebooks: Rulebook, _seat: int, _memory: object, _parameters: object
) -> None:
    pass


class Seated(NamedTuple):
    """The bots of a table, as kernels take them: a kernel has six seats, and those without a bot are never asked.

    By seat: who chooses, who observes, whether it takes notes, whether it sees the own hand, too; a row of parameters.
    """

    choosers: Any
    observers: Any
    takes_notes: npt.NDArray[np.bool_]
    sees_hand: npt.NDArray[np.bool_]
    parameters: npt.NDArray[np.float64]


_CHOOSERS = types.UniTuple(types.FunctionType(CHOOSE), MAX_PLAYERS)
_OBSERVERS = types.UniTuple(types.FunctionType(OBSERVE), MAX_PLAYERS)
SEATED = types.NamedTuple((_CHOOSERS, _OBSERVERS, boolean[::1], boolean[::1], float64[:, ::1]), Seated)


# seated, games, g, rulebooks, deck, memory, chance
@kernel_of_type(int64(SEATED, GAMES_TYPE, int64, RULES_TYPE, int8[::1], int64[:, ::1], uint64[::1]))
def ask(seated, games, g, rulebooks, deck, memory, chance):  # type: ignore[no-untyped-def]
    """Return what the bot to move in game g chooses, from what it may see; ILLEGAL if that is not legal."""
    game, rulebook = games[g], rulebooks[0]
    seat = wide(game["current"])
    if not seated.sees_hand[seat]:
        hide_hand(game, rulebook, seat)
    action = seated.choosers[seat](games, g, rulebooks, seat, memory, seated.parameters, chance)
    show_hand(game, rulebook, seat, deck)
    if action < 0 or action >= rulebook["num_actions"] or not legal_mask(game, rulebook) >> action & 1:
        return ILLEGAL
    return action


# seated, games, g, rulebooks, deck, memory
@kernel_of_type(void(SEATED, GAMES_TYPE, int64, RULES_TYPE, int8[::1], int64[:, ::1]))
def tell(seated, games, g, rulebooks, deck, memory):  # type: ignore[no-untyped-def]
    """Let every bot that takes notes observe the last turn of game g."""
    game, rulebook = games[g], rulebooks[0]
    for seat in range(rulebook["players"]):
        if seated.takes_notes[seat]:
            hide_hand(game, rulebook, seat)
            seated.observers[seat](games, g, rulebooks, seat, memory, seated.parameters)
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


def _pointers(functions: Iterable[Any], signature: Any) -> tuple[Any, ...]:
    """Return functions to pass to a kernel; with the compiler off they are passed as they are."""
    return tuple(_Pointer(each, signature) if hasattr(each, "get_compile_result") else each for each in functions)


class Seats:
    """Who sits where: compiled bots in some seats, and how much each of them remembers."""

    def __init__(self, bots: Mapping[int, CompiledBot]) -> None:
        some = next(iter(bots.values()))
        seats = [bots.get(seat, some) for seat in range(MAX_PLAYERS)]
        self.is_bot = np.array([seat in bots for seat in range(MAX_PLAYERS)])
        settings = [() if bot.parameters is None else bot.parameters for bot in seats]
        parameters = np.zeros((MAX_PLAYERS, max(1, *map(len, settings))))
        for seat, row in enumerate(settings):
            parameters[seat, : len(row)] = row
        self.seated = Seated(
            _pointers((bot.choose for bot in seats), CHOOSE),
            _pointers((bot.observe or _observe_nothing for bot in seats), OBSERVE),
            self.is_bot & np.array([bot.observe is not None for bot in seats]),
            np.array([bot.sees == "hands" for bot in seats]),
            parameters,
        )
        self.memory_words = max(1, *(bot.memory_words for bot in seats))
        self.notes_words = max(bot.memory_words if bot.notes_words is None else bot.notes_words for bot in seats)

    def new_memory(self, *games: int) -> npt.NDArray[np.int64]:
        """Return memory for a table, or for so many games: a row for each seat."""
        return np.zeros((*games, MAX_PLAYERS, self.memory_words), np.int64)


_TABLE = types.Tuple((GAMES_TYPE, RULES_TYPE, int8[::1], int64[:, ::1], uint64[::1]))
_RESULTS = types.Tuple((int8[::1], int8[::1], int16[::1]))


# seated, (games, rulebooks, deck, memory, chance), plan, is_fixed, (scores, endings, turns)
@kernel_of_type(void(SEATED, _TABLE, int64[::1], boolean, _RESULTS))
def _play_many(seated, table, plan, is_fixed, results):  # type: ignore[no-untyped-def]
    """Play the games of a plan (seed, first game, repeats of each deal, starter, words of notes); one row each."""
    seed, first, repeats, starter, notes = plan
    games, rulebooks, deck, memory, chance = table
    scores, endings, turns = results
    game, rulebook = games[0], rulebooks[0]
    for i in range(len(scores)):
        number, repeat = first + i // repeats, i % repeats
        if not is_fixed:
            shuffle_deck(deck, rulebook, seed, number, chance)
        seat_chance(chance, seed, number, repeat)
        memory[:, :notes] = 0
        start(game, rulebook, deck, starter)
        while game["ending"] == ONGOING:
            action = ask(seated, games, 0, rulebooks, deck, memory, chance)
            if action == ILLEGAL:
                game["ending"] = ILLEGAL
                break
            act(game, rulebook, deck, action)
            tell(seated, games, 0, rulebooks, deck, memory)
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
        self._seats = Seats(dict(enumerate(bots)))
        self._deck = np.zeros(MAX_DECK, np.int8)
        memory, chance = self._seats.new_memory(), np.zeros(MAX_PLAYERS, np.uint64)
        self._table = (np.zeros(1, GAME), rulebook_of(rules), self._deck, memory, chance)

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
        plan = np.array([seed, first, repeats, starter, self._seats.notes_words])
        filled = (results.scores, results.endings, results.turns)
        _play_many(self._seats.seated, self._table, plan, deal is not None, filled)
        illegal = np.flatnonzero(results.endings == ILLEGAL)
        if len(illegal):
            raise IllegalActionError(
                f"game {first + illegal[0] // repeats} of seed {seed}: a bot chose an illegal action"
            )
        return results
