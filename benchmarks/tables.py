"""Write a measured table into a page of docs/, between its marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are aligned to the right."""
    lines = [" | ".join(header), " | ".join(["---", *["---:"] * (len(header) - 1)])]
    lines += [" | ".join(row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def replace_table(page: str, name: str, text: str) -> None:
    """Put the text between ``<!-- name -->`` and ``<!-- end name -->`` of a page."""
    path = DOCS / page
    before, opening, rest = path.read_text().partition(f"<!-- {name} -->")
    _old, closing, after = rest.partition(f"<!-- end {name} -->")
    if not opening or not closing:
        raise SystemExit(f"docs/{page} has no marks for {name}")
    path.write_text(f"{before}{opening}\n{text}\n{closing}{after}")
