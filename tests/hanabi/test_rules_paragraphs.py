"""One test per paragraph of the rules: Bergh 2015, sections 2.2 to 2.4 and 3.2; Baffier 2016, appendix A."""

from __future__ import annotations

import pytest

from handful.errors import IllegalActionError
from handful.hanabi import (
    NO_VARIANT,
    VARIANTS,
    Card,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    Variant,
    parse_cards,
)
from handful.hanabi.rules import StrikeScore
from tests.positions import BLUE, GREEN, JOHN, MARY, PURPLE, RED, YELLOW, arrange, every, possible


class TestMaterialAndDeal:
    def test_fifty_cards(self) -> None:
        """Bergh 2015, section 2.2: of each suit three 1s, two 2s, 3s and 4s, one 5; 25 different cards, 50 in all."""
        assert (NO_VARIANT.num_types, NO_VARIANT.num_cards, NO_VARIANT.max_score) == (25, 50, 25)
        assert NO_VARIANT.copies == (3, 2, 2, 2, 1) * 5

    @pytest.mark.parametrize(
        ("name", "num_cards", "sixth"),
        [
            ("6 Suits", 60, (3, 2, 2, 2, 1)),
            ("Dutch Box", 55, (1, 1, 1, 1, 1)),
            ("Black (6 Suits)", 55, (1, 1, 1, 1, 1)),
        ],
    )
    def test_sixth_suit(self, name: str, num_cards: int, sixth: tuple[int, ...]) -> None:
        """Bergh 2015, Examples 2.11 (a full sixth suit, 60 cards) and 2.12 (one copy of each, 55 cards)."""
        assert VARIANTS[name].num_cards == num_cards
        assert VARIANTS[name].suits[5].copies == sixth

    @pytest.mark.parametrize(("players", "size"), [(2, 5), (3, 5), (4, 4), (5, 4), (6, 3)])
    def test_hand_sizes(self, players: int, size: int) -> None:
        """Bergh 2015, section 2.2; Baffier 2016, appendix A: 5 cards for 2 or 3 players, 4 for 4 or 5. (hanab.live:

        3 for 6.)
        """
        state = State(Deal.from_seed(Rules(players=players), 0))
        assert [state.hand_length(player) for player in range(players)] == [size] * players
        assert state.deck_size == 50 - players * size

    def test_start(self) -> None:
        """Bergh 2015, section 2.2 and Algorithm 2.16, step 1: eight hints, no errors, empty stacks and discard pile."""
        state = State(Deal.from_seed(Rules(players=3), 0))
        assert (state.hints, state.strikes, state.stacks, state.discards) == (8, 0, (0,) * 5, ())
        assert (state.current, state.turn_number, state.turns_left, state.ending) == (0, 1, None, None)

    def test_deal_order(self) -> None:
        """hanab.live's rules for records: the deck top first; player 0 is dealt a whole hand, then player 1, …"""
        deal = Deal.from_seed(Rules(players=3), 5)
        state = State(deal)
        assert [state.hand(player) for player in range(3)] == [deal.deck[:5], deal.deck[5:10], deal.deck[10:15]]
        assert state.deck() == deal.deck[15:]

    def test_drawn_cards_come_from_the_top_and_are_the_newest(self) -> None:
        """Bergh 2015, Algorithm 2.16, steps 2b and 2c: the hand loses the card and gains the first of the deck."""
        state = arrange(Rules(), [JOHN, MARY], deck="y3 y2", hints=4)
        state.act(Discard(1))
        assert state.hand(0) == tuple(parse_cards(NO_VARIANT, "r1 g5 b1 b4 y3"))
        state.act(Play(0))
        assert state.hand(1) == tuple(parse_cards(NO_VARIANT, "p2 p3 p4 p5 y2"))

    def test_starter(self) -> None:
        """hanab.live's startingPlayer: the deal is the same, another player begins."""
        deal = Deal.from_seed(Rules(players=3), 5)
        other = State(Deal(deal.rules, deal.deck, starter=2))
        assert other.current == 2
        assert other.hand(0) == State(deal).hand(0)


