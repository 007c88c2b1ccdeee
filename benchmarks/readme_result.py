"""Write what commands print into the pages that show it: ``python -m benchmarks.readme_result``.

A page shows a command and its output in a block of its own: `console`, a line that starts with ``$ handful``, and the
output. If the last line is ``…``, only so many lines are shown as there are (or `SHOWN`, if there are none yet).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"```console\n\$ (handful [^\n]*)\n(.*?)```", re.DOTALL)
MORE = "…"
SHOWN = 12


class Shown(NamedTuple):
    """A command, and the lines of its output that a page shows; `is_cut` if there are more of them."""

    command: str
    lines: tuple[str, ...]
    is_cut: bool


def shown_in(text: str) -> Iterator[Shown]:
    """Yield the commands of a page that are shown with their output."""
    for command, output in BLOCK.findall(text):
        lines = output.splitlines()
        if _has_output(lines):
            is_cut = lines[-1] == MORE
            yield Shown(command, tuple(lines[:-1] if is_cut else lines), is_cut)


def without_times(line: str) -> str:
    """Return a line without what differs from run to run: times and speeds, and the width of the table around them.

    >>> without_times("│ time  │ 3.19 s (0.54 s CPU), 627 games a second │")
    'time'
    >>> without_times("Decided by: greedy (22.0 ms, 106 positions)")
    'Decided by: greedy (, 106 positions)'
    """
    line = re.sub(r"[┌┐└┘├┤┬┴┼─━┏┓┡┩╇┳│┃]+", " ", line)
    line = re.sub(r"[\d,.]+ (ms|s CPU|s|games a second)\b", "", line)
    return re.sub(r"time .*", "time", " ".join(line.split()))


def written_anew(text: str) -> str:
    """Return a page with the output of its commands as it is now."""

    def block(match: re.Match[str]) -> str:
        lines = match[2].splitlines()
        if not _has_output(lines):
            return match[0]
        printed = [line.rstrip() for line in output_of(match[1]).splitlines()]
        if lines and lines[-1] == MORE:
            printed = [*printed[: len(lines) - 1 or SHOWN], MORE]
        return f"```console\n$ {match[1]}\n" + "".join(f"{line}\n" for line in printed) + "```"

    return BLOCK.sub(block, text)


def _has_output(lines: list[str]) -> bool:
    """Whether a block shows what its command prints, and not just several commands."""
    return bool(lines) and not any(line.startswith("$ ") for line in lines)


def output_of(command: str) -> str:
    """Return what a command prints; its exit code may say "no"."""
    return subprocess.run(
        [sys.executable, "-c", "from handful.cli.main import run; run()", *shlex.split(command)[1:]],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
    ).stdout.rstrip()


def main() -> None:
    """Write all pages anew."""
    for page in PAGES:
        text = page.read_text()
        anew = written_anew(text)
        if anew != text:
            page.write_text(anew)
            print(page.name)


if __name__ == "__main__":
    main()
