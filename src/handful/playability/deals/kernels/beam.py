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

from collections.abc import MutableSequence
from typing import NamedTuple, TypeAlias

import numpy as np

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Ints, SmallInts, TypedDict, record_type
from handful.hanabi.rules import MAX_PLAYERS
from handful.playability.deals.kernels.relaxation import (
    NOT_YET,
    Frame,
    Position,
    least_discards,
    playable_types,
    slack_of,
)

MAX_TURNS = 400
MOST_SCORE = 2047

# Moves are kind + card index (hints and trash have none).
HINT, PLAY, TRASH, THROW, DECK_PLAY, DECK_THROW = 0, 64, 128, 192, 256, 320


class Node(TypedDict):
    """A position of the search."""

    hands: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: mask of the needed types held
    played: Annotated[int, np.int64]  # mask of the types on the stacks
    key: Annotated[int, np.int64]  # a hash of the position
    score: Annotated[int, np.int64]  # how promising it is
    parent: Annotated[int, np.int32]  # its place in the beam of the turn before
    move: Annotated[int, np.int32]
    drawn: Annotated[int, np.int32]
    hints: Annotated[int, np.int32]
    current: Annotated[int, np.int32]
    turns_left: Annotated[int, np.int32]  # in the last round; NOT_YET before it


class Guide(TypedDict):
    """What leads a beam, and how wide it is."""

    width: Annotated[int, np.int64]
    token: Annotated[int, np.int64]  # the worth of a token
    slack: Annotated[int, np.int64]  # of a discard that can be afforded
    soon: Annotated[int, np.int64]  # of players who can play soon
    effort: Annotated[int, np.int64]  # how hard the relaxation tries at a node
    for_points: Annotated[int, np.int64]  # whether points count instead, where the maximum is out of reach


class Outcome(TypedDict):
    """What a search says."""

    turns: Annotated[int, np.int64]  # of the line that wins; 0 if there is none
    left_out: Annotated[int, np.int64]  # whether positions were
    looked_at: Annotated[int, np.int64]  # positions
    best_turn: Annotated[int, np.int64]  # the turn and the place of the position with the most points
    best_place: Annotated[int, np.int64]


NODE, GUIDE, OUTCOME = record_type(Node), record_type(Guide), record_type(Outcome)
Nodes: TypeAlias = MutableSequence[Node]


class Beams(NamedTuple):
    """The arrays of a search: the positions of this turn and of the next one, and how each came about.

    `parents` and `moves` are turns × width. `seen` is a hash table of places in `found`, at least twice as long.
    """

    beam: Nodes
    found: Nodes
    seen: SmallInts
    parents: SmallInts
    moves: SmallInts
    counts: Ints  # by score
    stop: Ints  # one: set by another thread when the time is over


@inlined_kernel
def turn_hands(node: Node, frame: Frame) -> None:
    """Turn the table until the hand with the least mask is in seat 0."""
    hands, players = node["hands"], frame["players"]
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
def evaluate(position: Position, guide: Guide, nodes: Nodes, i: int) -> bool:
    """Write how promising a node is, and its key; return whether it may still be won."""
    node, frame = nodes[i], position.frames[0]
    union = wide(0)
    for seat in range(frame["players"]):
        union |= node["hands"][seat]
    drawn, played = wide(node["drawn"]), node["played"]
    slack = slack_of(frame, drawn, played, wide(node["turns_left"]))
    score = wide(0)
    if guide["for_points"]:
        score = 50 * popcount(played) + slack + 4 * popcount(union | position.rest[drawn])
    else:
        if frame["all_mask"] & ~(union | position.rest[drawn] | played) or slack < 0:
            return False
        position.efforts[0]["left"] = guide["effort"]
        slack -= least_discards(position, drawn, played, union)
        if slack < 0:
            return False
        score = guide["slack"] * slack
    # A hint costs a token; a discard costs slack and gains a token. Who can play soon is worth something, too.
    soon = 0
    ready = playable_types(played, frame)
    seat = wide(node["current"])
    for ahead in range(frame["players"]):
        if node["hands"][seat] & ready:
            soon += frame["players"] - ahead
        seat = seat + 1 if seat + 1 < frame["players"] else 0
    score += guide["token"] * min(wide(node["hints"]), 20) + guide["soon"] * soon
    node["score"] = min(max(score, 0), MOST_SCORE)
    key = (played ^ drawn << 40 ^ wide(node["hints"]) << 50) * 0x1E3779B97F4A7C15
    if frame["free_hints"] and node["turns_left"] == NOT_YET:
        turn_hands(node, frame)
    if node["turns_left"] != NOT_YET:
        key ^= (wide(node["turns_left"]) << 4 | wide(node["current"]) + 1) * 0x369DEA0F31A53F85
    for seat in range(frame["players"]):
        key = (key ^ key >> 29 ^ node["hands"][seat]) * 0x2545F4914F6CDD1D
    node["key"] = key ^ key >> 32
    return True


