"""The bot `search` on top of `information`, compiled.

What a row of `information` carries from turn to turn is public, and the same for all seats. So in a world a copy of the
own row serves all seats, and each turn is followed once, by the actor, who sees all hands that are told about.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import kernel, kernel_of_type
from handful.bots.information.coding_kernel import (
    AFTER,
    class_of_hint,
    count_classes,
    follow,
    playable_slots,
    plays_are_coded,
    sum_answers,
    useless_slots,
)
from handful.bots.information.information_kernel import choose as blueprint
from handful.bots.information.planner_kernel import EXACT_NODES, PLAN_DECK, PLAN_MISSING, plan
from handful.bots.information.policy_kernel import OWN, SURE, UNSEEN, USELESS, find_candidates, policy
from handful.bots.information.questions_kernel import Settings
from handful.bots.information.state_kernel import (
    FOLLOWED,
    LENGTHS,
    MOST_COPIES,
    PLAYABLE,
    PUBLIC_WORDS,
    Row,
)
from handful.bots.kernel_types import CHOOSE
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
from handful.bots.search.worlds_kernel import draw_worlds, gather_hidden, list_all_worlds
from handful.bots.table_kernel import hide_hand, show_hand
from handful.hanabi.kernels.game import act, hint_target, legal_mask, score
from handful.hanabi.kernels.layout import ONGOING, PERFECT, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance, next_bits

# The row of parameters: the settings of the blueprint, those of the search, and the settings for play-outs.
BLUEPRINT_SETTINGS = EXACT_NODES + 1
PLAY_OUT_SETTINGS = BLUEPRINT_SETTINGS + SEARCH_SETTINGS


@kernel
def follow_turn(game: Game, rulebook: Rulebook, row: Row, settings: Settings) -> None:
    """Bring the public row to after the last turn."""
    follow(game, rulebook, row, wide(game["last_actor"]), settings)


@kernel
def decide(game: Game, rulebook: Rulebook, row: Row, seat: int, settings: Settings, chance: Chance) -> int:
    """Return the action of the blueprint, by the public row. The cards of the seat lie face down."""
    legal = legal_mask(game, rulebook)
    find_candidates(game, rulebook, row, seat, legal, settings)
    habit = policy(game, rulebook, row, seat, legal, settings)
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    missing = wide(rulebook["max_score"]) - wide(game["points"])
    if deck <= settings[PLAN_DECK] and missing <= settings[PLAN_MISSING]:
        return plan(game, rulebook, row, seat, legal, habit, settings, chance)
    return habit


@kernel
def play_out(scene: Scene, deck: SmallInts, action: int) -> int:
    """Return the score of the game after an action; without `IS_MEAN` the best one or 0."""
    game, rulebook, row, settings = scene.games[0], scene.rulebooks[0], scene.memory[0], scene.parameters[0]
    is_mean = scene.settings[IS_MEAN] > 0
    for _ in range(MOST_TURNS):
        act(game, rulebook, deck, action)
        if game["ending"] != ONGOING:
            break
        if not is_mean and is_lost(game, rulebook):
            return 0
        follow_turn(game, rulebook, row, settings)
        seat = wide(game["current"])
        hide_hand(game, rulebook, seat)
        action = decide(game, rulebook, row, seat, settings, scene.chance)
        show_hand(game, rulebook, seat, deck)
    if is_mean or game["ending"] == PERFECT:
        return wide(score(game, rulebook))
    return 0


@kernel
def list_honest(game: Game, rulebook: Rulebook, row: Row, seat: int, settings: Settings, actions: Ints) -> int:
    """Write the honest actions after the blueprint's, which is the first; return how many there are.

    Plays that may succeed and discards, but of slots with which the code says something only the one that says what is
    so; hints that say the sum. The candidates of the blueprint must have been found.
    """
    size = wide(rulebook["hand_size"])
    legal = legal_mask(game, rulebook)
    public = playable_slots(rulebook, row, seat)
    if popcount(public) < 2 or not plays_are_coded(game, rulebook, settings, 0):
        public = 0
    useless = useless_slots(rulebook, row, seat)
    count = 1
    for slot in range(row[LENGTHS + seat]):
        may_succeed = row[OWN + slot] & row[PLAYABLE] != 0
        is_honest_play = row[SURE] >> slot & 1 or not public >> slot & 1
        if may_succeed and is_honest_play and size + slot != actions[0]:
            actions[count] = size + slot
            count += 1
        is_honest_discard = not useless >> slot & 1 or row[USELESS] == slot
        if legal >> slot & 1 and is_honest_discard and slot != actions[0]:
            actions[count] = slot
            count += 1
    cells = count_classes(rulebook, row, seat)
    if cells == 0 or legal >> 2 * size == 0:
        return count
    number = sum_answers(game, rulebook, row, seat, seat, cells, AFTER, settings) % cells
    for action in range(2 * size, rulebook["num_actions"]):
        if legal >> action & 1 and action != actions[0]:
            target, hint = hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action])
            touched = wide(0)
            for slot in range(row[LENGTHS + target]):
                card = wide(game["cards"][game["orders"][target * size + slot]])
                touched |= (rulebook["hint_masks"][hint] >> card & 1) << slot
            if class_of_hint(rulebook, row, seat, wide(rulebook["ahead_of"][action]), hint, touched) == number:
                actions[count] = action
                count += 1
    return count


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is clearly better in the worlds that the seat thinks possible."""
    habit = blueprint(games, g, rulebooks, seat, memory, parameters, chance)
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    settings = parameters[seat, BLUEPRINT_SETTINGS:PLAY_OUT_SETTINGS]
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    is_mean = settings[IS_MEAN] > 0
    if deck > settings[FROM_DECK] or row[FOLLOWED] == 0 or (not is_mean and is_hopeless(game, rulebook)):
        return habit
    scene = set_scene(games, g, rulebooks, row, PUBLIC_WORDS, settings, parameters[seat, PLAY_OUT_SETTINGS:])
    scene.actions[0] = habit
    count = list_honest(game, rulebook, row, seat, parameters[seat], scene.actions)
    if count == 1:
        return habit
    scene.stream[0] = next_bits(chance, seat)
    masks = row[OWN : OWN + row[LENGTHS + seat]]
    if not gather_hidden(scene, row[UNSEEN : UNSEEN + MOST_COPIES], masks):
        return habit  # somebody does not keep to the code
    worlds = list_all_worlds(scene, masks, wide(settings[EXACT_DEALS]))
    is_exact = worlds > 0
    if not is_exact:
        worlds = draw_worlds(scene, wide(settings[WORLDS]))
    start_race(scene, count, worlds, wide(rulebook["max_score"]), is_exact)
    while plan_tries(scene):
        for i in range(scene.state[NUM_TRIES]):
            if is_time_up(scene):
                end_early(scene)
                return wide(scene.actions[scene.state[CHOSEN]])
            tried, world = scene.tries[i]
            enter_world(scene, world, PUBLIC_WORDS)
            scene.values[tried, world] = play_out(scene, scene.decks[world], scene.actions[tried])
    return wide(scene.actions[scene.state[CHOSEN]])
