"""The file of tables is damaged: by another program, by a disk, by a hand.

What must hold:

* A table whose rows make no sense is told as damaged, in a sentence of ours that shows nothing of the deal; every other
  table goes on, and the bots at it.
* Whatever bytes of the file are overwritten, no answer is a 500, and the server stays.
* Tables at which nobody has acted for long are removed, with all their rows; those that somebody looks at are not. A
  table whose next one was removed is still shown.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from handful.errors import HandfulError
from handful.hanabi import Deal, Rules
from handful.splitmix import SplitMix64
from handful.web.live_tables import KEEP_DAYS
from handful.web.table_store import TableStore
from handful.web.tables import Table, Tables
from tests.web.lab import Lab, wait_for


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as opened:
        yield opened


def new_table(tables: Tables, bot: str = "") -> Table:
    deal = Deal.from_seed(Rules(players=2), 5)
    table = tables.create(deal, [("Anna", ""), ("Boris", bot)], is_open=False)
    for turn in range(1, 1 if bot else 4):
        table.act((turn - 1) % 2, turn, table.state().legal_actions()[-1])
    return table


def damage(lab: Lab, statement: str, *values: Any) -> None:
    """Change the file behind the server's back, and let it forget what it has read."""
    with closing(sqlite3.connect(lab.tables.store.path)) as file, file:
        file.execute(statement, values)
    lab.tables._loaded.clear()


def addresses(table: Table) -> list[str]:
    seat, other = (each.token for each in table.setup.seats)
    return [
        f"/play/seats/{seat}",
        f"/play/seats/{seat}/table",
        f"/play/seats/{other}/version",
        f"/api/seats/{other}",
        f"/play/seats/{seat}/record",
        f"/play/tables/{table.setup.host}",
    ]


COLUMNS = {
    "tables": ["variant", "players", "rules", "deck", "starter", "seed", "is_open", "chance"],
    "seats": ["seat", "name", "bot"],
    "actions": ["turn", "action"],
}
ROWS = {"tables": "id = {0}", "seats": "table_id = {0} AND seat = 1", "actions": "table_id = {0} AND turn = 2"}
HARMLESS = {("tables", "seed"), ("tables", "is_open"), ("seats", "name"), ("seats", "bot"), ("tables", "chance")}
VALUES: list[Any] = ["", "nonsense", "x" * 100_000, "9" * 30, -1, 7, 10**15, 2**62, 1.5, b"\xff\x00\xfe", "\x00"]
STILL_FITTING = [("rules", ""), ("action", 7)]  # the usual rules; a legal action
DECK_SECRETS = ("r1 ", "y2 ", "decode", "deck", "Traceback", "sqlite")


@pytest.mark.parametrize(("place", "column"), [(place, column) for place in COLUMNS for column in COLUMNS[place]])
def test_a_damaged_table_is_told_as_such_and_the_others_go_on(lab: Lab, place: str, column: str) -> None:
    other = new_table(lab.tables, "random")
    for value in (*VALUES, None):
        table = new_table(lab.tables)
        # The last one is a text that is none: SQLite itself would quote it, with all the cards that are in it.
        given = "CAST(x'ff' || substr(deck, 2) AS TEXT)" if value is None and column == "deck" else "?"
        change = f"UPDATE {place} SET {column} = {given} WHERE {ROWS[place].format(table.number)}"
        try:
            damage(lab, change, *([] if given != "?" else [value]))
        except sqlite3.IntegrityError:
            continue  # the file itself refuses it
        for address in addresses(table):
            answer = lab.client.get(address)
            if (place, column) not in HARMLESS:
                assert answer.status_code in (410, 404) or (column, value) in STILL_FITTING, (
                    value,
                    address,
                    answer.text,
                )
            assert answer.status_code in (200, 404, 409, 410), (value, address, answer.text)
            if answer.status_code == 410:
                assert f"able {table.number} is damaged on disk" in answer.text
                assert not any(secret in answer.text.partition("<main")[2] for secret in DECK_SECRETS)
    table, _seat = lab.tables.at_seat(other.setup.seats[0].token)
    hint = next(each["action"] for each in lab.see(other.setup.seats[0].token)["actions"] if "hint" in each["text"])
    assert lab.act(other.setup.seats[0].token, 1, hint).status_code == 200
    wait_for(table, lambda state: len(state.history) == 2)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM seats WHERE table_id = {0} AND seat = 1",
        "DELETE FROM seats WHERE table_id = {0} AND seat = 0",
        "DELETE FROM actions WHERE table_id = {0} AND turn = 1",
        "DELETE FROM actions WHERE table_id = {0} AND turn = 2",
        "INSERT INTO actions VALUES ({0}, 99, 1)",
        "INSERT INTO actions VALUES ({0}, 0, 1)",
        "INSERT INTO seats VALUES ({0}, 2, 'Cleo', '', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')",
        "WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n LIMIT 20000)"
        " INSERT INTO actions SELECT {0}, i, 0 FROM n",
    ],
)
def test_rows_that_are_missing_or_too_many(lab: Lab, statement: str) -> None:
    table, other = new_table(lab.tables), new_table(lab.tables)
    damage(lab, statement.format(table.number))
    for address in addresses(table):
        assert lab.client.get(address).status_code in (404, 410)
    for address in addresses(other):
        assert lab.client.get(address).status_code in (200, 409)


