from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handful.hanabi import Deal, Record, Rules, State, deal_from_live_seed, link_from_record, record_from_link
from handful.hanabi.live.records import save_record
from handful.hanabi.live.translation import EndAction
from handful.lab import AnalysedGame
from tests.cli.conftest import Handful
from tests.players import cautious_player, play_out

REAL = Path(__file__).parent.parent / "hanabi" / "data" / "real_game.json"


def lost_game(seed: int = 1) -> Record:
    return Record.from_state(play_out(Deal.from_seed(Rules(players=2), seed), cautious_player, seed))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game that was won, two that were lost (one by the deal), two bad files, and something else."""
    shutil.copy(REAL, tmp_path / "a won.json")
    save_record(tmp_path / "b lost.json", lost_game())
    save_record(tmp_path / "c deal.json", Record.from_state(State(deal_from_live_seed("p2v0s40"))))
    (tmp_path / "d bad.json").write_text("{}", encoding="utf-8")
    (tmp_path / "e empty.json").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a record", encoding="utf-8")
    (tmp_path / "f folder.json").mkdir()
    return tmp_path


def test_a_lost_game_turn_by_turn(handful: Handful, tmp_path: Path) -> None:
    save_record(tmp_path / "game.json", lost_game())
    told = json.loads(handful("analyse", str(tmp_path / "game.json"), "--json").stdout)
    assert (told["winnable"], len(told["turns"])) == (True, 80)
    lost = told["turns"][told["lost_at_turn"] - 1]
    assert (lost["winnable_before"], lost["winnable_after"]) == (True, False)
    result = handful("analyse", str(tmp_path / "game.json"))
    assert result.exit_code == 0
    for turn in told["turns"]:
        assert f" {turn['number']}  {turn['text']} " in result.stdout
    assert result.stdout.count("yes → no") == 1
    assert f"Lost on turn {told['lost_at_turn']}: {lost['text']}." in result.stdout
    assert f"From turn {told['lost_at_turn']} on, this would have won:" in result.stdout
    link = result.stdout.split()[-1]
    assert link == told["link"]
    assert record_from_link(link).replay().score == 25


def test_a_link(handful: Handful) -> None:
    result = handful("analyse", link_from_record(lost_game()), "--json")
    assert json.loads(result.stdout)["lost_at_turn"] == 20


def test_a_game_that_was_won(handful: Handful) -> None:
    told = json.loads(handful("analyse", str(REAL), "--json").stdout)
    assert (told["winnable"], told["lost_at_turn"], told["score"], told["solved"]) == (True, None, 25, 0)
    shown = handful("analyse", str(REAL)).stdout
    assert "Čeněk" in shown
    assert shown.endswith("\nWon.\n")


def test_a_game_that_was_left_scores_nothing_and_says_so(handful: Handful, tmp_path: Path) -> None:
    record = lost_game()
    save_record(tmp_path / "game.json", replace(record, actions=record.actions[:12], ends=(EndAction(4, 1),)))
    shown = handful("analyse", str(tmp_path / "game.json"))
    assert "score 0 of 25 (ended by a player)" in shown.stdout
    assert shown.stdout.endswith("Not lost: the maximum is possible where the record stops.\n")
    told = json.loads(handful("analyse", str(tmp_path / "game.json"), "--json").stdout)
    assert (told["score"], told["ending"], told["turns"][-1]["points"] > 0) == (0, "ended by a player", True)


def test_a_folder_is_a_list_and_bad_files_do_not_stop_it(handful: Handful, folder: Path) -> None:
    result = handful("analyse", str(folder), "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert [Path(each["input"]).name[0] for each in told] == ["a", "b", "c", "d", "e"]
    assert [each.get("lost_at_turn", "error") for each in told] == [None, 20, 0, "error", "error"]
    assert "d bad.json: players is missing" in told[3]["error"]
    told_of = [
        line for line in result.stderr.splitlines() if "compiling" not in line
    ]  # workers may have to, the first time
    assert len(told_of) == 2
    shown = handful("analyse", str(folder)).stdout
    assert shown.endswith("3 games: 1 won, 1 lost on the way, 1 lost by the deal. 2 could not be read.\n")
    assert "lost on turn 20: " in shown


def test_a_folder_of_one_record_is_a_list(handful: Handful, tmp_path: Path) -> None:
    shutil.copy(REAL, tmp_path)
    assert len(json.loads(handful("analyse", str(tmp_path), "--json").stdout)) == 1


def test_the_options_reach_the_analysis(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def analyse_all(given: Sequence[str], **options: Any) -> tuple[AnalysedGame, ...]:
        asked.update(options, given=list(given))
        return (AnalysedGame(str(REAL), error="too late"),)

    monkeypatch.setattr("handful.lab.analyses.analyse_all", analyse_all)
    result = handful("analyse", str(REAL), "--workers", "2", "--time-limit", "0.5")
    assert (asked["given"], asked["workers"], asked["time_limit"]) == ([str(REAL)], 2, 0.5)
    assert (result.exit_code, result.stderr) == (2, "handful: too late\n")


def test_nothing_readable_is_exit_code_2(handful: Handful, folder: Path) -> None:
    result = handful("analyse", str(folder / "d bad.json"), str(folder / "e empty.json"))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 2)
    one = handful("analyse", str(folder / "d bad.json"))
    assert (one.exit_code, one.stdout, one.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to analyse"),
        (("nowhere.json",), "nowhere.json cannot be read"),
        (("p4v0s415",), "a deal without a game"),
        (("\0",), "cannot be read"),
        (("x" * 5000,), "cannot be read"),
        ((str(REAL), "--time-limit", "soon"), "'soon' is not a time"),
        ((str(REAL), "--workers", "0"), "at least 1"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("analyse", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_a_folder_without_records_is_refused(handful: Handful, tmp_path: Path) -> None:
    result = handful("analyse", str(tmp_path))
    assert result.exit_code == 2
    assert "has no records" in result.stderr
