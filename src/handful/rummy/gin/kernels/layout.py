"""The records of Gin: the rules, a round, and a player's view of it. Cards are numbers 13 · suit + rank, −1: none."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._records import Annotated, Bytes, Ints, TypedDict, record_type

MOST_TURNS = 96  # 30 draws, and at most 50 takes; a void one


class RuleFields(TypedDict):
    """`GinRules` as kernels read them."""

    knock_limit: Annotated[int, np.int64]
    gin_bonus: Annotated[int, np.int64]
    big_gin_bonus: Annotated[int, np.int64]
    undercut_bonus: Annotated[int, np.int64]
    equal_is_undercut: Annotated[int, np.int64]
    oklahoma: Annotated[int, np.int64]
    spades_double: Annotated[int, np.int64]
    wall: Annotated[int, np.int64]
    wall_knock: Annotated[int, np.int64]
    throw_taken: Annotated[int, np.int64]
    lays_off_first: Annotated[int, np.int64]
    target: Annotated[int, np.int64]


class RoundFields(TypedDict):
    """A round: everything, hidden cards included."""

    hands: Annotated[Ints, np.int64, 2]  # masks
    pile: Annotated[int, np.int64]  # mask, without the upcard
    known: Annotated[Ints, np.int64, 2]  # masks: what a player took from the pile and still has
    refused: Annotated[Ints, np.int64, 2]  # masks: upcards that a player left lying
    deck: Annotated[Bytes, np.int8, 52]  # the order of the deal
    next_card: Annotated[int, np.int64]  # place in the deck of the top of the stock
    upcard: Annotated[int, np.int64]
    last_upcard: Annotated[int, np.int64]
    taken: Annotated[int, np.int64]
    current: Annotated[int, np.int64]
    starter: Annotated[int, np.int64]
    phase: Annotated[int, np.int64]
    passes: Annotated[int, np.int64]
    takes: Annotated[int, np.int64]
    repeated: Annotated[int, np.int64]
    knock_limit: Annotated[int, np.int64]
    factor: Annotated[int, np.int64]
    scores: Annotated[Ints, np.int64, 2]  # of the game, before this round
    num_turns: Annotated[int, np.int64]
    first_player: Annotated[int, np.int64]  # who took the first turn; then they alternate
    took: Annotated[Bytes, np.int8, MOST_TURNS]  # by turn: the upcard that was taken, or −1
    threw: Annotated[Bytes, np.int8, MOST_TURNS]
    ending: Annotated[int, np.int64]  # place in ENDINGS
    winner: Annotated[int, np.int64]  # −1: nobody
    points: Annotated[int, np.int64]


class ViewFields(TypedDict):
    """A round as one player sees it. There is no place in it for the opponent's hand, or the order of the stock."""

    hand: Annotated[int, np.int64]
    pile: Annotated[int, np.int64]
    known: Annotated[int, np.int64]  # of the opponent's hand
    own_known: Annotated[int, np.int64]
    refused: Annotated[int, np.int64]  # by the opponent
    stock: Annotated[int, np.int64]
    upcard: Annotated[int, np.int64]
    last_upcard: Annotated[int, np.int64]
    taken: Annotated[int, np.int64]
    phase: Annotated[int, np.int64]
    is_starter: Annotated[int, np.int64]
    passes: Annotated[int, np.int64]
    takes: Annotated[int, np.int64]
    repeated: Annotated[int, np.int64]
    knock_limit: Annotated[int, np.int64]
    factor: Annotated[int, np.int64]
    own_score: Annotated[int, np.int64]
    score: Annotated[int, np.int64]  # the opponent's
    num_turns: Annotated[int, np.int64]
    has_first: Annotated[int, np.int64]  # whether this player took the first turn
    took: Annotated[Bytes, np.int8, MOST_TURNS]
    threw: Annotated[Bytes, np.int8, MOST_TURNS]


GIN_RULES = record_type(RuleFields)
ROUND = record_type(RoundFields)
VIEW = record_type(ViewFields)

Rulebook: TypeAlias = npt.NDArray[np.void]
Rounds: TypeAlias = npt.NDArray[np.void]
Views: TypeAlias = npt.NDArray[np.void]
