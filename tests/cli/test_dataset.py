"""`handful dataset`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from handful.envs.dataset import read_dataset
from tests.cli.conftest import Handful


def test_json_says_what_was_written(handful: Handful, tmp_path: Path) -> None:
    out = str(tmp_path / "games")
    words = ("dataset", "--bot", "rules", "--players", "3", "--games", "30", "--shard-games", "20", "--out", out)
    result = handful(*words, "--seed", "4", "--json")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["bots"], told["players"], told["games"], told["seed"]) == (["rules"], 3, 30, 4)
    assert (told["out"], told["shards"], told["shards_found"], told["format"]) == (out, 2, 0, "npz")
    assert (told["observation_size"], told["num_actions"]) == (956, 30)
    rows = [shard["action"] for shard in read_dataset(out)]
    assert told["rows"] == len(np.concatenate(rows))
    simulated = json.loads(
        handful("simulate", "--bot", "rules", "--players", "3", "--games", "30", "--seed", "4", "--json").stdout
    )
    assert told["mean_score"] == pytest.approx(simulated["mean"])
    again = json.loads(handful(*words, "--seed", "4", "--json").stdout)
    assert again["shards_found"] == 2
    assert again["rows"] == told["rows"]


def test_a_person_reads_a_table(handful: Handful, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    out = str(tmp_path / "mixed")
    result = handful("dataset", "--bot", "rules", "--bot", "random", "--games", "10", "--format", "parquet", "-o", out)
    assert result.exit_code == 0, result.stderr
    for words in ("rules, random, 2 players", "10 (seed 0)", "parquet", "a row for each turn", "658 numbers"):
        assert words in result.stdout
    assert len(list((tmp_path / "mixed").glob("*.parquet"))) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "Missing option '--bot'"),
        (("--bot", "nobody"), "there is no bot 'nobody'"),
        (("--bot", "hat", "--players", "2"), "plays with 4 or 5 players"),
        (("--bot", "random", "--games", "0"), "at least 1"),
        (("--bot", "random", "--seed", "p2v0s1"), "is a single deal"),
        (("--bot", "random", "--reward", "fame"), "there is no reward 'fame'"),
        (("--bot", "random", "--format", "csv"), "format 'csv': expected npz or parquet"),
        (("--bot", "random", "--rules", "max_hints=none"), "max_hints is none"),
        (("--bot", "random", "--bot", "random", "--players", "3"), "2 bots for 3 seats"),
    ],
)
def test_bad_input(handful: Handful, tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    result = handful("dataset", "--out", str(tmp_path / "games"), *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert complaint in result.stderr
    assert not (tmp_path / "games").exists()


def test_a_folder_of_something_else_is_left_alone(handful: Handful, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = handful("dataset", "--bot", "random", "--games", "5", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "expected a new or empty folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_who_interrupts_is_told_how_it_goes_on(
    handful: Handful, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_words: object, **_settings: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("handful.envs.dataset"), "write_dataset", interrupt)
    result = handful("dataset", "--bot", "random", "--out", str(tmp_path / "games"))
    assert result.exit_code == 130
    assert f"kept in {tmp_path / 'games'}: the same command goes on from there" in result.stderr
