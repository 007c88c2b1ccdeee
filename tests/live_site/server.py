"""A site on loopback that answers as hanab.live does, and, where it is told to, as a site in trouble does.

``python -m tests.live_site.server GAMES.jsonl`` serves the records of a file until it is ended, and says where.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

# What a request comes to instead of its answer, by its path and how often it was asked before; None: the answer.
# ("status", code, headers), ("body", bytes), ("cut", how many bytes are sent), ("hang", an event to wait for)
Fault = tuple[Any, ...]
Faults = Callable[[str, int], Fault | None]


class FakeSite:
    """A running site with these games: JSON objects as `/export/ID` has them, and their rows."""

    def __init__(
        self, games: Sequence[dict[str, Any]], faults: Faults = lambda path, times: None, port: int = 0
    ) -> None:
        self.games = {int(game["id"]): game for game in games}
        self.rows = [row_of(game, number) for number, game in enumerate(games)]
        self.faults = faults
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.agents: set[str] = set()
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FakeSite:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def add(self, game: dict[str, Any]) -> None:
        """Let one more game be played: it becomes the newest."""
        self.rows.append(row_of(game, len(self.rows)))
        self.games[int(game["id"])] = game

    def answer(self, path: str, query: dict[str, list[str]]) -> tuple[int, Any]:
        parts = [unquote(part) for part in path.strip("/").split("/")]
        match parts:
            case ["export", number] if number.isdigit() and int(number) in self.games:
                return 200, {name: value for name, value in self.games[int(number)].items() if name != "score"}
            case ["api", "v1", "history" | "history-full", *names] if names:
                lower = {name.lower() for name in names}
                rows = [row for row in self.rows if lower <= {name.lower() for name in row["playerNames"]}]
            case ["api", "v1", "seed" | "seed-full", seed]:
                rows = [row for row in self.rows if row["seed"] == seed]
            case _:
                return 404, {"error": "not found"}
        if not rows and parts[2].startswith("history"):
            return 404, {"error": "no such player"}
        rows = sorted(rows, key=lambda row: -int(row["id"]))
        if parts[2].endswith("-full"):
            return 200, rows
        size, page = min(100, int(query.get("size", ["100"])[0])), int(query.get("page", ["0"])[0])
        return 200, {"total_rows": len(rows), "rows": rows[size * page : size * (page + 1)] or None}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that was killed."""


def _handler_of(site: FakeSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with site.lock:
                times = site.asked[self.path]
                site.asked[self.path] += 1
                site.agents.add(self.headers.get("User-Agent", ""))
                site.at_once += 1
                site.most_at_once = max(site.most_at_once, site.at_once)
            try:
                self.reply(times)
            finally:
                with site.lock:
                    site.at_once -= 1

        def reply(self, times: int) -> None:
            parts = urlsplit(self.path)
            fault = site.faults(self.path, times)
            status, headers = 200, {}
            body: bytes | None = None
            match fault:
                case ("status", code, extra):
                    status, headers, body = code, extra, b"busy"
                case ("body", content):
                    body = content
                case ("hang", event):
                    event.wait()
            if body is None:
                status, found = site.answer(parts.path, parse_qs(parts.query))
                body = json.dumps(found).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if fault and fault[0] == "cut":
                self.wfile.write(body[: fault[1]])
                self.close_connection = True
                self.connection.close()
                return
            self.wfile.write(body)
            if not fault:
                with site.lock:
                    site.answered[self.path] += 1

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Write no log."""

    return Handler


def row_of(game: dict[str, Any], number: int) -> dict[str, Any]:
    """Return what lists say of a game."""
    options = game.get("options", {})
    return {
        "id": game["id"],
        "options": {
            "variantID": 0,
            "variantName": options.get("variant", "No Variant"),
            "numPlayers": len(game["players"]),
            "timed": False,
        },
        "seed": game.get("seed", ""),
        "score": game.get("score", 0),
        "numTurns": len(game["actions"]),
        "endCondition": 1,
        "datetimeStarted": f"{2024 + number // 336}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}T11:00:00Z",
        "datetimeFinished": f"{2024 + number // 336}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z",
        "numGamesOnThisSeed": 1,
        "playerNames": game["players"],
        "incrementNum": 1,
        "tags": "",
    }


if __name__ == "__main__":
    loaded = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    with FakeSite(loaded, port=int(sys.argv[2]) if len(sys.argv) > 2 else 0) as running:
        print(running.address, flush=True)
        threading.Event().wait()
