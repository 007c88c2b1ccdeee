"""Results as they are kept: chunks added up, no game twice, and as a table for other programs."""

from __future__ import annotations

import csv
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TextIO

from handful.lab.figures import figures_of
from handful.lab.games import Chunk, Tally
from handful.lab.statistics import Interval


@dataclass(frozen=True)
class StoredResult:
    """What the store knows of an experiment: the games that are finished so far. Intervals are of 95 % confidence.

    `deal` is empty, or says on which one deal all games were; `code` is the version that played; `finished_at` is when
    the last of the games were done (UTC).
    """

    bot: str
    players: int
    variant: str
    rules: str
    seed: int
    repeat: int
    deal: str
    code: str
    games: int
    mean: float
    sd: float
    mean_ci95: Interval
    perfect: float
    perfect_ci95: Interval
    strikeouts: int
    min: int
    max: int
    turns: float
    histogram: tuple[int, ...] = field(repr=False)
    cpu_seconds: float
    finished_at: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ((each.name, getattr(self, each.name)) for each in fields(self))
        }


def without_overlaps(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Return chunks that share no game, the longest first choice, in their order.

    A run of 5,000 games ends with a short chunk, which a longer run later plays again as part of a whole one.

    >>> without_overlaps([Chunk(0, 20), Chunk(20, 5), Chunk(20, 20)])
    [Chunk(first=0, count=20), Chunk(first=20, count=20)]
    """
    taken: list[tuple[int, int]] = []  # (first, end), sorted
    for chunk in sorted(chunks, key=lambda chunk: (-chunk.count, chunk.first)):
        first, end = chunk.first, chunk.first + chunk.count
        place = bisect_left(taken, (first, end))
        is_free_before = place == 0 or taken[place - 1][1] <= first
        is_free_after = place == len(taken) or end <= taken[place][0]
        if is_free_before and is_free_after:
            insort(taken, (first, end))
    return [Chunk(first, end - first) for first, end in taken]


def add_up(finished: Mapping[Chunk, Tally]) -> Tally:
    """Return what all finished games add up to, each counted once. There must be at least one chunk."""
    first, *others = [finished[chunk] for chunk in without_overlaps(finished)]
    return sum(others, start=first)


def stored_result(words: Mapping[str, Any], tally: Tally, finished_at: str) -> StoredResult:
    """Return the result of an experiment (its columns in the store) from what its games add up to."""
    return StoredResult(**words, **figures_of(tally, words["repeat"]), finished_at=finished_at)


_INTERVALS = ("mean_ci95", "perfect_ci95")
CSV_COLUMNS = tuple(
    column
    for each in fields(StoredResult)
    for column in ([f"{each.name}_low", f"{each.name}_high"] if each.name in _INTERVALS else [each.name])
)


def write_csv(results: Iterable[StoredResult], stream: TextIO) -> None:
    """Write results as CSV, a line each. A histogram is one field: how often each score 0, 1, … came."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for result in results:
        row = result.to_dict()
        for name in _INTERVALS:
            row[f"{name}_low"], row[f"{name}_high"] = row.pop(name)
        row["histogram"] = " ".join(map(str, row["histogram"]))
        writer.writerow([row[column] for column in CSV_COLUMNS])
