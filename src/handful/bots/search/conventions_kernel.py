"""The bot `search` on top of `conventions`, compiled.

The notes of `conventions` are public, so that in a world one copy of them serves both players.

The partner's actions say something about one's own hand, which the partner saw: a hand is likely if, with it, the
blueprint would have done what the partner did. All that is needed is the list of the actions so far: the game is played
again in thought, up to each of the partner's last turns, and the blueprint is asked there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel, kernel_of_type
from handful._records import Annotated, Bytes, Floats, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.conventions.conventions_kernel import (
    DISHONEST,
    NUM_WEIGHTS,
    WEIGHTS,
    choose_action,
    first_weight,
    score_of,
)
from handful.bots.conventions.conventions_kernel import choose as blueprint
from handful.bots.conventions.notes_kernel import HAND, NOTES, PAPER, Paper, note_turn
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.search.race_kernel import SEARCH, Scene, is_worthwhile, run_race, set_scene, start_race
from handful.bots.search.worlds_kernel import gather_hidden, lay_world, list_all_worlds, shuffle_rest
from handful.bots.shared.worlds_kernel import WORLD, draw_hand
from handful.hanabi.kernels.game import act, legal_mask, note_hintable, start
from handful.hanabi.kernels.layout import GAME, HIDDEN, MAX_DECK, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance, next_bits, unit

MOST_LOGGED = 250


class Log(TypedDict):
    """The actions so far, of both players."""

    length: Annotated[int, np.int64]
    actions: Annotated[Ints, np.int64, MOST_LOGGED]


LOG = record_type(Log)

# A row of memory: the notes of `conventions` and its scratch paper, then the log. All of it is kept from turn to turn.
NOTES_WORDS = words_of(NOTES)
LOG_AT = words_of(PAPER)
MEMORY_WORDS = words_of(PAPER, LOG)

GOLDEN_SHARE = 0.6180339887498949  # its multiples fill the unit interval evenly, wherever one stops
ENOUGH = 0.5  # hands that fit are enough when their weights sum up to this share of the worlds
HOPELESS = 1e-3  # the weight below which a hand is not looked at any more


class Past(NamedTuple):
    """The partner's last turns, an entry each: the game before it, what both knew then, and what the partner did."""

    games: Games
    papers: npt.NDArray[Any]  # records of type `Paper`
    actions: Ints
    found: Ints  # one number: how many turns there are


@kernel
def log_action(game: Game, log: Log) -> None:
    """Add the last action to the list; a game that was not followed from its first turn on has none."""
    if game["turn"] == log["length"] + 1 and log["length"] < MOST_LOGGED:
        log["actions"][log["length"]] = game["last_action"]
        log["length"] += 1


@kernel
def replay(scene: Scene, paper: Paper, log: Log, hand: Bytes) -> Past:
    """Return the partner's last turns, at most so many as the settings say; none if they cannot be understood.

    `hand` is any that fits the hints: what is public does not depend on it.
    """
    game, rulebook, most = scene.games[1], scene.rulebooks[0], wide(scene.settings[0]["back"])
    past = Past(np.zeros(most, GAME), np.zeros(most, PAPER), np.zeros(most, np.int64), np.zeros(1, np.int64))
    turns = wide(game["turn"])
    if turns == 0 or log["length"] != turns:
        return past
    deck = np.zeros(MAX_DECK, np.int8)
    for order in range(game["drawn"]):
        deck[order] = game["cards"][order]
    seat = wide(game["current"])
    for slot in range(game["lengths"][seat]):
        deck[game["orders"][seat * wide(rulebook["hand_size"]) + slot]] = hand[slot]
    for order in range(game["drawn"]):
        if deck[order] == HIDDEN:
            return past
    scratch, public = np.zeros(1, GAME), np.zeros(1, PAPER)
    start(scratch[0], rulebook, deck, (seat + turns) % 2)
    found = wide(0)
    for turn in range(turns):
        action = log["actions"][turn]
        # The partner's turns are the last one, the one before the one before it, and so on.
        if (turns - turn) % 2 == 1 and (turns - turn) // 2 < most:
            past.games[found] = scratch[0]
            past.papers[found] = public[0]
            past.actions[found] = action
            found += 1
        act(scratch[0], rulebook, deck, action)
        note_turn(scratch[0], rulebook, public[0])
    for player in range(2):
        for slot in range(HAND):
            if public[0]["masks"][player, slot] != paper["masks"][player, slot]:
                return past  # somebody means something else by it
    past.found[0] = found
    return past


