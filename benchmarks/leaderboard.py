"""Claim: these are the strengths of all bots, on the same deals, beside what others have published.

``python -m benchmarks.leaderboard [games]`` plays every bot of the register with 2 to 5 players, and the stronger ones
in three more variants, and writes docs/leaderboard.md and its picture. With ``--bots uct,cheat`` only these are played,
and the lines of the others stay as they are on the page; with ``--seconds 60`` a line takes at most so much CPU time,
and slow bots play fewer games. Finished games are kept (``--store`` names the file): a run that was interrupted goes on
where it stopped, and more games add to those that are there.
"""

from __future__ import annotations

import argparse
import csv
import platform
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.leaderboard_picture import draw
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.bots.best import best_player, plays_as
from handful.bots.registry import REGISTER, all_bots, player_named
from handful.errors import RulesError
from handful.hanabi.rules import Rules
from handful.hanabi.variants import variant_named
from handful.lab import Simulation, simulate
from handful.lab.store import Store, open_store

SEED = 1000
PLAYERS = (2, 3, 4, 5)
VARIANTS = ("6 Suits", "Rainbow (6 Suits)", "Black (6 Suits)")
USUAL_ONLY = ("random", "rules", "montecarlo", "uct", "cheat", "oracle")  # not played in further variants
OTHER_SETTINGS = ("rules(reading=text)",)  # beside the settings that bots have if none are given

