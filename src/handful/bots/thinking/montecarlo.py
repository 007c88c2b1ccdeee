"""The bot `montecarlo`: tries every action in play-outs of a nearly random player (Bergh et al. 2016, section 4).

On a turn every legal action is tried, each in so many play-outs. In a play-out the own hand and the deck are dealt
anew, so that they fit all hints (`worlds_kernel`), the action is carried out, and the game goes on by the play-out
policy for `depth` turns in all; it does not end on strikes. The value is the sum over these turns d of d times what
was gained by then: a point for each card played, less 1 for the first strike, 2 for the second, and so on. The action
with the best average is chosen.

What the text leaves open is read so: strikes are counted from the present turn on, so that the bot may strike out, as
the published one sometimes does; weights are 1, 2, …, depth; the policy takes any action, each equally likely, but for
plays that the hints rule out, and if it comes to a play prefers slots of which more is known, with weight 1 / (cards
that the hints allow). The published games are by the rules of Bergh 2015: ``--rules thesis``.
"""

from __future__ import annotations

from typing import Any

from handful.bots.protocol import CompiledBot
from handful.hanabi.rules import Rules


def compiled(rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot with these settings."""
    from handful.bots.shared.clock_kernel import check_clock
    from handful.bots.thinking import thinking_settings
    from handful.bots.thinking.montecarlo_kernel import choose

    check_clock(settings.get("milliseconds", 0.0))
    return CompiledBot(choose, parameters=thinking_settings(rules, "montecarlo", **settings))
