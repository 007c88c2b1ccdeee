"""Claim: `handful history` decides 2,000 games of three players in little more than a minute of one core's time.

``python -m benchmarks.history_speed`` lets three of the bot `partner` play the seeds p3v0s1 … p3v0s2000, finds out with
two workers and warm kernels what these games say, and writes the figures of docs/history.md. ``FILE`` behind it keeps
the games there (JSON lines), or takes them from it if it is there.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.lab_scaling import cpu_seconds
from benchmarks.tables import replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi.live.records import Record
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.notation import default_names
from handful.lab.history import history
from handful.lab.history.sources import games_of_files

BOT, PLAYERS, GAMES, WORKERS, WARM = "partner", 3, 2000, 2, 40


def main(file: str = "") -> None:
    """Measure, and write it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(file or Path(folder) / "games.jsonl")
        if not path.exists():
            path.write_text("".join(f"{json.dumps(played(number).to_json())}\n" for number in range(1, GAMES + 1)))
        games = games_of_files([str(path)])
        assert len(games) == GAMES, f"{path} has {len(games)} games"
        assert games[-1].game.record().actions == played(GAMES).actions, f"{path} has other games"
        history(games[:WARM], workers=WORKERS)
        load, wall, cpu = os.getloadavg()[0], time.perf_counter(), all_cpu_seconds()
        found = history(games, workers=WORKERS)
        wall, cpu = time.perf_counter() - wall, all_cpu_seconds() - cpu
    results = found.summary.results
    assert found.summary.games == GAMES, "all were read"
    said = ", ".join(f"{times:,} {result}" for result, times in results.items())
    print(f"{cpu:.0f} CPU s, {wall:.0f} s, load before {load:.1f}: {said}", flush=True)
    note = (
        f"{GAMES:,} games of {PLAYERS} players (`{BOT}`, seeds p{PLAYERS}v0s1 to p{PLAYERS}v0s{GAMES}) with "
        f"{WORKERS} workers, warm: {cpu:.0f} seconds of CPU time, {wall:.0f} seconds by the clock on {os.cpu_count()} "
        f"cores whose load was {load:.1f} before; {said} (`python -m benchmarks.history_speed`)."
    )
    replace_table("history.md", "speed", f"\n{note}\n")


def all_cpu_seconds() -> float:
    """Return the CPU time of this process, and of all that it has started, alive or not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return cpu_seconds() + ended.ru_utime + ended.ru_stime


def played(seed: int) -> Record:
    """Return the game of a seed."""
    deal = deal_from_live_seed(f"p{PLAYERS}v0s{seed}")
    state = play_game(deal, [player_named(BOT).plain] * PLAYERS, 0, seed - 1)
    return Record.from_state(state, default_names(PLAYERS))


if __name__ == "__main__":
    main(*sys.argv[1:])
