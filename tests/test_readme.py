"""What the pages say is done here: their Python runs, their commands work, and print what is shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from benchmarks.readme_result import Shown, shown_in, without_times
from typer.testing import CliRunner

from handful.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text()
# They wait for a person, or take long; those that are bare words of Python; and all tables at once.
NOT_RUN = ("handful play", "handful bench", "handful.", "handful serve")
LONG = {"handful reproduce", "handful reproduce --full", "handful rummy solve --cards 6 --gone"}
ANSWER_IS_NO = 1


def python_blocks() -> list[Any]:
    """Return the blocks of Python, named by their page."""
    return [
        pytest.param(re.sub(r"(?m)^   ", "", code) if code.startswith("   ") else code, id=f"{page.stem}-{number}")
        for page in PAGES
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    ]


def commands() -> list[str]:
    """Return the commands that pages show (`handful …`), but for those that wait for a person or take long."""
    found = {
        command
        for page in PAGES
        for command in re.findall(r"`(handful [^`…]+)`", page.read_text())
        if not command.startswith(NOT_RUN) or command.endswith("--help")
    }
    return sorted(found - LONG)


def shown_blocks() -> list[Any]:
    """Return the commands that pages show with their output."""
    return [
        pytest.param(shown, id=f"{page.stem}-{shown.command}") for page in PAGES for shown in shown_in(page.read_text())
    ]


@pytest.fixture
def in_a_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that pages speak of, and a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HANDFUL_REVIEWS", str(tmp_path / "reviews"))
    game = (ROOT / "tests" / "hanabi" / "data" / "real_game.json").read_text()
    (tmp_path / "game.json").write_text(game)
    (tmp_path / "cards.txt").write_text("hand=2  r2 r3 y1 r1 y3 y2\n")
    (tmp_path / "formula.cnf").write_text("p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n")
    (tmp_path / "grid.toml").write_text('bot = "rules"\nplayers = 3\ngames = 200\n[grid]\nomega_p = [0.5, 0.6]\n')
    (tmp_path / "my-games").mkdir()
    (tmp_path / "my-games" / "one.json").write_text(game)


@pytest.mark.parametrize("code", python_blocks())
@pytest.mark.usefixtures("in_a_folder_with_files")
def test_python_blocks_run(code: str) -> None:
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(code, "README", "exec"), names)
    if "Helpful" in names:
        claimed = float(README.partition("It scores ")[2].partition(" points")[0])
        low, high = names["result"].mean_ci95
        assert low < claimed < high


@pytest.mark.parametrize("command", commands())
@pytest.mark.usefixtures("in_a_folder_with_files")
def test_commands_work(command: str) -> None:
    words = shlex.split(command)[1:]
    result = CliRunner().invoke(app, words)
    assert result.exit_code in (0, ANSWER_IS_NO if words[0] in ("solve", "analyse", "solitaire") else 0), result.output


@pytest.mark.parametrize("shown", shown_blocks())
@pytest.mark.usefixtures("in_a_folder_with_files")
def test_what_is_shown_is_what_the_command_prints(shown: Shown) -> None:
    result = CliRunner().invoke(app, shlex.split(shown.command)[1:], env={"COLUMNS": "100", "NO_COLOR": "1"})
    printed = [without_times(line) for line in result.stdout.rstrip().splitlines()]
    expected = [without_times(line) for line in shown.lines]
    assert len(expected) > 2
    assert printed[: len(expected)] == expected
    assert shown.is_cut == (len(printed) > len(expected))


def test_the_readme_shows_a_result_for_each_question() -> None:
    assert [shown.command.split()[1] for shown in shown_in(README)] == ["solve", "simulate", "rummy"]


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
