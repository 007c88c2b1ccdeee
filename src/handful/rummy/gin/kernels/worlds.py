"""Hands that the opponent may have, as likely as they are, given what the opponent threw, took and refused.

A past is the hand that was dealt and what was drawn in each turn. All pasts that fit what was seen are equally likely
beforehand; how likely one makes what was done is a product over the opponent's turns:

- of the throws that are worth a thought, one is as likely as exp(b · what it is worth by the quick judgement);
- the upcard is taken with the logistic chance of what taking it is worth more than drawing;
- a player who could knock does not, with the logistic chance of what the throw is worth more than the knock.

Who knocks as soon as it may, and who waits for gin, throw the same cards from different hands. So a past also says
what kind of player the opponent is: each kind has habits of its own, fitted to rounds of one player
(`python -m benchmarks.gin_thought`), and all kinds are equally likely beforehand.

Good hands are rare among all: weighing uniform ones would leave two or three of them. So a past is changed step by
step (Metropolis et al. 1953), which goes to where the likely ones are.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Floats, Ints, TypedDict, record_type
from handful.rummy.gin.kernels.deadwood import DECK, NO_CARD
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.layout import MOST_TURNS, Rulebook, Views
from handful.rummy.gin.kernels.quick import quick_draw, quick_knock, quick_throw, throwable, thrown_worth
from handful.rummy.gin.kernels.round import forbidden_card
from handful.rummy.gin.kernels.simple import can_meld, least_throws
from handful.rummy.gin.rules import HAND_SIZE
from handful.splitmix_jit import Chance, below, unit

# What the habits are: slopes, shifts, and the chances of what no judgement explains.
HABITS = 8
THROW_SLOPE, THROW_EXCESS, TAKE_SLOPE, TAKE_SHIFT, WAIT_SLOPE, WAIT_SHIFT, LAPSE, TAKE_UNMELDED = range(HABITS)
KINDS = ("table", "quick", "simple", "marjj")  # whose habits are known
NUM_KINDS = len(KINDS)
KIND_STEPS = 16  # in one of so many steps the opponent becomes another kind of player

Habits: TypeAlias = npt.NDArray[np.float64]  # a row for each kind
Hands: TypeAlias = npt.NDArray[np.int64]
Effort: TypeAlias = tuple[int, int, int]


class PastFields(TypedDict):
    """The opponent's turns, as the opponent saw them: what is the same in every world."""

    num_turns: Annotated[int, np.int64]
    threw: Annotated[Ints, np.int64, MOST_TURNS]
    took: Annotated[Ints, np.int64, MOST_TURNS]  # −1: from the stock
    offered: Annotated[Ints, np.int64, MOST_TURNS]  # the upcard that was taken or refused; −1: there was no choice
    turn: Annotated[Ints, np.int64, MOST_TURNS]
    known: Annotated[Ints, np.int64, MOST_TURNS]  # masks: what the pile gave the opponent, before the throw
    own_known: Annotated[Ints, np.int64, MOST_TURNS]  # masks: what the opponent knows of this player
    pile: Annotated[Ints, np.int64, MOST_TURNS]  # masks, before the throw
    now_known: Annotated[int, np.int64]
    limit: Annotated[int, np.int64]
    first_refused: Annotated[int, np.int64]  # the first upcard, if the opponent let it lie without drawing, or −1


PAST = record_type(PastFields)
Pasts: TypeAlias = npt.NDArray[np.void]


