from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from handful.rummy import solve
from tests.cli.conftest import Handful


@pytest.fixture(autouse=True)
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))
    return tmp_path


RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FIGURES = (
    "hands",
    "rummies",
    "classes",
    "best",
    "worst",
    "mean",
    "best_hand",
    "worst_hand",
    "seconds",
    "peak_memory_mb",
)


def test_solve(handful: Handful) -> None:
    told = json.loads(handful("rummy", "solve", "--cards", "3", "--aces", "wrap", "--json").stdout)
    assert {"cards", "aces", "tolerance", *FIGURES} <= set(told)
    assert (told["hands"], told["rummies"], told["classes"], told["best"]) == (22_100, 104, 60, 12.25)
    assert told["worst"] == pytest.approx(18.24424854, abs=1e-9)
    assert not told["from_disk"]
    assert json.loads(handful("rummy", "solve", "--aces", "wrap", "--json").stdout)["from_disk"]


def test_solve_several_and_print(handful: Handful) -> None:
    told = json.loads(handful("rummy", "solve", "--aces", "low, high", "--tolerance", "1", "--json").stdout)
    assert [(each["aces"], each["tolerance"]) for each in told] == [("low", 1.0), ("high", 1.0)]
    assert told[0]["classes"] == 10  # nine cohorts and the rummies
    shown = handful("rummy", "solve", "--aces", "low", "--tolerance", "1").stdout
    for word in ("3 cards, aces low, within 1 turns", "22,100", "cohorts", "read from disk", "peak memory"):
        assert word in shown


def test_tables(handful: Handful, own_tables: Path) -> None:
    solve(3, "wrap")
    (own_tables / "rummy-3-low.table").write_bytes(b"nothing of ours")
    (entry, damaged) = json.loads(handful("rummy", "tables", "--json").stdout)
    assert (entry["cards"], entry["aces"], entry["problem"]) == (3, "wrap", None)
    assert "cut off" in damaged["problem"]
    shown = handful("rummy", "tables").stdout
    assert "18.244249" in shown
    assert "not used:" in shown
    assert "removed" in handful("rummy", "tables", "--clear").stdout
    assert json.loads(handful("rummy", "tables", "--json").stdout) == []
    assert json.loads(handful("rummy", "tables", "--clear", "--json").stdout) == {"removed": []}


def test_advise(handful: Handful) -> None:
    told = json.loads(handful("rummy", "advise", "AC", "4C", "7C", "--aces", "wrap", "--json").stdout)
    assert told["expected_turns"] == pytest.approx(18.24424854, abs=1e-8)
    assert told["sd"] == pytest.approx(13.0915, abs=1e-4)
    assert told["quantiles"]["0.5"] == 15
    assert len(told["draws"]) == 49
    assert sum(told["distribution"]) == pytest.approx(1, abs=1e-8)
    shown = handful("rummy", "advise", "7C 7D 8C").stdout
    for word in ("expected turns", "standard deviation", "what to throw", "others", "over"):
        assert word in shown


def test_advise_with_a_draw_and_cards_gone(handful: Handful) -> None:
    result = handful("rummy", "advise", "7C 7D 8C", "--draw", "9C", "--seen", "7H 7S", "--json")
    told = json.loads(result.stdout)
    assert (told["discards"][0]["card"], told["discards"][0]["expected_turns"]) == ("7D", 0.0)
    assert len(told["discards"]) == 4
    shown = handful("rummy", "advise", "7C 7D 8C", "--draw", "KS").stdout
    assert "drawn KS" in shown
    assert "KS" in shown.partition("drawn KS")[2]
    assert "the game is over" in handful("rummy", "advise", "7C 7D 7H").stdout


def test_play(handful: Handful) -> None:
    told = json.loads(handful("rummy", "play", "--games", "500", "--json").stdout)
    assert [each["policy"] for each in told] == ["optimal", "greedy", "random"]
    assert told[0]["expected"] == pytest.approx(17.5142727492)
    one = json.loads(handful("rummy", "play", "greedy", "--deck", "pile", "--games", "500", "--json").stdout)
    assert (one["deck"], one["games"], sum(one["histogram"].values())) == ("pile", 500, 500)
    shown = handful("rummy", "play", "random", "--games", "200", "--hand", "AC QH KD").stdout
    assert "AC QH KD" in shown
    assert "95 % confidence" in shown


def test_match(handful: Handful) -> None:
    words = ("rummy", "match", "optimal", "random", "--games", "500", "--take-discards")
    told = json.loads(handful(*words, "--json").stdout)
    assert told["takes"]
    assert told["first_share_ci95"][0] < told["first_share"] < told["first_share_ci95"][1]
    shown = handful(*words).stdout
    for word in ("optimal against random", "may be taken", "who started won", "the better deal won"):
        assert word in shown


