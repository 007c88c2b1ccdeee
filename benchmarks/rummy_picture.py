"""The picture of all solved games of Rummy: best, mean and worst by the number of cards. Needs the extra `plots`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from benchmarks.leaderboard_picture import COLOURS, MARKERS, STYLE
from handful._files import write_whole
from handful.rummy import SpreadFigures, Summary

RULES = {"low": "aces low", "high": "aces high or low", "wrap": "round the corner"}


def draw(games: Sequence[tuple[Summary, SpreadFigures]], path: Path) -> None:
    """Write the picture: for each game a line from the best hand to the worst, and a mark for the mean of all deals.

    A thin line says how far the turns of a deal are spread: one standard deviation to either side of the mean. Where
    matplotlib is missing nothing is drawn, and that is said.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        print("No picture: it needs matplotlib (pip install 'handful[plots]').")
        return
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for place, (rule, name) in enumerate(RULES.items()):
            own = [(game, spread) for game, spread in games if game.aces == rule]
            x = [game.cards + 0.22 * (place - 1) for game, _ in own]
            means, sds = [game.mean for game, _ in own], [spread.sd_of_turns for _, spread in own]
            colour = COLOURS[place]
            best, worst = [game.best for game, _ in own], [game.worst for game, _ in own]
            axes.vlines(x, best, worst, colour, linewidth=5, alpha=0.45)
            axes.errorbar(
                x, means, yerr=sds, color=colour, marker=MARKERS[place], linestyle="none", capsize=2, label=name
            )
        axes.set_xticks(sorted({game.cards for game, _ in games}))
        axes.set_xlabel("cards in hand")
        axes.set_ylabel("turns until the hand melds")
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", alpha=0.3)
        axes.legend(frameon=False, loc="upper right")
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None})
    write_whole(path, data.getvalue())
