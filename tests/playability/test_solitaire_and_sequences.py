"""Solitaire Hanabi beside the single player of Bergh 2015, section 3: one card of hand, and the deck's end.

There the hand counts the card that was just drawn, every turn uses exactly one card, and there is one turn after the
last card is drawn. So with hand m the i-th card leaves the hand when i + m − 1 cards are drawn; with hand h = m − 1 in
the solitaire it leaves then at the latest, and in the same order. Hence, for h = m − 1:

- winnable here if and only if playable there with the last h cards of the deck being cards of no use;
- winnable here if and only if playable there when the game does not end before the hand is empty;
- playable there implies winnable here; the converse fails, and only at the deck's end.
"""

from __future__ import annotations

from handful.hanabi import Deal, Rules, State, Variant
from handful.hanabi.cards import Card
from handful.playability.deals.sat import decide
from handful.playability.solitaire import Solitaire, solve
from handful.splitmix import SplitMix64
from tests.playability.solitaire_oracles import is_playable, random_game


def followed_by_useless_cards(game: Solitaire) -> Solitaire:
    """Return the game with h cards more that fit nowhere: they lie above the highest value."""
    useless = [(game.values + 2, 1)] * game.hand
    return Solitaire(game.hand, game.values, game.suits, (*game.sequence, *useless))


def test_the_two_models_differ_by_a_card_of_hand_and_by_the_decks_end() -> None:
    ended_too_soon = winnable = 0
    for number in range(600):
        game = random_game(SplitMix64(10, number), most_cards=9)
        is_winnable = solve(game).winnable
        assert is_winnable == is_playable(followed_by_useless_cards(game), game.hand + 1)
        assert is_winnable == is_playable(game, game.hand + 1, last_turn=False)
        as_printed = is_playable(game, game.hand + 1)
        assert is_winnable or not as_printed
        winnable += bool(is_winnable)
        ended_too_soon += bool(is_winnable) and not as_printed
    assert 100 < ended_too_soon < winnable < 500


def test_bergh_example_3_12() -> None:
    game = Solitaire.of(3, [(1, 1), (2, 1), (3, 1), (4, 1)])
    assert solve(game).winnable
    assert not is_playable(game, 4)
    assert is_playable(Solitaire.of(0, game.sequence), 1)


def test_bergh_example_3_11() -> None:
    game = Solitaire.of(3, [(value, 1) for value in (4, 3, 2, 1, 1, 1, 1)])
    assert is_playable(game, 4)
    assert solve(game).winnable
    assert not solve(Solitaire.of(0, game.sequence)).winnable


def test_the_single_player_is_that_of_our_rules() -> None:
    answers = set()
    for number in range(60):
        chance = SplitMix64(11, number)
        suits, hand_size = 1 + chance.below(2), 1 + chance.below(3)
        cards = [(value, suit) for value in (1, 2, 3) for suit in range(1, suits + 1) for _ in range(2)]
        chance.shuffle(cards)
        game = Solitaire.of(0, cards)
        variant = Variant.custom(suits=suits, copies=(2, 2, 2))
        rules = Rules(
            variant,
            players=1,
            hand_size=hand_size,
            max_hints=0,
            discard_at_max=True,
            bonus_hint=False,
            empty_hints=True,
        )
        state = State(Deal(rules, tuple(Card(suit - 1, value) for value, suit in cards)))
        answer = decide(state).winnable
        assert answer == is_playable(game, hand_size), (number, cards, hand_size)
        answers.add(answer)
    assert answers == {True, False}
