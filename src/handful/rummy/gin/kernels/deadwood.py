"""Deadwood on masks: bit 13 · suit + rank. The plain form is `gin.deadwood`.

In a row: a card starts a run of three if it and the next two are there and it is at most a jack, m & m>>1 & m>>2 &
STARTS; what melds in runs is r | r<<1 | r<<2. Points are four population counts, one for each binary digit of the
cards' points. So only the choice of sets is left to search, and only where a set takes a card out of a run.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount
from handful._jit import inlined_kernel, kernel
from handful.rummy.cards import NUM_RANKS, NUM_SUITS

COLUMN = sum(1 << (NUM_RANKS * suit) for suit in range(NUM_SUITS))  # the four aces
SUIT = (1 << NUM_RANKS) - 1
DECK = (1 << (NUM_RANKS * NUM_SUITS)) - 1
STARTS = COLUMN * (SUIT >> 2)  # ranks A to J
NOT_ACES = COLUMN * (SUIT & ~1)
NOT_KINGS = COLUMN * (SUIT >> 1)
DIGITS = tuple(sum(COLUMN << rank for rank in range(NUM_RANKS) if min(rank + 1, 10) >> digit & 1) for digit in range(4))
_ONES, _TWOS, _FOURS, _EIGHTS = DIGITS
NO_CARD = -1


@inlined_kernel
def points(mask: int) -> int:
    """Return the points of loose cards."""
    return (
        popcount(mask & _ONES) + 2 * popcount(mask & _TWOS) + 4 * popcount(mask & _FOURS) + 8 * popcount(mask & _EIGHTS)
    )


@inlined_kernel
def card_points(card: int) -> int:
    """Return the points of one card."""
    return min(card % 13 + 1, 10)


@inlined_kernel
def in_runs(mask: int) -> int:
    """Return the cards that stand in a row of three or more of a suit."""
    starts = mask & (mask >> 1) & (mask >> 2) & STARTS
    return starts | starts << 1 | starts << 2


@inlined_kernel
def ranks_of_three(mask: int) -> int:
    """Return the ranks (as bits) of which at least three cards are there."""
    clubs, diamonds, hearts, spades = mask & SUIT, mask >> 13 & SUIT, mask >> 26 & SUIT, mask >> 39
    return (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))


@inlined_kernel
def undisputed_sets(mask: int, ranks: int) -> int:
    """Return the cards of sets, of these ranks, none of whose cards could be in a run: they cost nothing."""
    found = 0
    runs = in_runs(mask)
    while ranks:
        same = mask & (COLUMN << lowest_bit(ranks))
        ranks &= ranks - 1
        if not same & runs:
            found |= same
    return found


@inlined_kernel
def disputed_ranks(mask: int, ranks: int) -> int:
    """Return which of the ranks have a card that could be in a run instead."""
    runs = in_runs(mask)
    folded = (runs | runs >> 13 | runs >> 26 | runs >> 39) & SUIT
    return ranks & folded


@inlined_kernel
def num_choices(mask: int, ranks: int) -> int:
    """Return how many choices of sets there are: none or all of three cards; none, all or three of four."""
    number = 1
    while ranks:
        number *= 2 if popcount(mask & (COLUMN << lowest_bit(ranks))) == 3 else 6
        ranks &= ranks - 1
    return number


@inlined_kernel
def chosen_sets(mask: int, ranks: int, choice: int) -> int:
    """Return the cards of the sets of one choice."""
    chosen = 0
    while ranks:
        same = mask & (COLUMN << lowest_bit(ranks))
        ranks &= ranks - 1
        size = 2 if popcount(same) == 3 else 6
        option = choice % size
        choice //= size
        if option == 1:
            chosen |= same
        elif option > 1:  # all but one
            left_out = same
            for _ in range(option - 2):
                left_out &= left_out - 1
            chosen |= same & ~(left_out & -left_out)
    return chosen


@kernel
def _disputed_deadwood(mask: int, sure: int, ranks: int) -> int:
    least = 1000
    for choice in range(num_choices(mask, ranks)):
        rest = mask & ~(sure | chosen_sets(mask, ranks, choice))
        least = min(least, points(rest & ~in_runs(rest)))
    return least


@inlined_kernel
def deadwood(mask: int) -> int:
    """Return the least deadwood of a hand."""
    ranks = ranks_of_three(mask)
    if not ranks:
        return points(mask & ~in_runs(mask))
    disputed = disputed_ranks(mask, ranks)
    sure = undisputed_sets(mask, ranks)
    if not disputed:
        rest = mask & ~sure
        return points(rest & ~in_runs(rest))
    return _disputed_deadwood(mask, sure, disputed)


@inlined_kernel
def open_cards(sets: int, runs: int) -> int:
    """Return the cards that can be laid off at once on sets and runs, whoever has them."""
    beside = ((runs & NOT_KINGS) << 1 | (runs & NOT_ACES) >> 1) & ~runs
    fourths = 0
    ranks = ranks_of_three(sets)
    while ranks:
        fourths |= (COLUMN << lowest_bit(ranks)) & ~sets
        ranks &= ranks - 1
    return beside | fourths


@kernel
def best_sets(mask: int) -> int:
    """Return the cards in sets of the best arrangement: least deadwood, fewest open cards, lowest mask of sets."""
    ranks = ranks_of_three(mask)
    disputed = disputed_ranks(mask, ranks)
    sure = undisputed_sets(mask, ranks)
    best, least, fewest = 0, 1000, 1000
    for choice in range(num_choices(mask, disputed)):
        sets = sure | chosen_sets(mask, disputed, choice)
        rest = mask & ~sets
        runs = in_runs(rest)
        left = points(rest & ~runs)
        if left > least:
            continue
        num_open = popcount(open_cards(sets, runs))
        if left < least or num_open < fewest or (num_open == fewest and sets < best):
            best, least, fewest = sets, left, num_open
    return best


@inlined_kernel
def loose_cards(mask: int) -> int:
    """Return the loose cards of the best arrangement."""
    ranks = ranks_of_three(mask)
    rest = mask & ~best_sets(mask) if ranks else mask
    return rest & ~in_runs(rest)


@inlined_kernel
def least_after_throw(mask: int) -> int:
    """Return the least deadwood of all but one card.

    Without card c it is at least d(all) − points(c), and just that if c is loose in a best arrangement: so only cards
    of more points than the highest loose one have to be tried.
    """
    whole, loose = deadwood(mask), loose_cards(mask)
    if not loose:
        return 0
    highest = 0
    left = loose
    while left:
        highest = max(highest, card_points(lowest_bit(left)))
        left &= left - 1
    least = whole - highest
    left = mask & ~loose
    while left and least > 0:
        card = lowest_bit(left)
        left &= left - 1
        if card_points(card) > highest and whole - card_points(card) < least:
            least = min(least, deadwood(mask & ~(1 << card)))
    return least


@inlined_kernel
def laid_off(hand: int, sets: int, runs: int) -> int:
    """Return the cards of a hand that can be laid off, one after the other."""
    grown = runs
    more = open_cards(0, grown) & hand
    while more:
        grown |= more
        more = open_cards(0, grown) & hand
    # A card that fits a set and a run goes to the run, which can then go on behind it.
    return (grown & ~runs) | (open_cards(sets, 0) & hand)


@kernel
def defended(hand: int, sets: int, runs: int, lays_off_first: bool) -> int:
    """Return the least deadwood of a hand that may be laid off on sets and runs; see `gin.deadwood.defend`."""
    least = 1000
    if not lays_off_first:
        whole = deadwood(hand)
        ranks = ranks_of_three(hand)
        disputed = disputed_ranks(hand, ranks)
        sure = undisputed_sets(hand, ranks)
        for choice in range(num_choices(hand, disputed)):
            rest = hand & ~(sure | chosen_sets(hand, disputed, choice))
            loose = rest & ~in_runs(rest)
            if points(loose) == whole:
                least = min(least, points(loose & ~laid_off(loose, sets, runs)))
        return least
    possible = laid_off(hand, sets, runs)
    part = possible
    while True:  # every subset of what can be laid off, that can be laid off by itself
        if laid_off(part, sets, runs) == part:
            least = min(least, deadwood(hand & ~part))
        if not part:
            return least
        part = (part - 1) & possible
