"""The search for a winning line, on bit masks: a relaxation that proves losses, and beams that find wins.

A card type is *needed* until it is played. A player's hand is the mask of the needed types in it; everything else
there, dead cards and second copies, is trash without a name. All cards are known. A turn is a play of a needed type,
a discard of trash (or, in a hand without trash, of a needed type of which another copy is to be had), or a hint,
which is a pass that costs a token.

Slack = turns in which a card can be used (cards to draw + one last turn each) − points still needed. Every discard
costs one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful.bits import lowest_bit, popcount, wide
from handful.hanabi.rules import MAX_PLAYERS

Ints: TypeAlias = npt.NDArray[np.int64]
Nodes: TypeAlias = npt.NDArray[Any]
Node: TypeAlias = Any

# The fields of `setup`, int64: what does not change during a search.
CARDS, PLAYERS, HAND_SIZE, FIRST_MASK, ALL_MASK, BONUS_MASK, MAX_HINTS, DISCARD_AT_MAX = range(8)

IMPOSSIBLE = 1 << 20  # discards, where no number of them is enough
NOT_YET = -1  # the last round has not begun

# Moves are kind + card index (hints and trash have none).
HINT, PLAY, TRASH, THROW = 0, 64, 128, 192

NODE = np.dtype(
    [
        ("hands", np.int64, MAX_PLAYERS),  # per seat: mask of the needed types held
        ("played", np.int64),  # mask of the types on the stacks
        ("key", np.int64),  # a hash of the position
        ("score", np.int64),  # how promising it is
        ("parent", np.int32),  # its place in the beam of the turn before
        ("move", np.int32),
        ("drawn", np.int32),
        ("hints", np.int32),
        ("current", np.int32),
        ("turns_left", np.int32),  # in the last round; NOT_YET before it
    ],
    align=True,
)


@inlined_kernel
def playable_types(played: int, setup: Ints) -> int:
    """Return the mask of the types that extend a stack: value 1, or the type below is played."""
    return wide(((played << 1) | setup[FIRST_MASK]) & ~played & setup[ALL_MASK])


@kernel
def least_discards(
    setup: Ints, deck: Ints, rest: Ints, cache: Ints, effort: Ints, drawn: int, played: int, held: int
) -> int:
    """Return a number of discards that no play can do with fewer: one player holds all cards, and hints are free.

    This is the merged relaxation. Whatever can be played is played: it is needed anyhow, and the order does not matter.
    If nothing can, trash is discarded. With a hand full of needed cards, one that comes again must go: if it is the
    next card, that one (nothing is lost); otherwise all choices are tried, and remembered in `cache`. When `effort[0]`
    runs out, fewer discards than needed may be returned, never more.

    `rest[i]` is the mask of the types in the deck from place i on; `held` the union of all hands.
    """
    discards = 0
    next_card = wide(0)
    while True:
        ready = playable_types(played, setup) & held
        while ready:
            played |= ready & -ready
            held &= ~played
            if drawn < setup[CARDS]:
                held |= wide(1) << deck[drawn] & ~played
                drawn += 1
            ready = playable_types(played, setup) & held
        if played == setup[ALL_MASK]:
            return discards
        if (held | rest[drawn] | played) != setup[ALL_MASK] or drawn == setup[CARDS]:
            return IMPOSSIBLE
        discards += 1
        next_card = wide(1) << deck[drawn]
        if popcount(held) >= setup[PLAYERS] * setup[HAND_SIZE] and not next_card & (held | played):
            break
        held |= next_card & ~played
        drawn += 1

    # One of the needed cards held, or the next one, must be thrown.
    position = played | drawn << 32
    place = ((position ^ held * 0x2545F4914F6CDD1D) * 0x1E3779B97F4A7C15 >> 33) & (len(cache) - 1)
    if cache[place, 0] == position and cache[place, 1] == held:
        return discards + wide(cache[place, 2])
    effort[0] -= 1
    if effort[0] < 0:
        return discards
    spare = (held | next_card) & rest[drawn + 1]
    best = wide(IMPOSSIBLE)
    while spare:
        thrown = spare & -spare
        spare ^= thrown
        left = (held | next_card) & ~thrown
        best = min(best, least_discards(setup, deck, rest, cache, effort, drawn + 1, played, left))
    if effort[0] >= 0:
        cache[place, 0], cache[place, 1], cache[place, 2] = position, held, best
    return discards + best


@inlined_kernel
def slack_of(setup: Ints, drawn: int, played: int, turns_left: int) -> int:
    """Return how many discards are affordable: the turns that can use a card, less the points still needed."""
    turns = setup[CARDS] - drawn + setup[PLAYERS] if turns_left == NOT_YET else turns_left
    return turns - popcount(setup[ALL_MASK] & ~played)


@kernel
def evaluate(
    setup: Ints, deck: Ints, rest: Ints, cache: Ints, effort: Ints, weights: Ints, nodes: Nodes, i: int
) -> bool:
    """Write how promising a node is, and its key; return whether it may still be won."""
    node = nodes[i]
    union = wide(0)
    for seat in range(setup[PLAYERS]):
        union |= node["hands"][seat]
    drawn, played = wide(node["drawn"]), node["played"]
    if (union | rest[drawn] | played) != setup[ALL_MASK]:
        return False
    slack = slack_of(setup, drawn, played, wide(node["turns_left"]))
    if slack < 0:
        return False
    effort[0] = weights[3]
    slack -= least_discards(setup, deck, rest, cache, effort, drawn, played, union)
    if slack < 0:
        return False
    # A hint costs a token; a discard costs slack and gains a token. Who can play soon is worth something, too.
    soon = 0
    ready = playable_types(played, setup)
    seat = wide(node["current"])
    for ahead in range(setup[PLAYERS]):
        if node["hands"][seat] & ready:
            soon += setup[PLAYERS] - ahead
        seat = seat + 1 if seat + 1 < setup[PLAYERS] else 0
    node["score"] = weights[0] * node["hints"] + weights[1] * slack + weights[2] * soon
    key = (played ^ drawn << 40 ^ wide(node["hints"]) << 50) * 0x1E3779B97F4A7C15
    for seat in range(setup[PLAYERS]):
        key = (key ^ key >> 29 ^ node["hands"][seat]) * 0x2545F4914F6CDD1D
    node["key"] = key ^ key >> 32
    return True


@inlined_kernel
def pass_turn(setup: Ints, node: Node) -> None:
    """Let the next player move."""
    if node["turns_left"] != NOT_YET:
        node["turns_left"] -= 1
    node["current"] = node["current"] + 1 if node["current"] + 1 < setup[PLAYERS] else 0


@inlined_kernel
def use_card(setup: Ints, deck: Ints, node: Node) -> None:
    """Draw for the card that the player to move has used, if there is one to draw, and let the next player move."""
    if node["drawn"] < setup[CARDS]:
        node["hands"][node["current"]] |= wide(1) << deck[node["drawn"]] & ~node["played"]
        node["drawn"] += 1
        if node["drawn"] == setup[CARDS]:
            node["turns_left"] = setup[PLAYERS] + 1  # this turn is not one of them
    pass_turn(setup, node)


@kernel
def expand(
    setup: Ints,
    deck: Ints,
    rest: Ints,
    cache: Ints,
    effort: Ints,
    weights: Ints,
    beam: Nodes,
    i: int,
    found: Nodes,
    k: int,
) -> int:
    """Write the positions after each move in beam[i] from found[k] on; return the next place, or −1 − that of a win."""
    node = beam[i]
    seat = wide(node["current"])
    mine = node["hands"][seat]
    plays = mine & playable_types(node["played"], setup)
    while plays:
        bit = plays & -plays
        plays ^= bit
        found[k] = beam[i]
        after = found[k]
        after["played"] |= bit
        for other in range(setup[PLAYERS]):
            after["hands"][other] &= ~bit
        if bit & setup[BONUS_MASK] and after["hints"] < setup[MAX_HINTS]:
            after["hints"] += 1
        after["parent"], after["move"] = i, PLAY + lowest_bit(bit)
        use_card(setup, deck, after)
        if after["played"] == setup[ALL_MASK]:
            return -1 - k
        k += evaluate(setup, deck, rest, cache, effort, weights, found, k)
    is_last = node["turns_left"] != NOT_YET
    has_trash = is_last or popcount(mine) < setup[HAND_SIZE]
    can_discard = node["hints"] < setup[MAX_HINTS] or setup[DISCARD_AT_MAX]
    if has_trash and can_discard:
        found[k] = beam[i]
        after = found[k]
        after["parent"], after["move"] = i, TRASH
        if node["hints"] < setup[MAX_HINTS]:
            after["hints"] += 1
        use_card(setup, deck, after)
        k += evaluate(setup, deck, rest, cache, effort, weights, found, k)
    elif can_discard:
        elsewhere = rest[node["drawn"]]
        for other in range(setup[PLAYERS]):
            if other != seat:
                elsewhere |= node["hands"][other]
        spare = mine & elsewhere
        while spare:
            bit = spare & -spare
            spare ^= bit
            found[k] = beam[i]
            after = found[k]
            after["hands"][seat] ^= bit
            if after["hints"] < setup[MAX_HINTS]:
                after["hints"] += 1
            after["parent"], after["move"] = i, THROW + lowest_bit(bit)
            use_card(setup, deck, after)
            k += evaluate(setup, deck, rest, cache, effort, weights, found, k)
    if node["hints"] > 0 and setup[PLAYERS] > 1:
        found[k] = beam[i]
        after = found[k]
        after["hints"] -= 1
        after["parent"], after["move"] = i, HINT
        pass_turn(setup, after)
        k += evaluate(setup, deck, rest, cache, effort, weights, found, k)
    return k


@kernel
def drop_repeated(found: Nodes, k: int, seen: npt.NDArray[np.int32]) -> int:
    """Keep one of the positions with the same key; return how many are left."""
    seen[:] = -1
    kept = 0
    for j in range(k):
        place = found[j]["key"] & (len(seen) - 1)
        while seen[place] >= 0 and found[seen[place]]["key"] != found[j]["key"]:
            place = (place + 1) & (len(seen) - 1)
        if seen[place] < 0:
            found[kept] = found[j]
            seen[place] = kept
            kept += 1
    return kept


@kernel
def search(
    setup: Ints,
    deck: Ints,
    rest: Ints,
    cache: Ints,
    weights: Ints,
    beam: Nodes,
    found: Nodes,
    seen: npt.NDArray[np.int32],
    width: int,
    parents: npt.NDArray[np.int32],
    moves: npt.NDArray[np.int32],
    outcome: Ints,
) -> None:
    """Search from beam[0], keeping the `width` most promising positions of each turn.

    `parents` and `moves` (turns × width, int32) say how each position came about. `outcome` becomes: turns of the
    winning line (0 if there is none), place of the position that ends it in the last turn's arrays, whether positions
    were left out, positions looked at, and turn and place of the position with the most points.
    """
    effort = np.zeros(1, np.int64)
    outcome[:] = 0
    count, most = 1, popcount(beam[0]["played"])
    for turn in range(len(moves)):
        k = 0
        for i in range(count):
            k = expand(setup, deck, rest, cache, effort, weights, beam, i, found, k)
            if k < 0:
                place = -1 - k
                parents[turn, 0], moves[turn, 0] = found[place]["parent"], found[place]["move"]
                outcome[0], outcome[1] = turn + 1, 0
                return
        outcome[3] += k
        if k > 1:
            k = drop_repeated(found, k, seen)
        if k == 0:
            return
        if k > width:
            outcome[2] = 1
            order = np.argsort(-found["score"][:k])
            for j in range(width):
                beam[j] = found[order[j]]
            k = width
        else:
            for j in range(k):
                beam[j] = found[j]
        count = k
        for j in range(count):
            parents[turn, j], moves[turn, j] = beam[j]["parent"], beam[j]["move"]
            points = popcount(beam[j]["played"])
            if points > most:
                most = points
                outcome[4], outcome[5] = turn + 1, j
