"""The tables that are kept on disk, and what was made from them: list them, or remove them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handful.errors import HandfulError
from handful.rummy.answers.answers import ENDING, MAX_CARDS, SPREAD_ENDING, Summary, answers_folder, read_table
from handful.rummy.answers.files import remove
from handful.rummy.melds import ACE_RULES
from handful.rummy.solver.spread import SpreadFigures, open_spread


@dataclass(frozen=True)
class StoredAnswers:
    """A file in the folder of tables: the summary of its game, or what is wrong with it; its spread, if it is there."""

    path: Path
    size_mb: float
    summary: Summary | None
    problem: str | None
    spread: SpreadFigures | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for JSON."""
        return {
            "file": str(self.path),
            "size_mb": self.size_mb,
            "problem": self.problem,
            **(self.summary.to_dict() if self.summary else {}),
            "spread": self.spread and self.spread.to_dict(),
        }


def list_answers(folder: Path | None = None) -> tuple[StoredAnswers, ...]:
    """Return the tables on disk, in order of cards, aces and tolerance; damaged ones last."""
    stored = []
    for path in sorted((folder or answers_folder()).glob("*" + ENDING)):
        size_mb = path.stat().st_size / 1e6
        try:
            table = read_table(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a damaged spread is as if it were not there
                spread = open_spread(table)
            stored.append(StoredAnswers(path, size_mb, table.summary(), None, spread.figures if spread else None))
        except HandfulError as error:
            stored.append(StoredAnswers(path, size_mb, None, str(error)))

    def order(entry: StoredAnswers) -> tuple[Any, ...]:
        summary = entry.summary
        if summary is None:
            return (MAX_CARDS + 1, 0, 0.0, entry.path)
        return (summary.cards, ACE_RULES.index(summary.aces), summary.tolerance, entry.path)

    return tuple(sorted(stored, key=order))


def clear_answers(folder: Path | None = None) -> tuple[Path, ...]:
    """Remove all tables, what was made from them, and what interrupted runs have left; return what is gone."""
    place = folder or answers_folder()
    patterns = ("*" + ENDING, "*" + SPREAD_ENDING, "*.partial", "*.tmp")
    gone = [path for pattern in patterns for path in sorted(place.glob(pattern))]
    for path in gone:
        remove(path)
    return tuple(gone)
