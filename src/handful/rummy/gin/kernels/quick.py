"""The quick judgement, for play-outs: as `judgement`, but of features that a few operations on masks give.

No card is tried: which unseen cards would meld two loose ones (`outs`), or go on a meld that is there, is found for all
at once. It is a tenth of the work of `judgement`, and nearly as good.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.kernels.deadwood import (
    COLUMN,
    DECK,
    NO_CARD,
    NOT_ACES,
    NOT_KINGS,
    STARTS,
    SUIT,
    best_sets,
    in_runs,
    open_cards,
    points,
    ranks_of_three,
)
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.marjj import relatives

FEATURES = (
    "one",
    "deadwood",
    "deadwood squared / 50",
    "loose cards",
    "cards that would meld two loose ones",
    "points of loose cards that such a card would meld",
    "cards that would go on a meld",
    "cards that make gin",
    "whether any makes gin",
    "whether one could knock",
    "deadwood in which nothing waits for a card",
    "cards known of the opponent",
    "relatives of the thrown card that are known of the opponent",
    "relatives of the thrown card that are gone",
    "points of the thrown card",
)
NUM_FEATURES = len(FEATURES)
OCCASIONS = ("after a throw", "at a draw from the stock", "at a knock")
AFTER_THROW, AT_DRAW, AT_KNOCK = range(3)
NUM_TURNS = 14


@inlined_kernel
def pairs_of(suits: int) -> int:
    """Return the ranks (as bits) of which at least two cards are there."""
    clubs, diamonds, hearts, spades = suits & SUIT, suits >> 13 & SUIT, suits >> 26 & SUIT, suits >> 39
    return (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))


@inlined_kernel
def outs(loose: int) -> int:
    """Return the cards that would meld two of some loose cards: equals, neighbours, or with one between them."""
    beside = loose & (loose >> 1) & NOT_KINGS
    apart = loose & (loose >> 2) & STARTS
    return ((beside & NOT_ACES) >> 1 | (beside & STARTS) << 2 | apart << 1 | pairs_of(loose) * COLUMN) & ~loose


@inlined_kernel
def waiting(loose: int, live: int) -> int:
    """Return the loose cards that one of the live cards would meld with another of them."""
    beside = loose & (loose >> 1) & NOT_KINGS
    beside &= (live << 1 & NOT_ACES) | (live >> 2 & STARTS)
    apart = loose & (loose >> 2) & STARTS & live >> 1
    ranks = (live | live >> 13 | live >> 26 | live >> 39) & SUIT & pairs_of(loose)
    return beside | beside << 1 | apart | apart << 2 | (ranks * COLUMN & loose)


@inlined_kernel
def describe_quickly(hand: int, unseen: int, limit: int, features: Features) -> None:
    """Write the features of ten cards; those of a thrown card and of the opponent are left as they are."""
    sets = best_sets(hand) if ranks_of_three(hand) else 0
    rest = hand & ~sets
    runs = in_runs(rest)
    loose = rest & ~runs
    now, num_loose = points(loose), popcount(loose)
    live = outs(loose) & unseen
    num_outs = popcount(live)
    num_open = popcount(open_cards(sets, runs) & unseen)
    gins = num_open if num_loose <= 1 else num_outs if num_loose <= 3 else 0
    partners = points(waiting(loose, live))
    features[0] = 1.0
    features[1] = now
    features[2] = now * now / 50.0
    features[3] = num_loose
    features[4] = num_outs
    features[5] = partners
    features[6] = num_open
    features[7] = gins
    features[8] = 1.0 if gins else 0.0
    features[9] = 1.0 if now <= limit else 0.0
    features[10] = now - partners


@inlined_kernel
def describe_quick_throw(card: int, hand: int, known: int, pile: int, features: Features) -> None:
    """Write the features of a thrown card, and of what is known of the opponent."""
    features[11] = popcount(known)
    if card == NO_CARD:
        features[12] = features[13] = features[14] = 0.0
        return
    near = relatives(card)
    features[12] = popcount(near & known)
    features[13] = popcount(near & (pile | hand))
    features[14] = min(card % 13 + 1, 10)


@inlined_kernel
def quick_worth(weights: Weights, occasion: int, turn: int, features: Features) -> float:
    """Return the sum of weights times features."""
    row = weights[occasion, min(turn, NUM_TURNS) - 1]
    total = 0.0
    for feature in range(NUM_FEATURES):
        total += row[feature] * features[feature]
    return total


@inlined_kernel
def thrown_worth(
    hand: int, card: int, known: int, pile: int, limit: int, turn: int, weights: Weights, features: Features
) -> float:
    """Return what it is worth to throw a card of eleven."""
    kept = hand & ~(1 << card)
    describe_quickly(kept, DECK & ~hand & ~pile & ~known, limit, features)
    describe_quick_throw(card, hand, known, pile, features)
    return quick_worth(weights, AFTER_THROW, turn, features)


@inlined_kernel
def throwable(hand: int, forbidden: int) -> int:
    """Return the cards of eleven that are worth a thought: loose ones, or all, if none is loose."""
    sets = best_sets(hand) if ranks_of_three(hand) else 0
    rest = hand & ~sets
    loose = rest & ~in_runs(rest) & ~forbidden
    return loose if loose else hand & ~forbidden


@kernel
def quick_throw(
    hand: int,
    forbidden: int,
    known: int,
    pile: int,
    limit: int,
    turn: int,
    weights: Weights,
    features: Features,
) -> tuple[int, float]:
    """Return the throw that is worth most, and what it is worth."""
    chosen, most = NO_CARD, -1e9
    left = throwable(hand, forbidden)
    while left:
        card = lowest_bit(left)
        left &= left - 1
        value = thrown_worth(hand, card, known, pile, limit, turn, weights, features)
        if value > most:
            chosen, most = card, value
    return chosen, most


@inlined_kernel
def quick_knock(now: int, known: int, turn: int, weights: Weights, features: Features) -> float:
    """Return what a knock with some deadwood is worth."""
    for feature in range(NUM_FEATURES):
        features[feature] = 0.0
    features[0] = 1.0
    features[1] = now
    features[2] = now * now / 50.0
    features[9] = 1.0 if now == 0 else 0.0
    features[11] = popcount(known)
    return quick_worth(weights, AT_KNOCK, turn, features)


@inlined_kernel
def quick_draw(
    hand: int, upcard: int, known: int, pile: int, limit: int, turn: int, weights: Weights, features: Features
) -> float:
    """Return what it is worth to leave the upcard lying and draw from the stock."""
    describe_quickly(hand, DECK & ~hand & ~pile & ~known & ~(1 << upcard), limit, features)
    describe_quick_throw(NO_CARD, hand, known, pile, features)
    return quick_worth(weights, AT_DRAW, turn, features)
