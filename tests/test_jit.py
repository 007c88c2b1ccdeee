"""The cache of compiled kernels: a file compiles anew when it, or anything that it depends on, has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from handful import _jit
from handful import _sources as sources

FILES = {
    "game.py": "from handful.cards import (\n    SUITS,\n    VALUES,\n)\n",
    "cards.py": "SUITS = 5\nVALUES = 5\n",
    "bots/__init__.py": "",
    "bots/helper.py": "import handful.cards\n",
    "bots/player.py": "def play():\n    from handful.bots import helper as friend\n    return friend\n",
    "rummy.py": "CARDS = 52  # from handful.cards import SUITS\n",
}


@pytest.fixture
def fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """A package of a few files, and the fingerprint of each as it is now."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def of(name: str) -> str:
        sources._read.cache_clear()
        _jit._source_fingerprint.cache_clear()
        return _jit._source_fingerprint(tmp_path / name)

    return of


@pytest.mark.parametrize(
    ("edited", "changes"),
    [
        ("cards.py", {"cards.py", "game.py", "bots/helper.py", "bots/player.py"}),
        ("bots/helper.py", {"bots/helper.py", "bots/player.py"}),
        ("rummy.py", {"rummy.py"}),
        ("game.py", {"game.py"}),
    ],
)
def test_an_edit_changes_what_depends_on_it_and_nothing_else(
    fingerprint: Callable[[str], str], tmp_path: Path, edited: str, changes: set[str]
) -> None:
    before = {name: fingerprint(name) for name in FILES}
    (tmp_path / edited).write_text(FILES[edited] + "MORE = 1\n")
    after = {name: fingerprint(name) for name in FILES}
    assert {name for name in FILES if before[name] != after[name]} == changes