def test_a_bot_that_is_none_any_more_is_told_of(lab: Lab) -> None:
    table = new_table(lab.tables, "random")
    damage(lab, "UPDATE seats SET bot = 'skynet' WHERE table_id = ? AND seat = 1", table.number)
    seat = table.setup.seats[0].token
    hint = next(each["action"] for each in lab.see(seat)["actions"] if "hint" in each["text"])
    assert lab.act(seat, 1, hint).status_code == 200
    again, _number = lab.tables.at_seat(seat)
    wait_for(again, lambda _state: bool(again.trouble))
    assert "there is no bot" in lab.client.get(f"/play/seats/{seat}").text


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(6, 60))])
def test_whatever_bytes_are_overwritten_no_answer_is_a_500(tmp_path: Path, seed: int) -> None:
    path, chance = tmp_path / "tables.sqlite", SplitMix64(seed)
    tables = Tables(path)
    made = [new_table(tables) for _ in range(12)]
    tables.close()
    data = bytearray(path.read_bytes())
    for _ in range(1 + chance.below(40)):
        start = (0 if seed % 5 == 4 else 4096) + chance.below(len(data) - 4096)
        for place in range(start, min(len(data), start + 1 + chance.below(300))):
            data[place] = chance.below(256)
    path.write_bytes(data)
    try:
        opened = Lab(tmp_path)
    except HandfulError:  # nothing of the file can be read: then nothing is overwritten
        assert path.read_bytes() == bytes(data)
        return
    with opened as lab:
        for table in made:
            for address in addresses(table):
                assert lab.client.get(address).status_code < 500
            legal = table.state().legal_actions()
            assert legal
            assert lab.act(table.setup.seats[1].token, 4, 0).status_code < 500
        assert lab.client.post("/play/tables", data={"players": "2"}).status_code < 500
        assert lab.client.get("/play").status_code == 200


# Old tables

TODAY = date(2030, 1, 1)


def acted(tables: Tables, table: Table, days_ago: int) -> None:
    day = (TODAY - timedelta(days=days_ago)).isoformat()
    with tables.store._transaction() as connection:
        connection.execute("UPDATE last_acts SET day = ? WHERE table_id = ?", [day, table.number])


def test_tables_at_which_nobody_acts_are_removed_after_a_time(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "tables.sqlite", keep_days=30)
    old, followed, recent, at_the_limit = (new_table(tables) for _ in range(4))
    for table, days in ((old, 31), (followed, 400), (recent, 2), (at_the_limit, 30)):
        acted(tables, table, days)
    followed.follow(0, lambda: None)
    assert tables.remove_old_ones(TODAY) == 1
    with pytest.raises(HandfulError, match="no such seat"):
        tables.at_seat(old.setup.seats[0].token)
    for table in (followed, recent, at_the_limit):
        assert tables.at_seat(table.setup.seats[0].token)[0].number == table.number
    for name in ("tables", "seats", "actions", "last_acts"):
        column = "id" if name == "tables" else "table_id"
        assert not tables.store._rows(f"SELECT 1 FROM {name} WHERE {column} = ?", [old.number])
    tables.close()


def test_a_table_whose_next_one_is_gone_is_still_shown(lab: Lab) -> None:
    table = lab.tables.create(Deal.from_seed(Rules(players=2), 2), [("Anna", ""), ("Boris", "")], is_open=False)
    for turn in range(1, 4):
        table.act((turn - 1) % 2, turn, table.state().legal_actions()[0])
    seat = table.setup.seats[0].token
    following = lab.client.post(f"/play/seats/{seat}/again").headers["location"].rpartition("/")[2]
    lab.tables.store.remove(lab.tables.store.find_seat(following)[0])
    lab.tables._loaded.clear()
    assert "Rematch" in lab.client.get(f"/play/seats/{seat}").text
    assert lab.client.post(f"/play/seats/{seat}/again").status_code == 303


def test_the_server_removes_old_tables_when_it_starts(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "tables.sqlite")
    old, recent = new_table(tables), new_table(tables)
    long_ago = (datetime.now(UTC).date() - timedelta(days=KEEP_DAYS + 1)).isoformat()
    with tables.store._transaction() as connection:
        connection.execute("UPDATE last_acts SET day = ? WHERE table_id = ?", [long_ago, old.number])
    tables.close()
    with Lab(tmp_path) as lab:
        while lab.client.get(f"/play/seats/{old.setup.seats[0].token}").status_code == 200:
            pass
        assert lab.client.get(f"/play/seats/{recent.setup.seats[0].token}").status_code == 200


def test_a_file_of_handful_0_1_is_kept_and_counts_from_today(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "tables.sqlite")
    table = new_table(tables)
    with tables.store._transaction() as connection:
        connection.execute("DROP TABLE last_acts")
        connection.execute("UPDATE tables SET created_at = '2020-01-01T00:00:00+00:00'")
    tables.close()
    again = Tables(tmp_path / "tables.sqlite")
    assert again.remove_old_ones(datetime.now(UTC).date()) == 0
    assert again.at_seat(table.setup.seats[0].token)[0].state().turn_number == 4
    assert TableStore(tmp_path / "tables.sqlite").format.version == 1
    again.close()
