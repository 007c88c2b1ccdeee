"""The adviser, and what it stands on: worlds, win chances of scores, places said in words."""

from __future__ import annotations

import numpy as np
import pytest

from handful.errors import HandfulError
from handful.rummy.cards import parse_card, parse_cards
from handful.rummy.gin import EAAI, GinDeal, Round, deadwood, gin_rules, player_named
from handful.rummy.gin.actions import DRAW, KNOCK
from handful.rummy.gin.advice import Adviser, advise
from handful.rummy.gin.position import Remembered, view_of
from handful.rummy.gin.thought import model_for, win_chance
from handful.splitmix import SplitMix64

HAND = "2S 3C 3S 6H 7H 9H 9S QH QS KH"


def places(turns: int, number: int) -> list[Round]:
    """Return rounds of `table` with itself, after some turns, at a choice of player 0."""
    found: list[Round] = []
    for seed in range(10 * number):
        game, chance = Round(GinDeal.from_seed(seed), scores=(40, 62)), SplitMix64(seed)
        while not game.is_over and (len(game.turns) < turns or game.current != 0):
            game.act(player_named("table").choose(game.view(game.current), chance))
        if not game.is_over and len(found) < number:
            found.append(game)
    assert len(found) == number
    return found


def test_gin_is_worth_what_the_rules_say() -> None:
    """With gin in hand, every world brings 25 points and the opponent's deadwood."""
    hand = parse_cards("AC 2C 3C 4C 7D 8D 9D KH KS KD 6H")
    advice = advise(view_of(hand), worlds=32)
    assert str(advice.best.action) == "knock 6H"
    assert advice.best.points > 25
    assert advice.best.gin_chance == advice.best.round_win_chance == 1
    assert advice.best.undercut_risk == 0


def test_a_knock_is_worth_what_it_brings_in_the_worlds() -> None:
    """The points of a knock are those of settling it, in worlds drawn apart from the adviser's."""
    from handful.rummy.gin import settle
    from handful.rummy.gin.deadwood import cards_in
    from handful.rummy.gin.kernels.bridge import rulebook, view_record
    from handful.rummy.gin.kernels.worlds import draw_worlds

    view = view_of("AC 2C 3C 7D 8D 9D 5C 5D 5H AD KS", remembered=Remembered("QD JH KD"))
    model, worlds = model_for(EAAI), np.zeros(400, np.int64)
    chance = np.array([5], np.uint64)
    draw_worlds(view_record(view), rulebook(EAAI), model.habits, model.weights, (32, 300, 8), chance, worlds)
    kept = set(view.hand) - {parse_card("KS")}
    settled = [settle(EAAI, kept, set(cards_in(int(world))), 0) for world in worlds]
    expected = np.mean([each.points * (1 if each.winner == 0 else -1) for each in settled])
    told = advise(view, worlds=800, seed=3).of(next(a for a in view.legal if a.number == KNOCK + 51))
    assert abs(told.points - expected) < 4


def test_worlds_fit_the_view_and_what_was_thrown() -> None:
    """No world has a card that is seen elsewhere; after many turns, hands are better than chance would have them."""
    from handful.rummy.gin.deadwood import cards_in
    from handful.rummy.gin.kernels.bridge import rulebook, view_record
    from handful.rummy.gin.kernels.worlds import draw_worlds

    model, chance = model_for(EAAI), np.array([1], np.uint64)
    found, truly, uniform = [], [], []
    for seed, game in enumerate(places(8, 12)):
        view, worlds = game.view(0), np.zeros(24, np.int64)
        draw_worlds(view_record(view), rulebook(EAAI), model.habits, model.weights, (32, 300, 8), chance, worlds)
        seen = {*view.hand, *view.pile, *((view.upcard,) if view.upcard else ())}
        pool = sorted({*(card for card in game.deal.deck)} - seen - set(view.known))
        shuffled = SplitMix64(seed)
        shuffled.shuffle(pool)
        uniform.append(deadwood([*view.known, *pool[: 10 - len(view.known)]]))
        for world in worlds:
            cards = set(cards_in(int(world)))
            assert len(cards) == 10
            assert not cards & seen
            assert cards >= set(view.known)
        found.append(np.mean([deadwood(cards_in(int(world))) for world in worlds]))
        truly.append(deadwood(game.hands[1]))
    assert abs(np.mean(found) - np.mean(truly)) < abs(np.mean(uniform) - np.mean(truly))
    assert np.mean(found) < np.mean(uniform) - 5


