"""The end of a stock, exactly: how likely a hand goes out before it is empty, if what is thrown never comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from handful.display import Listing, Shown
from handful.errors import DealError
from handful.rummy.answers import EQUAL
from handful.rummy.cards import Card, HandLike, format_cards, parse_card, parse_cards
from handful.rummy.game import HAND_SIZES, Game

MOST_POSITIONS = 12_000_000  # some seconds


@dataclass(frozen=True)
class LastThrow:
    """A card that may be thrown, the chance to go out after it in the draws that are left, and how many it takes.

    `turns` counts all draws where one does not go out.
    """

    card: Card
    keeps: tuple[Card, ...]
    chance: float
    turns: float

    def to_dict(self) -> dict[str, Any]:
        """Return the throw for JSON."""
        return {**vars(self), "card": str(self.card), "keeps": format_cards(self.keeps)}


@dataclass(frozen=True)
class Endgame(Shown):
    """The chance to go out in so many draws from a stock, before the first; after `draw`, that of each throw."""

    hand: tuple[Card, ...]
    stock: tuple[Card, ...]
    aces: str
    draws: int
    chance: float
    turns: float
    positions: int
    draw: Card | None
    throws: tuple[LastThrow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            **vars(self),
            "hand": format_cards(self.hand),
            "stock": format_cards(self.stock),
            "draw": None if self.draw is None else str(self.draw),
            "throws": [each.to_dict() for each in self.throws],
        }

    def shown(self) -> Listing:
        """Return what a notebook shows."""
        rows: list[tuple[object, ...]] = [
            (each.card, format_cards(each.keeps), each.chance, each.turns) for each in self.throws
        ]
        return Listing(repr(self), ("throw", "keeps", "chance", "turns"), rows)

    def __repr__(self) -> str:
        return f"<Endgame {format_cards(self.hand)}, {self.draws} draws of {len(self.stock)} cards: {self.chance:.2%}>"


def endgame(
    hand: HandLike, stock: HandLike, draw: Card | str | None = None, aces: str = "low", draws: int | None = None
) -> Endgame:
    """Return how likely a hand goes out in so many draws (by default all) of a stock whose order nobody knows.

    What is thrown does not come back: throws are chosen for the greatest chance, then for the fewest turns. With a
    draw from the stock, the first of the draws, every throw has its chance.

    >>> endgame("7C 7D 9C", "7H KS", draws=1)
    <Endgame 7C 7D 9C, 1 draws of 2 cards: 50.00%>
    >>> str(endgame("7C 7D 9C", "7H KS 2D", draw="KS").throws[0].card)
    '9C'
    """
    held, left = parse_cards(hand, HAND_SIZES), parse_cards(stock, name="stock")
    for card in held:
        if card in left:
            raise DealError(f"{card} is in the hand {format_cards(held)}: it cannot be in the stock as well")
    if not left:
        raise DealError("the stock is empty: expected the cards that have not come yet")
    drawn = parse_card(draw) if isinstance(draw, str) else draw
    if drawn is not None and drawn not in left:
        raise DealError(f"draw {drawn}: it is not in the stock {format_cards(left)}")
    draws = len(left) if draws is None else draws
    if not 1 <= draws <= len(left):
        raise DealError(f"draws={draws}: expected 1 to {len(left)}, as many as there are cards in the stock")
    found, then, numbers, positions = _worked_out(Game(len(held), aces), held, left, draws, drawn)
    throws = []
    if drawn is not None:
        more = (*held, drawn)
        for card, number in zip(more, numbers, strict=True):
            keeps = tuple(sorted(other for other in more if other != card))
            throws.append(LastThrow(card, keeps, min(1.0, float(then[number, 0])), float(then[number, 1])))
        throws.sort(key=lambda each: (-round(each.chance / EQUAL), round(each.turns / EQUAL), each.card))
    chance, turns = min(1.0, float(found[0, 0])), float(found[0, 1])
    return Endgame(held, left, aces, draws, chance, turns, positions, drawn, tuple(throws))


def _worked_out(
    game: Game, held: tuple[Card, ...], left: tuple[Card, ...], draws: int, drawn: Card | None
) -> tuple[Any, Any, list[int], int]:
    """Return what is found of the first layer and of the next, where each throw leads in it, and how many there are."""
    import numpy as np

    from handful.rummy.gone.kernels import endgame as kernels
    from handful.rummy.kernels.reduced_deck import make_binomials, places_of
    from handful.rummy.policies import compiled_rules

    size, stock = len(held), len(left)
    positions = kernels.positions(size, stock, draws)
    if positions > MOST_POSITIONS:
        raise DealError(
            f"{draws} draws of {stock} cards, {size} in hand: {positions:,} positions; expected at most "
            f"{MOST_POSITIONS:,}"
        )
    cards = np.array([card.bit.bit_length() - 1 for card in (*held, *left)])
    room, rules = kernels.make_room(len(cards)), compiled_rules(game)
    binomials = make_binomials(max(size, stock))
    after, found = np.zeros((0, 2)), np.zeros((0, 2))
    for layer in range(draws, -1, -1):
        after, found = found, np.zeros((kernels.in_layer(size, stock, layer), 2))
        kernels.work_out(rules, binomials, cards, size, layer, room, after, found)
    if drawn is None:
        return found, after, [], positions
    places_of(binomials, 0, size, room.places)
    kernels.throws_after(binomials, size, 0, left.index(drawn), room)
    return found, after, room.numbers[: size + 1].tolist(), positions
