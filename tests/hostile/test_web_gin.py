"""Tables of Gin when the server is killed, and when their file is damaged.

What must hold:

* An action that was acknowledged is there when the server is started again, at its turn; none is there twice; and the
  game goes on, with the same cards.
* A table whose rows make no sense is told as damaged, in a sentence that shows nothing of the deals; others go on.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from handful.splitmix import SplitMix64
from tests.hostile.web_server import Server
from tests.web.gin_lab import chosen, gin_table, token_of
from tests.web.lab import Lab


@pytest.mark.parametrize("kills", [4, pytest.param(60, marks=pytest.mark.full)])
def test_no_acknowledged_action_is_lost_when_the_server_is_killed(tmp_path: Path, kills: int) -> None:
    folder = tmp_path / "lab"
    folder.mkdir()
    chance, acknowledged = SplitMix64(kills), list[int]()
    server = Server(folder)
    try:
        answer = server.client.post("/gin/tables", data={"opponent": "person"})
        seats = re.findall(r'value="[^"]*/gin/seats/([\w-]{32})"', server.client.get(answer.headers["location"]).text)
        for _ in range(kills):
            for _ in range(3 + chance.below(20)):
                seen = [server.client.get(f"/api/gin/seats/{seat}").json() for seat in seats]
                mover = next(index for index in range(2) if seen[index]["actions"])
                number = seen[mover]["actions"][chance.below(len(seen[mover]["actions"]))]["action"]
                move = {"turn": len(acknowledged) + 1, "action": number}
                taken = server.client.post(f"/api/gin/seats/{seats[mover]}/actions", json=move)
                assert taken.status_code == 200, taken.text
                acknowledged.append(number)
            before = [server.client.get(f"/api/gin/seats/{seat}").json() for seat in seats]
            server.kill()
            server = Server(folder)
            with closing(sqlite3.connect(folder / "gin.sqlite")) as file:
                rows = file.execute("SELECT turn, action FROM actions ORDER BY turn").fetchall()
            assert rows == list(enumerate(acknowledged, start=1))
            assert [server.client.get(f"/api/gin/seats/{seat}").json() for seat in seats] == before
        assert server.interrupt() == 0
    finally:
        server.kill()


VALUES: list[Any] = ["", "nonsense", "x" * 100_000, "9" * 30, -1, 7, 10**15, 1.5, b"\xff\x00\xfe", None]
PLACES = [
    *(("tables", column, "id = {0}") for column in ("rules", "seed", "starter", "chance", "hints", "is_open")),
    *(("seats", column, "table_id = {0} AND seat = 1") for column in ("seat", "name", "bot")),
    *(("actions", column, "table_id = {0} AND turn = 2") for column in ("turn", "action")),
]
HARMLESS = ("name", "bot", "seed", "chance", "hints", "is_open")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Lab(tmp_path_factory.mktemp("lab")) as opened:
        yield opened


@pytest.mark.parametrize(("place", "column", "where"), PLACES)
def test_a_damaged_table_is_told_as_such_and_the_others_go_on(lab: Lab, place: str, column: str, where: str) -> None:
    tables = lab.app.state.gin_tables
    other = gin_table(lab)
    for value in VALUES:
        table = gin_table(lab, seed=2)
        for _ in range(4):
            state = table.state()
            table.act(state.current, state.turn_number, chosen(state))
        try:
            with closing(sqlite3.connect(tables.store.path)) as file, file:
                file.execute(f"UPDATE {place} SET {column} = ? WHERE {where.format(table.number)}", [value])
        except sqlite3.IntegrityError:
            continue  # the file itself refuses it
        tables._loaded.clear()
        seat, last = token_of(table), token_of(table, 1)
        for address in (f"/gin/seats/{seat}", f"/gin/seats/{seat}/table", f"/api/gin/seats/{last}"):
            answer = lab.client.get(address)
            if column not in HARMLESS:
                assert answer.status_code in (404, 410), (value, answer.text)
            assert answer.status_code in (200, 404, 409, 410), (value, answer.text)
            if answer.status_code == 410:
                assert f"able {table.number} is damaged on disk" in answer.text
                assert not any(each in answer.text.partition("<main")[2] for each in ("eaai", "Traceback", "sqlite"))
    assert lab.client.get(f"/gin/seats/{token_of(other)}").status_code == 200
