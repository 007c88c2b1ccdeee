"""The endgame of the bot `information`: the action that wins in most of the worlds that the seat thinks possible."""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful._records import Ints
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import HAS_PLANNED, PAPER, PAPER_AT, useless_slots
from handful.bots.hat.notes_kernel import NONE, NOTES, Notes, is_single, put_copy, seat_after, take_copy, weight
from handful.bots.hat.open_search_kernel import (
    ONE,
    SEARCH_WORDS,
    UNKNOWN,
    can_win,
    chance_to_win,
    draw_card,
    forget_positions,
    gather_deck,
)
from handful.bots.hat.outlook_kernel import least_loss
from handful.bots.hat.position_kernel import (
    POSITION,
    POSITION_AT,
    WORLD_AT,
    Position,
    draw_world,
    played_types,
    prepare_worlds,
)
from handful.bots.settings import Settings
from handful.bots.shared.worlds_kernel import WORLD
from handful.hanabi.kernels.layout import NOT_YET, Game, Rulebook
from handful.splitmix_jit import GOLDEN, Chance

MEMORY_WORDS = SEARCH_WORDS
WORLD_STRIDE = 1 << 12  # numbers of the stream of chance that a world has for itself


@kernel
def add_action(position: Position, count: int, action: int) -> int:
    """Add a candidate, if it is not there yet; return how many there are."""
    for i in range(count):
        if position["actions"][i] == action:
            return count
    position["actions"][count] = action
    return count + 1


@kernel
def list_actions(rulebook: Rulebook, row: Ints, seat: int, legal: int, habit: int, settings: Settings) -> int:
    """Write the actions to try, the one of the rules first; return how many."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    position = record_in(row, POSITION_AT, POSITION)
    size, playable = wide(rulebook["hand_size"]), notes["playable"]
    position["actions"][0] = habit
    count = wide(1)
    for slot in range(notes["lengths"][seat]):
        mask = paper["own"][slot]
        is_gamble = mask & playable and mask & ~playable
        if paper["sure"] >> slot & 1 or is_gamble:
            count = add_action(position, count, size + slot)
    if paper["hint"] != NONE:
        count = add_action(position, count, paper["hint"])
    if paper["useless"] != NONE:
        count = add_action(position, count, paper["useless"])
    elif legal & ((1 << size) - 1):
        slot = least_loss(notes, paper, seat, useless_slots(rulebook, notes, seat), settings)
        if slot != NONE:
            count = add_action(position, count, slot)
    return count


@kernel
def is_told(notes: Notes, mask: int) -> bool:
    """Return whether who holds a card that can be the types of a mask knows what to do with it."""
    return is_single(mask) or mask & ~notes["playable"] == 0 or mask & ~notes["dead"] == 0


@kernel
def see_hands(game: Game, rulebook: Rulebook, notes: Notes, position: Position, seat: int) -> None:
    """Write the needed types of the other hands, and those of which their holders do not know."""
    size = wide(rulebook["hand_size"])
    for other in range(rulebook["players"]):
        held, untold = wide(0), wide(0)
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                bit = wide(1) << game["cards"][game["orders"][place]]
                held |= bit
                if not is_told(notes, notes["masks"][place]):
                    untold |= bit
        position["hands_before"][other], position["untold_before"][other] = held & ~notes["dead"], untold


@kernel
def try_action(game: Game, rulebook: Rulebook, row: Ints, seat: int, action: int) -> bool:
    """Write the position after an action in the world that was drawn, but for the card drawn; return if it goes on."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    position, held = record_in(row, POSITION_AT, POSITION), record_in(row, WORLD_AT, WORLD)["hand"]
    size, players = wide(rulebook["hand_size"]), position["players"]
    played, hints, turns_left = played_types(game, rulebook), wide(game["hints"]), wide(game["turns_left"])
    is_hint = action >= 2 * size
    for other in range(players):
        position["hands"][other] = position["hands_before"][other]
        position["untold"][other] = wide(0) if is_hint else position["untold_before"][other]
    used = wide(NONE) if is_hint else action % size
    mine, untold = wide(0), wide(0)
    for slot in range(notes["lengths"][seat]):
        if slot != used:
            mine |= wide(1) << held[slot]
            if not is_told(notes, paper["own"][slot]):
                untold |= wide(1) << held[slot]
    if is_hint:
        hints -= 1
    else:
        bit = wide(1) << held[used]
        if action < size:
            hints += hints < position["most_hints"]
        elif bit & notes["playable"]:
            played |= bit
            hints += bit & position["bonus"] != 0 and hints < position["most_hints"]
        elif game["strikes"] + 1 >= rulebook["max_strikes"]:
            return False
    position["hands"][seat], position["untold"][seat] = mine, untold
    position["played"], position["hints"] = played, hints
    position["turns_left"] = turns_left - 1 if turns_left != NOT_YET else turns_left
    return True


