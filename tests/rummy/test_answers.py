from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from handful import rummy
from handful.errors import DealError, NotationError
from handful.rummy import Answers, DamagedFileError, Game
from handful.rummy.answers import open_answers
from handful.rummy.array_files import HEADER_SIZE, read_header

GAME = Game(3, "wrap")


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return rummy.solve(3, "wrap", folder=tmp_path)


def path_of(answers: Answers) -> Path:
    assert answers.path is not None
    return answers.path


def test_discards_come_best_first_with_what_they_cost(answers: Answers) -> None:
    discards = answers.discards("AC 4C 7C", "2C")
    assert discards[0].card == answers.best_discard("AC 4C 7C", "2C")
    assert str(discards[0].card) == "7C"
    assert discards[0].cost == 0.0
    assert [each.cost for each in discards] == sorted(each.cost for each in discards)
    for each in discards:
        assert each.expected_turns == answers.expected_turns(each.keeps)
        assert each.to_dict()["card"] == str(each.card)
    assert len(discards) == 4


def test_a_useless_card_is_thrown_back(answers: Answers) -> None:
    # a finished hand stays finished whatever is drawn
    assert str(answers.best_discard("KC AC 2C", "7D")) == "7D"
    assert answers.expected_turns("KC AC 2C") == 0.0


@pytest.mark.parametrize(
    ("hand", "draw", "error", "named"),
    [
        ("AC 4C 7C", "4C", DealError, "draw 4C"),
        ("AC 4C 7C", "4X", NotationError, "'4X'"),
        ("AC 4C", "7C", DealError, "2 cards, expected 3"),
    ],
)
def test_bad_questions_are_refused(answers: Answers, hand: str, draw: str, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        answers.discards(hand, draw)


def test_a_table_is_found_again(answers: Answers, tmp_path: Path) -> None:
    before = path_of(answers).stat().st_mtime_ns
    again = rummy.solve(3, "wrap", folder=tmp_path)
    assert again.path == answers.path
    assert path_of(again).stat().st_mtime_ns == before
    assert again.summary() == answers.summary()
    assert again.values.tobytes() == answers.values.tobytes()
    fresh = rummy.solve(3, "wrap", folder=tmp_path, fresh=True)
    assert fresh.values.tobytes() == answers.values.tobytes()


def test_values_on_disk_cannot_be_written_to(answers: Answers) -> None:
    with pytest.raises(ValueError, match="read-only"):
        answers.values[0] = 1.0


def test_tables_are_kept_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path / "here"))
    assert path_of(rummy.solve(3, "wrap")).parent == tmp_path / "here"
    assert [entry.path.name for entry in rummy.list_answers()] == ["rummy-3-wrap.table"]


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 0x40
    path.write_bytes(content)


def with_header(path: Path, **changes: object) -> None:
    """Write a header that is whole, but says something else."""
    header = read_header(path, "table", 1) | changes
    text = json.dumps(header).encode().ljust(HEADER_SIZE - 16)
    content = path.read_bytes()
    start = content[:8] + len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little")
    path.write_bytes(start + text + content[HEADER_SIZE:])


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a bit of a value": lambda path: flip(path, HEADER_SIZE + 803),
    "a bit of the header": lambda path: flip(path, 100),
    "another magic": lambda path: flip(path, 0),
    "cut off": lambda path: os.truncate(path, path.stat().st_size - 8),
    "cut off in the header": lambda path: os.truncate(path, 1000),
    "empty": lambda path: os.truncate(path, 0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "of another version": lambda path: with_header(path, version=99),
    "of another game": lambda path: with_header(path, game={"cards": 3, "aces": "low", "tolerance": 0.0}),
    "of no game": lambda path: with_header(path, game={}),
    "no answers": lambda path: with_header(path, kind="checkpoint"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_is_refused_and_made_again(answers: Answers, tmp_path: Path, damage: str) -> None:
    expected = np.array(answers.values)
    path = path_of(answers)
    del answers  # its file is mapped into memory
    DAMAGES[damage](path)
    with pytest.raises(DamagedFileError):
        open_answers(GAME, tmp_path)
    (entry,) = rummy.list_answers(tmp_path)
    if damage != "of another game":  # whole answers under a wrong name
        assert entry.problem is not None
    with pytest.warns(UserWarning, match="it is made again"):
        again = rummy.solve(3, "wrap", folder=tmp_path)
    assert again.values.tobytes() == expected.tobytes()
    assert open_answers(GAME, tmp_path) is not None


def test_a_table_is_checked_once_and_again_when_it_has_changed(answers: Answers, tmp_path: Path) -> None:
    path = path_of(answers)
    memory = path.with_name(path.name + ".checked")
    assert memory.exists()
    before = memory.stat().st_mtime_ns
    open_answers(GAME, tmp_path)
    assert memory.stat().st_mtime_ns == before


def test_tables_are_listed_and_cleared(tmp_path: Path) -> None:
    for cards, aces, tolerance in [(3, "wrap", 0.0), (3, "low", 0.5), (3, "low", 0.0)]:
        rummy.solve(cards, aces, tolerance, folder=tmp_path)
    (tmp_path / "rummy-7-low.table.partial").write_bytes(b"half")
    listed = rummy.list_answers(tmp_path)
    summaries = [entry.summary for entry in listed if entry.summary is not None]
    assert [(each.aces, each.tolerance) for each in summaries] == [("low", 0.0), ("low", 0.5), ("wrap", 0.0)]
    assert listed[0].to_dict()["cards"] == 3
    assert len(rummy.clear_answers(tmp_path)) == 4
    assert list(tmp_path.iterdir()) == []
    assert rummy.list_answers(tmp_path / "nowhere") == ()


def test_a_folder_that_cannot_be_written_to_costs_only_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(UserWarning, match="not kept"):
        answers = rummy.solve(3, "wrap", folder=tmp_path / "file")
    assert answers.path is None
    assert answers.expected_turns("AC 4C 7C") == pytest.approx(18.2442485400)


def test_old_names_still_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="rummy.Answers"):
        assert rummy.Table is rummy.Answers
    with pytest.warns(DeprecationWarning, match="Answers.hand_index"):
        assert rummy.solve(3, "wrap", keep=False).hands["cards"] == 3
    with pytest.raises(AttributeError, match="nothing"):
        _ = rummy.nothing
