"""Beside the cards: notes, talk, clocks, turns that are taken back, rematches, and the games of a device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.errors import NotationError
from handful.hanabi import Deal, Discard, HintValue, Play, Rules, read_record
from handful.hanabi.live.translation import EndAction
from handful.web.errors import BusyError, ConflictError, DamagedTableError
from handful.web.hanabi_table import Table
from handful.web.table_game import TAKE_BACK, TIME_OUT
from handful.web.table_options import TableOptions
from handful.web.table_talk import MAX_SAID, PACE_NUMBER, PACE_SECONDS
from handful.web.tables import Tables
from tests.web.lab import Lab, wait_for

PEOPLE = [("Anna", ""), ("Boris", ""), ("Cleo", "")]


class Time:
    """A clock that goes on when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def tables(tmp_path: Path, time: Time) -> Iterator[Tables]:
    made = Tables(tmp_path / "tables.sqlite", now=time)
    yield made
    made.close()


def set_table(tables: Tables, places: list[tuple[str, str]] = PEOPLE, **options: int) -> Table:
    deal = Deal.from_seed(Rules(players=len(places)), 3)
    return tables.create(deal, places, is_open=False, options=TableOptions(**options))  # type: ignore[arg-type]


def read_again(tables: Tables, table: Table, time: Time) -> Table:
    """Return the table as a server that was started anew reads it."""
    return Table(tables.store, table.number, time)


def end(table: Table) -> None:
    while not (state := table.state()).is_over:
        table.act(state.current, state.turn_number, state.legal_actions()[0])


# Notes


def test_notes_are_kept_for_each_seat_and_go_into_the_record(tables: Tables, time: Time) -> None:
    table = set_table(tables)
    table.note(0, 5, "  a\tred one ")
    table.note(1, 0, "trash")
    table.note(1, 0, "chop-moved “1”")
    table.note(2, 3, "nothing")
    table.note(2, 3, "")
    assert table.notes(0) == [{5: "a red one"}, {}, {}]
    assert read_again(tables, table, time).notes() == [{5: "a red one"}, {0: "chop-moved “1”"}, {}]
    with pytest.raises(ConflictError):
        table.record()
    end(table)
    record = table.record()
    assert record.notes == (("", "", "", "", "", "a red one"), ("chop-moved “1”", "", "", "", "", ""), ("",) * 6)
    assert read_record(record.to_text()) == record
    with pytest.raises(ConflictError, match="the game is over"):
        table.note(0, 5, "later")


def test_notes_are_on_cards_that_were_dealt_and_not_too_long(tables: Tables) -> None:
    table = set_table(tables)
    for card, text, message in ((15, "?", "one that was dealt, 0 to 14"), (3, "x" * 501, "501 characters")):
        with pytest.raises(NotationError, match=message):
            table.note(0, card, text)
    for card in range(PACE_NUMBER):
        table.note(0, card, "one")
    with pytest.raises(BusyError):
        table.note(0, 0, "too many")
    table.note(1, 0, "another seat has a pace of its own")


def test_a_record_without_notes_says_nothing_of_them(tables: Tables) -> None:
    table = set_table(tables)
    end(table)
    assert "notes" not in json.loads(table.record().to_text())


# Talk


def test_what_is_said_is_bounded_in_length_number_and_pace(tables: Tables, time: Time) -> None:
    table = set_table(tables)
    for text in ("", " \n\u202e\u0000 ", "x" * 301):
        with pytest.raises(NotationError):
            table.say(0, text)
    for number in range(PACE_NUMBER):
        table.say(0, f"{number}")
    with pytest.raises(BusyError, match="wait a moment"):
        table.say(0, "too much")
    table.say(1, "another one may")
    for number in range(MAX_SAID):
        time.pass_by(PACE_SECONDS)
        table.say(2, f"<b>{number}</b>")
    kept = table.said()
    assert [said.text for said in kept] == [f"<b>{number}</b>" for number in range(MAX_SAID)]
    assert table.num_said == kept[-1].number == MAX_SAID + PACE_NUMBER + 1
    again = read_again(tables, table, time)
    assert again.num_said == table.num_said
    assert len(tables.store.said(table.number)) == MAX_SAID


