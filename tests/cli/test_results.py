"""`handful results`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from handful.lab import simulate
from handful.lab.store import Store
from tests.cli.conftest import Handful


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = tmp_path / "results.sqlite"
    with Store(path) as made:
        for players, games in ((2, 100), (3, 60)):
            simulate("random", players=players, games=games, rules="strike_score=keep", store=made)
        simulate("random", players=3, games=30, seed=8, store=made)
    return str(path)


def test_json(handful: Handful, store: str) -> None:
    found = json.loads(handful("results", "--store", store, "--json").stdout)
    assert [(each["players"], each["games"], each["seed"]) for each in found] == [(2, 100, 0), (3, 30, 8), (3, 60, 0)]
    assert sum(found[0]["histogram"]) == 100
    assert found[0]["mean_ci95"][0] < found[0]["mean"] < found[0]["mean_ci95"][1]


@pytest.mark.parametrize(
    ("words", "games"),
    [
        (("--players", "3"), [30, 60]),
        (("--seed", "0"), [100, 60]),
        (("--games", "60"), [100, 60]),
        (("--bot", "rand", "--variant", "no variant"), [100, 30, 60]),
        (("--bot", "rules"), []),
        (("--variant", "6 Suits"), []),
    ],
)
def test_filters(handful: Handful, store: str, words: tuple[str, ...], games: list[int]) -> None:
    found = json.loads(handful("results", "--store", store, *words, "--json").stdout)
    assert [each["games"] for each in found] == games


def test_a_person_reads_a_table_for_each_game(handful: Handful, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = handful("results", "--store", store).stdout
    for words in ("2 players, No Variant; rules: strike_score=keep", "3 players, No Variant\n", "mean score", "95 %"):
        assert words in text
    assert "*" not in text
    monkeypatch.setattr("handful.lab.store.__version__", "99.0")
    text = handful("results", "--store", store).stdout
    assert "100*" in text
    assert "another version of the code" in text
    assert "No such results" in handful("results", "--store", store, "--bot", "nobody").stdout


def test_csv(handful: Handful, store: str, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    assert "3 results in" in handful("results", "--store", store, "--csv", str(path)).stdout
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["games"] for row in rows] == ["100", "30", "60"]
    assert handful("results", "--store", store, "--csv", "-").stdout == path.read_text()


def test_nothing_is_stored_yet(handful: Handful, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / "data"))
    assert json.loads(handful("results", "--json").stdout) == []
    assert list(tmp_path.iterdir()) == []  # looking makes no file


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--store", "no-such.sqlite"), "no-such.sqlite: there is no such file"),
        (("--variant", "7 Suits"), "no variant '7 Suits'"),
        (("--players", "two"), "'two' is not a whole number"),
        (("--store", "STORE", "--csv", "no/such/file.csv"), "No such file or directory"),
    ],
)
def test_bad_input(handful: Handful, store: str, words: tuple[str, ...], complaint: str) -> None:
    result = handful("results", *(store if word == "STORE" else word for word in words))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
