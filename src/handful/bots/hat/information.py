"""The bot `information`: whatever is said is said to everybody, as one number.

After Cox et al. 2015 (the information strategy) and van Doorn 2019 (hat guessing with what is public). The questions
(which card is playable; the chance nearest to 0.7; splitting up the card that is least likely dead), the order of sure
plays and the gain of a hint are ideas of the information strategy of hanabi.rs. The rules, for a Hanabi player;
*public* is what everybody knows, own cards included:

The number
 1. Of every card it is public what it can be: from the hints, from the numbers said so far, and from counting.
 2. About every hand there are public questions; the answers to them make one number, the answer about that hand.
 3. An action says the sum of the answers about all other hands, modulo as many numbers as it can say. Each of the
    others sees all those hands but the own one, subtracts, and so learns the own answer.
 4. A hint says one of four numbers for each other player: to whom; suit or value; does it touch the designated card,
    which is the one that can be most different cards? So two others hear 8 numbers, three 12, four 16. (Where the
    designated card may be one that every suit hint touches, or none, a suit hint says one number instead of two.)
 5. Of several cards that are publicly useless, the one that is discarded says a number. So does, while the deck is
    large, the one that is played of several that are publicly playable.
 6. Nothing is read into the choice between hint, play and discard: it is free.

The questions, each about what the earlier ones have left open, while there are numbers left to tell apart
 7. If no card is known to be playable on its owner's turn: which card is the first playable one, or none?
 8. If no card is known to be dead (four and five players: and none to be playable): which is the first dead one?
 9. Is this card playable? (The one with a chance nearest to 0.7, if that is high enough.)
10. Is this card dead, or of which group of cards? (The one that is least likely dead.)

The action, by the first rule that applies
11. Play a card that is surely playable: low values first, and cards that few others hold.
12. Play a card that is playable with a chance of more than 3/4 and dead otherwise, if a strike does no harm.
13. Discard a useless card, if nobody can play.
14. Hint, if somebody has a playable card and knows of none, or if no more hints fit in.
15. Discard a useless card, while there is time for it.
16. Hint, if somebody can play, or if more hints are left than the reserve.
17. Discard the card that is expected to cost least: critical cards count 5, cards that are nowhere in sight 1.

The end
18. When the deck is small, twenty worlds are drawn at random that fit what this player knows. In each it is searched
    whether the game is won after the action that the rules choose. If it is not, other actions are tried in the same
    worlds: sure and possible plays, the hint, the discard. One that wins in clearly more worlds is taken.
19. With the last seven cards, if it is not too much work, the chance to win is computed instead, as if all hands were
    known and the order of the deck were not.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.bots.protocol import CompiledBot, Explainer
from handful.errors import RulesError
from handful.hanabi.rules import Rules

MOST_COPIES = 3


def check(rules: Rules) -> None:
    """Refuse a game that it does not play."""
    if max(rules.variant.copies) > MOST_COPIES:
        raise RulesError(
            f"the bot 'information' counts up to {MOST_COPIES} copies of a card: "
            f"{rules.variant.name!r} has {max(rules.variant.copies)}"
        )


def compiled(rules: Rules) -> CompiledBot:
    """Return the compiled bot."""
    check(rules)
    from handful.bots.hat.code_kernel import NOTES_WORDS, observe
    from handful.bots.hat.information_kernel import MEMORY_WORDS, choose
    from handful.bots.hat.settings import information_settings

    settings = information_settings(rules.players)
    return CompiledBot(choose, observe, MEMORY_WORDS, settings, notes_words=NOTES_WORDS)


def explainer(rules: Rules, names: Sequence[str]) -> Explainer:
    """Return what says in words what the actions tell."""
    from handful.bots.hat.words import InformationExplainer

    return InformationExplainer(rules, names, compiled(rules))