@inlined_kernel
def pass_turn(frame: Frame, node: Node) -> None:
    """Let the next player move."""
    if node["turns_left"] != NOT_YET:
        node["turns_left"] -= 1
    node["current"] = node["current"] + 1 if node["current"] + 1 < frame["players"] else 0


@inlined_kernel
def gain_token(frame: Frame, node: Node) -> None:
    """Take a token back, if one is missing."""
    if node["hints"] < frame["max_hints"]:
        node["hints"] += 1


@inlined_kernel
def begin_move(beam: Nodes, i: int, found: Nodes, k: int, move: int) -> Node:
    """Copy beam[i] to found[k], to make a move there; return the copy."""
    found[k] = beam[i]
    after = found[k]
    after["parent"], after["move"] = i, move
    return after


@inlined_kernel
def use_card(frame: Frame, deck: Ints, node: Node) -> None:
    """Draw for the card that the player to move has used, if there is one to draw, and let the next player move."""
    if node["drawn"] < frame["cards"]:
        node["hands"][node["current"]] |= wide(1) << deck[node["drawn"]] & ~node["played"]
        node["drawn"] += 1
        if node["drawn"] == frame["cards"]:
            node["turns_left"] = frame["players"] + 1  # this turn is not one of them
    pass_turn(frame, node)


@inlined_kernel
def lay_on_stack(frame: Frame, node: Node, bit: int) -> None:
    """Play a card of a type: no hand needs another one any more, and it may bring a token."""
    node["played"] |= bit
    for seat in range(frame["players"]):
        node["hands"][seat] &= ~bit
    if bit & frame["bonus_mask"]:
        gain_token(frame, node)


@inlined_kernel
def leave_deck(frame: Frame, node: Node) -> None:
    """Take the last card from the deck without drawing it, and let the next player move."""
    node["drawn"] += 1
    if node["drawn"] == frame["cards"]:
        node["turns_left"] = frame["players"] + 1  # this turn is not one of them
    pass_turn(frame, node)


@kernel
def expand_deck(position: Position, guide: Guide, beam: Nodes, i: int, found: Nodes, k: int) -> int:
    """Write the position after the last card has been played from the deck, as `expand_seat` does.

    A card that does not fit is a strike, or of Orange a discard: it is tried where proofs let discards be free.
    """
    node, frame = beam[i], position.frames[0]
    card = position.deck[node["drawn"]]
    bit = wide(1) << card & ~frame["orange_mask"]
    if bit & playable_types(node["played"], frame):
        after = begin_move(beam, i, found, k, DECK_PLAY)
        lay_on_stack(frame, after, bit)
        leave_deck(frame, after)
        if after["played"] == frame["all_mask"]:
            return -1 - k
        return k + evaluate(position, guide, found, k)
    if frame["discard_at_max"]:
        after = begin_move(beam, i, found, k, DECK_THROW)
        gain_token(frame, after)
        leave_deck(frame, after)
        k += evaluate(position, guide, found, k)
    return k


