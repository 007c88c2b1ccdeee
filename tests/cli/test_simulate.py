"""`handful simulate` and `handful bench`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handful.lab import simulate
from tests.cli.conftest import Handful

KEYS = [
    "bot",
    "players",
    "variant",
    "games",
    "seed",
    "mean",
    "sd",
    "mean_ci95",
    "perfect",
    "perfect_ci95",
    "strikeouts",
    "min",
    "max",
    "histogram",
    "seconds",
    "cpu_seconds",
    "games_per_second",
]


def test_json_has_the_keys_of_the_contract(handful: Handful) -> None:
    result = handful(
        "simulate", "--players", "4", "--games", "300", "--seed", "5", "--rules", "strike_score=keep", "--json"
    )
    values = json.loads(result.stdout)
    assert [key for key in KEYS if key not in values] == []
    ours = simulate("random", players=4, games=300, seed=5, rules="strike_score=keep")
    for key in ("mean", "sd", "perfect", "strikeouts", "min", "max"):
        assert values[key] == getattr(ours, key)
    assert values["histogram"] == list(ours.histogram)


def test_a_seed_of_hanab_live_is_one_deal(handful: Handful) -> None:
    values = json.loads(handful("simulate", "--seed", "p4v0s415", "--games", "50", "--json").stdout)
    assert (values["seed"], values["players"], values["games"]) == ("p4v0s415", 4, 50)


def test_a_comparison_has_both_results_and_their_difference(handful: Handful) -> None:
    words = ("simulate", "--bot", "rules", "--against", "random", "--players", "3", "--games", "100", "--seed", "5")
    values = json.loads(handful(*words, "--json").stdout)
    assert [key for key in KEYS if key not in values or key not in values["against"]] == []
    assert (values["bot"], values["against"]["bot"]) == ("rules", "random")
    assert values["difference"] == pytest.approx(values["mean"] - values["against"]["mean"])
    assert values["difference_ci95"][0] < values["difference"] < values["difference_ci95"][1]
    assert values["perfect_difference"] == values["perfect"] - values["against"]["perfect"]
    assert len(values["perfect_difference_ci95"]) == 2
    assert values["wins"] + values["ties"] + values["losses"] == 100
    text = handful(*words).stdout
    for expected in ("rules against random", "difference in the mean", "rules is better by", "on the same deals"):
        assert expected in text


def test_finished_games_are_kept_in_a_store(handful: Handful, tmp_path: Path) -> None:
    words = ("simulate", "--games", "300", "--seed", "5", "--rules", "strike_score=keep", "--json")
    first = json.loads(handful(*words).stdout)
    stored = ("--store", str(tmp_path / "results.sqlite"))
    for result in (handful(*words, *stored), handful(*words, *stored)):
        assert json.loads(result.stdout)["histogram"] == first["histogram"]
    results = json.loads(handful("results", *stored, "--json").stdout)
    assert [(result["bot"], result["games"]) for result in results] == [("random", 300)]


def test_games_are_played_on_a_cluster(handful: Handful) -> None:
    words = ("simulate", "--games", "300", "--rules", "strike_score=keep", "--json")
    there = json.loads(handful(*words, "--dask", "local", "--workers", "1").stdout)
    assert there["histogram"] == json.loads(handful(*words).stdout)["histogram"]


def test_a_person_reads_a_table_and_a_histogram(handful: Handful) -> None:
    text = handful("simulate", "--games", "200", "--rules", "strike_score=keep, bonus_hint=no").stdout
    for words in ("mean score", "perfect games", "95 % confidence", "bonus_hint=no", "█"):
        assert words in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--bot", "nobody"), "there is no bot 'nobody'"),
        (("--games", "0"), "0 is too small"),
        (("--games", "many"), "'many' is not a whole number"),
        (("--games", "15", "--repeat", "10"), "multiple of the repeats"),
        (("--players", "7"), "7 players: expected 1 to 6"),
        (("--seed", "p3v0s1", "--players", "4"), "contradicts"),
        (("--against", "nobody"), "there is no bot 'nobody'"),
        (("--against", "random", "--store", "results.sqlite"), "leave out --store"),
        (("--dask", "nowhere"), "expected an address such as tcp://127.0.0.1:8786"),
        (("--store", "no/such/directory/results.sqlite"), "no directory"),
    ],
)
def test_bad_input(handful: Handful, words: tuple[str, ...], complaint: str) -> None:
    result = handful("simulate", *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_bench_measures_ours_and_the_peers(handful: Handful) -> None:
    speeds = json.loads(handful("bench", "--peers", "--players", "2", "--games", "200", "--json").stdout)
    assert [speed["name"] for speed in speeds][::3] == ["handful, engine (kernel)", "OpenSpiel from Python"]
    assert all(speed["games_per_cpu_second"] > 0 for speed in speeds)
