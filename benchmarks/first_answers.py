"""Claim: the first answer comes in seconds, and with compiled kernels in the package at once.

``python -m benchmarks.first_answers [HANDFUL]`` runs each command with an empty cache, and again with what that left.
If the command of another installation is named, of a wheel with compiled kernels (``make dist`` installs one:
.venv/empty/bin/handful), it is run with an empty cache, too, and must compile nothing. Writes the table of
docs/speed.md, in CPU seconds.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.tables import markdown_table, replace_table

OURS = (sys.executable, "-m", "handful")
GAME = (
    "415pagnsvvmkcjbqfqph-drurfleyguthflinwxdi-awmkscaoxpbuk,03ocka-eiepkcgdoaeoebtdeles-sbeeejxafaewwaereteh-"
    "exeneckaeqfme5saekfv-e1ffxaf0edegfuf4fBeC-1af7eIwaf3wae8fzwafA-ey,0"
)
LOST = (
    "315vkuppwhnaxgihmmdy-ufdqlkxqbceapoabfkrr-wivgstlcfjuns,03lbei-laedoawaecpaxbealaka-esffpbebeufkfepaoaev-"
    "fwpaeyf0gaezf21afrtc-eof3xcemfttaf6e9tafn-eBwcexeqpcfEobehfl1b-e4xafDfgsaeFtcfGgcfJ-eI,0"
)
# Commands in backquotes are run by the tests of the documentation, as they stand.
BEST = ["simulate", "--bot", "best", "--players", "3", "--games"]
SEARCH = ["simulate", "--bot", "search", "--games", "1", "--players"]
COMMANDS = {
    "`handful --help`": ["--help"],
    "`handful solve p2v0s40`": ["solve", "p2v0s40"],
    "a game that was won is analysed, by its link": ["analyse", GAME],
    "a game that was lost is analysed, by its link": ["analyse", LOST],
    "`handful simulate --bot best --players 3 --games 100`": [*BEST, "100"],
    "`handful simulate --bot search --games 1 --players 2`": [*SEARCH, "2"],
    "`handful simulate --bot search --games 1 --players 3`": [*SEARCH, "3"],
    "`handful rummy advise 'AC 4C 7C'`": ["rummy", "advise", "AC 4C 7C"],
}


def cpu_seconds(command: list[str], folder: Path) -> float:
    """Return the CPU time of a command that keeps kernels and tables in a folder."""
    places = {"HANDFUL_KERNEL_CACHE": str(folder / "kernels"), "HANDFUL_RUMMY_TABLES": str(folder / "rummy")}
    (folder / "rummy").mkdir(exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True, env={**os.environ, **places})
    assert done.returncode in (0, 1), done.stderr  # 1: the answer is no
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name: str, arguments: list[str], installed: str | None) -> list[str]:
    """Return the figures of a command."""
    with TemporaryDirectory() as first, TemporaryDirectory() as other:
        cold, warm = (cpu_seconds([*OURS, *arguments], Path(first)) for _ in range(2))
        cells = [name, f"{cold:.1f}", f"{warm:.2f}"]
        if installed is not None:
            cells.append(f"{cpu_seconds([installed, *arguments], Path(other)):.2f}")
            compiled = [path for path in Path(other, "kernels").rglob("*") if path.is_file()]
            assert not compiled, f"{name}: the package lacks {compiled}"
        return cells


def main(installed: str | None) -> None:
    header = ["command", "first time", "after that"] + ["first time, kernels in the package"] * (installed is not None)
    table = markdown_table(header, [row(name, arguments, installed) for name, arguments in COMMANDS.items()])
    replace_table("speed.md", "first answers", f"\n{table}\n")
    print(table)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None)
