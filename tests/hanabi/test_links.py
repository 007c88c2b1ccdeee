"""Links of hanab.live with a whole game in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from handful.errors import RecordError
from handful.hanabi import Deal, HintSuit, Play, Rules, State, Variant, variant_named
from handful.hanabi.live.links import ADDRESS, is_link, link_from_record, record_from_link, record_given
from handful.hanabi.live.records import Character, Record, save_record
from handful.hanabi.live.translation import EndAction

# A game of four players, 53 actions, all 25 points.
REAL_CONTENT = (
    "415pagnsvvmkcjbqfqph-drurfleyguthflinwxdi-awmkscaoxpbuk,03ocka-eiepkcgdoaeoebtdeles-sbeeejxafaewwaereteh-"
    "exeneckaeqfme5saekfv-e1ffxaf0edegfuf4fBeC-1af7eIwaf3wae8fzwafA-ey,0"
)
REAL_LINK = ADDRESS + REAL_CONTENT


def test_real_link_is_read() -> None:
    record = record_from_link(REAL_LINK)
    state = record.replay()
    assert record.names == ("Alice", "Bob", "Cathy", "Donald")
    assert len(record.actions) == 53
    assert (state.score, state.ending, state.strikes) == (25, "perfect", 0)
    # 'oc' is 14, 2: suit hint 2 to player 2; 'ka' is 10, 0: suit hint 1 to player 0; 'ei' is 4, 8: play card 8.
    assert record.actions[:3] == (HintSuit(2, 2), HintSuit(0, 1), Play(0))
    assert state.history[2].order == 8


def test_real_link_is_written_character_by_character() -> None:
    assert link_from_record(record_from_link(REAL_LINK)) == REAL_LINK


@pytest.mark.parametrize(
    "text",
    [
        REAL_CONTENT,
        REAL_CONTENT.replace("-", ""),
        f"  {REAL_LINK}\n",
        f"{REAL_LINK}#17",
        f"{REAL_LINK}?turn=3#17",
        f"{REAL_LINK}/",
        REAL_LINK.replace(",", "%2C"),
        REAL_LINK.replace("replay-json", "shared-replay-json"),
        REAL_LINK.replace("https://hanab.live", "http://hanabi.live"),
        REAL_LINK.replace("https://", ""),
    ],
)
def test_other_ways_to_write_a_link_are_read(text: str) -> None:
    assert is_link(text.strip())
    assert record_from_link(text) == record_from_link(REAL_LINK)


@pytest.mark.parametrize("text", ["game.json", "p4v0s415", "", "a,b", "/tmp/replay-json", "r1 y2, g3"])
def test_what_is_no_link_does_not_look_like_one(text: str) -> None:
    assert not is_link(text)


def test_plays_may_come_without_a_value() -> None:
    # 'ei' is (0 + 1) · 4 + 0: a play with the value 0; 'ai' is a play without one. 'fa' and 'ba' are such discards.
    bare = REAL_LINK.replace("eiep", "aiep").replace("xafaew", "xabaew")
    assert bare != REAL_LINK
    assert record_from_link(bare) == record_from_link(REAL_LINK)


def test_link_without_actions() -> None:
    deck = record_from_link(REAL_LINK).deal.deck
    record = Record.from_state(State(Deal.from_cards(Rules(players=2), deck)))
    link = link_from_record(record)
    assert link.replace("-", "").endswith(",00,0")
    assert record_from_link(link) == record


def test_dashes_come_after_every_20_characters_and_never_last() -> None:
    content = link_from_record(record_from_link(REAL_LINK)).removeprefix(ADDRESS)
    chunks = content.split("-")
    assert {len(chunk) for chunk in chunks[:-1]} == {20}
    assert 1 <= len(chunks[-1]) <= 20


def test_end_of_the_game_goes_through_a_link() -> None:
    record = replace(record_from_link(REAL_LINK), ends=(EndAction(code=4, player=2),))
    assert record_from_link(link_from_record(record)) == record


def test_names_seed_and_number_are_left_out() -> None:
    record = record_from_link(REAL_LINK)
    named = replace(record, names=("W", "X", "Y", "Z"), game_id=12, deal=replace(record.deal, seed="p4v0s415"))
    assert link_from_record(named) == REAL_LINK


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (REAL_CONTENT, "", "link has 1 parts between commas: expected 3"),
        (",0", ",0,0", "link has 5 parts between commas"),
        ("/415p", "/115p", r"number of players is '1': expected a digit from 2 to 6"),
        ("/415p", "/x15p", r"number of players is 'x': expected a digit from 2 to 6"),
        ("/415p", "/4x5p", r"lowest value of the deck is 'x': expected a digit from 0 to 9"),
        ("/415p", "/451p", r"highest value of the deck is '1': expected a digit from 5 to 9"),
        ("415pagn", "415pa!n", r"link, deck\[2\] has the character '!': expected one of a-z, 0-9, A-Z"),
        ("415pagn", "415paZn", r"link, deck: card 3 is .* which is not in No Variant"),
        ("415pagn", "415paga", r"link, deck: card .* is r1 again: No Variant has 3 of it"),
        ("415pagn", "415pag", r"link, deck: 1 of 50 cards are missing: g4"),
        (",03oc", ",30oc", r"highest type of the actions is '0': expected a digit from 3 to 5"),
        (",03oc", ",09oc", r"highest type of the actions is '9': expected a digit from 0 to 5"),
        (",03oc", ",03o", r"link, actions have 105 characters: expected two for each"),
        (",03oc", ",03.c", r"link, actions\[0\] has the character '\.'"),
        (",03oc", ",03oa", r"link, actions\[0\] \(turn 1, Alice\): the suit hint 2 to player 0 is illegal: nobody may"),
        (",03oc", ",03cc", r"actions\[0\] \(turn 1, Alice\): the value of a hint is missing"),
        (",03oc", ",03eG", r"target is card 42, expected one in the hand: 0 1 2 3"),
        (",03oc", ",03ia", r"actions\[0\] \(turn 1, Alice\): value is 1, expected 0 or none"),
        (",03oc", ",03fa", r"discarding card 0 \(b1\) is illegal: all 8 hint tokens are there"),
        ("ey,0", "eyey,0", r"actions\[53\] \(turn 54, Bob\) comes after the end of the game: perfect, 25 points"),
        ("ey,0", "ey,", r"link, variant is '': expected the number of a variant"),
        ("ey,0", "ey,x", r"link, variant is 'x'"),
        ("ey,0", "ey,9977", r"link, variant: there is no variant"),
        ("ey,0", "ey,1", r"link, deck: 10 of 60 cards are missing"),
        (REAL_LINK, "https://hanab.live/replay/12345#4", r"save https://hanab\.live/export/12345 to a file"),
        (REAL_LINK, "https://example.com/thing", r"link is .* expected https://hanab\.live/replay-json/"),
        (REAL_LINK, "a" * 6000, r"link has 6000 characters: expected at most 5000"),
    ],
)
def test_malformed_link_is_refused_where_it_is_wrong(old: str, new: str, message: str) -> None:
    assert old in REAL_LINK
    with pytest.raises(RecordError, match=message):
        record_from_link(REAL_LINK.replace(old, new))


def _record(rules: Rules, starter: int = 0) -> Record:
    return Record.from_state(State(replace(Deal.from_seed(rules, seed=1), starter=starter)))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (_record(Rules(players=1)), "a link is for 2 to 6 players, not for 1"),
        (_record(Rules(variant_named("Dutch Box"))), "a link cannot have the variant 'Dutch Box'"),
        (_record(Rules(Variant.custom(suits=3))), "a link cannot have the variant 'Custom"),
        (_record(Rules(empty_hints=True)), "a link cannot have the rules options empty_hints=yes"),
        (_record(Rules(hand_size=4)), "a link cannot have the rules options hand_size=4"),
        (_record(Rules(), starter=1), "a link cannot have Bob begin"),
        (replace(_record(Rules()), notes=(("chop",), ())), "a link cannot have notes: leave them out"),
        (replace(_record(Rules()), characters=(Character("Fuming"),)), "a link cannot have characters"),
        (replace(_record(Rules()), extra_options=(("timed", True),)), "a link cannot have options"),
        (replace(_record(Rules()), ends=(EndAction(0, by_vote=True),)), "a link cannot have the target -1 of action 0"),
    ],
)
def test_what_a_link_cannot_say_is_refused_by_name(record: Record, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        link_from_record(record)


def test_bare_record_has_a_link() -> None:
    full = replace(
        _record(Rules()), notes=(("a",), ("b",)), characters=(Character("Fuming"),), extra_options=(("timed", True),)
    )
    assert link_from_record(full.bare()) == link_from_record(_record(Rules()))


def test_a_file_in_a_folder_called_like_an_address_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = record_from_link(REAL_LINK)
    (tmp_path / "games" / "replay-json").mkdir(parents=True)
    save_record(tmp_path / "games" / "replay-json" / "game.json", record)
    monkeypatch.chdir(tmp_path)
    assert record_given("games/replay-json/game.json").actions == record.actions
    assert record_given(REAL_LINK).actions == record.actions
