"""The bot `hat`, compiled: how it follows the turns of all, and what it does on its own. `hat` has the rules."""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Floats, Ints
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import (
    PAPER,
    PAPER_AT,
    Paper,
    begin_if_new,
    coded_slot,
    follow,
    hints_that_say_it,
    playable_slots,
    plays_are_coded,
    touched_slots,
    useless_slots,
)
from handful.bots.hat.hat_plan_kernel import MEMORY_WORDS as PLAN_WORDS
from handful.bots.hat.hat_plan_kernel import plan
from handful.bots.hat.notes_kernel import NONE, NOTES, Notes, is_within
from handful.bots.hat.outlook_kernel import (
    expected_loss,
    is_bold_play,
    least_loss,
    look_around,
    lowest_value,
    needs_telling,
)
from handful.bots.hat.questions_kernel import SETTINGS
from handful.bots.hat.worlds_kernel import WORLD, WORLD_AT
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.settings import Settings
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance

MEMORY_WORDS = PLAN_WORDS


@kernel
def shown_by(rulebook: Rulebook, notes: Notes, target: int, touched: int, hint: int) -> int:
    """Return how much a hint shows by touching: types ruled out, and 10 for each card that is then known."""
    first = target * wide(rulebook["hand_size"])
    worth = wide(0)
    for slot in range(notes["lengths"][target]):
        mask = rulebook["hint_masks"][hint] if touched >> slot & 1 else ~rulebook["hint_masks"][hint]
        before = popcount(notes["masks"][first + slot])
        after = popcount(notes["masks"][first + slot] & mask)
        worth += before - after + 10 * wide(before > 1 and after == 1)
    return worth


@kernel
def coded_hint(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return the hint that says the sum, of several the one that shows most; NONE if there is none."""
    hints = hints_that_say_it(game, rulebook, notes, paper, seat, legal, settings)
    most, chosen = wide(-1), wide(NONE)
    while hints:
        action = lowest_bit(hints)
        hints &= hints - 1
        target, hint = hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action])
        worth = shown_by(rulebook, notes, target, touched_slots(game, rulebook, target, hint), hint)
        if worth > most:
            most, chosen = worth, action
    return chosen


@inlined_kernel
def sure_play(rulebook: Rulebook, notes: Notes, paper: Paper, seat: int) -> int:
    """Return the slot of the sure play of lowest value (the lowest that it can be), the oldest of equals, or NONE."""
    best, chosen = wide(rulebook["values"]) + 1, wide(NONE)
    for slot in range(notes["lengths"][seat]):
        if is_within(paper["own"][slot], notes["playable"]):
            value = lowest_value(rulebook, paper["own"][slot])
            if value < best:
                best, chosen = value, wide(slot)
    return chosen


@inlined_kernel
def sure_discard(notes: Notes, paper: Paper, seat: int) -> int:
    """Return the oldest slot that is surely worthless, or NONE."""
    for slot in range(notes["lengths"][seat]):
        if is_within(paper["own"][slot], notes["dead"]):
            return wide(slot)
    return wide(NONE)


@inlined_kernel
def turns_to_spare(game: Game, rulebook: Rulebook) -> int:
    """Return how many cards can still be used without a point: cards to draw and a last turn each, less the points."""
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    return deck + wide(rulebook["players"]) - (wide(rulebook["max_score"]) - wide(game["points"]))


@kernel
def choose_by_rules(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return what the rules say."""
    size = wide(rulebook["hand_size"])
    slot = sure_play(rulebook, notes, paper, seat)
    if slot != NONE:
        return size + slot
    for own_slot in range(notes["lengths"][seat]):
        if is_bold_play(game, rulebook, notes, paper, own_slot, settings):
            return size + own_slot
    can_discard = legal & 1 != 0
    slot = least_loss(notes, paper, seat, 0, settings)
    if can_discard and game["turn"] >= settings["patience"]:
        return slot
    hint = coded_hint(game, rulebook, notes, paper, seat, legal, settings)
    need = needs_telling(game, rulebook, notes, seat)
    if hint != NONE and (need == 2 or not can_discard):
        return hint
    useless, to_spare = sure_discard(notes, paper, seat), turns_to_spare(game, rulebook)
    if useless != NONE and can_discard and to_spare >= settings["calm"]:
        return useless
    if hint != NONE and (need > 0 or game["hints"] > settings["reserve"] or to_spare <= 0):
        return hint
    if slot == NONE:
        return hint if hint != NONE else 2 * size + lowest_bit(legal >> 2 * size)
    thousandths = wide(1000 * expected_loss(notes, paper, slot, settings))
    if can_discard and (hint == NONE or thousandths <= 1000 * settings["most_loss"]):
        return slot
    if hint != NONE:
        return hint
    # All tokens are there and no hint says the sum: a strike costs less than a lie.
    return size + (useless if useless != NONE else slot)


@inlined_kernel
def list_choices(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, legal: int, action: int, settings: Settings
) -> int:
    """Write what an endgame plan compares to the actions, what the rules say first; return how many there are."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    actions = record_in(row, WORLD_AT, WORLD)["actions"]
    size = wide(rulebook["hand_size"])
    actions[0] = action
    count = 1
    for slot in range(notes["lengths"][seat]):
        if size + slot != action and is_within(paper["own"][slot], notes["playable"]):
            actions[count] = size + slot
            count += 1
    if legal >> 2 * size and action < 2 * size:
        hint = coded_hint(game, rulebook, notes, paper, seat, legal, settings)
        if hint != NONE:
            actions[count] = hint
            count += 1
    if legal & 1 and action >= size:
        actions[count] = least_loss(notes, paper, seat, 0, settings)
        count += 1
    return count


@inlined_kernel
def coded_choice(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, action: int, settings: Settings
) -> int:
    """Return the action with the slot that says the sum, if others are as good for all that is known."""
    size = wide(rulebook["hand_size"])
    slots, kind = wide(0), wide(0)
    if action < size:
        slots = useless_slots(rulebook, notes, seat)
    elif action < 2 * size and plays_are_coded(game, rulebook, settings, 0):
        slots, kind = playable_slots(rulebook, notes, seat), size
    if not slots >> (action - kind) & 1:
        return action
    return kind + coded_slot(game, rulebook, notes, paper, seat, slots, settings)


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats) -> None:
    """Note the last turn: what it told everybody."""
    row = memory[seat]
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    follow(games[g], rulebooks[0], notes, paper, seat, record_in(settings[seat], 0, SETTINGS))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats, chance: Chance
) -> int:
    """Return what the rules say, or what is planned in an endgame; of cards equally good, the one that tells."""
    game, rulebook, row, numbers = games[g], rulebooks[0], memory[seat], record_in(settings[seat], 0, SETTINGS)
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    begin_if_new(game, rulebook, notes, numbers)
    legal = legal_mask(game, rulebook)
    look_around(game, rulebook, notes, paper, seat, numbers)
    action = choose_by_rules(game, rulebook, notes, paper, seat, legal, numbers)
    if rulebook["deck_size"] - game["drawn"] <= numbers["plan_deck"] and rulebook["has_last_round"]:
        count = list_choices(game, rulebook, row, seat, legal, action, numbers)
        action = plan(game, rulebook, row, seat, count, numbers, chance)
    return coded_choice(game, rulebook, notes, paper, seat, action, numbers)
