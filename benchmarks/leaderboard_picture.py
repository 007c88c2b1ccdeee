"""The picture of the leaderboard: perfect games of all bots by the number of players. Needs the extra `plots`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from handful._files import write_whole

# Okabe and Ito's colours, which colour-blind readers tell apart too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX*"
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "handful",  # the same figures give the same file
}


class Mark(Protocol):
    """A mark of the picture: a bot, the number of players, and its share of perfect games with the 95 % interval."""

    @property
    def bot(self) -> str: ...  # noqa: D102
    @property
    def players(self) -> int: ...  # noqa: D102
    @property
    def perfect(self) -> float: ...  # noqa: D102
    @property
    def perfect_ci95(self) -> tuple[float, float]: ...  # noqa: D102


def draw(results: Sequence[Mark], known: Sequence[tuple[int, float]], path: Path) -> None:
    """Write the picture: a mark with its interval for each bot, and a dash for each figure of others (in per cent).

    Where matplotlib is missing nothing is drawn, and that is said.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        print("No picture: it needs matplotlib (pip install 'handful[plots]').")
        return
    names = list(dict.fromkeys(result.bot for result in results))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.add_subplot()
        for place, name in enumerate(names):
            shift = 0.7 * ((place + 0.5) / len(names) - 0.5)  # side by side within a number of players
            own = [result for result in results if result.bot == name]
            shares = [100 * result.perfect for result in own]
            axes.errorbar(
                [result.players + shift for result in own],
                shares,
                yerr=(
                    [share - 100 * result.perfect_ci95[0] for share, result in zip(shares, own, strict=True)],
                    [100 * result.perfect_ci95[1] - share for share, result in zip(shares, own, strict=True)],
                ),
                color=COLOURS[place % len(COLOURS)],
                marker=MARKERS[place % len(MARKERS)],
                linestyle="none",
                markersize=6,
                capsize=3,
                label=name,
            )
        for number, (players, perfect) in enumerate(known):
            label = "published by others" if number == 0 else ""
            axes.hlines(perfect, players - 0.4, players + 0.4, color="#888888", linewidth=0.9, label=label)
        axes.set_xticks([2, 3, 4, 5], [f"{players} players" for players in (2, 3, 4, 5)])
        axes.set_ylim(-3, 103)
        axes.set_ylabel("perfect games, %")
        axes.set_title("Perfect games, No Variant; bars: 95 % confidence", loc="left", fontweight="bold", fontsize=12)
        axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    write_whole(path, drawn.getvalue())
