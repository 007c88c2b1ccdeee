"""The process of bots, with some that do not come to an end: `python -m tests.hostile.web_hogs HOW SECONDS`."""

from __future__ import annotations

import threading

from handful.bots.simple.random_legal import RandomBot
from handful.hanabi import Action, View
from handful.web import bot_process


def spin(_bot: RandomBot, _view: View) -> Action:
    while True:
        pass


def wait(_bot: RandomBot, _view: View) -> Action:
    while not threading.Event().wait(1000):
        pass
    raise AssertionError


def main(how: str, seconds: float) -> None:
    RandomBot.choose = {"spin": spin, "wait": wait}[how]  # type: ignore[method-assign, assignment]
    bot_process.main(seconds)
