"""The bot `hat`: hat guessing that remembers. After van Doorn 2019, with the improvements of March 2019 and our own.

A hint says the *sum* of one number for each of the other hands, its *hat*; everybody sees all hats but the own one,
and gets that by subtraction. So one hint tells everybody something of the own hand, and all know what all were told.

**Hats.** With four players there are 12 hats, with five 16 (10 and 13 if there is a rainbow suit). What everybody
knows of a hand decides which questions it is asked; the hat is the answer to all of them:

1. If no playable card is known: which of the cards is the first playable one? (Play it.)
2. If none is, and no worthless card is known: which is the first worthless one? (Discard it.)
3. Is this card, likely to be playable, playable?
4. Is this card worthless, or in which part of the cards that are still needed is it?

Each question leaves the more of the numbers for the next, the likelier its answer was. Cards that surely will be
played before a player's turn count as played in the questions about that hand.

**Choices that tell.** Whoever discards one of several cards that all know to be worthless says the sum of smaller
hats by the choice; likewise who plays one of several playable cards, while the deck has 20 cards.

**Code.** A hint's number is made of who gets it, whether it tells a suit or a value, and whether it touches the card
of that hand of which least is known. Of several hints with the right number, the one that shows most is given.

**A turn**, the first that applies; nothing is read into what kind of action somebody chooses, so a discard can be
answered by a hint, and a later hint changes what an earlier one asked for:

1. Play a card that is surely playable, the lowest value first.
2. With a strike to spare, play a card that is playable with more than 3/4, and else worthless.
3. Hint, if somebody has a playable card and knows of none, or if discarding is not allowed.
4. Discard a surely worthless card, if more than 4 turns are to spare (cards in the deck + players − points missing).
5. Hint, if somebody has a playable card, or with more than 3 tokens, or if no turn is to spare.
6. Discard the card with the least expected loss: 5 for the last copy of a card still needed, 1 for one seen nowhere
   else, 0.1 for others needed, and 0.3 if it is playable. Rather than lose more than 0.5, hint.

**Endgame.** From 8 cards in the deck on, eight worlds (own hands that fit all that is known, orders of the deck) are
drawn. In each of them a search with open cards looks for a win after what the rules say, after every sure play, a
hint and a discard. What wins in most worlds is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.rules import Rules


def compiled(_rules: Rules) -> CompiledBot:
    """Return the compiled bot."""
    from handful.bots.hat.code_kernel import NOTES_WORDS, observe
    from handful.bots.hat.hat_kernel import MEMORY_WORDS, choose
    from handful.bots.hat.settings import hat_settings

    return CompiledBot(choose, observe, MEMORY_WORDS, hat_settings(), notes_words=NOTES_WORDS)


def explainer(rules: Rules, names: Sequence[str]) -> Explainer:
    """Return one who says what everybody learns from each turn."""
    from handful.bots.hat.words import HatExplainer

    return HatExplainer(rules, names, compiled(rules))
