"""`handful tune`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from handful.bots.players import REGISTER
from tests.cli.conftest import Handful
from tests.lab.tunable import ENTRY, KEEP

WORDS = ("tune", "--bot", "bold", "--trials", "4", "--games", "10", "--final-games", "20", "--rules", KEEP)


@pytest.fixture(autouse=True)
def bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTER, "bold", ENTRY)


def test_json(handful: Handful, tmp_path: Path) -> None:
    store = str(tmp_path / "results.sqlite")
    result = handful(*WORDS, "--workers", "1", "--store", store, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["objective"], found["trials"], found["restored"], found["store"]) == ("mean", 4, 0, store)
    assert found["best"]["games"] == found["start"]["games"] == 20
    again = json.loads(handful(*WORDS, "--workers", "1", "--store", store, "--json").stdout)
    assert again["restored"] == 4
    assert again["best"]["mean"] == found["best"]["mean"]


def test_a_person_reads_a_table(handful: Handful, tmp_path: Path) -> None:
    result = handful(*WORDS, "--workers", "1", "--store", str(tmp_path / "results.sqlite"))
    assert result.exit_code == 0, result.stderr
    for words in ("best", "start", "finalist", "bold", "20 games each on fresh deals", "strike_score=keep"):
        assert words in result.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--bot", "random"), "'random' has no settings with a range"),
        (("--bot", "nobody"), "there is no bot 'nobody'"),
        (("--bot", "bold", "--objective", "median"), "objective='median': expected mean or perfect"),
        (("--bot", "bold", "--trials", "0"), "0 is too small"),
        (("--bot", "bold", "--seed", "p4v0s415"), "'p4v0s415' is not a whole number"),
        (("--bot", "bold", "--seed", "-1"), "seed -1: expected a number"),
    ],
)
def test_bad_input(handful: Handful, tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    result = handful("tune", *words, "--store", str(tmp_path / "results.sqlite"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


def test_who_interrupts_is_told_how_it_goes_on(
    handful: Handful, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_bot: object, **_settings: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("handful.lab.tuning.tune"), "simulate", interrupt)
    result = handful(*WORDS, "--store", str(tmp_path / "results.sqlite"))
    assert result.exit_code == 130
    assert "the same command goes on from there" in result.stderr
