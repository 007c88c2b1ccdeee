"""How hard a deal is: can it be won, with how much to spare, and which share of a fixed panel's plays wins it?"""

from __future__ import annotations

import csv
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from handful.display import Listing, Shown
from handful.hanabi.deal import Deal
from handful.hanabi.measures import pace
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.lab.difficulty.dangers import Danger, dangers_of, spare_of
from handful.lab.difficulty.panel import REPEATS, Share, play_panel
from handful.lab.games import Chunk, Chunks
from handful.lab.running import work_through
from handful.playability.deals.solve import solve

REFERENCE = Path(__file__).with_name("reference.csv")
DEALS_AT_ONCE = 10


@dataclass(frozen=True)
class Difficulty(Shown):
    """How hard a deal is. `difficulty` is the share of the panel's plays that did not win it, 0 to 1.

    `spare` is how many more discards are affordable than must be made, if one player held all the cards (None: a card
    is lost whatever is thrown); `pace` is that of the first turn. `percentile` says how many of a hundred deals are
    easier, None where there is no reference for such games.
    """

    seed: str
    players: int
    variant: str
    rules: str
    winnable: bool | None
    reason: str
    method: str
    pace: int | None
    spare: int | None
    panel: tuple[Share, ...]
    difficulty: float
    percentile: float | None
    dangers: tuple[Danger, ...]

    @property
    def order(self) -> tuple[float, bool, int]:
        """What deals are sorted by, the easiest first: where the panel wins as little, what is left to spare."""
        return self.difficulty, self.winnable is False, -(self.spare if self.spare is not None else -1)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            **self.__dict__,
            "panel": [each.to_dict() for each in self.panel],
            "dangers": [each.to_dict() for each in self.dangers],
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: the figures, and what is dangerous."""
        rows: list[tuple[object, ...]] = [
            ("winnable", self.winnable),
            ("difficulty", self.difficulty),
            ("percentile", self.percentile),
            ("spare discards", self.spare),
            *((f"{each.bot}, slips {each.slip:.0%}", each.share) for each in self.panel),
            *((each.kind, each.words) for each in self.dangers),
        ]
        return Listing(self.seed, (), rows)


def difficulty_of(deal: Deal, time_limit: float | None = 60.0, repeats: int = REPEATS) -> Difficulty:
    """Return how hard a deal is.

    >>> from handful.hanabi import deal_from_live_seed
    >>> difficulty_of(deal_from_live_seed("p2v0s40"), repeats=20).difficulty
    1.0
    """
    (found,) = difficulties_of([deal], time_limit, repeats)
    return found


def difficulties_of(deals: Sequence[Deal], time_limit: float | None = 60.0, repeats: int = REPEATS) -> list[Difficulty]:
    """Return how hard some deals of the same rules are."""
    found = []
    for deal, shares in zip(deals, play_panel(deals, repeats), strict=True):
        solution = solve(deal, time_limit)
        difficulty = 1 - fmean(each.share for each in shares)
        rules = deal.rules
        found.append(
            Difficulty(
                seed=deal.seed,
                players=rules.players,
                variant=rules.variant.name,
                rules=rules.options_text(),
                winnable=solution.winnable,
                reason=solution.reason,
                method=solution.method,
                pace=pace(State(deal)),
                spare=spare_of(deal),
                panel=shares,
                difficulty=difficulty,
                percentile=percentile_of(rules, difficulty),
                dangers=dangers_of(deal),
            )
        )
    return found


def all_difficulties(
    deals: Sequence[Deal],
    *,
    time_limit: float | None = 60.0,
    workers: int | None = None,
    dask: str | None = None,
    on_done: Callable[[list[Difficulty]], None] = lambda done: None,
) -> list[Difficulty]:
    """Return how hard deals of the same rules are, in their order; `on_done` is told of those that were just done."""
    work = Work(tuple(deals), time_limit)
    done: dict[int, list[Difficulty]] = {}
    for chunk, found in work_through(rate_chunk, work, Chunks(len(deals), DEALS_AT_ONCE), workers, dask):
        done[chunk.first] = found
        on_done(found)
    return [each for first in sorted(done) for each in done[first]]


@dataclass(frozen=True)
class Work:
    """The deals to rate, from number `first` on."""

    deals: tuple[Deal, ...]
    time_limit: float | None
    first: int = 0

    is_compiled = True  # nearly all of it is done in kernels

    def part(self, chunk: Chunk) -> Work:
        """Return what a worker needs of it for a chunk."""
        return Work(self.deals[chunk.first : chunk.first + chunk.count], self.time_limit, chunk.first)


def rate_chunk(work: Work, chunk: Chunk) -> list[Difficulty]:
    """Return how hard some of the deals are."""
    first = chunk.first - work.first
    return difficulties_of(work.deals[first : first + chunk.count], work.time_limit)


# Among all deals: a table that a benchmark writes


def percentile_of(rules: Rules, difficulty: float) -> float | None:
    """Return how many of a hundred deals of these rules are easier; equal ones count half."""
    quantiles = reference().get((rules.variant.name, rules.players)) if not rules.options_text() else None
    if quantiles is None:
        return None
    easier, not_harder = bisect_left(quantiles, difficulty), bisect_right(quantiles, difficulty)
    return 100 * (easier + not_harder) / 2 / len(quantiles)


@cache
def reference() -> dict[tuple[str, int], tuple[float, ...]]:
    """Return the difficulties of reference deals, sorted: of each variant and number of players that has some."""
    return {(row["variant"], int(row["players"])): _numbers(row["difficulties"]) for row in _rows()}


def _rows() -> Iterator[dict[str, str]]:
    if REFERENCE.exists():
        with REFERENCE.open(newline="") as file:
            yield from csv.DictReader(file)


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(each) for each in text.split())
