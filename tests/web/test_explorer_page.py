"""The playability explorer, through the real server."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from handful.errors import HandfulError
from handful.playability import count_playable, count_sequences
from handful.web.pages import explored
from handful.web.pages.addresses import pack
from handful.web.pages.explored import (
    MAX_COPIES,
    MAX_VALUES,
    decks_of,
    line_of,
    number_text,
    read_given,
    read_values,
    scene_of,
    solved,
    terms_of,
)
from handful.web.pages.explorer import EXAMPLES, FIRST_DECK
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

HTMX = {"HX-Request": "true"}
FORMULA = "p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"
UNSATISFIABLE = EXAMPLES[3][1]


def test_the_page_counts_the_deck_of_the_thesis(lab: Lab) -> None:
    page = lab.client.get("/explorer").text
    check_policy(page)
    for figure in ("5,934", "75,600", "69,666", "7.849 %", "87.7778 %"):
        assert figure in page
    assert FIRST_DECK in page
    assert "It can be played" in page


def test_sliders_change_the_counts_and_their_own_labels(lab: Lab) -> None:
    piece = lab.client.get("/explorer/counts", params={"x": [2, 1, 2]}, headers=HTMX)
    check_policy(piece.text)
    assert f"<b>{count_playable((2, 1, 2))}</b>" in piece.text
    assert piece.text.count("hx-swap-oob") == 5  # the labels of three sliders; one deck, and how it is played
    assert piece.headers["hx-replace-url"].startswith("/explorer?x=2&x=1&x=2&sequence=")


@pytest.mark.parametrize("copies", [["1"], ["0", "1"], ["7", "1"], ["1"] * 8, ["x", "1"], ["-1", "1"]])
def test_other_decks_are_refused(lab: Lab, copies: list[str]) -> None:
    for path in ("/explorer", "/explorer/counts"):
        assert lab.client.get(path, params={"x": copies}).status_code in (400, 422)


def test_hands_that_take_longer_are_counted_by_a_job(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explored, "POSITIONS_AT_ONCE", 100)
    page = lab.client.get("/explorer", params={"x": [3, 2, 2, 2, 1]}).text
    assert "Count the others" in page
    place = lab.client.post("/explorer/hands", data={"x": ["3", "2", "2", "2", "1"]}, headers=HTMX)
    job = last_job(lab, "count-hands")
    assert f"/jobs/{job.id}" in place.text
    assert job.args["hands"] == [2, 3, 4, 5, 6]
    panel = lab.client.get(f"/jobs/{job.id}", headers=HTMX).text
    assert "47.9828 %" in panel
    assert "87.7778 %" in panel


def test_the_terms_of_the_theorem_add_up() -> None:
    for copies in ((3, 2, 2, 2, 1), (1, 1), (6,) * 7, (2, 5, 1)):
        assert sum(term.value for term in terms_of(copies)) == count_playable(copies)


def test_what_is_counted_at_once_is_right_and_the_rest_is_open() -> None:
    found = decks_of((3, 2, 2, 2, 1))
    assert [each.fraction for each in found.hands] == [
        float(count_sequences((3, 2, 2, 2, 1), hand).fraction) for hand in range(1, 7)
    ]
    assert not found.has_open_hands
    large = decks_of((6,) * 7)
    assert large.has_open_hands
    assert large.hands[0].counted is not None


def test_long_numbers_are_shortened() -> None:
    assert number_text(-12345) == "−12,345"
    assert number_text(3 * 10**30) == "3.000 · 10<sup>30</sup>"


def test_one_deck_is_played_and_what_cannot_be_read_is_said(lab: Lab) -> None:
    played = lab.client.get("/explorer/line", params={"sequence": "2 3 1 2 2", "hand": 2}, headers=HTMX).text
    assert "It can be played" in played
    lost = lab.client.get("/explorer/line", params={"sequence": "3 2 1", "hand": 1}, headers=HTMX).text
    assert "It cannot be played" in lost
    odd = lab.client.get("/explorer/line", params={"sequence": "3 x", "hand": 1}, headers=HTMX).text
    assert "is no value" in odd
    shuffled = lab.client.get("/explorer/line", params={"shuffle": "true", "x": [1, 1, 1]}, headers=HTMX).text
    found = re.search(r'id="sequence"[^>]*value="([^"]*)"', shuffled)
    assert found is not None
    assert sorted(found[1].split()) == ["1", "2", "3"]


def test_another_number_of_values_keeps_the_sliders_and_the_deck(lab: Lab) -> None:
    fields: dict[str, Any] = {"x": [3, 1, 2], "sequence": "3 1 2 1 3 1", "hand": 4}
    more = lab.client.get("/explorer", params={**fields, "values": "more"})
    assert more.status_code == 303
    place = parse_qs(urlsplit(more.headers["location"]).query)
    assert place["x"] == ["3", "1", "2", "1"]
    assert [each for each in place["sequence"][0].split() if each != "4"] == fields["sequence"].split()
    assert place["hand"] == ["4"]
    fewer = lab.client.get("/explorer", params={**fields, "values": "fewer"}).headers["location"]
    assert parse_qs(urlsplit(fewer).query)["sequence"] == ["1 2 1 1"]
    assert lab.client.get("/explorer", params={"x": [1, 1], "values": "fewer"}).status_code == 400


def test_one_deck_follows_the_sliders(lab: Lab) -> None:
    piece = lab.client.get("/explorer/counts", params={"x": [1, 2], "sequence": "2 1 1", "hand": 1}, headers=HTMX)
    deck = parse_qs(urlsplit(piece.headers["hx-replace-url"]).query)["sequence"][0]
    assert deck in ("2 2 1", "2 1 2")
    assert f'value="{deck}"' in piece.text
    assert ("It can be played" in piece.text) == (deck == "2 1 2")
    typed = lab.client.get("/explorer/line", params={"x": [1, 2], "sequence": "2 1 1", "hand": 1}, headers=HTMX).text
    assert "not the cards of the sliders: too many 1; missing 2" in typed


def test_the_largest_deck_of_the_sliders_can_be_played(lab: Lab) -> None:
    largest: dict[str, Any] = {"x": [MAX_COPIES] * MAX_VALUES, "hand": 1, "shuffle": "true"}
    assert "played" in lab.client.get("/explorer/line", params=largest, headers=HTMX).text


def test_a_line_keeps_the_rules_of_the_single_player() -> None:
    line = line_of(read_values(FIRST_DECK), 2)
    assert line.found.playable
    assert [value for _turn, action, value, _kept in line.rows if action == "play"] == [1, 2, 3, 4, 5]
    assert all(len(kept) == 1 for *_rest, kept in line.rows)
    for text in ("", "0", "13", "1 " * 43, "²"):
        with pytest.raises(HandfulError):
            read_values(text)


# Solitaire


def test_examples_lead_to_their_answers(lab: Lab) -> None:
    form = lab.client.get("/explorer/solitaire").text
    check_policy(form)
    answers = []
    for _name, text in EXAMPLES:
        assert f'value="{text}"' in form
        lab.client.post("/explorer/solitaire", data={"text": text})
        last_job(lab, "solitaire")
        page = lab.client.get("/explorer/solitaire", params={"game": pack(text)}).text
        check_policy(page)
        answers.append("It can be won" in page)
    assert answers == [True, True, True, False]


def test_a_formula_is_decided_and_its_assignment_shown(lab: Lab) -> None:
    given = lab.client.post("/explorer/solitaire", data={"text": FORMULA})
    assert given.status_code == 303
    lab.client.get(given.headers["location"])
    last_job(lab, "solitaire")
    page = lab.client.get(given.headers["location"]).text
    assert "the formula can be satisfied" in page
    assert "x1 = true" in page or "x1 = false" in page
    step = lab.client.get("/explorer/solitaire/step", params={"game": pack(FORMULA), "step": 30}, headers=HTMX).text
    check_policy(step)
    assert "Card 30 of 183" in step
    assert "part V3" in step
    assert "¬x1" in step


def test_steps_are_sent_with_a_slider_unless_it_was_moved(lab: Lab) -> None:
    text = EXAMPLES[0][1]
    lab.client.post("/explorer/solitaire", data={"text": text})
    last_job(lab, "solitaire")
    fields = {"game": pack(text), "step": "3"}
    aim = {**HTMX, "HX-Target": "scene-body"}
    clicked = lab.client.get("/explorer/solitaire/step", params=fields, headers=aim).text
    assert 'hx-swap-oob="true"' in clicked
    moved = lab.client.get("/explorer/solitaire/step", params=fields, headers={**aim, "HX-Trigger": "slider"}).text
    assert 'id="slider"' not in moved
    whole = lab.client.get("/explorer/solitaire/step", params={**fields, "play": "true"}, headers=HTMX).text
    assert 'id="scene-body"' in whole
    assert "load delay" in whole


@pytest.mark.parametrize(
    ("text", "hand", "expected"),
    [
        ("", "", "nothing was given"),
        ("r1 r2", "", "hand size is missing"),
        ("hand=2 r1 ??", "", "is no card"),
        ("p cnf 2 1\n1 2 3 0", "", "expected a variable"),
        ("p cnf 100000 1\n1 2 3 0", "", "becomes about"),
        ("p cnf 4 1\n1 2 3 4 0", "", "4 literals"),
        ("r1 r2", "many", "expected a whole number"),
        ("r1 r2", "51", "at most 50"),
        ("hand=1 values=900000000 1 2", "", "expected at most"),
        ("hand=1 suits=900000000 1:1", "", "expected at most"),
        ("hand=999999 1 2", "", "and 50"),
        ("1 " * 20_000, "1", "expected at most"),
        ('{"hand": 1, "sequence": [[1, 1]], "formula": {"variables": 99999, "clauses": []}}', "", "becomes about"),
    ],
)
def test_games_that_cannot_be_shown_are_refused(lab: Lab, text: str, hand: str, expected: str) -> None:
    answer = lab.client.post("/explorer/solitaire", data={"text": text, "hand": hand})
    assert answer.status_code == 400
    assert expected in answer.text


def test_steps_of_a_lost_game_are_refused(lab: Lab) -> None:
    lab.client.post("/explorer/solitaire", data={"text": UNSATISFIABLE})
    last_job(lab, "solitaire")
    answer = lab.client.get("/explorer/solitaire/step", params={"game": pack(UNSATISFIABLE)}, headers=HTMX)
    assert answer.status_code == 400


def test_scenes_follow_the_moves_to_the_end() -> None:
    found = solved(EXAMPLES[0][1])
    told = [scene_of(found, step).told for step in range(found.last_step + 1)]
    assert told[:4] == ["", "store r2", "store b3", "play r1, then r2 from the hand"]
    last = scene_of(found, 99)
    assert last.is_won
    assert last.step == 10
    assert [height for _name, height, _grown in last.stacks] == [5, 5]
    assert (scene_of(found, 2).stored, scene_of(found, 2).free) == (("r2", "b3"), 0)
    assert [card.state for card in scene_of(found, 1).around[:2]] == ["now", "to-come"]


def test_the_assignment_satisfies_every_clause() -> None:
    found = solved(FORMULA)
    assert found.assignment is not None
    assert all(any(holds for _literal, holds in clause.literals) for clause in found.clauses)
    assert solved(UNSATISFIABLE).clauses == ()


def test_what_reduce_writes_is_known_to_be_a_formula() -> None:
    import json

    reduction = read_given(FORMULA).reduction
    assert reduction is not None
    again = read_given(json.dumps(reduction.to_dict()))
    assert again.reduction == reduction
