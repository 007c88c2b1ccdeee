"""Claim: these are the strengths of all bots, on the same deals, beside what others have published.

``python -m benchmarks.leaderboard [games]`` plays every bot of the register with 2 to 5 players, and the stronger ones
in three more variants, and writes docs/leaderboard.md, its picture and its data. Finished games are kept (a second
argument names the file): a run that was interrupted goes on where it stopped, and more games add to those there.
"""

from __future__ import annotations

import csv
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import leaderboard_data
from benchmarks.leaderboard_picture import draw
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.bots.best import best_player, plays_as
from handful.bots.registry import all_bots, player_named
from handful.errors import RulesError
from handful.hanabi.rules import Rules
from handful.hanabi.variants import variant_named
from handful.lab import Simulation, simulate
from handful.lab.store import Store, open_store

SEED = 1000
PLAYERS = (2, 3, 4, 5)
VARIANTS = ("6 Suits", "Rainbow (6 Suits)", "Black (6 Suits)")
WEAK = ("random", "rules")  # not played in further variants
OTHER_SETTINGS = ("rules(reading=text)",)  # beside the settings that bots have if none are given

# A bot that would take longer than this for a line gets fewer games: as many as fit, as a round number.
CPU_SECONDS_A_LINE = 900
ROUND_NUMBERS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
SAMPLE = 20  # games to see how long one takes

PUBLISHED = Path(__file__).parent / "published_bots.csv"
HEADER = ["bot", "games", "mean score", "perfect games", "struck out", "games per CPU second"]


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


def measure(bot: str, variant: str, players: int, games: int, store: Store) -> Simulation | None:
    """Return the result of a bot at a table; None if it does not play there."""
    if variant in VARIANTS and bot.partition("(")[0] in WEAK:
        return None

    def play(count: int) -> Simulation:
        return simulate(bot, players=players, variant=variant, games=count, seed=SEED, store=store)

    try:
        sample = play(min(SAMPLE, games))
    except RulesError:
        return None
    return play(affordable(games, sample.cpu_seconds / sample.games))


def affordable(games: int, seconds_a_game: float) -> int:
    """Return how many games to play: all, or the largest round number that fits, but at least the sample.

    >>> affordable(20_000, 0.001), affordable(20_000, 0.1), affordable(20_000, 100.0)
    (20000, 5000, 20)
    """
    most = int(CPU_SECONDS_A_LINE / seconds_a_game) if seconds_a_game else games
    if most >= games:
        return games
    fitting = [number for number in ROUND_NUMBERS if number <= most]
    return max([min(SAMPLE, games), *fitting])


def row(result: Simulation, is_best: bool) -> list[str]:
    """Return a line of the table."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    low, high = result.perfect_ci95
    return [
        f"`{result.bot}`" + (" (`best`)" if is_best else ""),
        f"{result.games:,}",
        f"{result.mean:.3f} ± {half:.3f}",
        f"{result.perfect:.2%} ({low:.2%} to {high:.2%})",
        f"{result.strikeouts / result.games:.2%}",
        f"{result.games / result.cpu_seconds:,.0f}" if result.cpu_seconds else "–",
    ]


def published_row(figure: Published) -> list[str]:
    """Return a line of the table of others' figures."""
    perfect = f"{figure.perfect} %" if figure.perfect else "–"
    return [figure.who, figure.variant, str(figure.players), figure.mean or "–", perfect, figure.rules, figure.source]


def page(results: Sequence[Simulation], games: int) -> str:
    """Return the tables of the page: one for each variant and number of players, the strongest first."""
    parts = []
    for variant, players in tables():
        here = [result for result in results if (result.variant, result.players) == (variant, players)]
        if here:
            best = best_player(Rules(variant_named(variant), players)).name
            ranked = sorted(here, key=lambda result: (-result.perfect, -result.mean))
            rows = [row(result, result.bot == best) for result in ranked]
            parts.append(f"### {variant}, {players} players\n\n{markdown_table(HEADER, rows)}")
    note = (
        f"Measured with `python -m benchmarks.leaderboard`: {games:,} games a line, deals 0 to {games - 1:,} of seed "
        f"{SEED}, rules `hanab-live`. A bot that would take longer than {CPU_SECONDS_A_LINE // 60} CPU minutes for a "
        "line plays fewer of them, as the second column says. ± and ( to ) are of 95 % confidence; Python "
        f"{platform.python_version()}."
    )
    return "\n\n".join([note, *parts])


def main(games_text: str = "20000", path: str = ".venv/leaderboard.sqlite") -> None:
    """Play, and write the page and its picture."""
    games, results = int(games_text), []
    with open_store(Path(path)) as store:
        for variant, players in tables():
            for bot in bots():
                result = measure(bot, variant, players, games, store)
                if result is not None:
                    results.append(result)
                    print(variant, players, *row(result, False), sep="  ", flush=True)
    replace_table("leaderboard.md", "leaderboard", f"\n{page(results, games)}\n")
    leaderboard_data.main()
    header = ["who", "variant", "players", "mean score", "perfect games", "rules", "source"]
    theirs = markdown_table(header, [published_row(figure) for figure in published()])
    replace_table("leaderboard.md", "published", f"\n{theirs}\n")
    known = [
        (figure.players, float(figure.perfect))
        for figure in published()
        if figure.perfect and figure.variant == "No Variant"
    ]
    usual = [result for result in results if result.variant == "No Variant"]
    draw(usual, known, DOCS / "leaderboard.svg")


if __name__ == "__main__":
    main(*sys.argv[1:])
