"""Games from one form into another: records, JSON lines, links, a folder of records, a dataset.

>>> form_of(Path("games.jsonl.gz")), form_of(Path("links.txt")), form_of(Path("records/"))
('lines', 'links', 'folder')
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from handful._files import write_whole
from handful.errors import HandfulError, NotationError
from handful.hanabi.live.archives import LINES, StoredGame, is_gzipped, kind_of, stored_games
from handful.hanabi.live.datasets import About, about_dataset, beside, write_about, write_dataset
from handful.hanabi.live.links import is_file, is_link, link_from_record, record_from_link
from handful.hanabi.live.records import Record

FORMS = {".json": "record", ".txt": "links", ".parquet": "dataset", "": "folder"} | dict.fromkeys(LINES, "lines")
MOST_IN_A_RECORD = 1


@dataclass(frozen=True)
class Converted:
    """What was written: how many games, and what is wrong with those that were not, one sentence each."""

    out: str
    form: str
    games: int
    errors: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "errors": list(self.errors)}


def form_of(path: Path) -> str:
    """Return the form that a name stands for, by its ending."""
    form = FORMS.get(kind_of(path))
    if form is None or (is_gzipped(path) and form in ("folder", "dataset")):
        raise NotationError(f"{path}: expected a name that ends in .json, .jsonl, .txt or .parquet, or a folder")
    return form


def games_named(name: str) -> Iterator[StoredGame]:
    """Yield the games of a file, a folder, an archive, a link, or a file with a link a line."""
    path = Path(name)
    if is_link(name) and not is_file(name):
        yield _of_link(name, name)
    elif kind_of(path) == ".txt" and is_file(name):
        with gzip.open(path) if is_gzipped(path) else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if text := line.decode("utf-8", "replace").strip():
                    yield _of_link(f"{name}:{number}", text)
    else:
        yield from stored_games(path)


def _of_link(name: str, link: str) -> StoredGame:
    try:
        return StoredGame(name, made=record_from_link(link))
    except HandfulError as error:
        return StoredGame(name, error=f"{name}: {error}" if name != link else str(error))


def convert(
    games: Iterable[StoredGame],
    out: Path,
    *,
    licence: str = "",
    source: str = "",
    is_bare: bool = False,
    on_progress: Callable[[int], None] = lambda count: None,
) -> Converted:
    """Write games to a file or a folder, in the form that its name stands for; those that cannot be are named.

    `is_bare` leaves out notes, characters, numbers of games and clocks. Beside a dataset, and beside JSON lines if a
    licence or a source is given, `OUT.json` says what it is. Where no game can be converted, nothing is written.
    """
    form, errors = form_of(out), []

    def records() -> Iterator[Record]:
        for game in games:
            try:
                record = game.record()
                if form == "links":
                    record = record.bare()
                    link_from_record(record)
                yield record.bare() if is_bare else record
            except HandfulError as error:
                errors.append(str(error))
            on_progress(1)

    found = records()
    first = next(found, None)
    count = 0 if first is None else _WRITERS[form](out, chain([first], found), licence, source)
    return Converted(str(out), form, count, tuple(errors))


def _write_record(out: Path, records: Iterator[Record], _licence: str, _source: str) -> int:
    found = list(records)
    if len(found) > MOST_IN_A_RECORD:
        raise NotationError(f"{out} holds one game, and these are {len(found)}: expected .jsonl, .parquet or a folder")
    if found:
        write_whole(out, _packed(out, found[0].to_text().encode()))
    return len(found)


def _write_lines(out: Path, records: Iterator[Record], licence: str, source: str) -> int:
    lines = [json.dumps(record.to_json(), ensure_ascii=False, separators=(",", ":")) for record in records]
    write_whole(out, _packed(out, "".join(f"{line}\n" for line in lines).encode()))
    if licence or source:
        write_about(out, About(licence, source, len(lines)))
    return len(lines)


def _write_links(out: Path, records: Iterator[Record], _licence: str, _source: str) -> int:
    lines = [link_from_record(record) for record in records]
    write_whole(out, _packed(out, "".join(f"{line}\n" for line in lines).encode()))
    return len(lines)


def _write_dataset(out: Path, records: Iterator[Record], licence: str, source: str) -> int:
    return write_dataset(out, records, licence, source).games


def _write_folder(out: Path, records: Iterator[Record], _licence: str, _source: str) -> int:
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, record in enumerate(records, start=1):
        name = f"{record.game_id}.json" if record.game_id else f"game-{count:06}.json"
        write_whole(out / name, record.to_text().encode())
    return count


_WRITERS: dict[str, Callable[[Path, Iterator[Record], str, str], int]] = {
    "record": _write_record,
    "lines": _write_lines,
    "links": _write_links,
    "dataset": _write_dataset,
    "folder": _write_folder,
}


def _packed(out: Path, data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0) if is_gzipped(out) else data


# For researchers: a dataset as records, with its licence and source


@dataclass(frozen=True)
class GameSet:
    """The games of a file, a folder, an archive or a dataset, with what is known of their licence and source.

    Going through it yields records, in their order; `errors` then has what is wrong with those that cannot be read.
    """

    path: Path
    about: About
    errors: list[str]

    def __iter__(self) -> Iterator[Record]:
        self.errors.clear()
        for game in games_named(str(self.path)):
            try:
                yield game.record()
            except HandfulError as error:
                self.errors.append(str(error))

    @property
    def licence(self) -> str:
        """The licence that is kept beside the games; empty if none is."""
        return self.about.licence

    @property
    def source(self) -> str:
        """Where they are from, as it is kept beside them; empty if nothing is."""
        return self.about.source


def load_games(path: str | Path) -> GameSet:
    """Return the games of a file, a folder, an archive or a dataset."""
    place = Path(path)
    if not place.exists():
        raise NotationError(f"{place}: there is no such file or folder")
    has_about = beside(place).exists() or place.suffix.lower() == ".parquet"
    return GameSet(place, about_dataset(place) if has_about else About(), [])
