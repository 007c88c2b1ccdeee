"""`handful review` and `handful puzzles`: what is printed, written, and refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handful.hanabi import Deal, Record, Rules, link_from_record
from handful.hanabi.live.records import save_record
from tests.cli.conftest import Handful
from tests.players import cautious_player, play_out

QUICK = ("--worlds", "8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The end of a lost game, and something that is no game."""
    monkeypatch.setenv("HANDFUL_REVIEWS", str(tmp_path / "reviews"))
    record = Record.from_state(play_out(Deal.from_seed(Rules(players=2), 1), cautious_player, 1))
    (tmp_path / "games").mkdir()
    save_record(tmp_path / "games" / "a.json", replace(record, actions=record.actions[:6]))
    (tmp_path / "games" / "bad.json").write_text("{}")
    return tmp_path / "games"


def told(handful: Handful, *words: str) -> Any:
    result = handful(*words, *QUICK, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_game_turn_by_turn(handful: Handful, folder: Path) -> None:
    game = str(folder / "a.json")
    found = told(handful, "review", game)
    assert (found["input"], found["worlds"], found["seed"], found["team"]) == (game, 8, 0, "conventions")
    assert [turn["number"] for turn in found["turns"]] == [1, 2, 3, 4, 5, 6]
    assert [turn["player"] for turn in found["turns"][:3]] == [1, 2, 1]
    assert {"chance", "loss", "margin", "mark", "best", "played", "is_possible"} <= set(found["turns"][0])
    assert [player["decisions"] for player in found["by_player"]] == [3, 3]
    result = handful("review", game, *QUICK)
    assert result.exit_code == 0
    for turn in found["turns"]:
        assert turn["text"] in result.stdout
    assert "mean loss" in result.stdout
    assert "played on" not in result.stdout
    again = told(handful, "review", game, "--workers", "1")
    assert again["turns"] == found["turns"]


def test_what_is_not_as_conventions_have_it_is_listed_too(handful: Handful, folder: Path) -> None:
    game = str(folder / "a.json")
    found = told(handful, "review", game, "--conventions")["conventions"]
    shown = handful("review", game, *QUICK, "--conventions").stdout
    assert f"{len(found)} thing" in shown
    assert all(finding["kind"] in shown for finding in found)
    assert handful("review", game, *QUICK, "--conventions", "--turn", "2").exit_code == 2


def test_a_link_and_another_team(handful: Handful, folder: Path) -> None:
    from handful.hanabi.live.records import load_record

    link = link_from_record(load_record(folder / "a.json"))
    assert told(handful, "review", link, "--bot", "rules", "--seed", "3")["team"] == "rules"


def test_one_turn_in_depth(handful: Handful, folder: Path) -> None:
    found = told(handful, "review", str(folder / "a.json"), "--turn", "4")
    assert found["number"] == 4
    assert found["played"]["worlds"] == 80
    result = handful("review", str(folder / "a.json"), "--turn", "4", *QUICK)
    assert "Measured anew in 80 worlds" in result.stdout
    assert "best" in result.stdout


def test_a_folder_is_a_list_and_names_what_cannot_be_read(handful: Handful, folder: Path) -> None:
    result = handful("review", str(folder), *QUICK)
    assert result.exit_code == 0
    assert "bad.json: players is missing" in result.stderr
    assert "1 game. 1 could not be read." in result.stdout
    found = told(handful, "review", str(folder))
    assert [("error" in game) for game in found] == [False, True]
    assert handful("review", str(folder / "bad.json"), str(folder / "bad.json"), *QUICK).exit_code == 2


@pytest.mark.parametrize("name", ["page.html", "page.md"])
def test_pages_are_written(handful: Handful, folder: Path, tmp_path: Path, name: str) -> None:
    result = handful("review", str(folder / "a.json"), *QUICK, "--out", str(tmp_path / name))
    assert result.exit_code == 0
    assert "Alice" in (tmp_path / name).read_text()
    result = handful("puzzles", str(folder / "a.json"), *QUICK, "--out", str(tmp_path / name))
    assert result.exit_code == 0
    assert "What would you do?" in (tmp_path / name).read_text()
    assert f"in {tmp_path / name}." in result.stdout.replace("\n", "")


def test_puzzles_as_json_and_by_default_a_page_here(
    handful: Handful, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert isinstance(told(handful, "puzzles", "a.json"), list)
    assert not (folder / "puzzles.html").exists()
    assert handful("puzzles", "a.json", *QUICK).exit_code == 0
    assert (folder / "puzzles.html").exists()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "there is nothing to analyse"),
        (("nothing.json",), "cannot be read"),
        (("p2v0s40",), "is a seed"),
        (("a.json", "--turn", "7"), "expected 1 to 6"),
        (("a.json", "a.json", "--turn", "1"), "is for one game"),
        (("a.json", "--worlds", "7"), "expected 8 to"),
        (("a.json", "--seed", "-1"), "expected a number of at least 0"),
        (("a.json", "--bot", "nobody"), "nobody"),
        (("a.json", "--bot", "cheat"), "sees all hands"),
        (("a.json", "--out", "page.pdf"), "ends in .html or .md"),
        (("a.json", "--out", "no/folder/page.md"), "there is no folder"),
        (("a.json", "--seconds", "0"), "expected more than 0"),
    ],
)
def test_bad_input_is_one_line(
    handful: Handful, folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], error: str
) -> None:
    monkeypatch.chdir(folder)
    result = handful("review", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
