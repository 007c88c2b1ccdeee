"""The bot `search`: honest whatever it prefers, exact at the end, and stronger than its blueprint."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from handful._records import words_of
from handful.bots import player_named
from handful.bots.search import blueprint_for
from handful.bots.seats import CompiledSeat
from handful.bots.table import seat_bots, tell
from handful.bots.table_kernel import CompiledTable
from handful.errors import NotationError, RulesError
from handful.hanabi import Action, Deal, Rules, State, View, card_index
from handful.hanabi.actions import action_at, action_index
from handful.hanabi.cards import card_at
from handful.hanabi.kernels.layout import MAX_ACTIONS, PERFECT
from tests.bots.conformance import assert_blind_to_hidden_cards

# Takes whatever is better at all, in few worlds: it does other things than the blueprint as often as it can.
RESTLESS = "search(blueprint={}, worlds=12, z=0.5, hands=30)"
# Deals with small endgames; in one position of 24 and in one of 115 the blueprint's action is not the best.
EXACT_SEEDS = (0, 1, 2, 24, 115)


def seats_of(name: str, rules: Rules, seed: int) -> list[CompiledSeat]:
    seats = seat_bots(rules, [player_named(name).plain] * rules.players, seed)
    return [seat for seat in seats if isinstance(seat, CompiledSeat)]


def public_masks(seat: CompiledSeat, rules: Rules) -> list[list[int]]:
    """Return what each card can be for all to know, as a seat has it: per player and slot."""
    row = seat._memory[seat.seat]
    if rules.players == 2:
        from handful.bots.conventions.notes_kernel import HAND, NOTES

        masks, stride = row[: words_of(NOTES)].view(NOTES)[0]["masks"].ravel(), HAND
    else:
        from handful.bots.hat.notes_kernel import notes_of

        masks, stride = notes_of(row)["masks"], rules.hand_size
    return [[int(masks[player * stride + slot]) for slot in range(rules.hand_size)] for player in range(rules.players)]


@pytest.mark.parametrize(("players", "blueprint"), [(2, "best"), (2, "learned"), (3, "best"), (4, "best"), (5, "best")])
def test_nobody_is_misled_when_other_actions_are_preferred(players: int, blueprint: str) -> None:
    """All seats read every turn in the same way, and what they read is true, though many are not the blueprint's."""
    rules = Rules(players=players)
    others = 0
    for seed in range(8 if players > 2 else 2):
        state, seats = State(Deal.from_seed(rules, seed)), seats_of(RESTLESS.format(blueprint), rules, seed)
        habits = seats_of(blueprint_for(rules), rules, seed)
        while not state.is_over:
            view = state.view(state.current)
            action = seats[state.current].choose(view)
            others += action != habits[state.current].choose(view)
            turn = state.act(action)
            tell(state, seats, turn)
            tell(state, habits, turn)
            masks = public_masks(seats[0], rules)
            for seat in (*seats[1:], *habits):
                assert public_masks(seat, rules) == masks, f"turn {state.turn_number}: seat {seat.seat}"
            for player in range(players):
                for slot, card in enumerate(state.hand(player)):
                    assert masks[player][slot] >> card_index(rules.variant, card) & 1, f"turn {state.turn_number}"
    assert others >= 5


@pytest.mark.parametrize(("players", "blueprint"), [(2, "conventions"), (2, "learned"), (3, "information")])
def test_hidden_cards_change_no_choice_when_it_searches_from_the_first_turn(players: int, blueprint: str) -> None:
    bot = player_named(f"search(blueprint={blueprint}, worlds=12, z=0.5, hands=30, deck=60)")
    assert assert_blind_to_hidden_cards(Rules(players=players), bot.plain, players) > 10


def replayed(deal: Deal, actions: list[Action]) -> tuple[State, list[CompiledSeat]]:
    """Return the position after some actions on a deal, with the blueprint in both seats."""
    state, seats = State(deal), seats_of("conventions", deal.rules, 0)
    for action in actions:
        tell(state, seats, state.act(action))
    return state, seats


def wins_after(deal: Deal, actions: list[Action]) -> bool:
    """Return whether the blueprint reaches a perfect game after some actions."""
    state, seats = replayed(deal, actions)
    while not state.is_over:
        tell(state, seats, state.act(seats[state.current].choose(state.view(state.current))))
    return state.ending == "perfect"


