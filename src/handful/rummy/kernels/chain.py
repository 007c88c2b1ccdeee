"""The chain of hands that optimal play runs through, from one hand on.

Under optimal play the hand only ever changes to one with fewer expected turns: so the hands that can be met form a
chain that runs downhill, and each is left for good once it is left. Of equally good throws the one is made that leaves
the hand with the least number; and a drawn card that gains nothing is thrown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful._records import Annotated, Floats, Ints, SmallInts, TypedDict, record_type
from handful.rummy.kernels.hand_index import HandIndex, hand_at, mask_index
from handful.rummy.kernels.heap import Heap, lift, make_heap, take_first
from handful.rummy.kernels.neighbours import Bytes
from handful.rummy.kernels.reduced_deck import add_place, numbers_without, places_of

# Values closer than this are equal: rounding must not choose between hands whose expected turns are the same.
TIE = 1e-11
DONE = -1  # the target of a draw after which all of the hand melds
FOLLOWED, CHOSEN, LEFT = range(3)  # what was done with a hand that can be met


class SolvedGame(NamedTuple):
    """What optimal play depends on: hands up to symmetry, or single hands of a smaller deck.

    `values`, float64, read-only: E by index or by number. `deck_size` and `hand_size` are numbers of cards.
    """

    hand_index: HandIndex
    values: Floats
    deck_size: int
    hand_size: int


class Moves(NamedTuple):
    """Where the draws lead to from a hand: so many of them to each of some targets. Room to work in."""

    targets: Ints
    counts: Ints
    throws: Ints
    places: Ints
    more: Ints


class Sizes(TypedDict):
    """How much a chain has of what."""

    hands: Annotated[int, np.int64]
    edges: Annotated[int, np.int64]


SIZES = record_type(Sizes)


class Chain(NamedTuple):
    """Hands in the order in which they are met; the start is the first. `sizes`: how many, and how many edges.

    `hands`, int64, their indices; `values`, their E; `visits`, the chance that they are ever met; `fates`, uint8, of
    each FOLLOWED, CHOSEN or LEFT; `boosts`, by how much a chance to meet it counts for more than itself; `stays`, how
    many draws change nothing, if it was not left. The draws from hand i
    lead to ``targets[first : last]``, int32, places in this chain or DONE, with ``first, last = firsts[i : i + 2]``; so
    many to each: `counts`, uint8.
    `slots` find a hand by its index, and `heap` the next one: that of the greatest E, so its sums are −E. `order`
    serves to put the chain in order: the i-th hand that was taken is the order[i]-th that was met.
    """

    hands: Ints
    values: Floats
    visits: Floats
    fates: Bytes
    boosts: Floats
    stays: Ints
    firsts: Ints
    targets: SmallInts
    counts: Bytes
    slots: Ints
    heap: Heap
    order: Ints
    sizes: Sizes


def make_moves() -> Moves:
    """Return room for the moves from one hand."""
    return Moves(*(np.zeros(64, np.int64) for _ in range(5)))


def make_chain(most: int, edges: int) -> Chain:
    """Return an empty chain with room for so many hands, and for so many targets of all of them."""
    return Chain(
        np.zeros(most, np.int64),
        np.zeros(most, np.float64),
        np.zeros(most, np.float64),
        np.zeros(most, np.uint8),
        np.ones(most, np.float64),
        np.zeros(most, np.int64),
        np.zeros(most + 1, np.int64),
        np.zeros(edges, np.int32),
        np.zeros(edges, np.uint8),
        np.full(1 << (2 * most).bit_length(), -1, np.int64),
        make_heap(np.zeros(most), np.ones(most, np.uint8)),
        np.zeros(most, np.int64),
        np.zeros(1, SIZES)[0],
    )


@kernel
def choose_throw(values: Floats, throws: Ints, num_throws: int) -> int:
    """Return which of some hands is kept: that of the least value, and of equal ones that of the least number."""
    least = np.inf
    for i in range(num_throws):
        least = min(least, values[throws[i]])
    best = -1
    for i in range(num_throws):
        if values[throws[i]] <= least + TIE and (best < 0 or throws[i] < throws[best]):
            best = i
    return best


@kernel
def throws_of(hand_index: HandIndex, mask: int, throws: Ints) -> None:
    """Fill in the index of what is left when each card of a mask is thrown, the lowest bit first."""
    found = 0
    rest = mask
    while rest:
        thrown = rest & -rest
        rest ^= thrown
        throws[found] = mask_index(hand_index, mask ^ thrown)
        found += 1


@kernel
def find_moves(game: SolvedGame, binomials: Ints | None, hand: int, moves: Moves) -> tuple[int, int]:
    """Fill in where the draws lead to from a hand; return how many targets there are, and how many draws stay.

    A hand is the number of one in a smaller deck if there are `binomials`; what is not needed is not compiled.
    """
    found, stays = 0, 0
    own = game.values[hand]
    mask = wide(0)
    if binomials is None:
        mask = hand_at(game.hand_index, hand)
    else:
        places_of(binomials, hand, game.hand_size, moves.places)
    for drawn in range(game.deck_size):
        num_throws = game.hand_size + 1
        if binomials is None:
            if mask >> drawn & 1:
                continue
            throws_of(game.hand_index, mask | wide(1) << drawn, moves.throws)
        else:
            if not add_place(moves.places, game.hand_size, drawn, moves.more):
                continue
            numbers_without(binomials, moves.more, num_throws, moves.throws)
        target = moves.throws[choose_throw(game.values, moves.throws, num_throws)]
        value = game.values[target]
        if value >= own - TIE:
            stays += 1
            continue
        if value == 0.0:
            target = DONE
        place = 0
        while place < found and moves.targets[place] != target:
            place += 1
        if place == found:
            moves.targets[found], moves.counts[found] = target, 0
            found += 1
        moves.counts[place] += 1
    return found, stays


@kernel
def slot_of(chain: Chain, hand: int) -> int:
    """Return where a hand is, or would be, among the slots of those that were met."""
    bits = len(chain.slots) - 1
    slot = (hand * 0x9E3779B97F4A7C1) >> 20 & bits
    while chain.slots[slot] >= 0 and chain.hands[chain.slots[slot]] != hand:
        slot = (slot + 1) & bits
    return slot


@kernel
def explore(
    game: SolvedGame, binomials: Ints | None, start: int, least_visits: float, moves: Moves, chain: Chain
) -> bool:
    """Fill in all hands that are met from a start on, to be put in order; return whether there was room.

    Hands are taken with the most expected turns first, so that a hand's chance to be met is known when it is taken.
    Those that are met with at least a given chance, c, are followed. Of the others some are chosen, by lot: in the
    order of their turns, those in whose chance the sum of these chances passes c / 2, 3 c / 2, 5 c / 2, … A hand of
    chance v is so chosen with a chance of v / c, and then counts c / v times, in place of those that are left: on
    average over all places for the first mark, the chances of all that follows are what they are.
    """
    draws = game.deck_size - game.hand_size
    chain.hands[0], chain.values[0], chain.visits[0] = start, game.values[start], 1.0
    chain.slots[slot_of(chain, start)] = 0
    chain.heap.sums[0] = -game.values[start]
    lift(chain.heap, 0)
    known, edges = 1, 0
    taken = 0  # `firsts` is in the order of taking
    waiting = 0.5 * least_visits  # the chances of hands for which none was chosen yet
    while chain.heap.size[0] > 0:
        entry = take_first(chain.heap)
        chain.order[taken] = entry
        chain.firsts[taken] = edges
        taken += 1
        visits = chain.visits[entry]
        if visits < least_visits:
            waiting += visits
            chain.fates[entry] = LEFT
            if waiting < least_visits:
                continue
            waiting -= least_visits
            chain.fates[entry] = CHOSEN
            chain.boosts[entry] = least_visits / visits
            chain.visits[entry] = visits = least_visits
        found, stays = find_moves(game, binomials, chain.hands[entry], moves)
        chain.stays[entry] = stays
        if edges + found > len(chain.targets):
            return False
        for i in range(found):
            target = moves.targets[i]
            place = wide(DONE)
            if target != DONE:
                slot = slot_of(chain, target)
                place = chain.slots[slot]
                if place < 0:
                    if known == len(chain.hands):
                        return False
                    place = known
                    known += 1
                    chain.slots[slot] = place
                    chain.hands[place], chain.values[place], chain.visits[place] = target, game.values[target], 0.0
                    chain.heap.sums[place] = -game.values[target]
                    lift(chain.heap, place)
                chain.visits[place] += visits * moves.counts[i] / (draws - stays)
            chain.targets[edges], chain.counts[edges] = place, moves.counts[i]
            edges += 1
    chain.firsts[taken] = edges
    chain.sizes["hands"], chain.sizes["edges"] = taken, edges
    return True


def put_in_order(chain: Chain) -> None:
    """Renumber the hands as they were taken: the edges are in that order already.

    No kernel: numba takes longer to compile the look-ups than NumPy takes for any chain.
    """
    size, edges = int(chain.sizes["hands"]), int(chain.sizes["edges"])
    order = chain.order[:size]
    where = np.empty(size, np.int32)
    where[order] = np.arange(size, dtype=np.int32)
    for column in (chain.hands, chain.values, chain.visits, chain.fates, chain.boosts, chain.stays):
        column[:size] = column[order]
    targets = chain.targets[:edges]
    leads_on = targets != DONE
    targets[leads_on] = where[targets[leads_on]]
