"""The process of bots, with one that fails: `python -m tests.web.failing_bots`. A test names the module."""

from __future__ import annotations

from handful.bots.simple.random_legal import RandomBot
from handful.hanabi import Action, Play, View
from handful.rummy.gin import GinAction, GinPlayer, GinView
from handful.splitmix import SplitMix64
from handful.web import bot_process


def choose(_bot: RandomBot, view: View) -> Action:
    if view.turn_number % 4 == 2:
        raise ZeroDivisionError("a secret detail")
    return Play(9)


def choose_in_gin(_player: GinPlayer, view: GinView, _chance: SplitMix64) -> GinAction:
    if view.passes == 1:
        raise ValueError(f"I hold {view.hand}")
    return GinAction("knock", view.hand[0])


if __name__ == "__main__":
    GinPlayer.choose = choose_in_gin  # type: ignore[method-assign, assignment]
    RandomBot.choose = choose  # type: ignore[method-assign, assignment]
    bot_process.main()
