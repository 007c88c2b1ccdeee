"""The suits of the game, as data: which hints touch them, how many copies of each card they have, what they look like.

hanab.live has 62 suits, and every one has a short code: `R` is Red, `Ra1` Dark Rainbow. They differ in three ways: the
suit hints that touch them (those of their own colours, all, none, or one that the value decides), the value hints (the
own, all, none), and the copies. An Orange card is played by discarding it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from handful.errors import RulesError

Touch = Literal["own", "every", "none"]
SuitTouch = Literal["own", "every", "none", "by value"]

CLASSIC_COPIES = (3, 2, 2, 2, 1)
ONE_OF_EACH = (1, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its cards, and the hints that touch them.

    `copies[v - 1]` is the number of cards of value v. A suit that is not `hintable` has no suit hint of its own
    (nobody can say "rainbow"). A card is touched by its `own` suit hints, by `every` suit hint or by `none`, or, in
    Prism, by the one that its value says; the same for value hints. The own suit hints are those of its `colours`,
    the name of the suit unless others are given. A reversed suit is built from the highest value down; where
    `is_played_by_discarding`, playing and discarding are exchanged. `fill` are the colours of its picture.
    """

    name: str
    letter: str
    copies: tuple[int, ...] = CLASSIC_COPIES
    hintable: bool = True
    suit_hints: SuitTouch = "own"
    value_hints: Touch = "own"
    code: str = ""
    colours: tuple[str, ...] = ()
    is_reversed: bool = False
    is_played_by_discarding: bool = False
    fill: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.letter) != 1 or not self.letter.isalpha() or not self.letter.islower():
            raise RulesError(f"suit {self.name!r}: the letter is {self.letter!r}, expected one small letter")
        if not self.copies or min(self.copies) < 1:
            raise RulesError(f"suit {self.name!r}: copies are {self.copies!r}, expected at least one of each value")
        for touch, kind in ((self.suit_hints, SuitTouch), (self.value_hints, Touch)):
            if touch not in get_args(kind):
                raise RulesError(
                    f"suit {self.name!r}: hints touch {touch!r} of it, expected {' or '.join(get_args(kind))}"
                )
        if self.hintable and self.suit_hints != "own":
            raise RulesError(f"suit {self.name!r}: a suit with a hint of its own must be touched by that hint alone")
        if not self.hintable and self.suit_hints == "own":
            raise RulesError(
                f"suit {self.name!r}: no suit hint of its own, so suit hints touch 'every' or 'none' of it"
            )

    @property
    def own_hints(self) -> tuple[str, ...]:
        """The names of the suit hints of its own."""
        return (self.colours or (self.name,)) if self.hintable else ()

    def with_letter(self, taken: set[str]) -> Suit:
        """Return this suit with a letter that no other suit of a variant has: its own if that is free."""
        name = (each for each in self.name.lower() if each.isalpha())
        for letter in (self.letter, *name, *"abcdefghijklmnopqrstuvwxyz"):
            if letter not in taken:
                return self if letter == self.letter else replace(self, letter=letter)
        raise RulesError(f"suit {self.name!r}: all letters are taken by other suits")


# The colours of hints, and of what has them: after Okabe and Ito's palette, which colour-blind people tell apart.
COLOUR_FILLS = {
    "Red": "#d55e00",
    "Yellow": "#f2d43d",
    "Green": "#009e73",
    "Blue": "#0072b2",
    "Purple": "#b2568f",
    "Teal": "#56b4e9",
    "Black": "#33353d",
    "Pink": "#f7b6cb",
    "Brown": "#7d5a3c",
    "Orange": "#ef8a17",
}
COLOUR_LETTERS = {
    "Red": "r",
    "Yellow": "y",
    "Green": "g",
    "Blue": "b",
    "Purple": "p",
    "Teal": "t",
    "Black": "k",
    "Pink": "i",
    "Brown": "n",
    "Orange": "e",
}
_RAINBOW_FILLS = ("#d55e00", "#f2d43d", "#009e73", "#0072b2", "#b2568f")
_MUDDY_FILLS = ("#8b5a2b", "#a8803a", "#5f7a3d", "#4c5f8a", "#6d4a7a")


def _ordinary(code: str, colour: str, copies: tuple[int, ...] = CLASSIC_COPIES) -> Suit:
    return Suit(colour, COLOUR_LETTERS[colour], copies, code=code, fill=(COLOUR_FILLS[colour],))


def _coloured(code: str, name: str, colours: str, fill: str) -> Suit:
    """Return a suit with the hints of these colours, each given by its first letter, K for Black."""
    by_letter = {colour[0]: colour for colour in ("Red", "Yellow", "Green", "Blue", "Purple", "Teal")} | {"K": "Black"}
    return Suit(name, name[0].lower(), code=code, colours=tuple(by_letter[each] for each in colours), fill=(fill,))


