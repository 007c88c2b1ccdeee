"""The settings with which the bot `rules` plays play-outs: the best that were found by tuning, by number of players.

docs/rules-of-thumb.md has the table that they are from, written by ``python -m benchmarks.tuned_rules``.
"""

from __future__ import annotations

from typing import NamedTuple

from handful.errors import RulesError
from handful.hanabi.rules import Rules

MOST_NOTES = 16  # words that a seat has in a play-out: RULES_WORDS of `playout_kernel`


class Thresholds(NamedTuple):
    """Settings of the bot `rules`, with hint rule 3 and the text's reading; see `rules_of_thumb`."""

    omega_p: float
    omega_d: float
    omega_h: float
    discard: int


TUNED = {
    2: Thresholds(0.5236, 0.9977, 0.9895, 1),
    3: Thresholds(0.5323, 0.9071, 0.9415, 2),
    4: Thresholds(0.5439, 0.9498, 0.9985, 2),
    5: Thresholds(0.4948, 0.942, 0.9892, 2),
}


def rules_settings(rules: Rules) -> list[float]:
    """Return the settings of the bot `rules` as its kernel takes them; refuse a game too large for its notes."""
    if rules.hand_size + max(rules.variant.copies) > MOST_NOTES:
        raise RulesError(
            f"hands of {rules.hand_size} cards and {max(rules.variant.copies)} copies of a card are too many for "
            f"play-outs: expected at most {MOST_NOTES} together"
        )
    tuned = TUNED.get(rules.players, TUNED[5])
    return [tuned.omega_p, 1, tuned.omega_d, tuned.omega_h, 3, tuned.discard, 1, max(rules.variant.copies)]
