"""The report: one Markdown page, and one HTML page with all figures inside, which can be sent to anybody."""

from __future__ import annotations

import base64
import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from handful import __version__
from handful._files import write_whole
from handful.reproduce.outcome import Line, Outcome

MOST_LINES = 60  # of an outcome that are written out; those that differ or go further always are
TITLE = "Every published table, ours beside theirs"
HEADER = ("source", "published", "ours", "verdict")
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8884; }
.wide { overflow-x: auto; }
.same { color: #00734f; } .differs { color: #b34700; } .goes-further { color: #005f99; }
@media (prefers-color-scheme: dark) { .same { color: #4fd1a5; } .differs { color: #ff9b57; }
  .goes-further { color: #6cc1f5; } }
td:last-child { white-space: nowrap; }
.reason td { white-space: normal; color: inherit; border-bottom: 1px solid #8884; padding-left: 1.6rem; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; background: white; border-radius: 4px; }
figcaption { font-size: .9rem; opacity: .8; } .note { opacity: .8; font-size: .92rem; }
summary { cursor: pointer; } h2 { margin-top: 2.6rem; border-top: 1px solid #8884; padding-top: 1rem; }
"""


def write_report(outcomes: Sequence[Outcome], out: Path, is_full: bool) -> Path:
    """Write both pages into a folder; return the HTML page."""
    write_whole(out / "report.md", markdown_page(outcomes, is_full).encode())
    page = out / "report.html"
    write_whole(page, html_page(outcomes, out / "figures", is_full).encode())
    return page


def counts_text(outcomes: Sequence[Outcome]) -> str:
    """Return how many outcomes have which verdict."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    parts = [
        f"{counts['same']} the same",
        f"{counts['differs']} with differences, each with its reason",
        f"{counts['goes further']} that only go further",
    ]
    return f"{len(outcomes)} tables and figures: {', '.join(parts)}."


def introduction(is_full: bool) -> str:
    """Return what the reader should know before the tables."""
    samples = "full samples (`--full`)" if is_full else "the small samples of a quick run (`--full` has larger ones)"
    return (
        f"Written by `handful reproduce` (handful {__version__}) with {samples}. Seeds are fixed: the same version "
        "writes the same figures, but for measured times. “Differs” always has its reason; “goes further” is what was "
        "not published, or not as far. ± and ( to ) are of 95 % confidence."
    )


def shown_lines(lines: Sequence[Line]) -> tuple[list[Line], int]:
    """Return the lines to write out, and how many that agree are left out."""
    same = [line for line in lines if line.verdict == "same"]
    if len(same) <= MOST_LINES:
        return list(lines), 0
    kept = set(map(id, same[: MOST_LINES // 3]))
    return [line for line in lines if line.verdict != "same" or id(line) in kept], len(same) - len(kept)


# Markdown


def markdown_page(outcomes: Sequence[Outcome], is_full: bool) -> str:
    """Return the report as Markdown; figures are files beside it."""
    parts = [f"# {TITLE}", introduction(is_full), counts_text(outcomes)]
    rows = [
        [f"[{outcome.source}](#{anchor(outcome)})", outcome.published, outcome.ours, f"**{outcome.verdict}**"]
        for outcome in outcomes
    ]
    parts.append(_markdown_table(HEADER, rows))
    parts += [_markdown_outcome(outcome) for outcome in outcomes]
    return "\n\n".join(parts) + "\n"


def _markdown_outcome(outcome: Outcome) -> str:
    parts = [f'<a id="{anchor(outcome)}"></a>', f"## {outcome.title}"]
    parts.append(f"`{outcome.name}` · {outcome.source} · **{outcome.verdict}**")
    parts.append(f"Published: {outcome.published}. Ours: {outcome.ours}.")
    if outcome.reason:
        parts.append(f"Why it differs: {outcome.reason}")
    if outcome.note:
        parts.append(outcome.note)
    parts += [f"![{picture.caption}](figures/{picture.name}.svg)" for picture in outcome.pictures]
    lines, left_out = shown_lines(outcome.lines)
    rows = [[line.what, line.published, line.ours, line.verdict, line.reason] for line in lines]
    parts.append(_markdown_table(("what", "published", "ours", "verdict", "why"), rows))
    if left_out:
        parts.append(f"And {left_out} more that are the same (`--json` has all).")
    return "\n\n".join(parts)


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [" | ".join(header), " | ".join(["---"] * len(header))]
    lines += [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def anchor(outcome: Outcome) -> str:
    """Return the name of an outcome's place on the page."""
    return outcome.name.replace(".", "-")


# HTML


def html_page(outcomes: Sequence[Outcome], figures: Path, is_full: bool) -> str:
    """Return the report as one HTML page that needs nothing else."""
    rows = "".join(
        f"<tr><td><a href='#{anchor(outcome)}'>{_text(str(outcome.source))}</a></td><td>{_text(outcome.published)}</td>"
        f"<td>{_text(outcome.ours)}</td>{_verdict(outcome.verdict)}</tr>"
        for outcome in outcomes
    )
    head = "".join(f"<th>{name}</th>" for name in HEADER)
    body = "".join(_html_outcome(outcome, figures) for outcome in outcomes)
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{TITLE}</title>"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'><style>{_STYLE}</style></head><body>"
        f"<h1>{TITLE}</h1><p>{_text(introduction(is_full))}</p><p>{_text(counts_text(outcomes))}</p>"
        f"<div class='wide'><table><tr>{head}</tr>{rows}</table></div>{body}</body></html>\n"
    )


def _html_outcome(outcome: Outcome, figures: Path) -> str:
    pictures = "".join(
        f"<figure><img alt='{html.escape(picture.caption, quote=True)}' src='{_embedded(figures / picture.name)}'>"
        f"<figcaption>{_text(picture.caption)}</figcaption></figure>"
        for picture in outcome.pictures
    )
    reason = f"<p><strong>Why it differs:</strong> {_text(outcome.reason)}</p>" if outcome.reason else ""
    note = f"<p class='note'>{_text(outcome.note)}</p>" if outcome.note else ""
    lines, left_out = shown_lines(outcome.lines)
    rows = "".join(_html_line(line) for line in lines)
    more = (
        f"<p class='note'>And {left_out} more that are the same (<code>--json</code> has all).</p>" if left_out else ""
    )
    table = (
        "<div class='wide'><table><tr><th>what</th><th>published</th><th>ours</th><th>verdict</th></tr>"
        f"{rows}</table></div>{more}"
    )
    is_open = " open" if len(lines) <= 12 else ""
    return (
        f"<h2 id='{anchor(outcome)}'>{_text(outcome.title)}</h2>"
        f"<p><code>{outcome.name}</code> · {_text(str(outcome.source))} · "
        f"<strong class='{_class(outcome.verdict)}'>{outcome.verdict}</strong></p>"
        f"<p>Published: {_text(outcome.published)}.<br>Ours: {_text(outcome.ours)}.</p>{reason}{pictures}{note}"
        f"<details{is_open}><summary>{len(outcome.lines)} comparisons</summary>{table}</details>"
    )


def _html_line(line: Line) -> str:
    row = (
        f"<tr><td>{_text(line.what)}</td><td>{_text(line.published)}</td><td>{_text(line.ours)}</td>"
        f"{_verdict(line.verdict)}</tr>"
    )
    return row + (f"<tr class='reason'><td colspan='4'>{_text(line.reason)}</td></tr>" if line.reason else "")


def _verdict(verdict: str) -> str:
    return f"<td class='{_class(verdict)}'>{verdict}</td>"


def _class(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _text(text: str) -> str:
    """Return a text for HTML; what stands between backquotes is code."""
    parts = html.escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _embedded(stem: Path) -> str:
    """Return a figure as data of the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(stem.with_name(f'{stem.name}.svg').read_bytes()).decode()}"
