"""Every variant and every bot has a golden game, and plays it again."""

from __future__ import annotations

import pytest

from tests.golden.games import FOLDER, golden_names, golden_path, golden_text


@pytest.mark.parametrize("name", golden_names())
def test_golden_game_is_played_again(name: str) -> None:
    assert golden_path(name).read_text() == golden_text(name)


def test_no_golden_game_is_without_its_subject() -> None:
    assert set(FOLDER.glob("*.txt")) == {golden_path(name) for name in golden_names()}
