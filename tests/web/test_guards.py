from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest

from handful.web.guards import MAX_BODY_BYTES, MAX_TARGET_BYTES, Guards
from tests.web.lab import Lab

PAGES = ["/play", "/analyse", "/rummy", "/explorer", "/results"]


@pytest.mark.parametrize("path", [*PAGES, "/static/style.css", "/nothing", "/api/openapi.json"])
def test_every_answer_has_the_headers_that_protect_it(lab: Lab, path: str) -> None:
    headers = lab.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"  # the address of a seat is its secret
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == ("max-age=86400" if path.startswith("/static") else "no-store")


@pytest.mark.parametrize("path", PAGES)
def test_pages_ask_nothing_of_other_machines(lab: Lab, path: str) -> None:
    text = lab.client.get(path).text
    assert not re.search(r'(?:src|srcset|action|hx-get|hx-post)="(?:https?:)?//', text)
    assert not re.search(r'<link[^>]+href="(?:https?:)?//', text)
    assert not re.search(r"<script(?![^>]+src=)|<style|\sstyle=|\son[a-z]+=|javascript:", text)


def test_the_first_page_with_all_it_loads_is_under_200_kilobytes(lab: Lab) -> None:
    text = lab.client.get("/play").text
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', text))
    assert len(files) >= 4
    total = len(text.encode()) + sum(len(lab.client.get(file).content) for file in files)
    assert total < 200_000


def test_another_host_name_is_refused(lab: Lab) -> None:
    # A page of the internet whose name leads to 127.0.0.1 must not reach the lab.
    answer = lab.client.get("/play", headers={"host": "evil.example"})
    assert answer.status_code == 403
    assert "host name" in answer.json()["error"]
    assert lab.client.get("/play", headers={"host": f"localhost:{lab.port}"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.7:8642", 303),
        ("[fe80::1]:8642", 303),
        ("my-machine", 303),
        ("my-machine.local:8642", 303),
        ("localhost", 303),
        ("evil.example", 403),
        ("192.168.1.7.evil.example:8642", 403),
        ("", 403),
    ],
)
def test_an_open_lab_answers_to_names_of_its_network_alone(host: str, status: int) -> None:
    async def home(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 303, "headers": []})

    async def ask() -> list[int]:
        answers: list[int] = []

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answers.append(message["status"])

        headers = [(b"host", host.encode())]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        await Guards(home, is_open=True)(scope, None, send)  # type: ignore[arg-type]
        return answers

    assert asyncio.run(ask()) == [status]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://[broken"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_is_refused(lab: Lab, headers: dict[str, str]) -> None:
    assert lab.client.post("/play/tables", data={}, headers=headers).status_code == 403


def test_a_form_of_our_own_is_taken(lab: Lab) -> None:
    headers = {"origin": lab.address, "sec-fetch-site": "same-origin"}
    assert lab.client.post("/play/tables", data={"players": "2"}, headers=headers).status_code == 303


def test_bodies_have_a_limit(lab: Lab) -> None:
    answer = lab.client.post("/play/tables", content=b"x" * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413


def test_bodies_of_unknown_length_have_a_limit(lab: Lab) -> None:
    pieces = (b"x" * 100_000 for _ in range(MAX_BODY_BYTES // 100_000 + 2))
    headers = {"content-type": "application/json"}
    try:
        answer = lab.client.post(f"/api/seats/{'x' * 32}/actions", content=pieces, headers=headers)
    except httpx.WriteError:  # the server hung up in the middle, as it may
        return
    assert answer.status_code == 413


def test_addresses_have_a_limit(lab: Lab) -> None:
    assert lab.client.get("/analyse", params={"game": "a" * (MAX_TARGET_BYTES + 1)}).status_code == 414


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fpyproject.toml"])
def test_only_files_of_the_folder_are_served(lab: Lab, path: str) -> None:
    assert lab.client.get(path).status_code == 404


def test_errors_come_in_the_form_that_was_asked_for(lab: Lab) -> None:
    secret = "x" * 32
    page = lab.client.get(f"/play/seats/{secret}")
    assert (page.status_code, page.headers["content-type"].partition(";")[0]) == (404, "text/html")
    assert "There is no such seat: the link may be incomplete." in page.text
    told = lab.client.get(f"/api/seats/{secret}")
    assert told.json() == {"error": "there is no such seat: the link may be incomplete"}
    piece = lab.client.get(f"/play/seats/{secret}/table", headers={"hx-request": "true"})
    assert piece.headers["hx-retarget"] == "#message"
    assert "<html" not in piece.text


def test_a_mistake_of_ours_shows_no_traceback(lab: Lab, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise ZeroDivisionError("a secret detail")

    lab.app.add_api_route("/broken", broken)
    answer = lab.client.get("/broken")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    assert "secret detail" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a secret detail" in caplog.text
