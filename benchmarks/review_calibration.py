"""Measure how far to trust the chances of a review, for docs/review.md: ``python -m benchmarks.review_calibration``.

A position is a turn drawn from a game of a bot with itself. What the review says of it is the share of worlds that the
reference team wins after the best action found, by what the player to move can know; what comes is whether that team
wins from there, after that action, as the cards really lie. The race for that action is short: how good it is is
measured afresh, and that is what is compared. Every bot and number of players has as many positions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from rich.progress import track

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi import Deal, Rules
from handful.lab.review.judge import Effort, Judge
from handful.lab.review.trust import Trust
from handful.lab.statistics import wilson_interval
from handful.splitmix import SplitMix64

SEED = 640_113
EFFORT = Effort(first=6, most=12, measured=100)  # whatever action is found: what is said of it is measured afresh
A_GAME = 4  # positions of each game
BOTS = {
    2: ("random", "rules", "rules(reading=text)", "partner", "information", "conventions"),
    3: ("random", "rules", "rules(reading=text)", "partner", "information"),
    4: ("random", "rules", "rules(reading=text)", "partner", "hat-2018", "information"),
    5: ("random", "rules", "rules(reading=text)", "partner", "hat-2018", "information"),
}
LEAST = 500  # positions of a decile that is to be judged
HEADER = ("said", "positions", "mean said", "won", "off by, in points")


class Position(NamedTuple):
    """What was said of a position, and whether it was won."""

    players: int
    bot: str
    turn: int
    said: float
    is_won: bool


def positions(count: int) -> Iterator[Position]:
    """Yield so many positions: a few of a game of the first bot, of the next one, and so on."""
    tables = [(players, bot) for players, bots in BOTS.items() for bot in bots]
    judges = {players: Judge(Rules(players=players), seed=SEED) for players in BOTS}
    for number in range(count // A_GAME):
        players, bot = tables[number % len(tables)]
        rules, judge = Rules(players=players), judges[players]
        game = play_game(Deal.from_seed(rules, SEED, number), [player_named(bot).plain] * players, SEED, number)
        states = [game.after(turn) for turn in range(len(game.history) + 1)]
        trust, chance = Trust(states), SplitMix64(SEED, number)
        for _ in range(A_GAME):
            turn = chance.below(len(game.history))
            found = judge.best(states[turn], game.history[turn].action, EFFORT, trust.of(turn + 1))
            is_won = judge.outcome(states[turn], found.action) == rules.max_score
            yield Position(players, bot, turn, found.chance, is_won)


def rows(found: list[Position]) -> Iterator[list[str]]:
    """Yield a row of the table for each decile."""
    for decile in range(10):
        inside = [each for each in found if min(9, int(10 * each.said)) == decile]
        if not inside:
            continue
        said, won = sum(each.said for each in inside) / len(inside), sum(each.is_won for each in inside)
        low, high = wilson_interval(won, len(inside))
        share = won / len(inside)
        yield [
            f"{10 * decile} to {10 * decile + 10} %",
            f"{len(inside):,}",
            f"{said:.1%}",
            f"{share:.1%} ({low:.1%} to {high:.1%})",
            f"{100 * (share - said):+.1f}" if len(inside) >= LEAST else f"({100 * (share - said):+.1f})",
        ]


def write(found: list[Position]) -> None:
    """Write the table into the page."""
    note = (
        f"Measured with `python -m benchmarks.review_calibration {len(found)}`: {len(found):,} positions, {A_GAME} of "
        f"each game of seed {SEED}, {EFFORT.measured} worlds a position. ( to ) is of 95 %; deciles of fewer than "
        f"{LEAST} positions in brackets."
    )
    replace_table("review.md", "calibration", f"\n{note}\n\n{markdown_table(HEADER, list(rows(found)))}\n")


def main(count: str = "20000") -> None:
    """Measure so many positions."""
    write(list(track(positions(int(count)), "positions", int(count))))


if __name__ == "__main__":
    main(*sys.argv[1:])
