"""The bot `cheat`: plays with open hands, its own included, and the deck unseen: a ceiling for all who keep the rules.

As a rule it plays what can be played, throws trash while there is time for it, and otherwise
passes, which costs a token. Before it does so it looks ahead: it shuffles the deck so many times, and sees for every
action worth a thought what comes of it in these worlds, if everybody then goes on by the rule. If another action is
better by more than luck, it takes that one. All see the same and think alike: there is nothing to tell or to guess.
"""

from __future__ import annotations

from typing import Any

from handful.bots.protocol import CompiledBot
from handful.bots.register import REGISTER
from handful.bots.settings import settings_row
from handful.hanabi.rules import Rules


def compiled(_rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot with these settings."""
    from handful.bots.ceilings.cheat_kernel import choose

    return CompiledBot(choose, parameters=settings_row(REGISTER["cheat"].parameters, **settings), sees="hands")
