"""The endgame of the bot `information`: the action that wins in most of the worlds that the seat thinks possible."""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.information.coding_kernel import NONE
from handful.bots.information.endgame_kernel import (
    DECK_PLANES,
    ENDGAME_WORDS,
    UNKNOWN,
    chance_to_win,
    copies_in_deck,
    gather_deck,
    put_back,
)
from handful.bots.information.policy_kernel import HINT, OWN, POLICY_SETTINGS, SURE, USELESS, least_loss
from handful.bots.information.questions_kernel import ONE, Settings
from handful.bots.information.state_kernel import DEAD, LEFT, LENGTHS, MASKS, PLAYABLE, Row, is_single, take_copy
from handful.bots.information.worlds_kernel import (
    BEFORE,
    BONUS,
    HANDS,
    HELD,
    MOST_HINTS,
    NODES,
    PLAYERS,
    POOL,
    UNTOLD,
    UNTOLD_BEFORE,
    can_win,
    draw_world,
    lay_out,
)
from handful.hanabi.kernels.layout import MAX_ACTIONS, NOT_YET, Game, Rulebook
from handful.splitmix_jit import GOLDEN, Chance

# Scratch paper of the planner.
ACTIONS = ENDGAME_WORDS  # candidates
TRIED_PLAYED, TRIED_HINTS, TRIED_LEFT = range(ACTIONS + MAX_ACTIONS, ACTIONS + MAX_ACTIONS + 3)  # after one of them
PLANNER_WORDS = ACTIONS + MAX_ACTIONS + 3

# Settings: the planner is asked from so many cards in the deck on, with so many points missing; the worlds that it
# draws, the positions that it looks at in each; what the action of the rules is worth more than others.
PLAN_DECK, PLAN_MISSING, WORLDS, WORLD_NODES, HABIT = range(POLICY_SETTINGS, POLICY_SETTINGS + 5)
# From so many cards on chances are computed: with so many worlds, for own cards that are not known, and positions.
EXACT_DECK, EXACT_WORLDS, EXACT_NODES = range(POLICY_SETTINGS + 5, POLICY_SETTINGS + 8)

WORLD_STRIDE = 256  # numbers of the stream of chance that a world has for itself


@kernel
def add_action(row: Row, count: int, action: int) -> int:
    """Add a candidate, if it is not there yet; return how many there are."""
    for i in range(count):
        if row[ACTIONS + i] == action:
            return count
    row[ACTIONS + count] = action
    return count + 1


@kernel
def list_actions(rulebook: Rulebook, row: Row, seat: int, legal: int, habit: int, settings: Settings) -> int:
    """Write the actions to try, the one of the rules first; return how many."""
    size = wide(rulebook["hand_size"])
    row[ACTIONS] = habit
    count = 1
    for slot in range(row[LENGTHS + seat]):
        mask = row[OWN + slot]
        is_gamble = mask & row[PLAYABLE] and mask & ~row[PLAYABLE]
        if row[SURE] >> slot & 1 or is_gamble:
            count = add_action(row, count, size + slot)
    if row[HINT] != NONE:
        count = add_action(row, count, row[HINT])
    if row[USELESS] != NONE:
        count = add_action(row, count, row[USELESS])
    elif legal & ((1 << size) - 1):
        slot = least_loss(rulebook, row, seat, settings)
        if slot != NONE:
            count = add_action(row, count, slot)
    return count


@inlined_kernel
def is_told(row: Row, mask: int) -> bool:
    """Return whether who holds a card that can be the types of a mask knows what to do with it."""
    return is_single(mask) or mask & ~row[PLAYABLE] == 0 or mask & ~row[DEAD] == 0


@kernel
def played_types(game: Game, rulebook: Rulebook) -> int:
    """Return the types on the stacks."""
    played = wide(0)
    for suit in range(rulebook["suits"]):
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * wide(rulebook["values"])
    return played


