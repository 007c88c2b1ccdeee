"""Bots and results, through the real server, with a store of its own."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.bots.best import best_player
from handful.errors import HandfulError
from handful.hanabi.rules import Rules
from handful.lab import compare, simulate
from handful.lab.leaderboard import standings
from handful.lab.store import default_path, open_store
from handful.web.pages.addresses import record_of
from handful.web.pages.plots import first_score, scores_plot
from handful.web.pages.standing_rows import Compared, Order, leaderboard, sparkline
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

HTMX = {"HX-Request": "true"}
ORDER = {"bot": "random", "players": "3", "variant": "No Variant", "games": "200", "seed": "5"}


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield default_path()


def test_an_empty_store_says_so_and_is_not_made(lab: Lab, store: Path) -> None:
    page = lab.client.get("/results/stored").text
    check_policy(page)
    assert "Nothing is stored yet" in page
    assert lab.client.get("/results/stored.csv").text.startswith("bot,players,")
    assert not store.exists()


def test_the_leaderboard_shows_what_was_measured(lab: Lab) -> None:
    page = lab.client.get("/results", params={"players": 4}).text
    check_policy(page)
    for each in standings():
        if (each.variant, each.players) == ("No Variant", 4):
            assert f"{100 * each.perfect:.2f} %" in page
            assert f"{each.mean:.3f}" in page
    other = lab.client.get("/results", params={"variant": "Black (6 Suits)", "players": 3}).text
    assert "Black (6 Suits)" in other


def test_a_table_that_was_not_measured_becomes_the_first() -> None:
    assert (leaderboard("Nothing", 9).variant, leaderboard("Nothing", 9).players) == ("No Variant", 3)
    rows = [row for _heading, rows in leaderboard().groups for row in rows]
    assert all(each.players == 3 and entry is not None for each, entry in rows)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_best_is_on_top_and_who_sees_too_much_at_the_end(players: int) -> None:
    groups = leaderboard("No Variant", players).groups
    assert [each.bot for each, _entry in groups[0][1]] == [best_player(Rules(players=players)).name]
    for heading, rows in groups:
        means = [each.mean for each, _entry in rows]
        assert means == sorted(means, reverse=True)
        assert all((entry is not None and entry.sees != "view") == ("see more" in heading) for _each, entry in rows)
    everything = sorted(each.bot for _heading, rows in groups for each, _entry in rows)
    assert everything == sorted(
        each.bot for each in standings() if (each.variant, each.players) == ("No Variant", players)
    )


def test_a_simulation_is_played_shown_and_kept(lab: Lab, store: Path) -> None:
    asked = lab.client.post("/results/simulate", data=ORDER)
    assert asked.status_code == 303
    assert last_job(lab, "simulate").status == "done"
    page = lab.client.get(asked.headers["location"]).text
    check_policy(page)
    exact = simulate("random", players=3, games=200, seed=5)
    assert f"{exact.mean:.3f}" in page
    assert "random: 3 players, No Variant, 200 games" in page
    with open_store(store) as kept:
        assert [(each.bot, each.games) for each in kept.results()] == [("random", 200)]
    stored = lab.client.get("/results/stored").text
    check_policy(stored)
    assert "random" in stored
    assert ">older<" not in stored
    assert "There are no such results" in lab.client.get("/results/stored", params={"bot": "hat"}).text
    assert lab.client.get("/results/stored.csv").text.count("\n") == 2


def test_the_form_is_filled_in_as_it_was(lab: Lab) -> None:
    asked = lab.client.post("/results/simulate", data={**ORDER, "seed": "0"})
    last_job(lab, "simulate")
    page = lab.client.get(asked.headers["location"]).text
    assert 'name="bot" list="bot-names" value="random"' in page
    assert 'value="200"' in page
    assert 'name="seed" type="number" min="0" value="0"' in page
    link = lab.client.get("/results/simulate", params={"bot": "hat", "players": 5, "variant": "6 Suits"}).text
    assert 'value="hat"' in link
    assert "<option selected>6 Suits</option>" in link


def test_two_bots_are_compared_on_the_same_deals(lab: Lab) -> None:
    asked = lab.client.post("/results/compare", data={**ORDER, "bot": "rules", "against": "random", "games": "60"})
    assert last_job(lab, "compare").status == "done"
    page = lab.client.get(asked.headers["location"]).text
    check_policy(page)
    exact = compare("rules", "random", players=3, games=60, seed=5)
    assert exact.sentence in page
    assert f"rules better: {exact.wins} deals" in page


def test_a_game_of_a_simulation_is_played_once_more_and_analysed(lab: Lab) -> None:
    asked = lab.client.post("/results/simulate", data={**ORDER, "bot": "rules", "games": "30"})
    last_job(lab, "simulate")
    page = lab.client.get(asked.headers["location"]).text
    chips = re.findall(r'class="chip" name="game" value="(\d+)">game \1: <b>(\d+)</b>', page)
    exact = simulate("rules", players=3, games=30, seed=5)
    assert [int(number) for number, _score in chips] == list(range(12))
    assert all(exact.min <= int(score) <= exact.max for _number, score in chips)
    number, score = chips[7]
    fields = {"bot": "rules", "players": "3", "variant": "No Variant", "seed": "5", "game": number}
    assert "Play this game" in lab.client.get("/results/game", params=fields).text
    address = lab.client.post("/results/game", data=fields).headers["location"]
    assert "once more" in lab.client.get(address).text
    job = last_job(lab, "one-game")
    game = record_of(job.result[0]).replay()
    assert (game.score, job.result[1]) == (int(score), int(score))
    panel = lab.client.get(f"/jobs/{job.id}", headers=HTMX).text
    assert 'hx-post="/results/game"' in panel
    assert html.unescape(panel).count(f'"game": {number}') == 1
    assert lab.client.post("/results/game", data=fields, headers=HTMX).headers["hx-redirect"] == address
    assert lab.client.get(address).headers["location"].startswith("/analyse?game=")
    assert last_job(lab, "analyse").args == {"game": job.result[0]}
    assert lab.client.post("/results/game", data={"bot": "hat", "players": 3}).status_code == 400


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"bot": "nobody"}, "there is no bot"),
        ({"bot": ""}, "no bot"),
        ({"bot": "hat"}, "plays with 4 or 5 players"),
        ({"bot": "rules(omega_p=9)"}, "omega_p"),
        ({"bot": "rules(omega_p=x)"}, "expected a number"),
        ({"variant": "Nothing"}, "there is no variant"),
        ({"bot": "<i>"}, "&lt;i&gt;"),
    ],
)
def test_orders_that_make_no_sense_are_said_beside_the_form(lab: Lab, changed: dict[str, str], expected: str) -> None:
    answer = lab.client.post("/results/simulate", data={**ORDER, **changed})
    assert answer.status_code == 400
    assert expected in answer.text
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "changed", [{"games": "0"}, {"games": "200001"}, {"players": "7"}, {"seed": "-1"}, {"games": "x"}]
)
def test_numbers_out_of_range_are_refused(lab: Lab, changed: dict[str, str]) -> None:
    assert lab.client.post("/results/simulate", data={**ORDER, **changed}).status_code == 422


def test_a_comparison_needs_two_bots(lab: Lab) -> None:
    answer = lab.client.post("/results/compare", data=ORDER)
    assert answer.status_code == 400
    assert "no second bot" in answer.text


def test_a_job_of_another_server_is_not_known(lab: Lab) -> None:
    assert lab.client.get("/results/simulate", params={"job": "nothing"}).status_code == 404


def test_what_is_under_way_is_listed_and_can_be_cancelled(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nothing is being computed" in lab.client.get("/results/under-way").text
    monkeypatch.setattr(lab.app.state.jobs, "_max_running", 0)  # whatever is asked for waits
    asked = lab.client.post("/results/compare", data={**ORDER, "bot": "rules", "against": "random", "games": "77"})
    job_id = asked.headers["location"].partition("job=")[2]
    page = lab.client.get("/results/under-way").text
    check_policy(page)
    assert "rules against random: 3 players, 77 games" in page
    assert f"/jobs/{job_id}" in page
    assert "/results/under-way" in lab.client.get(f"/jobs/{job_id}", headers=HTMX).text
    assert "Cancelled." in lab.client.post(f"/jobs/{job_id}/cancel", headers=HTMX).text
    assert "Nothing is being computed" in lab.client.get("/results/under-way").text


# The model


def test_an_order_has_the_names_of_the_register() -> None:
    order = Order.of(" rules( reading = text ) ", 3, "no variant", 10, 0)
    assert (order.bot, order.variant) == ("rules(reading=text)", "No Variant")
    assert Order.of("best", 2, "No Variant", 10, 0).stands_for("best") == best_player(Rules(players=2)).name
    assert order.stands_for("rules") == ""
    with pytest.raises(HandfulError, match="expected 1 to"):
        Order.of("rules", 3, "No Variant", 0, 0)


def test_both_plots_of_a_comparison_have_the_same_scores() -> None:
    order = Order.of("rules", 3, "No Variant", 40, 0, "random")
    shown = Compared.of(order, compare("rules", "random", players=3, games=40))
    assert len(shown.first.plot.columns) == len(shown.second.plot.columns) == 26
    assert sum(width for *_rest, width in shown.shares) == pytest.approx(100)
    assert sum(count for _kind, _words, count, _left, _width in shown.shares) == 40


def test_a_plot_of_scores_begins_where_scores_begin() -> None:
    histogram = [0] * 26
    histogram[20], histogram[25] = 3, 1
    plot = scores_plot(histogram)
    assert first_score(histogram) == 20
    assert plot.columns[0].words == "score 20: 3 games, 75.00%"
    assert [column.mark for column in plot.columns] == [""] * 5 + ["perfect"]
    assert len(scores_plot([0] * 25 + [4]).columns) == 6


def test_a_line_of_letters_shows_the_top_scores() -> None:
    assert sparkline([0] * 20 + [1, 1, 2, 4, 8, 16]) == "▁▁▁▂▄█"
    assert sparkline([]) == ""
