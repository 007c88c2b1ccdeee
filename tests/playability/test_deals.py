"""The solver of deals against brute force: every deal of tiny games, samples of small ones, positions in the middle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handful.errors import RulesError
from handful.hanabi import Action, Card, Deal, Play, Rules, State, Turn, Variant, record_from_link
from handful.hanabi.cards import sorted_deck
from handful.playability import Solution, solve
from handful.playability.deals.sat import decide
from handful.playability.deals.solve import MERGED, _lost_free_game, quick_methods
from handful.splitmix import SplitMix64
from tests.playability import brute_force
from tests.playability.brute_force import Box, Table

TINY = [
    Rules(Variant.custom(2, copies=copies), players, hand_size, hints, strikes, bonus_hint=bonus)
    for copies in ((2, 1), (1, 2))
    for players, hand_size in ((2, 1), (2, 2), (3, 1))
    for hints, strikes, bonus in ((0, 1, True), (1, 1, True), (1, 2, False), (2, 3, True))
]


def every_order(cards: list[Card]) -> Iterator[list[Card]]:
    """Yield every different order of the cards."""
    if not cards:
        yield []
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for order in every_order(rest):
            yield [card, *order]


def can_win(state: State) -> bool:
    rules, variant = state.rules, state.rules.variant
    box = Box(
        *(variant.num_suits, variant.num_values, rules.players, rules.hand_size, rules.max_hints),
        *(rules.max_strikes, rules.bonus_hint, rules.discard_at_max),
    )
    hands = tuple(
        tuple(sorted((card.suit, card.value) for card in state.hand(player))) for player in range(rules.players)
    )
    drawn = len(state.deal.deck) - state.deck_size
    table = Table(state.stacks, hands, drawn, state.current, state.hints, state.strikes, state.turns_left)
    return brute_force.can_win(box, tuple((card.suit, card.value) for card in state.deal.deck), table)


def assert_right(state: State) -> Solution:
    found = solve(state)
    if found.winnable is not None:
        assert found.winnable == can_win(state), (state.rules, state.deal.text(), state.history)
    if found.winnable:
        after = state.copy()
        for action in found.line:
            after.act(action)
        assert after.score == state.rules.max_score
    else:
        assert found.upper_bound < state.rules.max_score or found.winnable is None
    return found


def assert_free_game_is_easier(state: State, found: Solution) -> None:
    """A free game that cannot be won is a game that cannot be won."""
    if not state.is_over and _lost_free_game(state):
        assert found.winnable is False


def assert_right_on_every(rules: Rules, nth: int) -> None:
    """Check every n-th deal of a tiny game."""
    for number, order in enumerate(every_order(sorted_deck(rules.variant))):
        if number % nth == 0:
            state = State(Deal.from_cards(rules, order))
            found = assert_right(state)
            assert found.winnable is not None
            assert_free_game_is_easier(state, found)


@pytest.mark.parametrize("rules", TINY[::2], ids=str)
def test_deals_of_tiny_games(rules: Rules) -> None:
    assert_right_on_every(rules, nth=37)


@pytest.mark.full
@pytest.mark.parametrize("rules", TINY, ids=str)
def test_every_deal_of_tiny_games(rules: Rules) -> None:
    assert_right_on_every(rules, nth=1)


def test_sampled_small_games_from_the_middle() -> None:
    undecided = answers = 0
    for number in range(30):
        chance = SplitMix64(number)
        copies = chance.choice([(2, 2, 1), (3, 2, 1), (2, 1, 1), (1, 1, 2)])
        players, hand_size = chance.choice([(2, 2), (2, 3), (3, 2), (4, 1), (3, 1)])
        variant = Variant.custom(chance.choice([2, 3]), copies=copies)
        rules = Rules(variant, players, hand_size, chance.below(4), 1 + chance.below(3))
        state = State(Deal.from_seed(rules, 5, number))
        for _ in range(chance.below(4)):
            if not state.is_over:
                state.act(chance.choice(state.legal_actions()))
        found = assert_right(state)
        assert_free_game_is_easier(state, found)
        undecided += found.winnable is None
        answers += found.winnable is True
    assert undecided == 0
    assert 5 < answers < 25


def test_the_links_game_could_be_won_from_its_first_turn() -> None:
    link = (
        "415pagnsvvmkcjbqfqph-drurfleyguthflinwxdi-awmkscaoxpbuk,03ocka-eiepkcgdoaeoebtdeles-"
        "sbeeejxafaewwaereteh-exeneckaeqfme5saekfv-e1ffxaf0edegfuf4fBeC-1af7eIwaf3wae8fzwafA-ey,0"
    )
    record = record_from_link(link)
    found = solve(record.deal)
    assert found.winnable
    assert record_from_link(found.link()).replay().score == 25
    values = found.to_dict()
    assert values["winnable"] is True
    assert len(values["line"]) == len(found.line)


def test_all_fours_and_fives_on_top_cannot_be_won() -> None:
    """Bergh 2015, Example 3.2."""
    deck = [Card(suit, 5) for suit in range(5)] + [Card(suit, 4) for suit in range(5) for _ in range(2)]
    rest = sorted_deck(Rules().variant)
    for card in deck:
        rest.remove(card)
    found = solve(Deal.from_cards(Rules(players=2), [*deck, *rest]))
    assert found.winnable is False
    assert found.reason.startswith(("capacity", "pace"))


def test_a_lost_card_is_named() -> None:
    game = next(game for game in range(50) if any(card.value == 5 for card in first_hand(game)))
    state = State(Deal.from_seed(Rules(players=2), 3, game))
    state.act(Play([card.value for card in state.hand(0)].index(5)))
    found = solve(state)
    assert found.winnable is False
    assert found.reason.startswith("lost card: no ")
    assert found.upper_bound == 24


def first_hand(game: int) -> tuple[Card, ...]:
    return State(Deal.from_seed(Rules(players=2), 3, game)).hand(0)


def test_games_without_an_end_are_refused() -> None:
    with pytest.raises(RulesError, match="cannot be solved"):
        solve(Deal.from_seed(Rules(end_of_deck="never"), 0))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_deals_are_decided(players: int) -> None:
    found = [solve(Deal.from_seed(Rules(players=players), 1, game)) for game in range(30)]
    assert sum(one.winnable is None for one in found) == 0
    assert sum(one.winnable is True for one in found) >= 29


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_deals_decided_together_are_decided_as_one_by_one(players: int) -> None:
    rules = Rules(players=players)
    methods = quick_methods(rules, 1, 100, 40)
    found = [solve(Deal.from_seed(rules, 1, game)) for game in range(100, 140)]
    assert methods == [one.method if one.method != "SAT" else None for one in found]
    assert quick_methods(rules, 1, 110, 5) == methods[10:15]  # whatever was decided before


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_lost_deal_is_refuted_by_the_formula(players: int) -> None:
    rules = Rules(players=players)
    lost = [game for game, method in enumerate(quick_methods(rules, 0, 0, 20_000)) if method in (None, MERGED)]
    for game in lost:
        deal = Deal.from_seed(rules, 0, game)
        assert solve(deal).winnable is decide(State(deal)).winnable


def test_a_lost_deal_comes_with_its_best_line() -> None:
    deal = Deal.from_seed(Rules(players=2), 0, 36)
    found = solve(deal)
    assert (found.winnable, found.score, found.upper_bound) == (False, 24, 24)
    after = State(deal)
    for action in found.line:
        after.act(action)
    assert after.score == 24


def test_who_holds_what() -> None:
    """A deal that one player with ten cards could win, and two with five cannot, even with free hints."""
    found = solve(Deal.from_seed(Rules(players=2), 0, 463))
    assert (found.winnable, found.method) == (False, "free game")
    assert found.reason.startswith("who holds what: ")


def test_a_line_is_played_once_on_its_way_to_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    acted = 0
    act = State.act

    def counted(state: State, action: Action) -> Turn:
        nonlocal acted
        acted += 1
        return act(state, action)

    monkeypatch.setattr(State, "act", counted)
    found = solve(Deal.from_seed(Rules(players=3), seed=1))
    shown = found.to_dict()
    assert found.link() == shown["link"]
    assert found.record(("A", "B", "C")).to_json()["actions"] == shown["line"]
    assert acted == len(found.line) == len(found.turns)
    assert [turn.action for turn in found.turns] == list(found.line)
    assert found.finished.after(0).legal_actions() == State(Deal.from_seed(Rules(players=3), seed=1)).legal_actions()
