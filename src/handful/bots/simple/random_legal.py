"""The bot `random`: any legal action, each equally likely (Bergh 2015, Example 2.18, with legal actions only)."""

from __future__ import annotations

from handful.bots.protocol import Bot, CompiledBot, PlainMaker
from handful.hanabi.actions import Action
from handful.hanabi.rules import Rules
from handful.hanabi.view import View


class RandomBot(Bot):
    """Chooses among the legal actions, in the order of their numbers."""

    def choose(self, view: View) -> Action:
        """Return any legal action."""
        return self.chance.choice(view.legal_actions())


def plain() -> PlainMaker:
    """Return the maker of plain random bots."""
    return RandomBot


def compiled(_rules: Rules) -> CompiledBot:
    """Return the compiled random bot."""
    from handful.bots.simple.random_kernel import choose

    return CompiledBot(choose)
