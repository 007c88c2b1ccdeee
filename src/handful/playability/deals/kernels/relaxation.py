"""The merged relaxation, on bit masks: one player holds all cards, hints are free. If that is lost, so is the game.

A card type is *needed* until it is played. Types are numbered suit by suit, value by value, so that a mask of types
shifted by one is the mask of the types above them. Where a suit is built in another order, its place in that order
stands for the value (`kernels.orders`): a 5 that comes first is type 0 of its suit. Cards that do not belong to the
order are of the type TRASH, which counts as played from the start.

Where the end of the deck does not end the game, as many *blanks* lie below the deck as there are cards in the hands. To
draw one is to draw nothing: it can never be played or thrown, and fills the place of the card that is gone.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

import numpy as np

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type

IMPOSSIBLE = 1 << 20  # discards, where no number of them is enough
NOT_YET = -1  # the last round has not begun
NEVER = -1  # no card may be played from the deck
TRASH_TYPE = 31  # needed types are below it, and blanks above
FIRST_BLANK = 32
MAX_BLANKS = 30
CACHE_SIZE = 1 << 14


class Frame(TypedDict):
    """What does not change during a search: the game, as far as it matters when all cards are known."""

    cards: Annotated[int, np.int64]  # in the deck, blanks among them
    players: Annotated[int, np.int64]
    hand_size: Annotated[int, np.int64]
    values: Annotated[int, np.int64]
    first_mask: Annotated[int, np.int64]  # the types of value 1
    all_mask: Annotated[int, np.int64]
    bonus_mask: Annotated[int, np.int64]  # the types that bring a token
    orange_mask: Annotated[int, np.int64]  # the types that are played by discarding
    max_hints: Annotated[int, np.int64]  # like all tokens, in half tokens where a discard brings but half of one
    hint_cost: Annotated[int, np.int64]
    last_turns: Annotated[int, np.int64]  # turns after the deck: one a player, or none where it does not end the game
    deck_play_at: Annotated[int, np.int64]  # cards drawn when the next one can be played from the deck, or NEVER
    discard_at_max: Annotated[int, np.int64]
    free_hints: Annotated[int, np.int64]


class Effort(TypedDict):
    """How many more choices the relaxation may try, and the number of the question."""

    left: Annotated[int, np.int64]
    question: Annotated[int, np.int64]


class Remembered(TypedDict):
    """What a choice costs, where one of several cards must be thrown."""

    key: Annotated[int, np.int64]
    held: Annotated[int, np.int64]
    discards: Annotated[int, np.int64]


FRAME, EFFORT, REMEMBERED = record_type(Frame), record_type(Effort), record_type(Remembered)


class Position(NamedTuple):
    """The question of a search, and what the relaxation remembers of it. Of `frames` and `efforts` there is one each.

    `deck[i]` is the card type at place i, and `rest[i]` the mask of the types from place i on. The number of the
    question is part of the keys in `cache`: so that need not be cleared for the next.
    """

    frames: MutableSequence[Frame]
    deck: Ints
    rest: Ints
    cache: MutableSequence[Remembered]
    efforts: MutableSequence[Effort]


@inlined_kernel
def playable_types(played: int, frame: Frame) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return wide(((played << 1) | frame["first_mask"]) & ~played & frame["all_mask"])


@inlined_kernel
def types_below(card: int, frame: Frame) -> int:
    """Return the mask of the types of lower value in the suit of a type."""
    return wide((wide(1) << card) - (wide(1) << card - card % frame["values"]))


@kernel
def least_discards(position: Position, drawn: int, played: int, held: int) -> int:
    """Return a number of discards that no play can do with fewer: one player holds all cards, and hints are free.

    Whatever can be played is played: it is needed anyhow, and the order does not matter. If nothing can, trash is
    discarded. With a hand full of needed cards, one that comes again must go (`throws` says which are worth trying),
    and what the choice costs is remembered. When the effort runs out, fewer discards than needed may be returned,
    never more. `held` is the union of all hands.
    """
    frame, effort, deck, rest = position.frames[0], position.efforts[0], position.deck, position.rest
    capacity = frame["players"] * frame["hand_size"]
    discards = 0
    choices = wide(0)
    while True:
        ready = playable_types(played, frame) & held
        while ready:
            played |= ready & -ready
            held &= ~played
            if drawn < frame["cards"]:
                held |= wide(1) << deck[drawn] & ~played
                drawn += 1
            ready = playable_types(played, frame) & held
        if played == frame["all_mask"]:
            return discards
        if frame["all_mask"] & ~(held | rest[drawn] | played) or drawn == frame["cards"]:
            return IMPOSSIBLE
        if drawn == frame["deck_play_at"] and wide(1) << deck[drawn] & playable_types(played, frame):
            played |= wide(1) << deck[drawn]
            drawn += 1
            continue
        discards += 1
        if popcount(held) >= capacity:
            choices = throws(position, drawn, played, held)
            if choices == 0:
                return IMPOSSIBLE
            if choices & (choices - 1):
                break
            held ^= choices
        held |= wide(1) << deck[drawn] & ~played
        drawn += 1

    # One of several must be thrown.
    key = played | drawn << 32
    place = ((key ^ held * 0x2545F4914F6CDD1D) * 0x1E3779B97F4A7C15 >> 33) & (len(position.cache) - 1)
    known = position.cache[place]
    key |= effort["question"] << 39
    if known["key"] == key and known["held"] == held:
        return discards + wide(known["discards"])
    effort["left"] -= 1
    if effort["left"] < 0:
        return discards
    best = wide(IMPOSSIBLE)
    next_card = wide(1) << deck[drawn] & ~played
    while choices:
        thrown = choices & -choices
        choices ^= thrown
        best = min(best, least_discards(position, drawn + 1, played, held & ~thrown | next_card))
    if effort["left"] >= 0:
        known["key"], known["held"], known["discards"] = key, held, best
    return discards + best


@kernel
def throws(position: Position, drawn: int, played: int, held: int) -> int:
    """Return which of the needed cards held are worth throwing, if one must be: those that come again, less two kinds.

    A card that cannot be played before it comes again (one below it is neither held nor comes before) is thrown at no
    loss: then nothing else need be tried. And of two cards of a suit, the lower is not thrown if the higher comes again
    sooner. In both cases the thrown card can be exchanged for the other one when it comes again, and nothing that was
    possible with the other choice has been missed.
    """
    frame, deck = position.frames[0], position.deck
    spare = held & position.rest[drawn]
    within_reach = held | played
    worth = wide(0)
    while spare:
        card = deck[drawn]
        bit = wide(1) << card
        below = types_below(card, frame)
        if spare & bit:
            spare ^= bit
            if below & ~within_reach:
                return wide(bit)
            above = (wide(1) << card - card % frame["values"] + frame["values"]) - 2 * bit
            if not worth & above:
                worth |= bit
        within_reach |= bit
        drawn += 1
    return wide(worth)


@inlined_kernel
def slack_of(frame: Frame, drawn: int, played: int, turns_left: int) -> int:
    """Return how many discards are affordable: the turns that can use a card, less the points still needed.

    Before the last round these turns are the cards to draw, blanks among them, and the last turns.
    """
    turns = frame["cards"] - drawn + frame["last_turns"] if turns_left == NOT_YET else turns_left
    return wide(turns - popcount(frame["all_mask"] & ~played))
