"""Claim: these are the strengths of all bots, on the same deals, beside what others have published.

``python -m benchmarks.leaderboard [games]`` plays every bot of the register with 2 to 5 players, and the stronger ones
in three more variants, and writes the leaderboard that the package has as data, docs/leaderboard.md and its picture.
With ``--bots uct,cheat`` only these are played, and with ``--players 2`` only games of two: the other lines stay as
they are. With ``--seconds 60`` a line takes at most so much CPU time, and slow bots play fewer games. Finished games
are kept (``--store`` names the file): a run that was interrupted goes on where it stopped, and more games add to those
that are there.
"""

from __future__ import annotations

import argparse
import csv
import platform
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from benchmarks.leaderboard_picture import draw
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful._files import write_whole
from handful.bots.best import plays_as
from handful.bots.players import REGISTER, all_bots, player_named
from handful.errors import RulesError
from handful.hanabi.rules import Rules
from handful.lab import Simulation, simulate
from handful.lab.leaderboard import FILE, Standing, standings, standings_text, time_text
from handful.lab.store import Store, open_store

SEED = 1000
PLAYERS = (2, 3, 4, 5)
VARIANTS = ("6 Suits", "Rainbow (6 Suits)", "Black (6 Suits)")
# Not played in further variants: `learned` is `conventions` there.
USUAL_ONLY = ("random", "rules", "learned", "montecarlo", "uct", "search", "cheat", "oracle")
OTHER_SETTINGS = ("rules(reading=text)",)  # beside the settings that bots have if none are given

# A bot that would take longer than this for a line gets fewer games: as many as fit, as a round number.
CPU_SECONDS_A_LINE = 900
ROUND_NUMBERS = (40, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
SAMPLE = 20  # games to see how long one takes

MEASURED = Path(__file__).parent.parent / "src/handful/lab" / FILE
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


def row(line: Standing) -> list[str]:
    """Return a line of the table as text."""
    entry = REGISTER.get(line.bot.partition("(")[0])
    return [
        f"`{line.bot}`" + (" (`best`)" if line.is_best else "") + SEES["view" if entry is None else entry.sees],
        f"{line.games:,}",
        f"{line.mean:.3f} ± {line.half_width:.3f}",
        f"{line.perfect:.2%} ({line.low:.2%} to {line.high:.2%})",
        f"{line.struck_out:.2%}",
        time_text(line.seconds),
    ]


def published_row(figure: Published) -> list[str]:
    """Return a line of the table of others' figures."""
    perfect = f"{figure.perfect} %" if figure.perfect else "–"
    return [figure.who, figure.variant, str(figure.players), figure.mean or "–", perfect, figure.rules, figure.source]


def ranked(lines: Iterable[Standing]) -> list[Standing]:
    """Return the lines table by table, the strongest first."""
    order = {table: place for place, table in enumerate(tables())}
    return sorted(lines, key=lambda line: (order[line.variant, line.players], -line.perfect, -line.mean))


def page(lines: Sequence[Standing]) -> str:
    """Return the tables of the page: one for each variant and number of players, the strongest first."""
    parts = []
    games = max(line.games for line in lines)
    for (variant, players), here in groupby(ranked(lines), key=lambda line: (line.variant, line.players)):
        parts.append(f"### {variant}, {players} players\n\n{markdown_table(HEADER, [row(line) for line in here])}")
    note = (
        f"Measured with `python -m benchmarks.leaderboard`: {games:,} games a line, deals 0 to {games - 1:,} of seed "
        f"{SEED}, rules `hanab-live`. Bots that take long play the first of these deals, as many as the second column "
        "says. Those that see all hands or the deck do not play by the rules of the game: they are ceilings. ± and "
        f"( to ) are of 95 % confidence; Python {platform.python_version()}."
    )
    return "\n\n".join([note, *parts])


def main(games: int, path: Path, only: Sequence[str], seconds: float, numbers: Sequence[int] = PLAYERS) -> None:
    """Play, and write the data, the page and its picture after each line."""
    is_part = bool(only) or set(numbers) != set(PLAYERS)
    lines = {(line.variant, line.players, line.bot): line for line in standings()} if is_part else {}
    with open_store(path) as store:
        for variant, players in tables():
            for bot in bots():
                if players in numbers and (not only or bot.partition("(")[0] in only):
                    result = measure(bot, variant, players, games, store, seconds)
                    if result is not None:
                        line = lines[variant, players, bot] = Standing.of(result)
                        print(variant, players, *row(line), sep="  ", flush=True)
    write(ranked(lines.values()))


def write(lines: Sequence[Standing]) -> None:
    """Write the data, the page and the picture."""
    write_whole(MEASURED, standings_text(lines).encode())
    replace_table("leaderboard.md", "leaderboard", f"\n{page(lines)}\n")
    header = ["who", "variant", "players", "mean score", "perfect games", "rules", "source"]
    theirs = markdown_table(header, [published_row(figure) for figure in published()])
    replace_table("leaderboard.md", "published", f"\n{theirs}\n")
    known = [
        (figure.players, float(figure.perfect))
        for figure in published()
        if figure.perfect and figure.variant == "No Variant"
    ]
    order = {bot: place for place, bot in enumerate(bots())}
    usual = [line for line in lines if line.variant == "No Variant"]
    draw(sorted(usual, key=lambda line: order.get(line.bot, 0)), known, DOCS / "leaderboard.svg")


def parse() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--bots", default="", help="only these, with commas; the lines of the others stay")
    parser.add_argument("--players", type=int, nargs="*", default=PLAYERS, help="only with so many; the others stay")
    parser.add_argument("--seconds", type=float, default=CPU_SECONDS_A_LINE, help="CPU time for a line")
    parser.add_argument("--store", type=Path, default=Path(".venv/leaderboard.sqlite"))
    return parser.parse_args()


if __name__ == "__main__":
    chosen = parse()
    named = [name for name in chosen.bots.split(",") if name]
    main(chosen.games, chosen.store, named, chosen.seconds, chosen.players)