@kernel
def see_hands(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Write the needed types of the other hands."""
    size = wide(rulebook["hand_size"])
    for other in range(rulebook["players"]):
        held = wide(0)
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                held |= wide(1) << game["cards"][game["orders"][place]]
        row[BEFORE + other] = held & ~row[DEAD]
        untold = wide(0)
        if other != seat:
            for slot in range(game["lengths"][other]):
                if not is_told(row, row[MASKS + other * size + slot]):
                    untold |= wide(1) << game["cards"][game["orders"][other * size + slot]]
        row[UNTOLD_BEFORE + other] = untold


@kernel
def try_action(game: Game, rulebook: Rulebook, row: Row, seat: int, played: int, action: int) -> bool:
    """Write the position after an action in the world that was drawn, but for the card drawn; return if it goes on."""
    size, players = wide(rulebook["hand_size"]), row[PLAYERS]
    hints, turns_left = wide(game["hints"]), wide(game["turns_left"])
    for other in range(players):
        row[HANDS + other] = row[BEFORE + other]
        row[UNTOLD + other] = row[UNTOLD_BEFORE + other]
    is_hint = action >= 2 * size
    used = wide(NONE) if is_hint else action % size
    mine, untold = wide(0), wide(0)
    for slot in range(row[LENGTHS + seat]):
        if slot != used:
            mine |= wide(1) << row[HELD + slot]
            if not is_told(row, row[OWN + slot]):
                untold |= wide(1) << row[HELD + slot]
    if is_hint:
        hints -= 1
        for other in range(players):
            row[UNTOLD + other] = 0
    else:
        bit = wide(1) << row[HELD + used]
        if action < size:
            hints += hints < row[MOST_HINTS]
        elif bit & row[PLAYABLE]:
            played |= bit
            hints += bit & row[BONUS] != 0 and hints < row[MOST_HINTS]
        elif game["strikes"] + 1 >= rulebook["max_strikes"]:
            return False
    if turns_left != NOT_YET:
        turns_left -= 1
    row[HANDS + seat], row[UNTOLD + seat] = mine, untold
    row[TRIED_PLAYED], row[TRIED_HINTS], row[TRIED_LEFT] = played, hints, turns_left
    return True


@inlined_kernel
def draw_card(row: Row, seat: int, card: int) -> None:
    """Give a card to a seat, which does not know it yet."""
    row[UNTOLD + seat] |= wide(1) << card & ~row[HANDS + seat]
    row[HANDS + seat] |= wide(1) << card


@inlined_kernel
def wins_in_world(
    game: Game, rulebook: Rulebook, row: Row, seat: int, deck: int, played: int, action: int, settings: Settings
) -> bool:
    """Return whether an action wins in the world that was drawn, if its deck were known to all."""
    if not try_action(game, rulebook, row, seat, played, action):
        return False
    turns_left = row[TRIED_LEFT]
    if action < 2 * rulebook["hand_size"] and deck > 0:
        deck -= 1
        draw_card(row, seat, row[POOL + deck])
        if deck == 0:
            turns_left = row[PLAYERS]
    row[NODES] = wide(settings[WORLD_NODES])
    after = seat + 1 if seat + 1 < row[PLAYERS] else wide(0)
    return can_win(row, after, row[TRIED_PLAYED], deck, row[TRIED_HINTS], turns_left)


@inlined_kernel
def chance_in_world(
    game: Game, rulebook: Rulebook, row: Row, seat: int, deck: int, played: int, action: int, settings: Settings
) -> int:
    """Return the chance that an action wins with the own cards of the world that was drawn, of ONE, or UNKNOWN."""
    if not try_action(game, rulebook, row, seat, played, action):
        return 0
    players = row[PLAYERS]
    after = seat + 1 if seat + 1 < players else wide(0)
    played, hints, turns_left = row[TRIED_PLAYED], row[TRIED_HINTS], row[TRIED_LEFT]
    gather_deck(row, deck)
    row[NODES] = wide(settings[EXACT_NODES])
    if action >= 2 * rulebook["hand_size"] or deck == 0:
        return chance_to_win(row, after, played, deck, hints, turns_left)
    if deck == 1:
        turns_left = players
    total = wide(0)
    mine, untold = row[HANDS + seat], row[UNTOLD + seat]
    draws = row[DECK_PLANES]
    while draws:
        drawn = draws & -draws
        draws ^= drawn
        copies = copies_in_deck(row, drawn)
        take_copy(row, DECK_PLANES, drawn)
        draw_card(row, seat, popcount(drawn - 1))
        chance = chance_to_win(row, after, played, deck - 1, hints, turns_left)
        if chance == UNKNOWN:
            return UNKNOWN
        total += copies * chance
        put_back(row, drawn)
        row[HANDS + seat], row[UNTOLD + seat] = mine, untold
    return total // deck


@inlined_kernel
def plan_exactly(
    game: Game, rulebook: Rulebook, row: Row, seat: int, count: int, settings: Settings, chance: Chance
) -> int:
    """Return the candidate with the best chance to win, or NONE if the nodes ran out."""
    start = chance[seat]
    played = played_types(game, rulebook)
    is_known = True
    for slot in range(row[LENGTHS + seat]):
        is_known &= is_told(row, row[OWN + slot])
    num_worlds = 1 if is_known else wide(settings[EXACT_WORLDS])
    best, most = NONE, wide(0)
    for i in range(count):
        total = wide(0)
        chance[seat] = start
        for _ in range(num_worlds):
            deck = draw_world(game, rulebook, row, seat, chance)
            if deck < 0:
                return NONE
            value = chance_in_world(game, rulebook, row, seat, deck, played, row[ACTIONS + i], settings)
            if value == UNKNOWN:
                return NONE
            total += value
        if i == 0:
            total += num_worlds * ONE // 100
        if total > most:
            best, most = wide(i), total
            if total >= num_worlds * ONE:
                break
    return wide(row[ACTIONS + best]) if best != NONE else wide(row[ACTIONS])


@kernel
def count_wins(
    game: Game, rulebook: Rulebook, row: Row, seat: int, action: int, worlds: int, settings: Settings, chance: Chance
) -> int:
    """Return in which worlds of a mask an action wins, as a mask; the stream of chance stays where it is."""
    start = chance[seat]
    played = played_types(game, rulebook)
    wins = wide(0)
    while worlds:
        world = worlds & -worlds
        worlds ^= world
        chance[seat] = start + np.uint64(popcount(world - 1) * WORLD_STRIDE) * GOLDEN
        deck = draw_world(game, rulebook, row, seat, chance)
        if deck < 0 or wins_in_world(game, rulebook, row, seat, deck, played, action, settings):
            wins |= world
    chance[seat] = start
    return wins


@kernel
def plan(
    game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, habit: int, settings: Settings, chance: Chance
) -> int:
    """Return the action that wins in most worlds; `habit` is that of the rules, which the others must beat clearly.

    Whatever wins in none of the worlds in which the habit loses is not looked at any more.
    """
    count = list_actions(rulebook, row, seat, legal, habit, settings)
    if count == 1 or rulebook["all_mask"] & ~(played_types(game, rulebook) | row[LEFT]):
        return habit
    lay_out(rulebook, row)
    see_hands(game, rulebook, row, seat)
    if wide(rulebook["deck_size"]) - wide(game["drawn"]) <= settings[EXACT_DECK]:
        best = plan_exactly(game, rulebook, row, seat, count, settings, chance)
        if best != NONE:
            return best
    num_worlds = wide(settings[WORLDS])
    worlds = (wide(1) << num_worlds) - 1
    wins = count_wins(game, rulebook, row, seat, habit, worlds, settings, chance)
    best, most = wide(habit), settings[HABIT] * num_worlds
    if wins != worlds:
        for i in range(1, count):
            action = row[ACTIONS + i]
            gain = popcount(count_wins(game, rulebook, row, seat, action, worlds & ~wins, settings, chance))
            if gain > most:
                gain -= popcount(wins) - popcount(count_wins(game, rulebook, row, seat, action, wins, settings, chance))
                if gain > most:
                    best, most = action, float(gain)
    chance[seat] += np.uint64(num_worlds * WORLD_STRIDE) * GOLDEN
    return best
