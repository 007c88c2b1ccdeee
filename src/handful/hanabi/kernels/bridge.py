"""Between the plain rules and the records: a player's view, or a whole state, as a record that kernels can read."""

from __future__ import annotations

import numpy as np

from handful.hanabi.actions import Discard, Play, PlayDeck, Unheard, action_index
from handful.hanabi.cards import Card, card_index
from handful.hanabi.kernels.layout import (
    ENDINGS,
    GAME,
    HEARD_MOO,
    HEARD_OINK,
    HIDDEN,
    MAX_DECK,
    NO_CARD,
    NOT_YET,
    ONGOING,
    STUCK,
    UNHEARD,
    UNLIMITED,
    Decks,
    Game,
    Games,
    is_special,
)
from handful.hanabi.knowledge import CardKnowledge, Turn
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.view import CommonKnowledge, View


def game_from_view(view: View) -> Games:
    """Return what a player sees, as an array of one record: the own cards and the deck are HIDDEN."""
    games = np.zeros(1, GAME)
    _write_common(games[0], view)
    games[0]["ending"] = STUCK if view.is_over else ONGOING  # nobody is asked after the end: any ending will do
    for player, cards in enumerate(view.cards):
        _write_hand(games[0], view, player, cards)
    return games


def game_from_state(state: State) -> Games:
    """Return a whole state as an array of one record: all hands are seen, the deck is HIDDEN."""
    games = np.zeros(1, GAME)
    common = state.open_knowledge()
    _write_common(games[0], common)
    games[0]["ending"] = ENDINGS.index(state.ending)
    for player in range(state.rules.players):
        _write_hand(games[0], common, player, state.hand(player))
    return games


def deck_from_cards(rules: Rules, cards: tuple[Card, ...]) -> Decks:
    """Return a whole deck by card index, int8 of length MAX_DECK."""
    deck = np.zeros(MAX_DECK, np.int8)
    deck[: len(cards)] = [card_index(rules.variant, card) for card in cards]
    return deck


def _write_hand(game: Game, common: CommonKnowledge, player: int, cards: tuple[Card, ...]) -> None:
    """Write the faces of a hand that is seen, and the hints that would touch it."""
    variant = common.rules.variant
    masks = (*variant.suit_hint_masks, *variant.value_hint_masks)
    indices = [card_index(variant, card) for card in cards]
    for held, index in zip(common.hands[player], indices, strict=False):
        game["cards"][held.order] = index
    game["hintable"][player] = sum(
        1 << hint for hint, mask in enumerate(masks) if any(mask >> index & 1 for index in indices)
    )


def _write_common(game: Game, common: CommonKnowledge) -> None:
    """Write what everybody knows."""
    rules, variant = common.rules, common.rules.variant
    game["hints"] = UNLIMITED if common.hints is None else common.hints
    game["strikes"], game["points"], game["turn"] = common.strikes, common.points, len(common.history)
    game["current"] = common.current
    game["drawn"] = variant.num_cards - common.deck_size
    game["turns_left"] = NOT_YET if common.turns_left is None else common.turns_left
    game["stacks"][: variant.num_suits] = common.stacks
    game["left"][: variant.num_types] = common.copies_left
    if is_special(rules):  # elsewhere kernels do not look at them
        game["open_orders"][: variant.num_suits] = common.open_orders
    game["half_token"] = common.half_token
    game["last_hint"] = (None, "suit", "value").index(common.last_hint)
    game["cards"][:] = HIDDEN
    for player, hand in enumerate(common.hands):
        game["lengths"][player] = len(hand)
        for slot, held in enumerate(hand):
            place = player * rules.hand_size + slot
            game["orders"][place] = held.order
            game["possible"][place] = held.knowledge.possible_mask
            game["touched"][place] = _touched(rules, held.knowledge)
    for turn in common.history:
        if turn.card is not None:
            game["cards"][turn.order] = card_index(variant, turn.card)
        if turn.is_face_down:
            assert turn.order is not None
            game["hole"][turn.actor] |= np.int64(1) << turn.order
    _write_last_turn(game, rules, common.history[-1] if common.history else None)


def _touched(rules: Rules, knowledge: CardKnowledge) -> int:
    """Return the hint numbers that have touched a card, as a mask: suit hints first, then value hints."""
    values = knowledge.value_places_mask(rules.variant)
    return knowledge.suit_hints_mask | values << rules.variant.num_suit_hints | knowledge.is_pointed_at << UNHEARD


def _write_last_turn(game: Game, rules: Rules, turn: Turn | None) -> None:
    for name in ("last_action", "last_actor", "last_order", "last_slot", "last_drew"):
        game[name] = NO_CARD
    if turn is None:
        return
    game["last_actor"] = turn.actor
    if isinstance(turn.action, Unheard):
        game["last_action"] = {"suit": HEARD_MOO, "value": HEARD_OINK, None: NO_CARD}[turn.action.kind]
    else:
        game["last_action"] = action_index(rules, turn.actor, turn.action)
    game["last_touched"] = sum(1 << slot for slot in turn.touched)
    game["last_is_strike"] = turn.is_strike
    if isinstance(turn.action, Play | Discard | PlayDeck):
        assert turn.order is not None
        game["last_order"] = turn.order
        game["last_slot"] = NO_CARD if isinstance(turn.action, PlayDeck) else turn.action.slot
        game["last_drew"] = NO_CARD if turn.drew is None else turn.drew