def test_the_same_for_the_same_seed_and_more_worlds_are_surer() -> None:
    view = places(4, 1)[0].view(0)
    one, two = advise(view, worlds=96, seed=7), advise(view, worlds=96, seed=7)
    assert one.choices == two.choices
    adviser = Adviser(view, seed=7)
    for _ in range(24):
        adviser.look()
    wide, narrow = one.best.win_chance_ci95, adviser.advice().best.win_chance_ci95
    assert narrow[1] - narrow[0] < wide[1] - wide[0]


def test_win_chances_of_scores() -> None:
    assert win_chance(EAAI, 50, 50, True) > 0.5
    assert win_chance(EAAI, 60, 40, True) + win_chance(EAAI, 40, 60, False) == pytest.approx(1)
    solved = model_for(EAAI).solved
    assert (np.diff(solved, axis=0) >= -1e-9).all()
    assert (np.diff(solved, axis=1) <= 1e-9).all()
    assert win_chance(gin_rules("eaai, target=1"), 0, 0, True) == pytest.approx(
        model_for(gin_rules("eaai, target=1")).solved[0, 0]
    )


def test_a_place_in_words_is_the_place() -> None:
    """What `view_of` makes of the cards alone is what the player saw, but for who started."""
    game = Round(GinDeal.from_seed(7))
    game.act(54)  # the starter passes, so does the dealer
    game.act(54)
    game.act(DRAW)
    game.act(game.legal_actions()[0])
    seen = game.view(1)
    told = view_of(seen.hand, seen.upcard, Remembered(seen.pile))
    assert told.stock_size == seen.stock_size
    assert [turn.threw for turn in told.turns] == [turn.threw for turn in seen.turns]
    assert [str(action) for action in told.legal] == [str(action) for action in seen.legal]


@pytest.mark.parametrize(
    ("hand", "upcard", "remembered", "word"),
    [
        (HAND, None, Remembered(), "no upcard"),
        ("AC 2C", "KS", Remembered(), "2 cards"),
        (HAND, "KH", Remembered(), "KH is in the hand and in the upcard"),
        (HAND, "9D", Remembered("9D"), "9D"),
        (HAND, "9D", Remembered(opponent_threw="4D"), "4D"),
        (HAND + " 9D", None, Remembered(taken=parse_card("8D")), "8D"),
    ],
)
def test_places_that_cannot_be_are_refused(hand: str, upcard: str | None, remembered: Remembered, word: str) -> None:
    with pytest.raises(HandfulError, match=word):
        view_of(hand, parse_card(upcard) if upcard else None, remembered)


def test_scores_that_are_over_are_refused() -> None:
    with pytest.raises(HandfulError, match="0 to 99"):
        advise(view_of(HAND, parse_card("9D"), score=(100, 0)), worlds=1)
    game = Round(GinDeal.from_seed(1))
    with pytest.raises(HandfulError, match="not to move"):
        advise(game.view(1))


def test_each_kind_of_opponent_is_explained_best_by_its_own_habits() -> None:
    """Of what `table`, `quick`, `simple` and `marjj` do, their own habits make the most likely story."""
    from handful.rummy.gin.judgement import shipped_weights
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.quick_fitting import habits_fit
    from handful.rummy.gin.kernels.worlds import NUM_KINDS
    from handful.rummy.gin.thought import shipped_quick

    weights, habits = shipped_quick()
    assert habits.shape[0] == NUM_KINDS
    for kind in range(NUM_KINDS):
        likely = []
        for tried in habits:
            told = np.zeros(4)
            of_all = np.ascontiguousarray(np.tile(tried, (NUM_KINDS, 1)))
            habits_fit(rulebook(EAAI), shipped_weights(), weights, of_all, (17, 0, 60), kind, told)
            likely.append(told[1] + told[3])
        assert int(np.argmax(likely)) == kind
