from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from handful import rummy
from handful.errors import HandfulError
from handful.lab.rummy_play import play_rummy
from handful.rummy import Answers, Progress, distribution, spread_of
from handful.rummy.distribution import follow, solved_answers, turns_of
from handful.rummy.kernels.hand_index import all_orbits
from handful.rummy.solver import spread as module
from handful.rummy.solver.spread import open_spread, second_moments

ROOT = Path(__file__).parents[2]


@cache
def solved(cards: int, aces: str) -> Answers:
    return rummy.solve(cards, aces, keep=False)


@pytest.mark.parametrize("aces", rummy.ACE_RULES)
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_hand_is_spread_as_the_chain_of_its_play_says(cards: int, aces: str) -> None:
    answers = solved(cards, aces)
    moments, game = second_moments(answers).moments, solved_answers(answers)
    hands = np.flatnonzero(answers.values > 0)
    for hand in hands[:: max(1, len(hands) // 25)]:
        turns = follow(game, int(hand))
        assert sqrt(moments[hand] - answers.values[hand] ** 2) == pytest.approx(turns.sd, abs=1e-9)


@pytest.mark.kernel
def test_a_small_game_is_spread_with_the_compiler_on_or_off() -> None:
    figures = spread_of(solved(3, "wrap"), keep=False).figures
    assert figures.sd_of_turns == pytest.approx(13.122469521, abs=1e-9)
    assert figures.sd_of_expected == pytest.approx(1.804103945, abs=1e-9)


def test_the_figures_are_those_of_all_hands() -> None:
    answers = solved(4, "low")
    spread = spread_of(answers, keep=False)
    orbits = all_orbits(answers.hand_index)
    is_hand = orbits > 0
    assert np.isnan(spread.deviations[~is_hand]).all()
    weights, values = orbits[is_hand].astype(float), answers.values[is_hand]
    mean = np.average(values, weights=weights)
    between = np.average((values - mean) ** 2, weights=weights)
    within = np.average(spread.deviations[is_hand].astype(float) ** 2, weights=weights)
    assert spread.figures.sd_of_expected == pytest.approx(sqrt(between), abs=1e-9)
    assert spread.figures.sd_of_turns == pytest.approx(sqrt(between + within), abs=1e-6)  # deviations are float32


def test_games_that_are_played_are_spread_like_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))
    played = play_rummy("optimal", cards=5, aces="wrap", games=20_000, seed=3)
    sd = spread_of(rummy.solve(5, "wrap")).figures.sd_of_turns
    fourth = sum(times * (turn - played.mean) ** 4 for turn, times in played.histogram.items()) / played.games
    assert abs(played.sd - sd) < 4 * sqrt(fourth - sd**4) / (2 * sd * sqrt(played.games))


def test_bands_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = solved(5, "low")
    whole = second_moments(answers)
    monkeypatch.setattr(module, "BAND", 3000)
    monkeypatch.setattr(module, "STEP", 10_000)
    cut = second_moments(answers)
    assert cut.moments == pytest.approx(whole.moments, rel=1e-12)
    assert cut.totals == pytest.approx(whole.totals, rel=1e-12)


KILLED = """
import os, signal
from pathlib import Path
from handful import rummy
from handful.rummy.solver import spread
spread.BAND = 3000
calls = []
def tell(progress):
    calls.append(progress)
    if len(calls) == {calls}:
        os.kill(os.getpid(), signal.SIGKILL)
answers = rummy.solve(5, "low", folder=Path({folder!r}))
spread.spread_of(answers, progress=tell, checkpoint_seconds=0.0)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_killed_run_goes_on_to_the_same_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = rummy.solve(5, "low", folder=tmp_path)
    for calls in (6, 4):  # killed twice
        code = KILLED.format(calls=calls, folder=str(tmp_path))
        killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ.copy(), check=False)
        assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.glob("*.partial")] == ["rummy-5-low.spread.partial"]
    monkeypatch.setattr(module, "BAND", 3000)
    told: list[Progress] = []
    resumed = spread_of(answers, progress=told.append)
    whole = spread_of(answers, keep=False)
    assert told[0].done > 0.2 * told[0].total
    assert told[-1].done == told[-1].total == 67_333
    assert resumed.deviations.tobytes() == whole.deviations.tobytes()
    assert resumed.figures.sd_of_turns == whole.figures.sd_of_turns
    assert not list(tmp_path.glob("*.partial*"))


def test_a_spread_is_kept_beside_its_table(tmp_path: Path) -> None:
    answers = rummy.solve(3, "low", folder=tmp_path)
    assert open_spread(answers) is None
    made = spread_of(answers)
    (stored,) = rummy.list_answers(tmp_path)
    assert stored.spread == made.figures
    assert stored.to_dict()["spread"]["sd_of_turns"] == made.figures.sd_of_turns
    again = spread_of(answers)
    assert again.figures == made.figures
    assert np.array(again.deviations).tobytes() == made.deviations.tobytes()
    assert {path.name for path in rummy.clear_answers(tmp_path)} == {"rummy-3-low.table", "rummy-3-low.spread"}


def test_a_damaged_spread_is_not_used_and_is_made_again(tmp_path: Path) -> None:
    answers = rummy.solve(3, "low", folder=tmp_path)
    made, path = spread_of(answers), tmp_path / "rummy-3-low.spread"
    content = bytearray(path.read_bytes())
    content[-40] ^= 1
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="its data are damaged"):
        assert open_spread(answers) is None
    with pytest.warns(UserWarning, match="It is not used"):
        again = spread_of(answers)
    assert again.deviations.tobytes() == made.deviations.tobytes()
    assert open_spread(answers) is not None


def test_the_spread_of_another_table_is_not_used(tmp_path: Path) -> None:
    answers = rummy.solve(3, "low", folder=tmp_path)
    spread_of(rummy.solve(3, "wrap", folder=tmp_path))
    (tmp_path / "rummy-3-wrap.spread").rename(tmp_path / "rummy-3-low.spread")
    with pytest.warns(UserWarning, match="not the spread of these answers"):
        assert open_spread(answers) is None


def test_not_all_hands_are_followed_but_the_spread_is_exact_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distribution, "FOLLOWED_KINDS", 0)
    answers, hand = rummy.solve(6, "wrap", folder=tmp_path), "AC 2D 4C 5D 7C 8D"
    followed = turns_of(answers, hand)
    assert followed.not_followed > 0
    assert not followed.is_sd_exact
    spread_of(answers)
    exact = turns_of(answers, hand)
    assert exact.is_sd_exact
    assert exact.sd == pytest.approx(followed.sd, rel=1e-3)
    assert exact.chances == followed.chances


def test_an_approximation_has_no_spread() -> None:
    with pytest.raises(HandfulError, match="expected exact answers"):
        spread_of(rummy.solve(3, "low", 0.5, keep=False), keep=False)
