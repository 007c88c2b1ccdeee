from __future__ import annotations

from pathlib import Path

import pytest

from handful.errors import HandfulError
from handful.lab.rummy_play import match_rummy, play_rummy
from handful.rummy import Card, is_rummy, solve
from handful.splitmix import SplitMix64
from tests.rummy.test_policies import greedy_throw


@pytest.fixture(autouse=True)
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))


def in_bit_order(cards: set[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: card.bit)


def play_plainly(policy: str, aces: str, has_pile: bool, seed: int, game: int) -> int:
    """A game of three cards in plain words: the oracle of the kernel."""
    chance = SplitMix64(seed, 2, game)
    deck = in_bit_order({Card(rank, suit) for rank in range(13) for suit in range(4)})
    everything = set(deck)
    chance.shuffle(deck)
    hand, pile = set(deck[:3]), deck[3:]
    thrown: list[Card] = []
    for turn in range(1000):
        if is_rummy(sorted(hand), aces):
            return turn
        if has_pile and not pile:
            pile, thrown = thrown[:-1], thrown[-1:]
            chance.shuffle(pile)
        left = in_bit_order(everything - hand)
        drawn = pile.pop() if has_pile else left[chance.below(len(left))]
        held = in_bit_order({*hand, drawn})
        winning = [card for card in held if is_rummy(sorted({*held} - {card}), aces)]
        if winning:
            card = winning[0]
        elif policy == "random":
            card = held[chance.below(len(held))]
        else:
            card = greedy_throw(3, aces, held, drawn)
        hand = {*held} - {card}
        thrown.append(card)
    return -1


@pytest.mark.kernel
@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("deck", ["replace", "pile"])
def test_games_against_plain_words(policy: str, deck: str) -> None:
    games = 8
    played = play_rummy(policy, aces="wrap", games=games, deck=deck, seed=5, workers=1)
    plain = sorted(play_plainly(policy, "wrap", deck == "pile", 5, game) for game in range(games))
    assert sorted(turn for turn, times in played.histogram.items() for _ in range(times)) == plain


def test_a_deal_takes_what_the_table_says() -> None:
    played = play_rummy("optimal", aces="high", games=20_000, seed=2)
    assert played.expected == solve(3, "high").summary().mean
    assert abs(played.mean - played.expected) < 4 * played.sd / 20_000**0.5


def test_the_order_of_skill() -> None:
    turns = {name: play_rummy(name, games=4000).mean for name in ("optimal", "optimal(tolerance=5)", "random")}
    assert turns["optimal"] < turns["optimal(tolerance=5)"] < turns["random"]


def test_the_same_for_any_number_of_workers() -> None:
    alone = [play_rummy("greedy", games=3500, seed=3, workers=workers, deck="pile") for workers in (1, 2)]
    assert alone[0] == alone[1]
    both = [match_rummy("optimal", "random", games=3500, seed=3, workers=workers, takes=True) for workers in (1, 2)]
    assert both[0] == both[1]
    assert both[0] != match_rummy("optimal", "random", games=3500, seed=4, takes=True)


@pytest.mark.parametrize("takes", [False, True])
@pytest.mark.parametrize("deck", ["replace", "pile"])
def test_matches(takes: bool, deck: str) -> None:
    result = match_rummy("optimal", "random", games=2000, takes=takes, deck=deck)
    assert result.first_wins + result.second_wins + result.unfinished == 2000
    assert result.first_share > 0.75
    assert result.first_share_ci95[0] < result.first_share < result.first_share_ci95[1]
    even = match_rummy("optimal", "optimal", games=2000, takes=takes, deck=deck)
    assert abs(even.first_share - 0.5) < 4 * 0.5 / 2000**0.5
    assert even.better_deal_share is not None
    assert even.better_deal_share > 0.5
    assert even.mean_turns < result.mean_turns


def test_seats_are_equal() -> None:
    one = match_rummy("optimal", "random", games=4000, seed=1)
    other = match_rummy("random", "optimal", games=4000, seed=1)
    assert abs(one.first_share - (1 - other.first_share)) < 0.05
    assert match_rummy("random", "greedy", games=500).better_deal_share is None


def test_games_that_last_too_long_are_given_up() -> None:
    result = match_rummy("random", "random", games=50, most_turns=3)
    assert result.unfinished > 30
    assert play_rummy("random", games=50, most_turns=3).unfinished > 30


def test_what_is_refused() -> None:
    with pytest.raises(HandfulError, match="expected replace or pile"):
        play_rummy(deck="stack")
    with pytest.raises(HandfulError, match="games=0"):
        match_rummy(games=0)
    with pytest.raises(HandfulError, match="most_turns=0"):
        play_rummy(most_turns=0)
    with pytest.raises(HandfulError, match="4 cards, expected 3"):
        play_rummy(hand="AC 2C 3C 9D")
