"""The bot `conventions`: two players who have agreed on what hints, plays and discards mean.

**What both know.** For every slot of either hand, the cards that may be there: by the hints, by counting copies, and by
what actions meant. Either player can work it out, and it comes to the same. From it follow, for a hand:

- a *sure play*, a *sure trash*: whatever the card may be, it is playable, or worthless;
- a card is *critical* if it is the last copy of one that is still needed;
- the *chop*: the oldest slot that no hint has touched, and that is not sure to be playable, worthless or critical. It
  is what goes if there is nothing better to do.

**What actions mean.** Every meaning is a statement on the partner's hand, and must be true: an action that would say
what is not so is not taken, for whatever reason one would like to. If both know that a statement cannot be true, it is
not made.

Hints:

1. A hint that touches the chop for the first time says: it is playable. A value hint says: playable or critical.
   (*Playable* is, in 1 and 2, also what will be so once cards that both can name have been played; and never a card
   that both know to be in a hand.)
2. Otherwise, of the cards that a hint touches for the first time, the newest that may be playable is.
3. A hint that touches no card for the first time, and shows no play by itself: the newest card touched that may be
   playable is.

Plays and discards answer a question. Which one, both know:

4. First question: is your chop critical? Second question: is this slot playable, the one that is most likely to be
   (at least 20 %) but not sure to be? If the first is settled already, the second one is asked alone.
5. The answers:
   a. With two sure plays: the one of lower value (then the older) is no, the other yes. With three or more, the first
      is no to both questions, the second yes to the first, the third yes to the second.
   b. Without a sure play, with two sure trash cards or more: the same, by age.
   c. With one sure trash card: to discard it is no, to discard the chop instead is yes.
   d. With none: to discard the chop is no, to discard the next chop is yes. This is only about the partner's chop.
   e. To discard anything although there is a sure play: your chop is critical.

And there are promises:

6. A hint, or the play of the only sure play, after which the partner has no sure play: your chop is not critical. (A
   hint given with all tokens there promises nothing: discards were not allowed.)
7. An answer by a discard, other than *your chop is critical*, with a token left, after which the partner has no sure
   play: none of your cards is playable.

All other plays and discards mean nothing. So there is always something honest to do: at worst, to misplay a card that
is not a sure play. (Only if that would be the last strike does the bot rather say what is not so: hardly ever.)

**Which action is chosen.** All honest ones are scored: what a card played or lost is worth, tokens, the discards that
the deck can still afford, strikes; and the partner's hand as the partner will know it then: sure plays, how unsure the
useful cards are, and what the chop would cost that goes next. `WEIGHTS` has the numbers, found by an evolution strategy
that counted perfect games. The best score is chosen. Cards are played at a risk only where that scores best.

A partner who means something else is noticed when nothing is possible any more in some slot: then everything but what
hints show is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# By the names in `conventions_kernel`: at the start of the game, and when the deck is empty; in between, by the share
# of the deck that is left. They come from a run of an evolution strategy whose log was not kept; ``python -m
# benchmarks.tune_conventions`` is one in kind, with seeds, that goes on from them or begins anew.
WEIGHTS = {
    "play": (6.05, 6.97),
    "play_value": (0.724, 0.65),
    "strike": (15.6, 10.6),
    "second_strike": (22.2, 19.8),
    "last_strike": (191.0, 482.0),
    "first_play": (13.0, 11.6),
    "more_plays": (3.27, 4.37),
    "has_trash": (0.565, 0.497),
    "unsure": (0.119, 0.0563),
    "one_away": (2.65, 3.21),
    "further_away": (1.38, 2.24),
    "protected": (0.892, 0.836),
    "lose_critical": (32.5, 37.4),
    "lose_playable": (1.22, 0.46),
    "lose_useful": (1.08, 0.365),
    "lose_seen": (0.396, 0.486),
    "danger_play": (0.113, 0.0619),
    "danger_trash": (0.0816, 0.05),
    "danger": (0.786, 0.773),
    "danger_no_token": (1.24, 0.921),
    "no_slack": (19.3, 14.6),
    "slack_1": (5.04, 4.99),
    "slack_3": (0.323, 0.242),
    "token_1": (2.06, 2.25),
    "token_2": (0.997, 2.12),
    "token_3": (0.974, 0.52),
    "token_4": (2.02, 1.81),
    "token_5": (1.19, 0.759),
    "token_6": (0.941, 0.616),
    "token_7": (0.334, 0.39),
    "token_8": (0.175, 0.18),
}


def weight_table(rules: Rules, weights: Mapping[str, tuple[float, float]] = WEIGHTS) -> npt.NDArray[np.float64]:
    """Return all weights when the deck is empty, then all when it has one card, and so on, in one row."""
    import numpy as np

    start, end = np.array(list(weights.values())).T
    most = rules.variant.num_cards - rules.players * rules.hand_size
    shares = np.arange(most + 1)[:, None] / max(most, 1)
    table: npt.NDArray[np.float64] = (shares * start + (1 - shares) * end).ravel()
    return table


def compiled(rules: Rules) -> CompiledBot:
    """Return the compiled bot."""
    from handful._records import words_of
    from handful.bots.conventions.conventions_kernel import choose, observe
    from handful.bots.conventions.notes_kernel import NOTES, PAPER

    return CompiledBot(choose, observe, words_of(PAPER), weight_table(rules), notes_words=words_of(NOTES))


def explainer(rules: Rules, names: Sequence[str]) -> Explainer:
    """Return what says in words what the actions tell."""
    from handful.bots.conventions.words import ConventionsExplainer

    return ConventionsExplainer(rules, names)
