"""The variants of the game, as data: which suits there are, how many copies of each card, which hints touch them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from handful.errors import RulesError, UnknownNameError

Touch = Literal["own", "every", "none"]

CLASSIC_COPIES = (3, 2, 2, 2, 1)
ONE_OF_EACH = (1, 1, 1, 1, 1)
MAX_CARDS = 100_000


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its cards, and the hints that touch them.

    `copies[v - 1]` is the number of cards of value v. A suit that is not `hintable` has no suit hint of its own
    (nobody can say "rainbow"). A card is touched by its `own` suit hint, by `every` suit hint or by `none`; the same
    for value hints.
    """

    name: str
    letter: str
    copies: tuple[int, ...] = CLASSIC_COPIES
    hintable: bool = True
    suit_hints: Touch = "own"
    value_hints: Touch = "own"

    def __post_init__(self) -> None:
        if len(self.letter) != 1 or not self.letter.isalpha() or not self.letter.islower():
            raise RulesError(f"suit {self.name!r}: the letter is {self.letter!r}, expected one small letter")
        if not self.copies or min(self.copies) < 1:
            raise RulesError(f"suit {self.name!r}: copies are {self.copies!r}, expected at least one of each value")
        for touch in (self.suit_hints, self.value_hints):
            if touch not in get_args(Touch):
                raise RulesError(
                    f"suit {self.name!r}: hints touch {touch!r} of it, expected {' or '.join(get_args(Touch))}"
                )
        if self.hintable and self.suit_hints != "own":
            raise RulesError(f"suit {self.name!r}: a suit with a hint of its own must be touched by that hint alone")
        if not self.hintable and self.suit_hints == "own":
            raise RulesError(
                f"suit {self.name!r}: no suit hint of its own, so suit hints touch 'every' or 'none' of it"
            )


RED = Suit("Red", "r")
YELLOW = Suit("Yellow", "y")
GREEN = Suit("Green", "g")
BLUE = Suit("Blue", "b")
PURPLE = Suit("Purple", "p")
TEAL = Suit("Teal", "t")
RAINBOW = Suit("Rainbow", "m", hintable=False, suit_hints="every")
BLACK = Suit("Black", "k", copies=ONE_OF_EACH)
WHITE = Suit("White", "w", hintable=False, suit_hints="none")
BROWN = Suit("Brown", "n", value_hints="none")
PINK = Suit("Pink", "i", value_hints="every")
MULTICOLOUR = Suit("Multicolour", "m", copies=ONE_OF_EACH)

FIVE = (RED, YELLOW, GREEN, BLUE, PURPLE)
FOUR = FIVE[:4]


