"""The last cards: the chance to win if everybody plays as well as can be, with an unknown order of a small deck.

All hands are known to all, the deck only as a collection. A turn is as in `open_search_kernel`; after a play or a
discard each card of the deck is equally likely to come. What was found out about a position is remembered for the rest
of the game.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.notes_kernel import MOST_COPIES, put_copy, take_copy, weight
from handful.bots.hat.open_search_kernel import (
    AFTER_FRAMES,
    ENTER,
    FRAME,
    FRAME_WORDS,
    FRAMES_AT,
    MOST_TURNS,
    Frame,
    draw_card,
    enter,
    is_hopeless,
    pick_action,
    set_frame,
    set_next_frame,
    tell_others,
    undo,
)
from handful.bots.hat.worlds_kernel import WORLD, WORLD_AT, World

ONE = 1 << 20  # the chance of what is certain
NEARLY_ONE = ONE - ONE // 1000  # nothing better is looked for
TRASH = wide(1) << 62  # stands for all cards of the deck that are not needed
UNKNOWN = -1  # the nodes ran out
TABLE_SIZE = 2048


class KnownPositions(TypedDict):
    """What was found out, by the last bits of the key of a position."""

    keys: Annotated[Ints, np.int64, TABLE_SIZE]  # 0: nothing is known here
    chances: Annotated[Ints, np.int64, TABLE_SIZE]


TABLE = record_type(KnownPositions)
TABLE_AT = AFTER_FRAMES
ENDGAME_WORDS = TABLE_AT + words_of(TABLE)


@kernel
def forget_positions(row: Ints) -> None:
    """Empty the table of known positions: what the game before has left there would save this one work."""
    table = record_in(row, TABLE_AT, TABLE)
    for place in range(TABLE_SIZE):
        table["keys"][place] = 0


@kernel
def gather_deck(world: World, deck: int) -> None:
    """Write the deck of a world as planes."""
    for copy in range(MOST_COPIES):
        world["deck"][copy] = 0
    for i in range(deck):
        put_copy(world["deck"], wide(1) << world["pool"][i])


@kernel
def key_of(world: World, frame: Frame) -> int:
    """Return a number that stands for the position."""
    played = frame["played"]
    key = played ^ frame["deck"] << 40 ^ frame["hints"] << 46 ^ frame["seat"] << 52 ^ (frame["turns_left"] + 1) << 56
    key *= 0x1E3779B97F4A7C15
    for other in range(world["players"]):
        needed = world["hands"][other] & ~played
        key = (key ^ key >> 29 ^ needed) * 0x2545F4914F6CDD1D
        key = (key ^ key >> 31 ^ world["untold"][other] & needed) * 0x369DEA0F31A53F85
    for copy in range(MOST_COPIES):
        key = (key ^ key >> 30 ^ world["deck"][copy] & ~played) * 0x1E3779B97F4A7C15
    return key ^ key >> 32


@inlined_kernel
def list_draws(world: World, frame: Frame) -> None:
    """Write the cards that may come after the action that is tried."""
    frame["sum"], frame["draws"], frame["total"] = 0, 0, 1
    if not frame["is_hint"] and frame["deck"] > 0:
        draws = world["deck"][0] & ~frame["after"] & world["all"]
        if weight(world["deck"], draws) < frame["deck"]:
            draws |= TRASH
        frame["draws"], frame["total"] = draws, frame["deck"]
    frame["rest"] = frame["total"]


@kernel
def try_next_draw(world: World, frame: Frame) -> int:
    """Let the action that is tried happen, with the next card that may come; return how many are in the deck then."""
    frame["drawn"], frame["copies"] = 0, 1
    if frame["is_hint"]:
        tell_others(world, frame["seat"])
        return frame["deck"]
    if frame["deck"] == 0:
        return wide(0)
    drawn = frame["draws"] & -frame["draws"]
    frame["draws"] ^= drawn
    frame["drawn"] = drawn
    if drawn == TRASH:
        needed = world["deck"][0] & ~frame["after"] & world["all"]
        frame["copies"] = frame["deck"] - weight(world["deck"], needed)
    else:
        frame["copies"] = weight(world["deck"], drawn)
        take_copy(world["deck"], drawn)
        draw_card(world, frame["seat"], drawn)
    return frame["deck"] - 1


@kernel
def take_in(world: World, frame: Frame, result: int) -> None:
    """Undo what has been tried, a draw or the hint, and take its result in."""
    undo(world, frame)
    if frame["drawn"] and frame["drawn"] != TRASH:
        put_copy(world["deck"], frame["drawn"])
    frame["sum"] += frame["copies"] * result
    frame["rest"] -= frame["copies"]
    if frame["sum"] + frame["rest"] * ONE <= frame["best"] * frame["total"]:
        frame["draws"] = 0  # it will not be better than another action
    if frame["draws"] == 0:
        frame["best"] = max(frame["best"], frame["sum"] // frame["total"])


@kernel
def chance_to_win(row: Ints, seat: int, played: int, deck: int, hints: int, turns_left: int) -> int:
    """Return the chance to win from here on, of `ONE`; UNKNOWN if the nodes ran out."""
    world, table = record_in(row, WORLD_AT, WORLD), record_in(row, TABLE_AT, TABLE)
    depth = 0
    set_frame(record_in(row, FRAMES_AT, FRAME), seat, played, deck, hints, turns_left)
    result = wide(0)
    while depth >= 0:
        frame = record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME)
        if frame["stage"] == ENTER:
            is_won = frame["played"] == world["all"]
            result = wide(ONE if is_won else 0)
            world["nodes"] -= 1
            if world["nodes"] < 0:
                return wide(UNKNOWN)
            if is_won or depth == MOST_TURNS - 1 or is_hopeless(world, frame):
                depth -= 1
                continue
            key = key_of(world, frame)
            if table["keys"][key & (TABLE_SIZE - 1)] == key:
                result = table["chances"][key & (TABLE_SIZE - 1)]
                depth -= 1
                continue
            enter(world, frame)
            frame["likes_discard"], frame["key"], frame["best"], frame["draws"] = 0, key, 0, 0
        else:
            take_in(world, frame, result)
        if frame["draws"] == 0:
            # The next action, if one is left that may be better.
            if frame["best"] >= NEARLY_ONE or not pick_action(world, frame):
                result = frame["best"]
                place = frame["key"] & (TABLE_SIZE - 1)
                table["keys"][place], table["chances"][place] = frame["key"], result
                depth -= 1
                continue
            list_draws(world, frame)
        deck = try_next_draw(world, frame)
        depth += 1
        set_next_frame(world, frame, record_in(row, FRAMES_AT + depth * FRAME_WORDS, FRAME), deck)
    return result
