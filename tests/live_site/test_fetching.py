"""Games are fetched once, from a real server on loopback, whatever it does; what goes wrong is one clear line."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from handful import __version__
from handful.errors import HandfulError, NotationError, RecordError
from handful.hanabi.live.addresses import game_address, is_game_address, site_address
from handful.hanabi.live.site import NotThereError, Site, SiteError, UnreachableError, Wanted
from handful.hanabi.live.site.transport import AT_HOME, Politeness, Transport
from tests.live_site.played import FIRST_ID, some_games
from tests.live_site.server import FakeSite, Fault

ROOT = Path(__file__).parents[2]
QUICK = AT_HOME._replace(first_wait=0.001, timeout=0.3, deadline=2.0)
ID = FIRST_ID + 7


@pytest.fixture
def fake() -> Iterator[FakeSite]:
    with FakeSite(some_games()) as running:
        yield running


def opened(fake: FakeSite, tmp_path: Path, **options: Any) -> Site:
    return Site(fake.address, tmp_path / "games.sqlite", **({"politeness": QUICK} | options))


def fetch_all(site: Site, *names: str) -> list[tuple[int, str]]:
    return list(site.fetch(site.missing(site.games_of(names))))


# What users write


@pytest.mark.parametrize(
    ("text", "number", "turn"),
    [
        ("1874799", 1874799, None),
        (" #12 ", 12, None),
        ("https://hanab.live/replay/1874799", 1874799, None),
        ("https://hanab.live/replay/1874799/", 1874799, None),
        ("hanab.live/shared-replay/5#17", 5, 17),
        ("http://www.hanabi.live/replay/5?x=1#1", 5, 1),
    ],
)
def test_numbers_and_links_mean_games(text: str, number: int, turn: int | None) -> None:
    assert is_game_address(text)
    found = game_address(text)
    assert (found.number, found.turn) == (number, turn)


@pytest.mark.parametrize("text", ["game.json", "p2v0s40", "12a", "", "1.5", "https://hanab.live/replay/", "-3"])
def test_other_texts_mean_none(text: str) -> None:
    assert not is_game_address(text)
    with pytest.raises(RecordError, match="is no game"):
        game_address(text)


@pytest.mark.parametrize("text", ["0", "99999999999", "hanab.live/replay/0"])
def test_numbers_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="expected a number of 1 to"):
        game_address(text)


@pytest.mark.parametrize("site", ["ftp://x", "http://", "https://a b", "http://x:99999", "http://u@x", "http://x/?q=1"])
def test_what_is_no_site_is_refused(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HandfulError, match=r"^--site .*expected an address"):
        site_address(site)
    monkeypatch.setenv("HANDFUL_SITE", site)
    with pytest.raises(HandfulError, match=r"^HANDFUL_SITE .*expected an address"):
        site_address()


# Once, and offline


def test_every_game_is_asked_for_once_and_is_there_offline(fake: FakeSite, tmp_path: Path) -> None:
    with opened(fake, tmp_path) as site:
        assert fetch_all(site, "ann") == [(game["id"], "") for game in reversed(some_games())]
        assert site.requests == 1 + len(some_games())
        assert fetch_all(site, "ann") == []
        record = site.record(ID)
    assert record.game_id == ID
    assert set(fake.asked.values()) == {1, 2}, "only the newest page of the list was looked at again"
    assert [path for path, times in fake.asked.items() if times == 2] == ["/api/v1/history/ann?size=100&page=0"]
    assert (fake.agents, fake.most_at_once) == ({f"Handful/{__version__}"}, 1)
    with opened(fake, tmp_path, is_offline=True) as site:
        before = fake.asked.total()
        assert [row.id for row in site.games_of(["ANN"])] == [game["id"] for game in reversed(some_games())]
        assert site.record(ID) == record
        with pytest.raises(SiteError, match=r"game 5 is not in cache of games .*, and nothing is asked of"):
            site.record(5)
        with pytest.raises(SiteError, match="the list '/api/v1/history/nobody' is not in cache"):
            site.games_of(["nobody"])
        assert fake.asked.total() == before


def test_what_is_wanted_of_a_list(fake: FakeSite, tmp_path: Path) -> None:
    with opened(fake, tmp_path) as site:
        every = [row.id for row in site.games_of(["ann"])]
        both = site.games_of(["ann", "eve/5"])
        assert 0 < len(both) < len(every)
        assert all({"ann", "eve/5"} <= set(row.names) for row in both)
        assert [row.id for row in site.games_of(["ann"], Wanted(limit=3))] == every[:3]
        since = site.games_of(["ann"], Wanted(since=date(2024, 1, 10)))
        assert [row.id for row in since] == every[:3]
        assert site.games_of(["ann"], Wanted(variant="6 Suits")) == []
        (on_seed,) = site.games_on("p3v0s1")
        assert on_seed.id == FIRST_ID
        with pytest.raises(NotThereError, match="has no games at '/api/v1/history/nobody'"):
            site.games_of(["nobody"])
        with pytest.raises(NotationError, match="7 players: expected 1 to 6"):
            site.games_of(list("abcdefg"))
        with pytest.raises(NotationError, match="expected a name"):
            site.games_of([".."])


def test_a_list_that_grows_is_asked_for_what_is_new(tmp_path: Path) -> None:
    template = some_games()[0]
    games = [{**template, "id": number + 1} for number in range(450)]
    with FakeSite(games) as fake, opened(fake, tmp_path) as site:
        assert len(site.games_of(["ann"], Wanted(limit=150))) == 150
        assert fake.asked.total() == 2
        for number in range(450, 455):  # while nobody looked
            fake.add({**template, "id": number + 1})
        rows = site.games_of(["ann"])
        assert [row.id for row in rows] == list(range(455, 0, -1))
        pages = [path.rpartition("=")[2] for path in fake.asked.elements()]
        assert sorted(pages) == ["0", "0", "1", "2", "2", "3", "4"] or sorted(pages) == ["0", "0", "1", "2", "3", "4"]


def test_a_list_in_another_order_is_complete_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [{**some_games()[0], "id": number + 1} for number in range(320)]
    with FakeSite(games) as fake, opened(fake, tmp_path) as site:
        answer = fake.answer

        def turned_around(path: str, query: dict[str, list[str]]) -> tuple[int, Any]:
            status, _ = answer(path, query)
            page = int(query["page"][0])
            rows = sorted(fake.rows, key=lambda row: int(row["id"]))
            return status, {"total_rows": len(rows), "rows": rows[100 * page : 100 * page + 100]}

        monkeypatch.setattr(fake, "answer", turned_around)
        assert len(site.games_of(["ann"], Wanted(since=date(2024, 3, 1)))) == 320 - 56
        assert len(site.games_of(["ann"])) == 320


def test_games_that_cannot_be_read_are_not_fetched(tmp_path: Path) -> None:
    odd = {**some_games()[0], "id": 5, "options": {"variant": "Something New (5 Suits)"}}
    with FakeSite([odd, some_games()[1]]) as fake, opened(fake, tmp_path) as site:
        assert fetch_all(site, "ann") == [(ID, "")]
        with pytest.raises(RecordError, match=r"^game 5: options\.variant"):
            site.record(5)


# Faults


def once(fault: Fault) -> Any:
    return lambda path, times: fault if times == 0 and path.startswith("/export") else None


def always(fault: Fault) -> Any:
    return lambda path, times: fault


@pytest.mark.parametrize(
    "fault",
    [
        ("status", 429, {"Retry-After": "0"}),
        ("status", 503, {}),
        ("status", 500, {"Retry-After": "soon"}),
        ("body", b'{"players": ["ann", "b'),
        ("body", b"\xff\xfe"),
        ("body", b""),
        ("cut", 40),
        ("cut", 0),
    ],
)
def test_a_site_in_trouble_is_asked_again(fault: Fault, fake: FakeSite, tmp_path: Path) -> None:
    fake.faults = once(fault)
    with opened(fake, tmp_path) as site:
        assert site.record(ID).game_id == ID
        assert fake.asked[f"/export/{ID}"] == 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (("status", 404, {}), f"has no game {ID}"),
        (("status", 429, {}), r"too many requests \(status 429\), 5 times"),
        (("status", 502, {}), r"the site is in trouble \(status 502\), 5 times"),
        (("status", 403, {}), "status 403, expected 200"),
        (("status", 301, {"Location": "/export/1"}), "leads from one address to the next"),
        (("body", b"<html>"), r"an answer that is not JSON \(6 bytes\), 5 times"),
        (("body", b"[" * 100_000), "an answer that is not JSON"),
        (("body", b"[]"), "expected a game, with players and actions"),
        (("body", b'{"players": []}'), "without its actions"),
        (("body", b'{"players": [], "actions": [], "id": 3}'), f"answers for game {ID} with game 3"),
        (("cut", 40), r"the connection was cut .*, 5 times"),
    ],
)
def test_every_fault_is_one_line_and_nothing_is_half_stored(
    fault: Fault, message: str, fake: FakeSite, tmp_path: Path
) -> None:
    fake.faults = always(fault)
    with opened(fake, tmp_path) as site:
        with pytest.raises(SiteError, match=message) as raised:
            site.record(ID)
        assert "\n" not in str(raised.value)
        assert site.cache.known(fake.address) == set()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[]", "expected an object with total_rows and rows"),
        (b'{"total_rows": -1, "rows": []}', "total_rows is -1"),
        (b'{"total_rows": 1, "rows": [{"id": "x"}]}', r"rows\[0\]\.id is 'x'"),
        (b'{"total_rows": 1, "rows": [7]}', r"rows\[0\] is 7: expected an object"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(body: bytes, message: str, fake: FakeSite, tmp_path: Path) -> None:
    fake.faults = always(("body", body))
    with opened(fake, tmp_path) as site, pytest.raises(SiteError, match=message):
        site.games_of(["ann"])


def test_a_slow_site_is_not_waited_for_for_ever(fake: FakeSite, tmp_path: Path) -> None:
    released = threading.Event()
    fake.faults = always(("hang", released))
    try:
        impatient = opened(fake, tmp_path, politeness=QUICK._replace(timeout=0.05, tries=2))
        with impatient as site, pytest.raises(SiteError, match=r"no answer in 0\.05 seconds, 2 times"):
            site.record(ID)
    finally:
        released.set()


def test_an_answer_without_end_is_cut_off(fake: FakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.hanabi.live.site.transport.MOST_BYTES", 500)
    with opened(fake, tmp_path) as site, pytest.raises(SiteError, match="more than 500 bytes"):
        site.record(ID)


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    message = rf"^127\.0\.0\.1:{port} cannot be reached: "
    with (
        Site(f"http://127.0.0.1:{port}", tmp_path / "games.sqlite") as site,
        pytest.raises(UnreachableError, match=message),
    ):
        site.record(ID)


def test_without_the_site_what_was_fetched_is_used(tmp_path: Path) -> None:
    with FakeSite(some_games()) as fake, opened(fake, tmp_path) as site:
        fetch_all(site, "ann")
    with opened(fake, tmp_path) as site:
        with pytest.warns(UserWarning, match=r"cannot be reached: .* What was fetched before is used"):
            rows = site.games_of(["ann"])
        assert len([site.record(row.id) for row in rows]) == len(some_games())


def test_a_game_that_is_not_there_is_not_asked_for_again(fake: FakeSite, tmp_path: Path) -> None:
    for _ in range(2):
        with opened(fake, tmp_path) as site, pytest.raises(NotThereError, match="has no game 5"):
            site.record(5)
    assert fake.asked["/export/5"] == 1


def test_a_damaged_game_is_fetched_again(fake: FakeSite, tmp_path: Path) -> None:
    with opened(fake, tmp_path) as site:
        site.record(ID)
        with site.cache._transaction() as connection:
            connection.execute("UPDATE games SET answer = ?", [b"\x78\x9c damaged"])
        assert site.record(ID).game_id == ID
    assert fake.asked[f"/export/{ID}"] == 2


def test_links_to_other_sites_are_refused(fake: FakeSite, tmp_path: Path) -> None:
    from handful.hanabi.live.site import game_given

    with opened(fake, tmp_path) as site:
        assert game_given(f"https://hanab.live/replay/{ID}#3", site) == game_given(str(ID), site)
        assert game_given(f"{fake.address}/shared-replay/{ID}", site).game_id == ID
        with pytest.raises(RecordError, match=r"the link is of elsewhere\.org, .* say --site https://elsewhere\.org"):
            game_given(f"elsewhere.org/replay/{ID}", site)


# Politeness: how long is waited for what, by a clock that only notes it


def test_waits(fake: FakeSite) -> None:
    waits: list[float] = []
    told: list[str] = []
    polite = Politeness(pause=0.0)
    transport = Transport(fake.address, polite, lambda why, _seconds: told.append(why), waits.append)
    fake.faults = lambda path, times: ("status", 503, {"Retry-After": "7"} if times == 1 else {}) if times < 4 else None
    assert transport.get(f"/export/{ID}")["id"] == ID
    assert waits == [1.0, 7.0, 4.0, 8.0]
    assert len(told) == 4
    transport.close()


def test_a_pause_between_two_requests(fake: FakeSite) -> None:
    waits: list[float] = []
    transport = Transport(fake.address, Politeness(pause=1000.0), sleep=waits.append)
    transport.get(f"/export/{ID}")
    transport.get(f"/export/{ID}")
    assert len(waits) == 1
    assert 900 < waits[0] <= 1000
    transport.close()


def test_a_site_that_wants_a_long_rest_gets_it(fake: FakeSite) -> None:
    waits: list[float] = []
    transport = Transport(fake.address, Politeness(), sleep=waits.append)
    fake.faults = always(("status", 429, {"Retry-After": formatdate(time.time() + 4000, usegmt=True)}))
    with pytest.raises(SiteError, match=r"asks for a pause of (3,9|4,0)\d\d seconds .* try again after it"):
        transport.get("/export/1")
    assert waits == []
    transport.close()


# The hard way


FETCH = """
import sys
from pathlib import Path
from handful.hanabi.live.site import Site
with Site(sys.argv[1], Path(sys.argv[2])) as site:
    print("ready", flush=True)
    for number, error in site.fetch(site.missing(site.games_of(["ann"]))):
        print(number, flush=True)
