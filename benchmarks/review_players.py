"""Measure what reviews say of our bots, for docs/review.md: ``python -m benchmarks.review_players [GAMES] [CLEAR]``.

First the mean loss of a decision of each bot, all playing the same deals: it should order them as docs/leaderboard.md
does. Then, in positions whose best action is clear, how often ten times the worlds find the same best action.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from rich.progress import track

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi import Deal, Rules, State
from handful.lab.review.judge import Effort, Judge
from handful.lab.review.manner import Manners

SEED = 320_779
PLAYERS = 5
BOTS = ("random", "rules", "hat-2018", "information", "search")
EFFORT = Effort(first=8, most=16, measured=64)
CLEAR_PLAYERS = (2, 3, 5)
CLEAR_BOTS = ("rules(reading=text)", "partner")
TIMES = 10
LONG_RACE = replace(Effort().times(TIMES), measured=2)
GLANCE, LEAST_LEAD = Effort(first=8, most=24, measured=48), 0.04
HEADER = ("bot", "games", "decisions", "mean loss, in points", "perfect games")
CLEAR = (
    "players",
    "positions with a lead at a glance",
    "with a clear best action",
    "the same with ten times the worlds",
)


class Lost(NamedTuple):
    """What the decisions of a game cost, all in all, how many they were, and whether the game was won."""

    bot: str
    loss: float
    decisions: int
    is_won: bool


class Clear(NamedTuple):
    """How many positions of a game were judged, for how many of them the best action was clear, and then the same."""

    players: int
    judged: int
    clear: int
    same: int


@cache
def judge_of(players: int) -> Judge:
    """Return the judge of this process for so many players."""
    return Judge(Rules(players=players), seed=SEED)


def game_of(bot: str, players: int, number: int) -> list[State]:
    """Return the positions of a game of a bot with itself, the deal first."""
    made = [player_named(bot).plain] * players
    game = play_game(Deal.from_seed(Rules(players=players), SEED, number), made, SEED, number)
    return [game.after(turn) for turn in range(len(game.history) + 1)]


def lost(which: tuple[str, int]) -> Lost:
    """Return what the decisions of a game of a bot cost; `which` has the number of the game, too."""
    bot, number = which
    states, judge = game_of(bot, PLAYERS, number), judge_of(PLAYERS)
    manners, turns = Manners(states), states[-1].history
    losses = [judge.judge(states[turn.number - 1], turn.action, EFFORT, manners.of(turn.number)).loss for turn in turns]
    return Lost(bot, sum(losses), len(losses), states[-1].score == states[-1].rules.max_score)


def clear(which: tuple[int, int]) -> Clear:
    """Return how often ten times the worlds agree with a clear best action, in the positions of a game.

    Of most positions a few worlds tell that nothing leads by much: only the others are judged as a review does. The
    best action is found in the race alone, so that nothing needs to be measured in ten times the worlds.
    """
    players, number = which
    states, judge = game_of(CLEAR_BOTS[number % len(CLEAR_BOTS)], players, 1_000_000 + number), judge_of(players)
    glancing = Judge(judge.rules, seed=SEED + 1)
    manners, judged, found, same = Manners(states), 0, 0, 0
    for turn in states[-1].history:
        before, manner = states[turn.number - 1], manners.of(turn.number)
        if glancing.judge(before, turn.action, GLANCE, manner).lead >= LEAST_LEAD:
            usual, judged = judge.judge(before, turn.action, Effort(), manner), judged + 1
            if usual.is_clear:
                found += 1
                same += judge.best(before, turn.action, LONG_RACE, manner).action == usual.best.action
    return Clear(players, judged, found, same)


def rows(found: Sequence[Lost]) -> Iterator[list[str]]:
    """Yield the rows of the table of mean losses; games, not decisions, are the sample of its intervals."""
    for bot in BOTS:
        own = [each for each in found if each.bot == bot]
        decisions = sum(each.decisions for each in own)
        mean = sum(each.loss for each in own) / decisions
        half = 1.96 * sqrt(sum((each.loss - mean * each.decisions) ** 2 for each in own)) / decisions
        figures = [f"{len(own)}", f"{decisions:,}", f"{100 * mean:.2f} ± {100 * half:.2f}"]
        yield [f"`{bot}`", *figures, f"{sum(each.is_won for each in own) / len(own):.0%}"]


def clear_rows(found: Sequence[Clear]) -> Iterator[list[str]]:
    """Yield the rows of the table of positions with a clear best action."""
    for players in CLEAR_PLAYERS:
        own = [each for each in found if each.players == players]
        judged, number, same = (sum(getattr(each, name) for each in own) for name in ("judged", "clear", "same"))
        yield [str(players), f"{judged:,}", str(number), f"{same} ({same / number:.1%})" if number else "–"]


def write(losses: Sequence[Lost], clears: Sequence[Clear]) -> None:
    """Write both tables into the page; of no games, the second one stays as it is."""
    games, clear_games = len(losses) // len(BOTS), len(clears) // len(CLEAR_PLAYERS)
    command = f"Measured with `python -m benchmarks.review_players {games} {clear_games}`"
    note = f"{command}: {PLAYERS} players, deals of seed {SEED}, {EFFORT.measured} worlds a decision; ± is of 95 %."
    replace_table("review.md", "mean losses", f"\n{note}\n\n{markdown_table(HEADER, list(rows(losses)))}\n")
    if not clears:
        return
    note = (
        f"{command}: positions of games of {' and '.join(f'`{bot}`' for bot in CLEAR_BOTS)}, judged as a review does, "
        f"and with {TIMES} times the worlds."
    )
    replace_table("review.md", "clear positions", f"\n{note}\n\n{markdown_table(CLEAR, list(clear_rows(clears)))}\n")


def main(games: str = "20", clear_games: str = "8") -> None:
    """Measure both tables, on all cores: so many games of each bot, and so many of each number of players."""
    which = [(bot, number) for number in range(int(games)) for bot in BOTS]
    others = list(product(CLEAR_PLAYERS, range(int(clear_games))))
    with ProcessPoolExecutor() as pool:
        losses = list(track(pool.map(lost, which), "mean losses", len(which)))
        write(losses, list(track(pool.map(clear, others), "clear positions", len(others))))


if __name__ == "__main__":
    main(*sys.argv[1:])
