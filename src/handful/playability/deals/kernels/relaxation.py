"""The merged relaxation, on bit masks: one player holds all cards, hints are free. If that is lost, so is the game.

A card type is *needed* until it is played. Types are numbered suit by suit, value by value, so that a mask of types
shifted by one is the mask of the types above them.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel

Ints: TypeAlias = npt.NDArray[np.int64]

IMPOSSIBLE = 1 << 20  # discards, where no number of them is enough
NOT_YET = -1  # the last round has not begun
CACHE_SIZE = 1 << 14


class Position(NamedTuple):
    """What does not change during a search, and what the relaxation remembers of it.

    `fixed`, int64, has the fields named below. `deck[i]` is the card type at place i, and `rest[i]` the mask of the
    types from place i on. `cache` has rows of (key, held, discards). `effort` has how many more choices the relaxation
    may try, and the number of the question, which is part of the keys: so the cache need not be cleared for the next.
    """

    fixed: Ints
    deck: Ints
    rest: Ints
    cache: Ints
    effort: Ints


CARDS, PLAYERS, HAND_SIZE, FIRST_MASK, ALL_MASK, BONUS_MASK, MAX_HINTS, DISCARD_AT_MAX, VALUES, FREE_HINTS = range(10)
FIXED_FIELDS = 10


@inlined_kernel
def playable_types(played: int, fixed: Ints) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return wide(((played << 1) | fixed[FIRST_MASK]) & ~played & fixed[ALL_MASK])


@inlined_kernel
def types_below(card: int, fixed: Ints) -> int:
    """Return the mask of the types of lower value in the suit of a type."""
    return wide((wide(1) << card) - (wide(1) << card - card % fixed[VALUES]))


@kernel
def least_discards(position: Position, drawn: int, played: int, held: int) -> int:
    """Return a number of discards that no play can do with fewer: one player holds all cards, and hints are free.

    Whatever can be played is played: it is needed anyhow, and the order does not matter. If nothing can, trash is
    discarded. With a hand full of needed cards, one that comes again must go (`throws` says which are worth trying),
    and what the choice costs is remembered. When the effort runs out, fewer discards than needed may be returned,
    never more. `held` is the union of all hands.
    """
    fixed, deck, rest, cache = position.fixed, position.deck, position.rest, position.cache
    capacity = fixed[PLAYERS] * fixed[HAND_SIZE]
    discards = 0
    choices = wide(0)
    while True:
        ready = playable_types(played, fixed) & held
        while ready:
            played |= ready & -ready
            held &= ~played
            if drawn < fixed[CARDS]:
                held |= wide(1) << deck[drawn] & ~played
                drawn += 1
            ready = playable_types(played, fixed) & held
        if played == fixed[ALL_MASK]:
            return discards
        if (held | rest[drawn] | played) != fixed[ALL_MASK] or drawn == fixed[CARDS]:
            return IMPOSSIBLE
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
    key = played | drawn << 31
    place = ((key ^ held * 0x2545F4914F6CDD1D) * 0x1E3779B97F4A7C15 >> 33) & (len(cache) - 1)
    key |= position.effort[1] << 37
    if cache[place, 0] == key and cache[place, 1] == held:
        return discards + wide(cache[place, 2])
    position.effort[0] -= 1
    if position.effort[0] < 0:
        return discards
    best = wide(IMPOSSIBLE)
    next_card = wide(1) << deck[drawn] & ~played
    while choices:
        thrown = choices & -choices
        choices ^= thrown
        best = min(best, least_discards(position, drawn + 1, played, held & ~thrown | next_card))
    if position.effort[0] >= 0:
        cache[place, 0], cache[place, 1], cache[place, 2] = key, held, best
    return discards + best


@kernel
def throws(position: Position, drawn: int, played: int, held: int) -> int:
    """Return which of the needed cards held are worth throwing, if one must be: those that come again, less two kinds.

    A card that cannot be played before it comes again (one below it is neither held nor comes before) is thrown at no
    loss: then nothing else need be tried. And of two cards of a suit, the lower is not thrown if the higher comes again
    sooner. In both cases the thrown card can be exchanged for the other one when it comes again, and nothing that was
    possible with the other choice has been missed.
    """
    fixed, deck = position.fixed, position.deck
    spare = held & position.rest[drawn]
    within_reach = held | played
    worth = wide(0)
    while spare:
        card = deck[drawn]
        bit = wide(1) << card
        below = types_below(card, fixed)
        if spare & bit:
            spare ^= bit
            if below & ~within_reach:
                return wide(bit)
            above = (wide(1) << card - card % fixed[VALUES] + fixed[VALUES]) - 2 * bit
            if not worth & above:
                worth |= bit
        within_reach |= bit
        drawn += 1
    return wide(worth)


@inlined_kernel
def slack_of(fixed: Ints, drawn: int, played: int, turns_left: int) -> int:
    """Return how many discards are affordable: the turns that can use a card, less the points still needed.

    Before the last round these turns are the cards to draw and one last turn each.
    """
    turns = fixed[CARDS] - drawn + fixed[PLAYERS] if turns_left == NOT_YET else turns_left
    return wide(turns - popcount(fixed[ALL_MASK] & ~played))
