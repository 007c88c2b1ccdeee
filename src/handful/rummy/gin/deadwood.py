"""Deadwood, exactly: the least points that melds leave, every way to leave so few, and what can be laid off.

Inside a suit, given which cards go into sets, all that stands in a row of three or more melds; so an arrangement is a
choice of sets, and all arrangements are found by going through these. (`kernels.deadwood` is the same on masks.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from handful.rummy.cards import NUM_RANKS, NUM_SUITS, Card, HandLike, cards_of, format_cards, mask_of, parse_cards
from handful.rummy.melds import SHORTEST_MELD

FACE_POINTS = 10


def card_points(card: Card) -> int:
    """Return what a loose card counts: an ace 1, a face card 10."""
    return min(card.rank + 1, FACE_POINTS)


def points_of(cards: Iterable[Card]) -> int:
    """Return what loose cards count together."""
    return sum(map(card_points, cards))


@dataclass(frozen=True)
class Arrangement:
    """A way to lay out a hand: its melds (each of its cards in order), and the loose cards."""

    melds: tuple[tuple[Card, ...], ...]
    loose: tuple[Card, ...]

    @property
    def deadwood(self) -> int:
        """The points of the loose cards."""
        return points_of(self.loose)

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """The cards that could be laid off on these melds at once, whoever has them."""
        return tuple(sorted({card for meld in self.melds for card in _fitting(meld)}))

    def __str__(self) -> str:
        parts = [format_cards(meld) for meld in self.melds]
        return " | ".join(
            [*parts, f"deadwood {self.deadwood}" + (f": {format_cards(self.loose)}" if self.loose else "")]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the arrangement for JSON."""
        return {
            "melds": [format_cards(meld) for meld in self.melds],
            "loose": format_cards(self.loose),
            "deadwood": self.deadwood,
        }


def _is_set(meld: tuple[Card, ...]) -> bool:
    return meld[0].rank == meld[1].rank


def _fitting(meld: tuple[Card, ...]) -> Iterator[Card]:
    """Yield the cards that can be added to a meld."""
    if _is_set(meld):
        yield from (Card(meld[0].rank, suit) for suit in range(NUM_SUITS) if Card(meld[0].rank, suit) not in meld)
        return
    for rank in (meld[0].rank - 1, meld[-1].rank + 1):
        if 0 <= rank < NUM_RANKS:
            yield Card(rank, meld[0].suit)


