"""What turns mean by the conventions of `partner`, in sentences; and what it finds amiss in played games."""

from __future__ import annotations

import pytest

from handful.bots import player_named
from handful.bots.partner.review import BAD_TOUCH, DISCARD_WITH_PLAY, MISSED_PLAY, MISSED_SAVE, WRONG_FOCUS
from handful.bots.partner.review import review_conventions as review
from handful.bots.partner.words import PartnerExplainer
from handful.bots.table import play_game
from handful.hanabi import Action, Deal, Discard, HintSuit, HintValue, Play, Rules, State, parse_card
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import default_names

RED, YELLOW = 0, 1
ALICE, BOB, CATHY = range(3)
THREE = Rules(players=3)


def dealt(*hands: str) -> State:
    """A game of three that begins with these hands, oldest cards first; the rest of the deck is in order."""
    first = [parse_card(THREE.variant, text) for hand in hands for text in hand.split()]
    rest = list(Deal.from_seed(THREE, 0).deck)
    for card in first:
        rest.remove(card)
    return State(Deal(THREE, (*first, *rest)))


def meant(state: State, *actions: Action, level: int = 3) -> list[str]:
    """What the last of these turns meant, for somebody who sees all hands."""
    explainer, said = PartnerExplainer(THREE, default_names(3), level), [""]
    for action in actions:
        said = explainer.explain(state, state.act(action))
    return said


HANDS = ("r3 y3 g3 b3 p3", "p4 y4 g4 b4 r1", "y1 g4 b2 p2 r2")


def test_a_play_hint() -> None:
    said = meant(dealt(*HANDS), HintValue(BOB, 1))
    assert said == ["Bob: play hint: slot e is playable"]


def test_a_save_hint_on_the_chop() -> None:
    said = meant(dealt("r3 y3 g3 b3 p3", "p5 y4 g4 b4 r4", "y1 g4 b2 p2 r2"), HintValue(BOB, 5))
    assert said == ["Bob: save hint: slot a is critical"]


def test_a_finesse_and_its_answer() -> None:
    state = dealt(*HANDS)
    said = meant(state, HintSuit(CATHY, RED))
    finesse = "Cathy: slot e, red 2, is next after the red 1 of Bob (slot e), who should now play it: finesse"
    assert said == [finesse]
    said = meant(dealt(*HANDS), HintSuit(CATHY, RED), Play(4))
    assert said[0] == "Bob: slot e answers the finesse of Alice: slot e of Cathy is red 2"


def test_who_holds_the_card_is_not_told_what_it_is() -> None:
    state = dealt(*HANDS)
    turn = state.act(HintSuit(CATHY, RED))
    explainer = PartnerExplainer(THREE, default_names(3))
    said = explainer.explain_view(state.view(CATHY), turn)
    assert said == [
        "Cathy: play hint: slot e is red 1, playable",
        "Cathy: or it is red 2, red 3, red 4 or red 5, if Bob now plays a card for it: prompt, finesse or bluff",
    ]


def test_a_hint_can_be_read_before_it_is_given() -> None:
    state = dealt(*HANDS)
    reading = PartnerExplainer(THREE, default_names(3)).preview(state.view(ALICE), HintSuit(BOB, RED))
    assert reading.convention == "play hint"
    assert reading.to_dict()["focus"] == "e"
    assert reading.told["Bob e"] == "red 1"
    assert state.turn_number == 1


def test_a_misunderstanding_is_told() -> None:
    said = meant(dealt("r3 y3 g3 b3 p3", "p4 y4 g4 b4 r3", "y1 g4 b2 p2 r2"), HintSuit(BOB, RED), Play(4), level=1)
    assert "Misunderstood: by what Alice had told, it was red 1, and not red 3" in said


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_turn_is_told_in_sentences(players: int) -> None:
    rules = Rules(players=players)
    explainer, said = PartnerExplainer(rules, default_names(players)), list[list[str]]()

    def follow(state: State, turn: Turn) -> None:
        said.append(explainer.explain(state, turn))

    play_game(Deal.from_seed(rules, 4), [player_named("partner").plain] * players, on_turn=follow)
    assert all(said)


# What is amiss


def kinds(state: State, *actions: Action) -> list[str]:
    for action in actions:
        state.act(action)
    return [finding.kind for finding in review(state)]


def test_a_good_hint_is_not_found() -> None:
    assert kinds(dealt(*HANDS), HintValue(BOB, 1)) == []


def test_a_hint_that_is_not_so_is_found() -> None:
    state = dealt("r3 y3 g3 b3 p3", "p4 y4 g4 b4 r3", "y4 g4 b2 p2 y3")
    assert kinds(state, HintSuit(BOB, RED)) == [WRONG_FOCUS]


def test_worthless_cards_that_are_touched_are_found() -> None:
    state = dealt("r1 y3 g3 b3 p3", "p4 y4 r1 b4 y1", "y4 g4 b2 p2 y3")
    assert BAD_TOUCH in kinds(state, Play(0), HintValue(ALICE, 3), HintValue(ALICE, 3), HintValue(BOB, 1))


def test_a_discard_with_a_play_known_is_found() -> None:
    assert DISCARD_WITH_PLAY in kinds(dealt(*HANDS), HintValue(BOB, 1), Discard(0))


def test_a_critical_card_that_is_not_saved_is_found() -> None:
    state = dealt("r3 y3 g3 b3 p3", "p4 y4 g4 b4 r4", "p5 g4 b2 p2 r4")
    assert MISSED_SAVE in kinds(state, HintValue(BOB, 4), Discard(0))


def test_a_card_that_nobody_tells_of_is_found() -> None:
    state = dealt("r3 y3 g3 b3 p3", "p4 y4 g4 b4 r4", "p5 g4 b2 p2 r1")
    assert MISSED_PLAY in kinds(state, HintValue(BOB, 4), Discard(0))
