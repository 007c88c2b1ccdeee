"""The variants of the game, as data: suits, and modifiers; everything else about a variant follows from them.

A variant is what its code says: ``R+Y+G+B+Pi,R1`` has the suits Red, Yellow, Green, Blue and Pink, and 1s that are
touched as Rainbow is. `hanabi.listing` has all that hanab.live offers; any other code makes a variant too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from handful.errors import RulesError, UnknownNameError, shown
from handful.hanabi.modifiers import NO_MODIFIERS, Modifiers
from handful.hanabi.orders import Order, all_open, orders_of_suit
from handful.hanabi.suits import (
    BLACK,
    BLUE,
    BROWN,
    CLASSIC_COPIES,
    COLOUR_LETTERS,
    GREEN,
    MULTICOLOUR,
    ONE_OF_EACH,
    PINK,
    PURPLE,
    RAINBOW,
    RED,
    SUITS,
    TEAL,
    WHITE,
    YELLOW,
    Suit,
    SuitTouch,
    Touch,
)
from handful.hanabi.touch import (
    EVEN,
    ODD,
    colours_of,
    hintable_values,
    touched_by_suit_hint,
    touched_by_value_hint,
)

__all__ = [
    "BLACK",
    "BLUE",
    "BROWN",
    "CLASSIC_COPIES",
    "FIVE",
    "FOUR",
    "GREEN",
    "MAX_CARDS",
    "NO_VARIANT",
    "ONE_OF_EACH",
    "PINK",
    "PURPLE",
    "RAINBOW",
    "RED",
    "SUITS",
    "TEAL",
    "VARIANTS",
    "WHITE",
    "YELLOW",
    "Suit",
    "SuitHint",
    "SuitTouch",
    "Touch",
    "Variant",
    "variant_from_code",
    "variant_named",
    "variant_with_live_id",
]

MAX_CARDS = 100_000
LIVE_START = 7  # the value of START in records of hanab.live
START_TEXT = "S"

FIVE = (RED, YELLOW, GREEN, BLUE, PURPLE)
FOUR = FIVE[:4]


class SuitHint(NamedTuple):
    """What can be said of suits: a colour, and its letter."""

    name: str
    letter: str


@dataclass(frozen=True)
class Variant:
    """A named set of suits, and what is special about all of them.

    Cards have an index, suit by suit and value by value: r1 is 0, r5 is 4, y1 is 5. A `*_mask` is an integer whose
    bit i stands for the card of index i. In Up or Down START is the value after the highest.

    >>> NO_VARIANT.num_cards, NO_VARIANT.max_score
    (50, 25)
    """

    name: str
    suits: tuple[Suit, ...]
    live_id: int | None = None
    source: str = "hanab.live"
    modifiers: Modifiers = NO_MODIFIERS

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
        special = self.modifiers
        if max(special.special_value, special.critical_value) > len(self.suits[0].copies):
            missing = max(special.special_value, special.critical_value)
            raise RulesError(f"variant {self.name!r}: there is no value {missing}")
        if special.sudoku and self.stack_size < self.num_suits:
            raise RulesError(
                f"variant {self.name!r}: in Sudoku no two stacks start alike, "
                f"so {self.num_suits} suits need as many values, not {self.stack_size}"
            )
        if (special.up_or_down or special.sudoku) and any(suit.is_reversed for suit in self.suits):
            raise RulesError(f"variant {self.name!r}: a reversed suit cannot be built up or down, or as Sudoku")
        is_by_value = special.synesthesia or any(suit.suit_hints == "by value" for suit in self.suits)
        if is_by_value and not colours_of(self.suits):
            raise RulesError(f"variant {self.name!r}: values stand for suit hints, but no suit has one")

    # The cards

    @cached_property
    def num_values(self) -> int:
        """How many different cards a suit has (n of Bergh 2015, Definition 2.9): START counts as a value."""
        return len(self.suits[0].copies)

    @cached_property
    def stack_size(self) -> int:
        """How many cards complete a stack."""
        return self.num_values - self.modifiers.up_or_down

    @cached_property
    def start_value(self) -> int | None:
        """The value of START, if the variant has it."""
        return self.num_values if self.modifiers.up_or_down else None

    @cached_property
    def num_suits(self) -> int:
        """How many suits there are (k of Definition 2.9)."""
        return len(self.suits)

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
        return self.num_suits * self.stack_size

    @cached_property
    def all_mask(self) -> int:
        """The mask of all cards: what is known of a card before any hint."""
        return (1 << self.num_types) - 1

    @cached_property
    def orange_mask(self) -> int:
        """The mask of the cards that are played by discarding them, and discarded by playing them."""
        return self._mask(suit.is_played_by_discarding for suit in self.suits for _value in range(self.num_values))

    def value_text(self, value: int) -> str:
        """Return how a value is written: START is S."""
        return START_TEXT if value == self.start_value else str(value)

    def value_read(self, text: str) -> int | None:
        """Return the value that is written so, or None."""
        if text.upper() == START_TEXT:
            return self.start_value
        if text.isascii() and text.isdigit() and len(text) <= 6 and 1 <= int(text) <= self.num_values:
            return int(text) if int(text) != self.start_value else None
        return None

    def live_value(self, value: int) -> int:
        """Return the value as hanab.live numbers it: START is 7 there."""
        return LIVE_START if value == self.start_value else value

    def value_from_live(self, value: int) -> int | None:
        """Return the value that hanab.live numbers so, or None if the variant has no such."""
        if self.start_value is not None and value == LIVE_START:
            return self.start_value
        return value if 1 <= value <= self.stack_size else None

    # The stacks

    @cached_property
    def orders(self) -> tuple[tuple[Order, ...], ...]:
        """For each suit, the orders in which it may be built (see `hanabi.orders`)."""
        return tuple(
            orders_of_suit(self.num_values, suit.is_reversed, self.modifiers.up_or_down, self.modifiers.sudoku)
            for suit in self.suits
        )

    @cached_property
    def open_orders(self) -> tuple[int, ...]:
        """For each suit, the mask of the orders that are open to an empty stack: all of them."""
        return tuple(all_open(len(orders)) for orders in self.orders)

    @cached_property
    def is_ascending(self) -> bool:
        """Whether every suit is built 1, 2, 3, … and in no other way."""
        usual = tuple(range(1, self.num_values + 1))
        return all(orders == (usual,) for orders in self.orders)

    # The hints

    @cached_property
    def suit_hints(self) -> tuple[SuitHint, ...]:
        """What can be said of suits, in the order of the numbers of the suit hints."""
        if self.modifiers.suit_mute:
            return ()
        letters = {suit.name: suit.letter for suit in self.suits}
        return tuple(
            SuitHint(colour, COLOUR_LETTERS.get(colour) or letters[colour]) for colour in colours_of(self.suits)
        )

    @cached_property
    def hint_suits(self) -> tuple[Suit, ...]:
        """For each suit hint, the suit that looks like it: the one of that name, here or among the ordinary ones."""
        named = {suit.name: suit for suit in (*SUITS.values(), *self.suits)}
        return tuple(named[hint.name] for hint in self.suit_hints)

    @cached_property
    def value_hints(self) -> tuple[int, ...]:
        """The values that can be said; where they are hinted as odd or even, 1 and 2 stand for these."""
        return hintable_values(self.modifiers, self.stack_size)

    @cached_property
    def num_suit_hints(self) -> int:
        """How many different suit hints there are."""
        return len(self.suit_hints)

    @cached_property
    def num_value_hints(self) -> int:
        """How many different value hints there are."""
        return len(self.value_hints)

    def value_hint_text(self, value: int) -> str:
        """Return what is said of a value: 3, or in Odds and Evens odd or even."""
        return {ODD: "odd", EVEN: "even"}[value] if self.modifiers.odds_and_evens else str(value)

    @cached_property
    def suit_hint_masks(self) -> tuple[int, ...]:
        """For each suit hint, the mask of the cards that it touches."""
        colours = colours_of(self.suits)
        return tuple(
            self._mask(
                touched_by_suit_hint(suit, self._spoken(value), hint, colours, self.modifiers)
                for suit in self.suits
                for value in range(1, self.num_values + 1)
            )
            for hint in range(self.num_suit_hints)
        )

    @cached_property
    def value_hint_masks(self) -> tuple[int, ...]:
        """For each value hint, in the order of `value_hints`, the mask of the cards that it touches."""
        return tuple(
            self._mask(
                touched_by_value_hint(suit, number, self._spoken(value), hint, self.value_hints, self.modifiers)
                for number, suit in enumerate(self.suits)
                for value in range(1, self.num_values + 1)
            )
            for hint in self.value_hints
        )

    def _spoken(self, value: int) -> int:
        """Return a value as hints see it: START is 0, before all others."""
        return 0 if value == self.start_value else value

    @staticmethod
    def _mask(touched: Iterable[bool]) -> int:
        return sum(1 << index for index, is_touched in enumerate(touched) if is_touched)

    @cached_property
    def has_usual_hints(self) -> bool:
        """Whether hints work as usual: suit hint s is that of suit s, all values can be hinted, and all is heard.

        Suits that every hint or no hint touches are usual; Prism, Orange, reversed suits and modifiers are not.
        """
        ways = ("own", "every", "none")
        return (
            self.is_ascending
            and not self.modifiers
            and all(suit.suit_hints in ways and not suit.is_played_by_discarding for suit in self.suits)
            and [(suit.name,) for suit in self.suits[: self.num_suit_hints]]
            == [(hint.name,) for hint in self.suit_hints]
            and all(suit.own_hints in ((), (suit.name,)) for suit in self.suits)
        )

    # In words

    @cached_property
    def code(self) -> str:
        """What the variant is, as hanab.live writes it; empty where a suit is of our own."""
        if not all(suit.code for suit in self.suits):
            return ""
        suits = "+".join(suit.code + (":R" if suit.is_reversed else "") for suit in self.suits)
        return ",".join((suits, *self.modifiers.codes))

    @cached_property
    def in_words(self) -> str:
        """What is special about it, in a few sentences; empty for the ordinary game."""
        return " ".join((*filter(None, map(_suit_in_words, self.suits)), *self.modifiers.sentences))

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


def _suit_in_words(suit: Suit) -> str:
    """Return what is special about a suit; empty for an ordinary one."""
    said = []
    if suit.suit_hints == "by value":
        said.append("touched by the suit hint that its value counts to")
    elif suit.suit_hints != "own":
        said.append(f"touched by {'every suit hint' if suit.suit_hints == 'every' else 'no suit hint'}")
    elif suit.own_hints != (suit.name,):
        said.append(f"touched by {' and '.join(suit.own_hints)}")
    if suit.value_hints != "own":
        said.append(f"touched by {'every value hint' if suit.value_hints == 'every' else 'no value hint'}")
    if set(suit.copies) == {1}:
        said.append("has one of each card")
    if suit.is_reversed:
        said.append("built from 5 down to 1")
    if suit.is_played_by_discarding:
        said.append("played by discarding, and discarded by playing")
    return f"{suit.name}: {', '.join(said)}." if said else ""


# Variants by code, by name and by number

MAX_SUITS_OF_A_CODE = 8
# Suits with a hint of their own name have the letter of that hint, whatever stands before them.
_NAMED_HINTS = tuple(suit.code for suit in SUITS.values() if suit.own_hints == (suit.name,))


@lru_cache(maxsize=512)
def variant_from_code(code: str, name: str = "", live_id: int | None = None) -> Variant:
    """Return the variant of a code; it is called after its code unless a name is given.

    >>> variant_from_code("R+Y+G+B:R,P5").suits[3].copies
    (1, 2, 2, 2, 3)
    """
    suits_code, *modifier_codes = (part.strip() for part in code.split(","))
    modifiers = Modifiers.parse(modifier_codes)
    written = suits_code.split("+")
    if len(written) > MAX_SUITS_OF_A_CODE:
        raise RulesError(f"variant {shown(code)} has {len(written)} suits: expected at most {MAX_SUITS_OF_A_CODE}")
    suits: list[Suit] = []
    taken = {SUITS[suit].letter for suit in (each.partition(":")[0] for each in written) if suit in _NAMED_HINTS}
    for each in written:
        suit_code, colon, direction = each.partition(":")
        if suit_code not in SUITS or (colon and direction != "R"):
            raise RulesError(f"variant {shown(code)}: {shown(each)} is not a suit, such as R, Ra1 or Bk:R")
        suit = SUITS[suit_code]
        if suit_code not in _NAMED_HINTS:
            suit = suit.with_letter(taken)
            taken.add(suit.letter)
        copies = _copies(suit, bool(colon), modifiers, len(written))
        suits.append(replace(suit, copies=copies, is_reversed=bool(colon)))
    return Variant(name or code, tuple(suits), live_id, modifiers=modifiers)


def _copies(suit: Suit, is_reversed: bool, modifiers: Modifiers, num_suits: int) -> tuple[int, ...]:
    """Return the copies of each value of a suit under these modifiers."""
    size = 4 if modifiers.sudoku and num_suits == 4 else 5
    if suit.copies == ONE_OF_EACH:
        return (1,) * (size + modifiers.up_or_down)
    if modifiers.sudoku:
        return (2,) * size
    copies = list(CLASSIC_COPIES)
    if is_reversed:
        copies.reverse()
    if modifiers.scarce_ones:
        copies[0] = min(copies[0], 2)
    if modifiers.critical_value and modifiers.critical_value <= size:
        copies[modifiers.critical_value - 1] = 1
    if modifiers.up_or_down:
        return (1, *copies[1:], 1)
    return tuple(copies)


NO_VARIANT = Variant("No Variant", FIVE, 0)
# The variants that are offered first; all others have a name, a number or a code.
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
_ID = re.compile(r"id: ?([0-9]{1,6})", re.IGNORECASE)
_CODE = re.compile(r"[A-Z][A-Za-z0-9]*(?::R)?(?:\+[A-Z][A-Za-z0-9]*(?::R)?)*(?:, ?[A-Za-z0-9]{2})*")


def variant_named(name: str) -> Variant:
    """Return the variant of a name (capitals do not matter), of a code, or of a number of hanab.live: ``id:1342``.

    >>> variant_named("6 suits").num_cards
    60
    >>> variant_named("id:1342").name, variant_named("R+Y+G+B+Pi,R1").name
    ('Reversed (6 Suits)', 'Rainbow-Ones & Pink (5 Suits)')
    >>> variant_named("Custom (1 suit, copies 4 4 4)").num_cards
    12
    """
    from handful.hanabi import listing

    text = name.strip()
    for variant in VARIANTS.values():
        if variant.name.lower() == text.lower():
            return variant
    if custom := _CUSTOM.fullmatch(text):
        return Variant.custom(int(custom[1]), copies=tuple(int(count) for count in custom[2].split()))
    if number := _ID.fullmatch(text):
        return variant_with_live_id(int(number[1]))
    found = listing.with_name(text) or listing.with_code(text.replace(" ", ""))
    if found is not None:
        return _listed(found)
    if _CODE.fullmatch(text) and text.split(",")[0].split("+")[0].split(":")[0] in SUITS:
        return variant_from_code(text.replace(" ", ""))
    raise UnknownNameError("variant", name, listing.nearest_names(text), "Nearest")


def variant_with_live_id(live_id: int) -> Variant:
    """Return the variant with hanab.live's number."""
    from handful.hanabi import listing

    found = listing.with_id(live_id)
    if found is None:
        kind = "variant with hanab.live's number"
        raise UnknownNameError(kind, str(live_id), [f"0 to {listing.LAST_ID}"], "Expected")
    return _listed(found)


@lru_cache(maxsize=4096)
def _listed(found: tuple[str, str, int]) -> Variant:
    """Return a variant of hanab.live's list: the one that we have under its name, or else the one of its code."""
    name, code, live_id = found
    return VARIANTS.get(name) or variant_from_code(code, name, live_id)
