"""The compiled table: bots in their seats, many games one after another, without leaving the kernel.

The same as `bots.table`, number for number: a test plays the same seeds at both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from handful.hanabi.kernels.game import act, legal_mask, note_hintable, score, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, HIDDEN, MAX_DECK, ONGOING, Decks, Game, Games, Rulebook, rulebook_of
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.splitmix import BOT_STREAM
from handful.splitmix_jit import add_key, seed_key

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


_SEATS = types.UniTuple(types.FunctionType(CHOOSE), MAX_PLAYERS)
_WATCHERS = types.UniTuple(types.FunctionType(OBSERVE), MAX_PLAYERS)
# choosers, observers, takes_notes, sees_hand, games, rules, deck, memory, parameters, chance
_TABLE = (
    *(_SEATS, _WATCHERS, boolean[::1], boolean[::1], GAMES_TYPE, RULES_TYPE),
    *(int8[::1], int64[:, ::1], float64[:, ::1], uint64[::1]),
)


@kernel_of_type(void(*_TABLE))
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


@kernel_of_type(void(*_TABLE, int64[::1], boolean, int8[::1], int8[::1], int16[::1]))
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
        for seat in range(rulebook["players"]):
            key = add_key(add_key(add_key(seed_key(seed), BOT_STREAM), number), repeat)
            chance[seat] = add_key(key, seat)
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
        self._rules = rulebook_of(rules)
        seats = [*bots, *[bots[0]] * (MAX_PLAYERS - len(bots))]  # the kernel has six seats; empty ones are never asked
        self._choosers = tuple(bot.choose for bot in seats)
        self._observers = tuple(bot.observe or _observe_nothing for bot in seats)
        self._takes_notes = np.array([bot.observe is not None for bot in seats])
        self._sees_hand = np.array([bot.sees == "hands" for bot in seats])
        words = [bot.memory_words if bot.notes_words is None else bot.notes_words for bot in seats]
        self._notes_words = max(words)
        self._memory = np.zeros((MAX_PLAYERS, max(1, *(bot.memory_words for bot in seats))), np.int64)
        settings = [() if bot.parameters is None else bot.parameters for bot in seats]
        self._parameters = np.zeros((MAX_PLAYERS, max(1, *map(len, settings))))
        for seat, row in enumerate(settings):
            self._parameters[seat, : len(row)] = row
        self._chance = np.zeros(MAX_PLAYERS, np.uint64)
        self._game = np.zeros(1, GAME)
        self._deck = np.zeros(MAX_DECK, np.int8)

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
        _play_many(
            self._choosers,
            self._observers,
            self._takes_notes,
            self._sees_hand,
            self._game,
            self._rules,
            self._deck,
            self._memory,
            self._parameters,
            self._chance,
            np.array([seed, first, repeats, starter, self._notes_words]),
            deal is not None,
            results.scores,
            results.endings,
            results.turns,
        )
        illegal = np.flatnonzero(results.endings == ILLEGAL)
        if len(illegal):
            raise IllegalActionError(
                f"game {first + illegal[0] // repeats} of seed {seed}: a bot chose an illegal action"
            )
        return results