def all_deals(state: State, masks: list[int]) -> list[Deal]:
    """Return all deals that differ from this one in what the player to move cannot see, and fit the masks."""
    variant, seat = state.rules.variant, state.current
    orders = [held.order for held in state.hands[seat]]
    first = len(state.deal.deck) - len(state.deck())
    hidden = [*state.hand(seat), *state.deck()]
    deals = []
    for cards in sorted(set(permutations(card_index(variant, card) for card in hidden))):
        if all(mask >> card & 1 for mask, card in zip(masks, cards, strict=False)):
            deck = list(state.deal.deck)
            for order, card in zip([*orders, *range(first, len(deck))], cards, strict=True):
                deck[order] = card_at(variant, card)
            deals.append(Deal(state.rules, tuple(deck), starter=state.deal.starter))
    return deals


def honest_actions(seat: CompiledSeat, view: View, habit: Action) -> list[Action]:
    """Return what the seat may do without a lie, the blueprint's action first; the seat has just chosen that."""
    from handful.bots.conventions.notes_kernel import PAPER
    from handful.bots.search.conventions_kernel import list_honest
    from handful.hanabi.kernels.bridge import game_from_view

    numbers = np.zeros(MAX_ACTIONS, np.int64)
    numbers[0] = action_index(view.rules, seat.seat, habit)
    paper: Any = seat._memory[seat.seat, : words_of(PAPER)].view(PAPER)[0]
    weights = seat._parameters[seat.seat]
    count = list_honest(game_from_view(view)[0], seat._rules[0], paper, seat.seat, weights, numbers)
    return [action_at(view.rules, seat.seat, int(number)) for number in numbers[:count]]


def test_the_exact_endgame_takes_the_best_expectation() -> None:
    """Brute force at a plain table, over all deals that fit: no honest action would win more of them."""
    rules, compared, improved = Rules(players=2), 0, 0
    for seed in EXACT_SEEDS:
        state, actions = State(Deal.from_seed(rules, seed)), list[Action]()
        seats, thinkers = (
            seats_of("conventions", rules, seed),
            seats_of("search(blueprint=conventions, deck=1, back=0)", rules, seed),
        )
        while not state.is_over:
            seat, view = seats[state.current], state.view(state.current)
            habit = seat.choose(view)
            deals = []
            if len(state.deck()) <= 1 and state.points + (state.turns_left or 3) >= rules.max_score:
                deals = all_deals(state, public_masks(seat, rules)[state.current])
            if 0 < len(deals) <= 36:
                wins = {
                    action: sum(wins_after(deal, [*actions, action]) for deal in deals)
                    for action in honest_actions(seat, view, habit)
                }
                chosen = thinkers[state.current].choose(view)
                assert wins[chosen] == max(wins.values())
                assert chosen == habit or wins[chosen] > wins[habit]
                compared, improved = compared + 1, improved + (chosen != habit)
            actions.append(habit)
            turn = state.act(habit)
            tell(state, seats, turn)
            tell(state, thinkers, turn)
    assert compared >= 3
    assert improved == 2


@pytest.mark.kernel
def test_all_orders_of_the_unseen_cards_are_listed_once() -> None:
    from handful.bots.search.worlds_kernel import count_orders, next_order

    pool = np.array([1, 1, 2, 3], np.int8)
    listed = [tuple(pool.tolist())]
    while next_order(pool, 4):
        listed.append(tuple(pool.tolist()))
    assert listed == sorted(set(permutations([1, 1, 2, 3])))
    assert count_orders(np.array([1, 1, 2, 3], np.int8), 4) == len(listed)


def scene_of(worlds: int) -> Any:
    """Return a scene with room for so many worlds, of a position that does not matter."""
    from handful.bots.search.race_kernel import SEARCH, set_scene
    from handful.bots.search.settings import search_settings
    from handful.hanabi.kernels.layout import GAME, rulebook_of

    settings = search_settings("information", 3, worlds=worlds).view(SEARCH)[0]
    rules = rulebook_of(Rules(players=2))
    return set_scene(np.zeros(1, GAME), 0, rules, np.zeros(1, np.int64), 1, settings, np.zeros(1))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("rates", "is_exact", "chosen"),
    [
        ((0.5, 0.9, 0.2), False, 1),
        ((0.5, 0.52, 0.5), False, 0),
        ((1.0, 1.0, 1.0), False, 0),
        ((0.5, 0.4, 0.55), True, 2),
        ((0.5, 0.5, 0.5), True, 0),
    ],
)
def test_a_race_is_won_by_what_is_clearly_better(rates: tuple[float, ...], is_exact: bool, chosen: int) -> None:
    """Action a wins in the first share `rates[a]` of 100 worlds, in an order that is the same for all."""
    from handful.bots.search.race_kernel import UNTRIED, plan_tries, start_race

    worlds = 100
    scene = scene_of(worlds)
    start_race(scene, len(rates), worlds, 1, is_exact)
    while plan_tries(scene):
        for action, world in scene.tries[: scene.races[0]["num_tries"]]:
            assert scene.values[action, world] == UNTRIED, "nothing is tried twice"
            scene.values[action, world] = world * 37 % worlds < rates[action] * worlds
    assert scene.races[0]["chosen"] == chosen


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("tried", "chosen"),
    [
        ((40, 40, 0), 1),  # clearly better in the first 40 worlds
        ((40, 4, 0), 0),  # not clear yet
        ((0, 40, 40), 0),  # nothing to compare with
        ((40, 20, 40), 2),  # wins in more of the worlds in which it was tried
    ],
)
def test_when_time_is_up_what_is_clear_by_then_is_chosen(tried: tuple[int, ...], chosen: int) -> None:
    """The first action wins in every other world, the second in three of four, the third in all."""
    from handful.bots.search.race_kernel import end_early, start_race

    scene = scene_of(100)
    start_race(scene, 3, 100, 1, False)
    for action, worlds in enumerate(tried):
        for world in range(worlds):
            scene.values[action, world] = world % (2, 4, 101)[action] != 0
    end_early(scene)
    assert scene.races[0]["chosen"] == chosen


