"""Claim: this is what a million of anything costs, and 10-card Rummy.

``python -m benchmarks.scaling_costs`` measures a few seconds of each on one core, multiplies, and writes the table of
docs/scaling.md. Rummy tables that are on disk count with the time that they took; the others are estimated.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi import Deal, Record, Rules
from handful.lab import simulate
from handful.playability import analyse
from handful.playability.deals.solve import quick_methods, solve
from handful.rummy.answers import open_answers
from handful.rummy.game import Game
from handful.rummy.solver.solve import estimate

MILLION = 1_000_000
BOTS = ("rules", "recommendation", "hat", "information")
GAMES = {"rules": 20_000, "recommendation": 20_000, "hat": 2_000, "information": 2_000}


def span(seconds: float) -> str:
    """Return a time in words.

    >>> span(0.03), span(42), span(600), span(9000), span(200_000)
    ('0.03 s', '42 s', '10 minutes', '2.5 hours', '2.3 days')
    """
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}" if seconds >= 10 * size else f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


def row(what: str, units: str, a_unit: float, count: int = MILLION) -> list[str]:
    """Return a line: CPU seconds of one unit, and the time that a million of them take."""
    total = a_unit * count
    return [what, f"{1 / a_unit:,.0f} {units}", span(total), span(total / 8), span(total / 1_000)]


def timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def games_of(bot: str, games: int) -> list[Record]:
    """Return games of a bot as records, as they would come from a server."""
    rules = Rules(players=3)
    maker = player_named(bot).plain
    states = [play_game(Deal.from_seed(rules, 3, number), [maker] * 3, 3, number) for number in range(games)]
    return [Record.from_state(state) for state in states]


def decide(deals: int) -> None:
    """Decide whether deals can be won, as `handful winnable` does."""
    rules = Rules(players=3)
    for number, method in enumerate(quick_methods(rules, 0, 0, deals)):
        if method is None:
            solve(Deal.from_seed(rules, 0, number))


def rummy_rows() -> list[list[str]]:
    """Return what tables cost: measured if they are on disk, otherwise estimated."""
    rows = []
    for cards in (7, 8, 9, 10):
        told = estimate(cards, "low")
        table = open_answers(Game(cards, "low"))
        seconds = told.seconds if table is None else table.summary().cpu_seconds
        memory = told.memory_mb if table is None else table.summary().peak_memory_mb
        how = "estimated" if table is None else "measured"
        kinds = f"{told.kinds:,}"
        rows.append(
            [f"{cards} cards, aces low", kinds, span(seconds), f"{memory:,.0f} MB", f"{told.disk_mb:,.0f} MB", how]
        )
    return rows


def main() -> None:
    """Measure, and write the tables."""
    rows = []
    for bot in BOTS:
        simulate(bot, players=3 if bot in ("rules", "information") else 5, games=10, workers=1)
        result = simulate(bot, players=3 if bot in ("rules", "information") else 5, games=GAMES[bot], workers=1)
        rows.append(row(f"games of `{bot}`, {result.players} players", "games", result.cpu_seconds / result.games))
    decide(2_000)
    rows.append(row("deals decided (3 players)", "deals", timed(lambda: decide(20_000)) / 20_000))
    records = games_of("rules", 40)
    analyse(records[0])
    taken = timed(lambda: [analyse(record) for record in records])
    rows.append(row("replays analysed, turn by turn (3 players)", "replays", taken / len(records)))
    header = ["a million …", "a CPU second", "one core", "one machine of 8 cores", "a cluster of 1,000 cores"]
    note = (
        "Measured with `python -m benchmarks.scaling_costs` on one core of a small server with other work on it; the "
        "other columns are that divided by the cores."
    )
    replace_table("scaling.md", "a million", f"\n{note}\n\n{markdown_table(header, rows)}\n")
    header = ["table", "entries", "CPU time", "memory", "on disk", ""]
    replace_table("scaling.md", "rummy costs", f"\n{markdown_table(header, rummy_rows())}\n")
    for line in rows:
        print(*line, sep="  ")


if __name__ == "__main__":
    main()
