"""The page that analyses a game, through the real server."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import quote

import pytest

from handful.hanabi.live.records import read_record
from handful.playability import solve
from handful.web.pages.addresses import record_in, token_of
from tests.web.lab import Lab
from tests.web.page_checks import LOST, WON, check_policy, last_job

HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def lost(lab: Lab) -> str:
    """Return the page of a lost game, analysed."""
    page = lab.client.post("/analyse", data={"text": LOST})
    assert page.status_code == 303
    last_job(lab, "analyse")
    return LOST


def test_the_form_leads_to_the_page_of_the_game(lab: Lab) -> None:
    form = lab.client.get("/analyse")
    check_policy(form.text)
    assert 'name="text"' in form.text
    given = lab.client.post("/analyse", data={"text": f"https://hanab.live/replay-json/{WON}"})
    assert given.status_code == 303
    page = lab.client.get(given.headers["location"])
    assert page.status_code == 200
    check_policy(page.text)
    last_job(lab, "analyse")
    assert "A perfect game: 25 of 25." in lab.client.get(given.headers["location"]).text


def test_a_file_is_read(lab: Lab) -> None:
    record = replace(record_in(LOST), names=("Uma", "Vera", "Wim"))
    given = lab.client.post("/analyse", files={"file": ("game.json", record.to_text().encode())})
    assert given.status_code == 303
    assert "Vera" in lab.client.get(given.headers["location"]).text


@pytest.mark.parametrize(
    ("text", "file", "expected"),
    [
        ("", None, "nothing was given"),
        ("<script>alert(1)</script>", None, "is no game"),
        ("", b"{", "is not JSON"),
        ("", b"\xff\xfe", "not UTF-8"),
        ('{"players": ["A"], "deck": []}', None, "deck is missing"),
    ],
)
def test_what_cannot_be_read_is_said_beside_the_form(lab: Lab, text: str, file: bytes | None, expected: str) -> None:
    files = {} if file is None else {"file": ("game.json", file)}
    answer = lab.client.post("/analyse", data={"text": text}, files=files)
    assert answer.status_code == 400
    assert expected in answer.text
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text


def test_a_game_that_breaks_the_rules_is_refused_by_its_turn(lab: Lab) -> None:
    fields = json.loads(record_in(LOST).to_text())
    fields["actions"][3] = {"type": 0, "target": 49, "value": 0}
    answer = lab.client.post("/analyse", data={"text": json.dumps(fields)})
    assert answer.status_code == 400
    assert "turn 4" in answer.text


def test_the_verdict_comes_first_and_the_replay_is_at_the_turn(lab: Lab, lost: str) -> None:
    page = lab.client.get("/analyse", params={"game": lost}).text
    check_policy(page)
    assert "Turn 26 lost the game: Bob discards e: blue 2." in page
    assert "Turn 25 of 65" in page
    assert "this lost the game" in page
    assert "Step through the winning line" in page
    assert "https://hanab.live/replay-json/" in page


def test_the_panel_of_the_job_is_the_verdict(lab: Lab, lost: str) -> None:
    job = lab.app.state.jobs.start("analyse", {"game": lost}, key=f"analyse {[('game', lost)]}")
    panel = lab.client.get(f"/jobs/{job}", headers=HTMX)
    assert "Turn 26 lost the game" in panel.text
    assert f"/analyse/replay?game={quote(lost, safe='/-')}" in panel.text
    again = lab.client.get("/analyse/replay", params={"game": lost, "turn": 0, "jump": "true"}, headers=HTMX)
    assert "Turn 25 of 65" in again.text
    stays = lab.client.get("/analyse/replay", params={"game": lost, "turn": 7, "jump": "true"}, headers=HTMX)
    assert "Turn 7 of 65" in stays.text


def test_the_slider_is_sent_anew_unless_it_was_moved_itself(lab: Lab, lost: str) -> None:
    fields = {"game": lost, "turn": "12"}
    moved = lab.client.get("/analyse/board", params=fields, headers={**HTMX, "HX-Trigger": "slider"})
    assert "Turn 12 of 65" in moved.text
    assert 'id="slider"' not in moved.text
    assert "turn=12" in moved.headers["hx-replace-url"]
    clicked = lab.client.get("/analyse/board", params=fields, headers={**HTMX, "HX-Trigger": "step-forward"})
    assert 'hx-swap-oob="true"' in clicked.text


def test_watching_goes_on_by_itself_and_ends(lab: Lab, lost: str) -> None:
    playing = lab.client.get("/analyse/board", params={"game": lost, "turn": 63, "play": "true"}).text
    assert "turn=64" in playing
    assert "load delay" in playing
    assert "load delay" not in lab.client.get("/analyse/board", params={"game": lost, "turn": 65, "play": "true"}).text


def test_the_line_is_replayed_and_downloaded(lab: Lab, lost: str) -> None:
    page = lab.client.get("/analyse", params={"game": lost, "show": "line", "turn": 53})
    assert "a perfect game" in page.text
    assert "25 possible, to the end" in page.text
    file = lab.client.get("/analyse/record", params={"game": lost, "show": "line"})
    assert "winning-line.json" in file.headers["content-disposition"]
    assert read_record(file.content).replay().ending == "perfect"
    played = lab.client.get("/analyse/record", params={"game": lost})
    assert read_record(played.content) == record_in(lost)


def test_a_turn_past_the_end_is_the_end(lab: Lab, lost: str) -> None:
    assert "Turn 65 of 65" in lab.client.get("/analyse", params={"game": lost, "turn": 9999}).text


@pytest.mark.parametrize("fields", [{"turn": "-1"}, {"turn": "x"}, {"show": "all"}, {"game": "~AAAA"}])
def test_addresses_that_make_no_sense_are_refused(lab: Lab, lost: str, fields: dict[str, str]) -> None:
    answer = lab.client.get("/analyse/board", params={"game": lost, **fields})
    assert answer.status_code in (400, 422)


def test_a_seed_that_nobody_has_played_is_a_deal(lab: Lab) -> None:
    place = lab.client.post("/analyse", data={"text": "p4v0s415"}).headers["location"]
    last_job(lab, "analyse")
    page = lab.client.get(place).text
    assert "This deal can be won: 25 of 25." in page
    assert "Step through the winning line" in page
    for words in ("Not lost", "record stops", "As it was played", "Turn 0 of 0", "What each decision cost"):
        assert words not in page


def test_a_lost_deal_has_the_line_that_solve_prints_and_cards_in_words(lab: Lab) -> None:
    place = lab.client.post("/analyse", data={"text": "p2v0s40"}).headers["location"]
    last_job(lab, "analyse")
    page = lab.client.get(place).text
    best = solve("p2v0s40")
    assert "Nobody can win this deal: 25 is out of reach." in page
    assert f"The best line found, to {best.score} points" in page
    assert f"The whole line: {len(best.line)} turns" in page
    assert "the last of their kind (red 4, red 5, yellow 2," in page
    assert "(r4 r5" not in page
    verdict = page[page.index('id="verdict"') : page.index('id="replay"')]
    assert "searched in" in verdict.rpartition("<details")[2]  # folded away


def test_names_are_shown_and_never_read_as_markup(lab: Lab) -> None:
    token = token_of(replace(record_in(LOST), names=("<b>Uma</b>", "&amp;", "W'im\"")))
    page = lab.client.get("/analyse", params={"game": token}).text
    assert "&lt;b&gt;Uma&lt;/b&gt;" in page
    assert "<b>Uma" not in page
