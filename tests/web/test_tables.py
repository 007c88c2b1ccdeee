from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from handful.bots.players import all_bots
from handful.errors import HandfulError, IllegalActionError, RulesError
from handful.hanabi import Action, Deal, Discard, HintValue, Play, Rules, State, variant_named
from handful.splitmix import SplitMix64
from handful.web import live_tables
from handful.web.bot_process import BotSeats
from handful.web.bots import Bots
from handful.web.errors import ConflictError, NotFoundError
from handful.web.seat_store import Seat
from handful.web.table_store import Setup, TableStore
from handful.web.tables import Tables
from tests.web.lab import Lab, wait_for

PEOPLE = [("Anna", ""), ("Boris", ""), ("Cleo", "")]


def deal_for(players: int, seed: int = 1) -> Deal:
    return Deal.from_seed(Rules(players=players), seed)


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "tables.sqlite")


def test_a_table_is_the_same_after_it_was_closed_and_opened(tmp_path: Path) -> None:
    first = Tables(tmp_path / "tables.sqlite")
    table = first.create(deal_for(3), PEOPLE, is_open=True)
    actions: list[Action] = [HintValue(1, table.state().hand(1)[0].value), Discard(2), Play(0)]
    for turn, action in enumerate(actions, start=1):
        table.act((turn - 1) % 3, turn, action)
    before, setup = table.state(), table.setup
    first.close()
    again = Tables(tmp_path / "tables.sqlite").at_seat(setup.seats[1].token)
    assert again[1] == 1
    assert again[0].setup == setup
    assert again[0].state().common_knowledge() == before.common_knowledge()


@pytest.mark.parametrize("name", ["Dutch Box", "Pink (6 Suits)", "Custom (2 suits, copies 4 3 2)"])
def test_every_kind_of_game_is_kept(tables: Tables, name: str) -> None:
    rules = Rules(variant_named(name), 2, hand_size=4, empty_hints=True)
    deal = Deal(rules, Deal.from_seed(rules, 3).deck, "3", starter=1)
    table = tables.create(deal, PEOPLE[:2], is_open=False)
    assert tables.store.load(table.number).setup.deal == deal


def test_seats_act_in_turn_and_for_themselves(tables: Tables) -> None:
    table = tables.create(deal_for(3), PEOPLE, is_open=False)
    with pytest.raises(ConflictError, match="not your turn: Anna is to move"):
        table.act(1, 1, Play(0))
    with pytest.raises(ConflictError, match="meant for turn 2"):
        table.act(0, 2, Play(0))
    with pytest.raises(IllegalActionError, match="nothing may be discarded"):
        table.act(0, 1, Discard(0))
    assert table.state().turn_number == 1
    table.act(0, 1, Play(0))
    with pytest.raises(ConflictError, match="not your turn: Boris is to move"):
        table.act(0, 1, Play(0))
    assert tables.store.load(table.number).actions == (5,)


def test_what_cannot_be_saved_is_not_done(tables: Tables) -> None:
    table = tables.create(deal_for(3), PEOPLE, is_open=False)
    before = table.state().common_knowledge()
    tables.store.close()
    with pytest.raises(HandfulError, match="was not taken"):
        table.act(0, 1, Play(0))
    assert table.state().common_knowledge() == before


def test_a_table_that_another_server_went_on_with_is_read_again(tmp_path: Path) -> None:
    one, other = Tables(tmp_path / "tables.sqlite"), Tables(tmp_path / "tables.sqlite")
    table = one.create(deal_for(3), PEOPLE, is_open=False)
    twin = other.of_host(table.setup.host)
    table.act(0, 1, Play(0))
    with pytest.raises(ConflictError, match="taken already"):
        twin.act(0, 1, Play(1))
    assert twin.state().common_knowledge() == table.state().common_knowledge()
    twin.act(1, 2, Play(1))


