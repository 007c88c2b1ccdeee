"""A position judged by a reference team: repeatable, blind to hidden cards, and right where the answer is known."""

from dataclasses import replace

import numpy as np
import pytest

from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.errors import RulesError
from handful.hanabi.actions import Discard, Play
from handful.hanabi.deal import Deal
from handful.hanabi.kernels.layout import MAX_DECK
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.lab.review.judge import Effort, Judge, _Race, sensible_actions
from handful.lab.review.manner import Manner
from handful.lab.review.worlds_kernel import deal_world

SMALL = Effort(first=8, most=16, measured=24)


def game_of(players: int, seed: int = 5, bot: str = "rules(reading=text)") -> State:
    return play_game(Deal.from_seed(Rules(players=players), seed=seed), [player_named(bot).plain] * players)


@pytest.mark.parametrize("players", [2, 3])
def test_judgements_are_a_function_of_the_seed(players: int) -> None:
    game = game_of(players)
    state, played = game.after(30), game.history[30].action
    once = Judge(game.rules, seed=4).judge(state, played, SMALL)
    assert Judge(game.rules, seed=4).judge(state, played, SMALL) == once
    assert Judge(game.rules, seed=5).judge(state, played, SMALL) != once


def test_what_lies_in_the_deck_changes_nothing() -> None:
    game = game_of(3)
    state, played = game.after(30), game.history[30].action
    drawn = len(state.deal.deck) - state.deck_size
    other = state.copy()
    other.deal = replace(state.deal, deck=(*state.deal.deck[:drawn], *reversed(state.deal.deck[drawn:])))
    assert other.deal != state.deal
    judge = Judge(game.rules)
    assert judge.judge(other, played, SMALL) == judge.judge(state, played, SMALL)


def test_who_was_given_up_in_easy_worlds_is_not_the_best() -> None:
    """Action 1 won in two easy worlds of three and was given up; action 2 won there too, and not always later."""
    race = _Race(Judge(game_of(3).rules), None, [1, 2, 3])  # type: ignore[arg-type]  # no question: nothing is tried
    race._alive = [2, 3]
    race._scores = {1: np.array([25, 25, 10]), 2: np.array([25, 25, 25, 10, 10, 25]), 3: np.array([9] * 6)}
    assert [each.number for each in race._ranked()] == [2, 1, 3]
    given_up = race._ranked()[1]
    assert given_up.chance == pytest.approx(4 / 6 - 1 / 3)
    assert given_up.worlds == 3


def test_an_action_that_is_the_best_has_cost_nothing() -> None:
    game = game_of(3)
    state, judge = game.after(40), Judge(game.rules)
    best = judge.judge(state, None, SMALL).best.action
    assert judge.judge(state, best, SMALL).loss == 0.0


def test_drawing_the_last_card_too_early_costs_the_whole_chance() -> None:
    """Turn 56 of this game discards, and so begins the last round while three cards are still to be played."""
    game = game_of(3)
    found = Judge(game.rules).judge(game.after(55), game.history[55].action, SMALL)
    assert isinstance(game.history[55].action, Discard)
    assert found.played is not None
    assert found.played.chance == 0.0
    assert found.best.chance > 0.5
    assert found.loss == pytest.approx(found.best.chance)


def test_trust_only_counts_for_cards_that_are_used() -> None:
    game = game_of(3)
    judge = Judge(game.rules)
    blind = next(n for n, turn in enumerate(game.history) if isinstance(turn.action, Play) and not turn.is_strike)
    state, played = game.after(blind), game.history[blind].action
    trusting, literal = (judge.judge(state, played, SMALL, Manner(trust)) for trust in (1.0, 0.0))
    assert trusting.played is not None
    assert literal.played is not None
    assert trusting.played.chance >= literal.played.chance - literal.margin


def test_a_world_weighs_less_for_every_card_that_would_not_have_been_kept() -> None:
    """Of worlds with k such cards the share (1 − doubt)^k is left: so their shares follow from those without doubt."""
    game = game_of(3)
    state, judge = game.after(20), Judge(game.rules)

    def shares(doubt: float, worlds: int = 4000) -> np.ndarray:
        question, deck = judge._question(state, None, Manner(0.0, doubt)), np.zeros(MAX_DECK, np.int8)
        counts = np.zeros(8)
        own = [state.hands[state.current][slot].order for slot in range(8) if question.kept >> slot & 1]
        for number in range(worlds):
            assert deal_world(question, judge._tables, number, deck)
            counts[sum(question.playable >> int(deck[order]) & 1 for order in own)] += 1
        return counts / worlds

    literal = shares(0.0)
    assert literal[1] > 0.2
    weighted = literal * 0.3 ** np.arange(8)
    assert shares(0.7) == pytest.approx(weighted / weighted.sum(), abs=0.03)
    assert shares(1.0)[0] == 1.0


def test_hands_as_they_are_leave_only_the_deck_to_chance() -> None:
    game = game_of(3)
    judge, last = Judge(game.rules), game.history[55].action
    assert judge.share_won(game.after(55), last, 10) == 0.0
    best = judge.judge(game.after(20), None, SMALL).best.action
    assert judge.share_won(game.after(20), best, 10) == judge.share_won(game.after(20), best, 10) > 0.0


def test_plays_that_cannot_succeed_are_not_tried() -> None:
    game = game_of(2)
    for turn in range(len(game.history)):
        view = game.after(turn).view(game.after(turn).current)
        for action in sensible_actions(view):
            assert not isinstance(action, Play) or view.chance(action.slot, view.playable_mask) > 0


def test_the_real_cards_come_to_a_score() -> None:
    game = game_of(3)
    judge = Judge(game.rules)
    scores = [judge.outcome(game.after(turn), game.history[turn].action) for turn in (0, 1, 2, 30)]
    assert scores == [judge.outcome(game.after(turn), game.history[turn].action) for turn in (0, 1, 2, 30)]
    assert all(0 <= score <= game.rules.max_score for score in scores)


def test_a_team_that_sees_more_is_refused() -> None:
    with pytest.raises(RulesError, match="sees all hands"):
        Judge(Rules(players=3), team="cheat")
