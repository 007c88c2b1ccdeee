"""uct."""

from __future__ import annotations

from handful.bots.base import CompiledBot
from handful.hanabi.rules import Rules


def compiled(
    rules: Rules,
    playouts: int = 1000,
    depth: int = 2,
    exploration: float = 1.5,
    caution: float = 2.5,
    policy: str = "rules",
    milliseconds: float = 0.0,
) -> CompiledBot:
    """Return the compiled bot with these settings."""
    import numpy as np

    from handful.bots.clock_kernel import check_clock
    from handful.bots.playout_kernel import POLICIES
    from handful.bots.playout_settings import rules_settings
    from handful.bots.uct_kernel import choose

    check_clock(milliseconds)
    settings = [playouts, depth, exploration, caution, POLICIES.index(policy), milliseconds, *rules_settings(rules)]
    return CompiledBot(choose, parameters=np.array(settings, dtype=np.float64))
