"""How results show themselves in notebooks: as a table, in HTML and in Markdown. One place for all of them."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

MOST_ITEMS = 8  # of a list that are written out


class Listing(NamedTuple):
    """What is shown: a sentence above, names of columns (none: the first column names the second), and rows."""

    sentence: str
    header: tuple[str, ...]
    rows: list[tuple[object, ...]]


class Shown(ABC):
    """Something that shows itself as a table in notebooks: what `to_dict` has, or what `shown` says instead."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""

    def shown(self) -> Listing:
        """Return what to show: a row for each value."""
        return Listing("", (), named_rows(self.to_dict()))

    def _repr_html_(self) -> str:
        return as_html(self.shown())

    def _repr_markdown_(self) -> str:
        return as_markdown(self.shown())


def named_rows(values: Mapping[str, object], leave_out: Iterable[str] = ()) -> list[tuple[object, ...]]:
    """Return a row for each value, its name first.

    >>> named_rows({"mean_ci95": [1.0, 2.0], "histogram": [0, 1]}, leave_out=["histogram"])
    [('mean ci95', [1.0, 2.0])]
    """
    skipped = set(leave_out)
    return [(name.replace("_", " "), value) for name, value in values.items() if name not in skipped]


def cell_text(value: object) -> str:
    """Return a value as it stands in a table.

    >>> cell_text(None), cell_text(True), cell_text(0.123456789), cell_text([1.5, 2.5]), cell_text(range(100))
    ('–', 'yes', '0.123457', '1.5 to 2.5', '100 values')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return _several([f"{name} {cell_text(each)}" for name, each in value.items()])
    if isinstance(value, list | tuple | range):
        if len(value) == 2 and all(isinstance(each, float) for each in value):
            return f"{cell_text(value[0])} to {cell_text(value[1])}"
        return _several([cell_text(each) for each in value] if len(value) <= MOST_ITEMS else ["" for _ in value])
    return str(value)


def _several(texts: list[str]) -> str:
    return ", ".join(texts) if len(texts) <= MOST_ITEMS else f"{len(texts)} values"


def as_html(listing: Listing) -> str:
    """Return a listing as an HTML table.

    >>> as_html(Listing("Two < three.", (), [("score", 25)]))
    "<p>Two &lt; three.</p><table><tr><th style='text-align:left'>score</th><td>25</td></tr></table>"
    """
    sentence = f"<p>{html.escape(listing.sentence)}</p>" if listing.sentence else ""
    head = f"<tr>{''.join(f'<th>{html.escape(name)}</th>' for name in listing.header)}</tr>" if listing.header else ""
    return f"{sentence}<table>{head}{''.join(_html_row(row, not listing.header) for row in listing.rows)}</table>"


def _html_row(row: tuple[object, ...], is_named: bool) -> str:
    cells = [_html_cell(cell_text(value)) for value in row]
    first = f"<th style='text-align:left'>{cells[0]}</th>" if is_named else f"<td>{cells[0]}</td>"
    return f"<tr>{first}{''.join(f'<td>{cell}</td>' for cell in cells[1:])}</tr>"


def _html_cell(text: str) -> str:
    shown = html.escape(text)
    return f"<a href='{shown}'>link</a>" if text.startswith("https://") else shown


def as_markdown(listing: Listing) -> str:
    """Return a listing as a Markdown table.

    >>> print(as_markdown(Listing("", ("card", "turns"), [("7D", 0.0)])))
    | card | turns |
    | --- | --- |
    | 7D | 0 |
    """
    width = max((len(row) for row in listing.rows), default=len(listing.header))
    header = listing.header or ("",) * width
    rows: list[tuple[object, ...]] = [header, ("---",) * len(header), *listing.rows]
    lines = [f"| {' | '.join(cell_text(value).replace('|', chr(92) + '|') for value in row)} |" for row in rows]
    return "\n".join([listing.sentence, "", *lines] if listing.sentence else lines)
