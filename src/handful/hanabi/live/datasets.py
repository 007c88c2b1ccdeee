"""Games as a compact dataset: a Parquet file with a row for each, and its licence and source beside it.

======== =================  ==============================================================================
column   type               what it is
======== =================  ==============================================================================
id       int64              the site's number of the game, 0 if it has none
players  list of texts      the names, the first has seat 0
variant  text               its name; `options` has all that is not as usual, as the site writes it (JSON)
seed     text               the seed of the deck, empty if it is not known
starter  int8               the seat that begins
deck     binary             a byte for each card, top first: suit · values + value − 1
actions  binary             a byte for each turn: the number of the action (`handful.hanabi.actions`)
score    int16              what the game scored; `ending` is how it ended, empty if it was left before
more     text               JSON of the rest, empty if there is none: notes, characters, clocks, how it was left
======== =================  ==============================================================================

`FILE.json` beside it says what the dataset is: `licence`, `source`, the number of games, a checksum, and the columns.
The same is in the metadata of the Parquet file, so that it is not lost where that is copied alone.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from handful import __version__
from handful._files import write_whole
from handful.errors import HandfulError, RecordError, shown
from handful.hanabi.actions import action_at, action_index
from handful.hanabi.cards import card_at, card_index
from handful.hanabi.live.archives import StoredGame
from handful.hanabi.live.records import Record
from handful.hanabi.live.translation import EndAction, actions_of, options_from_json
from handful.hanabi.state import State

FORMAT = "handful games 1"
COLUMNS = ("id", "players", "variant", "options", "seed", "starter", "deck", "actions", "score", "ending", "more")
ROWS_AT_ONCE = 10_000
IN_COLUMNS = ("players", "deck", "actions", "id", "seed")


@dataclass(frozen=True)
class About:
    """What a dataset is: under which licence, from where, how many games, by what it was made."""

    licence: str = ""
    source: str = ""
    games: int = 0
    made_by: str = f"handful {__version__}"
    format: str = FORMAT
    sha256: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def beside(path: Path) -> Path:
    """Return the file that says what a dataset is.

    >>> beside(Path("games.parquet")).name
    'games.parquet.json'
    """
    return path.with_name(f"{path.name}.json")


def write_dataset(path: Path, records: Iterable[Record], licence: str = "", source: str = "") -> About:
    """Write games as a dataset, whole or not at all, and what it is beside it."""
    pyarrow, parquet = _pyarrow()
    types = {"id": pyarrow.int64(), "players": pyarrow.list_(pyarrow.string()), "starter": pyarrow.int8()}
    types |= {"deck": pyarrow.binary(), "actions": pyarrow.binary(), "score": pyarrow.int16()}
    schema = pyarrow.schema(
        [(name, types.get(name, pyarrow.string())) for name in COLUMNS],
        metadata={"handful": json.dumps(About(licence, source).to_dict(), ensure_ascii=False)},
    )
    buffer, count, left = io.BytesIO(), 0, iter(records)
    with parquet.ParquetWriter(buffer, schema, compression="zstd") as writer:
        while rows := [row_of(record) for record in islice(left, ROWS_AT_ONCE)]:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    data = buffer.getvalue()
    about = About(licence, source, count, sha256=sha256(data).hexdigest())
    write_whole(path, data)
    write_about(path, about)
    return about


def write_about(path: Path, about: About) -> None:
    """Write what a dataset is, beside it."""
    write_whole(beside(path), (json.dumps(about.to_dict(), indent=2, ensure_ascii=False) + "\n").encode())


def about_dataset(path: Path) -> About:
    """Return what a dataset is: from the file beside it, or else from its own metadata."""
    try:
        text = beside(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    if not text and path.suffix.lower() == ".parquet":
        with _refused_by_name(path):
            text = (_pyarrow()[1].read_schema(path).metadata or {}).get(b"handful", b"").decode()
    try:
        values = json.loads(text or "{}")
        return About(**{name: values[name] for name in About.__dataclass_fields__ if name in values})
    except (ValueError, TypeError, AttributeError):
        raise RecordError(f"{beside(path)}: expected a JSON object with the licence and the source") from None


def read_dataset(path: Path) -> Iterator[StoredGame]:
    """Yield the games of a dataset, in their order."""
    _, parquet = _pyarrow()
    number = 0
    with _refused_by_name(path), parquet.ParquetFile(path) as file:
        if missing := [name for name in COLUMNS if name not in file.schema_arrow.names]:
            raise RecordError(f"{path} has no column {missing[0]}: expected a dataset of games")
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(COLUMNS)):
            for row in batch.to_pylist():
                number += 1
                yield _stored(f"{path}:{number}", row)


def _stored(name: str, row: dict[str, Any]) -> StoredGame:
    try:
        return StoredGame(name, made=record_of_row(row))
    except HandfulError as error:
        return StoredGame(name, error=f"{name}: {error}")


def row_of(record: Record) -> dict[str, Any]:
    """Return a game as a row."""
    fields, state = record.to_json(), record.replay()
    variant = record.rules.variant
    if variant.num_types > 256 or record.rules.num_actions > 256:
        raise RecordError(f"{variant.name}: its cards or actions are too many for a byte")
    options = dict(fields.pop("options", {}))
    name = options.pop("variant", variant.name)
    more = {name: value for name, value in fields.items() if name not in IN_COLUMNS}
    if record.ends:
        more["ends"] = [asdict(end) for end in record.ends]
    return {
        "id": record.game_id,
        "players": list(record.names),
        "variant": name,
        "options": json.dumps(options, ensure_ascii=False, separators=(",", ":")) if options else "",
        "seed": fields.get("seed", ""),
        "starter": record.deal.starter,
        "deck": bytes(card_index(variant, card) for card in record.deal.deck),
        "actions": bytes(action_index(record.rules, turn.actor, turn.action) for turn in state.history),
        "score": record.score,
        "ending": record.ending or "",
        "more": json.dumps(more, ensure_ascii=False, separators=(",", ":")) if more else "",
    }


def record_of_row(row: dict[str, Any]) -> Record:
    """Return the game of a row. It is checked as a record is: every action is played again."""
    names, more = list(row["players"] or ()), _object(row["more"], "more")
    options = {"variant": row["variant"], **_object(row["options"], "options")}
    variant = options_from_json(options, len(names)).rules.variant
    indices = row["deck"] or b""
    if len(indices) != variant.num_cards or max(indices) >= variant.num_types:
        raise RecordError(f"deck is {shown(indices)}: expected {variant.num_cards} cards of {variant.name}")
    cards = [card_at(variant, index) for index in indices]
    ends = more.pop("ends", [])
    start = Record.from_json(
        {
            "players": names,
            "deck": [{"suitIndex": card.suit, "rank": variant.live_value(card.value)} for card in cards],
            "options": options,
            "id": row["id"] or 0,
            "seed": row["seed"] or "",
            **more,
        }
    )
    state = start.replay()
    for number in row["actions"] or b"":
        if state.is_over or number >= start.rules.num_actions:
            raise RecordError(
                f"turn {state.turn_number} has action {number}: {_why_not(state, start.rules.num_actions)}"
            )
        state.act(action_at(start.rules, state.current, number))
    try:
        said = tuple(EndAction(each["code"], each["player"], each["by_vote"]) for each in ends)
    except (TypeError, KeyError):
        raise RecordError(f"more.ends is {shown(ends)}: expected how the game was left") from None
    return replace(start, actions=actions_of(state), ends=said)._of(state)


def _why_not(state: State, num_actions: int) -> str:
    return "the game is over" if state.is_over else f"expected 0 to {num_actions - 1}"


def _object(text: object, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text) if isinstance(text, str) and text else {}
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise RecordError(f"{name} is {shown(text)}: expected a JSON object")
    return value


class _refused_by_name:  # noqa: N801  # reads as words
    """Let what a Parquet library cannot read be an error of ours, with the name of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, HandfulError):
            words = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
            raise RecordError(f"{self.path} cannot be read: {words}") from None


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise HandfulError("Parquet needs pyarrow: pip install 'handful[envs]'; or choose JSON lines") from None
    return pyarrow, pyarrow.parquet
