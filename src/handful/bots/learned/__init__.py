"""The bot `learned`: the conventions of `conventions`, and a network that says which honest action is best.

**What actions mean** is what they mean there: who knows the one bot's conventions knows the other's, and the two can
play together. Nothing is read into the choice among honest actions, so that choice may be anything.

**The choice.** The honest actions with the best linear scores are the candidates. For each, the table is laid as it
will be after it, over all that the card used may be, and a network says from what the player then sees how likely a
perfect game is. (An action after which a perfect game is impossible is worth nothing.) The best one is taken, by

    log odds of a perfect game + prior · (score − best score)

with a small prior: the network has seen little of what is hardly ever done, and then the score knows better. A game
that cannot be perfect any more goes by the score alone.

**The network** has two layers of rectifiers; `features_kernel` says what goes in. It was learned from games of the bot
with itself, in rounds: docs/learned.md has the recipe and the figures, ``python -m benchmarks.learn_two_players`` makes
it again. It knows the usual deck with the usual tokens. In all other games the bot plays as `conventions` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from handful.bots.conventions import explainer as explainer_of_conventions
from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def is_usual(rules: Rules) -> bool:
    """Return whether a game is one that the network knows.

    >>> is_usual(Rules(players=2)), is_usual(Rules(players=2, hand_size=4))
    (True, False)
    """
    usual = Rules(players=2)
    is_usual_deck = rules.variant.copies == usual.variant.copies and rules.variant.num_suits == usual.variant.num_suits
    return is_usual_deck and replace(rules, variant=usual.variant, strike_score=usual.strike_score) == usual


def parameters_for(
    rules: Rules, words: npt.NDArray[np.float64] | None = None, **settings: Any
) -> npt.NDArray[np.float64]:
    """Return what the kernels go by: settings, the linear scores, a network (if none is given, that of the package)."""
    import numpy as np

    from handful.bots.conventions import weight_table
    from handful.bots.learned.settings import PARAMETERS
    from handful.bots.learned.weights import shipped_words
    from handful.bots.settings import settings_row

    network = shipped_words() if words is None else words
    return np.concatenate([settings_row(PARAMETERS, **settings), weight_table(rules), network])


def compiled(rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot; in games that the network does not know, that of `conventions`."""
    from handful.bots import conventions

    if not is_usual(rules):
        return conventions.compiled(rules)
    from handful._records import words_of
    from handful.bots.conventions.conventions_kernel import observe
    from handful.bots.conventions.notes_kernel import NOTES, PAPER
    from handful.bots.learned.choice_kernel import choose

    row = parameters_for(rules, **settings)
    return CompiledBot(choose, observe, words_of(PAPER), row, notes_words=words_of(NOTES))


def explainer(rules: Rules, names: Sequence[str], **_settings: Any) -> Explainer:
    """Return what says in words what the actions tell: the same as those of `conventions`."""
    return explainer_of_conventions(rules, names)
