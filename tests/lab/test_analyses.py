"""Many games analysed: in their order, the same whatever the workers; and what cannot be read stops nothing."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from handful.errors import HandfulError, NotationError
from handful.hanabi import Deal, Record, Rules, State, deal_from_live_seed, link_from_record, load_record, save_record
from handful.lab import AnalysedGame, analyse_all
from handful.lab import analyses as module
from handful.lab.analyses import SHORT_VERDICTS, games_in, short_verdict
from handful.playability import Analysis, analyse
from tests.players import cautious_player, play_out

REAL = Path(__file__).parent.parent / "hanabi" / "data" / "real_game.json"


def lost_game() -> Record:
    return Record.from_state(play_out(Deal.from_seed(Rules(players=2), 1), cautious_player, 1))


def lost_deal() -> Record:
    return Record.from_state(State(deal_from_live_seed("p2v0s40")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game that was won, two that were lost (one by the deal), two bad files, and something else."""
    shutil.copy(REAL, tmp_path / "a won.json")
    save_record(tmp_path / "b lost.json", lost_game())
    save_record(tmp_path / "c deal.json", lost_deal())
    (tmp_path / "d bad.json").write_text("{}", encoding="utf-8")
    (tmp_path / "e empty.json").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a record", encoding="utf-8")
    (tmp_path / "f folder.json").mkdir()
    return tmp_path


def found(game: AnalysedGame) -> Analysis:
    assert game.analysis is not None, game.error
    return game.analysis


def test_a_folder_in_the_order_of_its_names(folder: Path) -> None:
    done: list[int] = []
    games = analyse_all(folder, on_progress=done.append)
    assert [Path(game.given).name[0] for game in games] == ["a", "b", "c", "d", "e"]
    assert [found(game).lost_at_turn for game in games[:3]] == [None, 20, 0]
    assert [game.analysis for game in games[3:]] == [None, None]
    assert "d bad.json: players is missing" in games[3].error
    assert "e empty.json: " in games[4].error
    assert sum(done) == 5


def test_the_result_does_not_depend_on_the_workers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES_AT_ONCE", 2)
    done: list[int] = []
    one = analyse_all([folder], workers=1, on_progress=done.append)
    assert done == [2, 2, 1]
    assert one == analyse_all([folder], workers=2)
    assert len(one) == 5


def test_files_links_folders_and_records_together(tmp_path: Path) -> None:
    shutil.copy(REAL, tmp_path)
    link = link_from_record(load_record(REAL).bare())
    games = analyse_all([str(REAL), link, tmp_path, load_record(REAL)])
    assert [game.given for game in games] == [str(REAL), link, str(tmp_path / REAL.name), "game 4"]
    assert {found(game).verdict for game in games} == {"won"}
    assert found(games[3]) == analyse(load_record(REAL))


def test_a_single_file_needs_no_list() -> None:
    assert analyse_all(str(REAL)) == analyse_all([REAL])
    assert len(analyse_all(load_record(REAL))) == 1


def test_a_game_that_breaks_the_rules_is_named() -> None:
    record = lost_game()
    broken = replace(record, actions=(*record.actions, record.actions[-1]))
    won, wrong = analyse_all([REAL, broken])
    assert found(won).is_won
    assert wrong.analysis is None
    assert wrong.error.startswith("game 2: ")


def test_a_time_limit_is_kept_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float | None] = []

    def note(record: Record, time_limit: float | None) -> Analysis:
        limits.append(time_limit)
        return analyse(record, time_limit)

    monkeypatch.setattr(module, "analyse", note)
    analyse_all(REAL)
    analyse_all(REAL, time_limit=0.5)
    analyse_all(REAL, time_limit=None)
    assert limits == [60.0, 0.5, None]


def test_as_plain_values_and_as_text() -> None:
    (game,) = analyse_all(REAL)
    told = json.loads(json.dumps(game.to_dict()))
    assert (told["input"], told["score"], "error" in told) == (str(REAL), 25, False)
    assert repr(game) == f"<AnalysedGame {REAL}: won>"
    assert "<table>" in game._repr_html_()
    unread = AnalysedGame("<bad>.json", error="<bad>.json: is empty")
    assert unread.to_dict() == {"input": "<bad>.json", "error": "<bad>.json: is empty"}
    assert repr(unread) == "<AnalysedGame <bad>.json, error: <bad>.json: is empty>"
    assert "<bad>" not in unread._repr_html_()


def test_short_verdicts() -> None:
    won = analyse(load_record(REAL))
    lost = replace(won, score=20)
    of_each = {
        "won": won,
        "lost on the way": replace(lost, lost_at_turn=20),
        "lost by the deal": replace(lost, lost_at_turn=0),
        "undecided": replace(lost, lost_between=(3, 7)),
        "not lost": lost,
    }
    assert tuple(of_each) == SHORT_VERDICTS
    for verdict, analysis in of_each.items():
        assert short_verdict(analysis) == verdict


def test_games_in_a_folder_stay_what_they_are(folder: Path) -> None:
    games = games_in(folder)
    assert [Path(str(game)).name for game in games] == [
        "a won.json",
        "b lost.json",
        "c deal.json",
        "d bad.json",
        "e empty.json",
    ]
    assert games_in(games) == games


def test_what_has_no_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="nothing to analyse"):
        analyse_all([])
    with pytest.raises(NotationError, match="has no records"):
        analyse_all(tmp_path)
    with pytest.raises(NotationError, match="a deal without a game"):
        analyse_all([REAL, "p4v0s415"])
    with pytest.raises(HandfulError, match="workers=0"):
        analyse_all(REAL, workers=0)


@pytest.mark.parametrize("name", ["nowhere.json", "\0", "x" * 5000])
def test_what_is_no_file_is_said_when_it_is_read(name: str) -> None:
    (game,) = analyse_all(name)
    assert "cannot be read" in game.error
