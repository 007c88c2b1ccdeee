"""Any game, as long as its states fit: the dynamic program of Baffier 2016, section 4, over reachable states only.

After s cards, what matters is what lies on the stacks and what is in the hand. Of all ways to reach the same hand and
the same heights of the first c − 1 suits, the one with the highest stack of the last suit is at least as good as the
others: that is the table DP[s, H, p_1, …, p_{c−1}] of Lemma 5. It has up to N c^h n^(h+c−1) entries (Theorem 6); here
it is filled forwards, and only with states that can be reached and can still be won:

- a card that fits is played (see `solitaire_game`), one that is played or stored already is discarded;
- any other is stored, if there is room, or discarded, if it comes again: otherwise the game would be lost;
- a card that comes again is not stored if it must then wait while the hand is full of cards that appear only once
  and come before a lower card of their suit (`_full_places`).

A state is two bit sets, of the cards that are played and of those that are stored; the cards of a suit are neighbours,
so that the card below is one bit lower. The moves are recovered from a chain of the stores that led to a state.

As it is printed, the recurrence for storing refuses every hand that is full after it ("−∞ if |H| ≥ h"), so that with
h = 1 nothing could ever be stored; it has to be |H| > h. docs/solitaire.md has the counterexample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from handful.errors import HandfulError
from handful.playability.solitaire.game import Move, Solitaire, moves_keeping

MAX_STATES = 2_000_000
PROGRESS_CARDS = 64

# The orders of the stored cards, the latest first: (order, earlier ones).
Chain: TypeAlias = tuple[int, "Chain"] | None
# (stored, played but for the last suit) to (played of the last suit, how it came about). The cards 1 to p of a suit are
# the p lowest bits of it, so that of two stacks the higher one is the larger number.
States: TypeAlias = dict[tuple[int, int], tuple[int, Chain]]


class TooManyStatesError(HandfulError):
    """A game has more states than are looked at."""


@dataclass(frozen=True)
class StateCount:
    """How many states there were: the most after a card, and those after all cards added up."""

    most: int
    total: int


@dataclass(frozen=True)
class _ScannedCard:
    """A card of the sequence, in bits: itself, the one below it (0 for a value of 1), the top of its suit."""

    order: int
    bit: int
    below: int
    top: int
    is_last_suit: bool
    comes_again: bool
    full_place: int


def _full_places(game: Solitaire) -> list[int]:
    """Return for each place the first one from there on at which no other card can be in the hand; N if there is none.

    A card that appears only once, at place i, waits at least until the first copies of all lower cards of its suit have
    been scanned. Where h cards wait for such a reason, there is no room for another.
    """
    length = len(game.sequence)
    first, count = {}, Counter(game.sequence)
    for place in range(length - 1, -1, -1):
        first[game.sequence[place]] = place
    changes = [0] * (length + 1)
    for suit in range(1, game.suits + 1):
        end = -1
        for value in range(1, game.values + 1):
            place = first[value, suit]
            if count[value, suit] == 1 and place < end:
                changes[place] += 1
                changes[end] -= 1
            end = max(end, place)
    waiting = list(accumulate(changes))
    full = [length] * (length + 1)
    for place in range(length - 1, -1, -1):
        full[place] = place if waiting[place] >= game.hand else full[place + 1]
    return full


def _scanned(game: Solitaire) -> list[_ScannedCard]:
    """Return the cards of the sequence; the suit that has most of the cards is counted as the last one."""
    sizes = [0] * (game.suits + 1)
    for _value, suit in game.sequence:
        sizes[suit] += 1
    last_suit = max(range(1, game.suits + 1), key=sizes.__getitem__)
    full = _full_places(game)
    later: set[tuple[int, int]] = set()
    cards = []
    for order in range(len(game.sequence) - 1, -1, -1):
        value, suit = card = game.sequence[order]
        bit = 1 << ((suit - 1) * game.values + value - 1)
        top = 1 << (suit * game.values - 1)
        below = bit >> 1 if value > 1 else 0
        # A card that does not come again is stored in any case.
        full_place = full[order] if card in later else len(full)
        cards.append(_ScannedCard(order, bit, below, top, suit == last_suit, card in later, full_place))
        later.add(card)
    return cards[::-1]


def solve_states(
    game: Solitaire,
    *,
    max_states: int = MAX_STATES,
    max_total: int | None = None,
    on_progress: Callable[[int], object] = lambda _done: None,
) -> tuple[tuple[Move, ...] | None, StateCount]:
    """Return the moves that win a game, None if it cannot be won; and how many states there were.

    More than `max_states` states after a card, or `max_total` after all cards, are refused with TooManyStatesError.

    >>> moves, size = solve_states(Solitaire.of(1, [(2, 1), (2, 2), (1, 2), (1, 1), (2, 1)]))
    >>> moves
    ('discard', 'store', 'play', 'play', 'play')
    """
    if game.missing_card() is not None:
        return None, StateCount(0, 0)
    states: States = {(0, 0): (0, None)}
    most, total = 1, 0
    coming = _Coming(game)
    for card in _scanned(game):
        coming.scan(card)
        states = _after(states, card, game.hand, coming)
        most, total = max(most, len(states)), total + len(states)
        if len(states) > max_states or (max_total is not None and total > max_total):
            raise TooManyStatesError(
                f"there are {len(states):,} states after card {card.order + 1} and {total:,} in all: expected at "
                f"most {max_states:,} after a card; try the method sat"
            )
        if not states:
            return None, StateCount(most, total)
        if card.order % PROGRESS_CARDS == PROGRESS_CARDS - 1:
            on_progress(PROGRESS_CARDS)
    # Every card was played, or the state would have been dropped at the last copy of one that was not.
    _last, chain = next(iter(states.values()))
    chosen = set()
    while chain is not None:
        order, chain = chain
        chosen.add(order)
    return moves_keeping(game, chosen), StateCount(most, total)


class _Coming:
    """Where each card comes next. A suit's cards are neighbours in `next_place`, as its bits are."""

    def __init__(self, game: Solitaire) -> None:
        self.places, self.stride = game.places, game.values + 1
        self.next_place = [len(game.sequence)] * ((game.suits + 1) * self.stride)
        self.after = [0] * len(game.sequence)
        for place in range(len(game.sequence) - 1, -1, -1):
            self.after[place] = self.next_place[self.places[place]]
            self.next_place[self.places[place]] = place
        self.now = 0

    def scan(self, card: _ScannedCard) -> None:
        """Go on to a card: from now on its next copy is the one after it."""
        self.now = self.places[card.order]
        self.next_place[self.now] = self.after[card.order]

    def must_wait(self, card: _ScannedCard, played: int, stored: int) -> bool:
        """Whether the card that is scanned, if it is stored, waits until there is no room for it."""
        place, bit = self.now - 1, card.below
        while place % self.stride and not played & bit:
            if not stored & bit and self.next_place[place] > card.full_place:
                return True
            place, bit = place - 1, bit >> 1
        return False


def _after(states: States, card: _ScannedCard, hand: int, coming: _Coming) -> States:
    """Return the states after one more card."""
    after: States = {}
    bit, below = card.bit, card.below
    may_be_full = card.full_place < len(coming.after)

    def put(key: tuple[int, int], last: int, chain: Chain) -> None:
        known = after.get(key)
        if known is None or known[0] < last:
            after[key] = (last, chain)

    for (stored, first), (last, chain) in states.items():
        played = last if card.is_last_suit else first
        if (played | stored) & bit:
            put((stored, first), last, chain)
        elif not below or played & below:
            top = bit
            while top != card.top and stored & (top << 1):
                top <<= 1
            new = (top << 1) - bit  # the bits from `bit` to `top`
            if card.is_last_suit:
                put((stored & ~new, first), last | new, chain)
            else:
                put((stored & ~new, first | new), last, chain)
        else:
            if card.comes_again:
                put((stored, first), last, chain)
            if stored.bit_count() < hand and not (may_be_full and coming.must_wait(card, played, stored)):
                put((stored | bit, first), last, (card.order, chain))
    return after
