"""What must hold when a run is killed the hard way, at whatever moment, again and again.

What was finished is there, once: the run that is left alone in the end comes to what one that was never disturbed comes
to, to the last digit and byte, and leaves nothing behind that is half written.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SWEEP = 'bot = "rules"\nplayers = 2\ngames = 12000\n[grid]\nhint = [1, 2, 3]\n'
UNTIMED = {
    "seconds",
    "cpu_seconds",
    "games_per_second",
    "store",
    "shards_found",
    "out",
    "peak_memory_mb",
    "file",
    "from_disk",
}


def command(words: list[str], folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "HANDFUL_RUMMY_TABLES": str(folder / "tables")}
    return subprocess.Popen(
        [sys.executable, "-m", "handful", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(words: list[str], folder: Path) -> tuple[Any, float]:
    """Return what a command that nobody disturbs prints, without its times, and how long it takes."""
    started = time.perf_counter()
    with command(words, folder) as process:
        out, complaint = process.communicate()
    assert process.returncode == 0, complaint
    return _untimed(json.loads(out)), time.perf_counter() - started


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _untimed(each) for name, each in value.items() if name not in UNTIMED}
    return [_untimed(each) for each in value] if isinstance(value, list) else value


def kill_at_some_moment(words: list[str], folder: Path, moment: float) -> None:
    with command(words, folder) as process:
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def lines_of(kind: str, folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    if kind == "sweep":
        (folder / "sweep.toml").write_text(SWEEP)
        return ["sweep", str(folder / "sweep.toml"), "--store", str(folder / "store.sqlite"), "--json"]
    if kind == "dataset":
        words = "dataset --bot random --games 600 --shard-games 20 --json --out"
        return [*words.split(), str(folder / "rows")]
    return ["rummy", "solve", "--cards", "4", "--aces", "low,high", "--json"]


def check_kills(kind: str, tmp_path: Path, kills: int, seed: int) -> None:
    calm, disturbed, random = tmp_path / "calm", tmp_path / "disturbed", Random(seed)
    expected, seconds = finished(lines_of(kind, calm), calm)
    words = lines_of(kind, disturbed)
    for _ in range(kills):
        # Work begins a while after the start; what is done stays done, so that later ones have less and less to do.
        kill_at_some_moment(words, disturbed, random.uniform(0.2, max(0.4, seconds)))
    came, _ = finished(words, disturbed)
    assert came == expected
    if kind == "dataset":
        assert _bytes_of(disturbed / "rows") == _bytes_of(calm / "rows")
    if kind == "rummy":
        assert sorted(path.name for path in (disturbed / "tables").iterdir()) == sorted(
            path.name for path in (calm / "tables").iterdir()
        )


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


KINDS = ("sweep", "dataset", "rummy")


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on_where_it_stopped(kind: str, tmp_path: Path) -> None:
    check_kills(kind, tmp_path, kills=3, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2, 7))
def test_a_run_goes_on_after_a_hundred_kills(kind: str, seed: int, tmp_path: Path) -> None:
    check_kills(kind, tmp_path, kills=7, seed=seed)