RED, YELLOW, GREEN = _ordinary("R", "Red"), _ordinary("Y", "Yellow"), _ordinary("G", "Green")
BLUE, PURPLE, TEAL = _ordinary("B", "Blue"), _ordinary("P", "Purple"), _ordinary("T", "Teal")
BLACK = _ordinary("Bk", "Black", ONE_OF_EACH)
RAINBOW = Suit("Rainbow", "m", hintable=False, suit_hints="every", code="Ra", fill=_RAINBOW_FILLS)
PINK = Suit("Pink", "i", value_hints="every", code="Pi", fill=(COLOUR_FILLS["Pink"],))
WHITE = Suit("White", "w", hintable=False, suit_hints="none", code="Wh", fill=("#f4f4f0",))
BROWN = Suit("Brown", "n", value_hints="none", code="Br", fill=(COLOUR_FILLS["Brown"],))
OMNI = Suit(
    "Omni", "o", hintable=False, suit_hints="every", value_hints="every", code="Om", fill=("#f6b8dc", *_RAINBOW_FILLS)
)
NULL = Suit("Null", "u", hintable=False, suit_hints="none", value_hints="none", code="Nu", fill=("#b9b9b9",))
MUDDY_RAINBOW = Suit(
    "Muddy Rainbow", "d", hintable=False, suit_hints="every", value_hints="none", code="BrRa", fill=_MUDDY_FILLS
)
LIGHT_PINK = Suit(
    "Light Pink", "l", hintable=False, suit_hints="none", value_hints="every", code="WhPi", fill=("#fbd3e6",)
)
PRISM = Suit(
    "Prism", "s", hintable=False, suit_hints="by value", code="Pr", fill=("#ff9aa2", "#ffe29a", "#a9e5bb", "#9ac7ff")
)
ORANGE = Suit("Orange", "e", code="Or", is_played_by_discarding=True, fill=(COLOUR_FILLS["Orange"],))

LIGHT_SPECIALS = (RAINBOW, PINK, WHITE, BROWN, OMNI, NULL, MUDDY_RAINBOW, LIGHT_PINK, PRISM, ORANGE)


def _dark(light: Suit, name: str, fill: tuple[str, ...]) -> Suit:
    """Return the suit with one copy of each card that is touched as another is."""
    return replace(light, name=name, code=f"{light.code}1", copies=ONE_OF_EACH, colours=light.own_hints, fill=fill)


DARK_SPECIALS = (
    _dark(RAINBOW, "Dark Rainbow", ("#7d1f1a", "#85700f", "#1c5c29", "#1a417f", "#522874")),
    _dark(PINK, "Dark Pink", ("#a13c72",)),
    _dark(WHITE, "Gray", ("#7f7f7a",)),
    _dark(BROWN, "Dark Brown", ("#4f3318",)),
    _dark(OMNI, "Dark Omni", ("#a13c72", "#7d1f1a", "#85700f", "#1c5c29", "#1a417f", "#522874")),
    _dark(NULL, "Dark Null", ("#5c5c5c",)),
    _dark(MUDDY_RAINBOW, "Cocoa Rainbow", ("#4f3318", "#6b5024", "#3c4e26", "#303c58", "#46304e")),
    _dark(LIGHT_PINK, "Gray Pink", ("#b08a9d",)),
    _dark(PRISM, "Dark Prism", ("#a04a51", "#a08a4a", "#4a8a5c", "#4a6fa0")),
    _dark(ORANGE, "Dark Orange", ("#9a560a",)),
)

# Suits that share a colour, and suits of several colours.
_MIXED_SUITS = (
    _coloured("AR1", "Tomato", "R", "#ff6347"),
    _coloured("AR2", "Mahogany", "R", "#8b1a1a"),
    _coloured("AR3", "Carrot", "R", "#ee7942"),
    _coloured("AG1", "Emerald", "G", "#2ecc71"),
    _coloured("AG2", "Olive", "G", "#6b7d1e"),
    _coloured("AB1", "Berry", "B", "#5b5bd6"),
    _coloured("AB2", "Navy", "B", "#14286b"),
    _coloured("AB3", "Sky", "B", "#7cc4f5"),
    _coloured("EB1", "Ice EA", "B", "#c5e8fb"),
    _coloured("EB2", "Aqua EA", "B", "#49c6e5"),
    _coloured("EB3", "Sky EA", "B", "#6ab0f3"),
    _coloured("EB4", "Berry EA", "B", "#5b5bd6"),
    _coloured("EB5", "Navy EA", "B", "#14286b"),
    _coloured("EB6", "Ocean EA", "B", "#0f4c81"),
    _coloured("DRY", "Tangerine", "RY", "#f39c12"),
    _coloured("DRY2", "Peach", "RY", "#ffc08a"),
    _coloured("R2", "Ruby", "R", "#c2185b"),
    _coloured("DRY3", "Yam", "RY", "#d2691e"),
    _coloured("DRYG", "Geas", "RYG", "#a3a635"),
    _coloured("DRYGB", "Beatnik", "RYGB", "#5f8a8b"),
    _coloured("DRYGBP", "Plum", "RYGBP", "#7d4b8b"),
    _coloured("DRYGBPT", "Taupe", "RYGBPT", "#8b7e74"),
    _coloured("DRG", "Gold", "RG", "#b8962e"),
    _coloured("DRB", "Violet", "RB", "#9b30d9"),
    _coloured("DRB2", "Magenta", "RB", "#e0218a"),
    _coloured("DRP", "Cardinal", "RP", "#a31545"),
    _coloured("DRK", "Maroon", "RK", "#6b1020"),
    _coloured("DYG", "Lime", "YG", "#a4d65e"),
    _coloured("DYG2", "Jungle", "YG", "#5a8f29"),
    _coloured("DYB", "Jade", "YB", "#2f9e77"),
    _coloured("DYK", "Tan", "YK", "#b59a57"),
    _coloured("DGB", "Cyan", "GB", "#17becf"),
    _coloured("DBP", "Indigo", "BP", "#4b3fb5"),
    _coloured("DBK", "Cobalt", "BK", "#1b3a73"),
)

SUITS: dict[str, Suit] = {
    suit.code: suit
    for suit in (
        *(RED, YELLOW, GREEN, BLUE, PURPLE, TEAL, BLACK),
        *LIGHT_SPECIALS,
        *DARK_SPECIALS,
        *_MIXED_SUITS,
    )
}

MULTICOLOUR = Suit("Multicolour", "m", copies=ONE_OF_EACH, fill=_RAINBOW_FILLS)  # of Bergh 2015, not of hanab.live