@kernel
def expand_seat(position: Position, guide: Guide, beam: Nodes, i: int, found: Nodes, k: int) -> int:
    """Write the positions after each move of the player to move; return as `expand` does."""
    node, frame, deck = beam[i], position.frames[0], position.deck
    seat = wide(node["current"])
    mine = node["hands"][seat]
    plays = mine & playable_types(node["played"], frame)
    is_last = node["turns_left"] != NOT_YET
    can_discard = node["hints"] < frame["max_hints"] or frame["discard_at_max"]
    if not can_discard and not frame["free_hints"]:
        plays &= ~frame["orange_mask"]
    can_play = plays != 0
    while plays:
        bit = plays & -plays
        plays ^= bit
        after = begin_move(beam, i, found, k, PLAY + lowest_bit(bit))
        lay_on_stack(frame, after, bit)
        use_card(frame, deck, after)
        if after["played"] == frame["all_mask"]:
            return -1 - k
        k += evaluate(position, guide, found, k)
    has_trash = is_last or popcount(mine) < frame["hand_size"]
    can_hint = node["hints"] >= frame["hint_cost"]
    if frame["free_hints"]:
        can_discard, can_hint = is_last or not can_play, is_last
    if has_trash and can_discard:
        after = begin_move(beam, i, found, k, TRASH)
        gain_token(frame, after)
        use_card(frame, deck, after)
        k += evaluate(position, guide, found, k)
    elif can_discard:
        elsewhere = position.rest[node["drawn"]]
        for other in range(frame["players"]):
            if other != seat:
                elsewhere |= node["hands"][other]
        spare = mine if guide["for_points"] else mine & elsewhere
        while spare:
            bit = spare & -spare
            spare ^= bit
            after = begin_move(beam, i, found, k, THROW + lowest_bit(bit))
            after["hands"][seat] ^= bit
            gain_token(frame, after)
            use_card(frame, deck, after)
            k += evaluate(position, guide, found, k)
    if can_hint and frame["players"] > 1:
        after = begin_move(beam, i, found, k, HINT)
        if not frame["free_hints"]:
            after["hints"] -= frame["hint_cost"]
        pass_turn(frame, after)
        k += evaluate(position, guide, found, k)
    if node["drawn"] == frame["deck_play_at"]:
        k = expand_deck(position, guide, beam, i, found, k)
    return k


@kernel
def expand(position: Position, guide: Guide, beam: Nodes, i: int, found: Nodes, k: int) -> int:
    """Write the positions after each move in beam[i] from found[k] on; return the next place, or −1 − that of a win."""
    if beam[i]["turns_left"] == 0:
        return k
    if not position.frames[0]["free_hints"] or beam[i]["turns_left"] != NOT_YET:
        return expand_seat(position, guide, beam, i, found, k)
    for seat in range(position.frames[0]["players"]):
        beam[i]["current"] = seat
        k = expand_seat(position, guide, beam, i, found, k)
        if k < 0:
            return k
    return k


@kernel
def drop_repeated(found: Nodes, k: int, seen: SmallInts) -> int:
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
def search(position: Position, beams: Beams, guide: Guide, outcome: Outcome) -> None:
    """Search from beam[0], keeping the most promising positions of each turn; write what comes out of it.

    The line that wins ends at place 0 of the last turn's arrays.
    """
    beam, found, moves, parents = beams.beam, beams.found, beams.moves, beams.parents
    width = guide["width"]
    outcome["turns"], outcome["left_out"], outcome["looked_at"] = 0, 0, 0
    outcome["best_turn"], outcome["best_place"] = 0, 0
    count, most = 1, popcount(beam[0]["played"])
    for turn in range(len(moves)):
        k = 0
        for i in range(count):
            if beams.stop[0]:
                outcome["left_out"] = 1
                return
            k = expand(position, guide, beam, i, found, k)
            if k < 0:
                won = found[-1 - k]
                parents[turn, 0], moves[turn, 0] = won["parent"], won["move"]
                outcome["turns"] = turn + 1
                return
        outcome["looked_at"] += k
        if k > 1:
            k = drop_repeated(found, k, beams.seen)
        if k == 0:
            return
        if k > width:
            outcome["left_out"] = 1
        count = keep_best(found, k, beam, width, beams.counts)
        for j in range(count):
            parents[turn, j], moves[turn, j] = beam[j]["parent"], beam[j]["move"]
            points = popcount(beam[j]["played"])
            if points > most:
                most = points
                outcome["best_turn"], outcome["best_place"] = turn + 1, j


@kernel
def line_of(beams: Beams, outcome: Outcome, line: SmallInts) -> int:
    """Write the moves of the line that wins, or of the one with the most points; return how many there are."""
    turns, place = outcome["turns"], wide(0)
    if turns == 0:
        turns, place = outcome["best_turn"], outcome["best_place"]
    for turn in range(turns - 1, -1, -1):
        line[turn] = beams.moves[turn, place]
        place = wide(beams.parents[turn, place])
    return wide(turns)
