from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handful import rummy
from handful.rummy import Game, Progress
from handful.rummy.solver import solve as module
from handful.rummy.solver.solve import how_many_at_once, solve_side_by_side


def test_games_solved_at_once_are_those_solved_one_by_one(tmp_path: Path) -> None:
    games = [Game(4, "low"), Game(5, "wrap"), Game(3, "high", 0.5), Game(4, "high")]
    told: list[Progress] = []
    solved = solve_side_by_side(games, folder=tmp_path, workers=3, progress=told.append)
    assert [answers.game for answers in solved] == games
    assert {each.game for each in told} == set(games)
    for answers in solved:
        alone = rummy.solve(answers.game.cards, answers.game.aces, answers.game.tolerance, keep=False)
        assert np.array(answers.values).tobytes() == alone.values.tobytes()
    again = solve_side_by_side(games, folder=tmp_path)
    assert [answers.summary() for answers in again] == [answers.summary() for answers in solved]


def test_if_one_fails_the_others_stop(tmp_path: Path) -> None:
    def fail(progress: Progress) -> None:
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        solve_side_by_side([Game(4, aces) for aces in rummy.ACE_RULES], folder=tmp_path, workers=1, progress=fail)
    assert not list(tmp_path.glob("*.table"))


def test_as_many_at_once_as_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [Game(9, "low"), Game(9, "high"), Game(9, "wrap")]
    monkeypatch.setattr(module, "available_cores", lambda: 8)
    for free, expected in ((100_000.0, 3), (5_500.0, 2), (3_000.0, 1), (10.0, 1)):
        monkeypatch.setattr(module, "free_memory_mb", lambda free=free: free)
        assert how_many_at_once(games) == expected
    monkeypatch.setattr(module, "available_cores", lambda: 2)
    monkeypatch.setattr(module, "free_memory_mb", lambda: 100_000.0)
    assert how_many_at_once(games) == 2
    assert how_many_at_once([]) == 1
