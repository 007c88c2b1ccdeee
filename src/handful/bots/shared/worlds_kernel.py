"""Worlds inside kernels: the cards that a seat cannot see, dealt so that they fit what it knows, each deal as likely.

The hidden cards are those of the own hand and of the deck. A *hand* gives each own slot one of them, another one for
each, that fits it; all hands are equally likely, and so are all orders of what is left, the deck. To draw worlds: write
the hidden cards (`gather_unseen`, or `gather_planes`), say what fits each own slot (`fit_slot`, or `know_slot`), then
`draw_hand` and `deal_rest` as often as wanted.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, nth_bit, popcount, wide
from handful._jit import kernel
from handful._records import Annotated, Bytes, Ints, TypedDict, record_type
from handful.hanabi.kernels.layout import MAX_DECK, MAX_HAND_CARDS, Decks, Game, Rulebook
from handful.splitmix_jit import Chance, below, unit

MOST_TRIES = 2_000  # in each way to draw a hand; hardly ever more than ten


class World(TypedDict):
    """What a seat cannot see, and where it lies in the world drawn last."""

    fits: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per own slot that is drawn: the places in `cards` that fit it
    slots_mask: Annotated[int, np.int64]  # the own slots that are drawn; the others are known
    taken_mask: Annotated[int, np.int64]  # the places in `cards` that the hand has taken
    size: Annotated[int, np.int64]  # how many cards are hidden
    cards: Annotated[Bytes, np.int8, MAX_DECK]  # the hidden cards, ascending, one entry a copy
    hand: Annotated[Bytes, np.int8, MAX_HAND_CARDS]  # per own slot: the card that it is


WORLD = record_type(World)


@kernel
def gather_unseen(world: World, game: Game, rulebook: Rulebook, seat: int) -> None:
    """Write the cards that a seat cannot see: those left, but for the other hands. No slot is drawn yet.

    For a player who sees all hands the seat is −1: what is hidden is the deck.
    """
    size = wide(rulebook["hand_size"])
    unseen = np.zeros(rulebook["types"], np.int64)
    for card in range(rulebook["types"]):
        unseen[card] = game["left"][card]
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                unseen[game["cards"][game["orders"][place]]] -= 1
    world["size"], world["slots_mask"], world["taken_mask"] = 0, 0, 0
    for card in range(rulebook["types"]):
        for _ in range(unseen[card]):
            world["cards"][world["size"]] = card
            world["size"] += 1


@kernel
def gather_planes(world: World, planes: Ints) -> None:
    """Write the cards of bit planes: plane i has the cards with more than i copies hidden. No slot is drawn yet."""
    world["size"], world["slots_mask"], world["taken_mask"] = 0, 0, 0
    left = planes[0]
    while left:
        card = lowest_bit(left)
        left &= left - 1
        for plane in range(len(planes)):
            if planes[plane] >> card & 1:
                world["cards"][world["size"]] = card
                world["size"] += 1


@kernel
def fit_slot(world: World, slot: int, possible: int) -> None:
    """Let an own slot be drawn from the hidden cards of a mask."""
    fits = wide(0)
    for place in range(world["size"]):
        fits |= (possible >> wide(world["cards"][place]) & 1) << place
    world["fits"][slot] = fits
    world["slots_mask"] |= wide(1) << slot


@kernel
def know_slot(world: World, slot: int, card: int) -> None:
    """Let an own slot be a card that is known, and not among the hidden ones."""
    world["hand"][slot] = card
    world["slots_mask"] &= ~(wide(1) << slot)


@kernel
def draw_hand(world: World, chance: Chance, stream: int) -> bool:
    """Draw a hand, all that fit equally likely; return whether there is one.

    Slots draw each for itself, or one after the other if that does not come to a hand. (Nor may this, in large hands
    that can be dealt in few ways: then the next hand that comes up is taken, though not all are equally likely.)
    """
    rest = world["slots_mask"]
    while rest:
        if world["fits"][lowest_bit(rest)] == 0:
            return False
        rest &= rest - 1
    for _ in range(MOST_TRIES):
        if draw_apart(world, chance, stream):
            return True
    for attempt in range(2 * MOST_TRIES):
        share = draw_in_turn(world, chance, stream)
        if share > 0.0 and (attempt >= MOST_TRIES or unit(chance, stream) < share):
            return True
    return False


@kernel
def draw_apart(world: World, chance: Chance, stream: int) -> bool:
    """Let every slot take any card that fits it; return whether no two have taken the same.

    All hands are equally likely: with W cards that fit a slot, each comes up with probability Π 1 / W.
    """
    taken, rest = wide(0), world["slots_mask"]
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        fits = world["fits"][slot]
        place = nth_bit(fits, below(chance, stream, popcount(fits)))
        if taken >> place & 1:
            return False
        taken |= wide(1) << place
        world["hand"][slot] = world["cards"][place]
    world["taken_mask"] = taken
    return True


@kernel
def draw_in_turn(world: World, chance: Chance, stream: int) -> float:
    """Let one slot after the other take a card that is free; return the share of such hands to keep, 0 for none.

    The slots that fit the fewest cards come first. A hand comes up with probability Π 1 / W, where W cards are free
    that fit a slot. Of a hand the share Π W / B is to be kept, so that all are equally likely: B does not depend on the
    draws, and is never less than W. It is the number of all cards that fit the slot, less one for each earlier slot
    with no other cards than these: that has taken one of them.
    """
    taken, done, share = wide(0), wide(0), 1.0
    while done != world["slots_mask"]:
        slot = narrowest_slot(world, done)
        fits, most = world["fits"][slot], popcount(world["fits"][slot])
        earlier = done
        while earlier:
            most -= world["fits"][lowest_bit(earlier)] & ~fits == 0
            earlier &= earlier - 1
        free = popcount(fits & ~taken)
        if free == 0:
            return 0.0
        share *= free / most
        place = nth_bit(fits & ~taken, below(chance, stream, free))
        taken |= wide(1) << place
        world["hand"][slot] = world["cards"][place]
        done |= wide(1) << slot
    world["taken_mask"] = taken
    return share


@kernel
def narrowest_slot(world: World, done: int) -> int:
    """Return the slot that fits the fewest cards, of those that are drawn and not done yet; of equal ones the first."""
    rest = world["slots_mask"] & ~done
    chosen, fewest = wide(-1), wide(MAX_DECK + 1)
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if popcount(world["fits"][slot]) < fewest:
            chosen, fewest = slot, popcount(world["fits"][slot])
    return chosen


@kernel
def deal_rest(world: World, deck: Decks, first: int, draws: int, chance: Chance, stream: int) -> int:
    """Lay the hidden cards that the hand has not taken into a deck from a place on; return where they end.

    The next `draws` of them are shuffled, all orders equally likely.
    """
    end = first
    for place in range(world["size"]):
        if not world["taken_mask"] >> place & 1:
            deck[end] = world["cards"][place]
            end += 1
    for place in range(first, min(end - 1, first + draws)):
        other = place + below(chance, stream, end - place)
        deck[place], deck[other] = deck[other], deck[place]
    return end
