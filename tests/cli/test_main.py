from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from handful import __version__
from handful.cli.main import COMMANDS, _show_warning
from tests.cli.conftest import Handful
from tests.cli.scripted import command

COMMAND_LINE = [sys.executable, "-m", "handful"]


def test_version(handful: Handful) -> None:
    assert handful("--version").stdout == f"handful {__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_help_lists_every_command(handful: Handful, words: tuple[str, ...]) -> None:
    result = handful(*words)
    assert result.exit_code == 0
    for name, each in COMMANDS.items():
        assert f"  {name} " in result.stdout
        assert each.summary in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(handful: Handful, name: str) -> None:
    if find_spec(COMMANDS[name].module) is None:
        pytest.skip("not written yet")
    result = handful(name, "--help")
    assert result.exit_code == 0
    assert f"Example: handful {name}" in result.stdout
    assert "--json" in result.stdout


BAD_INPUT = [
    (("wacht",), "no command 'wacht'. Did you mean 'watch'?"),
    (("--colour",), "No such option"),
    (("watch", "--bot"), "requires an argument"),
    (("watch", "--bot", "blnd"), "no bot 'blnd'. Did you mean 'blind'?"),
    (("watch", "--bot", "blind(luck=7)"), "no setting of the bot 'blind' 'luck'"),
    (("watch", "--bot", "blind", "--bot", "blind", "--players", "3"), "2 bots for 3 seats"),
    (("watch", "--bot", "blind", "--players", "two"), "'two' is not a whole number"),
    (("watch", "--bot", "blind", "--players", "7"), "7 players: expected 1 to 6"),
    (("watch", "--bot", "blind", "--variant", "7 Suits"), "no variant '7 Suits'. Did you mean '6 Suits'?"),
    (("watch", "--bot", "blind", "--rules", "bonus_hint=perhaps"), "bonus_hint=perhaps: expected yes or no"),
    (("watch", "--bot", "blind", "--seed", "-1"), "--seed '-1': expected a number of at least 0"),
    (("watch", "--bot", "blind", "--seed", "p4v0s415", "--players", "3"), "--players 3 contradicts --seed p4v0s415"),
    (("watch", "--bot", "blind", "--seed", "p4v0s415", "--variant", "6 Suits"), "--variant '6 Suits' contradicts"),
    (("watch", "--bot", "blind", "--seed", "p4v0s415", "--game", "2"), "leave out --game"),
    (("watch", "--bot", "blind", "--seed", "7/2", "--game", "3"), "different games"),
    (("watch", "--bot", "blind", "--game", "-3"), "expected a number of at least 0"),
    (("watch", "--bot", "blind", "--record", "no/such/place.json"), "there is no directory no/such"),
    (("play", "--seat", "3"), "--seat 3: expected 1 to 2"),
    (("bots", "surprise"), "unexpected extra argument"),
]


@pytest.mark.parametrize(("words", "complaint"), BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(handful: Handful, words: tuple[str, ...], complaint: str) -> None:
    result = handful(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("handful: ")
    assert result.stderr.count("\n") == 1
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("function", "code", "line"),
    [
        ("interrupted", 130, "handful: interrupted\n"),
        ("refused", 2, "handful: too many cooks\n"),
        ("unreadable", 2, "handful: no/such/file: No such file or directory\n"),
    ],
)
def test_a_command_that_fails(
    handful: Handful, monkeypatch: pytest.MonkeyPatch, function: str, code: int, line: str
) -> None:
    monkeypatch.setitem(COMMANDS, "fail", command(function))
    result = handful("fail")
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", line)


def test_starting_imports_nothing_heavy() -> None:
    modules = [each.module for each in COMMANDS.values() if find_spec(each.module)]
    heavy = "numba numpy rich handful.lab.simulate handful.bots.players"
    code = f"import sys, {', '.join(['handful.cli.main', *modules])}; print(*set({heavy!r}.split()) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_console_script() -> None:
    done = subprocess.run([*COMMAND_LINE, "watch", "--bot", "nobody"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("handful: there is no bot 'nobody'.")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND_LINE, "variants"], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_warning_of_ours_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _show_warning("the table\nis not kept", UserWarning, "table.py", 7)
    assert capsys.readouterr().err == "handful: the table is not kept\n"
    _show_warning("old", DeprecationWarning, "library.py", 7, line="")
    assert capsys.readouterr().err == "library.py:7: DeprecationWarning: old\n"
