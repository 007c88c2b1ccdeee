"""Where a command's words go: results to standard output, the rest to standard error; and the words that they share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from handful.errors import shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from handful.hanabi.rules import Rules
    from handful.lab.statistics import Interval

# Without a terminal nobody can say how wide the page is: wide enough for every table of ours.
PIPED_WIDTH = 120

# Whether a position can be won.
ANSWERS = {True: "yes", False: "no", None: "unknown"}


def console(to_stderr: bool = False) -> Console:
    """Return a console on standard output (or standard error). NO_COLOR and pipes get plain text."""
    from rich.console import Console

    class Page(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    stream = sys.stderr if to_stderr else sys.stdout
    is_sized = stream.isatty() or "COLUMNS" in os.environ
    width = None if is_sized else PIPED_WIDTH
    return Page(stderr=to_stderr, highlight=False, markup=False, emoji=False, width=width)


def counted(count: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "point"), counted(2, "point")
    ('1 point', '2 points')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def sentence(text: str) -> str:
    """Return a text as a sentence.

    >>> sentence("pace: too slow")
    'Pace: too slow.'
    """
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""


def print_json(result: Any) -> None:
    """Print one JSON object (or list), the only thing on standard output."""
    print(json.dumps(result, indent=2, ensure_ascii=False))


def figures(title: str, rows: Iterable[tuple[str, str]], caption: str = "", is_right: bool = False) -> Table:
    """Return a table of figures, each behind its name; `is_right`: all of them are numbers."""
    from rich.table import Column, Table

    values = Column(justify="right", overflow="fold") if is_right else Column()
    table = Table(Column(), values, title=title, title_style="bold", show_header=False, caption=caption or None)
    for row in rows:
        table.add_row(*row)
    return table


def listing(columns: Iterable[str], rows: Iterable[Sequence[str | Text]] = (), **settings: Any) -> Table:
    """Return a table with a row for each thing; a column whose name begins with > is set to the right.

    `settings` are those of rich.
    """
    from rich.table import Column, Table

    shown = [Column(name.removeprefix(">"), justify="right" if name.startswith(">") else "left") for name in columns]
    table = Table(*shown, title_style="bold", **settings)
    for row in rows:
        table.add_row(*row)
    return table


# Lists whose rows are sentences rather than figures: without lines around them.
PLAIN: dict[str, Any] = {"box": None, "header_style": "dim", "pad_edge": False}


def mean_text(mean: float, interval: Interval) -> str:
    """Return a mean with half the width of its interval.

    >>> mean_text(18.2, (18.1, 18.3))
    '18.200 ± 0.100'
    """
    return f"{mean:.3f} ± {(interval[1] - interval[0]) / 2:.3f}"


def share_text(share: float, interval: Interval) -> str:
    """Return a proportion with its interval.

    >>> share_text(0.5, (0.4, 0.6))
    '50.00% (40.00% to 60.00%)'
    """
    return f"{share:.2%} ({interval[0]:.2%} to {interval[1]:.2%})"


def rules_text(rules: Rules) -> str:
    """Return the variant that is played, and in brackets what is not as usual."""
    options = rules.options_text()
    return f"{rules.variant.name} ({options})" if options else rules.variant.name


def complain(message: str) -> None:
    """Print a one-line message for the user on standard error."""
    try:
        print(f"handful: {shortened(' '.join(message.split()))}", file=sys.stderr, flush=True)
    except OSError:  # where even this cannot be said, the exit code is left to say it
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let nothing more be written to a pipe that nobody reads, or to a disk that is full."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain_of_interruption(what_is_kept: str = "") -> None:
    """Say that Ctrl-C was pressed, and what is kept."""
    if sys.stderr.isatty():
        print(file=sys.stderr)  # terminals leave ^C at the end of a line
    complain(f"interrupted. {what_is_kept}" if what_is_kept else "interrupted")
