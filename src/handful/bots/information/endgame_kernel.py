"""The last cards: the chance to win if everybody plays as well as can be, with an unknown order of a small deck.

All hands are known to all, the deck only as a collection. A turn is as in `information_worlds_kernel`; after a play or
a discard each card of the deck is equally likely to come. A card that was drawn is not played before somebody has
given a hint. What was found out about a position is remembered.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.information.questions_kernel import ONE
from handful.bots.information.state_kernel import MOST_COPIES, Row, take_copy
from handful.bots.information.worlds_kernel import (
    ALL,
    BONUS,
    DISCARD_LATE,
    DONE,
    ENTER,
    HANDS,
    MOST_HINTS,
    MOST_TURNS,
    NODES,
    PASS,
    PLAY,
    PLAYERS,
    POOL,
    SIZE,
    UNTOLD,
    WORLD_WORDS,
    is_hopeless,
    playable_now,
)
from handful.hanabi.kernels.layout import NOT_YET
from handful.hanabi.rules import MAX_PLAYERS

# Scratch paper: the deck as planes, the table of known positions (a key and a chance each), and a frame per turn.
DECK_PLANES = WORLD_WORDS
TABLE = DECK_PLANES + MOST_COPIES
TABLE_SIZE = 2048
FRAMES = TABLE + 2 * TABLE_SIZE
# The position: who moves, what is played, cards in the deck, hints, turns left; what to try next; the own hand, the
# plays not yet tried, whether a discard is possible; the best chance so far. Then the action that is being tried: what
# is played and how many hints are left after it, the types that may yet be drawn (`TRASH` for any that is not needed),
# the one that was, its copies, the copies that may yet come, all copies, the sum of copies times chances so far,
# whether it is a hint. At last what is untold.
F_SEAT, F_PLAYED, F_DECK, F_HINTS, F_LEFT, F_STAGE, F_MINE, F_PLAYS, F_CAN, F_BEST, F_KEY = range(11)
F_AFTER, F_HINTS_AFTER, F_DRAWS, F_DRAWN, F_COPIES, F_REST, F_TOTAL, F_SUM, F_IS_HINT = range(11, 20)
F_UNTOLD = 20
FRAME_WORDS = F_UNTOLD + MAX_PLAYERS
ENDGAME_WORDS = FRAMES + MOST_TURNS * FRAME_WORDS

TRASH = wide(1) << 62  # stands for all cards of the deck that are not needed
UNKNOWN = -1  # the nodes ran out


@kernel
def gather_deck(row: Row, deck: int) -> None:
    """Write the deck of a world as planes."""
    for copy in range(MOST_COPIES):
        row[DECK_PLANES + copy] = 0
    for i in range(deck):
        bit = wide(1) << row[POOL + i]
        copy = 0
        while row[DECK_PLANES + copy] & bit:
            copy += 1
        row[DECK_PLANES + copy] |= bit


@kernel
def copies_in_deck(row: Row, mask: int) -> int:
    """Return how many cards of the deck are of a mask."""
    total = 0
    for copy in range(MOST_COPIES):
        total += popcount(mask & row[DECK_PLANES + copy])
    return total


@inlined_kernel
def put_back(row: Row, bit: int) -> None:
    """Put a card back into the deck."""
    copy = 0
    while row[DECK_PLANES + copy] & bit:
        copy += 1
    row[DECK_PLANES + copy] |= bit


@kernel
def key_of(row: Row, seat: int, played: int, deck: int, hints: int, turns_left: int) -> int:
    """Return a number that stands for the position."""
    key = (played ^ deck << 40 ^ hints << 46 ^ seat << 52 ^ (turns_left + 1) << 56) * 0x1E3779B97F4A7C15
    for other in range(row[PLAYERS]):
        key = (key ^ key >> 29 ^ row[HANDS + other] & ~played) * 0x2545F4914F6CDD1D
        key = (key ^ key >> 31 ^ row[UNTOLD + other] & row[HANDS + other] & ~played) * 0x369DEA0F31A53F85
    for copy in range(MOST_COPIES):
        key = (key ^ key >> 30 ^ row[DECK_PLANES + copy] & ~played) * 0x1E3779B97F4A7C15
    return key ^ key >> 32


@kernel
def chance_to_win(row: Row, seat: int, played: int, deck: int, hints: int, turns_left: int) -> int:
    """Return the chance to win from here on, of `ONE`; UNKNOWN if the nodes ran out."""
    players = row[PLAYERS]
    depth = 0
    row[FRAMES + F_SEAT], row[FRAMES + F_PLAYED], row[FRAMES + F_DECK] = seat, played, deck
    row[FRAMES + F_HINTS], row[FRAMES + F_LEFT], row[FRAMES + F_STAGE] = hints, turns_left, ENTER
    result = wide(0)
    while depth >= 0:
        frame = FRAMES + depth * FRAME_WORDS
        seat, played, deck = row[frame + F_SEAT], row[frame + F_PLAYED], row[frame + F_DECK]
        hints, turns_left = row[frame + F_HINTS], row[frame + F_LEFT]
        if row[frame + F_STAGE] == ENTER:
            # A new position.
            missing = row[ALL] & ~played
            is_last_round = turns_left != NOT_YET
            turns = turns_left if is_last_round else deck + players
            result = wide(ONE if missing == 0 else 0)
            row[NODES] -= 1
            if row[NODES] < 0:
                return UNKNOWN
            if missing == 0 or depth == MOST_TURNS - 1 or is_hopeless(row, seat, missing, turns, is_last_round):
                depth -= 1
                continue
            key = key_of(row, seat, played, deck, hints, turns_left)
            place = TABLE + 2 * (key & (TABLE_SIZE - 1))
            if row[place] == key:
                result = row[place + 1]
                depth -= 1
                continue
            mine = row[HANDS + seat]
            slack = turns - popcount(missing)
            row[frame + F_KEY], row[frame + F_BEST], row[frame + F_STAGE] = key, 0, PLAY
            row[frame + F_MINE] = mine
            row[frame + F_PLAYS] = mine & playable_now(row, played) & ~row[UNTOLD + seat]
            row[frame + F_CAN] = slack > 0 and hints < row[MOST_HINTS] and popcount(mine & missing) < row[SIZE]
            row[frame + F_DRAWS] = 0
            for other in range(players):
                row[frame + F_UNTOLD + other] = row[UNTOLD + other]
        else:
            # A draw has been tried, or the hint: undo it, and take its result in.
            row[HANDS + seat] = row[frame + F_MINE]
            for other in range(players):
                row[UNTOLD + other] = row[frame + F_UNTOLD + other]
            drawn = row[frame + F_DRAWN]
            if drawn and drawn != TRASH:
                put_back(row, drawn)
            row[frame + F_SUM] += row[frame + F_COPIES] * result
            row[frame + F_REST] -= row[frame + F_COPIES]
            if row[frame + F_SUM] + row[frame + F_REST] * ONE <= row[frame + F_BEST] * row[frame + F_TOTAL]:
                row[frame + F_DRAWS] = 0  # it will not be better than another action
            if row[frame + F_DRAWS] == 0:
                row[frame + F_BEST] = max(row[frame + F_BEST], row[frame + F_SUM] // row[frame + F_TOTAL])

        if row[frame + F_DRAWS] == 0:
            # The next action, if one is left that may be better.
            stage = row[frame + F_STAGE]
            bit, is_hint = wide(0), False
            if row[frame + F_BEST] >= ONE - ONE // 1000:
                stage = DONE
            if stage == PLAY:
                bit = row[frame + F_PLAYS] & -row[frame + F_PLAYS]
                row[frame + F_PLAYS] ^= bit
                if bit == 0:
                    stage = PASS
                elif bit & row[BONUS] and hints < row[MOST_HINTS]:
                    hints += 1
            if stage == PASS:
                is_hint = hints > 0
                if not is_hint:
                    stage = DISCARD_LATE
            if stage == DISCARD_LATE and not row[frame + F_CAN]:
                stage = DONE
            if stage == DONE:
                result = row[frame + F_BEST]
                place = TABLE + 2 * (row[frame + F_KEY] & (TABLE_SIZE - 1))
                row[place], row[place + 1] = row[frame + F_KEY], result
                depth -= 1
                continue
            row[frame + F_STAGE] = stage if stage == PLAY else stage + 1
            if is_hint:
                hints -= 1
            elif stage != PLAY:
                hints += 1
            after = played | bit
            row[frame + F_AFTER], row[frame + F_HINTS_AFTER], row[frame + F_IS_HINT] = after, hints, is_hint
            row[frame + F_SUM] = 0
            if is_hint or deck == 0:
                row[frame + F_DRAWS], row[frame + F_TOTAL] = 0, 1
            else:
                draws = row[DECK_PLANES] & ~after & row[ALL]
                if copies_in_deck(row, draws) < deck:
                    draws |= TRASH
                row[frame + F_DRAWS], row[frame + F_TOTAL] = draws, deck
            row[frame + F_REST] = row[frame + F_TOTAL]

        # Try the action, with the next draw.
        next_deck, next_left = deck, turns_left
        if turns_left != NOT_YET:
            next_left -= 1
        row[frame + F_DRAWN], row[frame + F_COPIES] = 0, 1
        if row[frame + F_IS_HINT]:
            for other in range(players):
                if other != seat:
                    row[UNTOLD + other] = 0
        elif deck > 0:
            draws = row[frame + F_DRAWS]
            drawn = draws & -draws
            row[frame + F_DRAWS] = draws ^ drawn
            row[frame + F_DRAWN] = drawn
            next_deck -= 1
            if next_deck == 0:
                next_left = players
            if drawn == TRASH:
                needed = row[DECK_PLANES] & ~row[frame + F_AFTER] & row[ALL]
                row[frame + F_COPIES] = deck - copies_in_deck(row, needed)
            else:
                row[frame + F_COPIES] = copies_in_deck(row, drawn)
                take_copy(row, DECK_PLANES, drawn)
                row[UNTOLD + seat] |= drawn & ~row[HANDS + seat]
                row[HANDS + seat] |= drawn
        depth += 1
        child = frame + FRAME_WORDS
        row[child + F_SEAT], row[child + F_PLAYED] = seat + 1 if seat + 1 < players else 0, row[frame + F_AFTER]
        row[child + F_DECK], row[child + F_HINTS] = next_deck, row[frame + F_HINTS_AFTER]
        row[child + F_LEFT], row[child + F_STAGE] = next_left, ENTER
    return result
