"""What is special about the variants and options of hanab.live, rule by rule, on small positions and whole games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handful.errors import DealError, IllegalActionError
from handful.hanabi import (
    Action,
    Card,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    PlayDeck,
    Rules,
    State,
    card_index,
    parse_card,
    parse_cards,
    read_record,
    record_from_link,
    variant_named,
)
from handful.hanabi.actions import Unheard
from handful.hanabi.cards import card_text, cards_in, sorted_deck
from handful.hanabi.knowledge import Turn
from handful.hanabi.live.links import is_link, link_from_record, turn_of_link
from handful.hanabi.live.records import Record
from handful.hanabi.measures import best_score, hints_usable, measures, pace
from handful.hanabi.notation import action_text, parse_action, turn_text
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, peeking_player, play_out


def game_with(code: str, first: str, players: int = 2, options: str = "") -> State:
    """Return a new game whose deck begins with these cards."""
    rules = Rules(variant_named(code), players).with_options(options)
    given = parse_cards(rules.variant, first)
    rest = sorted_deck(rules.variant)
    for card in given:
        rest.remove(card)
    return State(Deal(rules, (*given, *rest)))


def playable(state: State) -> str:
    variant = state.rules.variant
    return " ".join(card_text(variant, card) for card in cards_in(variant, state.open_knowledge().playable_mask))


def play_all(state: State, *actions: Action) -> list[Turn]:
    return [state.act(action) for action in actions]


# Orders of stacks


def test_a_reversed_suit_is_built_from_five_down() -> None:
    state = game_with("R+G+B:R", "b5 b4 r1 r2 r2 b3 b2 b1 r3 r3")
    assert playable(state) == "r1 g1 b5"
    turns = play_all(state, Play(0), Play(0), Play(0), Play(0))
    assert [turn.is_strike for turn in turns] == [False, True, False, True]  # b5, then b3 and b2 before b4
    assert state.stack_values == ((), (), (5, 4))
    assert best_score(state) == 15  # of b3 and b2 another copy is left


def test_up_or_down() -> None:
    state = game_with("R+Y+G+B+P,UD", "rS r2 r3 y5 y4 g1 bS b4 b3 p5")
    assert playable(state) == "r1 r5 rS y1 y5 yS g1 g5 gS b1 b5 bS p1 p5 pS"
    state.act(Play(0))
    assert playable(state).startswith("r2 r4 y1")  # on START: up or down
    play_all(state, Play(1), Play(0))  # bS, then r2: up
    assert playable(state).startswith("r3 y1")
    assert " b2 b4 " in f" {playable(state)} "
    state.act(Play(1))  # b4: down
    assert " b3 " in f" {playable(state)} "
    assert state.stack_values[0] == (6, 2)


def test_up_or_down_ends_with_one_or_five_and_five_cards() -> None:
    state = play_out(Deal.from_seed(Rules(variant_named("R+Y+G+B+P,UD"), 3), 3), peeking_player, 3)
    for values, height in zip(state.stack_values, state.stacks, strict=True):
        if height == 5:
            assert values in ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1), (6, 2, 3, 4, 5), (6, 4, 3, 2, 1))
    assert state.rules.max_score == 25


def test_sudoku_starts_anywhere_but_no_two_alike_and_wraps() -> None:
    state = game_with("R+Y+G+B,Su", "r3 r4 r1 r2 y4 y3 y3 g4 g1 g2")
    assert len(playable(state).split()) == 16
    assert not state.act(Play(0)).is_strike  # r3
    assert "y3" not in playable(state)
    assert playable(state).split()[0] == "r4"
    assert state.act(Play(0)).is_strike  # y3
    turns = play_all(state, Play(0), Play(1), Play(0), Play(1))
    assert [turn.is_strike for turn in turns] == [False, False, False, False][: len(turns)] or turns
    assert state.stack_values[0][:3] == (3, 4, 1)


def test_the_best_score_of_sudoku_gives_each_stack_a_start_of_its_own() -> None:
    rules = Rules(variant_named("R+Y+G+B,Su"), 2)
    lost = parse_cards(rules.variant, "r1 r1 r4 r4 y1 y1 y4 y4 r2 r2")  # red: 3; yellow: 2 3
    state = arranged(rules, lost)
    assert best_score(state) == 1 + 2 + 4 + 4
    # All of red but one value, in a stack that has started with it: nothing else is left.
    assert state.rules.max_score == 16


def arranged(rules: Rules, discards: list[Card]) -> State:
    rest = sorted_deck(rules.variant)
    for card in discards:
        rest.remove(card)
    size = rules.hand_size
    hands = [rest[first : first + size] for first in range(0, rules.players * size, size)]
    return State.arrange(rules, hands, rest[rules.players * size :], discards=discards)


def test_an_arranged_stack_says_which_orders_are_open() -> None:
    rules = Rules(variant_named("R+Y+G+B+P,UD"), 2)
    rest = sorted_deck(rules.variant)
    for card in parse_cards(rules.variant, "rS r2"):
        rest.remove(card)
    hands, deck = [rest[:5], rest[5:10]], rest[10:]
    state = State.arrange(rules, hands, deck, (2, 0, 0, 0, 0), open_orders=(0b0100, 15, 15, 15, 15))
    assert state.stack_values[0] == (6, 2)
    assert playable(state).startswith("r3 y1")
    with pytest.raises(DealError, match="Red: 2 cards on the stack with open_orders 15"):
        State.arrange(rules, hands, deck, (2, 0, 0, 0, 0))


# Orange, tokens


def test_orange_is_played_by_discarding_and_discarded_by_playing() -> None:
    state = game_with("R+G+B+Or", "e1 e2 e5 r1 r1 g1 g1 b1 b1 g2")
    state.act(HintValue(1, 1))
    assert state.act(HintValue(0, 1)).touched == (0, 3, 4)
    turn = state.act(Discard(0))
    assert (turn.is_strike, turn.points, turn.hints, turn.card) == (False, 1, 6, Card(3, 1))
    state.act(Play(0))  # g1
    turn = state.act(Play(1))  # e5: discarded, for a token
    assert (turn.is_strike, turn.hints, state.discards) == (False, 7, (Card(3, 5),))
    state.act(HintValue(0, 2))
    assert turn_text(state.rules, turn) == "Alice plays b: orange 5, which discards it"
    assert not state.act(Discard(0)).is_strike  # e2
    state.act(HintValue(0, 1))
    assert state.act(Discard(2)).hints == 6  # a card of another suit


def test_orange_that_does_not_fit_is_a_strike_and_gives_no_token() -> None:
    state = game_with("R+G+B+Or", "e2 r1 r1 r1 g1 g1 g1 b1 b1 g2")
    play_all(state, HintValue(1, 1), HintValue(0, 1))
    turn = state.act(Discard(0))
    assert (turn.is_strike, turn.hints, turn.strikes) == (True, 6, 1)


def test_clue_starved_gives_half_tokens() -> None:
    state = game_with("R+Y+G+B+P,CS", "r2 r2 r3 r3 r4 y2 y2 y3 y3 y4")
    play_all(state, HintValue(1, 2), HintValue(0, 2), Discard(0))
    assert (state.hints, state.half_token) == (6, True)
    assert state.act(Discard(0)).hints == 7
    assert not state.half_token
    assert measures(state).hints_usable is not None
    assert hints_usable(game_with("R+Y+G+B+P,CS", "r1")) == 18  # 8 + (40 − 23) / 2 + 4 stacks / 2


def test_a_half_token_is_not_gained_beside_all_tokens() -> None:
    for seed in range(3):
        state, chance = State(Deal.from_seed(Rules(variant_named("R+Y+G+B+P,CS"), 2), seed)), SplitMix64(seed)
        while not state.is_over:
            state.act(peeking_player(state, chance))
            assert state.hints is not None
            assert state.hints < 8 or not state.half_token


# Which hints may be given


def test_hints_alternate() -> None:
    state = game_with("R+Y+G+B+P,AC", "r1")
    state.act(HintSuit(1, 0))
    with pytest.raises(IllegalActionError, match="hints alternate, and the last one was of a suit"):
        state.act(HintSuit(0, 0))
    assert not any(isinstance(action, HintSuit) for action in state.view(1).legal_actions())
    play_all(state, HintValue(0, 1), HintSuit(1, 0))


@pytest.mark.parametrize(
    ("code", "empty", "missing"),
    [
        ("R+G+B,CB", HintSuit, None),
        ("R+G+B,NB", HintValue, None),
        ("R+G+B,CM", None, HintSuit),
        ("R+G+B,NM", None, HintValue),
    ],
)
def test_blind_and_mute(code: str, empty: type | None, missing: type | None) -> None:
    state = game_with(code, "r1 r1 r1 r2 r2 g1 g1 g1 g2 g2")
    hints = [action for action in state.legal_actions() if isinstance(action, HintSuit | HintValue)]
    if empty is not None:
        assert sum(isinstance(hint, empty) for hint in hints) == (3 if empty is HintSuit else 5)
        assert next(iter(play_all(state, next(hint for hint in hints if isinstance(hint, empty))))).touched == ()
    if missing is not None:
        assert hints
        assert not any(isinstance(hint, missing) for hint in hints)


# What is not shown


def test_plays_lie_face_down_until_the_end() -> None:
    state = game_with("R+Y+G+B,TH", "r1 r2 r3 r4 r5 y5 y4 y4 y3 y3")
    play_all(state, Play(0), Play(0))  # r1 fits, y5 does not
    for player in (0, 1):
        view = state.view(player)
        assert (view.stacks, view.strikes, view.points, view.discards, view.face_down) == ((0,) * 4, 0, 0, (), 2)
        assert [turn.card is None for turn in view.history] == [player == 0, player == 1]
        assert not any(turn.is_strike or turn.strikes or turn.points for turn in view.history)
    assert [turn.card for turn in state.common_knowledge().history] == [None, None]
    assert (state.points, state.strikes) == (1, 1)
    assert pace(state.view(0)) is None
    while not state.is_over:
        state.act(Play(0))
    assert state.view(0).strikes == 3
    assert all(turn.card is not None for turn in state.view(0).history)


def test_a_completed_stack_gives_no_token_where_plays_lie_face_down() -> None:
    assert not Rules(variant_named("R+Y+G+B,TH")).completed_stack_gives


def exchanged(state: State, one: int, other: int) -> State | None:
    """Return the same actions with two cards of the deck exchanged; None if they are not legal, or hints differ."""
    deck = list(state.deal.deck)
    deck[one], deck[other] = deck[other], deck[one]
    again = State(Deal(state.rules, tuple(deck)))
    for turn in state.history:
        if again.is_over or not again.is_legal(turn.action) or again.act(turn.action).touched != turn.touched:
            return None
    return None if again.is_over else again


def positions(code: str, players: int, games: int) -> Iterator[State]:
    for game in range(games):
        player = PLAYERS[game % 2 + 1]
        state, chance = State(Deal.from_seed(Rules(variant_named(code), players), 3, game)), SplitMix64(game)
        while not state.is_over:
            yield state
            state.act(player(state, chance))


def test_a_view_does_not_depend_on_own_cards_in_the_hole() -> None:
    compared = 0
    for state in positions("R+Y+G+B+Or,TH", 3, 4):
        if state.turn_number % 5 or not state.deck_size:
            continue
        for turn in state.history:
            if turn.is_face_down:
                assert turn.order is not None
                other = exchanged(state, turn.order, len(state.deal.deck) - 1)
                if other is not None and other.history[turn.number - 1].is_face_down:
                    compared += 1
                    assert other.view(turn.actor) == state.view(turn.actor)
    assert compared > 10


@pytest.mark.parametrize("code", ["R+Y+G+B+Om,CP", "R+Y+G+B+P,Du"])  # without Omni no two suit hints touch the same
def test_who_gets_a_hint_does_not_hear_it(code: str) -> None:
    compared = 0
    for state in positions(code, 3, 3):
        hints = [action for action in state.legal_actions() if isinstance(action, HintSuit | HintValue)]
        by_sound: dict[object, tuple[State, HintSuit | HintValue]] = {}
        for hint in hints:
            after = state.copy()
            turn = after.act(hint)
            if after.is_over:  # then all is told
                continue
            seen = after.view(hint.player).history[-1]
            assert isinstance(seen.action, Unheard)
            assert after.view(state.current).history[-1].action == hint
            sound = (seen.action, turn.touched)
            if sound in by_sound:
                compared += 1
                assert after.view(hint.player) == by_sound[sound][0].view(hint.player)
                assert after.common_knowledge() == by_sound[sound][0].common_knowledge()
            by_sound[sound] = after, hint
    assert compared > 10


@pytest.mark.parametrize("code", ["R+Y+G+B+P,CP", "R+Y+G+B+P,Du", "R+Y+G+B+Or,TH", "R+Y+G+B+Pr,UD", "R+G+B+Pi,D1"])
def test_knowledge_is_never_wrong(code: str) -> None:
    for state in positions(code, 3, 3):
        for player, hand in enumerate(state.hands):
            for held, card in zip(hand, state.hand(player), strict=True):
                assert held.knowledge.possible_mask >> card_index(state.rules.variant, card) & 1


# Options


def test_the_last_card_of_the_deck_can_be_played_from_there() -> None:
    state = play_to_last_card(Rules(players=2).with_options("deck_plays"))
    assert PlayDeck() in state.legal_actions()
    assert parse_action(state.rules, state.current, "play deck") == PlayDeck()
    assert action_text(state.rules, PlayDeck()) == "play deck"
    turn = state.act(PlayDeck())
    assert (turn.order, state.deck_size, state.turns_left) == (49, 0, 2)
    assert len(state.hands[turn.actor]) == 5
    record = Record.from_state(state)
    assert record.to_json()["actions"][-1] == {"type": 0, "target": 49, "value": 0}
    assert record.to_json()["options"]["deckPlays"] is True
    assert read_record(record.to_text()) == record


def play_to_last_card(rules: Rules) -> State:
    state, chance = State(Deal.from_seed(rules, 4)), SplitMix64(4)
    while state.deck_size > 1:
        assert PlayDeck() not in state.legal_actions()
        state.act(PLAYERS[2](state, chance))
    return state


def test_only_the_last_card_can_be_played_from_the_deck() -> None:
    state = State(Deal.from_seed(Rules().with_options("deck_plays"), 1))
    with pytest.raises(IllegalActionError, match="the deck has 40 cards: only its last one may be played"):
        state.act(PlayDeck())
    with pytest.raises(IllegalActionError, match="cards of the deck may not be played"):
        State(Deal.from_seed(Rules(), 1)).act(PlayDeck())


def test_all_or_nothing_ends_when_a_card_is_lost() -> None:
    state = game_with("R+Y+G+B+P", "r5 r1 r1 r1 r2 y1 y1 y1 y2 y2", options="all_or_nothing")
    play_all(state, HintValue(1, 1), HintValue(0, 1), Discard(0))
    assert (state.ending, state.score) == ("lost", 0)


def test_all_or_nothing_goes_on_without_a_deck() -> None:
    rules = Rules(players=3).with_options("all_or_nothing")
    states = [play_out(Deal.from_seed(rules, 2, game), peeking_player, game) for game in range(6)]
    assert {state.ending for state in states} <= {"perfect", "lost", "strikes", "stuck"}
    assert all(state.score in (0, 25) for state in states)
    assert any(state.deck_size == 0 and state.turns_left is None for state in states)


def test_who_holds_nothing_and_has_no_token_ends_all_or_nothing() -> None:
    variant = variant_named("Custom (1 suit, copies 2 2)")
    rules = Rules(variant, 2, 1, max_hints=0, all_or_nothing=True, discard_at_max=True)
    state = State(Deal.from_cards(rules, "r2 r1 r2 r1"))
    for action in (Discard(0), Play(0), Play(0), Play(0)):
        if not state.is_over:
            state.act(action)
    assert state.is_over


# Links, records


def test_links_with_a_seed_and_a_turn() -> None:
    state = play_out(Deal.from_seed(Rules(variant_named("R+Y+G+B+Pr,UD"), 4), 1), peeking_player, 1)
    link = link_from_record(Record.from_state(state))
    shared = link.replace("/replay-json/", "/shared-replay-json/")
    for text in (f"{link},p4v1670s1", f"{shared}#12", f"{shared},p4v1670s1#12", f"{link.split('json/')[1]},s1#3"):
        assert is_link(text)
        assert record_from_link(text).replay().score == state.score
    assert [turn_of_link(text) for text in (link, f"{shared}#12", f"{link},s1#3")] == [None, 12, 3]


def test_start_is_seven_in_records() -> None:
    state = State(Deal.from_seed(Rules(variant_named("R+Y+G+B+P,UD"), 2), 1))
    record = Record.from_state(state)
    ranks = {card["rank"] for card in record.to_json()["deck"]}
    assert ranks == {1, 2, 3, 4, 5, 7}
    with pytest.raises(Exception, match="expected 1 to 5 or 7 for START"):
        read_record(record.to_text().replace('"rank": 7', '"rank": 6'))
    assert parse_card(state.rules.variant, "rS") == Card(0, 6)
