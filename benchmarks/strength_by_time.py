"""Claim: so many games are perfect, if a bot may think so long.

``python -m benchmarks.strength_by_time [games] [file] [--seconds SECONDS]`` plays `search` and its blueprints with
budgets from a tenth of a millisecond to a minute a game, and writes a table and a picture into docs/search.md. A line
takes at most `--seconds` of CPU time. Finished games are kept in the file: a run that was interrupted goes on where it
stopped, and more games add to those that are there; lines of which there are no games yet are left out.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.leaderboard_picture import COLOURS, MARKERS, STYLE
from benchmarks.search_players import perfect
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful._files import write_whole
from handful.lab import Simulation, simulate
from handful.lab.store import Store, open_store

SEED = 4_000_037  # of no game that any setting was chosen by
CHUNK = 10
HEADER = ["players", "bot", "games", "perfect", "struck out", "mean", "CPU s a game"]
TWO = (
    "conventions",
    "learned",
    "search(blueprint=learned, worlds=12, hands=12, back=3)",
    "search(blueprint=learned)",
    "search",
    "search(worlds=800, hands=2000)",
    "search(worlds=4000, hands=12000)",
)
MORE = (
    "information",
    "search(worlds=60)",
    "search",
    "search(worlds=1500, deck=50)",
    "search(worlds=8000, deck=50)",
)
BOTS = {2: TWO, 3: MORE, 4: MORE, 5: MORE}


class Known(NamedTuple):
    """What others have published: perfect games in per cent, CPU seconds a game."""

    who: str
    players: int
    perfect: float
    seconds: float


# Lerer et al. 2020, as the study in benchmarks/published_bots.csv has it: 90 core hours a game.
PUBLISHED = (Known("two searching players on a learned policy (Lerer et al. 2020)", 2, 75.5, 90 * 3600.0),)


def play(bot: str, players: int, games: int, seconds: float, store: Store) -> Simulation:
    """Return so many games of a bot, or as many as fit into so much CPU time."""
    count = CHUNK
    result = simulate(bot, games=count, players=players, seed=SEED, workers=1, store=store)
    while count < games and result.cpu_seconds * (count + CHUNK) / count <= seconds:
        fits = int(seconds / (result.cpu_seconds / count)) // CHUNK * CHUNK
        count = min(games, max(count + CHUNK, min(2 * count, fits)))
        result = simulate(bot, games=count, players=players, seed=SEED, workers=1, store=store)
    return result


def row(result: Simulation) -> list[str]:
    """Return a line of the table."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    return [
        str(result.players),
        f"`{result.bot}`",
        f"{result.games:,}",
        perfect(result),
        f"{result.strikeouts / result.games:.2%}",
        f"{result.mean:.3f} ± {half:.3f}",
        f"{result.cpu_seconds / result.games:.3g}",
    ]


def draw(results: Sequence[Simulation], path: Path) -> None:
    """Write the picture: perfect games over the CPU time of a game, a line for each number of players."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.add_subplot()
        for place, players in enumerate(BOTS):
            own = sorted(
                (each for each in results if each.players == players), key=lambda each: each.cpu_seconds / each.games
            )
            if not own:
                continue
            shares = [100 * each.perfect for each in own]
            low = [share - 100 * each.perfect_ci95[0] for share, each in zip(shares, own, strict=True)]
            high = [100 * each.perfect_ci95[1] - share for share, each in zip(shares, own, strict=True)]
            axes.errorbar(
                [each.cpu_seconds / each.games for each in own],
                shares,
                yerr=(low, high),
                color=COLOURS[place],
                marker=MARKERS[place],
                capsize=2,
                label=f"{players} players",
            )
            for known in PUBLISHED:
                if known.players == players:
                    axes.plot(known.seconds, known.perfect, "_", color=COLOURS[place], markersize=14)
                    axes.annotate(known.who, (known.seconds, known.perfect), ha="right", va="top", fontsize=7)
        axes.set_xscale("log")
        axes.set_xlabel("CPU seconds a game")
        axes.set_ylabel("perfect games, %")
        axes.legend(loc="lower right")
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    write_whole(path, out.getvalue())


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and write the table and the picture after each line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=2_000, help="of a line, at most (default: 2000)")
    parser.add_argument("file", type=Path, nargs="?", default=Path(".venv/strength_by_time.sqlite"))
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU time of a line, at most (default: 600)")
    parser.add_argument("--lines", type=int, default=len(TWO), help="so many lines for each number of players")
    options = parser.parse_args(arguments)
    note = (
        f"Measured with `python -m benchmarks.strength_by_time`: the first deals of seed {SEED}, rules `hanab-live`, "
        "one core; ( to ) and ± are of 95 % confidence. No setting was chosen by these deals."
    )
    results: list[Simulation] = []
    with open_store(options.file) as store:
        for number in range(options.lines):
            for players, bots in BOTS.items():
                if number < len(bots):
                    results.append(play(bots[number], players, options.games, options.seconds, store))
                    print(*row(results[-1]), sep="  ", flush=True)
                    lines = [row(each) for each in sorted(results, key=lambda each: each.players)]
                    table = markdown_table(HEADER, lines)
                    replace_table("search.md", "strength by time", f"\n{note}\n\n{table}\n")
                    draw(results, DOCS / "strength_by_time.svg")


if __name__ == "__main__":
    main()
