"""Two strategies on the same deals: what the luck of the deal gives to both cannot make a difference between them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from handful.bots.players import Player
from handful.bots.protocol import Bot
from handful.display import Listing, Shown
from handful.hanabi.rules import Rules
from handful.lab.games import (
    Chunk,
    GameOptions,
    Plan,
    Scores,
    Tally,
    chunks_of,
    empty_tally,
    games_a_chunk,
    make_plan,
    play_chunk,
)
from handful.lab.running import work_through
from handful.lab.simulate import Simulation, summary
from handful.lab.statistics import Differences, Interval

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Comparison(Shown):
    """The result of two bots on the same deals: `difference` is the first one's mean score less the second one's.

    Intervals are of 95 % confidence, from the differences deal by deal (`lab.statistics` has the formulas). A deal is
    won by the bot with more points on it, over all its repeats.
    """

    first: Simulation
    second: Simulation
    difference: float
    difference_ci95: Interval
    perfect_difference: float
    perfect_difference_ci95: Interval
    wins: int
    ties: int
    losses: int

    @property
    def sentence(self) -> str:
        """Which of the two is better, if that can be said."""
        low, high = self.difference_ci95
        points = f"{abs(self.difference):.3f} ± {(high - low) / 2:.3f} points on the same deals"
        if low <= 0 <= high:
            sign = "−" if self.difference < 0 else ""
            return f"{self.first.bot} and {self.second.bot} cannot be told apart: they differ by {sign}{points}"
        better = self.first if self.difference > 0 else self.second
        return f"{better.bot} is better by {points}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it: the first bot's, with the second's `against` it."""
        return {
            **self.first.to_dict(),
            "against": self.second.to_dict(),
            "difference": self.difference,
            "difference_ci95": list(self.difference_ci95),
            "perfect_difference": self.perfect_difference,
            "perfect_difference_ci95": list(self.perfect_difference_ci95),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: both bots side by side, and which is better."""
        first, second = self.first.to_dict(), self.second.to_dict()
        rows: list[tuple[object, ...]] = [
            (name.replace("_", " "), first[name], second[name]) for name in first if name != "histogram"
        ]
        return Listing(self.sentence, (), rows)

    def __repr__(self) -> str:
        return (
            f"<Comparison {self.first.bot} (mean {self.first.mean:.3f}) against {self.second.bot} (mean "
            f"{self.second.mean:.3f}), {self.first.players} players, {self.first.games} games each: {self.sentence}>"
        )


@dataclass(frozen=True)
class Pair:
    """Two plans that differ only in who plays."""

    first: Plan
    second: Plan

    @property
    def is_compiled(self) -> bool:
        """Whether both bots have compiled forms."""
        return self.first.is_compiled and self.second.is_compiled


@dataclass(frozen=True)
class PairTally:
    """What the games of two bots on the same deals add up to; `points` and `perfects` compare their sums on a deal."""

    first: Tally
    second: Tally
    points: Differences
    perfects: Differences
    wins: int
    ties: int
    losses: int

    def __add__(self, other: PairTally) -> PairTally:
        return PairTally(
            self.first + other.first,
            self.second + other.second,
            self.points + other.points,
            self.perfects + other.perfects,
            self.wins + other.wins,
            self.ties + other.ties,
            self.losses + other.losses,
        )


def _empty_pair_tally(rules: Rules) -> PairTally:
    return PairTally(empty_tally(rules), empty_tally(rules), Differences(), Differences(), wins=0, ties=0, losses=0)


def compare(
    bot: str | type[Bot] | Player,
    against: str | type[Bot] | Player,
    *,
    games: int = 10_000,
    workers: int | None = None,
    dask: str | None = None,
    on_progress: Callable[[int], None] | None = None,
    **options: Unpack[GameOptions],
) -> Comparison:
    """Return how two bots compare on the same deals: `games` games of each with itself.

    Words mean what they mean to `simulate`. `on_progress` is called with the number of games that were just finished,
    of both bots together: 2 · `games` in the end.

    >>> compare("random", "random", players=3, games=100).difference
    0.0
    """
    pair = Pair(make_plan(bot, **options), make_plan(against, **options))
    slower = min(pair.first, pair.second, key=games_a_chunk)
    chunks = list(chunks_of(slower, games))
    started = time.perf_counter()
    tally = _empty_pair_tally(pair.first.rules)
    for chunk, part in work_through(play_pair, pair, chunks, workers, dask):
        tally += part
        if on_progress is not None:
            on_progress(2 * chunk.count * pair.first.repeat)
    return _comparison(pair, tally, time.perf_counter() - started)


def play_pair(pair: Pair, chunk: Chunk) -> PairTally:
    """Return what the games of both bots on the deals of a chunk add up to."""
    rules, repeat = pair.first.rules, pair.first.repeat
    first, second = play_chunk(pair.first, chunk), play_chunk(pair.second, chunk)
    points = _by_deal(first.scores, repeat) - _by_deal(second.scores, repeat)
    perfects = _by_deal(_is_perfect(first, rules), repeat) - _by_deal(_is_perfect(second, rules), repeat)
    return PairTally(
        first.tally(pair.first),
        second.tally(pair.second),
        _differences(points),
        _differences(perfects),
        wins=int((points > 0).sum()),
        ties=int((points == 0).sum()),
        losses=int((points < 0).sum()),
    )


def _by_deal(values: npt.NDArray[Any], repeat: int) -> npt.NDArray[np.int64]:
    """Return the sum over the repeats of each deal."""
    sums: npt.NDArray[np.int64] = values.astype("int64").reshape(-1, repeat).sum(axis=1)
    return sums


def _is_perfect(scores: Scores, rules: Rules) -> npt.NDArray[np.bool_]:
    perfect: npt.NDArray[np.bool_] = scores.scores == rules.max_score
    return perfect


def _differences(by_deal: npt.NDArray[np.int64]) -> Differences:
    return Differences(int(by_deal.sum()), int((by_deal * by_deal).sum()))


def _comparison(pair: Pair, tally: PairTally, seconds: float) -> Comparison:
    """Return the result that a tally stands for. The time is shared out as the CPU time was."""
    repeat = pair.first.repeat
    cpu_seconds = tally.first.cpu_seconds + tally.second.cpu_seconds
    share = tally.first.cpu_seconds / cpu_seconds if cpu_seconds else 0.5
    deals = tally.wins + tally.ties + tally.losses
    return Comparison(
        summary(pair.first, tally.first, seconds * share),
        summary(pair.second, tally.second, seconds * (1 - share)),
        tally.points.mean(deals, repeat),
        tally.points.mean_interval(deals, repeat),
        tally.perfects.mean(deals, repeat),
        tally.perfects.share_interval(deals, repeat),
        tally.wins,
        tally.ties,
        tally.losses,
    )