@kernel
def wins_in_world(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, deck: int, action: int, settings: Settings
) -> bool:
    """Return whether an action wins in the world that was drawn, if its deck were known to all."""
    if not try_action(game, rulebook, row, seat, action):
        return False
    position = record_in(row, POSITION_AT, POSITION)
    turns_left = position["turns_left"]
    if action < 2 * rulebook["hand_size"] and deck > 0:
        deck -= 1
        draw_card(position, seat, wide(1) << position["pool"][deck])
        if deck == 0:
            turns_left = position["players"]
    position["nodes"] = wide(settings["world_nodes"])
    return can_win(row, seat_after(rulebook, seat, 1), position["played"], deck, position["hints"], turns_left)


@kernel
def chance_in_world(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, deck: int, action: int, settings: Settings
) -> int:
    """Return the chance that an action wins with the own cards of the world that was drawn, of ONE, or UNKNOWN."""
    if not try_action(game, rulebook, row, seat, action):
        return 0
    position, following = record_in(row, POSITION_AT, POSITION), seat_after(rulebook, seat, 1)
    played, hints, turns_left = position["played"], position["hints"], position["turns_left"]
    gather_deck(position, deck)
    position["nodes"] = wide(settings["exact_nodes"])
    if action >= 2 * rulebook["hand_size"] or deck == 0:
        return chance_to_win(row, following, played, deck, hints, turns_left)
    if deck == 1:
        turns_left = position["players"]
    total = wide(0)
    mine, untold = position["hands"][seat], position["untold"][seat]
    draws = position["deck"][0]
    while draws:
        drawn = draws & -draws
        draws ^= drawn
        copies = weight(position["deck"], drawn)
        take_copy(position["deck"], drawn)
        draw_card(position, seat, drawn)
        chance = chance_to_win(row, following, played, deck - 1, hints, turns_left)
        if chance == UNKNOWN:
            return wide(UNKNOWN)
        total += copies * chance
        put_copy(position["deck"], drawn)
        position["hands"][seat], position["untold"][seat] = mine, untold
    return total // deck


@kernel
def plan_exactly(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, count: int, settings: Settings, chance: Chance
) -> int:
    """Return the candidate with the best chance to win, or NONE if the nodes ran out."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    position = record_in(row, POSITION_AT, POSITION)
    if row[HAS_PLANNED] == 0:
        row[HAS_PLANNED] = 1
        forget_positions(row)
    start = chance[seat]
    is_known = True
    for slot in range(notes["lengths"][seat]):
        is_known &= is_told(notes, paper["own"][slot])
    num_worlds = 1 if is_known else wide(settings["exact_worlds"])
    best, most = wide(0), wide(0)
    for i in range(count):
        total = wide(0)
        chance[seat] = start
        for _ in range(num_worlds):
            deck = draw_world(row, seat, chance)
            if deck < 0:
                return wide(NONE)
            value = chance_in_world(game, rulebook, row, seat, deck, position["actions"][i], settings)
            if value == UNKNOWN:
                return wide(NONE)
            total += value
        if i == 0:
            total += num_worlds * ONE // 100
        if total > most:
            best, most = wide(i), total
            if total >= num_worlds * ONE:
                break
    return wide(position["actions"][best])


@kernel
def count_wins(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, action: int, worlds: int, settings: Settings, chance: Chance
) -> int:
    """Return in which worlds of a mask an action wins, as a mask; the stream of chance stays where it is."""
    start = chance[seat]
    wins = wide(0)
    while worlds:
        chance[seat] = start + np.uint64(lowest_bit(worlds) * WORLD_STRIDE) * GOLDEN
        deck = draw_world(row, seat, chance)
        if deck < 0 or wins_in_world(game, rulebook, row, seat, deck, action, settings):
            wins |= worlds & -worlds
        worlds &= worlds - 1
    chance[seat] = start
    return wins


@kernel
def plan(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, legal: int, habit: int, settings: Settings, chance: Chance
) -> int:
    """Return the action that wins in most worlds; `habit` is that of the rules, which the others must beat clearly.

    Whatever wins in none of the worlds in which the habit loses is not looked at any more.
    """
    notes, position = record_in(row, 0, NOTES), record_in(row, POSITION_AT, POSITION)
    count = list_actions(rulebook, row, seat, legal, habit, settings)
    if count == 1 or rulebook["all_mask"] & ~(played_types(game, rulebook) | notes["left"][0]):
        return habit
    prepare_worlds(rulebook, row, notes["lengths"][seat])
    see_hands(game, rulebook, notes, position, seat)
    if wide(rulebook["deck_size"]) - wide(game["drawn"]) <= settings["exact_deck"]:
        best = plan_exactly(game, rulebook, row, seat, count, settings, chance)
        if best != NONE:
            return best
    num_worlds = wide(settings["worlds"])
    worlds = (wide(1) << num_worlds) - 1
    wins = count_wins(game, rulebook, row, seat, habit, worlds, settings, chance)
    best, most = wide(habit), settings["habit"] * num_worlds
    if wins != worlds:
        for i in range(1, count):
            action = position["actions"][i]
            gain = popcount(count_wins(game, rulebook, row, seat, action, worlds & ~wins, settings, chance))
            if gain > most:
                gain -= popcount(wins) - popcount(count_wins(game, rulebook, row, seat, action, wins, settings, chance))
                if gain > most:
                    best, most = action, float(gain)
    chance[seat] += np.uint64(num_worlds * WORLD_STRIDE) * GOLDEN
    return best