def test_talk_on_the_page_is_text_and_its_events_say_nothing_of_it(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    seats = [f"/play/seats/{seat.token}" for seat in table.setup.seats]
    piece = lab.client.post(
        f"{seats[0]}/said", data={"text": "<script>1</script> is it red?"}, headers={"hx-request": "true"}
    )
    assert piece.status_code == 200
    assert "&lt;script&gt;1&lt;/script&gt; is it red?" in piece.text
    assert "<script" not in piece.text
    assert not any(seat.token in piece.text for seat in table.setup.seats)
    for page in (
        seats[1],
        f"{seats[1]}/said",
        f"/play/watch/{table.setup.watch}",
        f"/play/watch/{table.setup.watch}/said",
    ):
        assert "is it red?" in lab.client.get(page).text
    with lab.client.stream("GET", f"{seats[1]}/events") as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("event: talk"))
        assert next(lines) == "data: 1"
    refused = lab.client.post(f"/play/watch/{table.setup.watch}/said", data={"text": "psst"})
    assert refused.status_code == 405
    assert lab.client.post(f"/play/seats/{table.setup.watch}/said", data={"text": "psst"}).status_code == 404
    assert lab.client.get(f"{seats[0]}/version").json()["said"] == 1


# Turns that are taken back


def test_turns_are_taken_back_when_all_people_agree(tables: Tables, time: Time) -> None:
    table = set_table(tables, [*PEOPLE[:2], ("Cleo", "random")], is_casual=True)
    before = table.state()
    table.act(0, 1, Play(0))
    table.act(1, 2, Play(0))
    table.act(2, 3, HintValue(0, before.hand(0)[1].value))
    table.ask_back(0, 4)
    asked = table.take_back
    assert asked is not None
    assert (asked.asker, asked.turns) == (0, 0)
    assert len(table.state().history) == 3
    version = table.version
    table.answer_back(1, asked.events, agrees=True)
    state = table.state()
    assert (state.common_knowledge(), state.deck()) == (before.common_knowledge(), before.deck())
    assert state.taken_back == 3
    assert list(map(int, table.version.split("."))) > list(map(int, version.split(".")))
    assert tables.store.load(table.number).actions == (5, 5, *tables.store.load(table.number).actions[2:3], TAKE_BACK)
    table.act(0, 1, Play(1))
    again = read_again(tables, table, time)
    assert again.state().common_knowledge() == table.state().common_knowledge()
    assert again.state().taken_back == 3


def test_bots_agree_at_once_and_choose_anew(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="rules", casual="true", deal="seed", seed="5")
    token = table.setup.seats[0].token
    hint = lab.see(token)["actions"][-1]["action"]
    assert lab.act(token, 1, hint).status_code == 200
    first = wait_for(table, lambda state: state.turn_number == 3)
    piece = lab.client.post(f"/play/seats/{token}/undo", data={"turn": 3}, headers={"hx-request": "true"})
    assert piece.status_code == 200
    assert 'id="table"' in piece.text
    assert table.state().turn_number == 1
    assert lab.act(token, 1, hint).status_code == 200
    again = wait_for(table, lambda state: state.turn_number == 3)
    assert [turn.action for turn in again.history] == [turn.action for turn in first.history]


def test_what_cannot_be_taken_back(tables: Tables) -> None:
    table = set_table(tables)
    table.act(0, 1, Play(0))
    with pytest.raises(ConflictError, match="not casual"):
        table.ask_back(0, 2)
    table = set_table(tables, is_casual=True)
    with pytest.raises(ConflictError, match="done nothing yet"):
        table.ask_back(0, 1)
    table.act(0, 1, Play(0))
    with pytest.raises(ConflictError, match="turn 2: look again"):
        table.ask_back(0, 1)
    table.ask_back(0, 2)
    asked = table.take_back
    assert asked is not None
    table.answer_back(2, asked.events, agrees=False)
    assert table.take_back is None
    with pytest.raises(ConflictError, match="any more"):
        table.answer_back(1, asked.events, agrees=True)
    table.ask_back(0, 2)
    table.act(1, 2, HintValue(2, table.state().hand(2)[0].value))  # who goes on does not agree
    assert table.take_back is None
    assert table.state().turn_number == 3
    end(table)
    with pytest.raises(ConflictError, match="all cards are open"):
        table.ask_back(0, table.state().turn_number)


