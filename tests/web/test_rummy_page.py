"""The Rummy adviser, through the real server, with tables of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from handful.errors import HandfulError
from handful.rummy.advice import advise
from handful.rummy.cards import parse_cards
from handful.rummy.distribution import Turns
from handful.web.pages import rummy
from handful.web.pages.plots import columns_plot, round_step, turns_plot
from handful.web.pages.rummy_hand import Question, answer
from handful.web.playing_cards import face_of
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path_factory.mktemp("tables")))
        rummy._PREPARED.clear()
        rummy._answers.cache_clear()
        rummy._turns.cache_clear()
        yield
        rummy._PREPARED.clear()
        rummy._answers.cache_clear()
        rummy._turns.cache_clear()


@pytest.fixture(scope="module")
def ready(lab: Lab, tables: None) -> Lab:
    """Return a lab that has the table of three cards, aces low."""
    lab.client.post("/rummy/advice", data={"hand": "AC 4C 7C"})
    assert last_job(lab, "rummy-table").status == "done"
    return lab


def test_without_cards_there_is_a_deck_to_click(lab: Lab) -> None:
    page = lab.client.get("/rummy").text
    check_policy(page)
    assert page.count('name="card"') == 52
    assert "Click the cards of your hand" in page


def test_two_cards_are_not_enough(lab: Lab) -> None:
    answer = lab.client.get("/rummy/advice", params={"card": ["AC", "KD"]}, headers=HTMX)
    assert answer.status_code == 200
    assert "1 more card, at least" in answer.text
    assert answer.headers["hx-replace-url"] == "/rummy?hand=AC+KD&aces=low"


def test_a_hand_gets_what_the_table_says(ready: Lab) -> None:
    page = ready.client.get("/rummy", params={"hand": "AC 4C 7C"}).text
    check_policy(page)
    exact = advise("AC 4C 7C")
    assert f"<b>{exact.expected_turns:.2f}</b>" in page
    assert page.count('class="draw shade-') == 49
    spread = ready.client.get("/rummy/turns", params={"hand": "AC 4C 7C"}, headers=HTMX).text
    check_policy(spread)
    assert f"<dd>{exact.turns.quantile(0.5)}</dd>" in spread
    assert "<svg" in spread


def test_the_spread_of_a_large_hand_is_computed_by_a_job(ready: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rummy, "EXACT_TURNS_SIZES", range(0))
    asked = ready.client.get("/rummy/turns", params={"hand": "AC 4C 9C"}, headers=HTMX).text
    assert 'hx-post="/rummy/turns?hand=AC+4C+9C' in asked
    place = ready.client.post("/rummy/turns", params={"hand": "AC 4C 9C"}, headers=HTMX).text
    job = last_job(ready, "rummy-turns")
    assert f"/jobs/{job.id}" in place
    panel = ready.client.get(f"/jobs/{job.id}", headers=HTMX).text
    assert f"<dd>{advise('AC 4C 9C').turns.quantile(0.5)}</dd>" in panel
    assert "<svg" in panel


def test_a_draw_shows_the_cost_of_every_discard(ready: Lab) -> None:
    page = ready.client.get("/rummy/advice", params={"hand": "AC 4C 7C", "draw": "5C"}, headers=HTMX).text
    discards = advise("AC 4C 7C", draw="5C").discards
    shown = re.findall(r"<td class=\"right\">\+(\d+\.\d+)</td>", page)
    assert shown == [f"{each.cost:.3f}" for each in discards if each.cost > 1e-9]
    keeps = "+".join(map(str, discards[0].keeps))
    assert f'href="/rummy?hand={keeps}&amp;aces=low"' in page


def test_a_rummy_is_out(ready: Lab) -> None:
    page = ready.client.get("/rummy", params={"hand": "2C 3C 4C"}).text
    assert "You are out" in page
    assert 'class="draw' not in page


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"hand": "AC AC 4C"}, "AC is there twice"),
        ({"hand": "AC 1C 4C"}, "there is no rank"),
        ({"hand": "AC 4C 7C", "aces": "odd"}, "ace rule"),
        ({"hand": "AC 4C 7C", "draw": "4C"}, "in the hand"),
        ({"hand": " ".join(f"{rank}C" for rank in range(2, 11)) + " AC JC"}, "11 cards"),
        ({"hand": "AC 4C 7C", "gone": "AC"}, "cannot be gone"),
        ({"hand": "<b>"}, "&lt;"),
    ],
)
def test_what_is_no_hand_is_said_in_its_place(ready: Lab, fields: dict[str, str], expected: str) -> None:
    for path, headers in (("/rummy", {}), ("/rummy/advice", HTMX)):
        answer = ready.client.get(path, params=fields, headers=headers)
        assert answer.status_code == 400
        assert expected in answer.text


def test_a_long_table_is_made_when_somebody_asks_for_it(ready: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rummy, "AT_ONCE_SECONDS", 0.0)
    hand = {"hand": "AC 4C 7C", "aces": "wrap"}
    offer = ready.client.get("/rummy", params=hand).text
    assert "Make it now" in offer
    assert "seconds on one core" in offer
    asked = ready.client.post("/rummy/table", data={"cards": "3", **hand}, headers=HTMX)
    assert "/jobs/" in asked.text
    assert last_job(ready, "rummy-table").args == {"cards": 3, "aces": "wrap"}
    assert last_job(ready, "rummy-table").status == "done"
    assert "18.24" in ready.client.get("/rummy", params=hand).text  # Finkle 2017: 18.2442


def test_a_table_too_large_for_a_page_is_refused(lab: Lab) -> None:
    assert lab.client.post("/rummy/table", data={"cards": "10", "aces": "low"}).status_code == 422
    hand = "AC 3C 5C 7C 9C JC KC 2D"
    page = lab.client.get("/rummy", params={"hand": hand}).text
    assert "handful rummy solve --cards 8" in page
    assert "Make it now" not in page


def test_with_cards_gone_the_game_is_solved_anew(ready: Lab) -> None:
    fields = {"hand": "AC 4C 7C", "gone": "5C 6C", "draw": "2C"}
    assert "Work it out" in ready.client.get("/rummy", params=fields).text
    place = ready.client.post("/rummy/advice", data=fields, headers=HTMX).text
    job = last_job(ready, "rummy-gone")
    assert f"/jobs/{job.id}" in place
    panel = ready.client.get(f"/jobs/{job.id}", headers=HTMX).text
    exact = advise("AC 4C 7C", draw="2C", seen="5C 6C")
    assert f"<b>{exact.expected_turns:.2f}</b>" in panel
    assert panel.count(">gone<") == 2
    assert "With cards gone: exact" in panel
    assert "gone=5C+6C" in panel


def test_hands_are_dealt_and_cards_drawn(ready: Lab) -> None:
    dealt = ready.client.post("/rummy/deal", data={"cards": 5, "aces": "high"})
    assert dealt.status_code == 303
    place = dealt.headers["location"]
    assert len(parse_cards(re.search(r"hand=([^&]+)", place)[1].replace("+", " "))) == 5  # type: ignore[index]
    drawn = ready.client.get("/rummy/draw", params={"hand": "AC 4C 7C"}).headers["location"]
    card = re.search(r"draw=(\w+)", drawn)
    assert card is not None
    assert card[1] not in ("AC", "4C", "7C")


# The model


def test_cells_say_what_the_table_says(ready: Lab) -> None:
    question = Question.of("AC 4C 7C", "low", "5C")
    found = answer(question, rummy._answers(question.game))
    cells = {cell.face.text: cell for row in found.cells for cell in row}
    assert len(cells) == 52
    assert cells["AC"].state == "own"
    by_card = {str(each.draw): each for each in advise("AC 4C 7C").draws}
    for text, each in by_card.items():
        assert cells[text].throw == face_of(each.discard)
        assert (cells[text].shade > 0) == (each.gain > 1e-9)
        assert cells[text].is_chosen == (text == "5C")
    assert max(cell.shade for cell in cells.values()) == 5
    outs = answer(Question.of("2C 3C 9D", "low"), rummy._answers(question.game)).draws
    assert {cell.face.text for cell in outs if cell.is_out} == {"AC", "4C"}
    assert "you are out" in next(cell.words for cell in outs if cell.is_out)


def test_a_question_is_its_address() -> None:
    question = Question.of("7c ac, 4C", "high", "td", "2S")
    assert question.query() == {"hand": "AC 4C 7C", "aces": "high", "draw": "10D", "gone": "2S"}
    assert question.query(draw="") == {"hand": "AC 4C 7C", "aces": "high", "gone": "2S"}
    with pytest.raises(HandfulError, match="it is gone"):
        Question.of("AC 4C 7C", "low", "2S", "2S")


# Plots


def test_the_plot_of_turns_holds_nearly_all_games() -> None:
    turns = Turns(2.0, 1.0, (0.0, 0.5, 0.25, 0.125, 0.0625, 0.0625), 0.5, 1, 0.0)
    plot = turns_plot(turns)
    assert [round(column.height, 3) for column in plot.columns] == [0.0, 1.0, 0.5, 0.25, 0.125, 0.125]
    assert [column.mark for column in plot.columns].count("median") == 1
    assert plot.columns[1].mark == "median"
    assert plot.columns[1].words == "turn 1: 50.00%; done by then: 50.0%"


def test_long_games_share_columns() -> None:
    turns = Turns(250.0, 100.0, (0.002,) * 500, 0.99, 1, 0.0)
    plot = turns_plot(turns)
    assert len(plot.columns) <= 60
    assert plot.columns[0].words.startswith("turns 0 to 8:")
    assert plot.columns[-1].left + plot.columns[-1].width == pytest.approx(100)


def test_ticks_are_round_and_few() -> None:
    for length in range(1, 400):
        assert 1 <= -(-length // round_step(length, 10)) <= 10
        assert str(round_step(length, 10))[0] in "125"
    assert columns_plot([], str).columns == ()
