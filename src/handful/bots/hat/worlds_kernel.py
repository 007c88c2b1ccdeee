"""Worlds: what the cards may be that a seat cannot see, drawn at random.

In a world all cards are known to all. A hand is the mask of the needed types in it; everything else there is trash.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful.bots.hat.code_kernel import PAPER, PAPER_AT, Paper
from handful.bots.hat.notes_kernel import MOST_COPIES, is_single
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, MAX_HAND_CARDS, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, below


class World(TypedDict):
    """Scratch paper of a plan: a world, what is tried in it, and what the rules say of all worlds."""

    pool: Annotated[Ints, np.int64, MAX_DECK]  # cards not in sight; the deck of the world is at its front, the top last
    held: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per own slot: the card that it is in this world
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


WORLD = record_type(World)
WORLD_AT = PAPER_AT + words_of(PAPER)
AFTER_WORLD = WORLD_AT + words_of(WORLD)


@kernel
def lay_out(rulebook: Rulebook, world: World) -> None:
    """Write what the rules say of all worlds."""
    firsts, bonus = wide(0), wide(0)
    for card in range(rulebook["types"]):
        firsts |= wide(rulebook["value_of"][card] == 1) << card
        bonus |= wide(rulebook["value_of"][card] == rulebook["values"]) << card
    world["firsts"], world["all"], world["players"] = firsts, rulebook["all_mask"], rulebook["players"]
    world["most_hints"], world["bonus"] = rulebook["max_hints"], bonus if rulebook["bonus_hint"] else wide(0)
    world["hand_size"] = rulebook["hand_size"]


@kernel
def played_types(game: Game, rulebook: Rulebook) -> int:
    """Return the types on the stacks."""
    played = wide(0)
    for suit in range(rulebook["suits"]):
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * wide(rulebook["values"])
    return played


@inlined_kernel
def playable_now(world: World, played: int) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return (played << 1 | world["firsts"]) & ~played & world["all"]


@inlined_kernel
def fill_pool(paper: Paper, world: World) -> int:
    """Write all cards that are not in sight to the pool; return how many there are."""
    count = wide(0)
    for copy in range(MOST_COPIES):
        types = paper["unseen"][copy]
        while types:
            world["pool"][count] = lowest_bit(types)
            types &= types - 1
            count += 1
    return count


@kernel
def draw_world(paper: Paper, world: World, length: int, seat: int, chance: Chance) -> int:
    """Draw own cards that fit what is known, and the order of the deck; return how many cards the deck has, or −1."""
    pool, held, own = world["pool"], world["held"], paper["own"]
    count = fill_pool(paper, world)
    for _ in range(20):
        rest = count
        done = wide(0)
        is_stuck = False
        for _ in range(length):
            # The slot with the fewest types comes first.
            chosen, fewest = wide(-1), wide(64)
            for slot in range(length):
                if not done >> slot & 1 and popcount(own[slot]) < fewest:
                    chosen, fewest = wide(slot), popcount(own[slot])
            done |= wide(1) << chosen
            mask = own[chosen]
            if is_single(mask):
                held[chosen] = lowest_bit(mask)
                continue
            fitting = 0
            for i in range(rest):
                fitting += mask >> pool[i] & 1
            if fitting == 0:
                is_stuck = True
                break
            n = below(chance, seat, fitting)
            i = -1
            while n >= 0:
                i += 1
                n -= mask >> pool[i] & 1
            held[chosen] = pool[i]
            rest -= 1
            pool[i], pool[rest] = pool[rest], pool[i]
        if not is_stuck:
            for i in range(rest - 1, 0, -1):
                j = below(chance, seat, i + 1)
                pool[i], pool[j] = pool[j], pool[i]
            return rest
    return wide(-1)
