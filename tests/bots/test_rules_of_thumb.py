"""The bot `rules`: its kernel beside plain Python, and its figures beside the published ones."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from handful.bots import play_game, player_named
from handful.bots.table_kernel import CompiledTable
from handful.errors import NotationError
from handful.hanabi import VARIANTS, Deal, Rules, rules_from_text
from handful.hanabi.kernels.layout import ENDINGS
from handful.lab import simulate
from handful.reproduce.bergh_2015_strategies import play, published_strategies
from handful.reproduce.outcome import Effort
from tests.bots.rules_oracle import RulesOracle

SETTINGS: list[dict[str, Any]] = [
    {},
    {"omega_p": 0.45, "omega_s": 0, "hint_rule": 2, "discard_rule": 4},
    {"omega_p": 1.0, "omega_d": 0.6, "hint_rule": 4, "discard_rule": 3},
    {"omega_h": 0.5, "hint_rule": 1, "discard_rule": 2},
    {"omega_h": 0.0, "hint_rule": 3, "discard_rule": 1},
    {"reading": "text", "hint_rule": 4, "discard_rule": 4},
    {"reading": "text", "hint_rule": 3, "omega_h": 0.8},
]


def bot_text(settings: dict[str, Any]) -> str:
    names = {"hint_rule": "hint", "discard_rule": "discard"}
    return f"rules({', '.join(f'{names.get(name, name)}={value}' for name, value in settings.items())})"


def assert_same_games(rules: Rules, settings: dict[str, Any], count: int) -> None:
    oracle = type("Oracle", (RulesOracle,), settings)
    compiled = player_named(bot_text(settings)).compile(rules)
    assert compiled is not None
    results = CompiledTable(rules, [compiled] * rules.players).play(seed=3, first=0, count=count)
    for game in range(count):
        state = play_game(Deal.from_seed(rules, 3, game), [oracle] * rules.players, 3, game)
        assert (results.turns[game], results.scores[game]) == (len(state.history), state.score)
        assert ENDINGS[results.endings[game]] == state.ending


@pytest.mark.parametrize("settings", SETTINGS, ids=bot_text)
@pytest.mark.parametrize("rules", ["thesis", "hanab-live"])
def test_the_kernel_plays_as_the_description_says(rules: str, settings: dict[str, Any]) -> None:
    for players in (2, 3, 5):
        assert_same_games(rules_from_text(rules, players), settings, count=3)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name.endswith("(6 Suits)")])
def test_it_plays_every_variant(variant: str) -> None:
    for settings in SETTINGS[:4]:
        assert_same_games(Rules(VARIANTS[variant], 4), settings, count=1)


@pytest.mark.kernel
def test_a_small_game() -> None:
    for settings in SETTINGS:
        assert_same_games(Rules(VARIANTS["3 Suits"], 2, hand_size=3), settings, count=1)


def assert_near_published(every: int, games: int) -> None:
    """Each mean within 4.5 standard errors of the difference, and 0.12 for what the reading does not get right."""
    rows = play(published_strategies()[::every], Effort(full=True, most=games))
    for row in rows:
        error = row.ours.sd * sqrt(1 / games + 1 / 10_000)  # the published games are 10,000 deals, ten times each
        assert abs(row.deviation) <= 4.5 * error + 0.12, row.published
    assert sum(abs(row.deviation) for row in rows) / len(rows) <= 0.1


def test_published_averages_come_out() -> None:
    assert_near_published(every=15, games=2000)


@pytest.mark.full
def test_all_published_averages_come_out() -> None:
    """All 446 rows: mean absolute deviation at most 0.05, none worse than 0.30."""
    rows = play(published_strategies(), Effort(full=True))
    deviations = [abs(row.deviation) for row in rows]
    assert len(rows) == 446
    assert sum(deviations) / len(rows) <= 0.05
    assert max(deviations) <= 0.30


def test_the_text_plays_better_than_the_tables() -> None:
    tables = simulate("rules", players=3, games=2000, rules="thesis")
    text = simulate("rules(reading=text)", players=3, games=2000, rules="thesis, bonus_hint=yes")
    assert text.mean_ci95[0] > tables.mean_ci95[1] + 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("omega_p=1.2", "omega_p=1.2: expected 0 to 1"),
        ("omega_p=nan", "omega_p=nan: expected 0 to 1"),
        ("hint=5", "hint=5: expected one of 1, 2, 3, 4"),
        ("hint=two", "hint='two', expected a whole number"),
        ("reading=tea-leaves", "expected one of tables, text"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        player_named(f"rules({wrong})")
