"""Search with open cards: whether a world can be won, if everybody knows all cards and the order of the deck.

A turn is a play, a discard of trash, or a hint, which is a pass that costs a token. A card that was drawn is not played
before somebody has given a hint. There is no recursion: the turns of a line are *frames*, one behind the other.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.worlds_kernel import AFTER_WORLD, WORLD, WORLD_AT, World, playable_now
from handful.hanabi.kernels.layout import NOT_YET
from handful.hanabi.rules import MAX_PLAYERS

MOST_TURNS = 64


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
FRAMES_AT = AFTER_WORLD
AFTER_FRAMES = FRAMES_AT + MOST_TURNS * FRAME_WORDS

PLAY, DISCARD_EARLY, PASS, DISCARD_LATE, DONE, ENTER = range(6)  # what a search tries, in this order


@inlined_kernel
def set_frame(frame: Frame, seat: int, played: int, deck: int, hints: int, turns_left: int) -> None:
    """Set a position that the search is to enter."""
    frame["seat"], frame["played"], frame["deck"] = seat, played, deck
    frame["hints"], frame["turns_left"], frame["stage"] = hints, turns_left, ENTER


@inlined_kernel
def turns_from(world: World, frame: Frame) -> int:
    """Return how many turns there still are."""
    left = frame["turns_left"]
    return left if left != NOT_YET else frame["deck"] + world["players"]


@kernel
def is_hopeless(world: World, frame: Frame) -> bool:
    """Return whether there are too few turns for the missing points, or nobody with a turn left holds one of them."""
    missing, turns, seat = world["all"] & ~frame["played"], turns_from(world, frame), frame["seat"]
    if turns < popcount(missing):
        return True
    if frame["turns_left"] == NOT_YET:
        return False
    held = wide(0)
    for _ in range(turns):
        held |= world["hands"][seat]
        seat = seat + 1 if seat + 1 < world["players"] else wide(0)
    return missing & ~held != 0


@kernel
def enter(world: World, frame: Frame) -> None:
    """Write what can be done in a new position."""
    missing = world["all"] & ~frame["played"]
    slack = turns_from(world, frame) - popcount(missing)
    mine, hints = world["hands"][frame["seat"]], frame["hints"]
    frame["mine"] = mine
    frame["plays"] = mine & playable_now(world, frame["played"]) & ~world["untold"][frame["seat"]]
    frame["can_discard"] = slack > 0 and hints < world["most_hints"] and popcount(mine & missing) < world["hand_size"]
    frame["likes_discard"] = slack >= world["players"] or hints == 0
    frame["stage"] = PLAY
    for other in range(world["players"]):
        frame["untold"][other] = world["untold"][other]


@inlined_kernel
def undo(world: World, frame: Frame) -> None:
    """Undo the action that was tried."""
    world["hands"][frame["seat"]] = frame["mine"]
    for other in range(world["players"]):
        world["untold"][other] = frame["untold"][other]


@kernel
def pick_action(world: World, frame: Frame) -> bool:
    """Write the next action to try; return whether there is one: plays, a discard if liked, a hint, a discard."""
    stage, hints = frame["stage"], frame["hints"]
    can_discard, likes_discard = frame["can_discard"] != 0, frame["likes_discard"] != 0
    is_hint, bit = False, wide(0)
    if stage == PLAY:
        bit = frame["plays"] & -frame["plays"]
        frame["plays"] ^= bit
        if bit == 0:
            stage = wide(DISCARD_EARLY)
        elif bit & world["bonus"] and hints < world["most_hints"]:
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
def tell_others(world: World, seat: int) -> None:
    """Give a hint: all others know what they hold."""
    for other in range(world["players"]):
        if other != seat:
            world["untold"][other] = 0


@inlined_kernel
def draw_card(world: World, seat: int, card: int) -> None:
    """Give a card, as a mask, to a seat, which does not know it yet."""
    world["untold"][seat] |= card & ~world["hands"][seat]
    world["hands"][seat] |= card


@inlined_kernel
def set_next_frame(world: World, frame: Frame, following: Frame, deck: int) -> None:
    """Set the position after the action that is tried, with so many cards in the deck then."""
    turns_left = frame["turns_left"]
    if turns_left != NOT_YET:
        turns_left -= 1
    elif deck == 0 and frame["deck"] > 0:
        turns_left = world["players"]
    seat = frame["seat"] + 1 if frame["seat"] + 1 < world["players"] else wide(0)
    set_frame(following, seat, frame["after"], deck, frame["hints_after"], turns_left)


@kernel
def is_out_of_reach(world: World, played: int, deck: int, turns_left: int) -> bool:
    """Return whether even one player who holds all cards, with hints for nothing, would lose.

    That player plays whatever can be played, and else discards trash. And whoever draws the last card plays it on the
    last turn of all: nothing may build on it.
    """
    held, comes = wide(0), wide(0)
    for seat in range(world["players"]):
        held |= world["hands"][seat]
    for i in range(1, deck):
        comes |= wide(1) << world["pool"][i]
    if deck > 0:
        last = wide(1) << world["pool"][0]
        if last & ~(held | comes | played) and last << 1 & world["all"] & ~world["firsts"] & ~played:
            return True
    turns = deck + world["players"] if turns_left == NOT_YET else turns_left
    while played != world["all"]:
        ready = playable_now(world, played) & held
        played |= ready & -ready
        turns -= 1
        if turns < popcount(world["all"] & ~played) or (ready == 0 and deck == 0):
            return True
        if deck > 0:
            deck -= 1
            held |= wide(1) << world["pool"][deck]
    return False


@kernel
def can_win(row: Ints, seat: int, played: int, deck: int, hints: int, turns_left: int) -> bool:
    """Return whether a line that wins is found before the nodes run out. The hands may be left as they are then.

    A search in depth: plays first; then a discard, if many are affordable; a hint; a discard.
    """
    world = record_in(row, WORLD_AT, WORLD)
    if is_out_of_reach(world, played, deck, turns_left):
        return False
    depth = 0
    set_frame(record_in(row, FRAMES_AT, FRAME), seat, played, deck, hints, turns_left)
    while depth >= 0:
        frame = record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME)
        if frame["stage"] == ENTER:
            if frame["played"] == world["all"]:
                return True
            world["nodes"] -= 1
            if world["nodes"] < 0:
                return False
            if depth == MOST_TURNS - 1 or is_hopeless(world, frame):
                depth -= 1
                continue
            enter(world, frame)
        else:
            undo(world, frame)
        if not pick_action(world, frame):
            depth -= 1
            continue
        deck = frame["deck"]
        if frame["is_hint"]:
            tell_others(world, frame["seat"])
        elif deck > 0:
            deck -= 1
            draw_card(world, frame["seat"], wide(1) << world["pool"][deck])
        depth += 1
        set_next_frame(world, frame, record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME), deck)
    return False
