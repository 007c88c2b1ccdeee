"""The server is killed in the middle of what it does.

What must hold: an action that was acknowledged is there when the server is started again, at its turn; none is there
twice; whatever was not acknowledged is there whole or not at all; and the tables go on.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from handful.splitmix import SplitMix64
from tests.hostile.web_server import SECONDS, Server

NUM_TABLES = 4


@dataclass
class Player:
    """Somebody who acts for both seats of a table, and remembers what was acknowledged."""

    seats: list[str]
    acknowledged: dict[int, int] = field(default_factory=dict)

    def play(self, address: str, stop: threading.Event, acted: threading.Semaphore) -> None:
        """Act until the server is gone."""
        with httpx.Client(base_url=address, trust_env=False, timeout=SECONDS) as client:
            try:
                while not stop.is_set():
                    turn = len(self.acknowledged) + 1
                    seat = self.seats[(turn - 1) % 2]
                    shown = client.get(f"/api/seats/{seat}").json()
                    if shown["turn"] > turn:  # it was taken, but the answer got lost with the server
                        self.acknowledged[turn] = -1
                        continue
                    if not shown["actions"]:
                        return
                    hints = [each["action"] for each in shown["actions"] if each["text"].startswith("hint")]
                    action = hints[0] if hints else shown["actions"][-1]["action"]
                    answer = client.post(f"/api/seats/{seat}/actions", json={"turn": turn, "action": action})
                    assert answer.status_code == 200, answer.text
                    self.acknowledged[turn] = action
                    acted.release()
            except httpx.TransportError:
                pass  # killed in the middle


def new_player(server: Server) -> Player:
    answer = server.client.post("/play/tables", data={"players": "2", "seat_2": "person"})
    page = server.client.get(answer.headers["location"]).text
    seats = re.findall(r'value="[^"]*/play/seats/([\w-]{32})"', page)
    assert len(set(seats)) == 2
    return Player(seats)


def check_kept(server: Server, player: Player) -> None:
    with sqlite3.connect(server.folder / "tables.sqlite") as file:
        rows = file.execute(
            "SELECT turn, action FROM actions JOIN seats USING (table_id) WHERE token = ? ORDER BY turn",
            [player.seats[0]],
        ).fetchall()
    file.close()
    assert [turn for turn, _action in rows] == list(range(1, len(rows) + 1))
    kept = dict(rows)
    for turn, action in player.acknowledged.items():
        assert kept[turn] == action or action == -1
    assert len(kept) - len(player.acknowledged) in (0, 1)  # one may have been on its way
    shown = server.client.get(f"/api/seats/{player.seats[0]}").json()
    assert shown["turn"] == len(rows) + 1


@pytest.mark.parametrize("kills", [8, pytest.param(200, marks=pytest.mark.full)])
def test_no_acknowledged_action_is_lost_when_the_server_is_killed(tmp_path: Path, kills: int) -> None:
    folder = tmp_path / "lab"
    folder.mkdir()
    chance, players = SplitMix64(kills), list[Player]()
    server = Server(folder)
    try:
        for number in range(kills):
            if number % 5 == 0:  # games end
                players = [new_player(server) for _ in range(NUM_TABLES)]
            stop, acted = threading.Event(), threading.Semaphore(0)
            with ThreadPoolExecutor(NUM_TABLES) as pool:
                playing = [pool.submit(each.play, server.address, stop, acted) for each in players]
                for _ in range(1 + chance.below(12)):
                    if all(each.done() for each in playing):
                        break
                    acted.acquire(timeout=5)
                server.kill()
                stop.set()
                for each in playing:
                    each.result()
            server = Server(folder)
            for player in players:
                check_kept(server, player)
        assert sum(len(player.acknowledged) for player in players) > 0
        assert server.interrupt() == 0
    finally:
        server.kill()