class TestTurns:
    def test_clockwise(self) -> None:
        """Bergh 2015, section 2.2; Baffier 2016, appendix A: players take turns in clockwise order."""
        state = State(Deal.from_seed(Rules(players=3, max_strikes=None), 0))
        actors = [state.act(Play(0)).actor for _ in range(7)]
        assert actors == [0, 1, 2, 0, 1, 2, 0]

    @pytest.mark.parametrize(("players", "actions"), [(2, 20), (3, 30), (4, 38), (5, 48)])
    def test_number_of_actions(self, players: int, actions: int) -> None:
        """Bergh 2015, section 2.4: (p − 1)(n + k) + 2h actions;

        With empty hints and discards at eight all are legal.
        """
        rules = Rules(players=players, empty_hints=True, discard_at_max=True)
        assert rules.num_actions == actions
        assert len(State(Deal.from_seed(rules, 0)).legal_actions()) == actions

    def test_no_passing(self) -> None:
        """Baffier 2016, appendix A: a player may not pass. Who has neither cards nor hints cannot act:

        The game is stuck.
        """
        rules = Rules(Variant.custom(1, copies=(2, 2)), 2, 1, max_hints=0, discard_at_max=True, end_of_deck="never")
        state = State(Deal.from_cards(rules, "r2 r2 r1 r1"))
        for _ in range(4):
            state.act(Discard(0))
        assert (state.ending, state.legal_actions(), state.score) == ("stuck", [], 0)


class TestHints:
    def test_touches_all_cards_of_its_kind(self) -> None:
        """Bergh 2015, Example 2.8: both green cards or both 1s, never a single 1."""
        state = arrange(Rules(), [MARY, JOHN])
        assert state.touched_slots(HintSuit(1, GREEN)) == (1, 2)
        assert state.touched_slots(HintValue(1, 1)) == (0, 3)
        assert state.act(HintValue(1, 1)).touched == (0, 3)

    def test_costs_a_token(self) -> None:
        """Bergh 2015, section 2.2: to give a hint, a player must spend one of the available hint tokens."""
        state = arrange(Rules(), [MARY, JOHN])
        assert (state.act(HintValue(1, 5)).hints, state.hints) == (7, 7)

    def test_needs_a_token(self) -> None:
        """Bergh 2015, section 2.2: if no hint tokens are available, a player cannot perform this action."""
        state = arrange(Rules(), [MARY, JOHN], hints=0)
        assert all(isinstance(action, Play | Discard) for action in state.legal_actions())
        with pytest.raises(IllegalActionError, match="no hint token is left"):
            state.act(HintValue(1, 1))

    def test_is_for_another_player(self) -> None:
        """Bergh 2015, section 2.2: … in another player's hand."""
        state = arrange(Rules(), [MARY, JOHN])
        with pytest.raises(IllegalActionError, match="nobody may give a hint to themselves"):
            state.act(HintSuit(0, PURPLE))

    def test_empty_hints_by_option(self) -> None:
        """Baffier 2016, appendix A: "You have no blue cards" is allowed; hanab.live, our default, forbids it."""
        state = arrange(Rules(), [MARY, JOHN])
        assert not state.is_legal(HintSuit(1, YELLOW))
        with pytest.raises(IllegalActionError, match="touches no card"):
            state.act(HintValue(1, 2))
        allowed = arrange(Rules(empty_hints=True), [MARY, JOHN])
        turn = allowed.act(HintSuit(1, YELLOW))
        assert (turn.touched, turn.hints) == ((), 7)
        assert possible(allowed, 1, 0) == {name for name in every() if name[0] != "y"}

    def test_unlimited(self) -> None:
        """Bergh 2015, Definition 2.9: t0 = ∞. Hints never run out, and discarding is always allowed."""
        state = arrange(Rules(max_hints=None), [MARY, JOHN])
        for _ in range(20):
            state.act(HintValue(1, 1))
            state.act(HintSuit(0, PURPLE))
        assert state.hints is None
        assert state.act(Discard(0)).hints is None


class TestDiscards:
    def test_gives_a_token_and_a_card(self) -> None:
        """Bergh 2015, section 2.2: the card moves to the discard pile, a new card is drawn, a hint token is added."""
        state = arrange(Rules(), [JOHN, MARY], deck="y3", hints=3, discards="r2")
        turn = state.act(Discard(4))
        assert (turn.card, turn.is_strike, turn.hints) == (Card(BLUE, 4), False, 4)
        assert state.discards == (Card(RED, 2), Card(BLUE, 4))
        assert state.hand(0)[-1] == Card(YELLOW, 3)
        assert state.strikes == 0

    def test_not_with_all_tokens(self) -> None:
        """Bergh 2015, section 2.2: if all 8 hints are already available, a player cannot discard."""
        state = arrange(Rules(), [JOHN, MARY])
        assert not any(isinstance(action, Discard) for action in state.legal_actions())
        with pytest.raises(IllegalActionError, match="all 8 hint tokens are there"):
            state.act(Discard(0))

    def test_at_the_maximum_by_option(self) -> None:
        """Bergh 2015, Algorithm 2.16, step 2b: any time; if t < t0, t grows."""
        state = arrange(Rules(discard_at_max=True), [JOHN, MARY])
        assert state.act(Discard(0)).hints == 8


