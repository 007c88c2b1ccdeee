"""Worlds: what the cards may be that a seat cannot see, drawn at random; and whether such a world can be won.

In a world all cards are known to all. A hand is the mask of the needed types in it; everything else there is trash. A
turn is a play, a discard of trash, or a hint, which is a pass that costs a token.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import kernel
from handful.bots.information.policy_kernel import OWN, POLICY_WORDS, UNSEEN
from handful.bots.information.state_kernel import LENGTHS, MOST_COPIES, Row, is_single
from handful.hanabi.kernels.layout import MAX_DECK, MAX_HAND_CARDS, NOT_YET, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, below

# Scratch paper of the worlds.
POOL = POLICY_WORDS  # cards that are not in sight; the deck of a world is at the front of it, the next card last
HELD = POOL + MAX_DECK  # per own slot: the card that it is in this world
HANDS = HELD + MAX_HAND_CARDS  # per seat: mask of the needed types held
BEFORE = HANDS + MAX_PLAYERS  # the same, before an action is tried
UNTOLD = BEFORE + MAX_PLAYERS  # per seat: mask of the types held that the holder does not know to hold
UNTOLD_BEFORE = UNTOLD + MAX_PLAYERS  # the same, before an action is tried
FRAMES = UNTOLD_BEFORE + MAX_PLAYERS  # per turn of a search: the words below
MOST_TURNS = 64
# The position: who moves, what is played, cards in the deck, hints, turns left; what the search is to try next; the
# own hand, what is untold in all hands, the plays not yet tried; whether a discard is possible, and liked.
F_SEAT, F_PLAYED, F_DECK, F_HINTS, F_LEFT, F_STAGE, F_MINE, F_PLAYS, F_CAN, F_LIKES, F_UNTOLD = range(11)
FRAME_WORDS = F_UNTOLD + MAX_PLAYERS
NODES = FRAMES + MOST_TURNS * FRAME_WORDS  # positions that a search may still look at
FIRSTS, ALL, PLAYERS, MOST_HINTS, BONUS, SIZE = range(NODES + 1, NODES + 7)  # of the rules
WORLD_WORDS = SIZE + 1

PLAY, DISCARD_EARLY, PASS, DISCARD_LATE, DONE, ENTER = range(6)  # what a search tries, in this order


@kernel
def lay_out(rulebook: Rulebook, row: Row) -> None:
    """Write what the rules say of all worlds: types of value 1, all types, types that regain a hint."""
    firsts, bonus = wide(0), wide(0)
    for card in range(rulebook["types"]):
        firsts |= wide(rulebook["value_of"][card] == 1) << card
        bonus |= wide(rulebook["value_of"][card] == rulebook["values"]) << card
    row[FIRSTS], row[ALL], row[PLAYERS] = firsts, rulebook["all_mask"], rulebook["players"]
    row[MOST_HINTS], row[BONUS] = rulebook["max_hints"], bonus if rulebook["bonus_hint"] else wide(0)
    row[SIZE] = rulebook["hand_size"]


@kernel
def draw_world(game: Game, rulebook: Rulebook, row: Row, seat: int, chance: Chance) -> int:
    """Draw own cards that fit what is known, and the order of the deck; return how many cards the deck has, or −1."""
    length = row[LENGTHS + seat]
    count = wide(0)
    for copy in range(MOST_COPIES):
        types = row[UNSEEN + copy]
        while types:
            row[POOL + count] = popcount((types & -types) - 1)
            types &= types - 1
            count += 1
    for _ in range(20):
        rest = count
        done = wide(0)
        is_stuck = False
        for _ in range(length):
            # The slot with the fewest types comes first.
            chosen, fewest = wide(-1), wide(64)
            for slot in range(length):
                if not done >> slot & 1 and popcount(row[OWN + slot]) < fewest:
                    chosen, fewest = wide(slot), popcount(row[OWN + slot])
            done |= wide(1) << chosen
            mask = row[OWN + chosen]
            if is_single(mask):
                row[HELD + chosen] = popcount(mask - 1)
                continue
            fitting = 0
            for i in range(rest):
                fitting += mask >> row[POOL + i] & 1
            if fitting == 0:
                is_stuck = True
                break
            n = below(chance, seat, fitting)
            i = -1
            while n >= 0:
                i += 1
                n -= mask >> row[POOL + i] & 1
            row[HELD + chosen] = row[POOL + i]
            rest -= 1
            row[POOL + i], row[POOL + rest] = row[POOL + rest], row[POOL + i]
        if not is_stuck:
            for i in range(rest - 1, 0, -1):
                j = below(chance, seat, i + 1)
                row[POOL + i], row[POOL + j] = row[POOL + j], row[POOL + i]
            return rest
    return wide(-1)


@kernel
def playable_now(row: Row, played: int) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return wide((played << 1 | row[FIRSTS]) & ~played & row[ALL])


@kernel
def is_hopeless(row: Row, seat: int, missing: int, turns: int, is_last_round: bool) -> bool:
    """Return whether there are too few turns for the missing points, or nobody with a turn left holds one of them."""
    if turns < popcount(missing):
        return True
    if not is_last_round:
        return False
    held = wide(0)
    for _ in range(turns):
        held |= row[HANDS + seat]
        seat = seat + 1 if seat + 1 < row[PLAYERS] else 0
    return missing & ~held != 0


@kernel
def is_out_of_reach(row: Row, played: int, deck: int, turns_left: int) -> bool:
    """Return whether even one player who holds all cards, with hints for nothing, would lose.

    That player plays whatever can be played, and else discards trash. And whoever draws the last card plays it on the
    last turn of all: nothing may build on it.
    """
    held, comes = wide(0), wide(0)
    for seat in range(row[PLAYERS]):
        held |= row[HANDS + seat]
    for i in range(1, deck):
        comes |= wide(1) << row[POOL + i]
    if deck > 0:
        last = wide(1) << row[POOL]
        if last & ~(held | comes | played) and last << 1 & row[ALL] & ~row[FIRSTS] & ~played:
            return True
    turns = deck + row[PLAYERS] if turns_left == NOT_YET else turns_left
    while played != row[ALL]:
        ready = playable_now(row, played) & held
        played |= ready & -ready
        turns -= 1
        if turns < popcount(row[ALL] & ~played) or (ready == 0 and deck == 0):
            return True
        if deck > 0:
            deck -= 1
            held |= wide(1) << row[POOL + deck]
    return False


@kernel
def can_win(row: Row, seat: int, played: int, deck: int, hints: int, turns_left: int) -> bool:
    """Return whether a line that wins is found before the nodes run out. The hands may be left as they are then.

    A search in depth: plays first; then a discard, if many are affordable; a hint; a discard. A card that was drawn is
    not played before somebody has given a hint. There is no recursion: the turns of the line are the frames.
    """
    if is_out_of_reach(row, played, deck, turns_left):
        return False
    players = row[PLAYERS]
    depth = 0
    row[FRAMES + F_SEAT], row[FRAMES + F_PLAYED], row[FRAMES + F_DECK] = seat, played, deck
    row[FRAMES + F_HINTS], row[FRAMES + F_LEFT], row[FRAMES + F_STAGE] = hints, turns_left, ENTER
    while depth >= 0:
        frame = FRAMES + depth * FRAME_WORDS
        seat, played, deck = row[frame + F_SEAT], row[frame + F_PLAYED], row[frame + F_DECK]
        hints, turns_left, stage = row[frame + F_HINTS], row[frame + F_LEFT], row[frame + F_STAGE]
        if stage == ENTER:
            missing = row[ALL] & ~played
            if missing == 0:
                return True
            row[NODES] -= 1
            if row[NODES] < 0:
                return False
            is_last_round = turns_left != NOT_YET
            turns = turns_left if is_last_round else deck + players
            if depth == MOST_TURNS - 1 or is_hopeless(row, seat, missing, turns, is_last_round):
                depth -= 1
                continue
            slack = turns - popcount(missing)
            mine = row[HANDS + seat]
            row[frame + F_MINE] = mine
            row[frame + F_PLAYS] = mine & playable_now(row, played) & ~row[UNTOLD + seat]
            row[frame + F_CAN] = slack > 0 and hints < row[MOST_HINTS] and popcount(mine & missing) < row[SIZE]
            row[frame + F_LIKES] = slack >= players or hints == 0
            for other in range(players):
                row[frame + F_UNTOLD + other] = row[UNTOLD + other]
            stage = PLAY
        else:
            row[HANDS + seat] = row[frame + F_MINE]
            for other in range(players):
                row[UNTOLD + other] = row[frame + F_UNTOLD + other]

        # The next thing to try.
        is_hint, bit = False, wide(0)
        if stage == PLAY:
            bit = row[frame + F_PLAYS] & -row[frame + F_PLAYS]
            row[frame + F_PLAYS] ^= bit
            if bit == 0:
                stage = DISCARD_EARLY
            elif bit & row[BONUS] and hints < row[MOST_HINTS]:
                hints += 1
        if stage == DISCARD_EARLY and not (row[frame + F_CAN] and row[frame + F_LIKES]):
            stage = PASS
        if stage == PASS:
            is_hint = hints > 0
            if not is_hint:
                stage = DISCARD_LATE
        if stage == DISCARD_LATE and (not row[frame + F_CAN] or row[frame + F_LIKES]):
            stage = DONE
        if stage == DONE:
            depth -= 1
            continue
        row[frame + F_STAGE] = stage if stage == PLAY else stage + 1

        # Try it.
        if turns_left != NOT_YET:
            turns_left -= 1
        if is_hint:
            hints -= 1
            for other in range(players):
                if other != seat:
                    row[UNTOLD + other] = 0
        else:
            if stage != PLAY:
                hints += 1
            if deck > 0:
                deck -= 1
                drawn = wide(1) << row[POOL + deck]
                row[UNTOLD + seat] |= drawn & ~row[HANDS + seat]
                row[HANDS + seat] |= drawn
                if deck == 0:
                    turns_left = players
        depth += 1
        frame += FRAME_WORDS
        row[frame + F_SEAT], row[frame + F_PLAYED] = seat + 1 if seat + 1 < players else 0, played | bit
        row[frame + F_DECK], row[frame + F_HINTS], row[frame + F_LEFT] = deck, hints, turns_left
        row[frame + F_STAGE] = ENTER
    return False
