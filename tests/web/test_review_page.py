"""The page of a game as a board: what each decision cost, what could be tried, bots that play on."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from handful.web.pages.addresses import record_of, token_of
from tests.web.lab import Lab
from tests.web.page_checks import LOST, check_policy, last_job

HTMX = {"HX-Request": "true"}
END = {"game": LOST, "turn": 60}
TURNS = 6
SHORT = token_of(replace(record_of(LOST), actions=record_of(LOST).actions[:TURNS]))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_REVIEWS", str(tmp_path_factory.mktemp("reviews")))
        with Lab(tmp_path_factory.mktemp("lab")) as opened:
            opened.app.state.review_worlds = 8
            yield opened


@pytest.fixture(scope="module")
def reviewed(lab: Lab) -> Lab:
    """Return a lab in which the beginning of the lost game has been reviewed."""
    begun = lab.client.post("/analyse/review", data={"game": SHORT}, headers=HTMX)
    assert begun.status_code == 200
    assert "Cancel" in begun.text
    check_policy(begun.text)
    job = [job for job in lab.app.state.jobs._jobs.values() if job.kind.name == "review"][-1]
    waiting = threading.Event()
    while not job.is_over:  # as the page does: nobody asking would end it
        assert lab.client.get("/analyse/review", params={"game": SHORT}, headers=HTMX).status_code == 200
        waiting.wait(0.1)
    assert job.status == "done", job.error
    assert len(job.partial) == 2 * TURNS, "every turn is told twice: at a glance, and in earnest"
    return lab


def test_only_a_post_begins_a_review(lab: Lab) -> None:
    before = len(lab.app.state.jobs._jobs)
    assert lab.client.get("/analyse/review", params={"game": SHORT}, headers=HTMX).status_code == 200
    assert lab.client.get("/analyse", params={"game": SHORT}).status_code == 200
    assert len(lab.app.state.jobs._jobs) == before


def test_the_review_brings_its_graph_and_stands_on_the_page(reviewed: Lab) -> None:
    panel = reviewed.client.get("/analyse/review", params={"game": SHORT}, headers=HTMX).text
    check_policy(panel)
    assert 'id="swing" hx-swap-oob="true"' in panel
    assert "<polyline" in panel
    assert "8 worlds a turn" in panel
    assert 'hx-trigger="load delay' not in panel, "it is finished: nothing more is asked"
    page = reviewed.client.get("/analyse", params={"game": SHORT, "turn": 3}).text
    check_policy(page)
    assert page.count('class="swing"') == 1
    assert "By what Alice could know:" in page
    assert len(re.findall(r"data-goto=\"\d+\"", page)) >= TURNS
    assert 'hx-swap-oob="true"' not in page


def test_a_position_lists_what_could_be_done(reviewed: Lab) -> None:
    board = reviewed.client.get("/analyse/board", params={"game": SHORT, "turn": 3}, headers=HTMX).text
    legal = record_of(SHORT).replay(3).legal_actions()
    assert board.count('name="action"') == len(legal)
    assert board.count("<small>best</small>") == 1
    assert board.count("<small>played</small>") == 1
    assert "Let bots play on from here" in board
    over = reviewed.client.get("/analyse/board", params={"game": LOST, "turn": 65}, headers=HTMX).text
    assert 'name="action"' not in over


def test_an_action_is_tried_and_judged(reviewed: Lab) -> None:
    given = reviewed.client.post("/analyse/try", data={**END, "action": 0})
    assert given.status_code == 303
    fields = parse_qs(urlsplit(given.headers["location"]).query)
    assert (fields["turn"], fields["of"]) == (["61"], [LOST])
    job = last_job(reviewed, "what-if")
    assert job.status == "done", job.error
    panel = reviewed.client.get(f"/jobs/{job.id}", headers=HTMX).text
    assert "by what the player could know" in panel
    page = reviewed.client.get(given.headers["location"]).text
    check_policy(page)
    assert "Tried on turn 61:" in page
    assert "Back to the game" in page
    # From there on another action can be tried: the game that all began with stays the same.
    deeper = reviewed.client.post("/analyse/try", data={"game": fields["game"][0], "turn": 61, "action": 0, "of": LOST})
    assert f"of={LOST}".replace(",", "%2C") in deeper.headers["location"]
    jobs = reviewed.app.state.jobs
    jobs.cancel([job for job in jobs._jobs.values() if job.kind.name == "what-if"][-1].id)


def test_bots_play_on(reviewed: Lab) -> None:
    place = reviewed.client.post("/analyse/play-on", data={**END, "turns": 0}, headers=HTMX)
    assert "/jobs/" in place.text
    job = last_job(reviewed, "play-on")
    assert job.status == "done", job.error
    game = record_of(job.result)
    assert game.replay().is_over
    assert game.actions[:60] == record_of(LOST).actions[:60]
    assert "Bots played on: turn 61 to" in reviewed.client.get(f"/jobs/{job.id}", headers=HTMX).text
    reviewed.client.post("/analyse/play-on", data={**END, "turns": 1}, headers=HTMX)
    assert len(record_of(last_job(reviewed, "play-on").result).actions) == 61


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/analyse/try", {"game": LOST, "turn": 60, "action": 99}),
        ("/analyse/try", {"game": LOST, "turn": 65, "action": 0}),
        ("/analyse/try", {"game": LOST, "turn": 66, "action": 0}),
        ("/analyse/try", {"game": LOST, "turn": 60, "action": -1}),
        ("/analyse/try", {"game": "nonsense", "turn": 0, "action": 0}),
        ("/analyse/play-on", {"game": "nonsense", "turn": 0}),
        ("/analyse/play-on", {"game": LOST, "turn": "x"}),
        ("/analyse/review", {"game": "~AAAA"}),
    ],
)
def test_what_makes_no_sense_is_refused(lab: Lab, path: str, fields: dict[str, str]) -> None:
    assert lab.client.post(path, data=fields, headers=HTMX).status_code in (400, 422)


def test_a_review_that_was_cancelled_can_go_on(lab: Lab) -> None:
    token = token_of(replace(record_of(LOST), actions=record_of(LOST).actions[:-1]))
    lab.client.post("/analyse/review", data={"game": token}, headers=HTMX)
    jobs = lab.app.state.jobs
    job = [job for job in jobs._jobs.values() if job.kind.name == "review"][-1]
    jobs.cancel(job.id)
    panel = lab.client.get("/analyse/review", params={"game": token}, headers=HTMX).text
    assert "The review was stopped." in panel
    assert "Go on" in panel
