"""Which order each suit is built in: one choice of orders makes an ordinary game of any variant.

A suit of Up or Down has four orders, one of Sudoku as many as values, any other suit one (`hanabi.orders`). A line that
wins follows one order in each suit. Under a choice of orders a card is of a *type*: suit by suit, its place in the
order of its suit; cards that are in no order are trash. So 5 4 3 2 1 is built as 1 2 3 4 5 is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from handful.hanabi.cards import Card, card_text
from handful.hanabi.orders import Order
from handful.hanabi.state import State
from handful.hanabi.variants import Variant
from handful.hanabi.worth import copies_left


@dataclass(frozen=True)
class Choice:
    """An order for each suit."""

    variant: Variant
    orders: tuple[Order, ...]

    @cached_property
    def _bits(self) -> dict[Card, int]:
        size = self.variant.stack_size
        return {
            Card(suit, value): 1 << suit * size + place
            for suit, order in enumerate(self.orders)
            for place, value in enumerate(order)
        }

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        return tuple(Card(suit, value) for suit, order in enumerate(self.orders) for value in order)

    @cached_property
    def all_types(self) -> int:
        """The mask of all types: what is to be played."""
        return (1 << self.variant.max_score) - 1

    @cached_property
    def first_types(self) -> int:
        """The mask of the types that begin a stack."""
        return sum(1 << suit * self.variant.stack_size for suit in range(self.variant.num_suits))

    def bit(self, card: Card) -> int:
        """Return the mask of a card's type; 0 for trash."""
        return self._bits.get(card, 0)

    def types(self, cards: Sequence[Card]) -> int:
        """Return the mask of the types of cards."""
        mask = 0
        for card in cards:
            mask |= self.bit(card)
        return mask

    def played(self, stacks: Sequence[int]) -> int:
        """Return the mask of the types on stacks of these heights."""
        return sum(((1 << height) - 1) << suit * self.variant.stack_size for suit, height in enumerate(stacks))

    def names(self, types: int) -> list[str]:
        """Return the notation of each type of a mask, in their order."""
        return [card_text(self.variant, card) for place, card in enumerate(self._cards) if types >> place & 1]

    def in_words(self, stacks: Sequence[int]) -> str:
        """Return which orders these are, of the suits that are not complete: r S 2 3 4 5, y 5 4 3 2 1."""
        variant = self.variant
        said = (
            " ".join([variant.suits[suit].letter, *(variant.value_text(value) for value in order)])
            for suit, order in enumerate(self.orders)
            if stacks[suit] < variant.stack_size
        )
        return ", ".join(said)


@lru_cache(maxsize=64)
def _only_choice(variant: Variant) -> Choice:
    """Return the choice of a variant in which every suit has one order: kept, for it is the same for every deal."""
    return Choice(variant, tuple(orders[0] for orders in variant.orders))


def open_choices(state: State) -> Iterator[Choice]:
    """Yield the choices that the stacks still allow: in Sudoku no two suits begin alike.

    >>> from handful.hanabi import Deal, Rules, variant_named
    >>> [len(list(open_choices(State(Deal.from_seed(Rules(variant_named(name)), 1)))))
    ...     for name in ("No Variant", "Up or Down (5 Suits)", "Sudoku (5 Suits)")]
    [1, 1024, 120]
    """
    variant = state.rules.variant
    if all(len(orders) == 1 for orders in variant.orders):
        yield _only_choice(variant)
        return
    open_orders = [
        [order for number, order in enumerate(orders) if mask >> number & 1]
        for orders, mask in zip(variant.orders, state.open_orders, strict=True)
    ]
    for orders in product(*open_orders):
        if not variant.modifiers.sudoku or len({order[0] for order in orders}) == len(orders):
            yield Choice(variant, orders)


def needed_cards(state: State) -> list[Card]:
    """Return the cards that a line which wins can still play, suit by suit: those of all open orders."""
    found: dict[Card, None] = {}
    for suit, (height, mask) in enumerate(zip(state.stacks, state.open_orders, strict=True)):
        for number, order in enumerate(state.rules.variant.orders[suit]):
            if mask >> number & 1:
                found.update((Card(suit, value), None) for value in order[height:])
    return list(found)


def lost_card(state: State) -> str | None:
    """Return which card is lost without which a stack cannot be completed; None if all stacks still can."""
    variant = state.rules.variant
    left = copies_left(variant, state.stacks, state.discards, state.open_orders)
    for suit, (height, mask) in enumerate(zip(state.stacks, state.open_orders, strict=True)):
        lost: dict[Card, None] = {}
        for number, order in enumerate(variant.orders[suit]):
            if mask >> number & 1:
                gone = [value for value in order[height:] if not left[suit * variant.num_values + value - 1]]
                if not gone:
                    break
                lost.update((Card(suit, value), None) for value in gone)
        else:
            names = " ".join(card_text(variant, card) for card in lost)
            if len(lost) == 1:
                return f"lost card: no {names} is left"
            return f"lost card: {variant.suits[suit].name} cannot be completed, up or down, without {names}"
    return None
