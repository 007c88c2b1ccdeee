"""Melds: sets of three or four of a rank, runs of three or more in a suit; and hands that meld whole.

Finkle 2017, sections 1.2 and 3.2: an ace is `low` (A 2 3), `high` (A 2 3 and Q K A), or runs `wrap` round the corner
(K A 2 too). A hand is a *rummy* if all of it can be laid down in melds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from handful.errors import UnknownNameError
from handful.rummy.cards import NUM_RANKS, NUM_SUITS, Card, HandLike, format_cards, mask_of, parse_cards

ACE_RULES = ("low", "high", "wrap")
SHORTEST_MELD = 3


def check_aces(aces: str) -> str:
    """Return the name of an ace rule, if it is one."""
    if aces not in ACE_RULES:
        raise UnknownNameError("ace rule", aces, ACE_RULES)
    return aces


@lru_cache(maxsize=256)
def runs(aces: str, length: int) -> tuple[tuple[int, ...], ...]:
    """Return the ranks of all runs of a length, each in the order in which it is laid down.

    >>> runs("high", 3)[-2:]
    ((10, 11, 12), (11, 12, 0))
    >>> [len(runs(aces, 3)) for aces in ACE_RULES]
    [11, 12, 13]
    """
    check_aces(aces)
    if not SHORTEST_MELD <= length <= NUM_RANKS:
        return ()
    # Rank 13 is the ace above the king.
    starts = {"low": NUM_RANKS - length + 1, "high": NUM_RANKS - length + 2, "wrap": NUM_RANKS}[aces]
    if length == NUM_RANKS:  # all ranks are one run, wherever it starts
        starts = 1
    return tuple(tuple((start + i) % NUM_RANKS for i in range(length)) for start in range(starts))


def sets(length: int) -> Iterator[tuple[Card, ...]]:
    """Yield all sets of three or of four cards of a rank."""
    if length in (3, 4):
        for rank in range(NUM_RANKS):
            for suits in combinations(range(NUM_SUITS), length):
                yield tuple(Card(rank, suit) for suit in suits)


@lru_cache(maxsize=256)
def all_melds(aces: str, length: int) -> tuple[tuple[Card, ...], ...]:
    """Return all melds of a length: the sets by rank, then the runs by suit.

    >>> len(all_melds("low", 3)), len(all_melds("low", 4))
    (96, 53)
    """
    laid = list(sets(length))
    for suit in range(NUM_SUITS):
        laid += [tuple(Card(rank, suit) for rank in ranks) for ranks in runs(aces, length)]
    return tuple(laid)


@dataclass(frozen=True)
class Melding:
    """How a hand is laid down: its melds, and the deadwood that is left."""

    melds: tuple[tuple[Card, ...], ...]
    deadwood: tuple[Card, ...]

    @property
    def is_rummy(self) -> bool:
        """Whether all of the hand melds."""
        return not self.deadwood and bool(self.melds)

    def __str__(self) -> str:
        parts = [format_cards(meld) for meld in self.melds]
        return " | ".join(parts + ([f"deadwood {format_cards(self.deadwood)}"] if self.deadwood else []))

    def to_dict(self) -> dict[str, Any]:
        """Return the melding for JSON."""
        return {"melds": [format_cards(meld) for meld in self.melds], "deadwood": format_cards(self.deadwood)}


def find_melds(hand: HandLike, aces: str = "low") -> Melding:
    """Return how to lay down most cards of a hand.

    Of several ways that leave equally little deadwood, the one with fewest melds; of those, the one whose first meld
    holds the lowest cards, and so on: the same answer for the same hand.

    >>> print(find_melds("AC 2C 3C KD KH KS 4C"))
    AC 2C 3C 4C | KD KH KS
    >>> print(find_melds("QC KC AC 2C 5D", "high"))
    QC KC AC | deadwood 2C 5D
    """
    cards = parse_cards(hand)
    hand_mask = mask_of(cards)
    fitting = [
        (mask_of(meld), meld)
        for length in range(SHORTEST_MELD, min(len(cards), NUM_RANKS) + 1)
        for meld in all_melds(check_aces(aces), length)
        if mask_of(meld) & ~hand_mask == 0
    ]
    best = min(_layings(hand_mask, fitting, 0), key=lambda laid: _preference(laid, len(cards)))
    melds = tuple(sorted(best, key=lambda meld: tuple(sorted(meld))))
    laid = {card for meld in melds for card in meld}
    return Melding(melds, tuple(card for card in cards if card not in laid))


def is_rummy(hand: HandLike, aces: str = "low") -> bool:
    """Return whether all of a hand can be laid down.

    >>> is_rummy("QC KC AC"), is_rummy("QC KC AC", "high")
    (False, True)
    """
    return find_melds(hand, aces).is_rummy


def _layings(
    free_mask: int, fitting: list[tuple[int, tuple[Card, ...]]], first: int
) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield all ways to lay down melds of a list, from a place in it on, that do not overlap."""
    yield ()
    for place in range(first, len(fitting)):
        mask, meld = fitting[place]
        if mask & ~free_mask == 0:
            for rest in _layings(free_mask ^ mask, fitting, place + 1):
                yield (meld, *rest)


def _preference(laid: tuple[tuple[Card, ...], ...], num_cards: int) -> tuple[Any, ...]:
    """Return what is compared: deadwood, number of melds, the melds from the lowest card on."""
    deadwood = num_cards - sum(map(len, laid))
    return deadwood, len(laid), sorted(tuple(sorted(meld)) for meld in laid)


def rummies(aces: str, cards: int) -> list[int]:
    """Return the masks of all hands of so many cards that are rummies, in increasing order: combinations of melds.

    Runs of six and more are two shorter ones, so melds of three to five cards are enough.

    >>> [len(rummies(aces, 3)) for aces in ACE_RULES], [len(rummies(aces, 4)) for aces in ACE_RULES]
    ([96, 100, 104], [53, 57, 65])
    """
    melds = [(length, mask_of(meld)) for length in (5, 4, 3) for meld in all_melds(aces, length)]
    found = set()

    def extend(first: int, laid_mask: int, missing: int) -> None:
        if missing == 0:
            found.add(laid_mask)
        if missing < SHORTEST_MELD:
            return
        for place in range(first, len(melds)):
            length, mask = melds[place]
            if length <= missing and not laid_mask & mask:
                extend(place + 1, laid_mask | mask, missing - length)

    extend(0, 0, cards)
    return sorted(found)
