"""Measure what reviews say of our bots, for docs/review.md: ``python -m benchmarks.review_players [GAMES] [CLEAR]``.

First the mean loss of a decision of each bot, all playing the same deals: it should order them as docs/leaderboard.md
does. Then, in positions whose best action is clear, how often ten times the worlds find the same best action.
"""

from __future__ import annotations

import sys
from math import sqrt

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
TIMES = 10
HEADER = ("bot", "games", "decisions", "mean loss, in points", "perfect games")
CLEAR = ("players", "positions judged", "with a clear best action", "the same with ten times the worlds")


def game_of(bot: str, players: int, number: int) -> list[State]:
    """Return the positions of a game of a bot with itself, the deal first."""
    made = [player_named(bot).plain] * players
    game = play_game(Deal.from_seed(Rules(players=players), SEED, number), made, SEED, number)
    return [game.after(turn) for turn in range(len(game.history) + 1)]


def losses(judge: Judge, states: list[State], effort: Effort) -> list[float]:
    """Return what each decision of a game cost."""
    manners = Manners(states)
    return [
        judge.judge(states[turn.number - 1], turn.action, effort, manners.of(turn.number)).loss
        for turn in states[-1].history
    ]


def row(bot: str, games: int) -> list[str]:
    """Return a row of the table of mean losses; games, not decisions, are the sample of its interval."""
    judge, sums, counts, perfect = Judge(Rules(players=PLAYERS), seed=SEED), [], [], 0
    for number in track(range(games), bot):
        states = game_of(bot, PLAYERS, number)
        found = losses(judge, states, EFFORT)
        sums.append(sum(found))
        counts.append(len(found))
        perfect += states[-1].score == states[-1].rules.max_score
    mean = sum(sums) / sum(counts)
    apart = [total - mean * count for total, count in zip(sums, counts, strict=True)]
    half = 1.96 * sqrt(sum(each * each for each in apart)) / sum(counts)
    figures = [f"{games}", f"{sum(counts):,}", f"{100 * mean:.2f} ± {100 * half:.2f}", f"{perfect / games:.0%}"]
    return [f"`{bot}`", *figures]


def clear_row(players: int, wanted: int) -> list[str]:
    """Return how often ten times the worlds agree with a clear best action, in so many such positions."""
    judge, judged, clear, same, number = Judge(Rules(players=players), seed=SEED), 0, 0, 0, 0
    while clear < wanted:
        bot = ("rules(reading=text)", "partner")[number % 2]
        states = game_of(bot, players, 1_000_000 + number)
        manners, number = Manners(states), number + 1
        for turn in states[-1].history[number % 3 :: 3]:
            before, manner = states[turn.number - 1], manners.of(turn.number)
            found = judge.judge(before, turn.action, Effort(), manner)
            judged += 1
            if found.is_clear and clear < wanted:
                clear += 1
                same += judge.judge(before, turn.action, Effort().times(TIMES), manner).best.action == found.best.action
    return [str(players), f"{judged:,}", str(clear), f"{same} ({same / clear:.1%})"]


def main(games: str = "30", clear: str = "60") -> None:
    """Measure both tables."""
    rows = [row(bot, int(games)) for bot in BOTS]
    note = (
        f"Measured with `python -m benchmarks.review_players`: {PLAYERS} players, deals of seed {SEED}, "
        f"{EFFORT.measured} worlds a decision; ± is of 95 %."
    )
    replace_table("review.md", "mean losses", f"\n{note}\n\n{markdown_table(HEADER, rows)}\n")
    rows = [clear_row(players, int(clear)) for players in (2, 3, 5)]
    note = (
        "Measured with `python -m benchmarks.review_players`: positions of games of `rules(reading=text)` and "
        f"`partner`, judged as a review does, and with {TIMES} times the worlds."
    )
    replace_table("review.md", "clear positions", f"\n{note}\n\n{markdown_table(CLEAR, rows)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
