"""The bot `rules`: thresholds and rules of thumb (Bergh 2015, Algorithm 4.6; Bergh et al. 2016, section 4).

On a turn:

a. play one of the cards whose probability of being playable is at least omega_p (with omega_s = 1 and one strike left,
   at least 1);
b. else discard one of the cards whose probability of being worthless is at least omega_d;
c. else, if a token is left, with probability omega_h give a hint by the hint rule;
d. else discard by the discard rule.

Each own card is taken for itself: the weight of an identity is its copies less those on the stacks, in the discard pile
and in the other hands; the probability of X is the weight of the possible identities in X by that of all possible ones.

The text leaves points open. With ``reading="tables"`` the bot plays as the published tables were made, found out by
trying about 55 readings on all of them: hint rules 3 and 4 tell values only, never suits. With ``reading="text"`` they
tell the suit of a card whose value has been told, as it is written. The tables also follow other rules of the game:
``--rules thesis``.
"""

from __future__ import annotations

from typing import Any

from handful.bots.protocol import CompiledBot
from handful.bots.settings import settings_row
from handful.hanabi.rules import Rules


def compiled(rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot with these settings."""
    from handful._records import words_of
    from handful.bots.simple.rules_kernel import NOTES, PAPER, PARAMETERS, choose

    row = settings_row(PARAMETERS, **settings, most_copies=max(rules.variant.copies))
    return CompiledBot(choose, memory_words=words_of(PAPER), parameters=row, notes_words=words_of(NOTES))