class TestPlays:
    def test_a_one_starts_a_stack(self) -> None:
        """Bergh 2015, section 2.2: a 1 of a suit without a stack forms the beginning of a new stack."""
        state = arrange(Rules(), [JOHN, MARY], deck="y3")
        turn = state.act(Play(0))
        assert (turn.card, turn.is_strike, turn.points) == (Card(RED, 1), False, 1)
        assert (state.stacks, state.discards, state.strikes) == ((1, 0, 0, 0, 0), (), 0)
        assert state.hand(0)[-1] == Card(YELLOW, 3)

    def test_the_next_value_extends_its_stack(self) -> None:
        """Bergh 2015, section 2.2: stacks must be built up from 1 to 5 in that order."""
        state = arrange(Rules(), [JOHN, MARY], stacks=(0, 0, 3, 0, 0))
        state.act(Play(1))
        assert state.stacks == (0, 0, 4, 0, 0)

    @pytest.mark.parametrize(("slot", "card"), [(0, Card(RED, 1)), (1, Card(GREEN, 4)), (2, Card(GREEN, 5))])
    def test_anything_else_is_a_strike(self, slot: int, card: Card) -> None:
        """Bergh 2015, section 2.2: duplicates and gaps are discarded, an error is noted, a card is drawn; no token."""
        state = arrange(Rules(), [JOHN, MARY], stacks=(1, 0, 2, 0, 0), deck="y3", hints=3)
        turn = state.act(Play(slot))
        assert (turn.card, turn.is_strike, turn.strikes, turn.hints) == (card, True, 1, 3)
        assert (state.discards, state.stacks) == ((card,), (1, 0, 2, 0, 0))
        assert state.hand(0)[-1] == Card(YELLOW, 3)

    @pytest.mark.parametrize(
        ("before", "is_on", "after"), [(3, True, 4), (0, True, 1), (7, True, 8), (8, True, 8), (3, False, 3)]
    )
    def test_a_completed_stack_gives_a_token(self, before: int, is_on: bool, after: int) -> None:
        """Bergh 2015, section 2.2; Baffier 2016, Bonus: a hint is added, if possible.

        The experiments of Bergh 2015 have none (`bonus_hint`).
        """
        state = arrange(Rules(bonus_hint=is_on), [JOHN, MARY], stacks=(0, 0, 4, 0, 0), hints=before)
        assert state.act(Play(2)).hints == after

    def test_other_plays_give_no_token(self) -> None:
        """Bergh 2015, Algorithm 2.16, step 2c: only y = n."""
        assert arrange(Rules(), [JOHN, MARY], hints=3).act(Play(0)).hints == 3