def test_figures(handful: Handful, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "pictures"
    told = json.loads(handful("rummy", "figures", "--out", str(out), "--only", "1", "--json").stdout)
    assert [Path(name).name for name in told["files"]] == ["figure-01.svg", "figure-01.png"]
    assert "figure-01.svg" in handful("rummy", "figures", "--out", str(out), "--only", "1").stdout


def test_help(handful: Handful) -> None:
    assert "advise" in handful("rummy").stdout
    for name in ("solve", "advise", "play", "match", "tables", "figures"):
        shown = handful("rummy", name, "--help")
        assert shown.exit_code == 0
        assert f"Example: handful rummy {name}" in shown.stdout
        assert "--json" in shown.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("advise", "AC", "AC", "2D"), "AC is there twice"),
        (("advise", "AC", "2D"), "2 cards, expected 3 to 10"),
        (("advise", "1C", "2D", "3D"), "no rank '1'"),
        (("advise", "AX", "2D", "3D"), "no suit 'X'"),
        (("advise", "AC", "2D", "3D", "--draw", "AC"), "in the hand"),
        (("advise", "AC", "2D", "3D", "--aces", "round"), "no ace rule 'round'"),
        (("advise", "AC", "2D", "3D", "--seen", "AC"), "cannot be gone as well"),
        (("advise", "AC 2D 3D 4H 9S 7C 8D 9D 10D JC"), "handful rummy solve --cards 10"),
        (("solve", "--cards", "2"), "expected a hand of 3 to 10"),
        (("solve", "--cards", "53"), "expected a hand of 3 to 10"),
        (("solve", "--tolerance", "-1"), "is not a tolerance"),
        (("solve", "--aces", "low,medium"), "no ace rule 'medium'"),
        (("solve", "--aces", ","), "expected low, high, wrap"),
        (("play", "clever"), "no policy 'clever'"),
        (("play", "--deck", "stack"), "expected replace or pile"),
        (("match", "optimal(aces=wrap)", "random"), "would wait for ever"),
        (("figures", "--out", "somewhere", "--only", "13"), "no figure 13"),
        (("shuffle",), "shuffle"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("rummy", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_53_cards(handful: Handful) -> None:
    deck = [rank + suit for rank in RANKS for suit in "CDHS"]
    assert "52 cards, expected 3 to 10" in handful("rummy", "advise", *deck).stderr
    assert "AC is there twice" in handful("rummy", "advise", *deck, "AC").stderr


def test_a_damaged_table_is_refused_and_made_again(handful: Handful) -> None:
    path = solve(3, "low").path
    assert path is not None
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.unlink()
    path.write_bytes(data)
    result = handful("rummy", "advise", "AC 2D 3D")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "damaged" in result.stderr
    assert "handful rummy solve --cards 3 --aces low" in result.stderr
    again = handful("rummy", "solve", "--cards", "3", "--aces", "low", "--json")
    assert again.exit_code == 0
    assert "it is made again" in again.stderr
    assert json.loads(again.stdout)["worst"] == pytest.approx(19.1800550962)
    assert handful("rummy", "advise", "AC 2D 3D").exit_code == 0


def test_solve_with_the_spread(handful: Handful, own_tables: Path) -> None:
    told = json.loads(handful("rummy", "solve", "--aces", "wrap", "--spread", "--json").stdout)
    assert told["spread"]["sd_of_turns"] == pytest.approx(13.122469521, abs=1e-9)
    assert "13.1224695210" in handful("rummy", "solve", "--aces", "wrap", "--spread").stdout
    assert "13.122470" in handful("rummy", "tables").stdout
    refused = handful("rummy", "solve", "--spread", "--tolerance", "1")
    assert refused.exit_code == 2
    assert "--spread: expected an exact table" in refused.stderr


def test_a_table_that_takes_long_is_left_to_who_asks_for_it(handful: Handful) -> None:
    told = handful("rummy", "advise", "AC 2C 3C 4C 5C 6C 7C 8D 9D")
    assert told.exit_code == 2
    assert "handful rummy solve --cards 9 --aces low" in told.stderr


def test_a_table_of_a_few_minutes_is_announced_and_made(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.cli.rummy.shared.SOLVED_AT_ONCE", 0.0)  # as if three cards took long
    told = handful("rummy", "advise", "AC 4C 7C", "--json")
    assert "3-card rummy, aces low" in told.stderr
    assert json.loads(told.stdout)["expected_turns"] == pytest.approx(18.5966264444)
    assert handful("rummy", "advise", "AC 4C 7C", "--json").stderr == ""


def test_a_table_that_cannot_be_kept_is_said(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_words: object) -> None:
        raise OSError("no room on the disk")

    monkeypatch.setattr(import_module("handful.rummy.solver.solve"), "save_answers", fail)
    with pytest.warns(UserWarning, match="the answers are not kept: no room on the disk"):
        told = handful("rummy", "solve", "--json")
    assert json.loads(told.stdout)["rummies"] == 96
