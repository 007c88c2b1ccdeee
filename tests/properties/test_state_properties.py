"""What holds in every game: any variant, 1 to 6 players, any options, whoever plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from handful.hanabi import (
    VARIANTS,
    Action,
    Card,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    Variant,
    action_at,
    action_index,
    card_index,
)
from handful.hanabi.cards import sorted_deck
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, Player

MANY = settings(max_examples=150, deadline=None, derandomize=True)
FEW = settings(MANY, max_examples=60)

# Unlimited hints and no end of the deck make endless games.
MOST_TURNS = 120

CUSTOM = (Variant.custom(1, copies=(2, 2, 1)), Variant.custom(2, copies=(1, 1, 1)), Variant.custom(3, values=4))


@st.composite
def all_rules(draw: st.DrawFn) -> Rules:
    variant = draw(st.sampled_from([*VARIANTS.values(), *CUSTOM]))
    players = draw(st.integers(1, min(6, variant.num_cards)))
    return Rules(
        variant,
        players,
        hand_size=draw(st.integers(1, min(5, variant.num_cards // players))),
        max_hints=draw(st.sampled_from([8, 8, 3, 1, 0, None])),
        max_strikes=draw(st.sampled_from([3, 3, 1, 20, None])),
        strike_score=draw(st.sampled_from(["zero", "keep", "keep-on-last-turn"])),
        empty_hints=draw(st.booleans()),
        discard_at_max=draw(st.booleans()),
        bonus_hint=draw(st.booleans()),
        end_of_deck=draw(st.sampled_from(["last-round", "last-round", "never"])),
    )


@dataclass
class Game:
    """A deal, who plays it, and the seed of all choices."""

    deal: Deal
    player: Player
    seed: int

    def turns(self, state: State | None = None) -> Iterator[tuple[State, Action]]:
        """Yield the state before each turn, with the action that comes next, and carry it out."""
        state, chance = state or State(self.deal), SplitMix64(self.seed)
        while not state.is_over and state.turn_number <= MOST_TURNS:
            action = self.player(state, chance)
            yield state, action
            state.act(action)

    def after(self, num_turns: int) -> State:
        """Return the state after so many turns, or at the end."""
        state = State(self.deal)
        for _ in zip(self.turns(state), range(num_turns), strict=False):
            pass
        return state


@st.composite
def games(draw: st.DrawFn) -> Game:
    rules = draw(all_rules())
    deal = Deal.from_seed(rules, draw(st.integers(0, 1 << 32)))
    deal = Deal(rules, deal.deck, starter=draw(st.integers(0, rules.players - 1)))
    return Game(deal, draw(st.sampled_from(PLAYERS)), draw(st.integers(0, 1 << 32)))


def snapshot(state: State) -> object:
    return state.common_knowledge(), state.deck(), state.ending, state.score, repr(state)


def position(state: State) -> object:
    """All that matters for what comes: not the numbers of the cards, nor what happened before."""
    players = range(state.rules.players)
    knowledge = [[held.knowledge for held in state.hands[player]] for player in players]
    table = (state.stacks, state.discards, state.hints, state.strikes, state.current, state.turns_left, state.ending)
    return table, [state.hand(player) for player in players], knowledge, state.deck(), state.score


@MANY
@given(games())
def test_every_card_is_in_one_place(game: Game) -> None:
    rules = game.deal.rules
    for state, _ in game.turns():
        played = [Card(suit, value + 1) for suit, height in enumerate(state.stacks) for value in range(height)]
        held = [card for player in range(rules.players) for card in state.hand(player)]
        assert sorted([*played, *held, *state.discards, *state.deck()]) == sorted_deck(rules.variant)
        orders = [held.order for hand in state.hands for held in hand]
        assert len(set(orders)) == len(orders)


@MANY
@given(games())
def test_tokens_strikes_and_turns_stay_in_bounds(game: Game) -> None:
    rules, state = game.deal.rules, State(game.deal)
    for number, (_, action) in enumerate(game.turns(state), start=1):
        assert (state.turn_number, state.current) == (number, (game.deal.starter + number - 1) % rules.players)
        assert (state.hints is None) == (rules.max_hints is None)
        assert state.hints is None or rules.max_hints is None or 0 <= state.hints <= rules.max_hints
        assert rules.max_strikes is None or state.strikes < rules.max_strikes
        assert all(0 <= height <= rules.variant.num_values for height in state.stacks)
        assert state.points < rules.max_score
        assert (state.turns_left is not None) == (state.deck_size == 0 and rules.end_of_deck == "last-round")
        assert state.deck_size == 0 or {len(hand) for hand in state.hands} == {rules.hand_size}
        assert state.is_legal(action)
    if state.ending is not None:
        assert state.legal_actions() == []
        assert (state.ending == "strikes") == (state.strikes == rules.max_strikes)
        assert (state.ending == "perfect") == (state.score == rules.max_score)
        assert state.score in (0, state.points)


@MANY
@given(games())
def test_a_turn_says_what_happened(game: Game) -> None:
    state = State(game.deal)
    for _, action in game.turns(state):
        before, turn = snapshot(state), state.act(action)
        assert (turn.number, turn.action, turn.actor) == (state.turn_number - 1, action, state.history[-1].actor)
        assert (turn.hints, turn.strikes, turn.points) == (state.hints, state.strikes, state.points)
        assert state.undo() == turn
        assert snapshot(state) == before
        assert turn.card == (None if turn.order is None else game.deal.deck[turn.order])
        assert (turn.card is None) == isinstance(action, HintSuit | HintValue)
        assert game.deal.rules.empty_hints or turn.card is not None or turn.touched


@MANY
@given(games())
def test_the_true_card_is_always_possible(game: Game) -> None:
    for state, _ in game.turns():
        for hand in state.hands:
            for held in hand:
                assert held.knowledge.possible_mask >> card_index(state.rules.variant, state.card(held)) & 1


@FEW
@given(games())
def test_undo_goes_back_to_the_start(game: Game) -> None:
    state = State(game.deal)
    snapshots = [snapshot(state) for _ in game.turns(state)]
    for expected in reversed(snapshots):
        state.undo()
        assert snapshot(state) == expected


@FEW
@given(games(), st.integers(0, 60))
def test_a_copy_goes_its_own_way(game: Game, num_turns: int) -> None:
    state = game.after(num_turns)
    before, copy = snapshot(state), state.copy()
    assert snapshot(copy) == before
    for _ in game.turns(copy):
        pass
    assert snapshot(state) == before
    while copy.turn_number > 1:
        copy.undo()
    assert snapshot(copy) == snapshot(State(game.deal))
    assert snapshot(state) == before
    while state.turn_number > 1:
        state.undo()
    assert snapshot(state) == snapshot(copy)


@MANY
@given(all_rules())
def test_action_numbers_and_actions_are_inverse(rules: Rules) -> None:
    for actor in range(rules.players):
        actions = [action_at(rules, actor, index) for index in range(rules.num_actions)]
        assert [action_index(rules, actor, action) for action in actions] == list(range(rules.num_actions))
        kinds = (Discard, Play, HintSuit, HintValue)
        assert [kinds.index(type(action)) for action in actions] == sorted(kinds.index(type(a)) for a in actions)


@FEW
@given(games())
def test_states_and_views_agree_on_what_is_legal(game: Game) -> None:
    rules = game.deal.rules
    for state, _ in game.turns():
        view = state.view(state.current)
        every = [action_at(rules, state.current, index) for index in range(rules.num_actions)]
        legal = [action for action in every if state.is_legal(action)]
        assert legal
        assert state.legal_actions() == view.legal_actions() == legal
        assert [action for action in every if view.is_legal(action)] == legal


@MANY
@given(games(), st.integers(0, 60), st.integers(0, 1 << 32), st.data())
def test_a_view_does_not_depend_on_what_it_hides(game: Game, num_turns: int, seed: int, data: st.DataObject) -> None:
    """Cards that a player cannot see change places, such that all that the hints told stays true."""
    state, rules = game.after(num_turns), game.deal.rules
    me = data.draw(st.integers(0, rules.players - 1), label="me")
    deck, chance = list(game.deal.deck), SplitMix64(seed)
    masks = {held.order: held.knowledge.possible_mask for held in state.hands[me]}
    hidden = [*masks, *range(len(deck) - state.deck_size, len(deck))]
    for _ in range(3 * len(hidden)):
        one, other = chance.choice(hidden), chance.choice(hidden)
        here, there = card_index(rules.variant, deck[one]), card_index(rules.variant, deck[other])
        if masks.get(one, -1) >> there & 1 and masks.get(other, -1) >> here & 1:
            deck[one], deck[other] = deck[other], deck[one]
    original, twin = State(game.deal), State(Deal(rules, tuple(deck), starter=game.deal.starter))
    assert twin.view(me) == original.view(me)
    for turn in state.history:
        assert original.act(turn.action) == twin.act(turn.action)
        assert twin.view(me) == original.view(me)


@MANY
@given(games(), st.integers(0, 60))
def test_an_arranged_position_goes_on_like_the_game(game: Game, num_turns: int) -> None:
    state = game.after(num_turns)
    players = range(state.rules.players)
    arranged = State.arrange(
        state.rules,
        [state.hand(player) for player in players],
        state.deck(),
        state.stacks,
        state.discards,
        hints=state.hints,
        strikes=state.strikes,
        current=state.current,
        turns_left=state.turns_left,
        knowledge=[[held.knowledge for held in state.hands[player]] for player in players],
    )
    assert position(arranged) == position(state)
    for _, action in game.turns(state):
        assert arranged.legal_actions() == state.legal_actions()
        arranged.act(action)
        state.act(action)
        assert position(arranged) == position(state)
        state.undo()


@MANY
@given(all_rules(), st.integers(0, (1 << 63) - 1), st.integers(0, 10**6))
def test_the_same_seed_is_the_same_deal(rules: Rules, seed: int, game: int) -> None:
    deal = Deal.from_seed(rules, seed, game)
    assert deal == Deal.from_seed(rules, seed, game)
    assert deal == Deal(rules, Deal.from_cards(rules, deal.text()).deck, deal.seed)
    # The rules, but for the variant, have no part in it.
    assert deal.deck == Deal.from_seed(Rules(rules.variant, 1, 1), seed, game).deck
