"""Which actions are legal: written once, for the full state and for a player's view."""

from __future__ import annotations

from typing import Protocol

from handful.hanabi.actions import Action, Discard, Hint, HintSuit, HintValue, Play
from handful.hanabi.knowledge import touched_mask
from handful.hanabi.rules import Rules


class Table(Protocol):
    """What legality depends on. The player to move sees all of it, being able to see every hand but the own one."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        ...

    @property
    def hints(self) -> int | None:
        """The hint tokens left; None if there is no limit."""
        ...

    @property
    def current(self) -> int:
        """The player to move."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        ...

    def hand_length(self, player: int) -> int:
        """Return how many cards a player holds."""
        ...

    def seen_mask(self, player: int) -> int:
        """Return the mask of the cards that are seen in a player's hand."""
        ...


def can_discard(rules: Rules, hints: int | None) -> bool:
    """Whether a card may be discarded: not while every hint token is there, unless the rules say so.

    A lone player cannot spend a token, and may always discard.
    """
    return rules.discard_at_max or rules.players == 1 or hints is None or hints != rules.max_hints


def why_illegal(table: Table, action: Action) -> str | None:
    """Return why the player to move may not do this, or None if it is legal."""
    if table.is_over:
        return "the game is over"
    if isinstance(action, Play | Discard):
        length = table.hand_length(table.current)
        if not 0 <= action.slot < length:
            return f"slot {action.slot} is not in the hand, which has {length} cards"
        if isinstance(action, Discard) and not can_discard(table.rules, table.hints):
            return f"all {table.hints} hint tokens are there, so nothing may be discarded"
        return None
    return _why_hint_illegal(table, action)


def _why_hint_illegal(table: Table, hint: Hint) -> str | None:
    rules, variant = table.rules, table.rules.variant
    if table.hints == 0:
        return "no hint token is left"
    if not 0 <= hint.player < rules.players:
        return f"there is no player {hint.player}: expected 0 to {rules.players - 1}"
    if hint.player == table.current:
        return "nobody may give a hint to themselves"
    if isinstance(hint, HintSuit) and not 0 <= hint.suit < variant.num_suit_hints:
        return f"there is no suit hint {hint.suit}: expected 0 to {variant.num_suit_hints - 1}"
    if isinstance(hint, HintValue) and not 1 <= hint.value <= variant.num_values:
        return f"there is no value {hint.value}: expected 1 to {variant.num_values}"
    if not rules.empty_hints and not table.seen_mask(hint.player) & touched_mask(variant, hint):
        return "the hint touches no card, and empty hints are not allowed"
    return None


def legal_actions(table: Table) -> list[Action]:
    """Return all legal actions of the player to move, in the order of their numbers.

    They are those for which `why_illegal` has no answer, found without asking it of every action.
    """
    if table.is_over:
        return []
    rules, variant = table.rules, table.rules.variant
    slots = range(table.hand_length(table.current))
    actions: list[Action] = [Discard(slot) for slot in slots] if can_discard(rules, table.hints) else []
    actions += [Play(slot) for slot in slots]
    if table.hints == 0:
        return actions
    others = [(table.current + ahead) % rules.players for ahead in range(1, rules.players)]
    seen = {player: table.seen_mask(player) for player in others}
    actions += [
        HintSuit(player, suit)
        for player in others
        for suit, mask in enumerate(variant.suit_hint_masks)
        if rules.empty_hints or seen[player] & mask
    ]
    actions += [
        HintValue(player, value)
        for player in others
        for value, mask in enumerate(variant.value_hint_masks, start=1)
        if rules.empty_hints or seen[player] & mask
    ]
    return actions
