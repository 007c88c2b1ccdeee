"""How the turns are spread: those of one hand, from the chain of hands that optimal play runs through; those of all.

Under optimal play the hand only ever changes to one with fewer expected turns: so the hands that can be met form a
chain that runs downhill, and each is left for good once it is left. Of equally good throws the one is made that leaves
the hand with the least number; and a drawn card that gains nothing is thrown.

The second moment of every hand of a game is found in one pass over the hands in order. From T = 1 + T′ follows, if k of
the 52 − n draws lead on to a better hand and the others change nothing,

    E(T²) = ((52 − n) (2 E − 1) + Σ over those k draws of the E(T²) of the hand that is kept) / k.

As in `label_setting`, a draw is seen from the n + 1 cards g that are then held, and counted over whole orbits. The
first hand of g in the order of E, of equal ones that of the least index, is the best throw for all the others; so every
g is visited once, when that hand is taken, and then adds orbit(g) · E(T²) to the sum, and orbit(g) to the weight, of
every other hand in it, but for those of the same E, which rather throw the draw. When a hand is taken itself, all that
leads on from it was there before, and

    E(T²) = ((52 − n) · orbit · (2 E − 1) + sum) / weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful._records import Annotated, Floats, Ints, SmallInts, TypedDict, record_type
from handful.rummy.kernels.hand_index import HandIndex, Shorts, Suits, hand_at, mask_index, orbit_at
from handful.rummy.kernels.heap import Heap, lift, make_heap, take_first
from handful.rummy.kernels.neighbours import Bytes, Work, cards_unseen, find_throws, find_unseen, orbit_unseen
from handful.rummy.kernels.reduced_deck import add_place, numbers_without, places_of

# Values closer than this are equal: rounding must not choose between hands whose expected turns are the same.
TIE = 1e-11
# A chance smaller than this waits until more has come together; a hundred thousand of them do not make up a billionth.
LEAST_MOVED = 1e-15
DONE = -1  # the target of a draw after which all of the hand melds


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

    `hands`, int64, their indices; `values`, their E; `visits`, the chance that they are ever met; `stays`, how many
    draws change nothing, or −1 if a hand was not followed further. The draws from hand i lead to ``targets[first :
    last]``, int32, places in this chain or DONE, with ``first, last = firsts[i : i + 2]``; so many to each: `counts`,
    uint8.
    `slots` find a hand by its index, and `heap` the next one: that of the greatest E, so its sums are −E. `order`
    serves to put the chain in order: the i-th hand that was taken is the order[i]-th that was met.
    """

    hands: Ints
    values: Floats
    visits: Floats
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
    One that is met with less than a given chance is not followed: what is known of it is its expected turns.
    """
    draws = game.deck_size - game.hand_size
    chain.hands[0], chain.values[0], chain.visits[0] = start, game.values[start], 1.0
    chain.slots[slot_of(chain, start)] = 0
    chain.heap.sums[0] = -game.values[start]
    lift(chain.heap, 0)
    known, edges = 1, 0
    taken = 0  # `firsts` is in the order of taking
    while chain.heap.size[0] > 0:
        entry = take_first(chain.heap)
        chain.order[taken] = entry
        chain.firsts[taken] = edges
        taken += 1
        visits = chain.visits[entry]
        if visits < least_visits:
            chain.stays[entry] = -1
            continue
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
    for column in (chain.hands, chain.values, chain.visits, chain.stays):
        column[:size] = column[order]
    targets = chain.targets[:edges]
    leads_on = targets != DONE
    targets[leads_on] = where[targets[leads_on]]


@kernel
def first_wait(value: float, last_wait: float) -> float:
    """Return how long a hand that was not followed is taken to wait before the last wait, or 0 if that is all.

    Most games end with the same long wait, that of the best hands for the one card. So a hand of E expected turns, of
    which nothing else is known, is taken for two plain waits one after the other, of E − B and of B turns.
    """
    return value - last_wait if value - last_wait >= 1.0 else 0.0


@kernel
def second_moment(chain: Chain, draws: int, last_wait: float) -> float:
    """Return E(T²) of the first hand of a chain.

    With k draws that lead on: E(T²) = ((52 − n) (2 E − 1) + Σ over those draws of the target's E(T²)) / k. A plain wait
    of W turns on average has E(T²) = 2 W² − W.
    """
    moments = np.zeros(chain.sizes["hands"])
    for i in range(chain.sizes["hands"] - 1, -1, -1):
        value = chain.values[i]
        if chain.stays[i] < 0:
            first = first_wait(value, last_wait)
            last = value - first
            moments[i] = 2.0 * first * first - first + 2.0 * last * last - last + 2.0 * first * last
            continue
        total = draws * (2.0 * value - 1.0)
        for edge in range(chain.firsts[i], chain.firsts[i + 1]):
            if chain.targets[edge] != DONE:
                total += wide(chain.counts[edge]) * moments[chain.targets[edge]]
        moments[i] = total / (draws - chain.stays[i])
    return float(moments[0])


@kernel
def run_chain(chain: Chain, draws: int, last_wait: float, most_turns: int, least_rest: float) -> Floats:
    """Return P(T = t) for t = 0, 1, … from the first hand, until less than a given chance is left.

    A turn moves the chance of every hand along its draws. From the last hand of the chain to the first, so that what
    arrives in a turn does not move on in the same turn.
    """
    size = chain.sizes["hands"]
    chances = np.zeros(size)
    chances[0] = 1.0
    ended = np.zeros(most_turns + 1)
    rest = 1.0
    turn = 0
    lowest = 0
    waiting = 0.0  # the chance of the last wait of hands that were not followed
    while turn < most_turns and rest > least_rest:
        turn += 1
        done = waiting / last_wait
        waiting -= done
        reached = lowest
        for i in range(lowest, -1, -1):
            chance = chances[i]
            if chance < LEAST_MOVED:
                continue
            if chain.stays[i] < 0:
                first = first_wait(chain.values[i], last_wait)
                moved = chance / first if first > 0.0 else chance / chain.values[i]
                chances[i] = chance - moved
                if first > 0.0:
                    waiting += moved
                else:
                    done += moved
                continue
            per_draw = chance / draws
            chances[i] = per_draw * chain.stays[i]
            for edge in range(chain.firsts[i], chain.firsts[i + 1]):
                share = per_draw * wide(chain.counts[edge])
                target = wide(chain.targets[edge])
                if target == DONE:
                    done += share
                else:
                    chances[target] += share
                    reached = max(reached, target)
        lowest = reached
        ended[turn] = done
        rest -= done
    return ended[: turn + 1]


@kernel
def turns_of(chain: Chain, draws: int, last_wait: float, most_turns: int, least_rest: float) -> tuple[Floats, float]:
    """Return both, P(T = t) as `run_chain` and E(T²) as `second_moment`: one kernel to compile."""
    return run_chain(chain, draws, last_wait, most_turns, least_rest), second_moment(chain, draws, last_wait)


class Moments(NamedTuple):
    """What is known of the second moments.

    By index of a hand: `moments`, float64, the sum above, and E(T²) from when the hand was taken; `weights`, uint16. By
    index of n + 1 cards: a bit of `seen`, uint8. `totals`, float64: of E(T²) and of E², over all hands that were taken.
    """

    moments: Floats
    weights: Shorts
    seen: Bytes
    totals: Floats


def make_moments(hands: int, larger_hands: int) -> Moments:
    """Return room for so many indices of hands, and of hands with a card more; nothing is known yet."""
    return Moments(
        np.zeros(hands, np.float64),
        np.zeros(hands, np.uint16),
        np.zeros((larger_hands + 7) // 8, np.uint8),
        np.zeros(2, np.float64),
    )


@kernel
def sort_ties(values: Floats, order: Ints) -> None:
    """Put hands of equal E into the order of their indices: rounding must not choose between them.

    `order` has the indices of hands in the order of their values.
    """
    for i in range(1, len(order)):
        hand, place = order[i], i
        while place > 0 and order[place - 1] > hand and values[order[place - 1]] >= values[hand] - TIE:
            order[place] = order[place - 1]
            place -= 1
        order[place] = hand


@kernel
def take_hands(
    known: Moments, values: Floats, order: Ints, hand_index: HandIndex, larger: HandIndex, work: Work
) -> None:
    """Find the second moments of the hands of a list, which follow in order on those that were taken before."""
    moments, weights, totals = known.moments, known.weights, known.totals
    draws = 52 - hand_index["cards"]
    sum_of_moments = sum_of_squares = 0.0
    for i in range(len(order)):
        hand = order[i]
        value = values[hand]
        orbit, suits = orbit_at(hand_index, hand)
        weight = wide(weights[hand])
        moment = 0.0
        if value > 0.0:
            moment = (draws * orbit * (2.0 * value - 1.0) + moments[hand]) / weight
        moments[hand] = moment
        sum_of_moments += orbit * moment
        sum_of_squares += orbit * value * value
        # A hand whose weight is complete is in no n + 1 cards that were not seen.
        if weight != draws * orbit:
            tell(known, values, hand_index, larger, suits, value, moment, work)
    totals[0] += sum_of_moments
    totals[1] += sum_of_squares


@kernel
def tell(
    known: Moments,
    values: Floats,
    hand_index: HandIndex,
    larger: HandIndex,
    suits: Suits,
    value: float,
    moment: float,
    work: Work,
) -> None:
    """Visit all n + 1 cards that contain a hand and were not seen before, and tell their other hands of it."""
    moments, weights = known.moments, known.weights
    for suit in range(4):
        for i in range(find_unseen(work, larger, known.seen, suits, suit)):
            more = cards_unseen(work, suits, suit, i)
            orbit = orbit_unseen(work, larger, more, i)
            for throw in range(find_throws(work, hand_index, more)):
                other = work["throws"][throw]
                if values[other] > value + TIE:
                    moments[other] += orbit * moment
                    weights[other] += orbit
