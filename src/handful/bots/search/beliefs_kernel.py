"""What the partner's actions say about one's own hand, if the partner plays as the bot `conventions` does.

The partner saw the hand. So a hand is likely if, with it, the blueprint would have done what the partner did. All that
is needed is the list of the actions so far: the game is played again in thought, up to each of the partner's last
turns, and the blueprint is asked there.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful.bots.conventions.meaning_kernel import note_turn
from handful.bots.conventions.policy_kernel import choose_action
from handful.bots.conventions.state_kernel import MASKS, ROW_WORDS, STATE_WORDS
from handful.bots.search.scene_kernel import ACTIONS_BACK, HANDS, UNFIT, Floats, Ints, Scene, SmallInts
from handful.bots.search.worlds_kernel import lay_world, shuffle_rest
from handful.bots.shared.worlds_kernel import WORLD, draw_hand
from handful.hanabi.kernels.game import act, note_hintable, start
from handful.hanabi.kernels.layout import GAME, HIDDEN, MAX_DECK, Game, Games, Rulebooks
from handful.splitmix_jit import unit

# The list of actions, in a row: how many they are, and each of them.
LOG = ROW_WORDS
MOST_LOGGED = 250
LOG_WORDS = 1 + MOST_LOGGED

GOLDEN_SHARE = 0.6180339887498949  # its multiples fill the unit interval evenly, wherever one stops
ENOUGH = 0.5  # hands that fit are enough when their weights sum up to this share of the worlds
HOPELESS = 1e-3  # the weight below which a hand is not looked at any more


@kernel
def log_action(game: Game, row: Ints) -> None:
    """Add the last action to the list; a game that was not followed from its first turn on has none."""
    if game["turn"] == row[LOG] + 1 and row[LOG] < MOST_LOGGED:
        row[LOG + game["turn"]] = game["last_action"]
        row[LOG] += 1


@kernel
def replay(
    game: Game, rulebooks: Rulebooks, row: Ints, hand: SmallInts, most: int, past: Games, rows: Ints, actions: Ints
) -> int:
    """Write the positions before the partner's last turns, with what was public then; return how many.

    `hand` is any that fits the hints: what is public does not depend on it.
    """
    rulebook = rulebooks[0]
    turns = wide(game["turn"])
    if turns == 0 or row[LOG] != turns:
        return 0
    deck = np.zeros(MAX_DECK, np.int8)
    for order in range(game["drawn"]):
        deck[order] = game["cards"][order]
    seat = wide(game["current"])
    for slot in range(game["lengths"][seat]):
        deck[game["orders"][seat * wide(rulebook["hand_size"]) + slot]] = hand[slot]
    for order in range(game["drawn"]):
        if deck[order] == HIDDEN:
            return 0
    scratch = np.zeros(1, GAME)
    public = np.zeros(ROW_WORDS, np.int64)
    start(scratch[0], rulebook, deck, (seat + turns) % 2)
    found = wide(0)
    for turn in range(turns):
        action = row[LOG + 1 + turn]
        # The partner's turns are the last one, the one before the one before it, and so on.
        if (turns - turn) % 2 == 1 and (turns - turn) // 2 < most:
            past[found] = scratch[0]
            rows[found] = public
            actions[found] = action
            found += 1
        act(scratch[0], rulebook, deck, action)
        note_turn(scratch[0], rulebook, public)
    for word in range(MASKS, STATE_WORDS):
        if public[word] != row[word]:
            return 0  # somebody means something else by it
    return found


@kernel
def likelihood(
    game: Game,
    rulebooks: Rulebooks,
    hand: SmallInts,
    found: int,
    past: Games,
    rows: Ints,
    actions: Ints,
    unfit: float,
    weights: Floats,
) -> float:
    """Return how well a hand fits the partner's last actions: `unfit` for each that the blueprint would not do."""
    rulebook = rulebooks[0]
    seat, size = wide(game["current"]), wide(rulebook["hand_size"])
    likely = 1.0
    for i in range(found - 1, -1, -1):
        then = past[i]
        for slot in range(game["lengths"][seat]):
            then["cards"][game["orders"][seat * size + slot]] = hand[slot]
        note_hintable(then, rulebook, seat)
        if choose_action(then, rulebook, rows[i], 1 - seat, weights) != actions[i]:
            likely *= unfit
            if likely < HOPELESS:
                return likely
    return likely


@kernel
def draw_likely_worlds(scene: Scene, row: Ints, most: int) -> int:
    """Draw so many worlds, with hands as likely as they are by the partner's last actions; return how many."""
    settings, game, rulebook = scene.settings, scene.games[1], scene.rulebooks[0]
    num_hands, back = wide(settings[HANDS]), wide(settings[ACTIONS_BACK])
    worlds = np.zeros(num_hands, WORLD)
    sums = np.zeros(num_hands + 1)
    past, rows, actions = np.zeros(back, GAME), np.zeros((back, ROW_WORDS), np.int64), np.zeros(back, np.int64)
    found, drawn = wide(0), wide(0)
    while drawn < num_hands and sums[drawn] < ENOUGH * most:
        if not draw_hand(scene.unseen[0], scene.stream, 0):
            return 0
        worlds[drawn] = scene.unseen[0]
        hand = worlds[drawn]["hand"]
        if drawn == 0:
            found = replay(game, scene.rulebooks, row, hand, back, past, rows, actions)
        likely = likelihood(
            game, scene.rulebooks, hand, found, past, rows, actions, settings[UNFIT], scene.parameters[0]
        )
        sums[drawn + 1] = sums[drawn] + likely
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
def weigh_worlds(scene: Scene, row: Ints, worlds: int, length: int) -> None:
    """Write how likely each world is by the partner's last actions."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    back = wide(scene.settings[ACTIONS_BACK])
    past, rows, actions = np.zeros(back, GAME), np.zeros((back, ROW_WORDS), np.int64), np.zeros(back, np.int64)
    hand = np.zeros(length, np.int8)
    first = wide(game["current"]) * wide(rulebook["hand_size"])
    found = wide(0)
    for world in range(worlds):
        for slot in range(length):
            hand[slot] = scene.decks[world, game["orders"][first + slot]]
        if world == 0:
            found = replay(game, scene.rulebooks, row, hand, back, past, rows, actions)
        scene.weights[world] = likelihood(
            game, scene.rulebooks, hand, found, past, rows, actions, scene.settings[UNFIT], scene.parameters[0]
        )
