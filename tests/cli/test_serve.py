"""`handful serve`, as a process of its own."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from handful.cli import serve
from handful.errors import HandfulError
from tests.cli.conftest import Handful

START = "from handful.cli.main import run; run()"


@contextmanager
def serving(folder: Path, end: int = signal.SIGINT) -> Iterator[str]:
    """Yield the address of a server, which is ended by a signal."""
    options = ["--port", "0", "--folder", str(folder), "--bot-pause", "0", "--json"]
    command = [sys.executable, "-c", START, "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = ""
        while "}" not in told:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            told += line
        found = json.loads(told)
        assert found["folder"] == str(folder)
        try:
            yield found["address"]
        finally:
            process.send_signal(end)
            rest, complaints = process.communicate(timeout=60)
        if end == signal.SIGINT:
            assert (process.returncode, rest, complaints) == (0, "", "")


def test_it_serves_and_ctrl_c_closes_it(tmp_path: Path) -> None:
    with serving(tmp_path / "new folder") as address:
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
            assert client.get("/play").status_code == 200
            place = client.post("/play/tables", data={"players": "2"}).headers["location"]
            token = place.rsplit("/", 1)[1]
            with client.stream("GET", f"/play/seats/{token}/events") as stream:
                assert next(stream.iter_lines()) == "retry: 1000"
                # The server is closed while the stream is open: it must not wait for it.
    assert (tmp_path / "new folder" / "tables.sqlite").exists()


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_server_that_is_killed_loses_no_action(tmp_path: Path) -> None:
    with (
        serving(tmp_path, signal.SIGKILL) as address,
        httpx.Client(base_url=address, trust_env=False, timeout=60) as client,
    ):
        place = client.post("/play/tables", data={"players": "2", "seat_2": "person"}).headers["location"]
        page = client.get(place).text
        tokens = [part[:32] for part in page.split("/play/seats/")[1::2]]
        assert len(tokens) == 2
        for turn in range(1, 7):
            token = tokens[(turn - 1) % 2]
            hint = client.get(f"/api/seats/{token}").json()["actions"][-1]["action"]
            assert client.post(f"/api/seats/{token}/actions", json={"turn": turn, "action": hint}).status_code == 200
        before = client.get(f"/api/seats/{tokens[0]}").json()
    with (
        serving(tmp_path) as address,
        httpx.Client(base_url=address, trust_env=False, timeout=60) as client,
    ):
        assert client.get(f"/api/seats/{tokens[0]}").json() == before
        assert before["turn"] == 7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0"], "add --allow-network"),
        (["--port", "99999"], "expected 0 to 65535"),
        (["--port", "eighty"], "eighty"),
        (["--host", "no.such.host.invalid", "--allow-network"], "cannot listen"),
        (["--bot-pause", "-1"], "--bot-pause"),
    ],
)
def test_bad_options_are_told_in_one_line(handful: Handful, tmp_path: Path, options: list[str], message: str) -> None:
    done = handful("serve", "--no-browser", "--folder", str(tmp_path), *options)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken(handful: Handful, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        done = handful("serve", "--no-browser", "--folder", str(tmp_path), "--port", address.rpartition(":")[2])
    assert done.exit_code == 2
    assert "cannot listen" in done.stderr


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("handful.web")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("fastapi", "uvicorn"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HandfulError, match=r"pip install 'handful\[web\]'"):
        serve._server()


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    serve._open_browser("http://here")
    assert not opened
    monkeypatch.setenv("DISPLAY", ":0")
    serve._open_browser("http://here")
    assert opened == ["http://here"]