def _rows(cards: set[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the longest rows of three or more cards of a suit."""
    for suit in range(NUM_SUITS):
        row: list[Card] = []
        for rank in range(NUM_RANKS + 1):
            card = Card(rank, suit)
            if card in cards:
                row.append(card)
            else:
                if len(row) >= SHORTEST_MELD:
                    yield tuple(row)
                row = []


def arrangements(hand: HandLike) -> list[Arrangement]:
    """Return all ways to lay out a hand, a way for each choice of sets; least deadwood first.

    Of equal deadwood: that on which fewest cards can be laid off, then that with the lowest cards in sets.
    """
    cards = parse_cards(hand)
    found: dict[int, Arrangement] = {}
    for sets in _choices_of_sets(cards):
        rest = set(cards) - {card for meld in sets for card in meld}
        rows = list(_rows(rest))
        melds = tuple(sorted([*sets, *rows]))
        loose = tuple(sorted(rest - {card for row in rows for card in row}))
        found[mask_of(card for meld in sets for card in meld)] = Arrangement(melds, loose)
    ordered = sorted(found.items(), key=lambda item: (item[1].deadwood, len(item[1].open_cards), item[0]))
    return [arrangement for _, arrangement in ordered]


def _choices_of_sets(cards: tuple[Card, ...]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield every choice, for every rank, of no set, three of the cards, or four."""
    choices: list[tuple[tuple[Card, ...], ...]] = [()]
    for rank in range(NUM_RANKS):
        same = [card for card in cards if card.rank == rank]
        sets = [combined for size in (3, 4) for combined in combinations(same, size)]
        choices = [(*chosen, *more) for chosen in choices for more in [(), *((each,) for each in sets)]]
    yield from choices


def best_arrangement(hand: HandLike) -> Arrangement:
    """Return the way to lay out a hand that leaves least deadwood.

    >>> print(best_arrangement("AC 2C 3C 3D 3H 3S 9D 9H 10S KD"))
    AC 2C 3C | 3D 3H 3S | deadwood 38: 9D 9H 10S KD
    """
    return arrangements(hand)[0]


def best_arrangements(hand: HandLike) -> list[Arrangement]:
    """Return all ways to leave the least deadwood.

    >>> len(best_arrangements("4C 5C 6C 5D 5H KS"))
    2
    """
    ways = arrangements(hand)
    return [way for way in ways if way.deadwood == ways[0].deadwood]


def deadwood(hand: HandLike) -> int:
    """Return the least deadwood of a hand.

    >>> deadwood("AC 2C 3C 4C 7D 8D 9D KH KS KD")
    0
    """
    return best_arrangement(hand).deadwood


def ordered(hand: Iterable[Card]) -> tuple[Card, ...]:
    """Return a hand as it lies on a table: its melds, then its loose cards.

    >>> format_cards(ordered(parse_cards("KS 4C 7D 5C 6C 5H")))
    '4C 5C 6C 5H 7D KS'
    """
    laid = best_arrangement(tuple(hand))
    return (*(card for meld in laid.melds for card in meld), *laid.loose)


def least_after_throw(hand: HandLike) -> int:
    """Return the least deadwood of all but one card of a hand.

    OpenSpiel arranges all eleven best and drops the highest loose card, which is 11 here:

    >>> least_after_throw("3S 6S AC 4C 5C 6C 3D 4D 5D 6D 5H")
    9
    """
    cards = parse_cards(hand)
    return min(deadwood([other for other in cards if other != card]) for card in cards)


def layoffs(hand: Iterable[Card], melds: Iterable[tuple[Card, ...]]) -> tuple[Card, ...]:
    """Return the cards of a hand that can be laid off on melds, one after the other.

    >>> format_cards(layoffs(parse_cards("4C 5C 9H KD"), [parse_cards("AC 2C 3C")]))
    '4C 5C'
    """
    left, laid = set(hand), set[Card]()
    # Runs first: a card that fits a set and a run goes to the run, which can then go on behind it.
    grown = sorted((tuple(meld) for meld in melds), key=_is_set)
    for meld in grown:
        while fitting := [card for card in _fitting(meld) if card in left]:
            left -= set(fitting)
            laid |= set(fitting)
            meld = tuple(sorted((*meld, *fitting)))
    return tuple(sorted(laid))


def layoff_steps(cards: Iterable[Card], melds: Iterable[tuple[Card, ...]]) -> list[tuple[Card, tuple[Card, ...]]]:
    """Return how cards are laid off one after the other: each with the meld that it goes to, as that lies by then.

    >>> steps = layoff_steps(parse_cards("5C 4C"), [parse_cards("AC 2C 3C")])
    >>> [(str(card), format_cards(meld)) for card, meld in steps]
    [('4C', 'AC 2C 3C'), ('5C', 'AC 2C 3C 4C')]
    """
    left, steps = set(cards), []
    for meld in sorted((tuple(meld) for meld in melds), key=_is_set):  # as in `layoffs`
        while fitting := [card for card in _fitting(meld) if card in left]:
            steps.append((fitting[0], meld))
            left.remove(fitting[0])
            meld = tuple(sorted((*meld, fitting[0])))
    return steps


@dataclass(frozen=True)
class Defence:
    """How the opponent of who knocks lays out a hand: melds, cards laid off, loose cards."""

    arrangement: Arrangement
    laid_off: tuple[Card, ...]

    @property
    def deadwood(self) -> int:
        """The points that are left."""
        return self.arrangement.deadwood

    def to_dict(self) -> dict[str, Any]:
        """Return the defence for JSON."""
        return {**self.arrangement.to_dict(), "laid_off": format_cards(self.laid_off)}


def defend(hand: HandLike, melds: Iterable[tuple[Card, ...]], lays_off: str = "before melding") -> Defence:
    """Return the defence that leaves least deadwood.

    `after melding`, the melds are one of those that leave least by themselves, and the rest is laid off; `before
    melding`, whatever leaves least in the end.

    >>> melds = [parse_cards("4C 5C 6C")]
    >>> defend("7C 7D 7H 8C 9C AD", melds).deadwood, defend("7C 7D 7H 8C 9C AD", melds, "after melding").deadwood
    (15, 15)
    """
    cards, laid = parse_cards(hand), list(melds)
    if lays_off == "after melding":
        ways = []
        for way in best_arrangements(cards):
            off = layoffs(way.loose, laid)
            kept = tuple(card for card in way.loose if card not in off)
            ways.append(Defence(Arrangement(way.melds, kept), off))
        return min(ways, key=lambda way: way.deadwood)
    possible = layoffs(cards, laid)
    best: Defence | None = None
    for size in range(len(possible) + 1):
        for off in combinations(possible, size):
            if layoffs(off, laid) == off:
                tried = Defence(best_arrangement([card for card in cards if card not in off]), off)
                if best is None or tried.deadwood < best.deadwood:
                    best = tried
    assert best is not None
    return best


def cards_in(hand_mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, by suit and rank: as hands are sorted on a table."""
    return tuple(sorted(cards_of(hand_mask), key=lambda card: (card.suit, card.rank)))
