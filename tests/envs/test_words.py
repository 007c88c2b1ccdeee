"""A vector turned back says what the view said that it was made from."""

from __future__ import annotations

import numpy as np
import pytest

from handful.envs.observation import encode, regained_hint
from handful.envs.words import KnownCard, LastTurn, decode, describe
from handful.errors import NotationError
from handful.hanabi import Card, Deal, Discard, HintSuit, HintValue, Play, Rules, State, View, card_index, variant_named
from handful.hanabi.knowledge import CardKnowledge
from tests.envs.lockstep import positions


def known_card(knowledge: CardKnowledge) -> KnownCard:
    def members(mask: int, first: int) -> tuple[int, ...]:
        return tuple(bit + first for bit in range(mask.bit_length()) if mask >> bit & 1)

    return KnownCard(
        knowledge.possible_mask, members(knowledge.suit_hints_mask, 0), members(knowledge.value_hints_mask, 1)
    )


def last_turn(view: View) -> LastTurn | None:
    if not view.history:
        return None
    turn, players = view.history[-1], view.rules.players
    actor = (turn.actor - view.me) % players
    match turn.action:
        case Play(slot):
            success = not turn.is_strike
            return LastTurn(actor, "play", slot=slot, card=turn.card, is_success=success, is_bonus=regained_hint(view))
        case Discard(slot):
            return LastTurn(actor, "discard", slot=slot, card=turn.card)
        case HintSuit(player, suit):
            return LastTurn(actor, "suit hint", (player - view.me) % players, suit=suit, touched=turn.touched)
        case HintValue(player, value):
            return LastTurn(actor, "value hint", (player - view.me) % players, value=value, touched=turn.touched)
        case _:
            raise AssertionError(turn)


@pytest.mark.parametrize("name", ["No Variant", "Rainbow (6 Suits)", "Pink (6 Suits)", "Black (5 Suits)"])
@pytest.mark.parametrize("players", [2, 5])
def test_vectors_say_what_the_view_said(name: str, players: int) -> None:
    rules = Rules(variant_named(name), players)
    for state in positions(rules, 1):
        if state.is_over:  # the last card drawn is not in the vector then
            continue
        view = state.view(state.current)
        seen = decode(rules, encode(view))
        order = [(view.me + ahead) % players for ahead in range(players)]
        assert seen.hands == tuple(view.cards[seat] for seat in order)
        assert seen.is_short == tuple(len(view.hands[seat]) < rules.hand_size for seat in order)
        assert (seen.deck_size, seen.stacks, seen.hints) == (view.deck_size, view.stacks, view.hints)
        assert seen.strikes == view.strikes
        thrown = [card_index(rules.variant, card) for card in view.discards]
        assert seen.discards == tuple(thrown.count(card) for card in range(rules.variant.num_types))
        assert seen.last_turn == last_turn(view)
        for ahead, seat in enumerate(order):
            known = [known_card(held.knowledge) for held in view.hands[seat]]
            assert [card for card in seen.knowledge[ahead] if card is not None] == known


def test_words_of_every_kind_of_turn() -> None:
    state = State(Deal.from_seed(Rules(players=3), seed=1))
    told = []
    for action in (HintSuit(1, 0), Play(3), Discard(0), HintValue(1, 4), Play(0)):
        state.act(action)
        told.append(describe(state.rules, encode(state.view(state.current))).splitlines()[2])
    assert told == [
        "last turn: the player 2 seats ahead told you about red: slots d",
        "last turn: the player 2 seats ahead played d: red 1",
        "last turn: the player 2 seats ahead discarded a: yellow 2",
        "last turn: the player 2 seats ahead told you about 4s: slots c, d, e",
        "last turn: the player 2 seats ahead misplayed a: purple 3",
    ]


def test_words_of_rainbow_name_both_suits() -> None:
    rules = Rules(variant_named("Rainbow (5 Suits)"), 2)
    state = next(
        state for number in range(1000) if (state := State(Deal.from_seed(rules, 0, number))).hand(1)[0] == Card(4, 1)
    )
    state.act(HintSuit(1, 0))
    state.act(HintSuit(0, next(suit for suit in range(4) if state.is_legal(HintSuit(0, suit)))))
    state.act(HintSuit(1, 1))
    assert "you: a told ry, m1 m2 m3 m4 m5" in describe(rules, encode(state.view(1)))


def test_arrays_are_read_too_and_nonsense_is_refused() -> None:
    rules = Rules()
    vector = np.array(encode(State(Deal.from_seed(rules, 0)).view(0)), np.float32)
    assert decode(rules, vector).hints == 8
    with pytest.raises(NotationError, match="657 numbers: expected 658"):
        decode(rules, vector[1:])
    with pytest.raises(NotationError, match="0s and 1s"):
        decode(rules, vector / 2)
