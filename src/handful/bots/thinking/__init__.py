"""Bots that try actions in play-outs, in worlds that fit their view: `montecarlo` and `uct`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.bots.register import REGISTER
from handful.bots.settings import settings_row
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The settings with which the bot `rules` plays play-outs: the best that were found by tuning, by number of players.
# docs/rules-of-thumb.md has the table that they are from, written by ``python -m benchmarks.tuned_rules``.
TUNED = {
    2: {"omega_p": 0.5236, "omega_d": 0.9977, "omega_h": 0.9895, "discard": 1},
    3: {"omega_p": 0.5323, "omega_d": 0.9071, "omega_h": 0.9415, "discard": 2},
    4: {"omega_p": 0.5439, "omega_d": 0.9498, "omega_h": 0.9985, "discard": 2},
    5: {"omega_p": 0.4948, "omega_d": 0.942, "omega_h": 0.9892, "discard": 2},
}


def thinking_settings(rules: Rules, bot: str, **settings: Any) -> npt.NDArray[np.float64]:
    """Return the settings of a bot, and behind them those of the bot `rules` in its play-outs."""
    import numpy as np

    from handful.bots.simple.rules_kernel import PARAMETERS

    tuned = TUNED.get(rules.players, TUNED[5])
    by_rules = settings_row(PARAMETERS, **tuned, reading="text", most_copies=max(rules.variant.copies))
    return np.concatenate([settings_row(REGISTER[bot].parameters, **settings), by_rules])
