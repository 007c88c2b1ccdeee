"""Where a command's words go: results to standard output, the rest to standard error; and the words that they share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from handful.playability import Solution

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


def print_line(out: Console, solution: Solution, names: Sequence[str], link: str) -> None:
    """Print a line, a turn in each row, and its link."""
    from handful.cli.shared.turn_lines import TurnLines

    after = solution.finished.copy()
    for _ in solution.line:
        after.undo()
    lines = TurnLines(after.rules, names, out.width)
    out.print(lines.head())
    for action in solution.line:
        turn = after.act(action)
        out.print(lines.line(after, turn), soft_wrap=True)
    if link:
        out.print()
        out.print(link, soft_wrap=True)


def complain(message: str) -> None:
    """Print a one-line message for the user on standard error."""
    print(f"handful: {' '.join(message.split())}", file=sys.stderr)