@kernel
def recall(views: Views, v: int, pasts: Pasts) -> None:
    """Write the opponent's turns, from the history of a view."""
    w, p = views[v], pasts[0]
    thrown, total = 0, w["num_turns"]
    for turn in range(total):
        thrown |= 1 << wide(w["threw"][turn])
    first = wide(w["took"][0]) if total and w["took"][0] != NO_CARD else NO_CARD
    lying = w["pile"] & ~thrown
    if not total and w["phase"] == 0:
        first = w["upcard"]
    elif not total and w["taken"] != NO_CARD:
        first = w["taken"]
    elif first == NO_CARD and lying:
        first = lowest_bit(lying)
    known, own, pile, upcard, number = 0, 0, 0, first, 0
    for turn in range(total):
        is_own = (turn & 1 == 0) == (w["has_first"] != 0)
        took, threw = wide(w["took"][turn]), wide(w["threw"][turn])
        if took == NO_CARD:
            if upcard != NO_CARD:
                pile |= 1 << upcard
        elif is_own:
            own |= 1 << took
        else:
            known |= 1 << took
        if not is_own:
            p["threw"][number] = threw
            p["took"][number] = took
            # Who draws after two refusals has refused before.
            p["offered"][number] = NO_CARD if turn == 0 and took == NO_CARD else upcard
            p["turn"][number] = turn // 2 + 1
            p["known"][number] = known
            p["own_known"][number] = own
            p["pile"][number] = pile
            number += 1
        known &= ~(1 << threw)
        own &= ~(1 << threw)
        upcard = threw
    p["num_turns"] = number
    p["now_known"] = w["known"]
    p["limit"] = w["knock_limit"]
    passed = w["passes"] >= 2 or (w["passes"] == 1 and w["is_starter"] == 0)
    p["first_refused"] = first if passed else NO_CARD


@inlined_kernel
def logistic(x: float) -> float:
    """Return 1 / (1 + exp(−x))."""
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def throw_chance(pasts: Pasts, t: int, hand: int, kind: int, reader: Reader) -> float:
    """Return how likely a player of a kind with eleven cards makes the throw that was made, and does not knock."""
    p, habits, limit = pasts[0], reader.habits[kind], pasts[0]["limit"]
    rules, weights, features = reader.rules, reader.weights, reader.features
    card, known, pile, turn = p["threw"][t], p["own_known"][t], p["pile"][t], p["turn"][t]
    forbidden = forbidden_card(p["took"][t], rules)
    least, _ = least_throws(hand, forbidden)
    chance = 1.0
    total, most, made = 0.0, -1e9, 0.0
    left = throwable(hand, forbidden) | 1 << card
    number = popcount(left)
    while left:
        other = lowest_bit(left)
        left &= left - 1
        value = thrown_worth(hand, other, known, pile, limit, turn, weights, features)
        most = max(most, value)
        # features[1] is the deadwood that is left
        force = math.exp(habits[THROW_SLOPE] * value - habits[THROW_EXCESS] * (features[1] - least))
        total += force
        if other == card:
            made = force
    chance = made / total * (1.0 - habits[LAPSE]) + habits[LAPSE] / number
    if least == 0:
        chance *= habits[LAPSE]
    elif least <= limit:
        knocking = quick_knock(least, known, turn, weights, features)
        waits = logistic(habits[WAIT_SLOPE] * (most - knocking) + habits[WAIT_SHIFT])
        chance *= waits * (1.0 - habits[LAPSE]) + habits[LAPSE]
    return float(chance)


@kernel
def take_chance(hand: int, upcard: int, place: tuple[int, int, int, int], kind: int, reader: Reader) -> float:
    """Return how likely a player of a kind with ten cards takes the upcard; `place`: known, pile, limit, turn."""
    rules, weights, habits, features = reader.rules, reader.weights, reader.habits[kind], reader.features
    if not can_meld(hand, upcard):
        return float(habits[TAKE_UNMELDED])
    known, pile, limit, turn = place
    whole, forbidden = hand | 1 << upcard, forbidden_card(upcard, rules)
    _, taking = quick_throw(whole, forbidden, known, pile, limit, turn, weights, features)
    least, _ = least_throws(whole, forbidden)
    if least <= limit:
        taking = max(taking, quick_knock(least, known, turn, weights, features))
    drawing = quick_draw(hand, upcard, known, pile, limit, turn, weights, features)
    takes = logistic(habits[TAKE_SLOPE] * (taking - drawing) + habits[TAKE_SHIFT])
    return float(takes * (1.0 - 2.0 * habits[LAPSE]) + habits[LAPSE])


