"""The endgame of the bot `hat`: possible worlds are drawn, and what can still be won in each is searched for.

A world is a hand that I may hold and an order of the deck. In a world all cards are known, and hints only pass
the turn. A hand is the mask of the needed cards in it, as in `playability.deals.kernels.beam`.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.hat.belief_kernel import BELIEF_WORDS, UNSEEN, Row, own_belief
from handful.hanabi.kernels.layout import MAX_DECK, NOT_YET, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, below

WORLDS = 8  # drawn for a decision
EFFORT = 100  # positions looked at in a world
ATTEMPTS = 4  # to deal myself a hand
MAX_DEPTH = 64

# What does not change in a world.
PLAYERS = BELIEF_WORDS
CARDS, HAND_SIZE, ALL, FIRST_CARDS, FIVES, MAX_TOKENS, NODES = (PLAYERS + i for i in range(1, 8))
DECK = PLAYERS + 8  # by place in the deck, the card
REST = DECK + MAX_DECK  # by place in the deck, the mask of the cards from there on
HANDS = REST + MAX_DECK + 1  # by depth and seat
OWN = HANDS + MAX_DEPTH * MAX_PLAYERS  # by slot, my card in this world
POOL = OWN + 8  # the unseen cards
CHOICES = POOL + MAX_DECK
WINS = CHOICES + 16
PLAN_WORDS = WINS + 16


@inlined_kernel
def set_up(rulebook: Rulebook, row: Row) -> None:
    """Note what is the same in all worlds."""
    values = wide(rulebook["values"])
    row[PLAYERS], row[CARDS], row[HAND_SIZE] = rulebook["players"], rulebook["deck_size"], rulebook["hand_size"]
    row[ALL], row[MAX_TOKENS] = rulebook["all_mask"], rulebook["max_hints"]
    first = wide(0)
    for suit in range(rulebook["suits"]):
        first |= wide(1) << suit * values
    row[FIRST_CARDS] = first
    row[FIVES] = first << values - 1 if rulebook["bonus_hint"] else 0


@kernel
def played_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the cards on the stacks."""
    played = wide(0)
    for suit in range(rulebook["suits"]):
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * wide(rulebook["values"])
    return played


@inlined_kernel
def fill_pool(rulebook: Rulebook, row: Row) -> int:
    """Write all cards that this seat does not see to POOL; return how many there are."""
    count = 0
    for card in range(rulebook["types"]):
        for plane in range(UNSEEN, UNSEEN + 3):
            if row[plane] >> card & 1:
                row[POOL + count] = card
                count += 1
    return count


@inlined_kernel
def narrowest_slot(game: Game, rulebook: Rulebook, row: Row, seat: int, dealt: int) -> int:
    """Return the own slot not yet dealt to of which most is known."""
    least, chosen = wide(MAX_DECK), 0
    for slot in range(game["lengths"][seat]):
        width = popcount(own_belief(game, rulebook, row, seat, slot))
        if not dealt >> slot & 1 and width < least:
            least, chosen = width, slot
    return chosen


@inlined_kernel
def deal_own(game: Game, rulebook: Rulebook, row: Row, seat: int, chance: Chance) -> int:
    """Deal myself a hand from the POOL that I may hold, to OWN; return how many cards are left there, or −1."""
    count, dealt = fill_pool(rulebook, row), wide(0)
    for _ in range(game["lengths"][seat]):
        slot = narrowest_slot(game, rulebook, row, seat, dealt)
        dealt |= wide(1) << slot
        mask = own_belief(game, rulebook, row, seat, slot)
        fits = 0
        for i in range(count):
            fits += mask >> row[POOL + i] & 1
        if fits == 0:
            return -1
        n = below(chance, seat, fits)
        i = 0
        while n > 0 or not mask >> row[POOL + i] & 1:
            n -= mask >> row[POOL + i] & 1
            i += 1
        row[OWN + slot] = row[POOL + i]
        count -= 1
        row[POOL + i] = row[POOL + count]
    return count


@inlined_kernel
def draw_world(game: Game, rulebook: Rulebook, row: Row, seat: int, chance: Chance) -> bool:
    """Draw a world: the hands of depth 0, OWN, DECK and REST; return whether one was found."""
    count = -1
    for _ in range(ATTEMPTS):
        if count < 0:
            count = deal_own(game, rulebook, row, seat, chance)
    if count != row[CARDS] - game["drawn"]:
        return False
    needed = ~played_mask(game, rulebook)
    for other in range(rulebook["players"]):
        hand = wide(0)
        first = other * wide(rulebook["hand_size"])
        for slot in range(game["lengths"][other]):
            card = row[OWN + slot] if other == seat else wide(game["cards"][game["orders"][first + slot]])
            hand |= wide(1) << card
        row[HANDS + other] = hand & needed
    row[REST + row[CARDS]] = 0
    for place in range(row[CARDS] - 1, wide(game["drawn"]) - 1, -1):
        i = below(chance, seat, count)
        row[DECK + place] = row[POOL + i]
        row[REST + place] = row[REST + place + 1] | wide(1) << row[POOL + i]
        count -= 1
        row[POOL + i] = row[POOL + count]
    return True


