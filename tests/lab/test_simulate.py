"""Simulations: the same whatever the workers, with honest intervals."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import pytest

from handful.errors import HandfulError
from handful.hanabi import Deal, Rules, Variant
from handful.lab import simulate
from handful.lab.games import COMPILED_CHUNK, Chunk, make_plan, play_chunk
from handful.lab.statistics import Z95, mean_and_sd, mean_interval, wilson_interval
from handful.lab.store import Store
from tests.lab.sample_bots import Sure


def test_the_result_does_not_depend_on_the_workers() -> None:
    one = simulate("random", players=3, games=5000, seed=8, rules="strike_score=keep", workers=1)
    assert one == simulate("random", players=3, games=5000, seed=8, rules="strike_score=keep", workers=2)
    assert one == simulate("random", players=3, games=5000, seed=8, rules="strike_score=keep", workers=5)
    assert one != simulate("random", players=3, games=5000, seed=9, rules="strike_score=keep", workers=2)
    assert one.max > 5


def test_a_plain_bot_runs_on_any_number_of_workers() -> None:
    one = simulate(Sure, players=3, games=42, seed=2, workers=1)
    assert one == simulate(Sure, players=3, games=42, seed=2, workers=2)
    assert one.bot == "Sure"
    assert one.strikeouts == 0
    assert one.mean > 2


def test_a_bot_defined_inside_a_function_runs_too() -> None:
    class Inner(Sure):
        pass

    assert simulate(Inner, players=2, games=4, workers=2).games == 4


def test_repeats_play_each_deal_again() -> None:
    result = simulate("random", players=2, games=100, repeat=10, rules="strike_score=keep")
    assert result.games == 100
    assert result.repeat == 10
    with pytest.raises(HandfulError, match="multiple of the repeats"):
        simulate("random", games=15, repeat=10)


def test_games_too_large_for_kernels_are_played_by_the_plain_rules() -> None:
    variant = Variant.custom(8)
    result = simulate("random", players=2, games=5, variant=variant, workers=1)
    assert result.variant == variant.name


def test_one_deal_many_times() -> None:
    rules = Rules(players=3, strike_score="keep")
    result = simulate("random", deal=Deal.from_seed(rules, 6), games=200)
    assert result.seed == "6"
    assert result.players == 3


def test_figures_follow_from_the_histogram() -> None:
    result = simulate("random", players=2, games=1000, rules="strike_score=keep")
    scores = [score for score, times in enumerate(result.histogram) for _ in range(times)]
    mean = sum(scores) / 1000
    sd = sqrt(sum((score - mean) ** 2 for score in scores) / 999)
    assert result.mean == mean
    assert result.sd == pytest.approx(sd)
    assert result.mean_ci95 == pytest.approx((mean - Z95 * sd / sqrt(1000), mean + Z95 * sd / sqrt(1000)))
    assert (result.min, result.max) == (min(scores), max(scores))
    assert json.loads(json.dumps(result.to_dict()))["histogram"] == list(result.histogram)
    assert "mean" in repr(result)
    assert "<table>" in result._repr_html_()


def stopped_after(games: int) -> Callable[[int], None]:
    """Return a listener to progress that interrupts the work after so many games."""
    done = 0

    def listen(just_done: int) -> None:
        nonlocal done
        done += just_done
        if done >= games:
            raise KeyboardInterrupt

    return listen


@pytest.mark.parametrize("workers", [1, 2])
def test_work_that_was_interrupted_goes_on_where_it_stopped(tmp_path: Path, workers: int) -> None:
    plan = make_plan("random", 2, "No Variant", "strike_score=keep", seed=3)
    games = 5 * COMPILED_CHUNK + 7
    whole = simulate("random", games=games, seed=3, rules=plan.rules)
    with Store(tmp_path / "results.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            simulate(
                "random",
                games=games,
                seed=3,
                rules=plan.rules,
                workers=workers,
                store=store,
                on_progress=stopped_after(2 * COMPILED_CHUNK),
            )
        finished = store.finished(plan)
        assert 2 <= len(finished) < 6
        told: list[int] = []
        again = simulate(
            "random", games=games, seed=3, rules=plan.rules, workers=workers, store=store, on_progress=told.append
        )
        assert again == whole
        assert sum(told) == games
        assert set(finished.items()) <= set(store.finished(plan).items())  # with their time: they were not played again
        assert len(store.finished(plan)) == 6
        assert simulate("random", games=games, seed=3, rules=plan.rules, store=store) == whole


def test_progress_counts_every_game() -> None:
    done: list[int] = []
    simulate("random", games=5001, on_progress=done.append)
    assert sum(done) == 5001
    assert len(done) > 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"games": 0}, "games=0"), ({"workers": 0}, "workers=0"), ({"seed": -1}, "seed -1"), ({"seed": 1 << 63}, "seed")],
)
def test_nonsense_is_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(HandfulError, match=message):
        simulate("random", **wrong)  # type: ignore[arg-type]


def test_wilson_intervals_are_the_published_ones() -> None:
    """Newcombe (1998), Table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    for successes, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)
    assert wilson_interval(20, 20)[1] == 1.0
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_empty_and_single_samples() -> None:
    assert mean_and_sd((0, 0)) == (0.0, 0.0)
    assert mean_and_sd((0, 1)) == (1.0, 0.0)
    assert mean_interval(0.0, 0.0, 0) == (0.0, 0.0)


def test_with_repeats_the_deals_are_the_sample() -> None:
    """The interval is that of the deals' averages, worked out here the long way; games of one deal are alike."""
    repeated = simulate("rules", players=3, games=600, repeat=6)
    plan = make_plan("rules", 3, "No Variant", "hanab-live", repeat=6)
    scores = play_chunk(plan, Chunk(0, 100)).scores.reshape(100, 6)
    averages = [float(row.mean()) for row in scores]
    mean = sum(averages) / 100
    error = sqrt(sum((average - mean) ** 2 for average in averages) / 99 / 100)
    assert repeated.mean_ci95 == pytest.approx((mean - Z95 * error, mean + Z95 * error))
    assert error > repeated.sd / sqrt(600)
