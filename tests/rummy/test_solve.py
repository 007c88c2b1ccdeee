from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from handful import rummy
from handful._jit import kernel
from handful.errors import HandfulError, RulesError
from handful.reproduce.outcome import published_rows as published
from handful.rummy import Answers, Progress
from handful.rummy.cards import Card
from handful.rummy.kernels.hand_index import HandIndex, hand_at, mask_index
from tests.rummy import plain

ROOT = Path(__file__).parents[2]


@cache
def solved(cards: int, aces: str, tolerance: float = 0.0) -> Answers:
    return rummy.solve(cards, aces, tolerance, keep=False)


@kernel
def largest_residual(hand_index: HandIndex, values: npt.NDArray[np.float64]) -> float:
    """Return how far E(h) is at most from 1 + the mean over all draws of the least E after a throw (Bellman)."""
    worst = 0.0
    for index in range(len(values)):
        mask = hand_at(hand_index, index)
        if mask_index(hand_index, mask) != index or values[index] == 0.0:
            continue
        total = 0.0
        for draw in range(52):
            if mask >> draw & 1:
                continue
            best = np.inf
            for throw in range(52):
                kept = (mask | 1 << draw) & ~(1 << throw)
                if (mask | 1 << draw) >> throw & 1:
                    best = min(best, values[mask_index(hand_index, kept)])
            total += best
        worst = max(worst, abs(values[index] - 1.0 - total / (52 - hand_index["cards"])))
    return worst


@pytest.mark.parametrize("aces", rummy.ACE_RULES)
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_the_bellman_equation_holds_for_every_hand(cards: int, aces: str) -> None:
    answers = solved(cards, aces)
    assert largest_residual(answers.hand_index, np.array(answers.values)) <= 1e-11


@pytest.mark.full
@pytest.mark.parametrize("aces", rummy.ACE_RULES)
def test_the_bellman_equation_holds_for_every_hand_of_six_cards(aces: str) -> None:
    answers = solved(6, aces)
    assert largest_residual(answers.hand_index, np.array(answers.values)) <= 1e-11


@pytest.mark.parametrize("aces", rummy.ACE_RULES)
def test_exact_fractions_agree(aces: str) -> None:
    answers = solved(3, aces)
    values = plain.solve(aces)
    for hand, value in values.items():
        assert answers.expected_turns([Card(*card) for card in hand]) == pytest.approx(float(value), abs=1e-12, rel=0)
    summary = answers.summary()
    assert summary.classes == len(set(values.values()))
    assert summary.near_ties == 0
    assert summary.kinds == len(values)
    assert summary.worst == pytest.approx(float(max(values.values())), abs=1e-12)


@pytest.mark.kernel
def test_a_small_game_is_solved_with_the_compiler_on_or_off() -> None:
    answers = solved(3, "wrap")
    assert answers.expected_turns("AC 4C 7C") == pytest.approx(18.244248540001948, abs=1e-12)
    assert answers.summary().classes == 60


def test_all_classes_of_continuity_rummy_are_as_printed() -> None:
    # Finkle 2017, section 7.2
    printed = published("rummy_classes.csv")
    classes = solved(3, "wrap").classes()
    assert (classes[0].hands, classes[0].expected_turns) == (104, 0.0)
    assert len(classes) == len(printed) + 1 == 60
    for row, found in zip(printed, classes[1:], strict=True):
        assert (int(row["hands"]), row["example"]) == (found.hands, found.example)
        assert found.expected_turns == pytest.approx(float(row["expected_turns"]), abs=1e-9)


@pytest.mark.parametrize("tolerance", [1.0, 0.5])
def test_cohorts_are_as_printed(tolerance: float) -> None:
    # Finkle 2017, section 7.3
    printed = [row for row in published("rummy_cohorts.csv") if float(row["tolerance"]) == tolerance]
    cohorts = solved(3, "low", tolerance).classes()[1:]
    assert len(cohorts) == len(printed)
    for row, found in zip(printed, cohorts, strict=True):
        assert (int(row["hands"]), row["example"]) == (found.hands, found.example)
        assert found.expected_turns == pytest.approx(float(row["cohort_minimum"]), abs=1e-9)


