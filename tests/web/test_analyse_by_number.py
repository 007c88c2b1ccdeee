"""The page that analyses a game takes its number or a link: fetched by a job, from a real server on loopback."""

from __future__ import annotations

import html
import json
import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from handful.hanabi.live.records import Record, read_record
from handful.hanabi.measures import measures
from handful.web.jobs import Job, Jobs
from handful.web.pages.addresses import record_of
from tests.live_site.played import FIRST_ID, some_games
from tests.live_site.server import FakeSite
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

ID = FIRST_ID + 7
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeSite]:
    with FakeSite(some_games(4)) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("HANDFUL_SITE", running.address)
        yield running


def fetch(lab: Lab, text: str) -> tuple[Job, str]:
    """Give a number or a link, wait for its job, and return it with the address of the page."""
    asked = lab.client.post("/analyse", data={"text": text})
    assert asked.status_code == 303, asked.text
    return last_job(lab, "fetch"), asked.headers["location"]


def test_a_game_by_its_number_is_fetched_once_and_analysed(lab: Lab, fake: FakeSite) -> None:
    assert fake.address.removeprefix("http://") in lab.client.get("/analyse").text
    assert lab.client.get(f"/analyse?fetch={ID}").status_code == 200
    assert fake.asked.total() == 0, "only who gives a number has it fetched"
    job, address = fetch(lab, f" {fake.address}/replay/{ID}#5 ")
    assert (job.status, job.error) == ("done", "")
    panel = lab.client.get(f"/jobs/{job.id}").text
    check_policy(panel)
    assert 'hx-trigger="load, submit"' in panel
    page = lab.client.get(address).text
    check_policy(page)
    assert f"Game {ID} is here" in page
    assert 'hx-trigger="load, submit"' not in page, "who comes back to the page stays there"

    fields = {name: html.unescape(re.findall(f'name="{name}" value="([^"]*)"', panel)[0]) for name in ("text", "turn")}
    led = lab.client.post("/analyse", data=fields, headers=HTMX)
    again = lab.client.post("/analyse", data={"text": f"{fake.address}/replay/{ID}#5"})
    lab.client.post(f"/jobs/{last_job_of(lab, 'analyse').id}/cancel")
    assert (led.status_code, led.headers["hx-redirect"]) == (204, again.headers["location"])
    query = parse_qs(urlsplit(led.headers["hx-redirect"]).query)
    assert query["turn"] == ["4"]
    game = plain_record(fake.games[ID])
    assert record_of(query["game"][0]).actions == game.actions
    assert 'data-turn="4"' in lab.client.get(led.headers["hx-redirect"]).text
    assert dict(fake.asked) == {f"/export/{ID}": 1}


def plain_record(game: dict[str, Any]) -> Record:
    return read_record(json.dumps({name: value for name, value in game.items() if name != "score"}))


def last_job_of(lab: Lab, kind: str) -> Job:
    jobs: Jobs = lab.app.state.jobs
    return [job for job in jobs._jobs.values() if job.kind.name == kind][-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [("0", "expected a number of 1 to"), ("9" * 20, "expected a number of 1 to"), ("9" * 600, "is no game")],
)
def test_what_is_no_number_of_a_game_is_refused(lab: Lab, fake: FakeSite, text: str, message: str) -> None:
    answer = lab.client.post("/analyse", data={"text": text})
    assert (answer.status_code, message in html.unescape(answer.text)) == (400, True)
    assert fake.asked.total() == 0


@pytest.mark.parametrize(
    ("text", "message"), [("5", "has no game 5"), ("https://other.example/replay/7", "the link is of other.example")]
)
def test_what_the_site_does_not_have_is_one_line(lab: Lab, fake: FakeSite, text: str, message: str) -> None:
    job, address = fetch(lab, text)
    assert (job.status, message in job.error, "\n" in job.error) == ("failed", True, False)
    page = lab.client.get(address).text
    check_policy(page)
    assert html.escape(job.error, quote=False).replace("'", "&#39;") in page
    assert f">{text}</textarea>" in page


def test_who_is_offline_is_told_so_in_one_line(lab: Lab, fake: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and nobody listens
        monkeypatch.setenv("HANDFUL_SITE", f"http://127.0.0.1:{free.getsockname()[1]}")
        job, address = fetch(lab, "77")
    assert (job.status, "\n" in job.error) == ("failed", False)
    assert re.search(r"127\.0\.0\.1:\d+", job.error)
    assert "cannot" in job.error
    assert 'role="alert"' in lab.client.get(address).text


def test_the_numbers_of_the_shown_turn(lab: Lab) -> None:
    record = plain_record(some_games(4)[1])
    states = list(record.states())
    token = record.to_text()
    for turn in (0, 12, len(states) - 1):
        shown = re.sub(r"\s+", " ", lab.client.get("/analyse/board", params={"game": token, "turn": turn}).text)
        now = measures(states[turn])
        text = html.unescape(re.sub(r"<[^>]+>", "", shown[shown.index("<dl") : shown.index("</dl>")]))
        pace = str(now.pace).replace("-", "−")
        assert f"pace{pace} risk {now.risk}" in text
        assert f"gotten{now.gotten}" in text
        assert f"efficiency{'–' if now.efficiency is None else f'{now.efficiency:.2f}'}" in text
