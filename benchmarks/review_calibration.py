"""Measure how far to trust the chances of a review, for docs/review.md.

``python -m benchmarks.review_calibration [POSITIONS] [FILE]``; with a file, an interrupted run goes on.

A position is a turn drawn from a game of a bot with itself. What the review says of it is the share of worlds that the
reference team wins after the best action found, by what the player to move can know; what comes is how often that team
wins from there, after that action, with all hands as they really are. Nothing that was done hangs on the order of the
deck that is left, which nobody has seen: it was one of many, all as likely, and the team plays on in some of them,
whose mean says more than a single game. (*As it lay* is that single game.) The race for the action is short: how good
it is is measured afresh, and that is what is compared. Every bot and number of players has as many positions.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from rich.progress import track

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi import Deal, Rules
from handful.lab.review.judge import Effort, Judge
from handful.lab.review.manner import Manners
from handful.splitmix import SplitMix64

SEED = 871_240
EFFORT = Effort(first=6, most=12, measured=100)  # whatever action is found: what is said of it is measured afresh
DECKS = 24  # in which the team plays on with the hands as they are
A_GAME = 4  # positions of each game
BOTS = {
    2: ("random", "rules", "rules(reading=text)", "partner", "information", "conventions"),
    3: ("random", "rules", "rules(reading=text)", "partner", "information"),
    4: ("random", "rules", "rules(reading=text)", "partner", "hat-2018", "information"),
    5: ("random", "rules", "rules(reading=text)", "partner", "hat-2018", "information"),
}
LEAST = 500  # positions of a decile that is to be judged
HEADER = ("said", "positions", "mean said", "won", "off by, in points", "won as it lay")
BOT_HEADER = ("games of", "positions", "off by, in points")
OPEN = (0.2, 0.92)


class Position(NamedTuple):
    """What was said of a position, how often it was won in deals of the deck, and whether in the one it had."""

    players: int
    bot: str
    turn: int
    said: float
    share_won: float
    is_won: bool


@cache
def judge_of(players: int) -> Judge:
    """Return the judge of this process for so many players."""
    return Judge(Rules(players=players), seed=SEED)


def positions_of(number: int) -> list[Position]:
    """Return a few positions of a game: the first one is of the first bot, the next of the next, and so on."""
    tables = [(players, bot) for players, bots in BOTS.items() for bot in bots]
    players, bot = tables[number % len(tables)]
    rules, judge = Rules(players=players), judge_of(players)
    game = play_game(Deal.from_seed(rules, SEED, number), [player_named(bot).plain] * players, SEED, number)
    states = [game.after(turn) for turn in range(len(game.history) + 1)]
    manners, chance, found = Manners(states), SplitMix64(SEED, number), []
    for _ in range(A_GAME):
        turn = chance.below(len(game.history))
        best = judge.best(states[turn], game.history[turn].action, EFFORT, manners.of(turn + 1))
        is_won = judge.outcome(states[turn], best.action) == rules.max_score
        share_won = judge.share_won(states[turn], best.action, DECKS)
        found.append(Position(players, bot, turn, best.chance, share_won, is_won))
    return found


def rows(found: list[Position]) -> Iterator[list[str]]:
    """Yield a row of the table for each decile."""
    for decile in range(10):
        inside = [each for each in found if min(9, int(10 * each.said)) == decile]
        if len(inside) > 1:
            off, half = mean_and_half([each.share_won - each.said for each in inside])
            figures = f"{100 * off:+.1f} ± {100 * half:.1f}"
            yield [
                f"{10 * decile} to {10 * decile + 10} %",
                f"{len(inside):,}",
                f"{fmean(each.said for each in inside):.1%}",
                f"{fmean(each.share_won for each in inside):.1%}",
                figures if len(inside) >= LEAST else f"({figures})",
                f"{fmean(each.is_won for each in inside):.1%}",
            ]


def bot_rows(found: list[Position]) -> Iterator[list[str]]:
    """Yield a row for the positions of each bot, of those whose end is open."""
    for bot in dict.fromkeys(each.bot for each in found):
        inside = [each for each in found if each.bot == bot and OPEN[0] <= each.said < OPEN[1]]
        if len(inside) > 1:
            off, half = mean_and_half([each.share_won - each.said for each in inside])
            yield [f"`{bot}`", f"{len(inside):,}", f"{100 * off:+.1f} ± {100 * half:.1f}"]


def mean_and_half(values: list[float]) -> tuple[float, float]:
    """Return the mean of some values, and half of its 95 % interval."""
    return fmean(values), 1.96 * stdev(values) / sqrt(len(values))


def write(found: list[Position]) -> None:
    """Write the table into the page."""
    note = (
        f"Measured with `python -m benchmarks.review_calibration {len(found)}`: {len(found):,} positions, {A_GAME} of "
        f"each game of seed {SEED}, {EFFORT.measured} worlds a position, and {DECKS} deals of the deck; ± is of 95 %; "
        f"deciles of fewer than {LEAST} positions in brackets."
    )
    replace_table("review.md", "calibration", f"\n{note}\n\n{markdown_table(HEADER, list(rows(found)))}\n")
    note = f"The same for the games of each bot, positions of {100 * OPEN[0]:.0f} to {100 * OPEN[1]:.0f} %:"
    replace_table("review.md", "by bot", f"\n{note}\n\n{markdown_table(BOT_HEADER, list(bot_rows(found)))}\n")


def kept_in(store: Path) -> dict[int, list[Position]]:
    """Return the positions of the games that a file has, by the number of the game, without a line that was cut."""
    found = {}
    for line in store.read_text().splitlines() if store.exists() else ():
        with suppress(json.JSONDecodeError):
            number, positions = json.loads(line)
            found[number] = [Position(*position) for position in positions]
    return found


def main(count: str = "20000", store: str = "") -> None:
    """Measure so many positions, on all cores. A file that is named keeps every finished game: the next run goes on."""
    games, path = range(int(count) // A_GAME), Path(store or os.devnull)
    found = kept_in(path)
    missing = [number for number in games if number not in found]
    with ProcessPoolExecutor() as pool, path.open("a") as file:
        measured = track(pool.map(positions_of, missing, chunksize=8), "games", len(missing))
        for number, some in zip(missing, measured, strict=True):
            found[number] = some
            file.write(f"{json.dumps([number, some])}\n")
            file.flush()
    write([position for number in games for position in found[number]])


if __name__ == "__main__":
    main(*sys.argv[1:])
