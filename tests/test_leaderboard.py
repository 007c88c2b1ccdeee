"""The leaderboard: who is on it, how many games each gets, and that a run goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import leaderboard
from benchmarks.leaderboard import affordable, bots, measure, page, published, published_row, ranked
from benchmarks.leaderboard_picture import draw
from benchmarks.tables import DOCS

from handful.bots import all_bots
from handful.lab.leaderboard import Standing, standings, standings_text
from handful.lab.store import open_store


def test_every_bot_is_on_it_and_the_alias_only_as_a_mark() -> None:
    assert {name.partition("(")[0] for name in bots()} == {entry.name for entry in all_bots()} - {"best"}
    assert bots()[:3] == ["random", "rules", "rules(reading=text)"]


def test_slow_bots_get_a_round_number_of_games() -> None:
    assert affordable(20_000, 0.0) == affordable(20_000, 0.04) == 20_000
    assert affordable(20_000, 0.1) == 5_000
    assert affordable(20_000, 1.0) == 500
    assert affordable(20_000, 1000.0) == 20


def test_figures_of_others_have_a_source_and_rules() -> None:
    figures = published()
    assert len(figures) > 10
    assert all(figure.source and figure.rules and (figure.mean or figure.perfect) for figure in figures)
    assert ["recommendation strategy", "No Variant", "5", "23.00", "–"] in [published_row(each)[:5] for each in figures]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(tmp_path / "results.sqlite") as store:
        first = [measure(bot, "No Variant", 4, 40, store) for bot in ("recommendation", "random")]
        assert measure("recommendation", "No Variant", 3, 40, store) is None
        assert measure("random", "6 Suits", 4, 40, store) is None

        def nobody_plays(*_words: object) -> None:
            raise AssertionError("a game was played again")

        monkeypatch.setattr("handful.lab.games._play_compiled", nobody_plays)
        again = [measure(bot, "No Variant", 4, 40, store) for bot in ("recommendation", "random")]
    assert first == again
    results = [Standing.of(result) for result in first if result is not None]
    text = page(results)
    assert "### No Variant, 4 players\n\n| bot | games |" in text
    assert text.index("| `recommendation` | 40 |") < text.index("| `random` | 40 |")
    assert f"seed {leaderboard.SEED}" in text
    draw(results, [(4, 95.0)], tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_bytes().startswith(b"<?xml")


def test_the_page_says_what_the_data_of_the_package_say() -> None:
    lines = standings()
    assert (DOCS / "leaderboard.md").read_text(encoding="utf-8").count(page(lines)) == 1
    assert leaderboard.MEASURED.read_text(encoding="utf-8") == standings_text(ranked(lines))


def test_ceilings_are_marked_as_such() -> None:
    line = Standing("No Variant", 3, "cheat", 100, 24.9, 0.1, 0.97, 0.9, 0.99, 0.0, 0.02)
    assert "| `cheat`, sees all hands | 100 |" in page([line])
    assert not line.is_best