"""


def check_kills(games: list[dict[str, Any]], kills: int, tmp_path: Path) -> FakeSite:
    """Fetch games in processes that are killed: each when it has told of its share of them, whatever it does then."""
    with FakeSite(games) as fake:
        words = [sys.executable, "-c", FETCH, fake.address, str(tmp_path / "games.sqlite")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        told: list[int] = []
        for kill in range(kills + 1):
            share = len(games) // (kills + 1)
            with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment, text=True) as process:
                assert process.stdout is not None
                numbers = iter(process.stdout.readline, "")
                assert next(numbers) == "ready\n"
                for place, line in enumerate(numbers, start=1):
                    told.append(int(line))
                    if kill < kills and place >= share:
                        process.send_signal(signal.SIGKILL)
                        told += [int(rest) for rest in process.stdout]
                        break
            assert process.returncode == (-signal.SIGKILL if kill < kills else 0)
        exports = {path: times for path, times in fake.asked.items() if path.startswith("/export/")}
        assert len(exports) == len(games), "nothing is lost"
        with Site(fake.address, tmp_path / "games.sqlite", is_offline=True) as site:
            kept = [site.record(row.id).game_id for row in site.games_of(["ann"])]
        assert kept == sorted((int(game["id"]) for game in games), reverse=True)
        assert len(set(told)) == len(told), "what was told of was kept, and was not fetched again"
        # The answer to a request that was under way when the process was killed cannot have been kept.
        assert sum(times - 1 for times in exports.values()) <= kills
        return fake


def test_killed_runs_lose_nothing_and_fetch_nothing_twice(tmp_path: Path) -> None:
    check_kills([{**some_games()[number % 12], "id": 100 + number} for number in range(120)], 2, tmp_path)


@pytest.mark.full
def test_two_thousand_games_and_five_kills(tmp_path: Path) -> None:
    fake = check_kills([{**some_games()[number % 12], "id": 100 + number} for number in range(2000)], 5, tmp_path)
    twice = {path: times for path, times in fake.asked.items() if times > 1}
    print(json.dumps({"games": 2000, "requests": fake.asked.total(), "asked more than once": twice}))