@kernel
def copy_hands(row: Row, depth: int, without: int) -> None:
    """Write the hands of a depth to the next one, without a card that is played."""
    place = HANDS + depth * MAX_PLAYERS
    for seat in range(row[PLAYERS]):
        row[place + MAX_PLAYERS + seat] = row[place + seat] & ~without


@kernel
def can_win(row: Row, depth: int, played: int, drawn: int, tokens: int, seat: int, turns_left: int) -> bool:
    """Whether a line that wins is found, with all cards known; `depth` has the hands."""
    needed = row[ALL] & ~played
    if not needed:
        return True
    row[NODES] -= 1
    if row[NODES] < 0 or depth >= MAX_DEPTH - 2:
        return False
    players = row[PLAYERS]
    is_last = turns_left != NOT_YET
    turns = turns_left if is_last else row[CARDS] - drawn + players
    slack = turns - popcount(needed)
    if slack < 0:
        return False
    place = HANDS + depth * MAX_PLAYERS
    union, others = wide(0), wide(0)
    other = seat
    for ahead in range(min(turns, players)):
        union |= row[place + other]
        if ahead:
            others |= row[place + other]
        other = other + 1 if other + 1 < players else 0
    if needed & ~(union | row[REST + drawn]):
        return False
    ready = (played << 1 | row[FIRST_CARDS]) & needed
    mine = row[place + seat] & needed
    following = seat + 1 if seat + 1 < players else 0
    plays, passes = mine & ready, 0
    is_hint_first = others & ready != 0 or slack < 2
    # Every play is tried, then a hint and a discard; in the last round these are the same, a pass.
    while plays or passes < (1 if is_last else 2):
        after, gained, next_depth, bit = played, wide(0), depth + 1, plays & -plays
        if bit:
            plays ^= bit
            after |= bit
            gained = wide(bit & row[FIVES] != 0)
            copy_hands(row, depth, bit)
        else:
            passes += 1
            if is_last or (passes == 1) == is_hint_first:
                if tokens == 0 and not is_last:
                    continue
                gained, next_depth = -wide(tokens > 0), depth
            else:
                spare = mine & (others | row[REST + drawn])
                is_full = popcount(mine) >= row[HAND_SIZE]  # of needed cards
                if slack == 0 or tokens == row[MAX_TOKENS] or (is_full and not spare):
                    continue
                gained = wide(1)
                copy_hands(row, depth, wide(0))
                if is_full:
                    row[place + MAX_PLAYERS + seat] &= ~(spare & -spare)
        next_drawn, left = drawn, turns_left - 1 if is_last else turns_left
        if next_depth > depth and drawn < row[CARDS]:
            row[place + MAX_PLAYERS + seat] |= wide(1) << row[DECK + drawn] & ~after
            next_drawn = drawn + 1
            left = players if next_drawn == row[CARDS] else left
        if can_win(row, next_depth, after, next_drawn, min(tokens + gained, row[MAX_TOKENS]), following, left):
            return True
    return False


@inlined_kernel
def is_won_after(game: Game, rulebook: Rulebook, row: Row, seat: int, action: int) -> bool:
    """Whether a win is found in this world after an action of mine."""
    size = wide(rulebook["hand_size"])
    played, drawn, tokens = played_mask(game, rulebook), wide(game["drawn"]), wide(game["hints"])
    turns_left = wide(game["turns_left"])
    following = seat + 1 if seat + 1 < row[PLAYERS] else 0
    left = turns_left - 1 if turns_left != NOT_YET else turns_left
    copy_hands(row, wide(0), wide(0))
    row[NODES] = EFFORT
    if action >= 2 * size:
        tokens -= 1
    else:
        is_play = action >= size
        card = row[OWN + action - size if is_play else OWN + action]
        bit = wide(1) << card
        is_success = is_play and (played << 1 | row[FIRST_CARDS]) & ~played & bit != 0
        if is_play and not is_success and game["strikes"] + 1 >= rulebook["max_strikes"]:
            return False
        if not is_play or (is_success and bit & row[FIVES]):
            tokens = min(tokens + 1, row[MAX_TOKENS])
        if is_success:
            played |= bit
            copy_hands(row, wide(0), bit)
        else:
            copies = 0  # of a card that I hold twice, one stays
            for slot in range(game["lengths"][seat]):
                copies += row[OWN + slot] == card
            if copies == 1:
                row[HANDS + MAX_PLAYERS + seat] &= ~bit
        if drawn < row[CARDS]:
            row[HANDS + MAX_PLAYERS + seat] |= wide(1) << row[DECK + drawn] & ~played
            drawn += 1
            left = row[PLAYERS] if drawn == row[CARDS] else left
    return bool(can_win(row, wide(1), played, drawn, tokens, following, left))


@kernel
def plan(game: Game, rulebook: Rulebook, row: Row, seat: int, candidates: int, chance: Chance) -> int:
    """Return the candidate of CHOICES that wins in most of the worlds drawn; of equals, the first."""
    set_up(rulebook, row)
    for i in range(candidates):
        row[WINS + i] = 0
    for _ in range(WORLDS):
        if not draw_world(game, rulebook, row, seat, chance):
            return wide(row[CHOICES])
        for i in range(candidates):
            row[WINS + i] += wide(is_won_after(game, rulebook, row, seat, row[CHOICES + i]))
    best = 0
    for i in range(1, candidates):
        if row[WINS + i] > row[WINS + best]:
            best = i
    return wide(row[CHOICES + best])