def test_a_budget_of_time_ends_a_search() -> None:
    """With no time at all it plays as its blueprint, with more than it needs as without a budget."""
    rules = Rules(players=3)
    names = ("information", "search(milliseconds=0.0001)", "search", "search(milliseconds=600000)")
    bots = [player_named(name).compile(rules) for name in names]
    played = [CompiledTable(rules, [bot] * 3).play(seed=6, first=0, count=4) for bot in bots if bot is not None]
    turns = [result.turns.tolist() for result in played]
    assert turns[0] == turns[1]
    assert turns[2] == turns[3]


def test_it_wins_deals_that_its_blueprint_loses() -> None:
    rules, count = Rules(players=2), 14
    name = "search(blueprint=conventions, worlds=60, hands=120)"
    search, blueprint = (player_named(each).compile(rules) for each in (name, "conventions"))
    assert search is not None
    assert blueprint is not None
    ours, theirs = (
        CompiledTable(rules, [bot] * 2).play(seed=8, first=0, count=count).endings == PERFECT
        for bot in (search, blueprint)
    )
    assert ours.sum() > theirs.sum()


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(RulesError, match="'conventions' plays with 2 players"):
        player_named("search(blueprint=conventions)").compile(Rules(players=3))
    with pytest.raises(RulesError, match="knows perfect games alone"):
        player_named("search(blueprint=learned, objective=mean)").compile(Rules(players=2))
    with pytest.raises(NotationError, match="objective=best"):
        player_named("search(objective=best)")


def test_it_explains_as_its_blueprint_does() -> None:
    names = ("Alice", "Bob", "Cathy")
    explainer = player_named("search").explainer(Rules(players=3), names)
    assert type(explainer).__name__ == "InformationExplainer"


def test_the_mean_can_be_what_counts() -> None:
    """With the mean as its aim the bot keeps to the rules, and strikes out no more often than otherwise."""
    rules = Rules(players=2)
    bot = player_named("search(objective=mean, worlds=16, hands=30)").compile(rules)
    assert bot is not None
    results = CompiledTable(rules, [bot] * 2).play(seed=3, first=0, count=3)
    assert results.scores.min() > 10


def test_nobody_is_misled_on_top_of_partner() -> None:
    from handful.bots.partner.notes_kernel import NOTES

    rules, name = Rules(players=3), "search(blueprint=partner, worlds=12, z=0.5, deck=5)"
    state, others = State(Deal.from_seed(rules, 4)), 0
    seats, habits = seats_of(name, rules, 4), seats_of("partner", rules, 4)
    while not state.is_over:
        view = state.view(state.current)
        action = seats[state.current].choose(view)
        others += action != habits[state.current].choose(view)
        turn = state.act(action)
        tell(state, seats, turn)
        tell(state, habits, turn)
        rows = [seat._memory[seat.seat][: words_of(NOTES)] for seat in seats]
        assert all((row == rows[0]).all() for row in rows)
        masks = rows[0].view(NOTES)[0]["masks"]
        for player in range(rules.players):
            for slot, card in enumerate(state.hand(player)):
                assert int(masks[player * rules.hand_size + slot]) >> card_index(rules.variant, card) & 1
    assert others


@pytest.mark.parametrize("name", ["information", "conventions", "partner"])
def test_the_blueprint_can_be_named(name: str) -> None:
    assert player_named(f"search(blueprint={name})").compile(Rules(players=2)) is not None
