"""What can be told at a table without giving anything away: what each player knows of the own cards, and who told whom.

All of it follows from a view, and what is said of a hand as its owner knows it from what everybody knows: the hints and
what lies open. Nothing here looks at a face that the seat that asks does not see.
"""

from __future__ import annotations

from dataclasses import dataclass

from handful.hanabi.actions import PlayDeck
from handful.hanabi.probability import possible_masks
from handful.hanabi.view import CommonKnowledge, View


@dataclass(frozen=True)
class Told:
    """Who was told by a hint, and the cards that it touched, by their numbers in the order of the deck."""

    player: int
    orders: tuple[int, ...]


def known_masks(view: CommonKnowledge, player: int) -> tuple[int, ...]:
    """Return for each card of a hand what everybody can leave of it: by the hints, and the cards that lie open.

    It says what that player knows for certain, and is the same whoever looks: of the own hand, what the others know
    that one knows. The cards in hands do not count, as they are not open to everybody.
    """
    return possible_masks([held.knowledge.possible_mask for held in view.hands[player]], view.copies_left)


def counted_masks(view: View) -> tuple[int, ...]:
    """Return for each own card what this player can leave of it, who counts all the cards in sight, too."""
    return possible_masks([held.knowledge.possible_mask for held in view.my_hand], view.unseen)


def worth_of_masks(view: CommonKnowledge, mask: int) -> tuple[str, ...]:
    """Return what a card is worth that is one of a mask, where that is certain: playable, critical, worthless.

    Nothing is said while plays lie face down, as the stacks are not known then.
    """
    if view.is_hidden or not mask:
        return ()
    worths = {
        "playable": view.playable_mask,
        "critical": view.critical_mask,
        "worthless": view.worthless_mask,
    }
    return tuple(word for word, worth in worths.items() if not mask & ~worth)


def hand_orders(view: CommonKnowledge) -> list[tuple[tuple[int, ...], ...]]:
    """Return for each turn of the history the hands before it: the cards by their numbers, oldest first.

    Gone through from the end: the card that was drawn goes back, and the one that left the hand returns.
    """
    hands = [{held.order for held in hand} for hand in view.hands]
    found = []
    for turn in reversed(view.history):
        if turn.drew is not None:
            hands[turn.actor].remove(turn.drew)
        if turn.order is not None and not isinstance(turn.action, PlayDeck):
            hands[turn.actor].add(turn.order)
        found.append(tuple(tuple(sorted(hand)) for hand in hands))
    return found[::-1]
