"""Rounds: paragraphs of the rules, kernels in lockstep with the plain rules, and players that see only a view."""

from __future__ import annotations

import numpy as np
import pytest

from handful.errors import HandfulError, IllegalActionError
from handful.rummy.cards import Card, parse_card, parse_cards
from handful.rummy.gin import PLAYERS, PRESETS, GinDeal, GinRules, Round, gin_rules, player_named, settle
from handful.rummy.gin.actions import NUM_ACTIONS, PASS
from handful.rummy.gin.deal import number_of
from handful.splitmix import SplitMix64

HOUSES = [*PRESETS.values(), gin_rules("hoyle, oklahoma=yes, spades_double=yes"), gin_rules("openspiel, wall=12")]


def played(deal: GinDeal, rules: GinRules, names: tuple[str, str], chance: SplitMix64) -> Round:
    game = Round(deal, rules)
    while not game.is_over:
        game.act(player_named(names[game.current]).choose(game.view(game.current), chance))
    return game


def test_who_starts_may_take_the_upcard_then_the_dealer_then_the_stock_is_drawn_from() -> None:
    game = Round(GinDeal.from_seed(3))
    game.act(PASS)
    game.act(PASS)
    assert game.current == 0
    assert [str(action) for action in game.legal_actions()] == ["draw"]


def test_the_card_just_taken_may_not_be_thrown() -> None:
    game = Round(GinDeal.from_seed(3))
    taken = game.upcard
    game.act(52)
    assert str(taken) not in {str(action.card) for action in game.legal_actions()}
    with pytest.raises(IllegalActionError, match="not legal"):
        game.act(number_of(taken or Card(0, 0)))


@pytest.mark.parametrize(
    ("rules", "defender", "ending", "points"),
    [
        ("eaai", "KC KD QH QS JC JD 9H 9S 8D 2C", "knock", 88 - 10),
        ("eaai", "KC KD QH QS JC JD 9C 9S 8D 2S", "knock", 77 - 10),  # 9C and 2S are laid off
        ("eaai", "2C 2D 2H 5C 5D 5H 9C 9D 9H 10S", "undercut", 25),
        ("openspiel", "2C 2D 2H 5C 5D 5H 9C 9D 9H 10S", "knock", 0),
        ("eaai", "2C 2D 2H 5C 5D 5H 9C 9D 9H 4D", "undercut", 25 + 6),
        ("eaai", "2C 2D 2H 5C 5D 5H 9C 9D 9H AS", "undercut", 25 + 10),  # the ace is laid off
    ],
)
def test_points_of_a_knock_with_ten(rules: str, defender: str, ending: str, points: int) -> None:
    knocker = set(parse_cards("AC AD AH 3S 4S 5S 6C 7C 8C KS"))
    settled = settle(gin_rules(rules), knocker, set(parse_cards(defender)), 0)
    assert (settled.ending, settled.points) == (ending, points)


def test_gin_allows_no_lay_offs() -> None:
    knocker = set(parse_cards("AC AD AH 3S 4S 5S 6S 10C JC QC"))
    settled = settle(PRESETS["eaai"], knocker, set(parse_cards("7S 8S 9S KC 2D 2H 4D 4H 6D 6H")), 1)
    assert (settled.ending, settled.winner, settled.points) == ("gin", 1, 25 + 34)


def test_big_gin_and_oklahoma() -> None:
    eleven = set(parse_cards("AC AD AH 3S 4S 5S 6S 10C JC QC KC"))
    assert settle(PRESETS["hoyle"], eleven, set(parse_cards("2D 2H 4D 4H 6D 6H 8D 8H QD QH")), 0).points == 60 + 31
    assert gin_rules("oklahoma=yes").limit_for(1) == 0


@pytest.mark.parametrize("text", ["eai", "eaai, wall=0", "knock_limit=11", "oklahoma=maybe", "eaai, colour=3"])
def test_rules_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(HandfulError):
        gin_rules(text)


def test_a_deal_with_a_card_twice_is_refused() -> None:
    with pytest.raises(HandfulError, match="twice"):
        GinDeal.from_cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C", "AC 2D 3D 4D 5D 6D 7D 8D 9D 10D", parse_card("KS"))


@pytest.mark.kernel
@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_kernels_follow_the_plain_rules(rules: GinRules) -> None:
    from handful.rummy.gin.kernels.bridge import round_record, rulebook, view_record
    from handful.rummy.gin.kernels.layout import VIEW
    from handful.rummy.gin.kernels.round import act, legal_actions, show, start_round

    book, legal = rulebook(rules), np.zeros(NUM_ACTIONS, np.bool_)
    endings = set()
    for number in range(16):
        chance = SplitMix64(5, number)
        game = Round(GinDeal.from_seed(11, number), rules, starter=number & 1, scores=(40, 62))
        rounds = round_record(game)
        start_round(rounds, 0, book, number & 1)
        assert rounds == round_record(game)
        while not game.is_over:
            legal_actions(rounds, 0, book, legal)
            assert np.flatnonzero(legal).tolist() == game.legal_numbers()
            views = np.zeros(1, VIEW)
            show(rounds, 0, views, 0, game.current)
            assert views == view_record(game.view(game.current))
            name = ("simple", "random", "marjj", "simple")[number % 4]
            action = player_named(name).choose(game.view(game.current), chance).number
            game.act(action)
            act(rounds, 0, book, action)
            assert rounds == round_record(game), (number, action)
        assert game.settlement is not None
        endings.add(game.settlement.ending)
    assert len(endings) > 1


@pytest.mark.parametrize("name", PLAYERS)
def test_no_choice_depends_on_what_cannot_be_seen(name: str) -> None:
    """Whatever is hidden is dealt anew before each choice, which must stay the same."""
    game, chance, hidden = Round(GinDeal.from_seed(21)), SplitMix64(1), SplitMix64(2)
    compared = 0
    while not game.is_over:
        seat, other = game.current, game.copy()
        known = other.known[1 - seat]
        pool = [*sorted(other.hands[1 - seat] - known), *other.stock]
        hidden.shuffle(pool)
        size = len(other.hands[1 - seat]) - len(known)
        other.hands[1 - seat], other.stock = known | set(pool[:size]), pool[size:]
        twin = SplitMix64(0)
        twin.counter = chance.counter
        action = player_named(name).choose(game.view(seat), chance)
        assert player_named(name).choose(other.view(seat), twin) == action
        compared += other.hands != game.hands
        game.act(action)
    assert compared


def test_compiled_rounds_are_plain_ones() -> None:
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.play import play_rounds
    from handful.rummy.gin.players import seat_chance, shared_minds

    results = np.zeros(6, np.int64)
    play_rounds(rulebook(PRESETS["eaai"]), (1, 3), shared_minds(), 9, 0, results)
    for number, points in enumerate(results):
        game = Round(GinDeal.from_seed(9, number), starter=number & 1)
        chances = [seat_chance(9, number, seat) for seat in range(2)]
        while not game.is_over:
            player = player_named(("simple", "table")[game.current])
            game.act(player.choose(game.view(game.current), chances[game.current]))
        assert game.settlement is not None
        assert points == (1 if game.settlement.winner == 0 else -1) * game.settlement.points


def test_all_players_finish_rounds_under_all_rules() -> None:
    for rules in HOUSES:
        for number, name in enumerate(PLAYERS):
            game = played(GinDeal.from_seed(4, number), rules, (name, "simple"), SplitMix64(number))
            assert game.is_over
            assert game.settlement is not None
