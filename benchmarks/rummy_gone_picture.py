"""The picture of how far judgements are off when cards are gone. Needs the extra `plots`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from benchmarks.leaderboard_picture import COLOURS, MARKERS, STYLE
from handful._files import write_whole

LEAST = 0.01  # turns: what is less off is as good as exact


def draw(errors: Mapping[str, Mapping[tuple[int, int], float]], path: Path) -> None:
    """Write the picture: for each number of cards the mean error in turns of each judge against the cards gone.

    `errors` has it by judge, and by cards and cards gone. Where matplotlib is missing nothing is drawn; that is said.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        print("No picture: it needs matplotlib (pip install 'handful[plots]').")
        return
    places = sorted({place for found in errors.values() for place in found})
    sizes = sorted({cards for cards, _ in places})
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 4), layout="constrained")
        panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
        for axes, size in zip(panels, sizes, strict=True):
            x = [gone for cards, gone in places if cards == size]
            for place, (judge, found) in enumerate(errors.items()):
                y = [found[size, gone] for gone in x]
                axes.plot(x, y, color=COLOURS[place], marker=MARKERS[place], label=judge)
            axes.set_yscale("log")
            axes.set_ylim(bottom=LEAST)
            axes.set_xticks(x)
            axes.set_title(f"{size} cards")
            axes.set_xlabel("cards gone")
            axes.grid(axis="y", alpha=0.3)
        panels[0].set_ylabel("mean error, turns")
        panels[0].legend(frameon=False, fontsize="small")
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None})
    write_whole(path, data.getvalue())
