"""Plots: written whole, the same each time, and refused before the work if they cannot be drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from handful.bots.players import REGISTER
from handful.errors import HandfulError
from handful.lab.plots import check_plot_file, plot_sweep
from handful.lab.tuning.sweep import run_sweep, sweep_from
from tests.lab.tunable import ENTRY, KEEP


@pytest.fixture(autouse=True)
def bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTER, "bold", ENTRY)


def drawn(path: Path, **fields: Any) -> bytes:
    sweep = sweep_from({"bot": "bold", "games": 5, "rules": KEEP, **fields})
    plot_sweep(sweep, run_sweep(sweep, workers=1), path)
    return path.read_bytes()


TWO = {"nerve": [0.1, 0.9], "eye": ["left", "right"]}
PLOTS: list[dict[str, Any]] = [
    {"grid": {"nerve": [0.1, 0.5, 0.9]}},
    {"grid": {"eye": ["left", "right"]}},
    {"grid": TWO},
    {"grid": TWO, "plot": {"x": "nerve", "lines": "eye", "value": "perfect"}},
    {"grid": TWO, "plot": {"x": "eye", "y": "nerve", "value": "perfect"}},
    {"players": [2, 3], "name": "how many?", "rules": "thesis"},
]


@pytest.mark.parametrize("fields", PLOTS)
def test_a_plot_says_what_it_shows(tmp_path: Path, fields: dict[str, Any]) -> None:
    picture = drawn(tmp_path / "plot.svg", **fields)
    assert picture.startswith(b"<?xml")
    plot = fields.get("plot", {})
    for words in (plot.get("value", "mean"), fields.get("name", "bold, No Variant"), "5 games each, seed 0", "95 %"):
        assert f"{words}".encode() in picture  # as comments beside the outlines of the letters


def test_the_same_figures_give_the_same_file(tmp_path: Path) -> None:
    fields = {"grid": {"nerve": [0.1, 0.9]}}
    assert drawn(tmp_path / "a.svg", **fields) == drawn(tmp_path / "b.svg", **fields)


def test_png(tmp_path: Path) -> None:
    assert drawn(tmp_path / "plot.PNG", grid=TWO).startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["plot.PNG"]


def test_files_that_cannot_be_drawn_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HandfulError, match=r"plot\.pdf: expected a file that ends in \.png or \.svg"):
        check_plot_file(tmp_path / "plot.pdf")
    with pytest.raises(HandfulError, match="there is no directory"):
        check_plot_file(tmp_path / "no" / "plot.png")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HandfulError, match=r"pip install 'handful\[plots\]'"):
        check_plot_file(tmp_path / "plot.png")