@kernel
def likelihood(scene: Scene, past: Past, hand: Bytes) -> float:
    """Return how well a hand fits the partner's last actions: `unfit` for each that the blueprint would not do."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    seat, size = wide(game["current"]), wide(rulebook["hand_size"])
    likely, unfit = 1.0, float(scene.settings[0]["unfit"])
    for i in range(past.found[0] - 1, -1, -1):
        then = past.games[i]
        for slot in range(game["lengths"][seat]):
            then["cards"][game["orders"][seat * size + slot]] = hand[slot]
        note_hintable(then, rulebook, seat)
        if choose_action(then, rulebook, past.papers[i], 1 - seat, scene.parameters[0]) != past.actions[i]:
            likely *= unfit
            if likely < HOPELESS:
                return likely
    return likely


@kernel
def draw_likely_worlds(scene: Scene, paper: Paper, log: Log, most: int) -> int:
    """Draw so many worlds, with hands as likely as they are by the partner's last actions; return how many."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    num_hands = wide(scene.settings[0]["hands"])
    worlds, sums = np.zeros(num_hands, WORLD), np.zeros(num_hands + 1)
    if not draw_hand(scene.unseen[0], scene.stream, 0):
        return 0
    past = replay(scene, paper, log, scene.unseen[0]["hand"])
    drawn = wide(0)
    while drawn < num_hands and sums[drawn] < ENOUGH * most:
        if drawn > 0:
            draw_hand(scene.unseen[0], scene.stream, 0)
        worlds[drawn] = scene.unseen[0]
        sums[drawn + 1] = sums[drawn] + likelihood(scene, past, worlds[drawn]["hand"])
        drawn += 1
    share = unit(scene.stream, 0)
    for number in range(most):
        # The hand in whose part of the sum of all weights this share of it falls.
        share += GOLDEN_SHARE
        if share >= 1.0:
            share -= 1.0
        chosen = min(np.searchsorted(sums[1 : drawn + 1], share * sums[drawn], side="right"), drawn - 1)
        lay_world(scene, worlds[chosen], number)
        shuffle_rest(rulebook, scene.decks[number], wide(game["drawn"]), scene.stream)
    return most


@kernel
def read_hand(scene: Scene, world: int, hand: Bytes) -> None:
    """Write the own hand of a world."""
    game = scene.games[1]
    seat = wide(game["current"])
    for slot in range(game["lengths"][seat]):
        hand[slot] = scene.decks[world, game["orders"][seat * wide(scene.rulebooks[0]["hand_size"]) + slot]]


@kernel
def weigh_worlds(scene: Scene, paper: Paper, log: Log, worlds: int) -> None:
    """Write how likely each world is by the partner's last actions."""
    hand = np.zeros(HAND, np.int8)
    read_hand(scene, 0, hand)
    past = replay(scene, paper, log, hand)
    for world in range(worlds):
        read_hand(scene, world, hand)
        scene.weights[world] = likelihood(scene, past, hand)


@kernel
def list_honest(game: Game, rulebook: Rulebook, paper: Paper, seat: int, table: Floats, actions: Ints) -> int:
    """Write the honest actions after the blueprint's, which is the first; return how many there are.

    Plays that cannot succeed are left out. The likelier ones for the blueprint come first.
    """
    size = wide(rulebook["hand_size"])
    weights = record_in(table, first_weight(game, rulebook), WEIGHTS)
    legal = legal_mask(game, rulebook)
    scores = np.zeros(len(actions))
    count = 1
    for action in range(rulebook["num_actions"]):
        if not legal >> action & 1 or action == actions[0]:
            continue
        if size <= action < 2 * size and not paper["own"][action - size] & paper["playable"]:
            continue
        outlook = score_of(game, rulebook, paper, seat, action, weights)
        if outlook > DISHONEST:
            at = count
            while at > 1 and scores[at - 1] < outlook:
                scores[at], actions[at] = scores[at - 1], actions[at - 1]
                at -= 1
            scores[at], actions[at] = outlook, action
            count += 1
    return count


@kernel
def follow(scene: Scene, _deck: Bytes) -> int:
    """Take note of the last turn of a play-out; return what the blueprint does then."""
    game, rulebook, paper = scene.games[0], scene.rulebooks[0], record_in(scene.memory[0], 0, PAPER)
    note_turn(game, rulebook, paper)
    return choose_action(game, rulebook, paper, wide(game["current"]), scene.parameters[0])


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _parameters: Floats) -> None:
    """Take note of what a turn meant, and of the turn."""
    note_turn(games[g], rulebooks[0], record_in(memory[seat], 0, PAPER))
    log_action(games[g], record_in(memory[seat], LOG_AT, LOG))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is clearly better in the worlds that the seat thinks possible."""
    habit = blueprint(games, g, rulebooks, seat, memory, parameters, chance)
    game, rulebook, paper = games[g], rulebooks[0], record_in(memory[seat], 0, PAPER)
    num_weights = (wide(rulebook["deck_size"]) - 2 * wide(rulebook["hand_size"]) + 1) * NUM_WEIGHTS
    settings = record_in(parameters[seat], num_weights, SEARCH)
    if not is_worthwhile(game, rulebook, settings):
        return habit
    scene = set_scene(games, g, rulebooks, memory[seat], NOTES_WORDS, settings, parameters[seat, :num_weights])
    scene.actions[0] = habit
    count = list_honest(game, rulebook, paper, seat, parameters[seat], scene.actions)
    if count == 1:
        return habit
    scene.stream[0] = next_bits(chance, seat)
    masks = paper["own"][: paper["length"][seat]]
    if not gather_hidden(scene, paper["unseen"], masks):
        return habit  # the partner means something else
    log = record_in(memory[seat], LOG_AT, LOG)
    worlds = list_all_worlds(scene, masks, wide(settings["exact_deals"]))
    is_exact = worlds > 0
    if is_exact:
        weigh_worlds(scene, paper, log, worlds)
    else:
        worlds = draw_likely_worlds(scene, paper, log, wide(settings["worlds"]))
    start_race(scene, count, worlds, wide(rulebook["max_score"]), is_exact)
    return run_race(scene, NOTES_WORDS, follow)
