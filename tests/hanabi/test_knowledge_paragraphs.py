"""One test per paragraph on what players know and what a card is worth: Bergh 2015, sections 2.4, 4.1 and 4.2."""

from __future__ import annotations

import pytest

from handful.errors import IllegalActionError
from handful.hanabi import (
    NO_VARIANT,
    VARIANTS,
    Card,
    CardKnowledge,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Rules,
    State,
    Variant,
    card_index,
    card_text,
)
from handful.hanabi.cards import cards_in, cards_mask
from tests.positions import BLUE, GREEN, JOHN, MARY, PURPLE, RED, arrange, every, possible


class TestKnowledge:
    def test_nothing_is_known_at_the_start(self) -> None:
        """Bergh 2015, after Definition 2.14: K_c = Cards(H) for every card."""
        state = State(Deal.from_seed(Rules(), 0))
        assert possible(state, 1, 4) == every()
        assert not state.hands[1][4].knowledge.is_touched

    def test_example_2_15(self) -> None:
        """Bergh 2015, Example 2.15: after the hint "ones", the knowledge base is {A, B, B, A, B}."""
        state = arrange(Rules(), [MARY, "r1 y4 y5 g1 g4"])
        state.act(HintValue(1, 1))
        ones = {name for name in every() if name[1] == "1"}
        assert [possible(state, 1, slot) for slot in range(5)] == [
            ones if slot in (0, 3) else every() - ones for slot in range(5)
        ]
        assert [held.knowledge.value_hints_mask for held in state.hands[1]] == [1, 0, 0, 1, 0]
        assert [held.knowledge.suit_hints_mask for held in state.hands[1]] == [0] * 5

    def test_hints_add_up(self) -> None:
        """Bergh 2015, Algorithm 2.16, step 2a: each hint removes cards from K_c, of touched and untouched cards."""
        state = arrange(Rules(), [MARY, JOHN])
        state.act(HintSuit(1, GREEN))
        state.act(HintSuit(0, PURPLE))
        state.act(HintValue(1, 5))
        assert possible(state, 1, 2) == {"g5"}
        assert possible(state, 1, 1) == {"g1", "g2", "g3", "g4"}
        assert possible(state, 1, 0) == {name for name in every() if name[0] != "g" and name[1] != "5"}
        assert possible(state, 0, 0) == {name for name in every() if name[0] == "p"}

    def test_moves_with_the_card_and_starts_anew_for_the_drawn_one(self) -> None:
        """Bergh 2015, Algorithm 2.16, steps 2b and 2c: K_a leaves with the card, Cards(H) comes with the drawn one."""
        state = arrange(Rules(), [MARY, JOHN])
        state.act(HintValue(1, 5))
        state.act(HintValue(0, 1))
        state.act(HintValue(1, 4))
        state.act(Discard(0))
        assert [possible(state, 1, slot) >= {"r5"} for slot in range(5)] == [False, True, False, False, True]
        assert possible(state, 1, 4) == every()

    @pytest.mark.parametrize(
        ("name", "hand", "hint", "touched", "if_touched", "if_not"),
        [
            # Rainbow is touched by every suit hint: a touched card is red or rainbow, an untouched one is neither.
            ("Rainbow (6 Suits)", "r1 m1 y2 g2 b2", HintSuit(1, RED), (0, 1), "rm", "ygbp"),
            ("Rainbow (6 Suits)", "r1 m1 y2 g2 m2", HintSuit(1, BLUE), (1, 4), "bm", "rygp"),
            # White is touched by no suit hint: an untouched card may be white.
            ("White (6 Suits)", "r1 w1 y2 g2 b2", HintSuit(1, RED), (0,), "r", "ygbpw"),
            # Brown has a suit hint of its own; so have Pink and Black.
            ("Brown (6 Suits)", "r1 n1 y2 g2 b2", HintSuit(1, 5), (1,), "n", "rygbp"),
            ("Pink (6 Suits)", "r1 i1 y2 g2 b2", HintSuit(1, 5), (1,), "i", "rygbp"),
            ("Black (6 Suits)", "r1 k1 y2 g2 b2", HintSuit(1, 5), (1,), "k", "rygbp"),
        ],
    )
    def test_suit_hints_in_variants(
        self, name: str, hand: str, hint: HintSuit, touched: tuple[int, ...], if_touched: str, if_not: str
    ) -> None:
        """hanab.live's rules for records: which suits are touched by which suit hints."""
        variant = VARIANTS[name]
        state = arrange(Rules(variant), [MARY, hand])
        assert state.act(hint).touched == touched
        for slot in range(5):
            letters = if_touched if slot in touched else if_not
            assert possible(state, 1, slot) == {card for card in every(variant) if card[0] in letters}

    @pytest.mark.parametrize(
        ("name", "hand", "touched", "if_touched", "if_not"),
        [
            # Brown is touched by no value hint: an untouched card may be a brown 1.
            ("Brown (6 Suits)", "r1 n1 n2 g2 b1", (0, 4), "r1 y1 g1 b1 p1", "n1"),
            # Pink is touched by every value hint: a touched card may be any pink one, an untouched card none.
            ("Pink (6 Suits)", "r1 i1 i2 g2 b1", (0, 1, 2, 4), "r1 y1 g1 b1 p1 i1 i2 i3 i4 i5", ""),
            ("White (6 Suits)", "r1 w1 w2 g2 b1", (0, 1, 4), "r1 y1 g1 b1 p1 w1", ""),
            ("Rainbow (6 Suits)", "r1 m1 m2 g2 b1", (0, 1, 4), "r1 y1 g1 b1 p1 m1", ""),
            ("Black (6 Suits)", "r1 k1 k2 g2 b1", (0, 1, 4), "r1 y1 g1 b1 p1 k1", ""),
        ],
    )
    def test_value_hints_in_variants(
        self, name: str, hand: str, touched: tuple[int, ...], if_touched: str, if_not: str
    ) -> None:
        """hanab.live's rules for records: which suits are touched by which value hints. The hint is 1.

        `if_touched` has all that a touched card can be; `if_not` the 1s that an untouched card can be.
        """
        variant = VARIANTS[name]
        state = arrange(Rules(variant), [MARY, hand])
        assert state.act(HintValue(1, 1)).touched == touched
        others = every(variant) - set(if_touched.split())
        assert set(if_not.split()) <= others
        for slot in range(5):
            assert possible(state, 1, slot) == (set(if_touched.split()) if slot in touched else others)

    @pytest.mark.parametrize(("name", "num_hints"), [("Rainbow (6 Suits)", 5), ("White (6 Suits)", 5), ("6 Suits", 6)])
    def test_nobody_can_say_rainbow_or_white(self, name: str, num_hints: int) -> None:
        """hanab.live's rules for records: suits without a hint of their own."""
        assert VARIANTS[name].num_suit_hints == num_hints


