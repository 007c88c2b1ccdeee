"""The bot `montecarlo`: tries every action in play-outs of a nearly random player (Bergh et al. 2016, section 4).

On a turn every legal action is tried, each in so many play-outs. In a play-out the own hand and the deck are dealt anew,
so that they fit all hints (`redeal_kernel`), the action is carried out, and the game goes on by the play-out policy
for `depth` turns in all, and does not end on strikes. The value is the sum over these turns d of d times what was
gained by then: a point for each card played, less k for the k-th strike of the game. The best average is chosen.

Points that the text leaves open, read so that the level is the published one: the k-th play-out of every action is in
the same world; weights are 1, 2, …, depth; the policy plays, discards or hints, each equally likely, never plays a card
that the hints rule out, and prefers one of which more is known, with weight 1 / (cards that it may be). The published
games have empty hints and no bonus hint: ``--rules 'hanab-live, empty_hints=yes, bonus_hint=no'``.
"""

from __future__ import annotations

from handful.bots.base import CompiledBot
from handful.hanabi.rules import Rules


def compiled(
    rules: Rules, playouts: int = 500, depth: int = 5, policy: str = "random", milliseconds: float = 0.0
) -> CompiledBot:
    """Return the compiled bot with these settings."""
    import numpy as np

    from handful.bots.clock_kernel import check_clock
    from handful.bots.montecarlo_kernel import choose
    from handful.bots.playout_kernel import POLICIES
    from handful.bots.playout_settings import rules_settings

    check_clock(milliseconds)
    settings = [playouts, depth, POLICIES.index(policy), milliseconds, *rules_settings(rules)]
    return CompiledBot(choose, parameters=np.array(settings, dtype=np.float64))