@inlined_kernel
def hidden_cards(views: Views, v: int) -> int:
    """Return the cards that are in the opponent's hand or in the stock, nobody here knows where."""
    w = views[v]
    seen = w["hand"] | w["pile"] | w["known"]
    if w["upcard"] != NO_CARD:
        seen |= 1 << w["upcard"]
    return wide(DECK & ~seen)


@kernel
def drawn_hand(pool: int, size: int, chance: Chance, stream: int) -> int:
    """Return that many cards of a pool, uniformly drawn."""
    hand, left = 0, popcount(pool)
    while size:
        card = 1 << nth_bit(pool, below(chance, stream, left))
        hand |= card
        pool &= ~card
        left -= 1
        size -= 1
    return hand


class StoryFields(TypedDict):
    """A past of a hand: what kind of player the opponent is, what it was dealt, and drew."""

    kind: Annotated[int, np.int64]
    hand: Annotated[int, np.int64]  # of now
    drew: Annotated[Ints, np.int64, MOST_TURNS]  # the card of the stock; −1: took the upcard
    held: Annotated[Ints, np.int64, MOST_TURNS]  # masks: the ten cards before the turn
    likelihood: Annotated[Floats, np.float64, MOST_TURNS]  # logarithms: of what was done in each turn
    first: Annotated[float, np.float64]  # and of refusing the first upcard


STORY = record_type(StoryFields)
Stories: TypeAlias = npt.NDArray[np.void]


class Reader(NamedTuple):
    """With what a past is judged."""

    rules: Rulebook
    weights: Weights
    habits: Habits
    features: Features


@kernel
def invent(pasts: Pasts, pool: int, stories: Stories, i: int, chance: Chance, stream: int) -> None:
    """Write a past, each that is possible as likely as any other: a hand of cards of a pool, and backwards from it."""
    p, story = pasts[0], stories[i]
    story["kind"] = below(chance, stream, NUM_KINDS)
    story["hand"] = p["now_known"] | drawn_hand(pool, HAND_SIZE - popcount(p["now_known"]), chance, stream)
    hand = story["hand"]
    for t in range(p["num_turns"] - 1, -1, -1):
        eleven = hand | 1 << p["threw"][t]
        if p["took"][t] == NO_CARD:
            hidden = eleven & ~p["known"][t]
            drew = nth_bit(hidden, below(chance, stream, popcount(hidden)))
            story["drew"][t] = drew
            hand = eleven & ~(1 << drew)
        else:
            story["drew"][t] = NO_CARD
            hand = eleven & ~(1 << p["took"][t])
        story["held"][t] = hand


@kernel
def judge_turns(pasts: Pasts, stories: Stories, i: int, first: int, last: int, reader: Reader) -> float:
    """Write how likely what was done in some turns is, and return the logarithm for the whole past."""
    p, story = pasts[0], stories[i]
    limit, kind = p["limit"], story["kind"]
    for t in range(first, last + 1):
        held, took, offered = story["held"][t], p["took"][t], p["offered"][t]
        eleven = held | 1 << (took if took != NO_CARD else story["drew"][t])
        chance = throw_chance(pasts, t, eleven, kind, reader)
        if offered != NO_CARD:
            place = (p["own_known"][t], p["pile"][t] & ~(1 << offered), limit, p["turn"][t])
            takes = take_chance(held, offered, place, kind, reader)
            chance *= takes if took != NO_CARD else 1.0 - takes
        story["likelihood"][t] = math.log(chance)
    if first == 0:
        dealt = story["held"][0] if p["num_turns"] else story["hand"]
        story["first"] = 0.0
        if p["first_refused"] != NO_CARD:
            story["first"] = math.log(1.0 - take_chance(dealt, p["first_refused"], (0, 0, limit, 1), kind, reader))
    total = story["first"]
    for t in range(p["num_turns"]):
        total += story["likelihood"][t]
    return float(total)


@kernel
def exchange(pasts: Pasts, stories: Stories, i: int, card: int, other: int) -> int:
    """Let the opponent have had another card of the pool instead; return the first turn for which that matters."""
    p, story = pasts[0], stories[i]
    both = 1 << card | 1 << other
    story["hand"] ^= both
    for t in range(p["num_turns"] - 1, -1, -1):
        if story["drew"][t] == card:
            story["drew"][t] = other
            return t
        story["held"][t] ^= both
    return 0