class TestWorth:
    """Bergh 2015, section 4.1, with suit 1 red: what a card is worth depends on what lies open."""

    def masks(self, discards: str = "") -> tuple[set[str], set[str], set[str]]:
        state = arrange(Rules(), [MARY, "y1 y2 g3 g4 b5"], stacks=(3, 0, 0, 0, 0), discards=discards)
        known = state.common_knowledge()
        masks = (known.playable_mask, known.worthless_mask, known.unique_mask)
        playable, worthless, unique = ({card_text(NO_VARIANT, c) for c in cards_in(NO_VARIANT, m)} for m in masks)
        return playable, worthless, unique

    def test_playable(self) -> None:
        """Definition 4.2: the next value of each stack."""
        assert self.masks()[0] == {"r4", "y1", "g1", "b1", "p1"}

    def test_example_4_5(self) -> None:
        """Example 4.5: with F[1] = (1, 2, 3), r1 to r3 are worthless; without both r4s, r5 is too."""
        assert self.masks()[1] == {"r1", "r2", "r3"}
        assert self.masks("r4")[1] == {"r1", "r2", "r3"}
        assert self.masks("r1 r1 r2 r3")[1] == {"r1", "r2", "r3"}
        assert self.masks("r4 r4")[1] == {"r1", "r2", "r3", "r5"}

    def test_worthless_beyond_a_gap(self) -> None:
        """Definition 4.3: any z below x that is in no hand and not in the deck makes x worthless; z itself is not."""
        assert self.masks("g2 g2")[1] == {"r1", "r2", "r3", "g3", "g4", "g5"}

    def test_unique(self) -> None:
        """Definition 4.4: one copy left, in the hands or the deck. A 5 always is, until it is used."""
        assert self.masks()[2] == {"r2", "r3", "r5", "y5", "g5", "b5", "p5"}
        assert self.masks("r4 y3 y5 b1 b1")[2] == {"r2", "r3", "r5", "g5", "b5", "p5", "r4", "y3", "b1"}


class TestViews:
    def test_players_see_all_hands_but_their_own(self) -> None:
        """Bergh 2015, section 2.2:

        Each player may view all other hands, and does not know the contents of his or her own.
        """
        state = State(Deal.from_seed(Rules(players=3), 1))
        view = state.view(1)
        assert view.cards == (state.hand(0), (), state.hand(2))
        assert len(view.my_hand) == 5
        with pytest.raises(IllegalActionError, match="cannot see"):
            view.touched_slots(HintValue(1, 1))
        with pytest.raises(IllegalActionError, match="it is player 0's turn"):
            view.legal_actions()

    def test_unseen_cards_are_in_the_own_hand_or_the_deck(self) -> None:
        """Bergh 2015, section 4.2: what remains after the stacks, the discards and the other hands."""
        state = arrange(Rules(), [JOHN, MARY], stacks=(1, 0, 0, 0, 0), discards="y3")
        unseen = list(state.view(0).unseen)
        for card in (*state.hand(0), *state.deck()):
            unseen[card_index(NO_VARIANT, card)] -= 1
        assert unseen == [0] * 25

    def test_arranged_knowledge_is_kept(self) -> None:
        """A position can be set up with what the hints have told."""
        rules = Rules(Variant.custom(1, copies=(2, 1)), 2, 1)
        one = CardKnowledge(cards_mask(rules.variant, [Card(0, 1)]), value_hints_mask=1)
        unknown = CardKnowledge(rules.variant.all_mask)
        hands = [[Card(0, 1)], [Card(0, 1)]]
        state = State.arrange(rules, hands, [Card(0, 2)], knowledge=[[one], [unknown]])
        assert [hand[0].knowledge for hand in state.hands] == [one, unknown]
