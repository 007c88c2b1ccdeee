"""Sweeps: every combination once, everything checked before the first game, and nothing lost when killed."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from handful.bots.players import REGISTER
from handful.errors import HandfulError
from handful.lab import simulate
from handful.lab.store import Store
from handful.lab.tuning.sweep import Axis, PlotPlan, plot_of, read_sweep, run_sweep, sweep_from
from tests.lab.killed import finished, killed_after
from tests.lab.tunable import ENTRY, KEEP

SMALL: dict[str, Any] = {
    "bot": "bold",
    "games": 40,
    "seed": 3,
    "rules": KEEP,
    "grid": {"nerve": [0.2, 0.8], "slots": [1, 3]},
}
FILE = """
name = "how bold?"
bot = "bold(eye=right)"
players = [2, 3]
games = 60
rules = "strike_score=keep"
[grid]
nerve = [0.2, 0.5, 0.9]
[plot]
x = "nerve"
lines = "players"
value = "perfect"
"""


@pytest.fixture(autouse=True)
def bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTER, "bold", ENTRY)


def test_every_combination_is_simulated() -> None:
    sweep = sweep_from(SMALL)
    done: list[int] = []
    rows = run_sweep(sweep, workers=1, on_progress=done.append)
    assert [row.values for row in rows] == [
        {"nerve": nerve, "slots": slots} for nerve in (0.2, 0.8) for slots in (1, 3)
    ]
    for row in rows:
        bot = f"bold(nerve={row.values['nerve']}, slots={row.values['slots']})"
        assert row.result == simulate(bot, players=2, games=40, seed=3, rules=KEEP, workers=1)
    assert sum(done) == sweep.total_games == 160
    assert len({row.result.mean for row in rows}) > 1


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(FILE)
    sweep = read_sweep(path)
    assert sweep.name == "how bold?"
    assert sweep.axes == (Axis("players", (2, 3)), Axis("nerve", (0.2, 0.5, 0.9)))
    assert [point.player.name for point in sweep.points[:2]] == [
        "bold(nerve=0.2, eye=right)",
        "bold(eye=right)",
    ]
    assert [point.rules.players for point in sweep.points] == [2, 2, 2, 3, 3, 3]
    assert sweep.plot == plot_of(sweep) == PlotPlan("nerve", lines="players", value="perfect")


def test_players_may_be_in_the_grid() -> None:
    sweep = sweep_from({"bot": "random", "grid": {"players": [2, 5]}})
    assert [point.rules.players for point in sweep.points] == [2, 5]
    assert plot_of(sweep) == PlotPlan("players")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"bott": "bold"}, "no field 'bott'. Did you mean 'bot'?"),
        ({"bot": None}, "bot = None: expected a text in quotes"),
        ({"bot": "bald"}, "no bot 'bald'. Did you mean 'bold'?"),
        ({"bot": "bold(nerve=0.5)"}, "nerve is set in bot = 'bold(nerve=0.5)' and in the grid"),
        ({"games": 0}, "games = 0: expected a whole number of at least 1"),
        ({"games": 1.5}, "games = 1.5: expected a whole number"),
        ({"games": True}, "games = True: expected a whole number"),
        ({"games": 41, "repeat": 2}, "games = 41: expected a multiple of repeat = 2"),
        ({"seed": -1}, "seed = -1: expected a whole number of at least 0"),
        ({"seed": 1 << 63}, "expected a number of 0 to"),
        ({"repeat": "twice"}, "repeat = 'twice': expected a whole number"),
        ({"players": "three"}, "players = 'three': expected a whole number"),
        ({"players": 9}, "9 players: expected 1 to 6"),
        ({"players": []}, "players = []: expected a list of values"),
        ({"players": [2, 3], "grid": {"players": [2, 3]}}, "players are a list and in the grid too"),
        ({"rules": "thesys"}, "no rules preset or option 'thesys'"),
        ({"variant": "7 Suits"}, "no variant '7 Suits'"),
        ({"grid": None}, "at least two values of something"),
        ({"grid": [1]}, "expected a table [grid]"),
        ({"grid": {"nerve": 0.5}}, "grid.nerve = 0.5: expected a list of values"),
        ({"grid": {"nerve": [0.5, 0.5]}}, "expected different values"),
        ({"grid": {"nerve": [0.5, [1]]}}, "expected numbers, words, true or false"),
        ({"grid": {"nerve": [0.5, float("nan")]}}, "grid.nerve = nan: expected numbers"),
        ({"grid": {"eye": ["left", "right, slots=3"]}}, "expected numbers, words, true or false"),
        ({"grid": {"nerves": [0.1, 0.2]}}, "no setting of the bot 'bold' 'nerves'. Did you mean 'nerve'?"),
        ({"grid": {"slots": [1, 2.5]}}, "slots='2.5', expected a whole number"),
        ({"grid": {"slots": list(range(400)), "nerve": list(range(400))}}, "160000 combinations"),
        ({"plot": 3}, "plot = 3: expected a table"),
        ({"plot": {}}, "[plot] has no x"),
        ({"plot": {"x": "nervus"}}, "plot.x = 'nervus': expected what the grid varies: nerve or slots"),
        ({"plot": {"x": "nerve", "colour": "red"}}, "no field of [plot] 'colour'"),
        ({"plot": {"x": "nerve", "y": "slots", "value": "median"}}, "plot.value = 'median': expected mean or perfect"),
        ({"plot": {"x": "nerve", "y": "slots", "lines": "slots"}}, "y and lines"),
        ({"plot": {"x": "nerve", "y": "nerve"}}, "shows nerve twice"),
        ({"plot": {"x": "nerve"}}, "shows nerve only, but the grid varies slots too"),
    ],
)
def test_nonsense_is_refused_by_name(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(HandfulError) as caught:
        sweep_from({**SMALL, **change})
    assert complaint in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text("bot = rules")
    with pytest.raises(HandfulError, match=r"sweep\.toml: not TOML: Invalid value \(at line 1"):
        read_sweep(path)
    path.write_bytes(b'bot = "\xff"')
    with pytest.raises(HandfulError, match=r"sweep\.toml: not TOML"):
        read_sweep(path)
    path.write_text("games = 0")
    with pytest.raises(HandfulError, match=r"sweep\.toml: bot = None"):
        read_sweep(path)


def test_three_axes_cannot_be_drawn() -> None:
    sweep = sweep_from({**SMALL, "players": [2, 3]})
    with pytest.raises(HandfulError, match="two of them at most"):
        plot_of(sweep)


def test_a_sweep_that_is_done_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        rows = run_sweep(sweep_from(SMALL), store=store, workers=1)
        monkeypatch.setattr(store, "add", None)  # would fail if called
        assert run_sweep(sweep_from(SMALL), store=store, workers=1) == rows


def chunk_rows(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM chunks ORDER BY id").fetchall()
    connection.close()
    return rows


def test_a_killed_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    chunks = 8  # in the middle of the third combination
    file, store = tmp_path / "sweep.toml", tmp_path / "results.sqlite"
    file.write_text(FILE)
    words = ("sweep", str(file), "--store", str(store), "--workers", "1")
    killed_after(f"chunks:{chunks}", *words)
    before = chunk_rows(store)
    assert len(before) == chunks
    resumed = finished(*words)
    after = chunk_rows(store)
    assert after[:chunks] == before
    assert len(after) == 18  # 6 combinations of 60 games, 20 a chunk
    whole = [row.to_dict() for row in run_sweep(read_sweep(file), workers=1)]
    timing = ("seconds", "cpu_seconds", "games_per_second")
    for row in [*resumed["rows"], *whole]:
        for name in timing:
            del row[name]
    assert resumed["rows"] == whole
