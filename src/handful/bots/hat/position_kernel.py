"""A position of a world, in which all cards are known to all: what the plans of both bots try actions in.

A hand is the mask of the needed types in it; everything else there is trash.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Bytes, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.code_kernel import PAPER, PAPER_AT
from handful.bots.hat.notes_kernel import MOST_COPIES
from handful.bots.shared.worlds_kernel import WORLD, deal_rest, draw_hand, fit_slot, gather_planes, know_slot
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance


class Position(TypedDict):
    """Scratch paper of a plan: a position, what is tried in it, and what the rules say of all worlds."""

    pool: Annotated[Bytes, np.int8, MAX_DECK]  # the deck of the world, the next card last
    hands: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: mask of the needed types held
    hands_before: Annotated[Ints, np.int64, MAX_PLAYERS]  # the same, before an action is tried
    untold: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: types held that the holder does not know to hold
    untold_before: Annotated[Ints, np.int64, MAX_PLAYERS]  # the same, before an action is tried
    actions: Annotated[Ints, np.int64, MAX_ACTIONS]  # candidates of the plan
    played: Annotated[int, np.int64]  # after an action that is tried: the types on the stacks,
    hints: Annotated[int, np.int64]  # the tokens,
    turns_left: Annotated[int, np.int64]  # and the turns left, or NOT_YET
    deck: Annotated[Ints, np.int64, MOST_COPIES]  # planes: the cards of the deck
    nodes: Annotated[int, np.int64]  # positions that a search may still look at
    firsts: Annotated[int, np.int64]  # of the rules: types of value 1,
    all: Annotated[int, np.int64]  # all types,
    bonus: Annotated[int, np.int64]  # types that regain a hint,
    players: Annotated[int, np.int64]
    most_hints: Annotated[int, np.int64]
    hand_size: Annotated[int, np.int64]


POSITION = record_type(Position)
WORLD_AT = PAPER_AT + words_of(PAPER)
POSITION_AT = WORLD_AT + words_of(WORLD)
AFTER_POSITION = POSITION_AT + words_of(POSITION)


@kernel
def lay_out(rulebook: Rulebook, position: Position) -> None:
    """Write what the rules say of all worlds."""
    firsts, bonus = wide(0), wide(0)
    for card in range(rulebook["types"]):
        firsts |= wide(rulebook["value_of"][card] == 1) << card
        bonus |= wide(rulebook["value_of"][card] == rulebook["values"]) << card
    position["firsts"], position["all"], position["players"] = firsts, rulebook["all_mask"], rulebook["players"]
    position["most_hints"], position["bonus"] = rulebook["max_hints"], bonus if rulebook["bonus_hint"] else wide(0)
    position["hand_size"] = rulebook["hand_size"]


@kernel
def played_types(game: Game, rulebook: Rulebook) -> int:
    """Return the types on the stacks."""
    played = wide(0)
    for suit in range(rulebook["suits"]):
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * wide(rulebook["values"])
    return played


@inlined_kernel
def playable_now(position: Position, played: int) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return (played << 1 | position["firsts"]) & ~played & position["all"]


@kernel
def prepare_worlds(rulebook: Rulebook, row: Ints, length: int) -> None:
    """Write what the own cards can be, of how many `length` says, and what the rules say: then worlds can be drawn."""
    paper, world = record_in(row, PAPER_AT, PAPER), record_in(row, WORLD_AT, WORLD)
    lay_out(rulebook, record_in(row, POSITION_AT, POSITION))
    gather_planes(world, paper["unseen"])
    for slot in range(length):
        if paper["own_known"] >> slot & 1:
            know_slot(world, slot, lowest_bit(paper["own"][slot]))
        else:
            fit_slot(world, slot, paper["own"][slot])


@kernel
def draw_world(row: Ints, seat: int, chance: Chance) -> int:
    """Draw an own hand that fits what is known, and the order of the deck; return how many cards that has, or −1."""
    world = record_in(row, WORLD_AT, WORLD)
    if not draw_hand(world, chance, seat):
        return wide(-1)
    return deal_rest(world, record_in(row, POSITION_AT, POSITION)["pool"], 0, MAX_DECK, chance, seat)