@pytest.mark.parametrize(("cards", "aces"), [(3, "low"), (3, "high"), (4, "wrap")])
@pytest.mark.parametrize("tolerance", [1.0, 0.1, 1e-3])
def test_no_value_is_too_high_by_more_than_the_tolerance(cards: int, aces: str, tolerance: float) -> None:
    # Finkle 2017, Theorem 4
    error = solved(cards, aces, tolerance).values - solved(cards, aces).values
    error = error[np.isfinite(error)]
    assert error.min() >= -1e-9
    assert error.max() <= tolerance


def test_the_errors_of_tolerance_1_are_as_printed() -> None:
    # Finkle 2017, section 5.3: at most 0.6109, with hands like 3C 5D KH; 0.086 on average
    answers, exact = solved(3, "low", 1.0), solved(3, "low")
    error = answers.values - exact.values
    assert np.nanmax(error) == pytest.approx(0.6109, abs=5e-5)
    assert answers.summary().mean - exact.summary().mean == pytest.approx(0.086, abs=5e-4)


def test_classes_are_counted_as_the_thesis_does() -> None:
    # Finkle 2017: 688 (section 3.2.1), 60 (3.2.3), and 654 without the rummies (4.2)
    assert rummy.count_classes(3, "low", 1e-6) == 688
    assert rummy.count_classes(3, "wrap", 1e-6) == 60
    assert rummy.count_classes(4, "wrap", 1e-6) == 655


@pytest.mark.parametrize(
    ("cards", "aces", "hands", "hand", "turns"),
    [
        (3, "low", 240, "2C 2D 3C", 12.25),  # section 3.2.1
        (3, "low", 544, "AC 5C 6C", 15.228977272),
        (3, "high", 12, "AC 2D KD", 18.861678332),  # 3.2.2
        (3, "wrap", 1768, "AC 2C 3D", 15.228977272),  # 3.2.3
        (3, "wrap", 52, "AC 4C 7C", 18.24424854000194),
        (4, "wrap", 156, "AC 2D 5C 6D", 38.6563243418),  # 4.2
    ],
)
def test_classes_that_the_thesis_mentions(cards: int, aces: str, hands: int, hand: str, turns: float) -> None:
    answers = solved(cards, aces)
    value = answers.expected_turns(hand)
    assert value == pytest.approx(turns, abs=1e-9)
    (found,) = [each for each in answers.classes() if abs(each.expected_turns - value) < 1e-9]
    assert found.hands == hands


def test_there_are_as_many_best_hands_of_four_cards_as_printed() -> None:
    # Finkle 2017, section 4.2
    first = solved(4, "wrap").classes()[1]
    assert (first.hands, first.expected_turns) == (2496, 24.0)


def test_the_median_hand_is_as_printed_and_the_worst_up_to_the_tenth_digit() -> None:
    # Finkle 2017, section 3.2.1: 18.223831446346434 and, an artefact of his tolerance, 19.18005509646004
    answers = solved(3, "low")
    assert answers.expected_turns("8D 9S JD") == pytest.approx(18.223831446346434, abs=1e-6)
    assert answers.expected_turns("AC QH KD") == pytest.approx(19.18005509646004, abs=1e-9)


def test_the_summary_tells_the_game() -> None:
    summary = solved(3, "wrap").summary()
    assert (summary.hands, summary.rummies, summary.best, summary.worst_hand) == (22100, 104, 12.25, "AC 4C 7C")
    mean = sum(each.hands * each.expected_turns for each in solved(3, "wrap").classes()) / 22100
    assert summary.mean == pytest.approx(mean, abs=1e-9)
    assert "60 classes" in repr(solved(3, "wrap"))


