"""Claim: a game costs the same CPU time with one worker and with two, and about a tenth more on a Dask cluster.

``python -m benchmarks.lab_scaling`` measures all in the same run and writes the table of docs/lab.md.
"""

from __future__ import annotations

import os
import platform
import time
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module

from benchmarks.tables import markdown_table, replace_table
from handful.lab import simulate
from handful.lab.running.dask_cluster import kept_open

BOT = "rules"
PLAYERS = 3
GAMES = 100_000
ROUNDS = 5


@dataclass
class Place:
    """Somewhere to play, and the best of its rounds."""

    name: str
    workers: int | None
    dask: str | None = None
    start_seconds: float = 0.0
    games_per_second: float = 0.0
    games_per_cpu_second: float = 0.0

    def play(self) -> None:
        """Play a round."""
        wall, cpu = time.perf_counter(), cpu_seconds()
        simulate(BOT, players=PLAYERS, games=GAMES, workers=self.workers, dask=self.dask)
        self.games_per_second = max(self.games_per_second, GAMES / (time.perf_counter() - wall))
        self.games_per_cpu_second = max(self.games_per_cpu_second, GAMES / (cpu_seconds() - cpu))


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it started, as far as they are alive."""
    psutil = import_module("psutil")
    own = psutil.Process()
    times = [process.cpu_times() for process in [own, *own.children(recursive=True)]]
    return float(sum(each.user + each.system for each in times))


def main() -> None:
    """Measure, print and write the table."""
    load = os.getloadavg()[0]
    with ExitStack() as stack:
        started = time.perf_counter()
        address = stack.enter_context(kept_open("local", workers=2))
        start_seconds = time.perf_counter() - started
        places = [
            Place("1 worker", 1),
            Place("2 workers", 2),
            Place("Dask, 2 processes on this machine", None, address, start_seconds),
        ]
        for place in places:
            place.play()  # loads the kernels in every process
        for place in places:
            place.games_per_second = place.games_per_cpu_second = 0.0
        # Rounds alternate, and the best of each counts: machines are shared and noisy.
        for _ in range(ROUNDS):
            for place in places:
                place.play()
    rows = [
        [
            place.name,
            f"{place.games_per_second:,.0f}",
            f"{place.games_per_second / places[0].games_per_second:.2f}",
            f"{place.games_per_cpu_second:,.0f}",
            f"{place.start_seconds:.1f}",
        ]
        for place in places
    ]
    header = ["where", "games per second", "times 1 worker", "games per CPU second", "seconds to start"]
    table = markdown_table(header, rows)
    note = (
        f"Measured with `python -m benchmarks.lab_scaling`: the bot `{BOT}`, {PLAYERS} players, {GAMES:,} games, the "
        f"best of {ROUNDS} rounds; Python {platform.python_version()}, {os.cpu_count()} cores, with a load of "
        f"{load:.1f} from other work when it began (games per second suffer from it, games per CPU second hardly)."
    )
    replace_table("lab.md", "lab scaling", f"\n{note}\n\n{table}\n")
    print(table)


if __name__ == "__main__":
    main()
