"""How hard deals are: the panel, the dangers of deals worked out by hand, and where a deal stands among others."""

from __future__ import annotations

import json

import pytest

from handful.bots.players import player_named
from handful.errors import RulesError
from handful.hanabi import Deal, Discard, HintValue, Rules, State, deal_from_live_seed, variant_named
from handful.hanabi.cards import sorted_deck
from handful.hanabi.live.links import record_from_link
from handful.hanabi.variants import NO_VARIANT
from handful.lab.difficulty.dangers import dangers_of, spare_of
from handful.lab.difficulty.deal import all_difficulties, difficulties_of, difficulty_of, percentile_of, reference
from handful.lab.difficulty.panel import Member, panel_for, play_panel, won_by
from handful.lab.difficulty.panel_kernel import slipping_scores
from handful.lab.simulate import simulate
from handful.lab.statistics import spearman
from handful.playability import solve
from tests.web.page_checks import WON

THREE = Rules(players=3)


def deals(count: int, seed: int = 5) -> list[Deal]:
    return [Deal.from_seed(THREE, seed, number) for number in range(count)]


def test_without_slips_a_bot_plays_as_it_always_does() -> None:
    bot = player_named("cheat(worlds=0)").compile(THREE)
    assert bot is not None
    scores = slipping_scores(THREE, bot, deals(30), 2, 0.0, 0)
    assert (scores[:, 0] == scores[:, 1]).all()
    usual = simulate("cheat(worlds=0)", players=3, games=30, seed=5)
    assert scores[:, 0].mean() == pytest.approx(usual.mean)


def test_who_slips_more_wins_less_and_the_same_slips_come_to_the_same() -> None:
    won = [sum(won_by(Member("cheat(worlds=0)", slip), deals(20), 30)) for slip in (0.0, 0.1, 0.4)]
    assert won[0] > won[1] > won[2]
    assert play_panel(deals(4), 20) == play_panel(deals(2), 20) + play_panel(deals(4)[2:], 20)


def test_the_panel_that_deals_are_checked_against_is_not_on_it() -> None:
    for players in range(2, 6):
        assert not [member for member in panel_for(Rules(players=players)) if member.bot.startswith("partner")]


@pytest.mark.parametrize("code", ["R+Y+G+B+P,CS", "R+Y+G+B+Or,AC", "R+Y+G+B,Su"])
def test_a_deal_of_any_variant_is_rated_by_who_plays_it(code: str) -> None:
    deal = Deal.from_seed(Rules(variant_named(code), 3), 1)
    found = difficulty_of(deal, repeats=10)
    assert [each.bot for each in found.panel] == ["cheat(worlds=0)"] * 3
    assert (found.winnable, found.percentile) == (True, None)


def test_a_bot_of_the_panel_that_cannot_play_is_named() -> None:
    with pytest.raises(RulesError, match="conventions"):
        won_by(Member("conventions", 0.0), deals(1), 1)


# Spare discards and dangers


def in_order(*last: str) -> Deal:
    """Return a deal of three players, all ones first, then all twos, …; some cards are moved to the end."""
    deck = sorted(sorted_deck(NO_VARIANT), key=lambda card: card.value)
    letters = "rygbp"
    for name in last:
        card = next(card for card in reversed(deck) if (letters[card.suit], card.value) == (name[0], int(name[1])))
        deck.remove(card)
        deck.append(card)
    return Deal(THREE, tuple(deck))


def test_what_is_to_spare_in_a_deck_that_comes_in_order() -> None:
    # 35 cards to draw and 3 last turns are 38 turns for 25 points, so that 13 discards are affordable. Whatever comes
    # in order can be played as it comes, and none must be made.
    assert spare_of(in_order()) == 13 - len(forced_in_order())


def forced_in_order() -> list[str]:
    """The discards of a player with 15 cards, all of the deck in order: turns on which nothing can be played."""
    deck = [f"{card.suit}{card.value}" for card in in_order().deck]
    hand, rest, heights, discards = deck[:15], deck[15:], [0] * 5, []
    while sum(heights) < 25:
        fits = [card for card in hand if heights[int(card[0])] == int(card[1]) - 1]
        card = fits[0] if fits else next(card for card in hand if heights[int(card[0])] >= int(card[1]))
        hand.remove(card)
        if fits:
            heights[int(card[0])] += 1
        else:
            discards.append(card)
        hand += rest[:1]
        rest = rest[1:]
    return discards


