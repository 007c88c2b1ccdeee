"""Clients that open connections and do not do what they should with them.

What must hold:

* Of more streams of a seat than may be, opened at once, exactly those beyond the limit are refused, with 429.
* A connection whose request does not come, or not to its end, is closed after a time, however its bytes drip in; so is
  one whose answer nobody reads.
* There is a bound on connections; who waits without asking makes room for who asks. With few file descriptors, too, the
  server goes on, and its log stays short.
* Ctrl-C ends the server, whoever is connected, and whatever is computed.
"""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from handful.splitmix import SplitMix64
from handful.web import connections
from handful.web.connections import PatientProtocol
from handful.web.live_tables import MAX_FOLLOWERS
from tests.hostile.web_server import Server
from tests.web.lab import SECONDS, Lab

resource = pytest.importorskip("resource")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with Lab(tmp_path) as opened:
        yield opened


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def until_closed(client: socket.socket) -> bytes:
    """Return what the server still says until it closes the connection."""
    said = b""
    try:
        while piece := client.recv(65536):
            said += piece
    except ConnectionError:
        pass
    return said


# Streams of events


def test_of_many_streams_at_once_those_beyond_the_limit_are_refused(lab: Lab, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    table = lab.set_table(players=2, seat_2="person")
    address = f"/play/seats/{table.setup.seats[0].token}/events"
    num_clients = 40
    for _ in range(2):  # and once more, when all places are free again
        together, all_asked, told = threading.Barrier(num_clients), threading.Barrier(num_clients), list[int]()

        def follow(
            together: threading.Barrier = together, asked: threading.Barrier = all_asked, told: list[int] = told
        ) -> None:
            together.wait(SECONDS)
            with lab.client.stream("GET", address) as stream:
                told.append(stream.status_code)
                asked.wait(SECONDS)

        with ThreadPoolExecutor(num_clients) as pool:
            for each in [pool.submit(follow) for _ in range(num_clients)]:
                each.result()
        assert sorted(told) == [200] * MAX_FOLLOWERS + [429] * (num_clients - MAX_FOLLOWERS)
        waiting = threading.Event()
        while table.is_present(0) or lab.app.state.num_streams:
            assert not waiting.wait(0.01)
    assert not caplog.records


def test_streams_leave_connections_for_everything_else(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab.app.state, "max_streams", 3)
    tables = [lab.set_table(players=2, seat_2="person") for _ in range(4)]
    addresses = [f"/play/seats/{table.setup.seats[0].token}/events" for table in tables]
    with ExitStack() as streams:
        told = [streams.enter_context(lab.client.stream("GET", each)).status_code for each in addresses]
    assert told == [200, 200, 200, 429]


# Time

HEAD = b"POST /play/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
BEGINNINGS = {
    "nothing": b"",
    "a letter": b"G",
    "a line": b"GET /play HTTP/1.1\r\n",
    "half a head": b"GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "no body": HEAD + b"Content-Length: 100\r\n\r\n",
    "half a body": HEAD + b"Content-Length: 100\r\n\r\nplayers=",
    "chunks without an end": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nplaye\r\n",
    "a body for nobody": b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n",
    "after an answer": b"GET /play/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /play HT",
}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "seconds", {"head": 0.3, "body": 0.3})
    monkeypatch.setattr(connections, "READ_SECONDS", 0.3)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_request_that_does_not_come_is_waited_for_only_so_long(
    lab: Lab, caplog: pytest.LogCaptureFixture, beginning: bytes
) -> None:
    caplog.set_level(logging.WARNING)
    with connected(lab.port) as client:
        client.sendall(beginning)
        said = until_closed(client)
        assert not said or said.startswith((b"HTTP/1.1 408", b"HTTP/1.1 404"))
    assert lab.client.get("/play").status_code == 200
    assert not caplog.records
    assert not lab.tables.store._rows("SELECT 1 FROM tables")


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("beginning", [b"GET /play HTTP/1.1\r\nHost: ", HEAD + b"Content-Length: 100000\r\n\r\n"])
def test_bytes_that_drip_in_gain_no_time(lab: Lab, beginning: bytes) -> None:
    with connected(lab.port) as client:
        client.sendall(beginning)
        is_closed, pause = threading.Event(), threading.Event()

        def read() -> None:
            until_closed(client)
            is_closed.set()

        reader = threading.Thread(target=read)
        reader.start()
        num_sent = 0
        while not is_closed.is_set():
            try:
                client.sendall(b"x")
            except OSError:
                break
            num_sent += 1
            assert num_sent < 50_000
            pause.wait(0.005)
        reader.join(SECONDS)
        assert is_closed.is_set()


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_nobody_reads_is_waited_for_only_so_long(lab: Lab) -> None:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(SECONDS)
    client.connect(("127.0.0.1", lab.port))
    with client:
        request = b"GET /static/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        with suppress(OSError):
            client.sendall(request * 2000)  # each with an answer of 50 KB: more than all buffers take
        pause = threading.Event()
        while any(each.transport.get_write_buffer_size() for each in lab._server.server_state.connections):
            assert not pause.wait(0.01)
        client.setblocking(True)
        until_closed(client)
    assert lab.client.get("/play").status_code == 200


