"""`handful sweep`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from handful.lab.tuning.sweep import read_sweep, run_sweep
from tests.cli.conftest import Handful

FILE = """
name = "how many?"
bot = "random"
players = [2, 3]
games = 50
rules = "strike_score=keep"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(FILE)
    return path


def store_of(file: Path) -> str:
    return str(file.with_name("results.sqlite"))


def test_json_has_a_row_for_each_combination(handful: Handful, file: Path) -> None:
    result = handful("sweep", str(file), "--store", store_of(file), "--json")
    assert result.exit_code == 0, result.stderr
    swept = json.loads(result.stdout)
    assert (swept["name"], swept["games"], swept["axes"]) == ("how many?", 50, {"players": [2, 3]})
    assert (swept["store"], swept["plot"]) == (store_of(file), None)
    ours = run_sweep(read_sweep(file))
    assert [row["values"] for row in swept["rows"]] == [{"players": 2}, {"players": 3}]
    assert [row["mean"] for row in swept["rows"]] == [row.result.mean for row in ours]


def test_a_person_reads_a_table_and_finds_the_plot(handful: Handful, file: Path) -> None:
    plot = file.with_name("plot.svg")
    result = handful("sweep", str(file), "--store", store_of(file), "--plot", str(plot))
    assert result.exit_code == 0, result.stderr
    for words in ("how many?", "players", "mean score", "50 games each, seed 0", "95 % confidence"):
        assert words in result.stdout
    assert "The plot is in" in result.stdout
    assert plot.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("no-such.toml",), "no-such.toml: No such file"),
        ((), "Missing argument"),
        (("FILE", "--plot", "plot.gif"), "plot.gif: expected a file that ends in"),
        (("FILE", "--plot", "no/such/plot.png"), "there is no directory no/such"),
        (("FILE", "--store", "FILE"), "damaged, or not a store of handful"),
        (("FILE", "--store", "no/such/store"), "there is no directory no/such"),
    ],
)
def test_bad_input(handful: Handful, file: Path, words: tuple[str, ...], complaint: str) -> None:
    result = handful("sweep", *(str(file) if word == "FILE" else word for word in words))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_field_that_is_wrong_is_named(handful: Handful, file: Path) -> None:
    file.write_text(FILE.replace("50", '"many"'))
    result = handful("sweep", str(file), "--store", store_of(file))
    assert result.exit_code == 2
    assert f"{file}: games = 'many': expected a whole number of at least 1" in result.stderr
    assert not Path(store_of(file)).exists()


def test_who_interrupts_is_told_how_it_goes_on(handful: Handful, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_sweep: object, **_settings: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("handful.lab.tuning.sweep"), "run_sweep", interrupt)
    result = handful("sweep", str(file), "--store", store_of(file))
    assert result.exit_code == 130
    assert f"kept in {store_of(file)}: the same command goes on from there" in result.stderr
