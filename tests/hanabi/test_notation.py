from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.errors import NotationError
from handful.hanabi import VARIANTS, Deal, Rules, State, action_at
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play
from handful.hanabi.notation import action_text, default_names, parse_action, slot_text, turn_text
from handful.splitmix import SplitMix64

THREE = Rules(players=3)


@given(st.sampled_from(list(VARIANTS.values())), st.integers(1, 6), st.data())
def test_every_action_is_read_as_it_is_written(variant, players, data) -> None:  # type: ignore[no-untyped-def]
    rules = Rules(variant, players)
    actor = data.draw(st.integers(0, players - 1))
    action = action_at(rules, actor, data.draw(st.integers(0, rules.num_actions - 1)))
    names = data.draw(st.sampled_from([default_names(players), ("Ann", "ann", "Bo Li", "", "5", "5")[:players]]))
    assert parse_action(rules, actor, action_text(rules, action, names), names) == action


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert parse_action(THREE, 0, f"hint {text}") in [
            action_at(THREE, 0, index) for index in range(THREE.num_actions)
        ]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play c", Play(2)),
        ("P C", Play(2)),
        ("discard a", Discard(0)),
        ("hint 2 red", HintSuit(1, 0)),
        ("hint Bob 3", HintValue(1, 3)),
        ("h c p", HintSuit(2, 4)),
        ("  hint   3  2 ", HintValue(2, 2)),
        ("hint 1 blue", HintSuit(0, 3)),
    ],
)
def test_short_and_long(text: str, action: object) -> None:
    assert parse_action(THREE, 0, text) == action


def test_two_players_need_not_name_the_other() -> None:
    assert parse_action(Rules(players=2), 1, "hint 4") == HintValue(0, 4)
    with pytest.raises(NotationError, match="expected hint PLAYER WHAT"):
        parse_action(THREE, 1, "hint 4")


def test_suits_without_a_hint_cannot_be_hinted() -> None:
    with pytest.raises(NotationError, match="'rainbow' cannot be hinted in Rainbow"):
        parse_action(Rules(VARIANTS["Rainbow (6 Suits)"]), 0, "hint 2 rainbow")


def test_slots_beyond_z() -> None:
    assert [slot_text(slot) for slot in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def test_turns_in_words() -> None:
    rules = Rules(players=3, discard_at_max=True, empty_hints=True)
    state = State(Deal.from_seed(rules, 7))
    actions: list[Action] = [
        HintValue(1, 3),
        Play(3),
        Discard(3),
        HintSuit(2, 4),
        HintSuit(2, 0),
        HintSuit(0, 0),
        Play(1),
    ]
    assert [turn_text(rules, state.act(action)) for action in actions] == [
        "Alice tells Bob about 3s: slots a d",
        "Bob misplays d: red 3, strike 1",
        "Cathy discards d: blue 1",
        "Alice tells Cathy about purple: slots a c d",
        "Bob tells Cathy about red: no card",
        "Cathy tells Alice about red: slots a e",
        "Alice plays b: yellow 1",
    ]


def test_you_are_spoken_to() -> None:
    rules = Rules(players=2)
    state = State(Deal.from_seed(rules, 1))
    names = ("You", "Bob")
    assert turn_text(rules, state.act(Play(0)), names).startswith("You misplay a: ")
    assert turn_text(rules, state.act(state.legal_actions()[-1]), names).startswith("Bob tells you about ")


def test_a_whole_game_has_words_for_every_turn() -> None:
    chance = SplitMix64(1)
    for variant in VARIANTS.values():
        state = State(Deal.from_seed(Rules(variant, players=4), 1))
        while not state.is_over:
            assert turn_text(state.rules, state.act(chance.choice(state.legal_actions()))).count(": ") == 1
