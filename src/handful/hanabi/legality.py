"""Which actions are legal: written once, for the full state and for a player's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from handful.hanabi.actions import Action, Discard, Hint, HintKind, HintSuit, HintValue, Play, PlayDeck, Unheard
from handful.hanabi.knowledge import kind_of, touched_mask
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant

if TYPE_CHECKING:
    from handful.hanabi.state import State
    from handful.hanabi.view import View


# What legality depends on, the player to move sees: all hands but the own one, of which only the length counts.
Seen: TypeAlias = "State | View"


def can_discard(rules: Rules, hints: int | None) -> bool:
    """Whether a card may be discarded: not while every hint token is there, unless the rules say so.

    A lone player cannot spend a token, and may always discard.
    """
    return rules.discard_at_max or rules.players == 1 or hints is None or hints != rules.max_hints


def why_illegal(game: Seen, action: Action) -> str | None:
    """Return why the player to move may not do this, or None if it is legal."""
    if game.is_over:
        return "the game is over"
    if isinstance(action, Play | Discard):
        length = game.hand_length(game.current)
        if not 0 <= action.slot < length:
            return f"slot {action.slot} is not in the hand, which has {length} cards"
        if isinstance(action, Discard) and not can_discard(game.rules, game.hints):
            return f"all {game.hints} hint tokens are there, so nothing may be discarded"
        return None
    if isinstance(action, PlayDeck):
        return why_deck_unplayable(game)
    if isinstance(action, Unheard):
        return "a hint is about a suit or a value"
    return _why_hint_illegal(game, action)


def why_deck_unplayable(game: Seen) -> str | None:
    """Return why no card may be played from the deck, or None if its last one may."""
    if not game.rules.deck_plays:
        return "cards of the deck may not be played"
    return None if game.deck_size == 1 else f"the deck has {game.deck_size} cards: only its last one may be played"


def is_kind_allowed(game: Seen, kind: HintKind) -> bool:
    """Whether a hint of this kind may come next: in Alternating Clues, the other kind after each."""
    return not game.rules.variant.modifiers.alternating or game.last_hint != kind


def may_be_empty(rules: Rules, kind: HintKind) -> bool:
    """Whether a hint of this kind may touch no card: by the option, or because it never touches one."""
    special = rules.variant.modifiers
    is_blind = special.are_suit_hints_blind if kind == "suit" else special.are_value_hints_blind
    return rules.empty_hints or is_blind


def _why_hint_illegal(game: Seen, hint: Hint) -> str | None:
    rules, variant = game.rules, game.rules.variant
    if game.hints == 0:
        return "no hint token is left"
    if not 0 <= hint.player < rules.players:
        return f"there is no player {hint.player}: expected 0 to {rules.players - 1}"
    if hint.player == game.current:
        return "nobody may give a hint to themselves"
    if isinstance(hint, HintSuit) and not 0 <= hint.suit < variant.num_suit_hints:
        return f"there is no suit hint {hint.suit}: expected 0 to {variant.num_suit_hints - 1}"
    if isinstance(hint, HintValue) and hint.value not in variant.value_hints:
        return f"there is no value {hint.value}: expected {_values_text(variant)}"
    kind = kind_of(hint)
    if not is_kind_allowed(game, kind):
        return f"hints alternate, and the last one was of a {kind}"
    if not may_be_empty(rules, kind) and not game.seen_mask(hint.player) & touched_mask(variant, hint):
        return "the hint touches no card, and empty hints are not allowed"
    return None


def _values_text(variant: Variant) -> str:
    values = variant.value_hints
    if not values:
        return "none, for value hints cannot be given"
    if values == tuple(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return f"one of {' '.join(map(str, values))}"


def legal_actions(game: Seen) -> list[Action]:
    """Return all legal actions of the player to move, in the order of their numbers.

    They are those for which `why_illegal` has no answer, found without asking it of every action.
    """
    if game.is_over:
        return []
    rules = game.rules
    slots = range(game.hand_length(game.current))
    actions: list[Action] = [Discard(slot) for slot in slots] if can_discard(rules, game.hints) else []
    actions += [Play(slot) for slot in slots]
    return actions + (_legal_hints(game) if game.hints != 0 else []) + _deck_plays(game)


def _deck_plays(game: Seen) -> list[Action]:
    return [] if why_deck_unplayable(game) else [PlayDeck()]


def _legal_hints(game: Seen) -> list[Action]:
    rules, variant = game.rules, game.rules.variant
    actions: list[Action] = []
    others = [(game.current + ahead) % rules.players for ahead in range(1, rules.players)]
    seen = {player: game.seen_mask(player) for player in others}
    if is_kind_allowed(game, "suit"):
        is_free = may_be_empty(rules, "suit")
        actions += [
            HintSuit(player, suit)
            for player in others
            for suit, mask in enumerate(variant.suit_hint_masks)
            if is_free or seen[player] & mask
        ]
    if is_kind_allowed(game, "value"):
        is_free = may_be_empty(rules, "value")
        actions += [
            HintValue(player, value)
            for player in others
            for value, mask in zip(variant.value_hints, variant.value_hint_masks, strict=True)
            if is_free or seen[player] & mask
        ]
    return actions
