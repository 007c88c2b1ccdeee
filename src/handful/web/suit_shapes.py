"""The shapes of Hanabi's suits: for every suit a path of its own, in a square of 24 by 24.

A dark suit has the shape of the light one, smaller and with a bar below. Suits that are not named here share a shape.
"""

from __future__ import annotations

from math import cos, pi, sin

OTHER = "other"


def _polygon(corners: int, inner: float = 1.0, turned: float = 0.0) -> str:
    """Return a regular polygon, or with an inner radius below 1 a star, that stands on its tip's opposite."""
    count = corners if inner == 1.0 else 2 * corners
    points = []
    for number in range(count):
        angle = 2 * pi * (number + turned) / count - pi / 2
        radius = 11 * (inner if number % 2 and inner != 1.0 else 1)
        points.append(f"{12 + radius * cos(angle):.1f} {12 + radius * sin(angle):.1f}")
    return f"M{'L'.join(points)}Z"


def _discs(radius: float, *centres: tuple[float, float]) -> str:
    """Return discs of one size."""
    return "".join(
        f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0 {radius} {radius} 0 1 0-{2 * radius} 0Z"
        for x, y in centres
    )


_RING = "M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21Zm0 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z"

ORDINARY = {
    "Red": "M12 1 22 12 12 23 2 12Z",
    "Yellow": ("m12 1.5 3.2 7 7.6.8-5.7 5.1 1.6 7.5L12 18l-6.7 3.9 1.6-7.5L1.2 9.3l7.6-.8Z"),
    "Green": _discs(10, (12, 12)),
    "Blue": "M12 1c4.5 6 8 9.5 8 14a8 8 0 0 1-16 0c0-4.5 3.5-8 8-14Z",
    "Purple": "M12 2 23 21.5H1Z",
    "Teal": "M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5Z",
    "Black": ("m6.3 2.2 5.7 5.7 5.7-5.7 4.1 4.1-5.7 5.7 5.7 5.7-4.1 4.1-5.7-5.7-5.7 5.7-4.1-4.1L7.9 12 2.2 6.3Z"),
}
LIGHT = {
    "Rainbow": "M1 20a11 11 0 0 1 22 0h-5.5a5.5 5.5 0 0 0-11 0Z",
    "Pink": ("M12 22C5 16 1.5 12.5 1.5 8A5.5 5.5 0 0 1 12 5.5 5.5 5.5 0 0 1 22.5 8c0 4.5-3.5 8-10.5 14Z"),
    "White": ("M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21Zm0 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z"),
    "Brown": "M12 1.2 21.5 6.6v10.8L12 22.8 2.5 17.4V6.6Z",
    "Omni": _RING + _discs(3, (12, 12)),
    "Null": _RING + "M4 17.5 17.5 4 20 6.5 6.5 20Z",
    "Muddy Rainbow": "M1 9c4-6 7-6 11 0s7 6 11 0v6c-4 6-7 6-11 0s-7-6-11 0Z",
    "Light Pink": _discs(5, (12, 6.5), (6.5, 12), (17.5, 12), (12, 17.5)),
    "Prism": "M12 1.5 23 20.5H1ZM12 8 7 17h10Z",
    "Orange": _polygon(12, 0.72),
}
DARK_OF = {
    "Dark Rainbow": "Rainbow",
    "Dark Pink": "Pink",
    "Gray": "White",
    "Dark Brown": "Brown",
    "Dark Omni": "Omni",
    "Dark Null": "Null",
    "Cocoa Rainbow": "Muddy Rainbow",
    "Gray Pink": "Light Pink",
    "Dark Prism": "Prism",
    "Dark Orange": "Orange",
}
SHARED = {
    "Tomato": _discs(5.5, (6, 12), (18, 12)),
    "Mahogany": "M2 2h8.5v20H2ZM13.5 2H22v20h-8.5Z",
    "Carrot": "M1 3h22L12 23Z",
    "Emerald": "M7 2h10l6 7-11 14L1 9Z",
    "Olive": "M12 1C19 5 19 19 12 23 5 19 5 5 12 1Z",
    "Berry": _discs(4.8, (12, 6), (6, 17), (18, 17)),
    "Navy": "M2 2h20v9c0 6-5 10-10 12C7 21 2 17 2 11Z",
    "Sky": "M6 20a5.5 5.5 0 0 1-.5-11A7 7 0 0 1 19 8.5a6 6 0 0 1-1 11.5Z",
    "Ice EA": _polygon(6, 0.4),
    "Aqua EA": (
        "M1 4c4-4 7-4 11 0s7 4 11 0v6c-4 4-7 4-11 0s-7-4-11 0ZM1 15c4-4 7-4 11 0s7 4 11 0v6c-4 4-7 4-11 0s-7-4-11 0Z"
    ),
    "Sky EA": "M6 20a5.5 5.5 0 0 1-.5-11A7 7 0 0 1 19 8.5a6 6 0 0 1-1 11.5Z",
    "Berry EA": _discs(4.8, (12, 6), (6, 17), (18, 17)),
    "Navy EA": "M2 2h20v9c0 6-5 10-10 12C7 21 2 17 2 11Z",
    "Ocean EA": "M1 12C6 3 14 3 18 10l5-6v16l-5-6C14 21 6 21 1 12Z",
    "Tangerine": "M1 14a11 11 0 0 1 22 0ZM1 17h22v4H1Z",
    "Peach": "M12 23C5 23 2 18 2 13c0-6 6-8 10-4 4-4 10-2 10 4 0 5-3 10-10 10ZM13 7c0-4 3-6 7-6 0 4-3 6-7 6Z",
    "Ruby": _polygon(4, 1.0, 0.5),
    "Yam": "M3 8h18v14H3ZM8 2h8v6H8Z",
    "Geas": "M1 12 12 1l11 11h-6v11H7V12Z",
    "Beatnik": "M1 2h22L14 12l9 10H1l9-10Z",
    "Plum": "M2 1v22l10-11ZM22 1v22L12 12Z",
    "Taupe": "M2 3h20v5H2ZM2 10h20v4H2ZM2 16h20v5H2Z",
    "Gold": _polygon(8, 0.6),
    "Violet": _polygon(5, 1.0),
    "Magenta": _polygon(3, 0.3),
    "Cardinal": "M12 1c2 3 4 4 4 7h7v6h-7c0 4-2 6-4 9-2-3-4-5-4-9H1V8h7c0-3 2-4 4-7Z",
    "Maroon": "M2 2h6v14h14v6H2Z",
    "Lime": "M3 21C1 8 8 1 22 2c1 14-6 21-19 19Z",
    "Jungle": "M12 1l8 9h-4l6 8h-8v5h-4v-5H2l6-8H4Z",
    "Jade": _polygon(8, 1.0, 0.5),
    "Tan": "M7 2h10l6 20H1Z",
    "Cyan": "M14 1 3 14h7l-2 9 13-14h-8Z",
    "Indigo": "M15 1.5A11 11 0 1 0 22.5 17 9 9 0 0 1 15 1.5Z",
    "Cobalt": "M2 2h6v7h8V2h6v20h-6v-7H8v7H2Z",
    "Multicolour": _polygon(4, 0.45),
}
_OTHER_SHAPE = "M3 3h18v18H3Z"
_BAR = "M3 20.5h18V24H3Z"


def shape_names() -> tuple[str, ...]:
    """Return the names of all suits that have a shape."""
    return (*ORDINARY, *LIGHT, *DARK_OF, *SHARED)


def path_of(name: str) -> tuple[str, str]:
    """Return the path of a suit's shape, and the path below it that a dark suit has (empty for others)."""
    if name in DARK_OF:
        return LIGHT[DARK_OF[name]], _BAR
    return {**ORDINARY, **LIGHT, **SHARED}.get(name, _OTHER_SHAPE), ""
