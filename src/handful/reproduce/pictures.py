"""How figures look, and how they are written: as SVG and PNG, whole or not at all. The extra `plots` draws them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import write_whole
from handful.errors import HandfulError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from handful.reproduce.outcome import Picture

FORMATS = ("svg", "png")
# Okabe and Ito's colours, which colour-blind readers tell apart too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX*"
_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "handful",  # the same figures give the same file
}


def check_matplotlib() -> None:
    """Refuse to start where nothing can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise HandfulError("figures need matplotlib: pip install 'handful[plots]'") from None


def save(picture: Picture, folder: Path) -> None:
    """Draw a picture and write its files into a folder."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):  # no windows, and nothing of the user's own settings is changed
        sheet = Figure(figsize=picture.size, layout="constrained")
        picture.draw(sheet)
        for kind in FORMATS:
            drawn = io.BytesIO()
            sheet.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
            write_whole(folder / f"{picture.name}.{kind}", drawn.getvalue())


def grid(axes: Axes, axis: str = "both") -> None:
    """Give axes the light grid of the house."""
    axes.grid(axis=axis, color="#DDDDDD", linewidth=0.6)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
