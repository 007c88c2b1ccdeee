"""What a search works on, and the race: which action is best in worlds that the position may be in.

A *world* is a deck: at the places of the own cards and of the cards not drawn yet it has what these are there. A
*play-out* is the rest of the game in a world, after an action, if everybody plays as the blueprint does.

Actions are tried in the same worlds until it is clear which is best, or all worlds have been tried. With v the value of
an action in a world of weight w, and h that of the blueprint's action, d = w (v − h) is summed over the worlds:
z = Σ d / √Σ d² says by how many standard errors the action is better. For perfect games this is
(gained − lost) / √(gained + lost): only worlds in which the two differ count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Bytes, Floats, Ints, TypedDict, record_type
from handful.bots.search.settings import PARAMETERS
from handful.bots.settings import Settings, settings_type
from handful.bots.shared.clock_kernel import nanoseconds
from handful.bots.shared.lost_kernel import is_hopeless, is_lost
from handful.bots.shared.worlds_kernel import WORLD
from handful.hanabi.kernels.game import act, note_hintable, score
from handful.hanabi.kernels.layout import (
    GAME,
    MAX_ACTIONS,
    MAX_DECK,
    ONGOING,
    PERFECT,
    Game,
    Games,
    Rulebook,
    Rulebooks,
)
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key

SEARCH = settings_type(PARAMETERS)

UNTRIED = -1  # no play-out yet
MOST_TRIES = 1024  # at once
MOST_TURNS = 300  # of a play-out: only games without a last round may take longer
# The next three, and those of `search.settings`: no search for them was recorded; what comes of them is measured by
# ``python -m benchmarks.search_players``, on deals of seed 2,000,003.
MIN_MISSED = 8  # worlds that the first action must have missed before others are judged by what they gain there
CHUNK = 8  # worlds that are tried at once with an action that may turn out not to be good
SURELY = 1.0  # standard errors more than needed, with which an action is taken before all worlds are tried


class Race(TypedDict):
    """How far a race is."""

    num_actions: Annotated[int, np.int64]
    num_worlds: Annotated[int, np.int64]
    most: Annotated[int, np.int64]  # the best value there is
    is_exact: Annotated[int, np.int64]  # whether these are all worlds
    tried: Annotated[int, np.int64]  # the worlds of the rounds so far
    alive_mask: Annotated[int, np.int64]  # the actions other than the first that may still win
    num_tries: Annotated[int, np.int64]  # what is to be tried next
    chosen: Annotated[int, np.int64]  # the winner, by its place in `actions`
    deadline: Annotated[int, np.int64]  # when time is up, by the clock of `clock_kernel`, or 0


RACE = record_type(Race)


class Scene(NamedTuple):
    """A search. Scratch: games[0], memory[0] and chance; the position: games[1] and the notes in memory[1]."""

    games: Games
    rulebooks: Rulebooks
    memory: Ints
    parameters: Floats  # one row: what the blueprint is given in play-outs
    chance: Chance
    stream: Chance  # one counter, from which all chance of the search comes
    settings: npt.NDArray[Any]  # one record: the settings of the search
    actions: Ints  # the actions to try; the first is the blueprint's
    decks: Bytes  # a world each
    weights: Floats  # a world each
    values: Bytes  # per action and world: what came of it, or UNTRIED
    races: npt.NDArray[Any]  # one record of type `Race`
    tries: Ints  # per row: an action, by its place in `actions`, and a world in which to try it
    unseen: npt.NDArray[Any]  # one record of type `World`: what the seat cannot see


@kernel
def set_scene(
    games: Games, g: int, rulebooks: Rulebooks, row: Ints, words: int, settings: Settings, parameters: Floats
) -> Scene:
    """Return a scene for the position that a seat sees, with its notes, the first `words` of its row.

    `settings` are those of the search, `parameters` those of the blueprint in play-outs.
    """
    most = max(wide(settings["worlds"]), wide(settings["exact_deals"]))
    scene = Scene(
        np.zeros(2, GAME),
        rulebooks,
        np.zeros((2, len(row)), np.int64),
        np.zeros((1, len(parameters))),
        np.zeros(MAX_PLAYERS, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(1, SEARCH),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros((most, MAX_DECK), np.int8),
        np.ones(most),
        np.full((MAX_ACTIONS, most), UNTRIED, np.int8),
        np.zeros(1, RACE),
        np.zeros((MOST_TRIES, 2), np.int64),
        np.zeros(1, WORLD),
    )
    scene.games[1], scene.settings[0] = games[g], settings
    for word in range(words):
        scene.memory[1, word] = row[word]
    scene.parameters[0] = parameters
    if settings["milliseconds"] > 0:
        scene.races[0]["deadline"] = nanoseconds() + wide(1e6 * settings["milliseconds"])
    return scene


@kernel
def is_time_up(scene: Scene) -> bool:
    """Return whether the time for this move is over."""
    return bool(scene.races[0]["deadline"] > 0 and nanoseconds() >= scene.races[0]["deadline"])


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


@kernel
def start_race(scene: Scene, count: int, worlds: int, most: int, is_exact: bool) -> None:
    """Begin a race of so many actions in so many worlds; `most` is the best value there is."""
    race = scene.races[0]
    race["num_actions"], race["num_worlds"], race["most"], race["is_exact"] = count, worlds, most, is_exact
    race["tried"] = worlds if is_exact else min(worlds, wide(scene.settings[0]["first_worlds"]))
    race["alive_mask"] = (wide(1) << count) - 2
    race["chosen"] = 0


@kernel
def better_by(scene: Scene, one: int, other: int) -> float:
    """Return by how many standard errors an action is better than another, in the worlds in which both were tried."""
    total, squares = 0.0, 0.0
    for world in range(scene.races[0]["tried"]):
        mine, theirs = scene.values[one, world], scene.values[other, world]
        if mine != theirs and mine != UNTRIED and theirs != UNTRIED:
            d = scene.weights[world] * (wide(mine) - wide(theirs))
            total += d
            squares += d * d
    return total / np.sqrt(squares) if squares > 0 else 0.0


@kernel
def lost_value(scene: Scene, action: int) -> float:
    """Return by how much an action has missed the best value, over the worlds in which it was tried."""
    lost = 0.0
    for world in range(scene.races[0]["tried"]):
        if scene.values[action, world] != UNTRIED:
            lost += scene.weights[world] * (scene.races[0]["most"] - wide(scene.values[action, world]))
    return lost


@kernel
def count_missed(scene: Scene) -> int:
    """Return in how many worlds of the rounds so far the first action has missed the best value."""
    missed = wide(0)
    for world in range(scene.races[0]["tried"]):
        missed += scene.values[0, world] < scene.races[0]["most"]
    return missed


@kernel
def list_tries(scene: Scene, action: int, is_missed: bool, most: int) -> int:
    """Add worlds that an action is to be tried in; return how many.

    They are at most so many of those where the first action has missed the best value, or of those where it has not.
    """
    found = wide(0)
    for world in range(scene.races[0]["tried"]):
        if found == most:
            break
        first = scene.values[0, world]
        is_wanted = action == 0 or (first < scene.races[0]["most"]) == is_missed
        if is_wanted and scene.values[action, world] == UNTRIED:
            at = scene.races[0]["num_tries"]
            if at == len(scene.tries):
                break
            scene.tries[at, 0], scene.tries[at, 1] = action, world
            scene.races[0]["num_tries"] += 1
            found += 1
    return found


@kernel
def is_fully_tried(scene: Scene, action: int) -> bool:
    """Return whether an action has been tried in all worlds so far."""
    untried = 0
    for world in range(scene.races[0]["tried"]):
        untried += scene.values[action, world] == UNTRIED
    return untried == 0


@kernel
def plan_tries(scene: Scene) -> bool:
    """Write which actions to try in which worlds next; return False if there are none, and it is decided."""
    race = scene.races[0]
    race["num_tries"] = 0
    if list_tries(scene, 0, True, len(scene.tries)):
        return True
    if race["is_exact"]:
        return plan_exactly(scene)
    while True:
        num_missed = count_missed(scene)
        if num_missed * race["num_worlds"] < scene.settings[0]["z"] ** 2 * race["tried"]:
            return False  # there will be too little to gain: the first action it is
        if num_missed >= MIN_MISSED or race["tried"] == race["num_worlds"]:
            if plan_round(scene):
                return True
            if end_round(scene):
                return False
        add_worlds(scene)
        if list_tries(scene, 0, True, len(scene.tries)):
            return True


@kernel
def plan_exactly(scene: Scene) -> bool:
    """Plan on until the expectation of every action is known, or surely not the best; of equal ones take the first."""
    least = lost_value(scene, 0)
    for action in range(1, scene.races[0]["num_actions"]):
        lost = lost_value(scene, action)
        if lost < least - 1e-9:
            if list_tries(scene, action, True, CHUNK) or list_tries(scene, action, False, CHUNK):
                return True
            scene.races[0]["chosen"], least = action, lost
    return False


@kernel
def plan_round(scene: Scene) -> bool:
    """Write which actions to try next in the worlds of this round; return False if there are none.

    At first these are the worlds where the first action has missed the best value. An action that has not gained
    enough there to be clearly better, even if it lost nothing elsewhere, need not be tried elsewhere; nor ever again,
    if more worlds like these would not help.
    """
    race, z = scene.races[0], scene.settings[0]["z"]
    for action in range(1, race["num_actions"]):
        if race["alive_mask"] >> action & 1:
            list_tries(scene, action, True, len(scene.tries))
    if race["num_tries"]:
        return True
    for action in range(1, race["num_actions"]):
        if race["alive_mask"] >> action & 1:
            so_far = better_by(scene, action, 0)
            if so_far >= z:
                list_tries(scene, action, False, CHUNK)
            elif so_far * np.sqrt(race["num_worlds"] / race["tried"]) < z and so_far < scene.settings[0]["z_drop"]:
                race["alive_mask"] ^= wide(1) << action
    return bool(race["num_tries"] > 0)


@kernel
def end_round(scene: Scene) -> bool:
    """Give up what is clearly worse than the best so far; return whether it is decided."""
    race, z = scene.races[0], scene.settings[0]["z"]
    leader, least = wide(0), lost_value(scene, 0)
    for action in range(1, race["num_actions"]):
        if race["alive_mask"] >> action & 1 and is_fully_tried(scene, action) and lost_value(scene, action) < least:
            leader, least = wide(action), lost_value(scene, action)
    for action in range(1, race["num_actions"]):
        is_rival = leader > 0 and action != leader and race["alive_mask"] >> action & 1
        if is_rival and better_by(scene, leader, action) > scene.settings[0]["z_drop"]:
            race["alive_mask"] ^= wide(1) << action
    is_clear = leader > 0 and better_by(scene, leader, 0) >= z
    if race["alive_mask"] == 0 or race["tried"] == race["num_worlds"]:
        race["chosen"] = leader if is_clear else 0
        return True
    if popcount(race["alive_mask"]) == 1 and is_clear and better_by(scene, leader, 0) >= z + SURELY:
        race["chosen"] = leader
        return True
    return False


@kernel
def end_early(scene: Scene) -> None:
    """Choose when time is up: what is best of all in the first worlds in which it was tried, if that is clear there.

    All of them count, up to the first in which the action, or the first action, was not tried: which worlds are tried
    later depends on what came of the others.
    """
    race = scene.races[0]
    race["chosen"], gained = 0, 0.0
    for action in range(1, race["num_actions"]):
        total, squares = 0.0, 0.0
        for world in range(race["num_worlds"]):
            mine, first = scene.values[action, world], scene.values[0, world]
            if mine == UNTRIED or first == UNTRIED:
                break
            d = scene.weights[world] * (wide(mine) - wide(first))
            total += d
            squares += d * d
        if total > gained and total >= scene.settings[0]["z"] * np.sqrt(squares):
            race["chosen"], gained = action, total


@kernel
def add_worlds(scene: Scene) -> None:
    """Make the round larger, by half or by as many worlds as the first one had."""
    race = scene.races[0]
    more = max(wide(scene.settings[0]["first_worlds"]), race["tried"] // 2)
    race["tried"] = min(race["num_worlds"], race["tried"] + more)


@kernel
def is_worthwhile(game: Game, rulebook: Rulebook, settings: Settings) -> bool:
    """Return whether there is something to search for: the deck is small enough, and a perfect game possible."""
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    is_mean = settings["objective"] > 0
    return bool(deck <= settings["deck"] and (is_mean or not is_hopeless(game, rulebook)))


@inlined_kernel
def play_out(scene: Scene, deck: Bytes, action: int, follow: Callable[[Scene, Bytes], int]) -> int:
    """Return the score of the game after an action; unless the mean is what counts, the best one or 0.

    `follow` takes note of the last turn, and returns what the blueprint does then.
    """
    game, rulebook, is_mean = scene.games[0], scene.rulebooks[0], scene.settings[0]["objective"] > 0
    for _ in range(MOST_TURNS):
        act(game, rulebook, deck, action)
        if game["ending"] != ONGOING or (not is_mean and is_lost(game, rulebook)):
            break
        action = follow(scene, deck)
    return wide(score(game, rulebook)) if is_mean or game["ending"] == PERFECT else wide(0)


@inlined_kernel
def run_race(scene: Scene, words: int, follow: Callable[[Scene, Bytes], int]) -> int:
    """Try actions until the race is decided or time is up; return the action chosen. Notes have so many words."""
    race, is_late = scene.races[0], False
    while not is_late and plan_tries(scene):
        for i in range(race["num_tries"]):
            is_late = is_time_up(scene)
            if is_late:
                end_early(scene)
                break
            tried, world = scene.tries[i]
            enter_world(scene, world, words)
            scene.values[tried, world] = play_out(scene, scene.decks[world], scene.actions[tried], follow)
    return wide(scene.actions[race["chosen"]])