def test_of_many_actions_at_once_one_is_taken(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    with ThreadPoolExecutor(8) as pool:
        for turn in range(1, 5):
            token = table.setup.seats[(turn - 1) % 2].token
            hint = next(each["action"] for each in lab.see(token)["actions"] if each["text"].startswith("hint"))
            together = threading.Barrier(8)

            def ask(token: str = token, turn: int = turn, hint: int = hint, start: threading.Barrier = together) -> int:
                start.wait()
                return lab.act(token, turn, hint).status_code

            answers = [each.result() for each in [pool.submit(ask) for _ in range(8)]]
            assert sorted(answers) == [200] + [409] * 7
            assert len(table.state().history) == turn
    assert len(lab.tables.store.load(table.number).actions) == 4


@pytest.mark.parametrize("bot", ["random", "rules(omega_h=0.5)", "recommendation", "conventions", "best"])
def test_bots_that_follow_anew_do_what_they_would_have_done(bot: str) -> None:
    players = 2 if bot == "conventions" else 4
    seats = tuple(Seat(name, "" if name == "a" else bot, name) for name in "abcd"[:players])
    setup = Setup("host", deal_for(players), seats, is_open=False, chance=77)
    state, together = State(setup.deal), BotSeats(setup.deal, setup.bots, setup.chance)
    while not state.is_over and state.turn_number < 30:
        history = [turn.action for turn in state.history]
        if state.current == 0:
            state.act(state.legal_actions()[-1])
            continue
        chosen = together.choose(history)
        if state.turn_number % 6 == 0:
            assert BotSeats(setup.deal, setup.bots, setup.chance).choose(history) == chosen
        state.act(chosen)
    assert state.turn_number > 3


@pytest.mark.parametrize("seat", [1, 2], ids=["raises", "illegal"])
def test_nothing_is_played_for_a_bot_that_fails_and_the_table_says_so(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, seat: int
) -> None:
    places = [("Anna", ""), ("Boris", ""), ("Cleo", "")]
    places[seat] = ("Boris", "random")
    places[3 - seat] = ("Cleo", "")
    table = lab.tables.create(deal_for(3), places, is_open=False)
    failing = Bots(module="tests.web.failing_bots")
    with monkeypatch.context() as broken:
        broken.setattr(lab.tables, "bots", failing)
        for turn in range(1, seat + 1):
            table.act(turn - 1, turn, HintValue(turn % 3, table.state().hand(turn % 3)[0].value))
        lab.tables.wake_bots(table)
        state = wait_for(table, lambda _state: bool(table.trouble))
        text = lab.client.get(f"/play/seats/{table.setup.seats[0].token}/table").text
        assert "Boris</b> cannot go on (" in text
        assert ("illegal" in text) == (seat == 2)
        assert "a secret detail" not in text  # what a bot raises can name the cards of who reads it
    failing.kill()
    assert len(state.history) == seat
    assert "stopped" in caplog.text
    while table.trouble:  # whoever looks wakes the bot, which is well again
        lab.see(table.setup.seats[0].token)
    assert len(table.state().history) == seat + 1


def test_a_slow_disk_holds_up_nobody_at_other_tables(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, other = (lab.tables.create(deal_for(2), [("Anna", ""), ("Boris", "")], is_open=False) for _ in range(2))
    is_waiting, may_go_on = threading.Event(), threading.Event()
    write = TableStore.act

    def write_slowly(store: TableStore, number: int, turn: int, action: int) -> None:
        is_waiting.set()
        assert may_go_on.wait(60)
        write(store, number, turn, action)

    monkeypatch.setattr(TableStore, "act", write_slowly)
    with ThreadPoolExecutor() as pool:
        token = slow.setup.seats[0].token
        answer = pool.submit(lab.act, token, 1, lab.see(token)["actions"][0]["action"])
        assert is_waiting.wait(60)
        assert lab.see(other.setup.seats[0].token)["actions"]
        # Nor at this one, whoever looks: the action is not taken before it is on disk.
        for address in (f"/play/seats/{token}", f"/play/seats/{slow.setup.seats[1].token}/version"):
            assert lab.client.get(address).status_code == 200
        with lab.client.stream("GET", f"/play/seats/{token}/events") as stream:
            assert next(line for line in stream.iter_lines() if line.startswith("data: 0."))
        assert not answer.done()
        may_go_on.set()
        assert answer.result().status_code == 200


def test_tables_that_nobody_looks_at_are_unloaded(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_tables, "MAX_LOADED", 3)
    followed = tables.create(deal_for(3), PEOPLE, is_open=False)
    followed.follow(0, lambda: None)
    made = [tables.create(deal_for(3, seed), PEOPLE, is_open=False) for seed in range(6)]
    assert len(tables._loaded) == 3
    assert followed.number in tables._loaded
    assert tables.of_host(made[0].setup.host) is not made[0]
    assert tables.of_host(followed.setup.host) is followed


@pytest.mark.parametrize(
    ("players", "places", "message"),
    [
        (3, [("Anna", "best"), ("Boris", "best"), ("Cleo", "best")], "at least one person"),
        (3, [("Anna", ""), ("anna", ""), ("Cleo", "")], "two players are called"),
        (3, [("Anna", ""), ("B" * 25, ""), ("Cleo", "")], "seat 2: expected 1 to 24"),
        (3, [("Anna", ""), ("B\x00", ""), ("Cleo", "")], "printable"),
        (3, [("Anna", ""), ("Boris", "hat"), ("Cleo", "")], "Boris: the bot 'hat' plays with 4 or 5 players"),
        (3, [("Anna", ""), ("Boris", "deep blue"), ("Cleo", "")], "expected a name"),
        (3, [("Anna", ""), ("Boris", "nobody"), ("Cleo", "")], "there is no bot 'nobody'"),
    ],
)
def test_places_that_make_no_sense(tables: Tables, players: int, places: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(HandfulError, match=message):
        tables.create(deal_for(players), places, is_open=False)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(players=1), "expected 2 to 6"),
        (Rules(variant_named("Custom (9 suits, copies 9 9 9)"), 2), "at most 100"),
        (Rules(players=2, hand_size=7), "at most 6"),
        (Rules(players=2, max_hints=None), "for ever"),
        (Rules(players=2, end_of_deck="never"), "for ever"),
    ],
)
def test_games_that_cannot_be_played_here(tables: Tables, rules: Rules, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        tables.create(Deal.from_seed(rules, 1), PEOPLE[: rules.players], is_open=False)


def test_secrets_are_long_and_different(tables: Tables) -> None:
    made = [tables.create(deal_for(3), PEOPLE, is_open=False).setup for _ in range(20)]
    secrets = [secret for setup in made for secret in (setup.host, *(seat.token for seat in setup.seats))]
    assert len(set(secrets)) == 80
    assert min(map(len, secrets)) >= 32  # 24 bytes
    assert len({setup.chance for setup in made}) == 20


def test_the_file_must_be_ours(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is not a database, whatever its name is. " * 20)
    with pytest.raises(HandfulError, match="table file text: damaged, or not a table file of handful"):
        TableStore(tmp_path / "text")
    import sqlite3

    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE things (id)")
    other.close()
    with pytest.raises(HandfulError, match="table file other: an SQLite file of another program"):
        TableStore(tmp_path / "other")


def test_unknown_secrets(tables: Tables) -> None:
    with pytest.raises(NotFoundError):
        tables.at_seat("x" * 32)
    with pytest.raises(NotFoundError):
        tables.of_host("x" * 32)
    table = tables.create(deal_for(2), [("Anna", ""), ("Boris", "random")], is_open=False)
    with pytest.raises(ConflictError, match="a bot sits here"):
        tables.at_seat(table.setup.seats[1].token)


@pytest.mark.parametrize("bot", [entry.name for entry in all_bots() if entry.sees != "view"])
def test_bots_that_see_more_than_a_view_do_not_sit_down_with_people(lab: Lab, bot: str) -> None:
    with pytest.raises(RulesError, match=rf"Boris: the bot '{bot}' sees .*: it does not sit down with people"):
        lab.tables.create(deal_for(2), [("Anna", ""), ("Boris", bot)], is_open=False)
    assert f'value="{bot}"' not in lab.client.get("/play").text


@pytest.mark.parametrize("bot", [entry.name for entry in all_bots() if entry.sees == "view"])
def test_every_other_bot_of_the_register_can_sit_at_a_table(lab: Lab, bot: str) -> None:
    entry = next(entry for entry in all_bots() if entry.name == bot)
    players = entry.players[0] if entry.players else 3
    places = [("Anna", ""), *((f"bot {seat}", bot) for seat in range(1, players))]
    table = lab.tables.create(deal_for(players), places, is_open=False)
    chance = SplitMix64(3)
    for _ in range(3):
        state = wait_for(table, lambda state: state.is_over or state.current == 0)
        if state.is_over:
            break
        legal = state.legal_actions()
        table.act(0, state.turn_number, legal[chance.below(len(legal))])
        lab.tables.wake_bots(table)
    assert len(table.state().history) >= players


def test_deals_differ_but_setups_compare() -> None:
    setup = Setup("host", deal_for(2), (Seat("a", "", "a"), Seat("b", "", "b")), is_open=False, chance=1)
    assert setup == replace(setup)
    assert setup.names == ("a", "b")