def test_bytes_that_are_no_request_are_refused_without_a_word_in_the_log(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    chance = SplitMix64(1)
    whole = HEAD + b"Content-Length: 9\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nplayers=7"
    for number in range(300):
        sent = bytearray(whole)
        for _ in range(1 + chance.below(6)):
            place = chance.below(len(sent))
            if number % 3 == 0:
                del sent[place : place + chance.below(20)]
            else:
                sent[place] = chance.below(256)
        with connected(lab.port) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            said = until_closed(client)
        assert b" 500 " not in said[:20]
        assert b"Traceback" not in said
    assert lab.client.get("/play").status_code == 200
    assert not caplog.records


# Number


def test_who_waits_without_asking_makes_room(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "limit", 10)
    with ExitStack() as opened:
        for number in range(60):
            client = opened.enter_context(connected(lab.port))
            client.sendall(b"GET /play HTTP/1.1\r\n"[: number % 20])
            if number % 20 == 19:
                assert lab.client.get("/play").status_code == 200
        assert len(lab._server.server_state.connections) <= 11


def test_who_is_being_answered_is_not_put_out(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "limit", 4)
    table = lab.set_table(players=2, seat_2="person")
    address = f"/play/seats/{table.setup.seats[0].token}/events"
    lab.client.close()
    with ExitStack() as opened:
        followers = [opened.enter_context(connected(lab.port)) for _ in range(4)]
        for client in followers:
            client.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert client.recv(20).startswith(b"HTTP/1.1 200")
        late = opened.enter_context(connected(lab.port))
        assert until_closed(late).startswith(b"HTTP/1.1 503")
        table.act(0, 1, table.state().legal_actions()[0])
        for client in followers:  # they are still told
            said = b""
            while b"data: 1." not in said:
                said += client.recv(1000)


def test_few_descriptors_are_enough(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    server = Server(tmp_path / "lab", lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    try:
        with ExitStack() as opened:
            for number in range(300):
                opened.enter_context(connected(server.port))
                if number % 100 == 99:
                    assert server.client.get("/play").status_code == 200
            assert server.client.post("/play/tables", data={"players": "2"}).status_code == 303
            assert server.interrupt() == 0
    finally:
        server.kill()
    assert server.log.read_text().count("\n") <= 10


@pytest.mark.parametrize("is_named", [True, False], ids=["named", "silent"])
def test_ctrl_c_ends_the_server_whoever_is_connected_and_whatever_is_computed(tmp_path: Path, is_named: bool) -> None:
    (tmp_path / "lab").mkdir()
    server = Server(tmp_path / "lab")
    try:
        with ExitStack() as opened:
            for beginning in BEGINNINGS.values():
                opened.enter_context(connected(server.port)).sendall(beginning)
            seat = server.client.post("/play/tables", data={"players": "2"}).headers["location"]
            opened.enter_context(server.client.stream("GET", f"{seat}/events"))
            many = {"bot": "rules", "against": "random", "players": "5", "games": "200000"}
            asked = server.client.post("/results/compare", data=many)
            assert asked.status_code == 303
            if is_named:  # it has begun
                job = f"/jobs/{asked.headers['location'].partition('job=')[2]}"
                pause = threading.Event()
                while server.client.get(job, headers={"accept": "application/json"}).json()["status"] != "running":
                    assert not pause.wait(0.01)
            assert server.interrupt() == 0
    finally:
        server.kill()
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_ends_the_server_even_if_an_answer_never_comes(tmp_path: Path, signals: int) -> None:
    (tmp_path / "lab").mkdir()
    server = Server(tmp_path / "lab", module="tests.hostile.web_stuck")
    try:
        with connected(server.port) as client:
            client.sendall(b"GET /stuck HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert server.client.get("/play").status_code == 200
            for _ in range(signals - 1):
                server.process.send_signal(signal.SIGINT)
            assert server.interrupt() == 0
    finally:
        server.kill()