def test_a_choice_that_was_made_for_another_game_is_not_taken(tables: Tables) -> None:
    table = set_table(tables, [("Anna", ""), ("Boris", "random")], is_casual=True)
    table.act(0, 1, Play(0))
    events = table.num_events
    table.ask_back(0, 2)
    table.act(0, 1, Play(1))
    with pytest.raises(ConflictError):
        table.act(1, 2, Play(0), events)
    assert table.state().turn_number == 2


def test_two_servers_with_the_same_file_agree_on_what_was_taken_back(tables: Tables, time: Time) -> None:
    table = set_table(tables, is_casual=True)
    table.act(0, 1, Play(0))
    other = Tables(tables.store.path, now=time)
    twin = other.of_host(table.setup.host)
    table.ask_back(0, 2)
    asked = table.take_back
    assert asked is not None
    for seat in (1, 2):
        table.answer_back(seat, asked.events, agrees=True)
    with pytest.raises(ConflictError):
        twin.act(1, 2, Play(1))
    assert twin.state().common_knowledge() == table.state().common_knowledge()
    other.close()


@pytest.mark.parametrize("number", [TAKE_BACK, TAKE_BACK + 5, TIME_OUT + 2, TIME_OUT + 99, 999, 9_999])
def test_numbers_that_make_no_sense_are_told_as_damage(tables: Tables, time: Time, number: int) -> None:
    table = set_table(tables)
    tables.store.act(table.number, 1, number)
    with pytest.raises(DamagedTableError):
        read_again(tables, table, time)


# Clocks


def test_time_passes_for_who_is_to_move_and_ends_the_game(tables: Tables, time: Time) -> None:
    table = set_table(tables, [*PEOPLE[:2], ("Cleo", "random")], base_seconds=60, increment_seconds=5)
    time.pass_by(500)
    assert table.clocks() == [60, 60, None]  # nobody has moved
    table.act(0, 1, Play(0))
    time.pass_by(20)
    assert (table.clocks(), table.clock_seat) == ([60, 40, None], 1)
    table.act(1, 2, HintValue(0, table.state().hand(0)[0].value))
    assert table.clocks() == [60, 45, None]
    assert table.deadline is None  # a bot's turn
    time.pass_by(500)
    table.act(2, 3, Discard(0))
    time.pass_by(59)
    table.look_at_clock()
    assert not table.state().is_over
    time.pass_by(1)
    assert not table.is_idle
    table.look_at_clock()
    state = table.state()
    assert (state.is_over, state.ending, state.score, state.timed_out) == (True, "time", 0, 0)
    assert table.is_idle
    record = table.record()
    assert record.ends == (EndAction(3, 0),)
    assert read_record(record.to_text()).ends == record.ends
    again = read_again(tables, table, time)
    assert (again.state().ending, again.state().timed_out, again.deadline) == ("time", 0, None)


def test_who_acts_too_late_does_not_act(tables: Tables, time: Time) -> None:
    table = set_table(tables, base_seconds=60)
    table.act(0, 1, Play(0))
    time.pass_by(60)
    with pytest.raises(ConflictError, match="over"):
        table.act(1, 2, Play(0))
    assert (table.state().ending, table.state().turn_number) == ("time", 2)
    assert tables.store.load(table.number).actions == (5, TIME_OUT + 1)


def test_clocks_are_kept_over_a_restart_in_which_no_time_passes(tables: Tables, time: Time) -> None:
    table = set_table(tables, base_seconds=60, increment_seconds=2)
    table.act(0, 1, Play(0))
    time.pass_by(10)
    table.act(1, 2, HintValue(0, table.state().hand(0)[0].value))
    time.pass_by(300)
    again = read_again(tables, table, time)
    assert (again.clocks(), again.clock_seat) == ([60, 52, 60], 2)


