"""The store: an SQLite file with every finished chunk of work, so that nothing that was played is played again.

A chunk is committed the moment it is done: whatever kills a run, what was finished is there, once. Several threads
and several processes may use the same file. Results are kept under a key, a text of all that their games depend on,
the code included: the same key, the same games.
"""

from __future__ import annotations

import csv
import io
import json
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

import platformdirs

from handful import __version__
from handful._files import write_whole
from handful._sources import PACKAGE, all_files, files_needed, hash_of, source_of
from handful._sqlite import Database, Format
from handful.bots.players import BotEntry, Player
from handful.errors import HandfulError
from handful.lab.games import Chunk, Plan, Tally
from handful.lab.statistics import Figures, figures_of

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
# What is known of an experiment, in words: for people and for filters. What tells experiments apart is the key.
_WORDS = ("bot", "players", "variant", "rules", "seed", "repeat", "deal", "code")
_TALLY = "first, count, histogram, strikeouts, turns, cpu_seconds, deal_squares"


@dataclass(frozen=True)
class Trial:
    """A trial of a search: its number from 0, the settings that were tried, and the value that they reached."""

    number: int
    settings: dict[str, Any]
    value: float


@dataclass(frozen=True, kw_only=True)
class StoredResult(Figures):
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
    cpu_seconds: float
    finished_at: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = {name: getattr(self, name) for name in _COLUMNS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


_COLUMNS = (*_WORDS, *(each.name for each in fields(Figures)), "cpu_seconds", "finished_at")
_INTERVALS = ("mean_ci95", "perfect_ci95")
CSV_COLUMNS = tuple(
    column for name in _COLUMNS for column in ([f"{name}_low", f"{name}_high"] if name in _INTERVALS else [name])
)


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
        return StoredResult(**words, **figures_of(tally, words["repeat"]), finished_at=max(row[-1] for row in rows))

    def _tally(self, row: Sequence[Any]) -> Tally:
        with self._errors_as_sentences():
            return Tally(tuple(map(int, json.loads(row[2]))), int(row[3]), int(row[4]), float(row[5]), int(row[6]))


def _words_of(plan: Plan) -> dict[str, Any]:
    """Return the columns of an experiment."""
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


# Chunks as results: added up, no game twice, and as a table for other programs


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


# Keys


def experiment_key(plan: Plan) -> str:
    """Return all that the games of a plan depend on. Only bots of the register have a name that says who plays."""
    entry = registered(plan.player)
    settings = {parameter.name: parameter.default for parameter in entry.parameters} | dict(plan.player.settings)
    rules = asdict(plan.rules)
    del rules["variant"]["live_id"], rules["variant"]["source"]  # where a variant comes from changes no game
    deal = None if plan.deal is None else {"cards": plan.deal.text(), "starter": plan.deal.starter}
    return key_text(
        bot=entry.name,
        settings=settings,
        rules=rules,
        seed=plan.seed,
        repeat=plan.repeat,
        deal=deal,
        code=code_version(entry),
    )


def key_text(**parts: Any) -> str:
    """Return the parts of a key as one text, always the same for the same parts."""
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def registered(player: Player) -> BotEntry:
    """Return the register's entry of a player, or refuse a class of somebody's own."""
    if player.entry is None:
        raise HandfulError(
            f"the bot {player.name} is a class of your own: results are kept only for bots that `handful bots` lists"
        )
    return player.entry


def code_version(entry: BotEntry) -> str:
    """Return the version of the code that a bot's games come from: ours, with a hash of the sources.

    The number alone would keep results alive that were made before a bot was changed.
    """
    return f"{__version__}+{_source_hash(entry.module)}"


@cache
def _source_hash(module: str) -> str:
    """Return a hash of the sources that a bot's games are a function of; how games are added up is not among them.

    The register is left out: what it says of a bot's settings is in the key already. A bot that calls others by their
    names depends on all of them.
    """
    own = source_of(module) if module.startswith("handful.") else None
    if own is None:  # a bot that somebody added to the register
        origin = getattr(find_spec(module), "origin", None)
        own = Path(origin) if origin else None
    files = files_needed([] if own is None else [own])
    if own is None or PACKAGE not in own.parents or _file("handful.bots.players") in files:
        files |= files_needed(all_files("bots", "playability"))
    files |= files_needed([_file("handful.lab.games")])
    return hash_of(files - {_file("handful.bots.register")})[:8]


def _file(module: str) -> Path:
    file = source_of(module)
    assert file is not None, module
    return file
