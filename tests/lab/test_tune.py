"""Searches: a function of their seed, honest about what they find, and nothing lost when killed."""

from __future__ import annotations

import json
import sqlite3
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from handful.bots import player_named
from handful.bots.players import REGISTER, Player
from handful.errors import HandfulError
from handful.lab import Simulation, simulate
from handful.lab.store import Store
from handful.lab.tuning.tune import FINALISTS, Attempt, Tuning, searched_parameters, total_games, tune
from tests.lab.killed import finished, killed_after
from tests.lab.tunable import ENTRY, KEEP
from tests.test_house import imported_by


@pytest.fixture(autouse=True)
def bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTER, "bold", ENTRY)


def small(**changes: Any) -> Tuning:
    settings: dict[str, Any] = {"trials": 12, "games": 20, "final_games": 40, "seed": 5, "rules": KEEP, "workers": 1}
    return tune(**{"bot": "bold", **settings, **changes})


def test_a_search_is_a_function_of_its_seed() -> None:
    attempts: list[Attempt] = []
    result = small(on_trial=attempts.append)
    assert result == small()
    assert [attempt.number for attempt in attempts] == list(range(12))
    assert attempts[0].bot == "bold"  # what it has to beat
    assert len({attempt.bot for attempt in attempts}) > 8
    assert result != small(seed=6)


def test_the_figure_is_of_deals_that_chose_nothing() -> None:
    result = small()
    assert (result.best.seed, result.best.games) == (result.start.seed, result.start.games) == (7, 40)
    assert result.start.bot == "bold"
    assert {each.seed for each in result.finalists} == {6}
    assert result.best == simulate(result.best.bot, games=40, seed=7, rules=KEEP, workers=1)
    assert result.best.bot == result.finalists[0].bot
    means = [each.mean for each in result.finalists]
    assert means == sorted(means, reverse=True)
    assert "bold" in [each.bot for each in result.finalists]
    assert len(result.finalists) <= FINALISTS + 1
    assert json.loads(json.dumps(result.to_dict()))["best"]["mean"] == result.best.mean


def test_trials_share_their_deals() -> None:
    attempts: list[Attempt] = []
    small(on_trial=attempts.append, trials=3)
    for attempt in attempts:
        assert attempt.value == simulate(attempt.bot, games=20, seed=5, rules=KEEP, workers=1).mean


def test_settings_that_are_given_stay() -> None:
    attempts: list[Attempt] = []
    result = small(bot="bold(nerve=0.25, eye=right)", on_trial=attempts.append)
    assert all(attempt.bot.startswith("bold(nerve=0.25, ") for attempt in attempts)
    assert all("eye=right" in attempt.bot for attempt in attempts)
    assert result.searched == {"slots": [1, 4]}
    assert len({attempt.bot for attempt in attempts}) <= 4


