from __future__ import annotations

import json
from pathlib import Path

import pytest

from handful.playability.solitaire import is_won_by, read_solitaire
from tests.cli.conftest import Handful

EXAMPLE = "c the example of the paper\np cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


def test_solve_tells_the_moves(handful: Handful, file: Path) -> None:
    file.write_text("# a small game\nhand=2 r2 r3 y1 r1 y3 y2\n")
    result = handful("solitaire", "solve", str(file))
    assert result.exit_code == 0
    assert "6 cards, a hand of 2, 3 values, 2 suits, 1 copy at most" in result.stdout
    assert "Winnable: yes." in result.stdout
    assert "Decided by: greedy" in result.stdout
    assert "play     y1  r1 + r2 + r3" in result.stdout


def test_no_is_exit_code_1(handful: Handful, file: Path) -> None:
    file.write_text("2 1")
    result = handful("solitaire", "solve", str(file), "--hand", "0", "--json")
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert (answer["winnable"], answer["moves"], answer["method"]) == (False, [], "greedy")


@pytest.mark.parametrize(("method", "used"), [("auto", "lazy"), ("lazy", "lazy"), ("table", "table"), ("sat", "sat")])
def test_methods(handful: Handful, file: Path, method: str, used: str) -> None:
    file.write_text("hand=1 2 2 1 3")
    result = handful("solitaire", "solve", str(file), "--method", method, "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert answer["method"] == used
    assert is_won_by(read_solitaire(file.read_bytes()), answer["moves"])


@pytest.mark.parametrize("options", [(), ("--hand", "1"), ("--hand", "3", "--copies", "3")])
def test_there_and_back_again(handful: Handful, file: Path, options: tuple[str, ...]) -> None:
    file.write_text(EXAMPLE)
    reduced = handful("solitaire", "reduce", str(file), *options, "--json")
    document = json.loads(reduced.stdout)
    assert {"hand", "values", "suits", "sequence"} <= set(document)
    game = file.with_suffix(".json")
    game.write_text(reduced.stdout)
    result = handful("solitaire", "solve", str(game), "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert is_won_by(read_solitaire(reduced.stdout), answer["moves"])
    values = {abs(literal): literal > 0 for literal in answer["assignment"]}
    assert values[1] or (not values[2] and not values[3]) or (values[3] and values[2])
    assert "Assignment: " in handful("solitaire", "solve", str(game)).stdout


def test_reduce_names_the_parts_and_writes_a_file(handful: Handful, file: Path) -> None:
    file.write_text(EXAMPLE)
    out = file.with_suffix(".json")
    result = handful("solitaire", "reduce", str(file), "--output", str(out))
    assert result.exit_code == 0
    assert "As a game: 183 cards, a hand of 2, 15 values, 7 suits, 2 copies at most." in result.stdout
    rows = {line.split()[0]: line.split()[2:] for line in result.stdout.splitlines()[3:] if not line.startswith(" ")}
    assert rows["V1"] == ["2:1", "2:2", "1:1", "3:1", "4:1", "5:1", "1:2", "3:2", "4:2", "5:2"]
    assert rows["D2"] == ["10:7", "11:7", "9:7"]
    document = json.loads(out.read_text())
    assert document["gadgets"][1] == {"name": "V1", "start": 1, "end": 11}


def test_long_results_are_cut(handful: Handful, file: Path) -> None:
    file.write_text("hand=1 " + " ".join(f"{value + 1} {value}" for value in range(1, 801, 2)))
    result = handful("solitaire", "solve", str(file))
    assert result.stdout.endswith("… (--json has every move)\n")
    clauses = "1 0\n" * 120
    file.write_text(f"p cnf 1 120\n{clauses}")
    assert "… (--json has the whole sequence)" in handful("solitaire", "reduce", str(file)).stdout


def test_help(handful: Handful) -> None:
    assert "Commands:" in handful("solitaire").stdout
    for name in ("solve", "reduce"):
        text = handful("solitaire", name, "--help").stdout
        assert f"Example: handful solitaire {name}" in text
        assert "--json" in text


BAD_INPUT = [
    (("reduce",), "p cnf 4 1\n1 2 3 4 0\n", "clause 1 has 4 literals: expected at most 3"),
    (("reduce",), "", "there is no formula: expected a line p cnf VARIABLES CLAUSES"),
    (("reduce", "--hand", "0"), EXAMPLE, "0 is too small: expected at least 1"),
    (("reduce", "--copies", "1"), EXAMPLE, "expected at least 2"),
    (("reduce", "--output", "no/such/place.json"), EXAMPLE, "no/such/place.json cannot be written"),
    (("solve", "--hand", "1"), "r0 r1", "the value of r0 is 0: expected at least 1"),
    (("solve", "--hand", "1"), '{"sequence": [[0, 1]]}', "expected a value and a suit of at least 1"),
    (("solve", "--hand", "1", "--method", "greedy"), "r1 r2 r1", "card r1 appears again as card 3: greedy expects"),
    (("solve", "--hand", "1", "--method", "lazy"), "r1 y1", "there are 2 suits: lazy expects one"),
    (("solve", "--hand", "1", "--method", "magic"), "r1", "there is no method 'magic'"),
    (("solve", "--hand", "1"), "", "there are no cards: expected at least one"),
    (("solve",), "r1", "the hand size is missing: expected hand=H among the cards, or --hand H"),
    (("solve", "--hand", "-1"), "r1", "hand is -1: expected a whole number from 0"),
    (("solve", "--hand", "two"), "r1", "'two' is not a whole number"),
    (("solve", "--hand", "1", "--copies", "1"), "r1 r1", "card r1 appears 2 times: expected at most 1 copies"),
    (("solve", "--hand", "1", "--values", "1"), "r1 r2", "card 2 has value 2: expected 1 to 1"),
]


@pytest.mark.parametrize(("words", "text", "complaint"), BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(
    handful: Handful, file: Path, words: tuple[str, ...], text: str, complaint: str
) -> None:
    file.write_text(text)
    result = handful("solitaire", words[0], str(file), *words[1:])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("handful: ")
    assert result.stderr.count("\n") == 1
    assert complaint in result.stderr


def test_a_file_that_is_not_there(handful: Handful) -> None:
    for name in ("solve", "reduce"):
        result = handful("solitaire", name, "no-such-file")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "handful: no-such-file cannot be read: No such file or directory\n"