@dataclass(frozen=True)
class Variant:
    """A named set of suits.

    Cards have an index, suit by suit and value by value: r1 is 0, r5 is 4, y1 is 5. A `*_mask` is an integer whose
    bit i stands for the card of index i.

    >>> NO_VARIANT.num_cards, NO_VARIANT.max_score
    (50, 25)
    """

    name: str
    suits: tuple[Suit, ...]
    live_id: int | None = None
    source: str = "hanab.live"

    def __post_init__(self) -> None:
        if not self.suits:
            raise RulesError(f"variant {self.name!r} has no suits, expected at least one")
        num_cards = sum(sum(suit.copies) for suit in self.suits)
        if num_cards > MAX_CARDS:
            raise RulesError(f"a deck of {num_cards:,} cards: expected at most {MAX_CARDS:,}")
        lengths = {len(suit.copies) for suit in self.suits}
        if len(lengths) != 1:
            raise RulesError(f"variant {self.name!r}: its suits have different numbers of values: {sorted(lengths)}")
        letters = [suit.letter for suit in self.suits]
        if len(set(letters)) != len(letters):
            raise RulesError(f"variant {self.name!r}: two suits share a letter: {' '.join(letters)}")
        hintable = [suit.hintable for suit in self.suits]
        if hintable != sorted(hintable, reverse=True):
            raise RulesError(f"variant {self.name!r}: suits without a hint of their own must come last")

    @cached_property
    def num_values(self) -> int:
        """How many values there are (n of Bergh 2015, Definition 2.9)."""
        return len(self.suits[0].copies)

    @cached_property
    def num_suits(self) -> int:
        """How many suits there are (k of Definition 2.9)."""
        return len(self.suits)

    @cached_property
    def num_suit_hints(self) -> int:
        """How many different suit hints there are."""
        return sum(suit.hintable for suit in self.suits)

    @cached_property
    def num_types(self) -> int:
        """How many different cards there are."""
        return self.num_suits * self.num_values

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """How many copies of each card there are, by card index."""
        return tuple(count for suit in self.suits for count in suit.copies)

    @cached_property
    def num_cards(self) -> int:
        """How many cards the deck has."""
        return sum(self.copies)

    @cached_property
    def max_score(self) -> int:
        """The score of a perfect game."""
        return self.num_types

    @cached_property
    def all_mask(self) -> int:
        """The mask of all cards: what is known of a card before any hint."""
        return (1 << self.num_types) - 1

    @cached_property
    def suit_hint_masks(self) -> tuple[int, ...]:
        """For each suit hint, the mask of the cards that it touches."""
        return tuple(
            self._mask(
                suit == hint or self.suits[suit].suit_hints == "every"
                for suit in range(self.num_suits)
                for _value in range(self.num_values)
            )
            for hint in range(self.num_suit_hints)
        )

    @cached_property
    def value_hint_masks(self) -> tuple[int, ...]:
        """For each value hint (value 1 first), the mask of the cards that it touches."""
        return tuple(
            self._mask(
                suit.value_hints == "every" or (suit.value_hints == "own" and value == hint)
                for suit in self.suits
                for value in range(self.num_values)
            )
            for hint in range(self.num_values)
        )

    @staticmethod
    def _mask(touched: Iterable[bool]) -> int:
        return sum(1 << index for index, is_touched in enumerate(touched) if is_touched)

    @staticmethod
    def custom(suits: int = 5, values: int = 5, copies: tuple[int, ...] | None = None) -> Variant:
        """Return the general game's deck (Bergh 2015, Definition 2.9): ordinary suits, any number of values and copies.

        >>> Variant.custom(suits=2, values=3, copies=(2, 2, 1)).name
        'Custom (2 suits, copies 2 2 1)'
        """
        letters = "rygbptmkwnacdefhijloqsuvxz"
        if not 1 <= suits <= len(letters):
            raise RulesError(f"a custom variant with {suits} suits: expected 1 to {len(letters)}")
        if copies is None:
            if not 1 <= values <= MAX_CARDS:
                raise RulesError(f"a custom variant with {values} values: expected 1 to {MAX_CARDS:,}")
            copies = (3, *[2] * (values - 2), 1) if values > 1 else (3,)
        if copies and max(copies) > 1000:
            raise RulesError(f"a custom variant with {max(copies)} copies of a card: expected at most 1000")
        names = {suit.letter: suit.name for suit in (*FIVE, TEAL, RAINBOW, BLACK, WHITE, BROWN)}
        made = tuple(Suit(names.get(letter, f"Suit {letter}"), letter, copies) for letter in letters[:suits])
        plural = "suit" if suits == 1 else "suits"
        return Variant(
            f"Custom ({suits} {plural}, copies {' '.join(map(str, copies))})", made, source="Bergh 2015, Definition 2.9"
        )


NO_VARIANT = Variant("No Variant", FIVE, 0)
VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        NO_VARIANT,
        Variant("3 Suits", (RED, GREEN, BLUE), 18),
        Variant("4 Suits", FOUR, 15),
        Variant("6 Suits", (*FIVE, TEAL), 1),
        Variant("Rainbow (5 Suits)", (*FOUR, RAINBOW), 16),
        Variant("Rainbow (6 Suits)", (*FIVE, RAINBOW), 3),
        Variant("Black (5 Suits)", (*FOUR, BLACK), 21),
        Variant("Black (6 Suits)", (*FIVE, BLACK), 2),
        Variant("White (6 Suits)", (*FIVE, WHITE), 13),
        Variant("Pink (6 Suits)", (*FIVE, PINK), 106),
        Variant("Brown (6 Suits)", (*FIVE, BROWN), 69),
        Variant("Dutch Box", (*FIVE, MULTICOLOUR), None, "van den Bergh 2015, Example 2.12"),
    )
}

_CUSTOM = re.compile(r"custom \((\d{1,4}) suits?, copies (\d{1,6}(?: +\d{1,6})*)\)", re.IGNORECASE)


def variant_named(name: str) -> Variant:
    """Return the variant of that name (capitals do not matter), or a custom one written as its name is.

    >>> variant_named("6 suits").num_cards
    60
    >>> variant_named("Custom (1 suit, copies 4 4 4)").num_cards
    12
    """
    for variant in VARIANTS.values():
        if variant.name.lower() == name.strip().lower():
            return variant
    if custom := _CUSTOM.fullmatch(name.strip()):
        return Variant.custom(int(custom[1]), copies=tuple(int(count) for count in custom[2].split()))
    raise UnknownNameError("variant", name, [*VARIANTS, "Custom (2 suits, copies 3 2 1)"])


def variant_with_live_id(live_id: int) -> Variant:
    """Return the variant with hanab.live's number."""
    for variant in VARIANTS.values():
        if variant.live_id == live_id:
            return variant
    known = ", ".join(f"{v.live_id} ({v.name})" for v in VARIANTS.values() if v.live_id is not None)
    raise UnknownNameError("supported variant with hanab.live's number", str(live_id), [known])
