"""The bot `search` on top of `partner`, compiled.

What a row of `partner` carries from turn to turn is public, and the same for all who keep to the conventions. So in a
world a copy of the own row serves all seats, and each turn is followed once.
"""

from __future__ import annotations

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Bytes, Floats, Ints, words_of
from handful._records_jit import record_in
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.partner.meanings_kernel import note_turn
from handful.bots.partner.notes_kernel import NOTES, PAPER
from handful.bots.partner.partner_kernel import choose_action, honest_actions
from handful.bots.search.race_kernel import SEARCH, Scene, is_worthwhile, run_race, set_scene, start_race
from handful.bots.search.worlds_kernel import draw_worlds, gather_hidden, list_all_worlds
from handful.bots.table_kernel import hide_hand, show_hand
from handful.hanabi.kernels.layout import Games, Rulebooks
from handful.splitmix_jit import Chance, next_bits

# The row of parameters: the settings of the search, and from here on the row of the blueprint.
BLUEPRINT_AT = words_of(SEARCH)
PUBLIC_WORDS = words_of(NOTES)


@kernel
def follow(scene: Scene, deck: Bytes) -> int:
    """Take note of the last turn of a play-out; return what the blueprint does then."""
    game, rulebook, row = scene.games[0], scene.rulebooks[0], scene.parameters[0]
    paper, seat = record_in(scene.memory[0], 0, PAPER), wide(game["current"])
    note_turn(game, rulebook, paper, wide(row[0]))
    hide_hand(game, rulebook, seat)
    action = choose_action(game, rulebook, paper, seat, row)
    show_hand(game, rulebook, seat, deck)
    return action


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats) -> None:
    """Take note of what a turn meant."""
    note_turn(games[g], rulebooks[0], record_in(memory[seat], 0, PAPER), wide(parameters[seat, BLUEPRINT_AT]))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is clearly better in the worlds that the seat thinks possible."""
    game, rulebook, paper = games[g], rulebooks[0], record_in(memory[seat], 0, PAPER)
    settings, row, is_new = record_in(parameters[seat], 0, SEARCH), parameters[seat, BLUEPRINT_AT:], paper["turn"] == 0
    habit = choose_action(game, rulebook, paper, seat, row)
    if is_new:
        paper["turn"] = 0  # a choice is not a turn: the first one is noted when it has happened
    if is_new or not is_worthwhile(game, rulebook, settings):
        return habit
    others = honest_actions(game, rulebook, paper, seat, row) & ~(wide(1) << habit)
    if others == 0:
        return habit
    scene = set_scene(games, g, rulebooks, memory[seat], PUBLIC_WORDS, settings, row)
    scene.actions[0], count = habit, 1
    while others:
        scene.actions[count] = lowest_bit(others)
        others &= others - 1
        count += 1
    scene.stream[0] = next_bits(chance, seat)
    masks = paper["own"][: paper["length"][seat]]
    if not gather_hidden(scene, paper["unseen"], masks):
        return habit  # somebody does not keep to the conventions
    worlds = list_all_worlds(scene, masks, wide(settings["exact_deals"]))
    is_exact = worlds > 0
    if not is_exact:
        worlds = draw_worlds(scene, wide(settings["worlds"]))
    start_race(scene, count, worlds, wide(rulebook["max_score"]), is_exact)
    return run_race(scene, PUBLIC_WORDS, follow)