def test_a_card_that_comes_late_holds_the_others_up() -> None:
    deal = Deal(
        THREE, (*(card for card in in_order().deck if (card.suit, card.value) != (0, 1)), *[in_order().deck[0]] * 3)
    )
    late = [danger for danger in dangers_of(deal) if danger.kind == "late"]
    if spare_of(deal) is not None:
        assert late[0].card == "r1"
        assert late[0].places == (48, 49, 50)
        assert "comes first as card 48" in late[0].words


def test_a_copy_at_the_bottom_makes_the_other_one_precious() -> None:
    deal = in_order("r2")
    (places,) = [danger.places for danger in dangers_of(deal) if danger.card == "r2" and danger.kind == "keep"]
    assert places == (16, 50)
    assert not [danger for danger in dangers_of(in_order()) if danger.card == "r2"]


def test_what_may_not_be_thrown_is_lost_indeed() -> None:
    """Where a precious copy is thrown, the solver, by all rules, finds the game lost as well."""
    found = 0
    for number in range(100):
        deal = Deal.from_seed(Rules(players=2), 8, number)
        for danger in dangers_of(deal):
            if danger.kind == "keep" and len(danger.places) == 2 and danger.places[0] <= 5 and solve(deal).winnable:
                state = State(deal)
                state.act(HintValue(1, deal.deck[5].value))
                state.act(HintValue(0, deal.deck[0].value))
                state.act(Discard(danger.places[0] - 1))
                assert solve(state).winnable is False
                found += 1
    assert found >= 5


def test_a_deal_that_cannot_be_won_has_nothing_to_spare() -> None:
    assert spare_of(deal_from_live_seed("p2v0s40")) is None
    assert dangers_of(deal_from_live_seed("p2v0s40")) == ()
    slow = spare_of(deal_from_live_seed("p2v0s220"))  # by pace: 18 discards, and 17 are affordable
    assert slow == -1


# A deal


def test_a_deal_as_plain_values() -> None:
    found = difficulty_of(deal_from_live_seed("p3v0s2"), repeats=20)
    told = json.loads(json.dumps(found.to_dict()))
    assert (told["seed"], told["winnable"], told["players"], told["pace"]) == ("p3v0s2", True, 3, 13)
    assert told["difficulty"] == pytest.approx(1 - sum(each["share"] for each in told["panel"]) / 4)
    assert [each["plays"] for each in told["panel"]] == [20] * 4
    assert "<table>" in found._repr_html_()


def test_other_workers_give_the_same() -> None:
    some = deals(12)
    assert all_difficulties(some, workers=2) == difficulties_of(some)


def test_other_variants_have_no_percentile() -> None:
    rules = Rules(variant_named("6 Suits"), 4)
    assert difficulty_of(Deal.from_seed(rules, 1), repeats=2).percentile is None


def test_percentiles() -> None:
    for (variant, players), found in reference().items():
        assert (variant, list(found)) == ("No Variant", sorted(found))
        rules = Rules(players=players)
        assert percentile_of(rules, -1.0) == 0
        assert percentile_of(rules, 2.0) == 100
        assert percentile_of(rules, found[len(found) // 2]) == pytest.approx(50, abs=5)
        assert percentile_of(Rules(players=players, max_hints=7), 0.5) is None
    assert sorted(players for _, players in reference()) == [2, 3, 4, 5]


def test_a_deal_of_a_link_has_no_seed() -> None:
    assert difficulty_of(record_from_link(WON).deal, repeats=2).seed == ""


def test_ranks_that_are_equal_are_shared() -> None:
    assert spearman([1, 2, 3], [3, 2, 1]) == -1
    assert spearman([1, 1, 1], [3, 2, 1]) == 0
    # Ranks 1½ 1½ 3 and 1 2 3: Σ of products of deviations 1.5, of squares 1.5 and 2.
    assert spearman([5, 5, 9], [1, 2, 3]) == pytest.approx(1.5 / (1.5 * 2) ** 0.5)


def test_where_stacks_do_not_go_up_from_1_nothing_is_said_of_dangers() -> None:
    deal = Deal.from_seed(Rules(variant_named("Up or Down (5 Suits)"), 3), 1)
    assert (spare_of(deal), dangers_of(deal)) == (None, ())
