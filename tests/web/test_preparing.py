"""The lab says what is being compiled, asks no more when that is over, and ends it with the server."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from threading import Event

import pytest

from handful.bots import player_named
from handful.errors import RulesError
from handful.hanabi import Rules, Variant
from handful.preparation import all_steps
from handful.web import preparing
from handful.web.bot_process import alive, receive
from tests.web.lab import SECONDS, Lab


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
    assert state.step == list(all_steps())[2]  # what would come next


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


# What a page asks of the server itself: nothing is compiled for it there, where it would hold up everybody.
NOTHING_COMPILED = """
import sys
from handful.hanabi import Deal, Rules
from handful.web.pages.standing_rows import leaderboard
from handful.web.tables import check_game
board = leaderboard()
assert board.groups[0][1][0][0].is_best
for bot in ("partner", "information", "search", "montecarlo", "best", "rules"):
    check_game(Deal.from_seed(Rules(players=3), 1), [("Ann", ""), ("Bot", bot), ("Cat", bot)])
print([name for name in sys.modules if name.endswith("_kernel")])
"""


def test_neither_the_leaderboard_nor_a_new_table_waits_for_kernels() -> None:
    asked = subprocess.run([sys.executable, "-c", NOTHING_COMPILED], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "[]"


def test_bots_that_do_not_play_a_game_are_known_without_compiling() -> None:
    for bot, rules, reason in (
        ("search", Rules(players=6), "plays with"),
        ("information", Rules(Variant.custom(5, copies=(4, 2, 2, 2, 1)), 3), "counts up to 3 copies"),
        ("rules", Rules(Variant.custom(8), 2), "too large for the compiled engine"),
        ("best", Rules(Variant.custom(8), 2), "too large for the compiled engine"),
    ):
        with pytest.raises(RulesError, match=reason):
            player_named(bot).check_plain(rules)


class Told(BytesIO):
    """What was written, and a sign whenever something was."""

    def __init__(self) -> None:
        super().__init__()
        self.is_told = Event()

    def flush(self) -> None:
        self.is_told.set()


def test_bots_that_sit_down_for_long_say_that_they_are_alive() -> None:
    out = Told()
    with alive(out, every=0.001):
        assert out.is_told.wait(SECONDS)
    out.seek(0)
    assert receive(out) == ("compiling",)
