"""Bots for tests of the lab: a sensible one, and some that misbehave. Their settings say where they leave a trace."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from handful.bots import Bot
from handful.bots.players import BotEntry, Player
from handful.bots.protocol import PlainMaker
from handful.hanabi import Action, Discard, HintValue, Play, Rules, View
from handful.splitmix import SplitMix64


class Sure(Bot):
    """Plays what is surely playable; else hints the next player's oldest card; else discards the oldest."""

    def choose(self, view: View) -> Action:
        for slot in range(len(view.my_hand)):
            if view.chance(slot, view.playable_mask) == 1:
                return Play(slot)
        neighbour = (view.me + 1) % self.rules.players
        if view.hints:
            return HintValue(neighbour, view.cards[neighbour][self.chance.below(len(view.cards[neighbour]))].value)
        return Discard(0)


class AwkwardError(Exception):
    """Cannot be sent to another process: it is made from two words, and unpickled from one."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


class Misbehaving(Sure):
    """Does what `deed` says before it acts: see `_misbehave`."""

    def __init__(self, rules: Rules, seat: int, chance: SplitMix64, deed: str, trace: str) -> None:
        super().__init__(rules, seat, chance)
        self.deed = deed
        self.trace = Path(trace)

    def choose(self, view: View) -> Action:
        _misbehave(self.deed, self.trace)
        return super().choose(view)


def _misbehave(deed: str, trace: Path) -> None:
    if deed == "die" or (deed == "die once" and _is_first(trace)):
        os.kill(os.getpid(), signal.SIGKILL)
    if deed == "raise":
        with trace.open("a") as file:
            file.write("raised\n")
        raise ZeroDivisionError("a slip of this bot")
    if deed == "raise awkwardly":
        raise AwkwardError("this", "that")
    if deed == "hang":
        os.write(sys.stdout.fileno(), b"hanging\n")  # in one piece, though several processes write
        time.sleep(3600)


def _is_first(trace: Path) -> bool:
    """Whether nobody was here before: of all processes, one makes the file."""
    try:
        trace.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def plain(deed: str, trace: str) -> PlainMaker:
    return partial(Misbehaving, deed=deed, trace=trace)


def misbehaving(deed: str, trace: Path) -> Player:
    """Return a player that misbehaves: a player of a register can be sent to any process, with its settings."""
    settings: dict[str, Any] = {"deed": deed, "trace": str(trace)}
    entry = BotEntry("misbehaving", __name__, "misbehaves", "these tests")
    return Player("misbehaving", entry, tuple(settings.items()))
