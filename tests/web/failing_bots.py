"""The process of bots, with one that fails: `python -m tests.web.failing_bots`. A test names the module."""

from __future__ import annotations

from handful.bots.simple.random_legal import RandomBot
from handful.hanabi import Action, Play, View
from handful.web import bot_process


def choose(_bot: RandomBot, view: View) -> Action:
    if view.turn_number % 4 == 2:
        raise ZeroDivisionError("a secret detail")
    return Play(9)


if __name__ == "__main__":
    RandomBot.choose = choose  # type: ignore[method-assign, assignment]
    bot_process.main()
