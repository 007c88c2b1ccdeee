"""Records: what hanab.live writes down, read by the plain rules and written again."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handful.errors import IllegalActionError, RecordError
from handful.hanabi import (
    Action,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    Suit,
    Variant,
    rules_from_text,
    variant_named,
)
from handful.hanabi.cards import parse_cards
from handful.hanabi.live.links import record_from_link
from handful.hanabi.live.records import (
    MAX_RECORD_BYTES,
    PLAYED_OUT,
    Character,
    Record,
    load_record,
    read_record,
    save_record,
)
from handful.hanabi.live.translation import EndAction
from handful.hanabi.measures import best_score
from tests.hanabi.test_links import REAL_LINK
from tests.players import cautious_player, play_out

REAL_FILE = Path(__file__).parent / "data" / "real_game.json"
Json = dict[str, Any]


@pytest.fixture
def real() -> Json:
    """The real game as JSON, to be spoiled."""
    fields: Json = json.loads(REAL_FILE.read_text(encoding="utf-8"))
    return fields


def small_record(**options: Any) -> Record:
    """Two turns of a game with these rules."""
    state = State(Deal.from_seed(Rules(**options), seed=5))
    state.act(Play(1))
    state.act(Play(0))
    return Record.from_state(state)


# Reading and writing


def test_real_game_in_a_file_is_that_of_the_link() -> None:
    record = load_record(REAL_FILE)
    linked = record_from_link(REAL_LINK)
    assert (record.deal.deck, record.actions) == (linked.deal.deck, linked.actions)
    assert record.names == ("ann", "ben", "Čeněk", "dora")
    assert (record.seed, record.game_id) == ("p4v0s415", 1234)
    assert record.replay().score == 25


def test_read_and_written_again_nothing_is_lost(real: Json) -> None:
    record = Record.from_json(real)
    assert record.to_json() == real
    assert record.to_text() == REAL_FILE.read_text(encoding="utf-8")
    assert record.notes[1] == ("", "finessed", "2 or 3?")
    assert record.characters == (Character("Fuming", 2), Character("Greedy", -1))
    assert record.extra_options == (("timed", True), ("timeBase", 120), ("timePerTurn", 20), ("speedrun", False))


def test_actions_name_cards_by_their_order() -> None:
    state = State(Deal.from_seed(Rules(players=2), seed=5))
    for action in (
        HintSuit(1, state.hand(1)[0].suit),
        HintValue(0, state.hand(0)[0].value),
        Discard(1),
        Play(4),
        Play(4),
    ):
        state.act(action)
    record = Record.from_state(state)
    live = record.to_json()["actions"]
    assert [action["type"] for action in live] == [2, 3, 1, 0, 0]
    # Player 0 holds cards 0 to 4, player 1 cards 5 to 9; after the discard of card 1 the newest is card 10.
    assert [action["target"] for action in live] == [1, 0, 1, 9, 10]
    assert [action["value"] for action in live[2:]] == [0, 0, 0]
    assert read_record(record.to_text()) == record


def test_fields_that_say_nothing_may_be_missing_or_null() -> None:
    record = record_from_link(REAL_LINK)
    fields = record.to_json()
    assert set(fields) == {"players", "deck", "actions", "options"}
    del fields["options"]
    empty: Json = {"options": None, "notes": [], "characters": [], "id": 0, "seed": "", "comment": ""}
    assert Record.from_json(fields) == Record.from_json(fields | empty) == record


def test_value_of_a_play_may_be_missing(real: Json) -> None:
    expected = Record.from_json(real)
    for action in real["actions"]:
        if action["type"] in (0, 1):
            del action["value"]
    assert Record.from_json(real) == expected


def test_deck_may_be_left_to_a_seed_of_hanab_live(real: Json) -> None:
    expected = Record.from_json(real)
    del real["deck"]
    assert Record.from_json(real) == expected
    real["seed"] = "p3v0s1"
    with pytest.raises(
        RecordError, match="deck is missing, and the seed does not give it: seed p3v0s1 is for 3 players"
    ):
        Record.from_json(real)
    del real["seed"]
    with pytest.raises(RecordError, match="deck is missing: expected the cards, or a seed"):
        Record.from_json(real)


def test_seeds_of_ours_do_not_stand_where_hanab_live_looks_for_its_own() -> None:
    ours = Record.from_state(State(Deal.from_seed(Rules(), seed=7, game=12)))
    assert "seed" not in ours.to_json()
    assert ours.to_json()["options"]["handfulSeed"] == "7/12"
    assert read_record(ours.to_text()).seed == "7/12"
    with pytest.raises(RecordError, match=r"options\.handfulSeed is '7/12' beside seed 'p2v0s1'"):
        Record.from_json(ours.to_json() | {"seed": "p2v0s1"})


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ({}, {}),
        ({"empty_hints": True}, {"emptyClues": True}),
        ({"hand_size": 6}, {"oneExtraCard": True}),
        ({"hand_size": 4}, {"oneLessCard": True}),
        ({"players": 4, "hand_size": 3, "empty_hints": True}, {"oneLessCard": True, "emptyClues": True}),
        ({"hand_size": 2}, {"handfulRules": "hand_size=2"}),
        ({"max_hints": None, "strike_score": "keep"}, {"handfulRules": "max_hints=none, strike_score=keep"}),
        ({"hand_size": 6, "bonus_hint": False}, {"oneExtraCard": True, "handfulRules": "bonus_hint=no"}),
        ({"variant": variant_named("Dutch Box")}, {"variant": "Dutch Box"}),
        ({"variant": variant_named("6 Suits"), "players": 3}, {"variant": "6 Suits"}),
        ({"variant": Variant.custom(2, copies=(4, 3, 2)), "players": 3}, {"variant": "Custom (2 suits, copies 4 3 2)"}),
    ],
)
def test_rules_are_written_in_the_words_of_hanab_live_where_it_has_them(options: Json, written: Json) -> None:
    record = small_record(**options)
    assert record.to_json()["options"] == {"variant": "No Variant", "handfulSeed": "5"} | written
    assert read_record(record.to_text()) == record


def test_game_smaller_than_the_usual_hands_is_kept() -> None:
    # 8 cards are too few for two usual hands of 5, but not for hands of 4, which hanab.live calls one less.
    rules = Rules(Variant.custom(2, copies=(2, 1, 1)), players=2, hand_size=4)
    record = Record.from_state(State(Deal.from_seed(rules, seed=1)))
    assert read_record(record.to_text()) == record


def test_starter_and_thesis_rules_are_kept() -> None:
    rules = rules_from_text("thesis, hand_size=3", players=3)
    state = State(replace(Deal.from_seed(rules, seed=2), starter=2))
    state.act(Discard(0))
    record = Record.from_state(state, names=("x", "y", "z"))
    assert record.to_json()["options"]["startingPlayer"] == 2
    assert read_record(record.to_text()) == record
    assert record.to_json()["actions"][0]["target"] == 6


# Replaying


def test_states_are_the_game_turn_by_turn() -> None:
    record = record_from_link(REAL_LINK)
    states = list(record.states())
    assert len(states) == 54
    assert [len(state.history) for state in states] == list(range(54))
    assert (states[0].points, states[-1].points) == (0, 25)
    assert record.replay(turns=20).common_knowledge() == states[20].common_knowledge()
    with pytest.raises(RecordError, match="turn 54: the record has 53 turns"):
        record.replay(turns=54)


def test_record_made_by_hand_is_replayed_by_the_rules() -> None:
    record = replace(record_from_link(REAL_LINK), actions=(Play(0), Play(4)))
    with pytest.raises(IllegalActionError, match=r"turn 2, player 1: .* slot 4 is not in the hand"):
        record.replay()


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ({"type": 4, "target": 1, "value": 3}, "out of time"),
        ({"type": 4, "target": -1, "value": 6}, "idle for too long"),
        ({"type": 4, "target": 0, "value": 33}, "hanab.live's code 33"),
        ({"type": 5, "target": -1, "value": 0}, "ended by vote"),
    ],
)
def test_game_may_end_before_its_time(real: Json, end: Json, reason: str) -> None:
    real["actions"] = [*real["actions"][:20], end]
    record = Record.from_json(real)
    assert len(record.actions) == 20
    assert [each.reason for each in record.ends] == [reason]
    assert not record.replay().is_over
    assert record.to_json() == real


def test_end_may_be_said_after_the_last_turn(real: Json) -> None:
    real["actions"].append({"type": 4, "target": 0, "value": 1})
    assert Record.from_json(real).ends == (EndAction(code=1, player=0),)


# Making records


TWO = Rules(variant_named("Custom (2 suits, copies 2 1)"), hand_size=1)


def played_records(deck: str, *actions: Action) -> list[Record]:
    """The records of a game for two with one card in each hand, after each of these actions."""
    state, records = State(Deal(TWO, tuple(parse_cards(TWO.variant, deck)))), []
    for action in actions:
        state.act(action)
        records.append(Record.from_state(state))
    return records


@pytest.mark.parametrize(
    ("ends", "score", "ending"),
    [
        ((), 1, None),
        ((EndAction(1, 0),), 1, "normal end"),
        ((EndAction(3, 0),), 0, "out of time"),
        ((EndAction(4, 1),), 0, "ended by a player"),
        ((EndAction(6),), 0, "idle for too long"),
        ((EndAction(10, by_vote=True),), 0, "ended by vote"),
        ((EndAction(0, by_vote=True),), 0, "ended by vote"),
    ],
)
def test_a_game_that_was_left_has_no_points(ends: tuple[EndAction, ...], score: int, ending: str | None) -> None:
    record = replace(played_records("r1 y2 r2 y1 r1 y1", Play(0))[0], ends=ends)
    assert (record.score, record.ending, record.replay().points) == (score, ending, 1)
    assert read_record(record.to_text()).score == score


def test_a_game_that_is_over_keeps_its_score_whatever_is_said_after_it(real: Json) -> None:
    record = Record.from_json({**real, "actions": [*real["actions"], {"type": 4, "target": 0, "value": 3}]})
    assert (record.score, record.ending) == (25, "perfect")


def test_a_game_is_played_out_with_the_best_score_that_is_left() -> None:
    # y2, of which there is one, is thrown by a misplay; then r1, r2 and y1 are all that can be played.
    records = played_records("r1 y2 r2 y1 r1 y1", Play(0), Play(0), Play(0), Play(0))
    assert [record.ending for record in records] == [None, None, None, PLAYED_OUT]
    assert (records[-1].score, records[-1].replay().is_over) == (3, False)


def test_a_game_is_played_out_when_who_could_play_has_no_turn_left() -> None:
    # y2 is lost; who holds r2, which fits, gives a hint on the last own turn, and the other one has nothing to play.
    records = played_records("y2 r1 y1 r1 r2 y1", Play(0), Play(0), Play(0), Play(0), HintValue(1, 1))
    assert [record.ending for record in records] == [None, None, None, None, PLAYED_OUT]
    assert (records[-1].score, best_score(records[-1].replay())) == (2, 3)


def test_a_run_against_the_clock_ends_with_the_first_card_that_is_lost() -> None:
    records = played_records("r1 y2 r2 y1 r1 y1", Play(0), Play(0))
    assert [replace(record, extra_options=(("speedrun", True),)).score for record in records] == [1, 0]


def test_arranged_game_is_refused() -> None:
    played = play_out(Deal.from_seed(Rules(players=2), seed=3), cautious_player, seed=1, max_turns=12)
    assert Record.from_state(played).replay().common_knowledge() == played.common_knowledge()
    hands = [played.hand(player) for player in range(2)]
    arranged = State.arrange(played.rules, hands, played.deck(), played.stacks, played.discards, hints=played.hints)
    for state in (arranged, arranged.copy()):
        with pytest.raises(RecordError, match="the game was arranged in the middle"):
            Record.from_state(state)
        state.act(Play(0))
    with pytest.raises(RecordError, match="the game was arranged in the middle"):
        Record.from_state(arranged)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a",), "players has 1 names: expected 2"),
        (("a", ""), r"players\[1\] is '': expected a name of printable characters"),
        (("a\n", "b"), r"players\[0\] is 'a\\n': expected a name of printable"),
        (("a", "x" * 101), r"players\[1\] is .*: expected at most 100 characters, not 101"),
    ],
)
def test_names_are_checked(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Record.from_state(State(Deal.from_seed(Rules(), seed=1)), names=names)


def test_variant_without_a_known_name_is_refused_on_writing() -> None:
    variant = Variant("Mine", (Suit("Red", "r"), Suit("Blue", "b")))
    disguised = Variant("6 Suits", (Suit("Red", "r"), Suit("Blue", "b")))
    for each in (variant, disguised):
        with pytest.raises(RecordError, match=f"variant '{each.name}' cannot be in a record"):
            small_record(variant=each).to_json()
    with pytest.raises(RecordError, match="has 2600 cards: a record has at most 2000"):
        Record.from_state(State(Deal.from_seed(Rules(Variant.custom(26, copies=(100,))), seed=1))).to_json()


# What is wrong is named


def spoiled(change: Callable[[Json], object]) -> Callable[[Json], Json]:
    """Return what makes a changed copy of a record."""

    def spoil(fields: Json) -> Json:
        fields = copy.deepcopy(fields)
        change(fields)
        return fields

    return spoil


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.pop("players"), "players is missing"),
        (lambda f: f.update(players="ann"), "players is 'ann': expected a list"),
        (lambda f: f.update(players=[]), "players has 0 names: expected 1 to 6"),
        (lambda f: f.update(players=["a"] * 7), "players has 7 names: expected 1 to 6"),
        (lambda f: f["players"].__setitem__(2, 3), r"players\[2\] is 3: expected a text"),
        (
            lambda f: f["players"].__setitem__(2, "\ud800"),
            r"players\[2\] is .*: expected a text without lone surrogates",
        ),
        (lambda f: f.update(deck={}), "deck is {}: expected a list"),
        (lambda f: f["deck"].pop(), "deck has 49 cards: expected 50 for No Variant"),
        (lambda f: f["deck"].__setitem__(12, 7), r"deck\[12\] is 7: expected an object"),
        (lambda f: f["deck"][12].pop("rank"), r"deck\[12\]\.rank is missing"),
        (lambda f: f["deck"][12].update(rank=6), r"deck\[12\]\.rank is 6: expected a whole number from 1 to 5"),
        (lambda f: f["deck"][12].update(rank=True), r"deck\[12\]\.rank is True: expected a whole number"),
        (lambda f: f["deck"][12].update(rank="1"), r"deck\[12\]\.rank is '1': expected a whole number"),
        (lambda f: f["deck"][12].update(rank=1.0), r"deck\[12\]\.rank is 1\.0: expected a whole number"),
        (lambda f: f["deck"][12].update(rank=10**5000), r"deck\[12\]\.rank is a number of thousands of digits"),
        (
            lambda f: f["deck"][3].update(suitIndex=-1),
            r"deck\[3\]\.suitIndex is -1: expected a whole number from 0 to 4",
        ),
        (lambda f: f["deck"][3].update(color=1), r"deck\[3\] has a field 'color', which is not supported"),
        (lambda f: f["deck"].__setitem__(0, f["deck"][23]), r"deck: card 24 is r5 again: No Variant has 1 of it"),
        (lambda f: f.update(actions=3), "actions is 3: expected a list"),
        (lambda f: f["actions"].__setitem__(5, None), r"actions\[5\] is None: expected an object"),
        (lambda f: f["actions"][5].pop("type"), r"actions\[5\]\.type is missing"),
        (lambda f: f["actions"][5].pop("target"), r"actions\[5\]\.target is missing"),
        (lambda f: f["actions"][5].update(type=6), r"actions\[5\]\.type is 6: expected a whole number from 0 to 5"),
        (lambda f: f["actions"][5].update(value="x"), r"actions\[5\]\.value is 'x': expected a whole number"),
        (lambda f: f["actions"][0].pop("value"), r"actions\[0\] \(turn 1, ann\): the value of a hint is missing"),
        (
            lambda f: f["actions"][0].update(value=5),
            r"turn 1, ann\): the suit hint 5 to player 2 is illegal: there is no suit",
        ),
        (lambda f: f["actions"][0].update(target=9), r"turn 1, ann\): .* is illegal: there is no player 9"),
        (
            lambda f: f["actions"][0].update(target=0),
            r"turn 1, ann\): .* is illegal: nobody may give a hint to themselves",
        ),
        (lambda f: f["actions"][2].update(target=7), r"turn 3, Čeněk\): target is card 7, expected one .*: 8 9 10 11"),
        (lambda f: f["actions"][2].update(value=1), r"turn 3, Čeněk\): value is 1, expected 0 or none"),
        (
            lambda f: f["actions"].append(f["actions"][0]),
            r"actions\[53\] \(turn 54, ben\) comes after the end of the game",
        ),
        (
            lambda f: f["actions"].insert(5, {"type": 4, "target": 0, "value": 4}),
            r"actions\[6\] \(turn 6, ben\) comes after the end of the game: ended by a player",
        ),
        (
            lambda f: f["actions"].append({"type": 4, "target": 4, "value": 4}),
            r"actions\[53\]\.target is 4: expected a player, -1 \(nobody\) to 3",
        ),
        (
            lambda f: f["actions"].append({"type": 4, "target": 0, "value": 99}),
            r"actions\[53\]\.value is 99: expected a code of an end",
        ),
        (lambda f: f.update(options=[]), r"options is \[\]: expected an object"),
        (lambda f: f["options"].update(variant="Nope (7 Suits)"), r"options\.variant: there is no variant 'Nope"),
        (lambda f: f["options"].update(variant=5), r"options\.variant is 5: expected a text"),
        (lambda f: f["options"].update(variant="6 Suits"), "deck has 50 cards: expected 60 for 6 Suits"),
        (lambda f: f["options"].update(variant="Custom (26 suits, copies 999 999)"), "a record has at most 2000"),
        (lambda f: f["options"].update(cardCycle=True), r"options\.cardCycle is not supported"),
        (lambda f: f["options"].update(detrimentalCharacters=True), r"options\.detrimentalCharacters is not supported"),
        (lambda f: f["options"].update(someNewRule=1), r"options has a field 'someNewRule', which is not supported"),
        (lambda f: f["options"].update(emptyClues=1), r"options\.emptyClues is 1: expected true or false"),
        (lambda f: f["options"].update(oneExtraCard=True, oneLessCard=True), "are both true: expected one of them"),
        (
            lambda f: f["options"].update(oneExtraCard=True, handfulRules="hand_size=3"),
            "has a hand_size beside oneExtraCard",
        ),
        (lambda f: f["options"].update(handfulRules="nonsense=1"), r"options\.handfulRules: .*nonsense"),
        (
            lambda f: f["options"].update(handfulRules="hand_size=50"),
            r"options\.handfulRules: 4 hands of 50 cards are 200",
        ),
        (
            lambda f: f["options"].update(handfulSeed="x"),
            r"options\.handfulSeed is 'x': expected a number, or seed/game",
        ),
        (
            lambda f: f["options"].update(startingPlayer=4),
            r"options\.startingPlayer is 4: expected a whole number from 0 to 3",
        ),
        (
            lambda f: f["options"].update(startingPlayer=False),
            r"options\.startingPlayer is False: expected a whole number",
        ),
        (lambda f: f["options"].update(timeBase="long"), r"options\.timeBase is 'long': expected a whole number"),
        (lambda f: f["options"].update(timed=1), r"options\.timed is 1: expected true or false"),
        (lambda f: f.update(notes=[[]]), "notes has 1 lists: expected one for each of 4 players"),
        (lambda f: f["notes"].__setitem__(1, "x"), r"notes\[1\] is 'x': expected a list"),
        (lambda f: f["notes"][1].__setitem__(1, 5), r"notes\[1\]\[1\] is 5: expected a text"),
        (lambda f: f["characters"][0].update(name=5), r"characters\[0\]\.name is 5: expected a text"),
        (
            lambda f: f["characters"][0].update(metadata="x"),
            r"characters\[0\]\.metadata is 'x': expected a whole number",
        ),
        (lambda f: f.update(id=-3), "id is -3: expected a whole number from 0"),
        (lambda f: f.update(seed=5), "seed is 5: expected a text"),
        (lambda f: f.update(firstPlayer=2), "the record has a field 'firstPlayer', which is not supported"),
    ],
)
def test_malformed_field_is_named(real: Json, change: Callable[[Json], object], message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        Record.from_json(spoiled(change)(real))
    assert "\n" not in str(caught.value)


# Text and files


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the record is empty"),
        (b" \n\t", "the record is empty"),
        (b"\xff\xfe{}", "the record is not UTF-8 text: byte 0 cannot be read"),
        (b"{", "the record is not JSON: .*, line 1, column 2"),
        (b'{"players": NaN}', "the record has NaN, which is not JSON"),
        (b"[1, 2]", r"the record is \[1, 2\]: expected an object"),
        (b"null", "the record is None: expected an object"),
        (b"12", "the record is 12: expected an object"),
        (b'{"id": ' + b"9" * 5000 + b"}", "the record has a number of thousands of digits"),
        (b"[" * 100_000, "the record is nested too deeply"),
        (b'{"a":' * 100_000, "the record is nested too deeply"),
        (b" " * (MAX_RECORD_BYTES + 1), "the record has more than 2,000,000 bytes"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=message):
        read_record(data)
    with pytest.raises(RecordError, match=r"game\.json: " + message) as caught:
        load_record(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(path))


def test_mark_that_windows_puts_first_is_skipped() -> None:
    data = REAL_FILE.read_bytes()
    assert read_record(b"\xef\xbb\xbf" + data) == read_record(data) == read_record(data.decode())


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none\.json cannot be read: No such file"):
        load_record(tmp_path / "none.json")
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        load_record(tmp_path)
    with pytest.raises(RecordError, match="cannot be read: embedded null"):
        load_record("a\0b")


def test_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = small_record(), small_record(players=3)
    path = tmp_path / "game.json"
    save_record(path, first)
    save_record(path, second)
    assert load_record(path) == second
    assert os.listdir(tmp_path) == ["game.json"]

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(RecordError, match=r"game\.json cannot be written: No space left on device"):
        save_record(path, first)
    assert load_record(path) == second
    assert os.listdir(tmp_path) == ["game.json"]


def test_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path / "none" / "game.json", tmp_path):
        with pytest.raises(RecordError, match="cannot be written"):
            save_record(place, small_record())


def test_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    real_place, link = tmp_path / "real.json", tmp_path / "link.json"
    link.symlink_to(real_place)
    save_record(link, small_record())
    assert link.is_symlink()
    assert load_record(real_place) == small_record()
