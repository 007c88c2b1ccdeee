"""The bot `partner`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from handful.bots.partner.weights import START
from handful.bots.protocol import CompiledBot
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def parameter_row(rules: Rules, level: int, weights: Mapping[str, tuple[float, float]]) -> npt.NDArray[np.float64]:
    """Return the level, then all weights when the deck is empty, then all when it has one card, and so on."""
    import numpy as np

    start, end = np.array(list(weights.values())).T
    most = rules.variant.num_cards - rules.players * rules.hand_size
    shares = np.arange(most + 1)[:, None] / max(most, 1)
    return np.concatenate([[float(level)], (shares * start + (1 - shares) * end).ravel()])


def compiled(rules: Rules, level: int = 3) -> CompiledBot:
    """Return the compiled bot."""
    from handful._records import words_of
    from handful.bots.partner.notes_kernel import NOTES, PAPER
    from handful.bots.partner.partner_kernel import choose, observe

    return CompiledBot(choose, observe, words_of(PAPER), parameter_row(rules, level, START), notes_words=words_of(NOTES))