# A bot that would take longer than this for a line gets fewer games: as many as fit, as a round number.
CPU_SECONDS_A_LINE = 900
ROUND_NUMBERS = (40, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
SAMPLE = 20  # games to see how long one takes

PUBLISHED = Path(__file__).parent / "published_bots.csv"
HEADER = ["bot", "games", "mean score", "perfect games", "struck out", "CPU time a game"]
SEES = {"view": "", "hands": ", sees all hands", "everything": ", sees the deck"}


class Published(NamedTuple):
    """A figure of others: mean score or perfect games in per cent, as text, empty if not given."""

    who: str
    players: int
    variant: str
    mean: str
    perfect: str
    rules: str
    source: str


def published() -> list[Published]:
    """Return the figures of others."""
    with PUBLISHED.open(newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [Published(**{**row, "players": int(row["players"])}) for row in rows]  # type: ignore[arg-type]


def bots() -> list[str]:
    """Return whom to play: all bots but the alias, with the other settings right behind their bot."""
    names = [entry.name for entry in all_bots() if plays_as(player_named(entry.name), Rules(players=6)) is None]
    return [each for name in names for each in (name, *(o for o in OTHER_SETTINGS if o.startswith(f"{name}(")))]


def tables() -> Iterator[tuple[str, int]]:
    """Yield the games: variant and number of players."""
    for variant in ("No Variant", *VARIANTS):
        for players in PLAYERS:
            yield variant, players


class Line(NamedTuple):
    """A line of the table: what a bot did with so many players. Intervals are of 95 %."""

    variant: str
    players: int
    bot: str
    games: int
    mean: float
    mean_half: float
    perfect: float
    perfect_ci95: tuple[float, float]
    struck_out: float
    seconds: float  # CPU time a game

    @staticmethod
    def of(result: Simulation) -> Line:
        """Return the line of a result."""
        return Line(
            result.variant,
            result.players,
            result.bot,
            result.games,
            result.mean,
            (result.mean_ci95[1] - result.mean_ci95[0]) / 2,
            result.perfect,
            result.perfect_ci95,
            result.strikeouts / result.games,
            result.cpu_seconds / result.games,
        )


def measure(
    bot: str, variant: str, players: int, games: int, store: Store, seconds: float = CPU_SECONDS_A_LINE
) -> Simulation | None:
    """Return the result of a bot at a table; None if it does not play there."""
    if variant in VARIANTS and bot.partition("(")[0] in USUAL_ONLY:
        return None

    def play(count: int) -> Simulation:
        return simulate(bot, players=players, variant=variant, games=count, seed=SEED, store=store)

    try:
        sample = play(min(SAMPLE, games))
    except RulesError:
        return None
    return play(affordable(games, sample.cpu_seconds / sample.games, seconds))


def affordable(games: int, seconds_a_game: float, seconds: float = CPU_SECONDS_A_LINE) -> int:
    """Return how many games to play: all, or the largest round number that fits, but at least the sample.

    >>> affordable(20_000, 0.001), affordable(20_000, 0.1), affordable(20_000, 100.0)
    (20000, 5000, 20)
    """
    most = int(seconds / seconds_a_game) if seconds_a_game else games
    if most >= games:
        return games
    fitting = [number for number in ROUND_NUMBERS if number <= most]
    return max([min(SAMPLE, games), *fitting])


def row(line: Line, is_best: bool) -> list[str]:
    """Return a line of the table as text."""
    low, high = line.perfect_ci95
    entry = REGISTER.get(line.bot.partition("(")[0])
    return [
        f"`{line.bot}`" + (" (`best`)" if is_best else "") + SEES["view" if entry is None else entry.sees],
        f"{line.games:,}",
        f"{line.mean:.3f} ± {line.mean_half:.3f}",
        f"{line.perfect:.2%} ({low:.2%} to {high:.2%})",
        f"{line.struck_out:.2%}",
        time_text(line.seconds),
    ]


def time_text(seconds: float) -> str:
    """Return a time with its unit.

    >>> time_text(0.00028), time_text(0.0123), time_text(1.5)
    ('0.28 ms', '12.3 ms', '1.50 s')
    """
    if seconds >= 1.0:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-5 else f"{1e6 * seconds:.3g} µs"


_TABLE = re.compile(r"### (.+), (\d) players\n\n((?:\|.*\n?)+)")
_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


def lines_of_page(text: str) -> list[Line]:
    """Return the lines of a page that was written before, so that those that are not measured again stay on it."""
    lines = []
    for variant, players, table in _TABLE.findall(text):
        header, _, *rows = (
            [cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.strip().split("\n")
        )
        for cells in rows:
            mean, half = (float(each) for each in cells[2].split(" ± "))
            shares = [float(each) / 100 for each in re.findall(r"([\d.]+)%", cells[3])]
            if header[5] == "games per CPU second":  # as it was once written
                seconds = 1.0 / float(cells[5].replace(",", ""))
            else:
                number, unit = cells[5].split()
                seconds = float(number) * _UNITS[unit]
            lines.append(
                Line(
                    variant,
                    int(players),
                    cells[0].split("`")[1],
                    int(cells[1].replace(",", "")),
                    mean,
                    half,
                    shares[0],
                    (shares[1], shares[2]),
                    float(cells[4].rstrip("%")) / 100,
                    seconds,
                )
            )
    return lines


def published_row(figure: Published) -> list[str]:
    """Return a line of the table of others' figures."""
    perfect = f"{figure.perfect} %" if figure.perfect else "–"
    return [figure.who, figure.variant, str(figure.players), figure.mean or "–", perfect, figure.rules, figure.source]


def page(lines: Sequence[Line], games: int) -> str:
    """Return the tables of the page: one for each variant and number of players, the strongest first."""
    parts = []
    for variant, players in tables():
        here = [line for line in lines if (line.variant, line.players) == (variant, players)]
        if here:
            best = best_player(Rules(variant_named(variant), players)).name
            ranked = sorted(here, key=lambda line: (-line.perfect, -line.mean))
            rows = [row(line, line.bot == best) for line in ranked]
            parts.append(f"### {variant}, {players} players\n\n{markdown_table(HEADER, rows)}")
    note = (
        f"Measured with `python -m benchmarks.leaderboard`: {games:,} games a line, deals 0 to {games - 1:,} of seed "
        f"{SEED}, rules `hanab-live`. Bots that take long play the first of these deals, as many as the second column "
        "says. Those that see all hands or the deck do not play by the rules of the game: they are ceilings. ± and "
        f"( to ) are of 95 % confidence; Python {platform.python_version()}."
    )
    return "\n\n".join([note, *parts])


def main(games: int, path: Path, only: Sequence[str], seconds: float) -> None:
    """Play, and write the page and its picture after each line."""
    kept = lines_of_page((DOCS / "leaderboard.md").read_text())
    lines = {(line.variant, line.players, line.bot): line for line in kept} if only else {}
    with open_store(path) as store:
        for variant, players in tables():
            for bot in bots():
                if not only or bot.partition("(")[0] in only:
                    result = measure(bot, variant, players, games, store, seconds)
                    if result is not None:
                        line = lines[variant, players, bot] = Line.of(result)
                        print(variant, players, *row(line, False), sep="  ", flush=True)
    most = max(line.games for line in lines.values())
    replace_table("leaderboard.md", "leaderboard", f"\n{page(list(lines.values()), most)}\n")
    header = ["who", "variant", "players", "mean score", "perfect games", "rules", "source"]
    theirs = markdown_table(header, [published_row(figure) for figure in published()])
    replace_table("leaderboard.md", "published", f"\n{theirs}\n")
    known = [
        (figure.players, float(figure.perfect))
        for figure in published()
        if figure.perfect and figure.variant == "No Variant"
    ]
    order = {bot: place for place, bot in enumerate(bots())}
    usual = [line for line in lines.values() if line.variant == "No Variant"]
    draw(sorted(usual, key=lambda line: order.get(line.bot, 0)), known, DOCS / "leaderboard.svg")


def parse() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--bots", default="", help="only these, with commas; the lines of the others stay")
    parser.add_argument("--seconds", type=float, default=CPU_SECONDS_A_LINE, help="CPU time for a line")
    parser.add_argument("--store", type=Path, default=Path(".venv/leaderboard.sqlite"))
    return parser.parse_args()


if __name__ == "__main__":
    chosen = parse()
    main(chosen.games, chosen.store, [name for name in chosen.bots.split(",") if name], chosen.seconds)
