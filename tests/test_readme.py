"""What the README says is done here: its Python runs, its commands work, its result is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from handful.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text()


def python_blocks() -> list[str]:
    return [
        re.sub(r"(?m)^   ", "", code) if code.startswith("   ") else code
        for page in PAGES
        for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    ]


def commands() -> list[str]:
    """Return the commands that pages show (`handful …`), but for those that wait for a person or take long."""
    found = {
        command
        for page in PAGES
        for command in re.findall(r"`(handful [^`…]+)`", page.read_text())
        if not command.startswith(("handful play", "handful bench", "handful."))
    }
    return sorted(found)


@pytest.mark.parametrize("code", python_blocks())
def test_python_blocks_run(code: str) -> None:
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(code, "README", "exec"), names)
    if "Helpful" in names:
        claimed = float(README.partition("It scores ")[2].partition(" points")[0])
        low, high = names["result"].mean_ci95
        assert low < claimed < high


@pytest.mark.parametrize("command", commands())
def test_commands_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # a store of its own
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output


def test_the_first_result_is_what_the_command_prints() -> None:
    command = re.search(r"^\$ handful (.*)$", README, re.MULTILINE)
    assert command is not None
    result = CliRunner().invoke(app, shlex.split(command[1]), env={"COLUMNS": "100", "NO_COLOR": "1"})
    printed = README.partition("<!-- result of the command above -->\n```\n")[2].partition("```")[0]

    def without_time(text: str) -> list[str]:
        # Widths follow the longest line, which is that of the time: compare the words.
        lines = [" ".join(line.strip("│ ").split()) for line in text.splitlines()]
        return [line for line in lines if line and not line.startswith("time") and line[0] not in "┌└"]

    assert without_time(printed) == without_time(result.stdout)
    assert len(without_time(printed)) > 10


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
