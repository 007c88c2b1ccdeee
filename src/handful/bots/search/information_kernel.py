"""The bot `search` on top of `information`, compiled.

What a row of `information` carries from turn to turn is public, and the same for all seats. So in a world a copy of the
own row serves all seats, and each turn is followed once, by the actor, who sees all hands that are told about.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Bytes, Floats, Ints, words_of
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import (
    PAPER,
    PAPER_AT,
    Paper,
    hints_that_say_it,
    playable_slots,
    plays_are_coded,
    useless_slots,
)
from handful.bots.hat.code_kernel import follow as follow_turn
from handful.bots.hat.information_kernel import choose as blueprint
from handful.bots.hat.information_kernel import decide
from handful.bots.hat.notes_kernel import NOTES, Notes
from handful.bots.hat.questions_kernel import SETTINGS
from handful.bots.kernel_types import CHOOSE
from handful.bots.search.race_kernel import SEARCH, Scene, is_worthwhile, run_race, set_scene, start_race
from handful.bots.search.worlds_kernel import draw_worlds, gather_hidden, list_all_worlds
from handful.bots.settings import Settings
from handful.bots.table_kernel import hide_hand, show_hand
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance, next_bits

# The row of parameters: the settings of the blueprint, those of the search, and the settings for play-outs.
BLUEPRINT_SETTINGS = words_of(SETTINGS)
PLAY_OUT_SETTINGS = words_of(SETTINGS, SEARCH)
PUBLIC_WORDS = words_of(NOTES)


@kernel
def follow(scene: Scene, deck: Bytes) -> int:
    """Take note of the last turn of a play-out; return what the blueprint does then."""
    game, rulebook, row = scene.games[0], scene.rulebooks[0], scene.memory[0]
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    settings, seat = record_in(scene.parameters[0], 0, SETTINGS), wide(game["current"])
    follow_turn(game, rulebook, notes, paper, wide(game["last_actor"]), settings)
    hide_hand(game, rulebook, seat)
    action = decide(game, rulebook, row, seat, settings, scene.chance)
    show_hand(game, rulebook, seat, deck)
    return action


@kernel
def list_honest(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, settings: Settings, actions: Ints
) -> int:
    """Write the honest actions after the blueprint's, which is the first; return how many there are.

    Plays that may succeed and discards, but of slots with which the code says something only the one that says what is
    so; hints that say the sum. The candidates of the blueprint must have been found.
    """
    size = wide(rulebook["hand_size"])
    legal = legal_mask(game, rulebook)
    public = playable_slots(rulebook, notes, seat)
    if popcount(public) < 2 or not plays_are_coded(game, rulebook, settings, 0):
        public = wide(0)
    useless = useless_slots(rulebook, notes, seat)
    count = 1
    for slot in range(notes["lengths"][seat]):
        may_succeed = paper["own"][slot] & notes["playable"] != 0
        is_honest_play = paper["sure"] >> slot & 1 or not public >> slot & 1
        if may_succeed and is_honest_play and size + slot != actions[0]:
            actions[count] = size + slot
            count += 1
        is_honest_discard = not useless >> slot & 1 or paper["useless"] == slot
        if legal >> slot & 1 and is_honest_discard and slot != actions[0]:
            actions[count] = slot
            count += 1
    hints = hints_that_say_it(game, rulebook, notes, paper, seat, legal, settings)
    while hints:
        if lowest_bit(hints) != actions[0]:
            actions[count] = lowest_bit(hints)
            count += 1
        hints &= hints - 1
    return count


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is clearly better in the worlds that the seat thinks possible."""
    habit = blueprint(games, g, rulebooks, seat, memory, parameters, chance)
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    settings = record_in(parameters[seat], BLUEPRINT_SETTINGS, SEARCH)
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    if notes["followed"] == 0 or not is_worthwhile(game, rulebook, settings):
        return habit
    scene = set_scene(games, g, rulebooks, row, PUBLIC_WORDS, settings, parameters[seat, PLAY_OUT_SETTINGS:])
    scene.actions[0] = habit
    own_settings = record_in(parameters[seat], 0, SETTINGS)
    count = list_honest(game, rulebook, notes, paper, seat, own_settings, scene.actions)
    if count == 1:
        return habit
    scene.stream[0] = next_bits(chance, seat)
    masks = paper["own"][: notes["lengths"][seat]]
    if not gather_hidden(scene, paper["unseen"], masks):
        return habit  # somebody does not keep to the code
    worlds = list_all_worlds(scene, masks, wide(settings["exact_deals"]))
    is_exact = worlds > 0
    if not is_exact:
        worlds = draw_worlds(scene, wide(settings["worlds"]))
    start_race(scene, count, worlds, wide(rulebook["max_score"]), is_exact)
    return run_race(scene, PUBLIC_WORDS, follow)
