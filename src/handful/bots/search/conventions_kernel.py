"""The bot `search` on top of `conventions`, compiled.

What a row of `conventions` carries from turn to turn is public, so that in a world one row serves both players.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import kernel, kernel_of_type
from handful.bots.conventions.conventions_kernel import choose as blueprint
from handful.bots.conventions.meaning_kernel import note_turn
from handful.bots.conventions.policy_kernel import DISHONEST, NUM_WEIGHTS, choose_action, score_of
from handful.bots.conventions.state_kernel import LENGTH, OWN, PLAYABLE, ROW_WORDS, STATE_WORDS, UNSEEN
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.search.beliefs_kernel import (
    LOG,
    LOG_WORDS,
    draw_likely_worlds,
    log_action,
    weigh_worlds,
)
from handful.bots.search.race_kernel import end_early, plan_tries, start_race
from handful.bots.search.scene_kernel import (
    CHOSEN,
    EXACT_DEALS,
    FROM_DECK,
    IS_MEAN,
    MOST_TURNS,
    NUM_TRIES,
    SEARCH_SETTINGS,
    WORLDS,
    Floats,
    Ints,
    Scene,
    SmallInts,
    enter_world,
    is_hopeless,
    is_lost,
    is_time_up,
    set_scene,
)
from handful.bots.search.worlds_kernel import gather_hidden, list_all_worlds
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import ONGOING, PERFECT, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance, next_bits

MEMORY_WORDS = LOG + LOG_WORDS
NUM_PLANES = 4


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _parameters: Floats) -> None:
    """Take note of what a turn meant, and of the turn."""
    note_turn(games[g], rulebooks[0], memory[seat, :ROW_WORDS])
    log_action(games[g], memory[seat])


@kernel
def play_out(scene: Scene, deck: SmallInts, action: int) -> int:
    """Return the score of the game after an action; without `IS_MEAN` the best one or 0."""
    game, rulebook, row, weights = scene.games[0], scene.rulebooks[0], scene.memory[0, :ROW_WORDS], scene.parameters[0]
    is_mean = scene.settings[IS_MEAN] > 0
    for _ in range(MOST_TURNS):
        act(game, rulebook, deck, action)
        if game["ending"] != ONGOING:
            break
        if not is_mean and is_lost(game, rulebook):
            return 0
        note_turn(game, rulebook, row)
        action = choose_action(game, rulebook, row, wide(game["current"]), weights)
    if is_mean or game["ending"] == PERFECT:
        return wide(score(game, rulebook))
    return 0


@kernel
def list_honest(game: Game, rulebook: Rulebook, row: Ints, seat: int, all_weights: Floats, actions: Ints) -> int:
    """Write the honest actions after the blueprint's, which is the first; return how many there are.

    Plays that cannot succeed are left out. The likelier ones for the blueprint come first.
    """
    size = wide(rulebook["hand_size"])
    in_deck = wide(rulebook["deck_size"]) - max(wide(game["drawn"]), 2 * size)
    weights = all_weights[in_deck * NUM_WEIGHTS : (in_deck + 1) * NUM_WEIGHTS]
    legal = legal_mask(game, rulebook)
    scores = np.zeros(len(actions))
    count = 1
    for action in range(rulebook["num_actions"]):
        if not legal >> action & 1 or action == actions[0]:
            continue
        if size <= action < 2 * size and not row[OWN + action - size] & row[PLAYABLE]:
            continue
        outlook = score_of(game, rulebook, row, seat, action, weights)
        if outlook > DISHONEST:
            at = count
            while at > 1 and scores[at - 1] < outlook:
                scores[at], actions[at] = scores[at - 1], actions[at - 1]
                at -= 1
            scores[at], actions[at] = outlook, action
            count += 1
    return count


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is clearly better in the worlds that the seat thinks possible."""
    habit = blueprint(games, g, rulebooks, seat, memory, parameters, chance)
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    num_weights = (wide(rulebook["deck_size"]) - 2 * wide(rulebook["hand_size"]) + 1) * NUM_WEIGHTS
    settings = parameters[seat, num_weights : num_weights + SEARCH_SETTINGS]
    is_mean = settings[IS_MEAN] > 0
    if deck > settings[FROM_DECK] or (not is_mean and is_hopeless(game, rulebook)):
        return habit
    scene = set_scene(games, g, rulebooks, row, STATE_WORDS, settings, parameters[seat, :num_weights])
    scene.actions[0] = habit
    count = list_honest(game, rulebook, row[:ROW_WORDS], seat, parameters[seat], scene.actions)
    if count == 1:
        return habit
    scene.stream[0] = next_bits(chance, seat)
    masks = row[OWN : OWN + row[LENGTH + seat]]
    if not gather_hidden(scene, row[UNSEEN : UNSEEN + NUM_PLANES], masks):
        return habit  # the partner means something else
    worlds = list_all_worlds(scene, masks, wide(settings[EXACT_DEALS]))
    is_exact = worlds > 0
    if is_exact:
        weigh_worlds(scene, row, worlds, len(masks))
    else:
        worlds = draw_likely_worlds(scene, row, wide(settings[WORLDS]))
    start_race(scene, count, worlds, wide(rulebook["max_score"]), is_exact)
    while plan_tries(scene):
        for i in range(scene.state[NUM_TRIES]):
            if is_time_up(scene):
                end_early(scene)
                return wide(scene.actions[scene.state[CHOSEN]])
            tried, world = scene.tries[i]
            enter_world(scene, world, STATE_WORDS)
            scene.values[tried, world] = play_out(scene, scene.decks[world], scene.actions[tried])
    return wide(scene.actions[scene.state[CHOSEN]])
