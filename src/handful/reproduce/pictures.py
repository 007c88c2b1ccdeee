"""How figures look, and how they are written: as SVG and PNG, whole or not at all. The extra `plots` draws them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handful._files import write_whole
from handful.lab.plots import COLOURS, MARKERS, STYLE, draw_bars, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

    from handful.playability.solitaire.game import SolitaireCard
    from handful.playability.solitaire.three_sat import Reduction
    from handful.reproduce.outcome import Picture

__all__ = ["COLOURS", "FORMATS", "MARKERS", "draw_bars", "draw_parts", "draw_strips", "grid", "save"]

FORMATS = ("svg", "png")
# Of suits: light, so that black numbers can be read on them; the dummy suit is grey.
SUIT_COLOURS = ("#F4A3A3", "#F7D08A", "#B7DE9B", "#9CCBEB", "#C9AEE5", "#F3B7DA")
DUMMY_COLOUR = "#CFCFCF"


def save(picture: Picture, folder: Path) -> None:
    """Draw a picture and write its files into a folder."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):  # no windows, and nothing of the user's own settings is changed
        sheet = Figure(figsize=picture.size, layout="constrained")
        picture.draw(sheet)
        for kind in FORMATS:
            write_whole(folder / f"{picture.name}.{kind}", drawn(sheet, kind, dpi=150))


def grid(axes: Axes, axis: str = "both") -> None:
    """Give axes the light grid of the house."""
    axes.grid(axis=axis, color="#DDDDDD", linewidth=0.6)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


# Sequences of Solitaire Hanabi as strips of cards: the number above, the suit below, a colour for each suit


def draw_strips(sheet: Figure, rows: Sequence[Sequence[SolitaireCard]], dummy: int) -> None:
    """Draw rows of cards below one another."""
    axes = _empty_page(sheet, max(map(len, rows)), 1.4 * len(rows))
    for number, row in enumerate(rows):
        bottom = 1.4 * (len(rows) - 1 - number)
        for place, (value, suit) in enumerate(row):
            colour = DUMMY_COLOUR if suit == dummy else SUIT_COLOURS[(suit - 1) % len(SUIT_COLOURS)]
            axes.add_patch(_card(place, bottom, 0.92, 1.15, colour))
            axes.text(place + 0.46, bottom + 0.78, str(value), ha="center", va="center", fontsize=8, weight="bold")
            name = "d" if suit == dummy else str(suit)
            axes.text(place + 0.46, bottom + 0.3, name, ha="center", va="center", fontsize=7, color="#333333")


def draw_parts(sheet: Figure, reduction: Reduction, dummy: int) -> None:
    """Draw the gadgets of a reduction as boxes with their names, and the dummy cards that stand alone as numbers."""
    boxes = []
    for gadget in reduction.gadgets:
        cards = reduction.game.sequence[gadget.start : gadget.end]
        alone = all(suit == dummy for _value, suit in cards)
        inner = [str(value) for value, suit in cards if suit == dummy]
        text = " ".join(inner) if alone else gadget.name
        below = "" if alone or not inner or gadget.name == "end" else " ".join(inner)
        boxes.append((text, below, alone, max(1.0, 0.42 * len(text)) if alone else 2.4))
    axes = _empty_page(sheet, sum(width + 0.2 for *_rest, width in boxes), 2.0)
    left = 0.0
    for text, below, alone, width in boxes:
        axes.add_patch(_card(left, 0.5, width, 1.1, DUMMY_COLOUR if alone else "#D6E6F5"))
        axes.text(left + width / 2, 1.05, text, ha="center", va="center", fontsize=9, weight="bold")
        if below:
            axes.text(left + width / 2, 0.22, f"({below} inside)", ha="center", va="center", fontsize=7)
        left += width + 0.2


def _empty_page(sheet: Figure, width: float, height: float) -> Axes:
    axes = sheet.add_subplot()
    axes.set_xlim(-0.2, width + 0.2)
    axes.set_ylim(-0.2, height + 0.1)
    axes.axis("off")
    return axes


def _card(left: float, bottom: float, width: float, height: float, colour: str) -> FancyBboxPatch:
    from matplotlib.patches import FancyBboxPatch

    return FancyBboxPatch(
        (left, bottom), width, height, boxstyle="round,pad=0,rounding_size=0.12", facecolor=colour, edgecolor="#666666"
    )
