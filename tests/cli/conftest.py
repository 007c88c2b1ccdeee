from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from handful.bots.players import REGISTER
from handful.cli.main import app
from tests.cli.scripted import entry

Handful = Callable[..., Result]


@pytest.fixture
def handful(monkeypatch: pytest.MonkeyPatch) -> Handful:
    """Run a command line in this process, with a bot `blind` in the register."""
    monkeypatch.setitem(REGISTER, "blind", entry())

    def run(*words: str, typed: str = "") -> Result:
        return CliRunner().invoke(app, list(words), input=typed)

    return run