def test_a_search_finds_what_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a smooth hill in place of games: the top is at nerve 0.9, three slots, the right eye."""
    flat = simulate("bold", games=2, rules=KEEP, workers=1)

    def hill(player: Player, **_plan: object) -> Simulation:
        settings = {"nerve": 0.5, "slots": 2, "eye": "left", **dict(player.settings)}
        height = 10 - (settings["nerve"] - 0.9) ** 2 - (settings["slots"] - 3) ** 2 / 10 - (settings["eye"] == "left")
        return replace(flat, bot=player.name, mean=height)

    monkeypatch.setattr(import_module("handful.lab.tuning.tune"), "simulate", hill)
    result = small(trials=60)
    found = dict(player_named(result.best.bot).settings)
    assert (found["slots"], found["eye"]) == (3, "right")
    assert found["nerve"] == pytest.approx(0.9, abs=0.1)
    assert result.best.mean > 9.98 > result.start.mean


def test_numbers_have_as_many_digits_as_matter() -> None:
    attempts: list[Attempt] = []
    small(on_trial=attempts.append)
    for attempt in attempts:
        nerve = dict(player_named(attempt.bot).settings).get("nerve", 0.5)
        assert nerve == round(nerve, 4)
        assert 0 <= nerve <= 1


def test_perfect_games_can_be_the_objective() -> None:
    attempts: list[Attempt] = []
    assert small(objective="perfect", trials=2, on_trial=attempts.append).objective == "perfect"
    assert all(0 < attempt.value < 1e-9 for attempt in attempts)  # no game comes near


def test_progress_counts_the_games_of_all_stages() -> None:
    done: list[int] = []
    result = small(on_progress=done.append)
    finals = len(result.finalists) + 2
    assert sum(done) == 12 * 20 + finals * 40 <= total_games(12, 20, 40)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"bot": "random"}, "'random' has no settings with a range: there is nothing to tune"),
        ({"bot": "bold(nerve=0.1, slots=1, eye=left)"}, "other than those given"),
        ({"objective": "median"}, "objective='median': expected mean or perfect"),
        ({"trials": 0}, "trials=0: expected at least 1"),
        ({"games": 0}, "games=0: expected at least 1"),
        ({"final_games": 0}, "final_games=0: expected at least 1"),
        ({"seed": (1 << 63) - 2}, "expected a number of 0 to"),
        ({"players": 7}, "7 players"),
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(HandfulError) as caught:
        small(**change)
    assert complaint in str(caught.value)


def test_only_parameters_with_a_range_are_searched() -> None:
    assert list(searched_parameters(player_named("bold"))) == ["nerve", "slots", "eye"]


def test_the_extra_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(HandfulError, match=r"pip install 'handful\[tune\]'"):
        small()


def test_a_search_that_is_done_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        first = small(store=store)
        assert first == small()
        assert first.restored == 0
        more = small(store=store, trials=15)
        assert (more.restored, more.trials) == (12, 15)
        assert more == small(trials=15)
        monkeypatch.setattr(store, "add", None)  # would fail if called
        again = small(store=store)
        assert (again, again.restored) == (first, 12)


@pytest.mark.parametrize("change", [{"seed": 6}, {"games": 21}, {"objective": "perfect"}, {"bot": "bold(slots=1)"}])
def test_other_searches_do_not_share_trials(tmp_path: Path, change: dict[str, Any]) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        small(store=store, trials=2, final_games=5)
        assert small(store=store, trials=2, final_games=5, **change).restored == 0


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
    connection.close()
    return found


@pytest.mark.parametrize("stop", ["trials:5", "chunks:14"])
def test_a_killed_search_goes_on_where_it_stopped(tmp_path: Path, stop: str) -> None:
    store = tmp_path / "results.sqlite"
    search = ["--bot", "bold", "--trials", "12", "--games", "20", "--final-games", "40", "--seed", "5", "--rules", KEEP]
    words = ["tune", *search, "--workers", "1", "--store", str(store)]
    killed_after(stop, *words)
    before = {table: rows(store, table) for table in ("chunks", "trials")}
    resumed = finished(*words)
    for table, kept in before.items():
        assert rows(store, table)[: len(kept)] == kept
    assert len(rows(store, "trials")) == 12
    assert resumed["restored"] == len(before["trials"])
    whole = small()
    assert resumed["best"]["bot"] == whole.best.bot
    assert resumed["best"]["histogram"] == list(whole.best.histogram)
    assert [each["bot"] for each in resumed["finalists"]] == [each.bot for each in whole.finalists]


def test_importing_loads_no_optimiser_and_no_plotter() -> None:
    modules = imported_by(
        "import handful.lab.store, handful.lab.tuning.sweep, handful.lab.tuning.tune, handful.lab.plots"
    )
    assert not modules & {"numba", "numpy", "optuna", "matplotlib"}


def test_options_of_other_commands_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'repeat'"):
        tune("rules", repeat=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'playerz'"):
        tune("rules", playerz=3)  # type: ignore[call-arg]
