"""Answers are packed for whoever takes that, and small; streams of events never are."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.web.lab import Lab

FIRST_PAGE_LIMIT, UPDATE_LIMIT = 120_000, 8_000  # bytes over the wire


def wire(lab: Lab, address: str, encoding: str = "gzip") -> tuple[dict[str, str], bytes]:
    """Return the headers and the bytes of an answer as they came."""
    with lab.client.stream("GET", address, headers={"accept-encoding": encoding}) as answer:
        return dict(answer.headers), b"".join(answer.iter_raw())


def test_pages_and_files_are_packed_and_hold_the_same(lab: Lab) -> None:
    page = wire(lab, "/play", "identity")[1].decode()
    for address in ("/play", *re.findall(r'(?:src|href)="(/static/[^"]+)"', page)):
        headers, packed = wire(lab, address)
        plain_headers, plain = wire(lab, address, "identity")
        assert "content-encoding" not in plain_headers
        if len(plain) >= 600:
            assert headers["content-encoding"] == "gzip"
            assert gzip.decompress(packed) == plain
            assert len(packed) == int(headers["content-length"]) < len(plain)
        assert "Accept-Encoding" in headers["vary"]
        assert "content-security-policy" in headers


@pytest.mark.parametrize("encoding", ["", "br", "gzip;q=0", "gzip; q=0.00", "*;q=0", "\\", ";;;,,"])
def test_who_does_not_take_it_gets_it_as_it_is(lab: Lab, encoding: str) -> None:
    assert "content-encoding" not in wire(lab, "/play", encoding)[0]


def test_the_first_page_and_every_update_of_a_table_are_small(lab: Lab) -> None:
    page = wire(lab, "/play", "identity")[1].decode()
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert len(wire(lab, "/play")[1]) + sum(len(wire(lab, file)[1]) for file in files) <= FIRST_PAGE_LIMIT
    for players, variant in ((2, "No Variant"), (6, "Rainbow (6 Suits)")):
        seats = {f"seat_{seat}": "person" for seat in range(2, players + 1)}
        table = lab.set_table(players=players, variant=variant, casual="true", clock_minutes="10", **seats)
        sizes = []
        while not (state := table.state()).is_over and state.turn_number < 60:
            legal = state.legal_actions()
            table.act(state.current, state.turn_number, legal[-1])
            if state.turn_number % 6 == 0:
                token = table.setup.seats[table.state().current].token
                sizes.append(len(wire(lab, f"/play/seats/{token}/table")[1]))
        assert max(sizes) <= UPDATE_LIMIT


def test_events_are_never_packed(lab: Lab) -> None:
    table = lab.set_table(players=2)
    with lab.client.stream("GET", f"/play/seats/{table.setup.seats[0].token}/events") as answer:
        assert "content-encoding" not in answer.headers
        assert next(line for line in answer.iter_lines() if line.startswith("data: 0."))
