"""Whatever is sent to the lab by whomever, with which words: what begins work, how large it is, what it says it is.

What must hold:

* No GET begins a computation: neither one of another site's page, nor that of an address that somebody sent.
* Work begins by a POST of a page of the lab's own, and by no other.
* Another site's page may lead to the lab; it may not draw on it (pictures, scripts, frames).
* A few bytes never make anything large: numbers are looked at before something of their size is made.
* What is sent as something else than a form (or, under /api/, JSON) is refused, and sets no table.
* Work beyond the queue is refused with 429, a time to wait, and the place that it would have had.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from handful.hanabi import Deal, Rules
from handful.web.gin_tables import GinTable
from handful.web.jobs import MAX_WAITING, Jobs
from handful.web.pages import explored, explorer
from handful.web.pages.addresses import pack
from handful.web.tables import Table
from tests.web.gin_lab import gin_table
from tests.web.lab import Lab
from tests.web.page_checks import LOST

GREEDY = "hand=1 suits=999999999 r1"
HAND, LARGE_HAND = "AC 4C 7C", "AC 4C 7C 9D JD KD"
GIN_HAND = "AC 2C 3C 4C 7D 8D 9D KH KS 5D"
# Addresses to each of which some work belongs, or none.
GETS: dict[str, list[dict[str, Any]]] = {
    "/play": [{}],
    "/play/variants": [{}, {"variant": "prism"}],
    "/play/tables/{host}": [{}],
    "/play/seats/{seat}": [{}, {"turn": 1}],
    "/play/seats/{seat}/table": [{}],
    "/play/seats/{seat}/version": [{}],
    "/play/seats/{seat}/analysis": [{}],
    "/play/seats/{seat}/record": [{}],
    "/play/seats/{seat}/events": [],  # never ends; it computes nothing
    "/play/seats/{seat}/meanings": [{}],
    "/play/seats/{seat}/said": [{}],
    "/play/mine": [{}],
    "/play/watch/{watch}": [{}],
    "/play/watch/{watch}/table": [{}],
    "/play/watch/{watch}/said": [{}],
    "/play/watch/{watch}/events": [],  # as above
    "/api/seats/{seat}": [{}],
    "/api/seats/{seat}/meanings": [{}],
    "/api/seats/{seat}/notes": [{}],
    "/api/seats/{seat}/said": [{}],
    "/api/watch/{watch}": [{}],
    "/gin": [{}],
    "/gin/rules": [{}],
    "/gin/tables/{host}": [{}],
    "/gin/seats/{seat}": [{}],
    "/gin/seats/{seat}/table": [{}],
    "/gin/seats/{seat}/version": [{}],
    "/gin/seats/{seat}/events": [],  # as above
    "/gin/seats/{seat}/hands/{hand}": [{}],
    "/gin/seats/{seat}/hands/{hand}/review": [{}],
    "/api/gin/seats/{seat}": [{}],
    "/gin/adviser": [{}, {"hand": GIN_HAND, "upcard": "7H"}],
    "/analyse": [{}, {"game": LOST}, {"game": LOST, "show": "line", "turn": 3}],
    "/analyse/replay": [{"game": LOST}, {"game": LOST, "jump": "true"}],
    "/analyse/board": [{"game": LOST, "turn": 7, "play": "true"}],
    "/analyse/record": [{"game": LOST, "show": "line"}],
    "/analyse/review": [{"game": LOST}],
    "/history": [{}, {"job": "nothing"}],
    "/rummy": [{}, {"hand": HAND}, {"hand": LARGE_HAND}, {"hand": HAND, "gone": "5C 6C"}],
    "/rummy/advice": [{"hand": HAND}, {"hand": HAND, "gone": "5C"}, {"card": HAND.split()}],
    "/rummy/turns": [{"hand": HAND}, {"hand": LARGE_HAND}],
    "/rummy/deal": [{}, {"cards": 7}],
    "/rummy/draw": [{"hand": HAND}],
    "/explorer": [{}, {"x": [6] * 7}],
    "/explorer/counts": [{"x": [6] * 7}],
    "/explorer/line": [{"sequence": "1 2 3", "hand": 6}],
    "/explorer/solitaire": [{}, {"game": pack("hand=1 r1 r2")}, {"game": pack(GREEDY)}],
    "/explorer/solitaire/step": [{"game": pack("hand=1 r1 r2"), "step": 1}, {"game": pack(GREEDY)}],
    "/results": [{}],
    "/results/simulate": [{"bot": "search", "players": 5}],
    "/results/compare": [{"bot": "search", "players": 5}],
    "/results/game": [{"bot": "rules", "players": 3}, {"bot": "uct(playouts=10000000)", "players": 5, "game": 7}],
    "/results/stored": [{}],
    "/results/stored.csv": [{}],
    "/results/under-way": [{}],
    "/jobs/{job_id}": [{}],
}
POSTS: dict[str, dict[str, Any]] = {
    "/play/tables": {"players": 2},
    "/play/seats/{seat}/act": {"turn": 4, "action": 0},
    "/play/seats/{seat}/analysis": {},
    "/play/seats/{seat}/again": {},
    "/play/seats/{seat}/said": {"text": "hello"},
    "/play/seats/{seat}/notes": {"card": 0, "text": "a 1"},
    "/play/seats/{seat}/undo": {"turn": 3},
    "/play/seats/{seat}/undo/answer": {"events": 0, "answer": "yes"},
    "/play/mine": {"seats": "", "shown": "list"},
    "/api/seats/{seat}/actions": {"turn": 4, "action": 0},
    "/api/seats/{seat}/notes": {"card": 0, "text": "a 1"},
    "/api/seats/{seat}/said": {"text": "hello"},
    "/gin/tables": {"bot": "simple"},
    "/gin/seats/{seat}/act": {"turn": 1, "action": 0},
    "/gin/seats/{seat}/next": {"hand": 1},
    "/gin/seats/{seat}/hint": {},
    "/gin/seats/{seat}/hands/{hand}/review": {},
    "/gin/seats/{seat}/again": {},
    "/api/gin/seats/{seat}/actions": {"turn": 1, "action": 0},
    "/gin/adviser": {"hand": GIN_HAND, "upcard": "7H"},
    "/analyse": {"text": LOST},
    "/analyse/review": {"game": LOST},
    "/analyse/try": {"game": LOST, "turn": 3, "action": 0},
    "/analyse/play-on": {"game": LOST, "turn": 3},
    "/history": {"text": LOST},
    "/rummy/advice": {"hand": HAND},
    "/rummy/turns": {"hand": LARGE_HAND},
    "/rummy/deal": {"cards": 3},
    "/rummy/table": {"cards": 3, "aces": "low"},
    "/rummy/clear": {"aces": "low"},
    "/explorer/hands": {"x": [6] * 7},
    "/explorer/solitaire": {"text": "hand=1 r1 r2"},
    "/results/simulate": {"bot": "random", "players": 3},
    "/results/compare": {"bot": "random", "against": "rules", "players": 3},
    "/results/game": {"bot": "rules", "players": 3},
    "/jobs/{job_id}/cancel": {},
}
LEADS_TO = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path_factory.mktemp("tables")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        with Lab(tmp_path_factory.mktemp("lab")) as opened:
            yield opened


@pytest.fixture
def jobs(lab: Lab) -> Jobs:
    """Give the lab jobs that are noted, and never begun."""
    lab.app.state.jobs = Jobs(max_running=0)
    found: Jobs = lab.app.state.jobs
    return found


@pytest.fixture(scope="module")
def table(lab: Lab) -> Table:
    """Return a table at which three misplays have ended the game: there is something to analyse."""
    table = lab.tables.create(Deal.from_seed(Rules(players=2), 2), [("Anna", ""), ("Boris", "")], is_open=False)
    for turn in range(1, 4):
        table.act((turn - 1) % 2, turn, table.state().legal_actions()[0])
    assert table.state().is_over
    return table


@pytest.fixture(scope="module")
def gin(lab: Lab) -> GinTable:
    """Return a table of Gin for two people, a hand under way."""
    return gin_table(lab, bot="")


def place(path: str, table: Table | GinTable) -> str:
    setup = table.setup
    watch = getattr(setup, "watch", "")  # tables of Gin have no spectators
    return path.format(seat=setup.seats[0].token, host=setup.host, watch=watch, job_id="nothing", hand=0)


def num_tables(lab: Lab) -> int:
    found: int = lab.tables.store._rows("SELECT count(*) FROM tables")[0][0]
    return found


def operations(lab: Lab, method: str) -> set[str]:
    return {path for path, described in lab.app.openapi()["paths"].items() if method in described}


@pytest.mark.parametrize("headers", [{}, LEADS_TO, {"hx-request": "true"}], ids=["plain", "link", "piece"])
def test_no_get_begins_work(lab: Lab, jobs: Jobs, table: Table, gin: GinTable, headers: dict[str, str]) -> None:
    assert operations(lab, "get") == set(GETS), "an address that is new belongs on the list"
    for path, queries in GETS.items():
        for query in queries:
            answer = lab.client.get(place(path, gin if "/gin/" in path else table), params=query, headers=headers)
            assert answer.status_code < 500
            assert answer.status_code != 403
            assert not jobs._jobs, f"{path} {query}"


def test_an_address_that_somebody_sent_has_a_button(lab: Lab, jobs: Jobs, table: Table) -> None:
    shown: list[tuple[str, dict[str, Any], str]] = [
        ("/analyse", {"game": LOST}, 'action="/analyse"'),
        ("/rummy", {"hand": HAND}, 'action="/rummy/advice"'),
        ("/explorer/solitaire", {"game": pack("hand=1 r1 r2")}, "hand=1 r1 r2</textarea>"),
        ("/results/game", {"bot": "rules", "players": 3}, 'action="/results/game"'),
        (place("/play/seats/{seat}", table), {}, 'method="post" action="/play/seats/'),
    ]
    for path, query, form in shown:
        assert form in lab.client.get(path, params=query).text


def test_a_get_does_not_even_read_a_solitaire(lab: Lab, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_settings: object) -> None:
        raise AssertionError("read")

    for module, name in ((explorer, "read_given"), (explored, "read_document")):
        monkeypatch.setattr(module, name, fail)
    for path in ("/explorer/solitaire", "/explorer/solitaire/step"):
        assert lab.client.get(path, params={"game": pack(GREEDY)}).status_code < 500


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-site", "origin": "http://localhost:9999"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
    ],
)
def test_no_other_site_begins_work_by_a_post(
    lab: Lab, jobs: Jobs, table: Table, gin: GinTable, headers: dict[str, str]
) -> None:
    assert operations(lab, "post") == set(POSTS), "an address that is new belongs on the list"
    before = num_tables(lab)
    for path, fields in POSTS.items():
        sent = {"json": fields} if path.startswith("/api/") else {"data": fields}
        where = place(path, gin if "/gin/" in path else table)
        answer = lab.client.post(where, params=fields, headers=headers, **sent)  # type: ignore[arg-type]
        assert answer.status_code == 403, path
    assert not jobs._jobs
    assert num_tables(lab) == before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("mode", "target"), [("no-cors", "image"), ("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")]
)
def test_other_sites_lead_to_the_lab_and_do_not_draw_on_it(lab: Lab, site: str, mode: str, target: str) -> None:
    drawn = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": target}
    for path in ("/play", "/explorer", "/analyse", "/static/style.css"):
        assert lab.client.get(path, headers=drawn).status_code == 403
        assert lab.client.get(path, headers=LEADS_TO).status_code == 200


# Thirty bytes

GREEDY_TEXTS = [
    GREEDY,
    "hand=1 values=999999999 r1",
    "hand=999999999 r1",
    "hand=1 copies=999999999 1:1",
    "hand=1 999999999:999999999",
    "hand=1 r999999999",
    "hand=1 suits=" + "9" * 5000,
    '{"hand": 1, "suits": 999999999, "sequence": [[1, 1]]}',
    '{"hand": 1, "sequence": [[999999999, 999999999]]}',
    '{"hand": 1e9, "sequence": [[1, 1]]}',
    "p cnf 999999999 1\n1 0",
    "p cnf 1 999999999\n1 0",
    "[" * 10_000,
]


def memory_in_use() -> int:
    """Return how many kilobytes this process has had at most."""
    resource = pytest.importorskip("resource")
    found: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found


@pytest.mark.parametrize("text", GREEDY_TEXTS, ids=lambda text: text[:30])
def test_a_few_bytes_make_nothing_large(lab: Lab, jobs: Jobs, text: str) -> None:
    lab.client.post("/explorer/solitaire", data={"text": "hand=1 r1"})
    before = memory_in_use()
    answer = lab.client.post("/explorer/solitaire", data={"text": text})
    assert answer.status_code in (303, 400)
    assert memory_in_use() - before < 100_000


@pytest.mark.parametrize(
    "fields",
    [
        {"variant": "Custom (999999999 suits, copies 1)"},
        {"variant": "Custom (2 suits, copies 999999999)"},
        {"variant": "Custom (9 suits, copies 9 9 9 9 9 9 9 9 9)"},
        {"rules": "hand_size=999999999"},
        {"rules": "max_hints=999999999999"},
        {"deal": "seed", "seed": "p999999999v0s1"},
        {"deal": "seed", "seed": "p2v999999999s1"},
        {"players": "999999999"},
    ],
    ids=lambda fields: " ".join(fields.values()),
)
def test_a_few_bytes_set_no_large_table(lab: Lab, fields: dict[str, str]) -> None:
    before, tables = memory_in_use(), num_tables(lab)
    answer = lab.client.post("/play/tables", data={"players": "2", **fields})
    assert answer.status_code in (400, 422)
    assert memory_in_use() - before < 100_000
    assert num_tables(lab) == tables


# What it says it is

WRONG_TYPES = ["", "text/plain", "application/json", "application/octet-stream", "multipart/form-data", "x", "a/b; c=d"]


@pytest.mark.parametrize("kind", WRONG_TYPES)
@pytest.mark.parametrize("body", [b"{}", b"players=2", b'{"players": 2}', b"\x00\xff", b"--x\r\n\r\n"])
def test_what_is_no_form_sets_no_table_and_begins_nothing(
    lab: Lab, jobs: Jobs, table: Table, kind: str, body: bytes
) -> None:
    before, finished = num_tables(lab), len(table.state().history)
    headers = {"content-type": kind} if kind else {}
    for path in POSTS:
        if not path.startswith("/api/"):
            answer = lab.client.post(place(path, table), content=body, headers=headers)
            assert answer.status_code in (400, 404, 409, 415, 422), path
    assert (num_tables(lab), len(table.state().history)) == (before, finished)
    assert not jobs._jobs


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_is_no_json_acts_for_nobody(lab: Lab, kind: str) -> None:
    table = lab.tables.create(Deal.from_seed(Rules(players=2), 2), [("Anna", ""), ("Boris", "")], is_open=False)
    headers = {"content-type": kind} if kind else {}
    body = json.dumps({"turn": 1, "action": 5})
    answer = lab.client.post(f"/api/seats/{table.setup.seats[0].token}/actions", content=body, headers=headers)
    assert answer.status_code == 415
    assert set(answer.json()) == {"error"}
    assert not table.state().history


def test_nothing_at_all_sets_no_table(lab: Lab) -> None:
    before = num_tables(lab)
    assert lab.client.post("/play/tables").status_code == 400
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert lab.client.post("/play/tables", content=b"a=b", headers=form).status_code == 400
    assert num_tables(lab) == before


# The queue


def test_work_beyond_the_queue_is_refused_with_its_place(lab: Lab, jobs: Jobs) -> None:
    for number in range(1, MAX_WAITING + 1):
        asked = lab.client.post("/explorer/solitaire", data={"text": f"hand={number} r1 r2"})
        assert asked.status_code == 303
        job_id = list(jobs._jobs)[-1]
        told = lab.client.get(f"/jobs/{job_id}", headers={"accept": "application/json"}).json()
        assert (told["status"], told["place"]) == ("waiting", number)
        assert f"place {number} in the queue" in lab.client.get(f"/jobs/{job_id}").text
    for path, fields in POSTS.items():
        if path in ("/explorer/hands", "/results/simulate", "/results/compare", "/results/game", "/rummy/table"):
            refused = lab.client.post(path, data=fields)
        elif path in ("/explorer/solitaire", "/analyse"):
            refused = lab.client.post(path, data={"text": LOST if path == "/analyse" else "hand=40 r1 r2"})
        else:
            continue
        assert refused.status_code == 429, path
        assert "place 21 in the queue" in refused.text
    assert refused.headers["retry-after"].isdigit()
    # Whoever cancels makes room for the next, and everybody moves up.
    first, second = list(jobs._jobs)[:2]
    lab.client.post(f"/jobs/{first}/cancel")
    assert lab.client.get(f"/jobs/{second}", headers={"accept": "application/json"}).json()["place"] == 1
    assert lab.client.post("/results/game", data=POSTS["/results/game"]).status_code == 303
