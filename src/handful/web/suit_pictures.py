"""How suits look in the browser: a colour or several, a shape, and what can be read on them; as one stylesheet.

Every suit has a class, `suit-dark-rainbow`, and a symbol of the same name. The colours are those of the suit itself;
what is written on it is black or white, whichever stands out more. Where a suit has several colours they surround a
plate of white, on which the value is written.
"""

from __future__ import annotations

import hashlib
from functools import cache

from handful.hanabi.suits import MULTICOLOUR, SUITS, Suit
from handful.web.suit_shapes import OTHER, path_of, shape_names

PLATE, BLACK_INK, WHITE_INK = "#ffffff", "#000000", "#ffffff"
# The grounds of pages on which shapes lie alone, light and dark, and how much they must stand out there.
LIGHT_GROUND, DARK_GROUND, LEAST_CONTRAST = "#ecebe5", "#272a33", 3.0

_PICTURED: dict[str, Suit] = {suit.name: suit for suit in (*SUITS.values(), MULTICOLOUR)}


def class_of(suit: Suit) -> str:
    """Return the class of a suit, which is the name of its symbol too.

    >>> from handful.hanabi.suits import SUITS
    >>> class_of(SUITS["Ra1"])
    'suit-dark-rainbow'
    """
    return _class(suit.name if suit.name in _PICTURED else OTHER)


def _class(name: str) -> str:
    return f"suit-{name.lower().replace(' ', '-')}"


def luminance(colour: str) -> float:
    """Return how bright a colour is, from 0 to 1, as the Web Content Accessibility Guidelines measure it."""
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    darker, brighter = sorted((luminance(first), luminance(second)))
    return round((brighter + 0.05) / (darker + 0.05), 6)


def ground_of(suit: Suit) -> str:
    """Return the colour on which the value is written."""
    return suit.fill[0] if len(suit.fill) == 1 else PLATE


def ink_of(suit: Suit) -> str:
    """Return the colour in which the value is written: at least 4.58 of contrast, whatever the ground is."""
    return max((BLACK_INK, WHITE_INK), key=lambda ink: contrast(ink, ground_of(suit)))


def mark_of(suit: Suit, ground: str) -> str:
    """Return the colour of the shape alone on a page's ground: the suit's own, moved until it stands out."""
    towards = 0 if luminance(ground) > 0.5 else 255
    colour = suit.fill[0]
    shares = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    for step in range(101):
        moved = [round(share + (towards - share) * step / 100) for share in shares]
        colour = "#" + "".join(f"{share:02x}" for share in moved)
        if contrast(colour, ground) >= LEAST_CONTRAST:
            break
    return colour


@cache
def symbols() -> tuple[tuple[str, str, str], ...]:
    """Return name, path and the path of the bar below (empty without one) of every symbol."""
    return tuple((_class(name), *path_of(name)) for name in (*shape_names(), OTHER))


@cache
def gradients() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return name and stops (offset, colour) of the stripes of every suit of several colours."""
    found = []
    for suit in _PICTURED.values():
        if len(suit.fill) > 1:
            width = 1 / len(suit.fill)
            edges = [(f"{place * width:.3f}", f"{(place + 1) * width:.3f}") for place in range(len(suit.fill))]
            stops = ((edge, colour) for pair, colour in zip(edges, suit.fill, strict=True) for edge in pair)
            found.append((f"{_class(suit.name)}-stripes", tuple(stops)))
    return tuple(found)


@cache
def stylesheet() -> str:
    """Return the classes of all suits."""
    light, dark = [], []
    for suit in _PICTURED.values():
        name = _class(suit.name)
        if len(suit.fill) == 1:
            mark = mark_of(suit, LIGHT_GROUND)
            light.append(f".{name} {{ --suit: {suit.fill[0]}; --suit-ink: {ink_of(suit)}; --mark: {mark}; }}")
            dark.append(f"  .{name} {{ --mark: {mark_of(suit, DARK_GROUND)}; }}")
        else:
            stripes = f'url("#{name}-stripes")'
            light.append(
                f".{name} {{ --suit: {stripes}; --suit-ink: {ink_of(suit)}; --mark: {stripes}; "
                f"--plate: {PLATE}; --mark-edge: var(--ink-soft); }}"
            )
    return "\n".join([*light, "@media (prefers-color-scheme: dark) {", *dark, "}", ""])


@cache
def stylesheet_address() -> str:
    """Return where the stylesheet is, with what changes when it does: so browsers may keep it."""
    return f"/static/suits.css?{hashlib.sha256(stylesheet().encode()).hexdigest()[:12]}"
