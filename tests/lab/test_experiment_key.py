"""Results are kept under a hash of the code that made them: an edit forgets what it may have changed, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from handful import _sources as sources
from handful.bots.players import REGISTER
from handful.lab import store as experiment_key

BY_NAME = {"best", "search"}  # they call other bots by their names


@pytest.fixture
def changed_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], set[str]]]:
    """The bots whose code is another one after an edit of a file."""
    read = sources._read

    def versions() -> dict[str, str]:
        experiment_key._source_hash.cache_clear()
        return {name: experiment_key.code_version(entry) for name, entry in REGISTER.items()}

    def after(edited: str) -> set[str]:
        path = sources.PACKAGE / edited
        assert path.is_file()

        def read_edited(file: Path) -> tuple[bytes, frozenset[Path]]:
            digest, needed = read(file)
            return (b"edited" if file == path else digest), needed

        before = versions()
        monkeypatch.setattr(sources, "_read", read_edited)
        now = versions()
        monkeypatch.setattr(sources, "_read", read)
        return {name for name in REGISTER if before[name] != now[name]}

    yield after
    experiment_key._source_hash.cache_clear()


@pytest.mark.parametrize("edited", ["hanabi/kernels/game.py", "hanabi/rules.py", "lab/games.py", "bots/players.py"])
def test_an_edit_of_the_game_forgets_all_results(changed_by: Callable[[str], set[str]], edited: str) -> None:
    assert changed_by(edited) == set(REGISTER)


@pytest.mark.parametrize(
    ("edited", "bots"),
    [
        ("bots/hat/hat_2018_kernel.py", {"hat-2018"}),
        ("bots/hat/code_kernel.py", {"hat", "information"}),
        ("bots/hat/planner_kernel.py", {"information"}),
        ("bots/simple/rules_kernel.py", {"rules", "montecarlo", "uct"}),
        ("playability/deals/kernels/stages.py", {"oracle"}),
    ],
)
def test_an_edit_of_a_bot_forgets_its_results_alone(
    changed_by: Callable[[str], set[str]], edited: str, bots: set[str]
) -> None:
    assert changed_by(edited) == bots | BY_NAME


@pytest.mark.parametrize("edited", ["bots/register.py", "lab/store.py", "rummy/solver/solve.py", "cli/main.py"])
def test_other_edits_forget_nothing(changed_by: Callable[[str], set[str]], edited: str) -> None:
    assert changed_by(edited) == set()
