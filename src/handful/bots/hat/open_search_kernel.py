"""Search with open cards: whether a world can be won, if everybody knows all hands and the order of the deck.

A turn is a play, a discard of trash, or a hint, which is a pass that costs a token. A card that was drawn is not played
before somebody has given a hint. There is no recursion: the turns of a line are *frames*, one behind the other.

For the last cards: the chance to win if everybody plays as well as can be, when all hands are known to all, but the
deck only as a collection, of which each card is equally likely to come. What was found out about a position is
remembered for the rest of the game.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.notes_kernel import MOST_COPIES, put_copy, take_copy, weight
from handful.bots.hat.position_kernel import AFTER_POSITION, POSITION, POSITION_AT, Position, playable_now
from handful.hanabi.kernels.layout import NOT_YET
from handful.hanabi.rules import MAX_PLAYERS

MOST_TURNS = 64
ONE = 1 << 20  # the chance of what is certain
NEARLY_ONE = ONE - ONE // 1000  # nothing better is looked for
TRASH = wide(1) << 62  # stands for all cards of the deck that are not needed
UNKNOWN = -1  # the nodes ran out
TABLE_SIZE = 2048


class Frame(TypedDict):
    """A turn of a search."""

    seat: Annotated[int, np.int64]  # who moves
    played: Annotated[int, np.int64]  # the types on the stacks
    deck: Annotated[int, np.int64]  # cards in it
    hints: Annotated[int, np.int64]
    turns_left: Annotated[int, np.int64]
    stage: Annotated[int, np.int64]  # what the search is to try next
    mine: Annotated[int, np.int64]  # the hand of who moves
    plays: Annotated[int, np.int64]  # those not yet tried
    can_discard: Annotated[int, np.int64]
    likes_discard: Annotated[int, np.int64]  # then it is tried before the hint
    untold: Annotated[Ints, np.int64, MAX_PLAYERS]  # in all hands
    after: Annotated[int, np.int64]  # the action that is being tried: the types on the stacks after it,
    hints_after: Annotated[int, np.int64]
    is_hint: Annotated[int, np.int64]
    key: Annotated[int, np.int64]  # of a search for chances: stands for the position
    best: Annotated[int, np.int64]  # the best chance so far
    draws: Annotated[int, np.int64]  # types that may yet be drawn
    drawn: Annotated[int, np.int64]  # the one that was
    copies: Annotated[int, np.int64]  # copies of it
    rest: Annotated[int, np.int64]  # copies that may yet come
    total: Annotated[int, np.int64]  # all copies
    sum: Annotated[int, np.int64]  # of copies times chances so far


FRAME = record_type(Frame)
FRAME_WORDS = words_of(FRAME)
FRAMES_AT = AFTER_POSITION


class KnownPositions(TypedDict):
    """What was found out, by the last bits of the key of a position."""

    keys: Annotated[Ints, np.int64, TABLE_SIZE]  # 0: nothing is known here
    chances: Annotated[Ints, np.int64, TABLE_SIZE]


TABLE = record_type(KnownPositions)
TABLE_AT = FRAMES_AT + MOST_TURNS * FRAME_WORDS
SEARCH_WORDS = TABLE_AT + words_of(TABLE)

PLAY, DISCARD_EARLY, PASS, DISCARD_LATE, DONE, ENTER = range(6)  # what a search tries, in this order


@inlined_kernel
def set_frame(frame: Frame, seat: int, played: int, deck: int, hints: int, turns_left: int) -> None:
    """Set a position that the search is to enter."""
    frame["seat"], frame["played"], frame["deck"] = seat, played, deck
    frame["hints"], frame["turns_left"], frame["stage"] = hints, turns_left, ENTER


@inlined_kernel
def turns_from(position: Position, frame: Frame) -> int:
    """Return how many turns there still are."""
    left = frame["turns_left"]
    return left if left != NOT_YET else frame["deck"] + position["players"]


@kernel
def is_hopeless(position: Position, frame: Frame) -> bool:
    """Return whether there are too few turns for the missing points, or nobody with a turn left holds one of them."""
    missing, turns, seat = position["all"] & ~frame["played"], turns_from(position, frame), frame["seat"]
    if turns < popcount(missing):
        return True
    if frame["turns_left"] == NOT_YET:
        return False
    held = wide(0)
    for _ in range(turns):
        held |= position["hands"][seat]
        seat = seat + 1 if seat + 1 < position["players"] else wide(0)
    return missing & ~held != 0


@kernel
def enter(position: Position, frame: Frame) -> None:
    """Write what can be done in a new position."""
    missing = position["all"] & ~frame["played"]
    slack = turns_from(position, frame) - popcount(missing)
    mine, hints = position["hands"][frame["seat"]], frame["hints"]
    frame["mine"] = mine
    frame["plays"] = mine & playable_now(position, frame["played"]) & ~position["untold"][frame["seat"]]
    frame["can_discard"] = (
        slack > 0 and hints < position["most_hints"] and popcount(mine & missing) < position["hand_size"]
    )
    frame["likes_discard"] = slack >= position["players"] or hints == 0
    frame["stage"] = PLAY
    for other in range(position["players"]):
        frame["untold"][other] = position["untold"][other]


@inlined_kernel
def undo(position: Position, frame: Frame) -> None:
    """Undo the action that was tried."""
    position["hands"][frame["seat"]] = frame["mine"]
    for other in range(position["players"]):
        position["untold"][other] = frame["untold"][other]


@kernel
def pick_action(position: Position, frame: Frame) -> bool:
    """Write the next action to try; return whether there is one: plays, a discard if liked, a hint, a discard."""
    stage, hints = frame["stage"], frame["hints"]
    can_discard, likes_discard = frame["can_discard"] != 0, frame["likes_discard"] != 0
    is_hint, bit = False, wide(0)
    if stage == PLAY:
        bit = frame["plays"] & -frame["plays"]
        frame["plays"] ^= bit
        if bit == 0:
            stage = wide(DISCARD_EARLY)
        elif bit & position["bonus"] and hints < position["most_hints"]:
            hints += 1
    if stage == DISCARD_EARLY and not (can_discard and likes_discard):
        stage = wide(PASS)
    if stage == PASS:
        is_hint = hints > 0
        if not is_hint:
            stage = wide(DISCARD_LATE)
    if stage == DISCARD_LATE and (not can_discard or likes_discard):
        stage = wide(DONE)
    if stage == DONE:
        return False
    frame["stage"] = stage if stage == PLAY else stage + 1
    if is_hint:
        hints -= 1
    elif stage != PLAY:
        hints += 1
    frame["after"], frame["hints_after"], frame["is_hint"] = frame["played"] | bit, hints, is_hint
    return True


@inlined_kernel
def tell_others(position: Position, seat: int) -> None:
    """Give a hint: all others know what they hold."""
    for other in range(position["players"]):
        if other != seat:
            position["untold"][other] = 0


@inlined_kernel
def draw_card(position: Position, seat: int, card: int) -> None:
    """Give a card, as a mask, to a seat, which does not know it yet."""
    position["untold"][seat] |= card & ~position["hands"][seat]
    position["hands"][seat] |= card


@inlined_kernel
def set_next_frame(position: Position, frame: Frame, following: Frame, deck: int) -> None:
    """Set the position after the action that is tried, with so many cards in the deck then."""
    turns_left = frame["turns_left"]
    if turns_left != NOT_YET:
        turns_left -= 1
    elif deck == 0 and frame["deck"] > 0:
        turns_left = position["players"]
    seat = frame["seat"] + 1 if frame["seat"] + 1 < position["players"] else wide(0)
    set_frame(following, seat, frame["after"], deck, frame["hints_after"], turns_left)


@kernel
def is_out_of_reach(position: Position, played: int, deck: int, turns_left: int) -> bool:
    """Return whether even one player who holds all cards, with hints for nothing, would lose.

    That player plays whatever can be played, and else discards trash. And whoever draws the last card plays it on the
    last turn of all: nothing may build on it.
    """
    held, comes = wide(0), wide(0)
    for seat in range(position["players"]):
        held |= position["hands"][seat]
    for i in range(1, deck):
        comes |= wide(1) << position["pool"][i]
    if deck > 0:
        last = wide(1) << position["pool"][0]
        if last & ~(held | comes | played) and last << 1 & position["all"] & ~position["firsts"] & ~played:
            return True
    turns = deck + position["players"] if turns_left == NOT_YET else turns_left
    while played != position["all"]:
        ready = playable_now(position, played) & held
        played |= ready & -ready
        turns -= 1
        if turns < popcount(position["all"] & ~played) or (ready == 0 and deck == 0):
            return True
        if deck > 0:
            deck -= 1
            held |= wide(1) << position["pool"][deck]
    return False


@kernel
def can_win(row: Ints, seat: int, played: int, deck: int, hints: int, turns_left: int) -> bool:
    """Return whether a line that wins is found before the nodes run out. The hands may be left as they are then.

    A search in depth: plays first; then a discard, if many are affordable; a hint; a discard.
    """
    position = record_in(row, POSITION_AT, POSITION)
    if is_out_of_reach(position, played, deck, turns_left):
        return False
    depth = 0
    set_frame(record_in(row, FRAMES_AT, FRAME), seat, played, deck, hints, turns_left)
    while depth >= 0:
        frame = record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME)
        if frame["stage"] == ENTER:
            if frame["played"] == position["all"]:
                return True
            position["nodes"] -= 1
            if position["nodes"] < 0:
                return False
            if depth == MOST_TURNS - 1 or is_hopeless(position, frame):
                depth -= 1
                continue
            enter(position, frame)
        else:
            undo(position, frame)
        if not pick_action(position, frame):
            depth -= 1
            continue
        deck = frame["deck"]
        if frame["is_hint"]:
            tell_others(position, frame["seat"])
        elif deck > 0:
            deck -= 1
            draw_card(position, frame["seat"], wide(1) << position["pool"][deck])
        depth += 1
        set_next_frame(position, frame, record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME), deck)
    return False


# The last cards: chances.


@kernel
def forget_positions(row: Ints) -> None:
    """Empty the table of known positions: what the game before has left there would save this one work."""
    table = record_in(row, TABLE_AT, TABLE)
    for place in range(TABLE_SIZE):
        table["keys"][place] = 0


@kernel
def gather_deck(position: Position, deck: int) -> None:
    """Write the deck of a world as planes."""
    for copy in range(MOST_COPIES):
        position["deck"][copy] = 0
    for i in range(deck):
        put_copy(position["deck"], wide(1) << position["pool"][i])


@kernel
def key_of(position: Position, frame: Frame) -> int:
    """Return a number that stands for the position."""
    played = frame["played"]
    key = played ^ frame["deck"] << 40 ^ frame["hints"] << 46 ^ frame["seat"] << 52 ^ (frame["turns_left"] + 1) << 56
    key *= 0x1E3779B97F4A7C15
    for other in range(position["players"]):
        needed = position["hands"][other] & ~played
        key = (key ^ key >> 29 ^ needed) * 0x2545F4914F6CDD1D
        key = (key ^ key >> 31 ^ position["untold"][other] & needed) * 0x369DEA0F31A53F85
    for copy in range(MOST_COPIES):
        key = (key ^ key >> 30 ^ position["deck"][copy] & ~played) * 0x1E3779B97F4A7C15
    return key ^ key >> 32


@inlined_kernel
def list_draws(position: Position, frame: Frame) -> None:
    """Write the cards that may come after the action that is tried."""
    frame["sum"], frame["draws"], frame["total"] = 0, 0, 1
    if not frame["is_hint"] and frame["deck"] > 0:
        draws = position["deck"][0] & ~frame["after"] & position["all"]
        if weight(position["deck"], draws) < frame["deck"]:
            draws |= TRASH
        frame["draws"], frame["total"] = draws, frame["deck"]
    frame["rest"] = frame["total"]


@kernel
def try_next_draw(position: Position, frame: Frame) -> int:
    """Let the action that is tried happen, with the next card that may come; return how many are in the deck then."""
    frame["drawn"], frame["copies"] = 0, 1
    if frame["is_hint"]:
        tell_others(position, frame["seat"])
        return frame["deck"]
    if frame["deck"] == 0:
        return wide(0)
    drawn = frame["draws"] & -frame["draws"]
    frame["draws"] ^= drawn
    frame["drawn"] = drawn
    if drawn == TRASH:
        needed = position["deck"][0] & ~frame["after"] & position["all"]
        frame["copies"] = frame["deck"] - weight(position["deck"], needed)
    else:
        frame["copies"] = weight(position["deck"], drawn)
        take_copy(position["deck"], drawn)
        draw_card(position, frame["seat"], drawn)
    return frame["deck"] - 1


@kernel
def take_in(position: Position, frame: Frame, result: int) -> None:
    """Undo what has been tried, a draw or the hint, and take its result in."""
    undo(position, frame)
    if frame["drawn"] and frame["drawn"] != TRASH:
        put_copy(position["deck"], frame["drawn"])
    frame["sum"] += frame["copies"] * result
    frame["rest"] -= frame["copies"]
    if frame["sum"] + frame["rest"] * ONE <= frame["best"] * frame["total"]:
        frame["draws"] = 0  # it will not be better than another action
    if frame["draws"] == 0:
        frame["best"] = max(frame["best"], frame["sum"] // frame["total"])


@kernel
def chance_to_win(row: Ints, seat: int, played: int, deck: int, hints: int, turns_left: int) -> int:
    """Return the chance to win from here on, of `ONE`; UNKNOWN if the nodes ran out."""
    position, table = record_in(row, POSITION_AT, POSITION), record_in(row, TABLE_AT, TABLE)
    depth = 0
    set_frame(record_in(row, FRAMES_AT, FRAME), seat, played, deck, hints, turns_left)
    result = wide(0)
    while depth >= 0:
        frame = record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME)
        if frame["stage"] == ENTER:
            is_won = frame["played"] == position["all"]
            result = wide(ONE if is_won else 0)
            position["nodes"] -= 1
            if position["nodes"] < 0:
                return wide(UNKNOWN)
            if is_won or depth == MOST_TURNS - 1 or is_hopeless(position, frame):
                depth -= 1
                continue
            key = key_of(position, frame)
            if table["keys"][key & (TABLE_SIZE - 1)] == key:
                result = table["chances"][key & (TABLE_SIZE - 1)]
                depth -= 1
                continue
            enter(position, frame)
            frame["likes_discard"], frame["key"], frame["best"], frame["draws"] = 0, key, 0, 0
        else:
            take_in(position, frame, result)
        if frame["draws"] == 0:
            # The next action, if one is left that may be better.
            if frame["best"] >= NEARLY_ONE or not pick_action(position, frame):
                result = frame["best"]
                place = frame["key"] & (TABLE_SIZE - 1)
                table["keys"][place], table["chances"][place] = frame["key"], result
                depth -= 1
                continue
            list_draws(position, frame)
        deck = try_next_draw(position, frame)
        depth += 1
        set_next_frame(position, frame, record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME), deck)
    return result