def test_the_server_itself_looks_at_the_clock_of_a_table(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person", clock_minutes="1", clock_seconds="0")
    lab.tables.now = table._now = now = Time()
    assert lab.act(table.setup.seats[0].token, 1, 5).status_code == 200
    page = lab.client.get(f"/play/seats/{table.setup.seats[1].token}").text
    assert 'data-seconds="60" data-running' in page
    now.pass_by(60)
    lab.see(table.setup.seats[0].token)  # sets the alarm anew
    assert wait_for(table, lambda state: state.is_over).score == 0
    page = lab.client.get(f"/play/seats/{table.setup.seats[1].token}").text
    assert "The time is up" in page
    assert lab.client.get(f"/play/seats/{table.setup.seats[1].token}/record").status_code == 200


@pytest.mark.parametrize(
    "fields", [{"clock_minutes": "181"}, {"clock_seconds": "-1"}, {"clock_minutes": "x"}, {"casual": "?"}]
)
def test_options_that_make_no_sense(lab: Lab, fields: dict[str, str]) -> None:
    assert lab.client.post("/play/tables", data={"players": "2", **fields}).status_code == 422


# Rematch, invitations, my games


def test_a_rematch_has_the_same_people_and_options_and_leads_each_to_an_own_seat(lab: Lab) -> None:
    options = {"casual": "true", "clock_minutes": "5", "name_1": "Ada"}
    table = lab.set_table(players=3, seat_2="person", seat_3="random", **options)
    first, second, _bot = (seat.token for seat in table.setup.seats)
    end(table)
    place = lab.client.post(f"/play/seats/{first}/again").headers["location"]
    following, seat = lab.tables.at_seat(place.rsplit("/", 1)[1])
    assert (seat, following.setup.options) == (0, table.setup.options)
    assert (following.setup.names, following.setup.bots) == (table.setup.names, table.setup.bots)
    page = lab.client.get(f"/play/seats/{second}/table").text
    own, others = following.setup.seats[1].token, [following.setup.seats[0].token, following.setup.host]
    assert f'data-lead="/play/seats/{own}"' in page
    assert not any(other in page for other in others)
    watching = lab.client.get(f"/play/watch/{table.setup.watch}").text
    assert f"/play/watch/{following.setup.watch}" in watching
    assert not any(seat.token in watching for seat in following.setup.seats)


def test_an_invitation_says_that_other_machines_cannot_reach_this_one(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    page = lab.client.get(f"/play/tables/{table.setup.host}").text
    assert "others cannot reach <code>127.0.0.1</code>" in page
    assert "--allow-network" in page
    named = lab.client.get(f"/play/tables/{table.setup.host}", headers={"host": f"localhost:{lab.port}"}).text
    assert "others cannot reach <code>localhost</code>" in named


def test_my_games_have_date_score_and_result_and_nothing_of_others(lab: Lab) -> None:
    over = lab.set_table(players=2, seat_2="person", name_1="Ada")
    end(over)
    other = lab.set_table(players=2, seat_2="person", name_1="Xaver")
    mine = lab.set_table(players=2, seat_2="person", variant="6 Suits")
    tokens = [over.setup.seats[0].token, mine.setup.seats[0].token, "x" * 32, over.setup.seats[0].token, "'; --"]
    for shown, rows in (("table", "<tr"), ("list", "<li>")):
        answer = lab.client.post("/play/mine", data={"seats": " ".join(tokens), "shown": shown})
        assert answer.status_code == 200
        assert answer.text.count(rows) == 3  # two games, and the head, or the link to all
        assert "your turn" in answer.text
        assert f"{over.state().score} of 25" in answer.text
        assert lab.tables.store.day_of(over.number) in answer.text
        assert "Xaver" not in answer.text
        assert other.setup.host not in answer.text
    assert "out of strikes" in lab.client.post("/play/mine", data={"seats": tokens[0]}).text
    assert lab.client.get("/play/mine").status_code == 200
    assert lab.client.post("/play/mine", data={"seats": "x" * 7001}).status_code == 422


def test_a_file_from_before_has_no_options_and_gets_the_new_tables(tables: Tables, time: Time) -> None:
    table = set_table(tables)
    with tables.store._transaction() as connection:
        for name in tables.store.details:
            connection.execute(f"DROP TABLE {name}")
    again = Tables(tables.store.path, now=time)
    old = again.of_host(table.setup.host)
    assert (old.setup.options, old.setup.watch) == (TableOptions(), "")
    old.note(0, 0, "as ever")
    again.store.remove(old.number)
    assert not again.store.notes(old.number)
    again.close()
