"""The store: an SQLite file with every finished chunk of work, so that nothing that was played is played again.

A chunk is committed the moment it is done: whatever kills a run, what was finished is there, once. Several threads
and several processes may use the same file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import platformdirs

from handful._files import write_whole
from handful._sqlite import Database, Format
from handful.lab.games import Chunk, Plan, Tally
from handful.lab.store.keys import code_version, experiment_key, registered
from handful.lab.store.stored_results import StoredResult, add_up, stored_result, write_csv

_SCHEMA = """
CREATE TABLE experiments (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    bot TEXT NOT NULL, players INTEGER NOT NULL, variant TEXT NOT NULL, rules TEXT NOT NULL,
    seed INTEGER NOT NULL, repeat INTEGER NOT NULL, deal TEXT NOT NULL, code TEXT NOT NULL
);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments (id),
    first INTEGER NOT NULL, count INTEGER NOT NULL, histogram TEXT NOT NULL, strikeouts INTEGER NOT NULL,
    turns INTEGER NOT NULL, cpu_seconds REAL NOT NULL, deal_squares INTEGER NOT NULL, finished_at TEXT NOT NULL,
    UNIQUE (experiment, first, count)
);
CREATE TABLE trials (
    id INTEGER PRIMARY KEY, study TEXT NOT NULL, number INTEGER NOT NULL,
    settings TEXT NOT NULL, value REAL NOT NULL, finished_at TEXT NOT NULL,
    UNIQUE (study, number)
);
"""
_WORDS = ("bot", "players", "variant", "rules", "seed", "repeat", "deal", "code")


@dataclass(frozen=True)
class Trial:
    """A trial of a search: its number from 0, the settings that were tried, and the value that they reached."""

    number: int
    settings: dict[str, Any]
    value: float


def default_path() -> Path:
    """Return where the store is if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("handful"), "results.sqlite")


def open_store(path: Path | None = None) -> Store:
    """Return the store of a file, which is made if there is none; by default the user's own."""
    if path is None:
        path = default_path()
        path.parent.mkdir(parents=True, exist_ok=True)
    return Store(path)


class Store(Database):
    """A file of results. Use it as a context manager, or `close` it."""

    format = Format("store", 0x48464C42, 2, _SCHEMA, busy_seconds=60)  # "HFLB"

    def finished(self, plan: Plan) -> dict[Chunk, Tally]:
        """Return every chunk of a plan that is finished. Some may overlap: the last chunk of a run may be short."""
        rows = self._rows(
            f"SELECT {_TALLY} FROM chunks JOIN experiments ON experiments.id = experiment WHERE key = ?",
            [experiment_key(plan)],
        )
        return {Chunk(row[0], row[1]): self._tally(row) for row in rows}

    def add(self, plan: Plan, chunk: Chunk, tally: Tally) -> None:
        """Commit a finished chunk. One that is there already stays as it is."""
        key = experiment_key(plan)
        words = _words_of(plan)
        histogram = json.dumps(tally.histogram, separators=(",", ":"))
        with self._transaction() as connection:
            connection.execute(
                f"INSERT OR IGNORE INTO experiments (key, {', '.join(_WORDS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [key, *words.values()],
            )
            connection.execute(
                "INSERT OR IGNORE INTO chunks"
                " (experiment, first, count, histogram, strikeouts, turns, cpu_seconds, deal_squares, finished_at)"
                " SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM experiments WHERE key = ?",
                [
                    *(chunk.first, chunk.count, histogram, tally.strikeouts, tally.turns, tally.cpu_seconds),
                    *(tally.deal_squares, _now(), key),
                ],
            )

    def results(
        self,
        bot: str | None = None,
        players: int | None = None,
        variant: str | None = None,
        seed: int | None = None,
        min_games: int = 1,
    ) -> list[StoredResult]:
        """Return what is known of each experiment: of bots whose name has `bot` in it, of so many players, and so on.

        Every game counts once, also where chunks overlap.
        """
        wanted = {"players": players, "seed": seed}
        conditions = [f"{name} = ?" for name, value in wanted.items() if value is not None]
        values: list[Any] = [value for value in wanted.values() if value is not None]
        if bot is not None:
            conditions.append("instr(lower(bot), lower(?))")
            values.append(bot)
        if variant is not None:
            conditions.append("lower(variant) = lower(?)")
            values.append(variant)
        experiments = self._rows(
            f"SELECT id, {', '.join(_WORDS)} FROM experiments WHERE {' AND '.join(conditions) or 'TRUE'}"
            f" ORDER BY {', '.join(_WORDS)}",
            values,
        )
        found = (self._result(row[0], dict(zip(_WORDS, row[1:], strict=True))) for row in experiments)
        return [result for result in found if result is not None and result.games >= min_games]

    def export_csv(self, target: Path | TextIO, results: Sequence[StoredResult] | None = None) -> None:
        """Write results (by default all) as CSV, to a file or a stream."""
        text = io.StringIO()
        write_csv(self.results() if results is None else results, text)
        if isinstance(target, Path):
            write_whole(target, text.getvalue().encode())
        else:
            target.write(text.getvalue())

    def trials(self, study: str) -> list[Trial]:
        """Return the finished trials of a study, from number 0 on, without a gap."""
        rows = self._rows("SELECT number, settings, value FROM trials WHERE study = ? ORDER BY number", [study])
        with self._errors_as_sentences():
            trials = [Trial(number, dict(json.loads(settings)), float(value)) for number, settings, value in rows]
        return [trial for place, trial in enumerate(trials) if trial.number == place]

    def add_trial(self, study: str, trial: Trial) -> None:
        """Commit a finished trial of a study. One that is there already stays as it is."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO trials (study, number, settings, value, finished_at) VALUES (?, ?, ?, ?, ?)",
                [study, trial.number, json.dumps(trial.settings), trial.value, _now()],
            )

    def _result(self, experiment: int, words: Mapping[str, Any]) -> StoredResult | None:
        rows = self._rows(f"SELECT {_TALLY}, finished_at FROM chunks WHERE experiment = ?", [experiment])
        if not rows:
            return None
        tally = add_up({Chunk(row[0], row[1]): self._tally(row) for row in rows})
        return stored_result(words, tally, max(row[-1] for row in rows))

    def _tally(self, row: Sequence[Any]) -> Tally:
        with self._errors_as_sentences():
            return Tally(tuple(map(int, json.loads(row[2]))), int(row[3]), int(row[4]), float(row[5]), int(row[6]))


_TALLY = "first, count, histogram, strikeouts, turns, cpu_seconds, deal_squares"


def _words_of(plan: Plan) -> dict[str, Any]:
    """Return the columns of an experiment, for people and for filters; what tells experiments apart is the key."""
    deal = "" if plan.deal is None else plan.deal.seed or plan.deal.text()
    rules = plan.rules
    words = (
        plan.player.name,
        rules.players,
        rules.variant.name,
        rules.options_text(),
        plan.seed,
        plan.repeat,
        deal,
        code_version(registered(plan.player)),
    )
    return dict(zip(_WORDS, words, strict=True))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
