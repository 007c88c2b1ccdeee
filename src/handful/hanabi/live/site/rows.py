"""A line of a list of games: what the site says of a game without its cards; and which of them are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from handful import _json_fields as json_fields
from handful.errors import HandfulError, NotationError, RecordError, shown
from handful.hanabi.live.addresses import LARGEST_GAME
from handful.hanabi.variants import variant_named

MOST_ROWS = 10_000_000
MAX_TEXT = 1000
BIG = 2**53 - 1


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list. `finished` is when it ended (ISO 8601, UTC), empty if the site does not say."""

    id: int
    names: tuple[str, ...] = ()
    variant: str = ""
    score: int = 0
    turns: int = 0
    end_code: int = 0
    finished: str = ""
    seed: str = ""
    tags: str = ""

    @property
    def players(self) -> int:
        """How many played."""
        return len(self.names)

    @property
    def date(self) -> date | None:
        """The day on which the game ended (UTC), if the site says so."""
        return day_of(self.finished)


class Page(NamedTuple):
    """A page of a list: how many rows the whole list has, and those of this page."""

    total: int
    rows: tuple[GameRow, ...]


def read_page(value: object) -> Page:
    """Return a page from the site's JSON; what it has besides is left alone."""
    if not isinstance(value, dict) or not isinstance(value.get("rows"), list):
        if isinstance(value, dict) and value.get("rows") is None and value.get("total_rows") == 0:
            return Page(0, ())
        raise RecordError(f"a list of games is {shown(value)}: expected an object with total_rows and rows")
    total = json_fields.whole_number(value.get("total_rows"), "total_rows", 0, MOST_ROWS)
    return Page(total, tuple(read_row(row, f"rows[{place}]") for place, row in enumerate(value["rows"])))


def read_row(value: object, field: str = "row") -> GameRow:
    """Return a row from the site's JSON."""
    if not isinstance(value, dict):
        json_fields.refuse(field, value, "an object")
    options = value.get("options")
    names = json_fields.listed(value.get("playerNames"), f"{field}.playerNames")

    def number(name: str) -> int:
        return json_fields.number_in(value, name, field, 0, BIG, default=0)

    def text(name: str) -> str:
        return json_fields.text(value.get(name), f"{field}.{name}", MAX_TEXT)

    finished = text("datetimeFinished")
    tags = value.get("tags")
    return GameRow(
        id=json_fields.number_in(value, "id", field, 1, LARGEST_GAME),
        names=tuple(json_fields.text(name, f"{field}.playerNames", MAX_TEXT) for name in names),
        variant=json_fields.text(
            options.get("variantName") if isinstance(options, dict) else None, f"{field}.options", MAX_TEXT
        ),
        score=number("score"),
        turns=number("numTurns"),
        end_code=number("endCondition"),
        finished=finished if day_of(finished) else "",
        seed=text("seed"),
        tags=tags if isinstance(tags, str) and len(tags) <= MAX_TEXT else "",
    )


def row_to_dict(row: GameRow) -> dict[str, Any]:
    """Return a row in the site's words, so that `read_row` reads it again."""
    return {
        "id": row.id,
        "playerNames": list(row.names),
        "options": {"variantName": row.variant},
        "score": row.score,
        "numTurns": row.turns,
        "endCondition": row.end_code,
        "datetimeFinished": row.finished,
        "seed": row.seed,
        "tags": row.tags,
    }


def day_of(text: str) -> date | None:
    """Return the day of a time as the site writes it; None if there is none.

    >>> day_of("2026-03-01T23:30:00-02:00"), day_of("yesterday")
    (datetime.date(2026, 3, 2), None)
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at.astimezone(UTC) if at.tzinfo else at).date()


class Wanted(NamedTuple):
    """Which games of a list are wanted: those since a day, of a variant; and the newest so many of them."""

    since: date | None = None
    variant: str = ""
    limit: int | None = None

    def of(self, rows: Iterable[GameRow]) -> list[GameRow]:
        """Return the rows that are wanted, the newest first."""
        newest = sorted(rows, key=lambda row: -row.id)
        return [row for row in newest if self.has(row)][: self.limit]

    def has(self, row: GameRow) -> bool:
        """Whether a game is one of them, but for the limit."""
        if self.variant and row.variant.lower() != self.variant.lower():
            return False
        return self.since is None or (row.date is not None and row.date >= self.since)

    def is_complete(self, rows: Iterable[GameRow], oldest: GameRow) -> bool:
        """Whether games older than the oldest that was listed change nothing."""
        if self.since is not None and oldest.date is not None and oldest.date < self.since:
            return True
        return self.limit is not None and len(self.of(rows)) >= self.limit


def parse_since(text: str) -> date:
    """Return the day of an option.

    >>> parse_since("2026-03-01"), parse_since("2026")
    (datetime.date(2026, 3, 1), datetime.date(2026, 1, 1))
    """
    parts = text.strip().split("-")
    try:
        if len(parts) > 3 or not all(part.isascii() and part.isdigit() for part in parts) or len(parts[0]) != 4:
            raise ValueError
        year, month, day = [*map(int, parts), 1, 1][:3]
        return date(year, month, day)
    except ValueError:
        raise NotationError(f"--since {shown(text)}: expected a day such as 2026-03-01, a month or a year") from None


def is_known_variant(name: str) -> bool:
    """Whether games of a variant can be read here: what cannot need not be asked for."""
    try:
        variant_named(name or "No Variant")
    except HandfulError:
        return False
    return True