@kernel
def delay(pasts: Pasts, stories: Stories, i: int, turn: int, card: int) -> int:
    """Let a card that was held be what was drawn in a turn, and that one come when it came; return that turn, or 0."""
    story = stories[i]
    drew = story["drew"][turn]
    story["drew"][turn] = card
    both = 1 << card | 1 << drew
    story["held"][turn] ^= both
    for t in range(turn - 1, -1, -1):
        if story["drew"][t] == card:
            story["drew"][t] = drew
            return t
        story["held"][t] ^= both
    return 0


@kernel
def wander(pasts: Pasts, pool: int, stories: Stories, now: float, steps: int, reader: Reader, chance: Chance) -> float:
    """Change a past (0) step by step, by Metropolis' rule; return the logarithm of how likely it is then.

    A step exchanges a hidden card for one that nobody has seen, or lets another card be the one that was drawn, or the
    opponent another kind of player; it is taken with the chance min(1, new likelihood / old).
    """
    p = pasts[0]
    for _ in range(steps):
        stories[1] = stories[0]
        story = stories[1]
        last = p["num_turns"] - 1
        if below(chance, 0, KIND_STEPS) == 0:
            story["kind"] = below(chance, 0, NUM_KINDS)
            likely = judge_turns(pasts, stories, 1, 0, last, reader)
            if likely >= now or unit(chance, 0) < math.exp(likely - now):
                stories[0] = stories[1]
                now = likely
            continue
        turn = below(chance, 0, p["num_turns"]) if below(chance, 0, 3) == 0 else -1
        if turn >= 0 and p["took"][turn] == NO_CARD:
            hidden = story["held"][turn] & ~p["known"][turn]
            first = delay(pasts, stories, 1, turn, nth_bit(hidden, below(chance, 0, popcount(hidden))))
            last = turn
        else:
            hidden, free = story["hand"] & ~p["now_known"], pool & ~story["hand"]
            card = nth_bit(hidden, below(chance, 0, popcount(hidden)))
            first = exchange(pasts, stories, 1, card, nth_bit(free, below(chance, 0, popcount(free))))
        likely = judge_turns(pasts, stories, 1, first, last, reader)
        if likely >= now or unit(chance, 0) < math.exp(likely - now):
            stories[0] = stories[1]
            now = likely
    return now


@kernel
def draw_worlds(
    views: Views, rules: Rulebook, habits: Habits, weights: Weights, effort: Effort, chance: Chance, worlds: Hands
) -> None:
    """Fill `worlds` with hands of the opponent, each about as likely to be there as it is in truth.

    `effort` = pasts that are invented to begin with, steps before the first world, steps from one to the next.
    """
    pasts, stories = np.zeros(1, PAST), np.zeros(2, STORY)
    recall(views, 0, pasts)
    pool = hidden_cards(views, 0)
    reader = Reader(rules, weights, habits, np.zeros(weights.shape[2]))
    p = pasts[0]
    told = p["num_turns"] + (p["first_refused"] != NO_CARD)
    if not told or popcount(p["now_known"]) == HAND_SIZE:
        for j in range(len(worlds)):
            invent(pasts, pool, stories, 0, chance, 0)
            worlds[j] = stories[0]["hand"]
        return
    best = -1e18
    for _ in range(effort[0]):
        invent(pasts, pool, stories, 1, chance, 0)
        likely = judge_turns(pasts, stories, 1, 0, p["num_turns"] - 1, reader)
        if likely > best:
            best = likely
            stories[0] = stories[1]
    best = wander(pasts, pool, stories, best, effort[1], reader, chance)
    for j in range(len(worlds)):
        best = wander(pasts, pool, stories, best, effort[2], reader, chance)
        worlds[j] = stories[0]["hand"]
    for j in range(len(worlds) - 1):  # in any order, so that the first of them are a fair part
        other = j + below(chance, 0, len(worlds) - j)
        worlds[j], worlds[other] = worlds[other], worlds[j]
