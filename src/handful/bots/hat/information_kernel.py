"""The bot `information`, compiled: how it follows the turns of all, and what it does. `information` has the rules.

First the *candidates* are found: the sure plays that the code allows, the useless discard that says the sum, and of
the hints that say the sum the one that tells most by itself. Then the first rule that applies chooses.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Floats, Ints
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import (
    PAPER,
    PAPER_AT,
    Paper,
    begin_if_new,
    coded_slot,
    playable_slots,
    plays_are_coded,
    useless_slots,
)
from handful.bots.hat.notes_kernel import NONE, NOTES, Notes, is_single
from handful.bots.hat.outlook_kernel import (
    best_hint,
    is_bold_play,
    least_loss,
    look_around,
    lowest_value,
    needs_telling,
    own_chance,
)
from handful.bots.hat.planner_kernel import MEMORY_WORDS as PLANNER_WORDS
from handful.bots.hat.planner_kernel import plan
from handful.bots.hat.questions_kernel import SETTINGS
from handful.bots.kernel_types import CHOOSE
from handful.bots.settings import Settings
from handful.hanabi.kernels.game import legal_mask, pace
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance

MEMORY_WORDS = PLANNER_WORDS


@kernel
def find_candidates(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> None:
    """Write the candidates: sure plays, the useless discard, the best hint. The last leaves `after` as it would be."""
    look_around(game, rulebook, notes, paper, seat, settings)
    sure, dead = wide(0), wide(0)
    for slot in range(notes["lengths"][seat]):
        sure |= wide(paper["own"][slot] & ~notes["playable"] == 0) << slot
        dead |= wide(paper["own"][slot] & ~notes["dead"] == 0) << slot
    public = playable_slots(rulebook, notes, seat)
    if popcount(public) > 1 and plays_are_coded(game, rulebook, settings, 0):
        sure = sure & ~public | wide(1) << coded_slot(game, rulebook, notes, paper, seat, public, settings)
    paper["sure"] = sure
    paper["useless"] = NONE
    if legal & ((1 << wide(rulebook["hand_size"])) - 1):
        useless = useless_slots(rulebook, notes, seat)
        paper["useless"] = coded_slot(game, rulebook, notes, paper, seat, useless, settings)
        if useless == 0 and dead:
            paper["useless"] = lowest_bit(dead)
    paper["hint"] = best_hint(game, rulebook, notes, paper, seat, legal, settings)


@kernel
def best_play(game: Game, rulebook: Rulebook, paper: Paper) -> int:
    """Return the slot of the sure play that should come first: low values, and cards that few hands hold."""
    chosen, most = wide(NONE), -1.0
    for slot in range(wide(rulebook["hand_size"])):
        if paper["sure"] >> slot & 1:
            mask = paper["own"][slot]
            holders = 1.0
            if is_single(mask) and mask & paper["seen"]:
                holders += holders_of(game, rulebook, lowest_bit(mask))
            worth = (2 * wide(rulebook["values"]) - lowest_value(rulebook, mask)) / holders
            if worth > most:
                chosen, most = wide(slot), worth
    return chosen


@kernel
def holders_of(game: Game, rulebook: Rulebook, card: int) -> int:
    """Return how many of the hands in sight hold a card."""
    size = wide(rulebook["hand_size"])
    holders = 0
    for seat in range(rulebook["players"]):
        holds = False
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            holds |= game["cards"][game["orders"][place]] == card
        holders += holds
    return holders


@kernel
def policy(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return the action of the first rule that applies. The candidates are found."""
    size = wide(rulebook["hand_size"])
    to_spare, useless, hint = pace(game, rulebook), paper["useless"], paper["hint"]
    is_calm = to_spare >= settings["calm"]
    if game["hints"] < settings["calm_hints"]:
        is_calm |= to_spare > 1
    if paper["sure"]:
        return size + best_play(game, rulebook, paper)
    may_be_playable = False
    for slot in range(notes["lengths"][seat]):
        may_be_playable |= own_chance(paper, slot, notes["playable"]) > 0
        if is_calm and is_bold_play(game, rulebook, notes, paper, slot, settings):
            return size + slot
    need = needs_telling(game, rulebook, notes, seat)
    if useless != NONE and need == 0 and not may_be_playable and to_spare > 0:
        return useless
    if hint != NONE and (need == 2 or game["hints"] >= rulebook["max_hints"]):
        return hint
    if useless != NONE and is_calm:
        return useless
    if hint != NONE and (need == 1 or game["hints"] > settings["reserve"]):
        return hint
    return useless if useless != NONE else last_resort(game, rulebook, notes, paper, seat, legal, settings)


@kernel
def last_resort(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return the discard that costs least; else a hint; else, with no hint that says the sum, the likeliest play."""
    size = wide(rulebook["hand_size"])
    # A useless slot would say a wrong sum.
    slot = least_loss(notes, paper, seat, useless_slots(rulebook, notes, seat), settings)
    if slot != NONE and legal >> slot & 1:
        return slot
    if paper["hint"] != NONE:
        return paper["hint"]
    chosen, most = wide(NONE), -1.0
    for own_slot in range(notes["lengths"][seat]):
        chance = own_chance(paper, own_slot, notes["playable"]) + 0.1 * own_chance(paper, own_slot, notes["dead"])
        if chance > most:
            chosen, most = wide(own_slot), chance
    if chosen == NONE or (game["strikes"] + 1 >= rulebook["max_strikes"] and legal >> 2 * size):
        return 2 * size + lowest_bit(legal >> 2 * size)  # a hint that says something false
    return size + chosen


@kernel
def decide(game: Game, rulebook: Rulebook, row: Ints, seat: int, settings: Settings, chance: Chance) -> int:
    """Return an action: by the planner at the end, by the rules before. The notes of the row are those of now."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    legal = legal_mask(game, rulebook)
    find_candidates(game, rulebook, notes, paper, seat, legal, settings)
    habit = policy(game, rulebook, notes, paper, seat, legal, settings)
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    missing = wide(rulebook["max_score"]) - wide(game["points"])
    if deck <= settings["plan_deck"] and missing <= settings["plan_missing"]:
        return plan(game, rulebook, row, seat, legal, habit, settings, chance)
    return habit


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats, chance: Chance
) -> int:
    """Return an action, by what is noted; or by what the hints alone have said, if the game was not followed."""
    row, own_settings = memory[seat], record_in(settings[seat], 0, SETTINGS)
    begin_if_new(games[g], rulebooks[0], record_in(row, 0, NOTES), own_settings)
    return decide(games[g], rulebooks[0], row, seat, own_settings, chance)
