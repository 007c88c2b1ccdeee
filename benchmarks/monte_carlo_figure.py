"""Claim: the bot `montecarlo` plays as the published one, whose Figure 3 varies the depth and the number of play-outs.

``python -m benchmarks.monte_carlo_figure [games]`` plays every point, and writes the table of docs/thinking-players.md
and docs/monte_carlo.svg. Finished games are kept (``--store`` names the file): a run that was interrupted goes on where
it stopped, and more games add to those that are there. With ``--finished`` nothing is played: the table and the picture
are made of the games that are finished, for points with at least 100 of them, as many as the paper has.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.leaderboard_picture import COLOURS, STYLE
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful._files import write_whole
from handful.lab import Simulation, simulate
from handful.lab.games import chunks_of, make_plan
from handful.lab.store import Store, open_store

SEED = 2016
RULES = "thesis"
DEPTHS = (1, 2, 3, 5, 8)  # with 500 play-outs
PLAYOUTS = (20, 50, 100, 200, 500, 1000)  # with a depth of 5
USUAL_DEPTH, USUAL_PLAYOUTS = 5, 500
PAPERS_GAMES = 100
PUBLISHED = Path(__file__).parent / "published_monte_carlo.csv"


class Point(NamedTuple):
    """A point of the figure: play-outs for each action, and turns that they look ahead."""

    playouts: int
    depth: int


def points() -> list[Point]:
    """Return the points of both halves of the figure, each once: first those with a published average."""
    both = {Point(USUAL_PLAYOUTS, depth) for depth in DEPTHS} | {Point(each, USUAL_DEPTH) for each in PLAYOUTS}
    return sorted(both, key=lambda point: (point not in published(), point.playouts * point.depth))


def published() -> dict[Point, float]:
    """Return the averages that the text states."""
    with PUBLISHED.open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {Point(int(row["playouts"]), int(row["depth"])): float(row["mean"]) for row in rows}


def row(point: Point, result: Simulation) -> list[str]:
    """Return a line of the table."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    theirs = published().get(point)
    return [
        f"{point.playouts:,}",
        str(point.depth),
        f"{result.games:,}",
        f"{result.mean:.2f} ± {half:.2f}",
        f"{result.sd:.2f}",
        f"{result.min} to {result.max}",
        f"{result.strikeouts / result.games:.1%}",
        f"{result.cpu_seconds / result.games:.2f} s",
        "–" if theirs is None else f"{theirs:.1f}",
        "–" if theirs is None else f"{result.mean - theirs:+.2f}",
    ]


def draw(results: dict[Point, Simulation], path: Path) -> None:
    """Write the picture: both halves of the figure, ours with 95 % intervals and standard deviations, theirs beside."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        print("No picture: it needs matplotlib (pip install 'handful[plots]').")
        return
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 4), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        _half(left, [(at.depth, result) for at, result in sorted(results.items()) if at.playouts == USUAL_PLAYOUTS])
        _half(right, [(at.playouts, result) for at, result in sorted(results.items()) if at.depth == USUAL_DEPTH])
        theirs = published()
        for axes, field in ((left, "depth"), (right, "playouts")):
            there = [point for point in theirs if axes is right or point.playouts == USUAL_PLAYOUTS]
            axes.plot(
                [getattr(point, field) for point in there],
                [theirs[point] for point in there],
                "x",
                color=COLOURS[1],
                markersize=9,
                label="published",
            )
        left.set_xlabel(f"D: turns ahead, with {USUAL_PLAYOUTS} play-outs")
        right.set_xlabel(f"play-outs for each action, with D = {USUAL_DEPTH}")
        right.set_xscale("log")
        left.set_ylabel("mean score")
        left.set_ylim(0, 20)
        left.legend(frameon=False, loc="lower right")
        title = "Monte Carlo player, 3 players; thick: 95 % confidence of the mean; thin: standard deviation"
        figure.suptitle(title, fontsize=11, fontweight="bold", x=0.01, ha="left")
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    write_whole(path, drawn.getvalue())


def _half(axes: Any, ours: Sequence[tuple[int, Simulation]]) -> None:
    """Draw one half: the mean at each place, with its interval and the standard deviation of a game."""
    places, means = [place for place, _ in ours], [result.mean for _, result in ours]
    halves = [(result.mean_ci95[1] - result.mean_ci95[0]) / 2 for _, result in ours]
    spreads = [result.sd for _, result in ours]
    axes.errorbar(places, means, spreads, color="#999999", linewidth=0.8, capsize=2, linestyle="none")
    axes.errorbar(places, means, halves, color=COLOURS[0], linewidth=1, elinewidth=2.5, marker="o", label="ours")
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)


def write(results: dict[Point, Simulation], command: str) -> None:
    """Write the table and the picture of the points that have been played."""
    header = ["play-outs", "D", "games", "mean", "sd", "scores", "struck out", "CPU time", "published", "deviation"]
    note = f"Measured with `{command}`: 3 players, rules `{RULES}`, seed {SEED}; CPU time is that of a game."
    in_order = sorted(results.items(), key=lambda each: (each[0].playouts != USUAL_PLAYOUTS, each[0]))
    lines = [row(point, result) for point, result in in_order]
    replace_table("thinking-players.md", "monte carlo", f"\n{note}\n\n{markdown_table(header, lines)}\n")
    draw(results, DOCS / "monte_carlo.svg")


def finished_games(bot: str, games: int, store: Store) -> int:
    """Return how many of the first games of a bot are finished in the store, at most so many."""
    plan = make_plan(bot, 3, "No Variant", RULES, SEED)
    finished, count = store.finished(plan), 0
    for chunk in chunks_of(plan, games):
        if chunk not in finished:
            break
        count += chunk.count
    return count


def main(games: int, path: Path, plays: bool) -> None:
    """Play all points, or take what is finished of them, and write the table and the picture after each."""
    results = {}
    with open_store(path) as store:
        for point in points():
            bot = f"montecarlo(playouts={point.playouts}, depth={point.depth})"
            count = games if plays else finished_games(bot, games, store)
            if count >= min(games, PAPERS_GAMES):
                results[point] = simulate(bot, players=3, games=count, seed=SEED, rules=RULES, store=store)
                print(*row(point, results[point]), sep="  ", flush=True)
                write(results, "python -m benchmarks.monte_carlo_figure")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", type=int, default=1000)
    parser.add_argument("--finished", action="store_true", help="play nothing, write what is finished")
    parser.add_argument("--store", type=Path, default=Path(".venv/monte-carlo.sqlite"))
    chosen = parser.parse_args()
    main(chosen.games, chosen.store, not chosen.finished)
