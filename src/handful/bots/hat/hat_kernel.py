"""The bot `hat`, compiled: how it follows the turns of all, and what it does on its own. `hat` has the rules.

In endgames possible worlds are drawn, and what can still be won in each is searched for. In a world all cards are
known, and hints only pass the turn. A hand is the mask of the needed cards in it, as in
`playability.deals.kernels.beam`.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Annotated, Floats, Ints, TypedDict, record_type, words_of
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
from handful.bots.hat.notes_kernel import NONE, NOTES, Notes, is_within, seat_after
from handful.bots.hat.outlook_kernel import (
    best_hint,
    expected_loss,
    is_bold_play,
    least_loss,
    look_around,
    lowest_value,
    needs_telling,
)
from handful.bots.hat.position_kernel import (
    AFTER_POSITION,
    POSITION,
    POSITION_AT,
    WORLD_AT,
    draw_world,
    playable_now,
    played_types,
    prepare_worlds,
)
from handful.bots.hat.questions_kernel import SETTINGS
from handful.bots.kernel_types import CHOOSE
from handful.bots.settings import Settings
from handful.bots.shared.worlds_kernel import WORLD
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, NOT_YET, Game, Games, Rulebook, Rulebooks
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance

MAX_DEPTH = 64


class Line(TypedDict):
    """Scratch paper of a search: the deck of a world, and the hands on each turn of a line."""

    deck_size: Annotated[int, np.int64]
    deck: Annotated[Ints, np.int64, MAX_DECK]  # by place in the deck, the card
    rest: Annotated[Ints, np.int64, MAX_DECK + 1]  # by place in the deck, the mask of the cards from there on
    hands: Annotated[Ints, np.int64, MAX_DEPTH * MAX_PLAYERS]  # by depth and seat
    wins: Annotated[Ints, np.int64, MAX_ACTIONS]  # by action that is compared: the worlds that it wins


LINE = record_type(Line)
LINE_AT = AFTER_POSITION
MEMORY_WORDS = LINE_AT + words_of(LINE)


# The rules.


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
    hint = best_hint(game, rulebook, notes, paper, seat, legal, settings)
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


# The plan of an endgame.


@inlined_kernel
def list_choices(
    game: Game, rulebook: Rulebook, row: Ints, seat: int, legal: int, action: int, settings: Settings
) -> int:
    """Write what an endgame plan compares to the actions, what the rules say first; return how many there are."""
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    actions = record_in(row, POSITION_AT, POSITION)["actions"]
    size = wide(rulebook["hand_size"])
    actions[0] = action
    count = 1
    for slot in range(notes["lengths"][seat]):
        if size + slot != action and is_within(paper["own"][slot], notes["playable"]):
            actions[count] = size + slot
            count += 1
    if legal >> 2 * size and action < 2 * size:
        hint = best_hint(game, rulebook, notes, paper, seat, legal, settings)
        if hint != NONE:
            actions[count] = hint
            count += 1
    if legal & 1 and action >= size:
        actions[count] = least_loss(notes, paper, seat, 0, settings)
        count += 1
    return count


@inlined_kernel
def draw_line(game: Game, rulebook: Rulebook, row: Ints, seat: int, chance: Chance) -> bool:
    """Draw a world: the own hand, the hands of depth 0, the deck; return whether one was found."""
    pool, held = record_in(row, POSITION_AT, POSITION)["pool"], record_in(row, WORLD_AT, WORLD)["hand"]
    line = record_in(row, LINE_AT, LINE)
    count = draw_world(row, seat, chance)
    if count != line["deck_size"] - game["drawn"]:
        return False
    line["rest"][line["deck_size"]] = 0
    for i in range(count):
        place = line["deck_size"] - 1 - i
        line["deck"][place] = pool[i]
        line["rest"][place] = line["rest"][place + 1] | wide(1) << pool[i]
    needed = ~played_types(game, rulebook)
    for other in range(rulebook["players"]):
        hand = wide(0)
        first = other * wide(rulebook["hand_size"])
        for slot in range(game["lengths"][other]):
            hand |= wide(1) << (held[slot] if other == seat else game["cards"][game["orders"][first + slot]])
        line["hands"][other] = hand & needed
    return True


@inlined_kernel
def copy_hands(line: Line, players: int, depth: int, without: int) -> None:
    """Write the hands of a depth to the next one, without a card that is played."""
    first = depth * MAX_PLAYERS
    for place in range(first, first + players):
        line["hands"][place + MAX_PLAYERS] = line["hands"][place] & ~without


@kernel
def can_win(row: Ints, depth: int, played: int, drawn: int, tokens: int, seat: int, turns_left: int) -> bool:
    """Return whether a line that wins is found, with all cards known; the hands of a depth are in the line."""
    position, line = record_in(row, POSITION_AT, POSITION), record_in(row, LINE_AT, LINE)
    needed, players, hands = position["all"] & ~played, position["players"], line["hands"]
    if not needed:
        return True
    position["nodes"] -= 1
    is_last = turns_left != NOT_YET
    turns = turns_left if is_last else line["deck_size"] - drawn + players
    slack = turns - popcount(needed)
    if position["nodes"] < 0 or depth >= MAX_DEPTH - 2 or slack < 0:
        return False
    first = depth * MAX_PLAYERS
    others = wide(0)
    other = seat
    for _ in range(1, min(turns, players)):
        other = other + 1 if other + 1 < players else wide(0)
        others |= hands[first + other]
    if needed & ~(hands[first + seat] | others | line["rest"][drawn]):
        return False
    mine, ready = hands[first + seat] & needed, playable_now(position, played)
    following = seat + 1 if seat + 1 < players else wide(0)
    plays, passes = mine & ready, 0
    is_hint_first = others & ready != 0 or slack < 2
    # Every play is tried, then a hint and a discard; in the last round these are the same, a pass.
    while plays or passes < (1 if is_last else 2):
        after, gained, next_depth, bit = played, wide(0), depth + 1, plays & -plays
        if bit:
            plays ^= bit
            after |= bit
            gained = wide(bit & position["bonus"] != 0)
            copy_hands(line, players, depth, bit)
        else:
            passes += 1
            if is_last or (passes == 1) == is_hint_first:
                if tokens == 0 and not is_last:
                    continue
                gained, next_depth = -wide(tokens > 0), depth
            else:
                spare = mine & (others | line["rest"][drawn])
                is_full = popcount(mine) >= position["hand_size"]  # of needed cards
                if slack == 0 or tokens == position["most_hints"] or (is_full and not spare):
                    continue
                gained = wide(1)
                copy_hands(line, players, depth, wide(0))
                if is_full:
                    hands[first + MAX_PLAYERS + seat] &= ~(spare & -spare)
        next_drawn, left = drawn, turns_left - 1 if is_last else turns_left
        if next_depth > depth and drawn < line["deck_size"]:
            hands[first + MAX_PLAYERS + seat] |= wide(1) << line["deck"][drawn] & ~after
            next_drawn = drawn + 1
            left = players if next_drawn == line["deck_size"] else left
        if can_win(row, next_depth, after, next_drawn, min(tokens + gained, position["most_hints"]), following, left):
            return True
    return False


@inlined_kernel
def is_won_after(game: Game, rulebook: Rulebook, row: Ints, seat: int, action: int, settings: Settings) -> bool:
    """Return whether a win is found in this world after an action of mine."""
    position, line = record_in(row, POSITION_AT, POSITION), record_in(row, LINE_AT, LINE)
    held = record_in(row, WORLD_AT, WORLD)["hand"]
    size, players = wide(rulebook["hand_size"]), position["players"]
    played, drawn, tokens = played_types(game, rulebook), wide(game["drawn"]), wide(game["hints"])
    turns_left = wide(game["turns_left"])
    left = turns_left - 1 if turns_left != NOT_YET else turns_left
    copy_hands(line, players, wide(0), wide(0))
    position["nodes"] = wide(settings["world_nodes"])
    if action >= 2 * size:
        tokens -= 1
    else:
        is_play = action >= size
        card = held[action - size if is_play else action]
        bit = wide(1) << card
        is_success = is_play and playable_now(position, played) & bit != 0
        if is_play and not is_success and game["strikes"] + 1 >= rulebook["max_strikes"]:
            return False
        if not is_play or (is_success and bit & position["bonus"]):
            tokens = min(tokens + 1, position["most_hints"])
        if is_success:
            played |= bit
            copy_hands(line, players, wide(0), bit)
        else:
            copies = 0  # of a card that I hold twice, one stays
            for slot in range(game["lengths"][seat]):
                copies += held[slot] == card
            if copies == 1:
                line["hands"][MAX_PLAYERS + seat] &= ~bit
        if drawn < line["deck_size"]:
            line["hands"][MAX_PLAYERS + seat] |= wide(1) << line["deck"][drawn] & ~played
            drawn += 1
            left = players if drawn == line["deck_size"] else left
    return bool(can_win(row, wide(1), played, drawn, tokens, seat_after(rulebook, seat, 1), left))


@kernel
def plan(game: Game, rulebook: Rulebook, row: Ints, seat: int, count: int, settings: Settings, chance: Chance) -> int:
    """Return the one of the actions listed that wins in most of the worlds drawn; of equals, the first."""
    position, line = record_in(row, POSITION_AT, POSITION), record_in(row, LINE_AT, LINE)
    actions, wins = position["actions"], line["wins"]
    prepare_worlds(rulebook, row, wide(game["lengths"][seat]))
    line["deck_size"] = rulebook["deck_size"]
    for i in range(count):
        wins[i] = 0
    for _ in range(wide(settings["worlds"])):
        if not draw_line(game, rulebook, row, seat, chance):
            return wide(actions[0])
        for i in range(count):
            wins[i] += wide(is_won_after(game, rulebook, row, seat, actions[i], settings))
    best = 0
    for i in range(1, count):
        if wins[i] > wins[best]:
            best = i
    return wide(actions[best])


# A turn.


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
