"""The endgame of the bot `hat`: possible worlds are drawn, and what can still be won in each is searched for.

A world is a hand that I may hold and an order of the deck. In a world all cards are known, and hints only pass
the turn. A hand is the mask of the needed cards in it, as in `playability.deals.kernels.beam`.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import PAPER, PAPER_AT, Paper
from handful.bots.hat.notes_kernel import MOST_COPIES, seat_after
from handful.bots.hat.worlds_kernel import (
    AFTER_WORLD,
    WORLD,
    WORLD_AT,
    World,
    lay_out,
    playable_now,
    played_types,
)
from handful.bots.settings import Settings
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, NOT_YET, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, below

ATTEMPTS = 4  # to deal myself a hand
MAX_DEPTH = 64


class Line(TypedDict):
    """Scratch paper of a search: the deck of a world, and the hands on each turn of a line."""

    deck_size: Annotated[int, np.int64]
    deck: Annotated[Ints, np.int64, MAX_DECK]  # by place in the deck, the card
    rest: Annotated[Ints, np.int64, MAX_DECK + 1]  # by place in the deck, the mask of the cards from there on
    hands: Annotated[Ints, np.int64, MAX_DEPTH * MAX_PLAYERS]  # by depth and seat
    wins: Annotated[Ints, np.int64, MAX_ACTIONS]  # by action that is compared: the worlds that it wins


LINE = record_type(Line)
LINE_AT = AFTER_WORLD
MEMORY_WORDS = LINE_AT + words_of(LINE)


@inlined_kernel
def fill_pool(rulebook: Rulebook, paper: Paper, world: World) -> int:
    """Write all cards that this seat does not see to the pool; return how many there are."""
    count = 0
    for card in range(rulebook["types"]):
        for copy in range(MOST_COPIES):
            if paper["unseen"][copy] >> card & 1:
                world["pool"][count] = card
                count += 1
    return count


@inlined_kernel
def narrowest_slot(paper: Paper, length: int, dealt: int) -> int:
    """Return the own slot not yet dealt to of which most is known."""
    least, chosen = wide(MAX_DECK), 0
    for slot in range(length):
        width = popcount(paper["own"][slot])
        if not dealt >> slot & 1 and width < least:
            least, chosen = width, slot
    return chosen


@inlined_kernel
def deal_own(rulebook: Rulebook, paper: Paper, world: World, length: int, seat: int, chance: Chance) -> int:
    """Deal myself a hand from the pool that I may hold; return how many cards are left there, or −1."""
    count, dealt, pool = fill_pool(rulebook, paper, world), wide(0), world["pool"]
    for _ in range(length):
        slot = narrowest_slot(paper, length, dealt)
        dealt |= wide(1) << slot
        mask = paper["own"][slot]
        fits = 0
        for i in range(count):
            fits += mask >> pool[i] & 1
        if fits == 0:
            return -1
        n = below(chance, seat, fits)
        i = 0
        while n > 0 or not mask >> pool[i] & 1:
            n -= mask >> pool[i] & 1
            i += 1
        world["held"][slot] = pool[i]
        count -= 1
        pool[i] = pool[count]
    return count


@inlined_kernel
def draw_line(game: Game, rulebook: Rulebook, row: Ints, seat: int, chance: Chance) -> bool:
    """Draw a world: the own hand, the hands of depth 0, the deck; return whether one was found."""
    paper, world = record_in(row, PAPER_AT, PAPER), record_in(row, WORLD_AT, WORLD)
    line, pool = record_in(row, LINE_AT, LINE), world["pool"]
    length = wide(game["lengths"][seat])
    count = -1
    for _ in range(ATTEMPTS):
        if count < 0:
            count = deal_own(rulebook, paper, world, length, seat, chance)
    if count != line["deck_size"] - game["drawn"]:
        return False
    line["rest"][line["deck_size"]] = 0
    for place in range(line["deck_size"] - 1, wide(game["drawn"]) - 1, -1):
        i = below(chance, seat, count)
        line["deck"][place] = pool[i]
        line["rest"][place] = line["rest"][place + 1] | wide(1) << pool[i]
        count -= 1
        pool[i] = pool[count]
    needed = ~played_types(game, rulebook)
    for other in range(rulebook["players"]):
        hand = wide(0)
        first = other * wide(rulebook["hand_size"])
        for slot in range(game["lengths"][other]):
            card = world["held"][slot] if other == seat else wide(game["cards"][game["orders"][first + slot]])
            hand |= wide(1) << card
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
    world, line = record_in(row, WORLD_AT, WORLD), record_in(row, LINE_AT, LINE)
    needed, players, hands = world["all"] & ~played, world["players"], line["hands"]
    if not needed:
        return True
    world["nodes"] -= 1
    is_last = turns_left != NOT_YET
    turns = turns_left if is_last else line["deck_size"] - drawn + players
    slack = turns - popcount(needed)
    if world["nodes"] < 0 or depth >= MAX_DEPTH - 2 or slack < 0:
        return False
    first = depth * MAX_PLAYERS
    others = wide(0)
    other = seat
    for _ in range(1, min(turns, players)):
        other = other + 1 if other + 1 < players else wide(0)
        others |= hands[first + other]
    if needed & ~(hands[first + seat] | others | line["rest"][drawn]):
        return False
    mine, ready = hands[first + seat] & needed, playable_now(world, played)
    following = seat + 1 if seat + 1 < players else wide(0)
    plays, passes = mine & ready, 0
    is_hint_first = others & ready != 0 or slack < 2
    # Every play is tried, then a hint and a discard; in the last round these are the same, a pass.
    while plays or passes < (1 if is_last else 2):
        after, gained, next_depth, bit = played, wide(0), depth + 1, plays & -plays
        if bit:
            plays ^= bit
            after |= bit
            gained = wide(bit & world["bonus"] != 0)
            copy_hands(line, players, depth, bit)
        else:
            passes += 1
            if is_last or (passes == 1) == is_hint_first:
                if tokens == 0 and not is_last:
                    continue
                gained, next_depth = -wide(tokens > 0), depth
            else:
                spare = mine & (others | line["rest"][drawn])
                is_full = popcount(mine) >= world["hand_size"]  # of needed cards
                if slack == 0 or tokens == world["most_hints"] or (is_full and not spare):
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
        if can_win(row, next_depth, after, next_drawn, min(tokens + gained, world["most_hints"]), following, left):
            return True
    return False


@inlined_kernel
def is_won_after(game: Game, rulebook: Rulebook, row: Ints, seat: int, action: int, settings: Settings) -> bool:
    """Return whether a win is found in this world after an action of mine."""
    world, line = record_in(row, WORLD_AT, WORLD), record_in(row, LINE_AT, LINE)
    size, players = wide(rulebook["hand_size"]), world["players"]
    played, drawn, tokens = played_types(game, rulebook), wide(game["drawn"]), wide(game["hints"])
    turns_left = wide(game["turns_left"])
    left = turns_left - 1 if turns_left != NOT_YET else turns_left
    copy_hands(line, players, wide(0), wide(0))
    world["nodes"] = wide(settings["world_nodes"])
    if action >= 2 * size:
        tokens -= 1
    else:
        is_play = action >= size
        card = world["held"][action - size if is_play else action]
        bit = wide(1) << card
        is_success = is_play and playable_now(world, played) & bit != 0
        if is_play and not is_success and game["strikes"] + 1 >= rulebook["max_strikes"]:
            return False
        if not is_play or (is_success and bit & world["bonus"]):
            tokens = min(tokens + 1, world["most_hints"])
        if is_success:
            played |= bit
            copy_hands(line, players, wide(0), bit)
        else:
            copies = 0  # of a card that I hold twice, one stays
            for slot in range(game["lengths"][seat]):
                copies += world["held"][slot] == card
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
    world, line = record_in(row, WORLD_AT, WORLD), record_in(row, LINE_AT, LINE)
    actions, wins = world["actions"], line["wins"]
    lay_out(rulebook, world)
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
