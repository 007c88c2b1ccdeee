"""What a search works on: a position as a seat sees it, worlds that it may be in, actions to try, what came of them.

A *world* is a deck: at the places of the own cards and of the cards not drawn yet it has what these are there. A
*play-out* is the rest of the game in a world, after an action, if everybody plays as the blueprint does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful.bots.shared.clock_kernel import nanoseconds
from handful.bots.shared.worlds_kernel import WORLD
from handful.hanabi.kernels.game import note_hintable
from handful.hanabi.kernels.layout import (
    GAME,
    MAX_ACTIONS,
    MAX_DECK,
    NO_CARD,
    NOT_YET,
    Game,
    Games,
    Rulebook,
    Rulebooks,
)
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int8]

# Settings of a search. Worlds to try all actions in, at most; how many of them make the first round, after which the
# blueprint's action is taken if it wins in all; how many standard errors better another action must be, and how much
# worse one is given up; whether the mean score counts, and not perfect games; the largest deck with which to search;
# consistent deals that are few enough to try all of them.
WORLDS, FIRST_WORLDS, Z, Z_DROP, IS_MEAN, FROM_DECK, EXACT_DEALS = range(7)
# Beliefs: hands that are drawn, at most; the partner's last actions that they are judged by; what a hand is worth,
# with each action that does not fit.
HANDS, ACTIONS_BACK, UNFIT = range(7, 10)
# Time for a move, at most; 0: as long as it takes.
MILLISECONDS = 10
SEARCH_SETTINGS = 11

UNTRIED = -1  # no play-out yet

# The state of a race: how many actions and worlds it has, the best value there is, whether these are all worlds; the
# worlds of the rounds so far; the actions other than the first that may still win, as a mask; what is to be tried next;
# the winner; and when time is up, by the clock of `clock_kernel`, or 0.
COUNT, NUM_WORLDS, MOST, IS_EXACT, TRIED, ALIVE, NUM_TRIES, CHOSEN, DEADLINE = range(9)
STATE_WORDS = 9
MOST_TRIES = 1024  # at once
MOST_TURNS = 300  # of a play-out: only games without a last round may take longer


class Scene(NamedTuple):
    """A search. Scratch: games[0], memory[0] and chance; the position: games[1] and the public words of memory[1]."""

    games: Games
    rulebooks: Rulebooks
    memory: Ints
    parameters: Floats  # one row: what the blueprint is given in play-outs
    chance: Chance
    stream: Chance  # one counter, from which all chance of the search comes
    settings: Floats
    actions: Ints  # the actions to try; the first is the blueprint's
    decks: SmallInts  # a world each
    weights: Floats  # a world each
    values: SmallInts  # per action and world: what came of it, or UNTRIED
    state: Ints  # of the race
    tries: Ints  # per row: an action, by its place in `actions`, and a world in which to try it
    unseen: npt.NDArray[Any]  # one record of type `World`: what the seat cannot see


@kernel
def set_scene(
    games: Games, g: int, rulebooks: Rulebooks, row: Ints, words: int, settings: Floats, parameters: Floats
) -> Scene:
    """Return a scene for the position that a seat sees, with the first `words` of its row as what is public.

    `settings` are those of the search, `parameters` those of the blueprint in play-outs.
    """
    most = max(wide(settings[WORLDS]), wide(settings[EXACT_DEALS]))
    scene = Scene(
        np.zeros(2, GAME),
        rulebooks,
        np.zeros((2, len(row)), np.int64),
        np.zeros((1, len(parameters))),
        np.zeros(MAX_PLAYERS, np.uint64),
        np.zeros(1, np.uint64),
        settings,
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros((most, MAX_DECK), np.int8),
        np.ones(most),
        np.full((MAX_ACTIONS, most), UNTRIED, np.int8),
        np.zeros(STATE_WORDS, np.int64),
        np.zeros((MOST_TRIES, 2), np.int64),
        np.zeros(1, WORLD),
    )
    scene.games[1] = games[g]
    for word in range(words):
        scene.memory[1, word] = row[word]
    scene.parameters[0] = parameters
    if settings[MILLISECONDS] > 0:
        scene.state[DEADLINE] = nanoseconds() + wide(1e6 * settings[MILLISECONDS])
    return scene


@kernel
def is_time_up(scene: Scene) -> bool:
    """Return whether the time for this move is over."""
    return bool(scene.state[DEADLINE] > 0 and nanoseconds() >= scene.state[DEADLINE])


@inlined_kernel
def enter_world(scene: Scene, world: int, words: int) -> None:
    """Lay the position into the scratch game, with the own cards that the world has."""
    game, rulebook = scene.games, scene.rulebooks[0]
    game[0] = game[1]
    seat = wide(game[0]["current"])
    first = seat * wide(rulebook["hand_size"])
    for place in range(first, first + game[0]["lengths"][seat]):
        order = game[0]["orders"][place]
        game[0]["cards"][order] = scene.decks[world, order]
    note_hintable(game[0], rulebook, seat)
    for word in range(words):
        scene.memory[0, word] = scene.memory[1, word]
    for other in range(rulebook["players"]):
        scene.chance[other] = add_key(add_key(scene.stream[0], world), other)


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
    turns = wide(game["turns_left"])
    if turns == NOT_YET:
        turns = wide(rulebook["deck_size"]) - wide(game["drawn"]) + wide(rulebook["players"])
    return bool(rulebook["has_last_round"] and wide(game["points"]) + turns < rulebook["max_score"])


@kernel
def is_hopeless(game: Game, rulebook: Rulebook) -> bool:
    """Return whether a perfect game is impossible: all copies of a needed card are gone, or there are too few turns."""
    for card in range(rulebook["types"]):
        if game["left"][card] == 0 and rulebook["value_of"][card] > game["stacks"][rulebook["suit_of"][card]]:
            return True
    return too_few_turns(game, rulebook)