class TestEndings:
    def test_third_strike_scores_zero(self) -> None:
        """Bergh 2015, section 2.2; Baffier 2016, Ending the Game:

        The game ends immediately, resulting in a score of 0.
        """
        state = arrange(Rules(), [JOHN, MARY], stacks=(5, 0, 2, 0, 0), strikes=2)
        assert state.score == 7
        state.act(Play(2))
        assert (state.ending, state.points, state.score, state.legal_actions()) == ("strikes", 7, 0, [])
        with pytest.raises(IllegalActionError, match="the game is over"):
            state.act(Play(0))

    @pytest.mark.parametrize(
        ("strike_score", "in_the_middle", "on_the_last_turn", "before_it"),
        [("zero", 0, 0, 0), ("keep", 7, 7, 7), ("keep-on-last-turn", 0, 7, 0)],
    )
    def test_strike_score(
        self, strike_score: StrikeScore, in_the_middle: int, on_the_last_turn: int, before_it: int
    ) -> None:
        """Bergh 2015, Appendix B: 0, except (inferred from its figures) on the very last turn;

        Other engines keep the points.
        """
        rules, stacks = Rules(strike_score=strike_score), (5, 0, 2, 0, 0)
        state = arrange(rules, [JOHN, MARY], stacks, strikes=2)
        state.act(Play(2))
        assert state.score == in_the_middle
        last = arrange(rules, [JOHN, MARY], stacks, strikes=2, deck="")
        last.act(HintValue(1, 1))
        last.act(Play(4))
        assert (last.ending, last.turns_left, last.score) == ("strikes", 0, on_the_last_turn)
        early = arrange(rules, [JOHN, MARY], stacks, strikes=2, deck="")
        early.act(Play(2))
        assert (early.ending, early.turns_left, early.score) == ("strikes", 1, before_it)

    def test_unlimited_strikes(self) -> None:
        """Bergh 2015, Definition 2.9: f0 = ∞."""
        state = State(Deal.from_seed(Rules(max_strikes=None), 0))
        while not state.is_over:
            state.act(Play(state.hand_length(state.current) - 1))
        assert (state.ending, state.strikes + state.points) == ("deck", 42)
        assert state.score == state.points

    def test_last_stack_ends_with_25(self) -> None:
        """Bergh 2015, section 2.2; Baffier 2016, Ending the Game:

        The game ends immediately if the fifth stack is completed.
        """
        state = arrange(Rules(), ["p5 r1 r1 y1 y1", "g1 g1 b1 b1 p1"], stacks=(5, 5, 5, 5, 4))
        state.act(Play(0))
        assert (state.ending, state.score, state.legal_actions()) == ("perfect", 25, [])

    def test_last_round_includes_the_drawer(self) -> None:
        """Bergh 2015, section 2.2; Baffier 2016:

        When the last card is drawn, every player, the drawer too, has one more turn.
        """
        rules = Rules(Variant.custom(2, copies=(3, 3)), 3, 3, max_strikes=None)
        state = State(Deal.from_cards(rules, "r1 r1 y1  y2 y2 r1  r2 r2 r2  y1 y1 y2"))
        turns = [state.act(Play(0)) for _ in range(3)]
        assert [turn.drew for turn in turns] == [9, 10, 11]
        assert (state.deck_size, state.turns_left) == (0, 3)
        actors = []
        while not state.is_over:
            actors.append(state.act(Play(0)).actor)
        assert actors == [0, 1, 2]
        assert (state.ending, state.score) == ("deck", state.points)

    def test_no_draw_in_the_last_round(self) -> None:
        """Baffier 2016, Ending the Game: cards cannot be drawn in this last round. Bergh 2015: a hand becomes h − 1."""
        state = arrange(Rules(), [JOHN, MARY], deck="", hints=3)
        assert state.turns_left == 2
        assert state.act(Discard(0)).drew is None
        assert (state.hand_length(0), state.turns_left, state.hints) == (4, 1, 4)
        state.act(HintSuit(0, GREEN))
        assert (state.ending, state.turns_left) == ("deck", 0)

    def test_perfect_on_the_last_turn(self) -> None:
        """Bergh 2015, Algorithm 2.16, step 3: the last turn still counts."""
        state = arrange(Rules(), ["r1 r1 y1 y1 g1", "p5 g1 b1 b1 p1"], stacks=(5, 5, 5, 5, 4), deck="", hints=0)
        state.act(Discard(0))
        state.act(Play(0))
        assert (state.ending, state.score, state.turns_left) == ("perfect", 25, 0)

    def test_deck_dealt_out_starts_in_the_last_round(self) -> None:
        """Bergh 2015, Algorithm 2.16, step 3 (S = ∅): with no card left after the deal, everybody has one turn."""
        rules = Rules(Variant.custom(2, copies=(2, 1)), 3, 2)
        state = State(Deal.from_seed(rules, 0))
        assert (state.deck_size, state.turns_left) == (0, 3)

    def test_the_deck_never_ends_the_game(self) -> None:
        """Bergh 2015, section 5 (`end_of_deck=never`): play goes on until cards and hints are used up."""
        rules = Rules(Variant.custom(1, copies=(1, 1, 1, 1)), 2, 2, end_of_deck="never")
        state = State(Deal.from_cards(rules, "r2 r4 r1 r3"))
        assert state.turns_left is None
        state.act(HintValue(1, 1))
        for action in (Play(0), Play(0), Play(0), Play(0)):
            state.act(action)
        assert (state.ending, state.score, state.turns_left) == ("perfect", 4, None)

    def test_single_player(self) -> None:
        """Bergh 2015, section 3.2: one player, who cannot hint, plays or discards;

        The last card drawn leaves one turn.
        """
        rules = Rules(Variant.custom(1, copies=(2, 1, 1)), 1, 2)
        state = State(Deal.from_cards(rules, "r3 r1 r1 r2"))
        assert state.legal_actions() == [Discard(0), Discard(1), Play(0), Play(1)]
        state.act(Play(1))
        assert state.act(Discard(1)).hints == 8
        assert (state.deck_size, state.turns_left, state.current) == (0, 1, 0)
        state.act(Play(1))
        assert (state.ending, state.score) == ("deck", 2)

    def test_example_3_11(self) -> None:
        """Bergh 2015, Example 3.11:

        Alone with a hand of 4, the sequence 4 3 2 1 1 1 1 scores 4, the last on the last turn.
        """
        rules = Rules(Variant.custom(1, copies=(4, 1, 1, 1)), 1, 4)
        state = State(Deal.from_cards(rules, "r4 r3 r2 r1 r1 r1 r1"))
        for slot, turns_left in ((3, None), (2, None), (1, 1), (0, 0)):
            state.act(Play(slot))
            assert state.turns_left == turns_left
        assert (state.ending, state.score) == ("perfect", 4)
