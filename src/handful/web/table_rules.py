"""Which games of Hanabi may be played at tables here."""

from __future__ import annotations

from handful.errors import RulesError
from handful.hanabi.rules import Rules

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MAX_CARDS, MAX_HAND = 100, 6  # of a deck and of a hand: what still fits on a screen


def check_rules(rules: Rules) -> None:
    """Refuse rules of a game that cannot be played here."""
    if not MIN_PLAYERS <= rules.players <= MAX_PLAYERS:
        raise RulesError(f"{rules.players} players: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    if rules.variant.num_cards > MAX_CARDS:
        raise RulesError(f"{rules.variant.name} has {rules.variant.num_cards} cards: expected at most {MAX_CARDS}")
    if rules.hand_size > MAX_HAND:
        raise RulesError(f"hands of {rules.hand_size} cards: expected at most {MAX_HAND}")
    if rules.end_of_deck == "never" or rules.max_hints is None:
        raise RulesError("under these rules a game may go on for ever: expected limited hints, and an end of the deck")
