"""The page of a player's games: fetched from a real server on loopback when somebody asks, analysed and plotted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.web.pages.addresses import record_of
from handful.web.pages.history_plots import curves_of, lost_plot
from tests.live_site.played import some_games
from tests.live_site.server import FakeSite
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeSite]:
    with FakeSite(some_games()) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("HANDFUL_SITE", running.address)
        yield running


def test_nothing_is_fetched_before_somebody_asks(lab: Lab, fake: FakeSite) -> None:
    page = lab.client.get("/history").text
    check_policy(page)
    assert fake.address.removeprefix("http://") in page
    assert "Nothing is fetched before you ask for it" in page
    assert fake.asked.total() == 0


def test_what_the_games_of_a_player_say(lab: Lab, fake: FakeSite) -> None:
    asked = lab.client.post("/history", data={"player": "ann", "limit": "20"})
    assert asked.status_code == 303
    job = last_job(lab, "history")
    assert (job.status, job.error) == ("done", "")
    page = lab.client.get(asked.headers["location"]).text
    check_policy(page)
    assert "ann: 12 games" in page
    assert "By partner" in page
    assert re.search(r'<polyline class="curve all" points="[\d., ]+"', page)
    token = html.unescape(re.findall(r'href="/analyse\?game=([^"]+?)&amp;turn=', page)[0])
    assert record_of(token.replace("%2C", ",")).rules.players in (2, 3)
    assert f'href="{fake.address}/replay/' in page
    assert set(fake.asked.values()) == {1}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"player": " "}, "no player"),
        ({"player": "ann", "since": "soon"}, "--since 'soon'"),
        ({"player": "ann", "variant": "Nothing"}, "there is no variant 'Nothing'"),
        ({"player": "ann", "others": "a,b,c,d,e,f"}, "6 other players"),
    ],
)
def test_what_cannot_be_meant_is_refused(lab: Lab, fields: dict[str, str], message: str) -> None:
    answer = lab.client.post("/history", data=fields)
    assert answer.status_code == 400
    assert message in html.unescape(answer.text)


def test_a_site_that_fails_is_one_line(lab: Lab, fake: FakeSite) -> None:
    asked = lab.client.post("/history", data={"player": "nobody"})
    job = last_job(lab, "history")
    assert (job.status, "has no games at" in job.error) == ("failed", True)
    assert lab.client.get(asked.headers["location"]).status_code == 200


def test_plots_of_little() -> None:
    assert curves_of([("a", "all", [None])], ["x"]) is None
    flat = curves_of([("a", "all", [2.0, 2.0])], ["x", "y"])
    assert flat is not None
    assert flat.curves[0].points == ((0, 0), (100, 0))
    assert [column.words for column in lost_plot({1: 2, 11: 0}).columns] == [
        "turns 1–10: 2 lost",
        "turns 11–20: 0 lost",
    ]


def test_the_database_is_where_it_should_be(fake: FakeSite, tmp_path: Path) -> None:
    from handful.hanabi.live.site.cache import default_path

    assert default_path().exists()
    assert default_path().name == "games.sqlite"
