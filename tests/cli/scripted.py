"""Bots and commands for the tests of the command line, each in the shape that the registers expect."""

from __future__ import annotations

from handful.bots.players import BotEntry
from handful.bots.protocol import Bot, PlainMaker
from handful.cli.main import Command
from handful.errors import RulesError
from handful.hanabi import Action, Discard, HintSuit, HintValue, Play, View


class BlindBot(Bot):
    """Discards its oldest card, whatever it sees: nothing that it does says anything of another's cards."""

    def choose(self, view: View) -> Action:
        return Discard(0)


class HelpfulBot(Bot):
    """Plays what it knows to be playable, otherwise gives the first hint that there is, otherwise discards."""

    def choose(self, view: View) -> Action:
        for slot, held in enumerate(view.my_hand):
            if not held.knowledge.possible_mask & ~view.playable_mask:
                return Play(slot)
        legal = view.legal_actions()
        hints = [action for action in legal if isinstance(action, HintSuit | HintValue)]
        return hints[view.turn_number % len(hints)] if hints else legal[0]


def plain(helpful: bool = False) -> PlainMaker:
    return HelpfulBot if helpful else BlindBot


def entry(name: str = "blind") -> BotEntry:
    from handful.bots.settings import Parameter

    parameters = (Parameter("helpful", False, "whether it gives hints"),)
    return BotEntry(name, "tests.cli.scripted", "for tests", "no source", parameters)


def interrupted() -> None:
    """A command that is interrupted."""
    raise KeyboardInterrupt


def refused() -> None:
    """A command that is given something wrong."""
    raise RulesError("too many\ncooks")


def unreadable() -> None:
    """A command that opens a file that is not there."""
    with open("no/such/file"):
        pass


def command(function: str) -> Command:
    return Command("For tests.", "tests.cli.scripted", function)