def test_more_freedom_for_aces_never_costs_turns() -> None:
    for hand in ("AC 2D KH", "QC KC AC", "AC AD AH", "3C 5D KH"):
        low, high, wrap = (solved(3, aces).expected_turns(hand) for aces in rummy.ACE_RULES)
        assert low >= high >= wrap


@pytest.mark.parametrize(
    ("cards", "aces", "tolerance", "named"),
    [
        (2, "low", 0.0, "cards 2"),
        (11, "low", 0.0, "cards 11"),
        (3, "round", 0.0, "'round'"),
        (3, "low", -1.0, "tolerance -1.0"),
        (3, "low", math.nan, "tolerance nan"),
        (10, "low", 0.1, "at most 9 cards"),
    ],
)
def test_games_that_cannot_be_solved_are_refused(cards: int, aces: str, tolerance: float, named: str) -> None:
    with pytest.raises(HandfulError, match=named):
        rummy.solve(cards, aces, tolerance, keep=False)


def test_an_estimate_grows_with_the_cards() -> None:
    seconds = [rummy.estimate(cards, "low").seconds for cards in range(3, 11)]
    assert seconds == sorted(seconds)
    assert rummy.estimate(10, "wrap").seconds < seconds[-1]
    assert "10-card rummy" in str(rummy.estimate(10, "low"))
    with pytest.raises(RulesError):
        rummy.estimate(12)


def test_progress_comes_to_its_end() -> None:
    told: list[Progress] = []
    rummy.solve(4, "low", keep=False, progress=told.append)
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert told[-1].done == told[-1].total == 8290
    assert told[-1].fraction == 1.0


KILLED = """
import os, signal
from pathlib import Path
from handful import rummy
calls = []
def tell(progress):
    calls.append(progress)
    if len(calls) == {calls}:
        os.kill(os.getpid(), signal.SIGKILL)
rummy.solve(5, "low", folder=Path({folder!r}), progress=tell, checkpoint_seconds=0.0)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_killed_run_goes_on_to_the_same_table(tmp_path: Path) -> None:
    for calls in (6, 3):  # killed twice
        code = KILLED.format(calls=calls, folder=str(tmp_path))
        killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ.copy(), check=False)
        assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.glob("*.partial")] == ["rummy-5-low.table.partial"]
    told: list[Progress] = []
    resumed = rummy.solve(5, "low", folder=tmp_path, progress=told.append)
    whole = solved(5, "low")
    assert told[0].done > 0.1 * told[0].total
    assert np.array(resumed.values).tobytes() == whole.values.tobytes()
    mine, its = resumed.summary().to_dict(), whole.summary().to_dict()
    for figure in ("seconds", "cpu_seconds", "peak_memory_mb"):
        del mine[figure], its[figure]
    assert mine == its
    assert not list(tmp_path.glob("*.partial*"))


def test_an_interrupted_run_goes_on_from_where_it_was(tmp_path: Path) -> None:
    told: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rummy.solve(5, "low", folder=tmp_path, progress=interrupt, checkpoint_seconds=1e6)
    stopped_at = told[-1].done
    told.clear()
    answers = rummy.solve(5, "low", folder=tmp_path, progress=told.append)
    assert told[0].done == stopped_at
    assert np.array(answers.values).tobytes() == solved(5, "low").values.tobytes()


def test_a_damaged_checkpoint_is_not_used(tmp_path: Path) -> None:

    def interrupt(progress: Progress) -> None:
        if partial.exists():
            raise KeyboardInterrupt

    partial = tmp_path / "rummy-5-wrap.table.partial"
    with pytest.raises(KeyboardInterrupt):
        rummy.solve(5, "wrap", folder=tmp_path, progress=interrupt, checkpoint_seconds=0.0)
    content = bytearray(partial.read_bytes())
    content[len(content) // 2] ^= 1
    partial.write_bytes(content)
    with pytest.warns(UserWarning, match="the run starts anew"):
        answers = rummy.solve(5, "wrap", folder=tmp_path)
    assert np.array(answers.values).tobytes() == solved(5, "wrap").values.tobytes()
