"""The search for a winning line, on bit masks: beams that keep the most promising positions of each turn.

A player's hand is the mask of the needed types in it; everything else there, dead cards and second copies, is trash
without a name. All cards are known. A turn is a play of a needed type, a discard of trash (or, in a hand without trash,
of a needed type of which another copy is to be had), or a hint, which is a pass that costs a token.

In the *free game*, a relaxation, hints cost nothing: until the last round, whoever wants to uses a card next. Its turns
are the cards used. Unlike the merged relaxation it knows who holds what. Two things make it smaller: until the last
round the seats may be turned, so that the least hand comes first; and a player who can play need not discard (who plays
now and discards when they would have played comes to the same position, with the point made sooner).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.rules import MAX_PLAYERS
from handful.playability.deals.kernels.relaxation import (
    ALL_MASK,
    BONUS_MASK,
    CARDS,
    DISCARD_AT_MAX,
    FREE_HINTS,
    HAND_SIZE,
    MAX_HINTS,
    NOT_YET,
    PLAYERS,
    Ints,
    Position,
    least_discards,
    playable_types,
    slack_of,
)

Nodes: TypeAlias = npt.NDArray[Any]
Node: TypeAlias = Any

MAX_TURNS = 400

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


class Beams(NamedTuple):
    """The arrays of a search: the positions of this turn and of the next one, and how each came about.

    `parents` and `moves` are turns × width. `seen` is a hash table of places in `found`, at least twice as long.
    """

    beam: Nodes
    found: Nodes
    seen: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int32]
    counts: Ints  # by score


# What leads a beam: the worth of a token, of slack, and of players who can play soon; how hard the relaxation tries at
# a node; and whether points count instead, where the maximum is out of reach.
TOKEN, SLACK, SOON, EFFORT, FOR_POINTS = range(5)

# What a search says: turns of the line that wins (0 if there is none), whether positions were left out, positions
# looked at, and the turn and the place of the position with the most points.
TURNS, LEFT_OUT, LOOKED_AT, BEST_TURN, BEST_PLACE = range(5)

MOST_SCORE = 2047


@inlined_kernel
def turn_hands(node: Node, fixed: Ints) -> None:
    """Turn the table until the hand with the least mask is in seat 0."""
    hands, players = node["hands"], fixed[PLAYERS]
    least = 0
    for seat in range(1, players):
        if hands[seat] < hands[least]:
            least = seat
    for _ in range(least):
        first = hands[0]
        for seat in range(1, players):
            hands[seat - 1] = hands[seat]
        hands[players - 1] = first


@kernel
def evaluate(position: Position, weights: Ints, nodes: Nodes, i: int) -> bool:
    """Write how promising a node is, and its key; return whether it may still be won."""
    node, fixed = nodes[i], position.fixed
    union = wide(0)
    for seat in range(fixed[PLAYERS]):
        union |= node["hands"][seat]
    drawn, played = wide(node["drawn"]), node["played"]
    slack = slack_of(fixed, drawn, played, wide(node["turns_left"]))
    score = wide(0)
    if weights[FOR_POINTS]:
        score = 50 * popcount(played) + slack + 4 * popcount(union | position.rest[drawn])
    else:
        if (union | position.rest[drawn] | played) != fixed[ALL_MASK] or slack < 0:
            return False
        position.effort[0] = weights[EFFORT]
        slack -= least_discards(position, drawn, played, union)
        if slack < 0:
            return False
        score = weights[SLACK] * slack
    # A hint costs a token; a discard costs slack and gains a token. Who can play soon is worth something, too.
    soon = 0
    ready = playable_types(played, fixed)
    seat = wide(node["current"])
    for ahead in range(fixed[PLAYERS]):
        if node["hands"][seat] & ready:
            soon += fixed[PLAYERS] - ahead
        seat = seat + 1 if seat + 1 < fixed[PLAYERS] else 0
    score += weights[TOKEN] * min(wide(node["hints"]), 20) + weights[SOON] * soon
    node["score"] = min(max(score, 0), MOST_SCORE)
    key = (played ^ drawn << 40 ^ wide(node["hints"]) << 50) * 0x1E3779B97F4A7C15
    if fixed[FREE_HINTS] and node["turns_left"] == NOT_YET:
        turn_hands(node, fixed)
    if node["turns_left"] != NOT_YET:
        key ^= (wide(node["turns_left"]) << 4 | wide(node["current"]) + 1) * 0x369DEA0F31A53F85
    for seat in range(fixed[PLAYERS]):
        key = (key ^ key >> 29 ^ node["hands"][seat]) * 0x2545F4914F6CDD1D
    node["key"] = key ^ key >> 32
    return True


@inlined_kernel
def pass_turn(fixed: Ints, node: Node) -> None:
    """Let the next player move."""
    if node["turns_left"] != NOT_YET:
        node["turns_left"] -= 1
    node["current"] = node["current"] + 1 if node["current"] + 1 < fixed[PLAYERS] else 0


@inlined_kernel
def use_card(fixed: Ints, deck: Ints, node: Node) -> None:
    """Draw for the card that the player to move has used, if there is one to draw, and let the next player move."""
    if node["drawn"] < fixed[CARDS]:
        node["hands"][node["current"]] |= wide(1) << deck[node["drawn"]] & ~node["played"]
        node["drawn"] += 1
        if node["drawn"] == fixed[CARDS]:
            node["turns_left"] = fixed[PLAYERS] + 1  # this turn is not one of them
    pass_turn(fixed, node)


@kernel
def expand_seat(position: Position, weights: Ints, beam: Nodes, i: int, found: Nodes, k: int) -> int:
    """Write the positions after each move of the player to move; return as `expand` does."""
    node, fixed, deck = beam[i], position.fixed, position.deck
    seat = wide(node["current"])
    mine = node["hands"][seat]
    plays = mine & playable_types(node["played"], fixed)
    can_play = plays != 0
    while plays:
        bit = plays & -plays
        plays ^= bit
        found[k] = beam[i]
        after = found[k]
        after["played"] |= bit
        for other in range(fixed[PLAYERS]):
            after["hands"][other] &= ~bit
        if bit & fixed[BONUS_MASK] and after["hints"] < fixed[MAX_HINTS]:
            after["hints"] += 1
        after["parent"], after["move"] = i, PLAY + lowest_bit(bit)
        use_card(fixed, deck, after)
        if after["played"] == fixed[ALL_MASK]:
            return -1 - k
        k += evaluate(position, weights, found, k)
    is_last = node["turns_left"] != NOT_YET
    has_trash = is_last or popcount(mine) < fixed[HAND_SIZE]
    can_discard = node["hints"] < fixed[MAX_HINTS] or fixed[DISCARD_AT_MAX]
    can_hint = node["hints"] > 0
    if fixed[FREE_HINTS]:
        can_discard, can_hint = is_last or not can_play, is_last
    if has_trash and can_discard:
        found[k] = beam[i]
        after = found[k]
        after["parent"], after["move"] = i, TRASH
        if node["hints"] < fixed[MAX_HINTS]:
            after["hints"] += 1
        use_card(fixed, deck, after)
        k += evaluate(position, weights, found, k)
    elif can_discard:
        elsewhere = position.rest[node["drawn"]]
        for other in range(fixed[PLAYERS]):
            if other != seat:
                elsewhere |= node["hands"][other]
        spare = mine if weights[FOR_POINTS] else mine & elsewhere
        while spare:
            bit = spare & -spare
            spare ^= bit
            found[k] = beam[i]
            after = found[k]
            after["hands"][seat] ^= bit
            if after["hints"] < fixed[MAX_HINTS]:
                after["hints"] += 1
            after["parent"], after["move"] = i, THROW + lowest_bit(bit)
            use_card(fixed, deck, after)
            k += evaluate(position, weights, found, k)
    if can_hint and fixed[PLAYERS] > 1:
        found[k] = beam[i]
        after = found[k]
        if not fixed[FREE_HINTS]:
            after["hints"] -= 1
        after["parent"], after["move"] = i, HINT
        pass_turn(fixed, after)
        k += evaluate(position, weights, found, k)
    return k


@kernel
def expand(position: Position, weights: Ints, beam: Nodes, i: int, found: Nodes, k: int) -> int:
    """Write the positions after each move in beam[i] from found[k] on; return the next place, or −1 − that of a win."""
    if beam[i]["turns_left"] == 0:
        return k
    if not position.fixed[FREE_HINTS] or beam[i]["turns_left"] != NOT_YET:
        return expand_seat(position, weights, beam, i, found, k)
    for seat in range(position.fixed[PLAYERS]):
        beam[i]["current"] = seat
        k = expand_seat(position, weights, beam, i, found, k)
        if k < 0:
            return k
    return k


@kernel
def drop_repeated(found: Nodes, k: int, seen: npt.NDArray[np.int32]) -> int:
    """Keep one of the positions with the same key; return how many are left."""
    size = 4
    while size < 2 * k:
        size *= 2
    seen[:size] = -1
    kept = 0
    for j in range(k):
        place = found[j]["key"] & (size - 1)
        while seen[place] >= 0 and found[seen[place]]["key"] != found[j]["key"]:
            place = (place + 1) & (size - 1)
        if seen[place] < 0:
            if kept < j:
                found[kept] = found[j]
            seen[place] = kept
            kept += 1
    return kept


@kernel
def keep_best(found: Nodes, k: int, beam: Nodes, width: int, counts: Ints) -> int:
    """Copy the `width` positions with the highest scores into the beam; return how many. Of equal ones, the first."""
    if k <= width:
        for j in range(k):
            beam[j] = found[j]
        return k
    lowest, highest = found[0]["score"], found[0]["score"]
    for j in range(1, k):
        lowest, highest = min(lowest, found[j]["score"]), max(highest, found[j]["score"])
    counts[lowest : highest + 1] = 0
    for j in range(k):
        counts[found[j]["score"]] += 1
    least, above = highest + 1, 0  # all positions of at least this score fit
    while above + counts[least - 1] <= width:
        least -= 1
        above += counts[least]
    kept, ties = 0, width - above
    for j in range(k):
        score = found[j]["score"]
        if score >= least or (score == least - 1 and ties > 0):
            ties -= score == least - 1
            beam[kept] = found[j]
            kept += 1
    return kept


@kernel
def search(position: Position, beams: Beams, width: int, weights: Ints, outcome: Ints) -> None:
    """Search from beam[0], keeping the `width` most promising positions of each turn; write what comes out of it.

    The line that wins ends at place 0 of the last turn's arrays.
    """
    beam, found, moves, parents = beams.beam, beams.found, beams.moves, beams.parents
    outcome[:] = 0
    count, most = 1, popcount(beam[0]["played"])
    for turn in range(len(moves)):
        k = 0
        for i in range(count):
            k = expand(position, weights, beam, i, found, k)
            if k < 0:
                won = found[-1 - k]
                parents[turn, 0], moves[turn, 0] = won["parent"], won["move"]
                outcome[TURNS] = turn + 1
                return
        outcome[LOOKED_AT] += k
        if k > 1:
            k = drop_repeated(found, k, beams.seen)
        if k == 0:
            return
        if k > width:
            outcome[LEFT_OUT] = 1
        count = keep_best(found, k, beam, width, beams.counts)
        for j in range(count):
            parents[turn, j], moves[turn, j] = beam[j]["parent"], beam[j]["move"]
            points = popcount(beam[j]["played"])
            if points > most:
                most = points
                outcome[BEST_TURN], outcome[BEST_PLACE] = turn + 1, j


@kernel
def line_of(beams: Beams, outcome: Ints, line: npt.NDArray[np.int32]) -> int:
    """Write the moves of the line that wins, or of the one with the most points; return how many there are."""
    turns, place = outcome[TURNS], wide(0)
    if turns == 0:
        turns, place = outcome[BEST_TURN], outcome[BEST_PLACE]
    for turn in range(turns - 1, -1, -1):
        line[turn] = beams.moves[turn, place]
        place = wide(beams.parents[turn, place])
    return wide(turns)
