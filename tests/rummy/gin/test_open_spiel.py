"""Rounds in lockstep with OpenSpiel's gin_rummy: legal actions, phases and points are the same.

But for one defect of OpenSpiel's: of eleven cards it takes the best arrangement and drops the highest loose card, so
that it may refuse a knock that is legal. Such places are counted, and must be those where its deadwood is too high.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from handful.rummy.cards import Card
from handful.rummy.gin import OPENSPIEL, GinDeal, Round, least_after_throw, player_named
from handful.rummy.gin.actions import DRAW, KNOCK, PASS, TAKE
from handful.rummy.gin.deal import card_at, number_of
from handful.rummy.gin.round import THROWING, WALL
from handful.splitmix import SplitMix64

pyspiel = pytest.importorskip("pyspiel")


def theirs(card: Card) -> int:
    """Return OpenSpiel's number of a card: its suits are spades, clubs, diamonds, hearts."""
    return (card.suit + 1) % 4 * 13 + card.rank


def refused_knock(game: Round, state: Any) -> bool:
    """Compare what is legal; return whether OpenSpiel refuses a knock by its defect."""
    ours, them = game.legal_numbers(), set(state.legal_actions())
    knocks = [number for number in ours if number >= KNOCK]
    plain = {theirs(card_at(number)) for number in ours if number < TAKE} | {n for n in ours if TAKE <= n <= PASS}
    assert them - {KNOCK} == plain
    if (KNOCK in them) == bool(knocks):
        return False
    hand = game.hands[game.current] | ({game.upcard} if game.phase == WALL and game.upcard else set())
    assert knocks
    assert least_after_throw(hand) < utilities().min_deadwood([theirs(card) for card in sorted(hand)])
    return True


def utilities() -> Any:
    return pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def settle_there(game: Round, state: Any) -> None:
    """Lay out both hands in OpenSpiel as ours were laid out: every step must be legal there."""
    settled = game.settlement
    assert settled is not None
    assert settled.knocked is not None
    assert settled.defence is not None
    lay_melds(state, settled.knocked.melds)
    if settled.ending == "knock" or settled.ending == "undercut":
        left = {theirs(card) for card in settled.defence.laid_off}
        while left:
            card = next(action for action in state.legal_actions() if action in left)
            state.apply_action(card)
            left.remove(card)
        state.apply_action(PASS)
    lay_melds(state, settled.defence.arrangement.melds)


def lay_melds(state: Any, melds: tuple[tuple[Card, ...], ...]) -> None:
    meld_ids = utilities()
    for meld in melds:
        pieces = [meld] if len(meld) <= 5 else [meld[:3], meld[3:]]  # there, runs have at most five cards
        for piece in pieces:
            state.apply_action(56 + meld_ids.meld_to_int(sorted(map(theirs, piece))))
    state.apply_action(PASS)


def play_both(number: int) -> int:
    """Play a round in both; return how many legal knocks OpenSpiel refused."""
    chance = SplitMix64(77, number)
    deal = GinDeal.from_seed(31, number)
    game, state = Round(deal, OPENSPIEL), pyspiel.load_game("gin_rummy").new_initial_state()
    for card in deal.deck[:21]:
        state.apply_action(theirs(card))
    player, refused = player_named("simple" if number % 4 else "random"), 0
    while not game.is_over:
        if refused_knock(game, state):
            return refused + 1  # from here on the games cannot be the same
        action = player.choose(game.view(game.current), chance).number
        top, had_phase = game.stock[-1], game.phase
        game.act(action)
        if action >= KNOCK:
            assert had_phase in (THROWING, WALL)
            state.apply_action(KNOCK)
            state.apply_action(theirs(card_at(action - KNOCK)))
            settle_there(game, state)
        else:
            state.apply_action(theirs(card_at(action)) if action < TAKE else action)
            if action == DRAW:
                state.apply_action(theirs(top))
    assert state.is_terminal()
    assert game.settlement is not None
    points = game.settlement.points * (1 if game.settlement.winner == 0 else -1)
    assert state.returns() == [points, -points]
    return refused


def test_rounds_are_the_same() -> None:
    assert sum(map(play_both, range(100))) <= 1


@pytest.mark.full
def test_many_rounds_are_the_same() -> None:
    """As many as HANDFUL_GIN_ROUNDS says."""
    rounds = int(os.environ.get("HANDFUL_GIN_ROUNDS", "1500"))
    assert sum(map(play_both, range(150, 150 + rounds))) <= rounds // 1000


def test_cards_have_their_numbers() -> None:
    assert [theirs(card_at(number)) for number in (0, 13, 26, 39)] == [13, 26, 39, 0]
    assert number_of(card_at(17)) == 17
