"""What a player can do on a turn, and the numbers of these actions.

A *slot* is a place in a hand: slot 0 is the oldest card, the newest is last; when a card leaves, the newer ones move
down. In text slots are letters: `a` is the oldest.

Actions have the numbers of the Hanabi Learning Environment, so that agents can be carried over. With hand size h, p
players, S suit hints and V values:

====================  ======================================================================================
0 … h − 1             discard slot 0 … h − 1
h … 2h − 1            play slot 0 … h − 1
then (p − 1) · S      suit hints: first all to the next player, then to the one after, …
then (p − 1) · V      value hints, in the same order
then, if allowed      play the last card of the deck
====================  ======================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from handful.errors import NotationError
from handful.hanabi.rules import Rules


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card in a slot of the own hand."""

    slot: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card in a slot of the own hand."""

    slot: int


@dataclass(frozen=True, slots=True)
class HintSuit:
    """Point at all cards in another hand that a suit hint touches. `suit` is the number of the hint, from 0."""

    player: int
    suit: int


@dataclass(frozen=True, slots=True)
class HintValue:
    """Point at all cards in another player's hand that a value hint touches."""

    player: int
    value: int


@dataclass(frozen=True, slots=True)
class PlayDeck:
    """Play the last card of the deck, unseen: where the rules have `deck_plays`."""


HintKind: TypeAlias = Literal["suit", "value"]


@dataclass(frozen=True, slots=True)
class Unheard:
    """A hint as who gets it hears it in Cow & Pig (whether of a suit or a value) and in Duck (nothing: None).

    It is seen in the history of a view, and cannot be chosen.
    """

    player: int
    kind: HintKind | None = None


Hint: TypeAlias = HintSuit | HintValue
Action: TypeAlias = Play | Discard | HintSuit | HintValue | PlayDeck | Unheard


def action_index(rules: Rules, actor: int, action: Action) -> int:
    """Return the number of an action of this player.

    >>> action_index(Rules(players=2), 0, HintValue(1, 3))
    17
    """
    size, suits, values = rules.hand_size, rules.variant.num_suit_hints, rules.variant.num_value_hints
    match action:
        case Discard(slot):
            return slot
        case Play(slot):
            return size + slot
        case HintSuit(player, suit):
            return 2 * size + ((player - actor) % rules.players - 1) * suits + suit
        case HintValue(player, value):
            ahead = (player - actor) % rules.players - 1
            return 2 * size + (rules.players - 1) * suits + ahead * values + rules.variant.value_hints.index(value)
        case PlayDeck():
            return rules.num_actions - 1
        case Unheard():
            raise NotationError("a hint that was not heard has no action number")


def action_at(rules: Rules, actor: int, index: int) -> Action:
    """Return the action of this player with that number.

    >>> action_at(Rules(players=2), 0, 17)
    HintValue(player=1, value=3)
    """
    size, suits, values = rules.hand_size, rules.variant.num_suit_hints, rules.variant.num_value_hints
    if not 0 <= index < rules.num_actions:
        raise NotationError(f"action number {index}: expected 0 to {rules.num_actions - 1}")
    if index < size:
        return Discard(index)
    if index < 2 * size:
        return Play(index - size)
    if rules.deck_plays and index == rules.num_actions - 1:
        return PlayDeck()
    index -= 2 * size
    if index < (rules.players - 1) * suits:
        ahead, suit = divmod(index, suits)
        return HintSuit((actor + 1 + ahead) % rules.players, suit)
    ahead, place = divmod(index - (rules.players - 1) * suits, values)
    return HintValue((actor + 1 + ahead) % rules.players, rules.variant.value_hints[place])
