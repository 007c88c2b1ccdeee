"""The lab says what is being compiled, asks no more when that is over, and ends it with the server."""

from __future__ import annotations

import sys

import pytest

from handful.web import preparing
from tests.web.lab import Lab


def test_pages_ask_how_far_it_is(lab: Lab) -> None:
    assert 'hx-get="/preparing"' in lab.client.get("/play").text


def test_nothing_is_said_when_nothing_is_prepared(lab: Lab) -> None:
    answer = lab.client.get("/preparing")
    assert (answer.status_code, answer.text) == (preparing.STOP_POLLING, "")


def prepares(code: str, monkeypatch: pytest.MonkeyPatch) -> preparing.Preparing:
    """Return what has begun to prepare, by another command."""
    monkeypatch.setattr(preparing, "is_prepared", lambda: False)
    state = preparing.Preparing([sys.executable, "-c", code])
    assert state.is_over
    state.start()
    return state


def test_steps_are_counted_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    state = prepares("print('a step'); print('another')", monkeypatch)
    state._follower.join(60)
    state.stop()
    assert state.is_over
    assert state.done == 2
    assert state.total > 10


def test_closing_the_lab_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    state = prepares("import threading; threading.Event().wait()", monkeypatch)
    assert not state.is_over
    state.stop()
    assert state.is_over


def test_what_is_prepared_is_not_prepared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "is_prepared", lambda: True)
    state = preparing.Preparing()
    state.start()
    assert state.is_over
