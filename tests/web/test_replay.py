"""Games as a part of an address, and their positions on the page."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import replace

import pytest

from handful.errors import HandfulError
from handful.hanabi.actions import Action
from handful.hanabi.knowledge import Turn
from handful.hanabi.live.links import ADDRESS, record_from_link
from handful.hanabi.measures import measures
from handful.hanabi.state import State
from handful.web.pages.addresses import MAX_TOKEN, pack, record_in, record_of, token_of, unpack
from handful.web.pages.analysed import analysed, bars_of, board_of
from tests.web.page_checks import LOST, WON


@pytest.mark.parametrize("text", [WON, ADDRESS + WON, f"  https://hanab.live/shared-replay-json/{WON}#7\n"])
def test_a_link_is_its_own_address(text: str) -> None:
    record = record_in(text)
    assert record == record_from_link(WON)
    assert token_of(record) == WON
    assert record_of(token_of(record)) == record


def test_what_a_link_cannot_say_is_packed() -> None:
    record = replace(record_in(WON), names=("Änne", "B & C", "<b>", "D"), notes=(("a note",), (), (), ()))
    token = token_of(record)
    assert token[0] == "~"
    assert len(token) < 1000
    assert record_of(token) == record


def test_notes_are_left_out_where_they_are_too_long() -> None:
    noise = "".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(500))
    notes = ((noise,), (), (), ())
    record = replace(record_in(WON), names=("A", "B", "C", "D"), notes=notes)
    token = token_of(record)
    assert len(token) <= MAX_TOKEN
    assert record_of(token) == record.bare()


def test_json_and_seeds_are_read() -> None:
    record = record_in(WON)
    assert record_in(record.to_text()) == record
    assert record_in("p4v0s415").deal.deck == record.deal.deck
    assert record_in("p4v0s415").actions == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "nothing was given"),
        ("hello", "'hello' is no game"),
        ("{", "not JSON"),
        ("[]", "the record"),
        ("https://hanab.live/replay/12345", "export/12345"),
        (ADDRESS + WON[:-30], "parts between commas"),
        ("x" * 100_000, "is no game"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(text: str, expected: str) -> None:
    with pytest.raises(HandfulError, match=expected) as error:
        record_in(text)
    assert len(str(error.value)) < 300


def test_damaged_addresses_are_refused() -> None:
    token = pack(json.dumps({"players": ["A", "B"]}))
    bomb = "~" + base64.urlsafe_b64encode(zlib.compress(b"[" * 10_000_000)).decode().rstrip("=")
    for damaged in (token[:-4], "~AAAA", "~", bomb, token[:10] + "A" + token[11:]):
        with pytest.raises(HandfulError):
            record_of(damaged)
    with pytest.raises(HandfulError, match="not whole"):
        unpack(bomb, 1000)


def test_every_position_shows_what_the_plain_rules_have() -> None:
    record = record_in(LOST)
    for turn, state in enumerate(record.states()):
        board = board_of(record, turn)
        assert (board.turn, board.last_turn) == (turn, len(record.actions))
        assert [stack.height for stack in board.stacks] == list(state.stacks)
        assert board.state.common_knowledge() == state.common_knowledge()
        assert board.measures == measures(state)
        assert sum(times for _suit, values in board.discards for _value, times in values) == len(state.discards)
        assert [[held.value for held in hand.cards] for hand in board.hands] == [
            [str(card.value) for card in state.hand(player)] for player in range(3)
        ]
        assert [hand.is_current for hand in board.hands].count(True) == (not state.is_over)
        _check_marks(record_in(LOST).actions, board.hands, state)


def _check_marks(actions: tuple[object, ...], hands: object, state: State) -> None:
    marks = [mark for hand in hands for held in hand.cards for mark in held.marks]  # type: ignore[attr-defined]
    last = state.history[-1] if state.history else None
    assert marks.count("pointed") == (len(last.touched) if last else 0)
    assert marks.count("drawn") == (last is not None and last.drew is not None)
    touched = sum(held.knowledge.is_touched for hand in state.hands for held in hand)
    assert marks.count("told") == touched
    done = len(state.history)
    uses_a_card = done < len(actions) and type(actions[done]).__name__ in ("Play", "Discard")
    assert marks.count("next") == uses_a_card


def test_a_game_is_played_once_however_often_it_is_stepped_through(monkeypatch: pytest.MonkeyPatch) -> None:
    played, act = [], State.act

    def counted(state: State, action: Action) -> Turn:
        played.append(action)
        return act(state, action)

    record = replace(record_in(LOST), names=("Xia", "Yan", "Zoe"))  # whom no other test has looked at
    monkeypatch.setattr(State, "act", counted)
    for turn in range(len(record.actions) + 1):
        board_of(record, turn)
        bars_of(record)
    assert played == list(record.actions)


def test_words_of_a_card_tell_all_that_is_seen() -> None:
    board = board_of(record_in(LOST), 25)
    words = [held.words for held in board.hands[0].cards]
    assert words[0] == "slot a: purple 5, unique, told purple"
    assert words[1] == "slot b: purple 1, worthless, told 1"
    assert board.hands[1].cards[4].words == "slot e: blue 2, playable, told 2"


def test_bars_fill_the_picture() -> None:
    record = record_in(LOST)
    bars = bars_of(record)
    assert {bar.answer for bar in bars} == {"waiting"}
    assert bars[-1].left + bars[-1].width == pytest.approx(100)
    assert bars[-1].height == pytest.approx(16 / 25)
    answers = (True,) * 10 + (None,) * 5 + (False,) * 50
    assert [bar.answer for bar in bars_of(record, answers)] == ["possible"] * 10 + ["undecided"] * 5 + ["lost"] * 50
    assert bars_of(record_in("p4v0s415")) == ()


def test_a_lost_game_has_its_turn_and_a_line_that_wins() -> None:
    found = analysed(record_in(LOST))
    assert found.headline == "Turn 26 lost the game: Bob discards e: blue 2."
    assert (found.tone, found.lost_at, found.first_look) == ("lost", 26, 25)
    assert found.answers == (True,) * 25 + (False,) * 40
    game = record_of(found.line_game)
    assert game.actions[:25] == record_in(LOST).actions[:25]
    assert game.replay().ending == "perfect"
    assert found.line_begins == 26
    assert len(found.line) == len(game.actions) - 25
    assert record_from_link(found.line_link) == game


def test_the_line_has_the_names_of_the_players() -> None:
    found = analysed(replace(record_in(LOST), names=("Uma", "Vera", "Wim")))
    assert "Vera discards e: blue 2" in found.headline
    assert found.line[0].startswith("Vera ")
    assert record_of(found.line_game).names == ("Uma", "Vera", "Wim")


def test_a_won_game_needs_no_line() -> None:
    found = analysed(record_in(WON))
    assert (found.tone, found.headline, found.line) == ("won", "A perfect game: 25 of 25.", ())
    assert found.first_look == 53


def test_a_game_that_stops_early_is_led_to_its_end() -> None:
    whole = record_in(WON)
    found = analysed(replace(whole, actions=whole.actions[:30]))
    assert (found.tone, found.line_begins, found.first_look) == ("open", 31, 30)
    assert record_of(found.line_game).replay().ending == "perfect"
    assert analysed(record_in("p4v0s415")).line_begins == 1


def test_a_deal_that_nobody_wins_says_so() -> None:
    found = analysed(record_in("p2v0s220"))
    assert (found.tone, found.lost_at, found.line_begins) == ("lost", 0, 1)
    assert found.headline.startswith("Nobody can win this deal")
    # The best line that there is, is shown all the same.
    best = record_of(found.line_game).replay()
    assert (found.line_score, len(found.line)) == (best.score, len(best.history))
    assert best.score < best.rules.max_score
    assert found.reason
