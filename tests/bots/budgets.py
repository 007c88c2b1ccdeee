"""Bots that think, with little time to do it: for tests that every bot passes."""

from __future__ import annotations

from handful.bots import all_bots
from handful.bots.players import REGISTER, BotEntry

SMALL = {
    "montecarlo": "montecarlo(playouts=4, depth=3)",
    "uct": "uct(playouts=60)",
    "cheat": "cheat(worlds=4)",
    "search": "search(worlds=2, deck=1, hands=2, back=1)",
}


def entry_of(bot: str) -> BotEntry:
    """The register's entry of a bot with settings."""
    return REGISTER[bot.partition("(")[0]]


def quick_bots() -> list[str]:
    """All bots of the register, with small budgets where there are any."""
    return [SMALL.get(entry.name, entry.name) for entry in all_bots()]
