"""The compiled table: bots in their seats, many games one after another, without leaving the kernel.

The same as `bots.table`, number for number: a test plays the same seeds at both. `take_turn` is all there is of play:
the simulator, environments and data sets differ in what they do between turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import boolean, float64, int8, int16, int32, int64, types, uint64, void

from handful._bits import wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Floats, Ints, SmallInts
from handful.bots.kernel_types import CHOOSE, GAMES_TYPE, OBSERVE, RULES_TYPE
from handful.bots.protocol import CompiledBot
from handful.errors import IllegalActionError, RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.kernels import game as rules_kernel
from handful.hanabi.kernels.bridge import deck_from_cards
from handful.hanabi.kernels.game import legal_mask, note_hintable, score, seat_chance, shuffle_deck, start
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
from handful.hanabi.kernels.special import cover
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.splitmix_jit import Chance

ILLEGAL = -2  # the ending of a game in which a bot chose an action that is not legal


class Tables(NamedTuple):
    """Tables as kernels take them, a row each: the games, and what else lies there. All have the same rules.

    `decks` is int8 (tables, MAX_DECK), all cards open; `chance` uint64 (tables, MAX_PLAYERS), each seat's own stream.
    `memory` is what the bots remember, int64 (tables, MAX_PLAYERS, words): the first `notes_words` are their notes.
    `hints_before` is int32: the hint tokens before the last turn of each game. `aside` is one game: where a game is
    kept as it is, while a seat is shown less than what usually lies open.
    """

    games: Games
    rulebooks: Rulebooks
    decks: Decks
    chance: Chance
    memory: Ints
    hints_before: SmallInts
    notes_words: int
    aside: Games


class Seated(NamedTuple):
    """The bots of a table as kernels take them: there are six seats, and those without a bot are never asked.

    By seat: who chooses, who observes, and the settings of each; as masks of seats, who is a bot, who takes notes, and
    who sees the own hand, too.
    """

    choosers: Any
    observers: Any
    parameters: Floats
    bots_mask: int
    notes_mask: int
    open_mask: int


TABLES = types.NamedTuple(
    (GAMES_TYPE, RULES_TYPE, int8[:, ::1], uint64[:, ::1], int64[:, :, ::1], int32[::1], int64, GAMES_TYPE), Tables
)
SEATED = types.NamedTuple(
    (
        types.UniTuple(types.FunctionType(CHOOSE), MAX_PLAYERS),
        types.UniTuple(types.FunctionType(OBSERVE), MAX_PLAYERS),
        *(float64[:, ::1], int64, int64, int64),
    ),
    Seated,
)


def empty_tables(rules: Rules, count: int, memory_words: int = 1, notes_words: int = 0) -> Tables:
    """Return so many tables at which nothing has been dealt."""
    return Tables(
        np.zeros(count, GAME),
        rulebook_of(rules),
        np.zeros((count, MAX_DECK), np.int8),
        np.zeros((count, MAX_PLAYERS), np.uint64),
        np.zeros((count, MAX_PLAYERS, memory_words), np.int64),
        np.zeros(count, np.int32),
        notes_words,
        np.zeros(1, GAME),
    )


# A turn


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


@kernel
def cover_table(tables: Tables, g: int, seat: int) -> None:
    """Turn face down what this variant hides from a seat, keeping the game aside. `hide_hand` goes before it."""
    tables.aside[0] = tables.games[g]
    cover(tables.games[g], tables.rulebooks[0], seat)


@kernel
def uncover_table(tables: Tables, g: int) -> None:
    """Show all again that `cover_table` hid."""
    tables.games[g] = tables.aside[0]


@inlined_kernel
def is_legal(game: Game, rulebook: Rulebook, action: int) -> bool:
    """Whether a number is that of an action that the seat to move may choose."""
    return 0 <= action < rulebook["num_actions"] and legal_mask(game, rulebook) >> action & 1 == 1


@inlined_kernel
def act(tables: Tables, g: int, action: int) -> None:
    """Carry out a legal action of the seat to move in game g."""
    game = tables.games[g]
    tables.hints_before[g] = game["hints"]
    rules_kernel.act(game, tables.rulebooks[0], tables.decks[g], action)


@inlined_kernel
def tell(seated: Seated, tables: Tables, g: int) -> None:
    """Let every bot that takes notes observe the last turn of game g."""
    game, rulebook = tables.games[g], tables.rulebooks[0]
    for seat in range(rulebook["players"]):
        if seated.notes_mask >> seat & 1:
            hide_hand(game, rulebook, seat)
            if rulebook["hides"]:
                cover_table(tables, g, seat)
            seated.observers[seat](tables.games, g, tables.rulebooks, seat, tables.memory[g], seated.parameters)
            if rulebook["hides"]:
                uncover_table(tables, g)
            show_hand(game, rulebook, seat, tables.decks[g])


@inlined_kernel
def take_turn(seated: Seated, tables: Tables, g: int) -> None:
    """Let the bot to move in game g choose from what it may see, and act; the game ends with ILLEGAL if it may not."""
    game, rulebook, seat = tables.games[g], tables.rulebooks[0], wide(tables.games[g]["current"])
    if not seated.open_mask >> seat & 1:
        hide_hand(game, rulebook, seat)
    is_covered = rulebook["hides"] and not seated.open_mask >> seat & 1
    if is_covered:
        cover_table(tables, g, seat)
    action = seated.choosers[seat](
        tables.games, g, tables.rulebooks, seat, tables.memory[g], seated.parameters, tables.chance[g]
    )
    if is_covered:
        uncover_table(tables, g)
    show_hand(game, rulebook, seat, tables.decks[g])
    if is_legal(game, rulebook, action):
        act(tables, g, action)
        tell(seated, tables, g)
    else:
        game["ending"] = ILLEGAL


@inlined_kernel
def start_game(tables: Tables, g: int, starter: int) -> None:
    """Deal the hands of a new game from the deck at table g; the bots remember nothing."""
    tables.memory[g, :, : tables.notes_words] = 0
    start(tables.games[g], tables.rulebooks[0], tables.decks[g], starter)
    tables.hints_before[g] = tables.games[g]["hints"]


@inlined_kernel
def deal_game(tables: Tables, g: int, seed: int, number: int, repeat: int) -> None:
    """Start deal `number` of a seed at table g, with the chance that the bots have there in this repeat."""
    shuffle_deck(tables.decks[g], tables.rulebooks[0], seed, number, tables.chance[g])
    seat_chance(tables.chance[g], seed, number, repeat)
    start_game(tables, g, 0)


# Who sits where


@kernel_of_type(OBSERVE)
def _observe_nothing(
    _games: Games, _g: int, _rulebooks: Rulebooks, _seat: int, _memory: object, _parameters: object
) -> None:
    pass


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
    """Compiled bots in some seats, `seated` as kernels take them, and tables that are large enough for their memory.

    For kernels that are called often, a turn or a few games at a time, bots are passed `by_address`: the call of the
    kernel is then quick, that of a bot a little slower.
    """

    def __init__(self, bots: Mapping[int, CompiledBot], by_address: bool = True) -> None:
        some = next(iter(bots.values()))
        self._bots = [bots.get(seat, some) for seat in range(MAX_PLAYERS)]
        settings = [() if bot.parameters is None else bot.parameters for bot in self._bots]
        parameters = np.zeros((MAX_PLAYERS, max(1, *map(len, settings))))
        for seat, row in enumerate(settings):
            parameters[seat, : len(row)] = row
        self.seated = Seated(
            _functions((bot.choose for bot in self._bots), CHOOSE, by_address),
            _functions((bot.observe or _observe_nothing for bot in self._bots), OBSERVE, by_address),
            parameters,
            sum(1 << seat for seat in bots),
            sum(1 << seat for seat, bot in bots.items() if bot.observe is not None),
            sum(1 << seat for seat, bot in bots.items() if bot.sees == "hands"),
        )

    def tables(self, rules: Rules, count: int = 1) -> Tables:
        """Return so many empty tables for these bots."""
        memory_words = max(1, *(bot.memory_words for bot in self._bots))
        notes = (bot.memory_words if bot.notes_words is None else bot.notes_words for bot in self._bots)
        return empty_tables(rules, count, memory_words, max(notes))


# The simulator


class Results(NamedTuple):
    """The results of some games, in their order: `scores` and `endings` (see `layout.ENDINGS`) int8, `turns` int16."""

    scores: npt.NDArray[np.int8]
    endings: npt.NDArray[np.int8]
    turns: npt.NDArray[np.int16]


class _Plan(NamedTuple):
    """Deals of a seed from the first on, each so often; or, if `is_fixed`, always the deck that lies on the table."""

    seed: int
    first: int
    repeats: int
    is_fixed: bool
    starter: int


_PLAN = types.NamedTuple((int64, int64, int64, boolean, int64), _Plan)
_RESULTS = types.NamedTuple((int8[::1], int8[::1], int16[::1]), Results)


@kernel_of_type(void(SEATED, TABLES, _PLAN, _RESULTS), borrows=True)
def _play(seated: Seated, tables: Tables, plan: _Plan, results: Results) -> None:
    """Play the games of a plan at the first table, as many as there are places for results."""
    game = tables.games[0]
    for i in range(len(results.scores)):
        number, repeat = plan.first + i // plan.repeats, i % plan.repeats
        if plan.is_fixed:
            seat_chance(tables.chance[0], plan.seed, number, repeat)
            start_game(tables, 0, plan.starter)
        else:
            deal_game(tables, 0, plan.seed, number, repeat)
        while game["ending"] == ONGOING:
            take_turn(seated, tables, 0)
        results.scores[i] = score(game, tables.rulebooks[0])
        results.endings[i] = game["ending"]
        results.turns[i] = game["turn"]


class CompiledTable:
    """A table with a compiled bot in each seat."""

    def __init__(self, rules: Rules, bots: Sequence[CompiledBot]) -> None:
        if len(bots) != rules.players:
            raise RulesError(f"{len(bots)} bots for {rules.players} seats")
        seats = Seats(dict(enumerate(bots)), by_address=False)
        self.rules, self._seated, self._tables = rules, seats.seated, seats.tables(rules)

    def play(self, seed: int, first: int, count: int, repeats: int = 1, deal: Deal | None = None) -> Results:
        """Return the results of deals first, …, first + count − 1 of a seed, each played `repeats` times.

        With a `deal`, every game is on that deal, and only the bots' chance differs.
        """
        games = count * repeats
        results = Results(np.zeros(games, np.int8), np.zeros(games, np.int8), np.zeros(games, np.int16))
        if deal is not None:
            self._tables.decks[0] = deck_from_cards(self.rules, deal.deck)
        plan = _Plan(seed, first, repeats, deal is not None, 0 if deal is None else deal.starter)
        _play(self._seated, self._tables, plan, results)
        illegal = np.flatnonzero(results.endings == ILLEGAL)
        if len(illegal):
            raise IllegalActionError(
                f"game {first + illegal[0] // repeats} of seed {seed}: a bot chose an illegal action"
            )
        return results
