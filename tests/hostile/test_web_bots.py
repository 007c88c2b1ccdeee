"""Bots that think too long.

What must hold:

* A bot that would think for minutes is refused when the table is set, by the setting that says so.
* A choice that takes too long is broken off, whatever the bot is at; the table is told, and nothing is played for it.
* Meanwhile, and afterwards, the bots of all other tables go on: tables take turns by what their bots have used.
* The server ends when it is told to, whatever bots are at, and leaves no process behind.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from handful.bots.players import all_bots
from handful.hanabi import Deal, HintValue, Rules
from handful.web import bots as bots_module
from handful.web.bots import CREDIT, Bots, FairTurns
from handful.web.seat_store import Seat
from handful.web.table_store import Setup
from handful.web.tables import Table
from tests.web.lab import Lab, wait_for

ENDLESS, SHORT, WAITING = (f"tests.hostile.web_hogs_{kind}" for kind in ("endless", "short", "waiting"))


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with Lab(tmp_path) as opened:
        yield opened


def table_with(lab: Lab, bot: str) -> Table:
    """Return a table at which a bot is to move, and has not been asked."""
    table = lab.tables.create(Deal.from_seed(Rules(players=2), 1), [("Anna", ""), ("Boris", bot)], is_open=False)
    table.act(0, 1, HintValue(1, table.state().hand(1)[0].value))
    return table


def has_moved(table: Table) -> bool:
    return len(table.state().history) == 2


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


THINKING = [
    (f"{entry.name}({setting.name}={value})", setting.name)
    for entry in all_bots()
    if entry.sees == "view"
    for setting in entry.parameters
    for value in {"playouts": ["100000", "1000000"], "milliseconds": ["2001", "1000000.0"]}.get(setting.name, [])
]


@pytest.mark.parametrize(("bot", "setting"), [*THINKING, ("uct(playouts=10000000, depth=8)", "playouts")])
def test_bots_that_would_think_for_minutes_are_refused(lab: Lab, bot: str, setting: str) -> None:
    answer = lab.client.post("/play/tables", data={"players": "2", "seat_2": bot})
    assert answer.status_code == 400
    assert f"{setting}=" in answer.text
    assert "takes too long at a table" in answer.text


@pytest.mark.parametrize("module", [SHORT, WAITING], ids=["computes", "waits"])
def test_a_choice_without_an_end_is_broken_off_and_the_others_go_on(
    lab: Lab, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if module == WAITING:
        monkeypatch.setattr(bots_module, "SILENT_SECONDS", 5.0)
    lab.tables.bots = Bots(num_processes=1, module=module)
    hogs = [table_with(lab, "random") for _ in range(2)]
    other = table_with(lab, "rules")
    for table in (*hogs, other):
        lab.tables.wake_bots(table)
    assert wait_for(other, lambda state: len(state.history) == 2)
    for hog in hogs:
        wait_for(hog, lambda _state, hog=hog: bool(hog.trouble))  # type: ignore[misc]
        page = lab.client.get(f"/play/seats/{hog.setup.seats[0].token}").text
        assert "Boris</b> cannot go on (a choice took more than" in page
        assert not has_moved(hog)
        assert not hog.is_bot_at_work  # nor does it begin again when somebody looks


def test_tables_of_an_older_lab_with_such_bots_hold_up_nobody(lab: Lab) -> None:
    deal, bot = replace(Deal.from_seed(Rules(players=2), 1), starter=1), "uct(playouts=10000000, depth=8)"
    setups = [
        Setup(host * 32, deal, (Seat("Anna", "", host + "a" * 31), Seat("Boris", bot, host + "b" * 31)), False, 1)
        for host in "xy"
    ]
    numbers = [lab.tables.store.create(setup) for setup in setups]
    assert sorted(number % len(lab.tables.bots._processes) for number in numbers) == [0, 1]  # one in each process
    stuck = [lab.tables.at_seat(host + "a" * 31)[0] for host in "xy"]
    others = [table_with(lab, "rules") for _ in range(2)]
    for table in others:
        lab.tables.wake_bots(table)
        wait_for(table, lambda state: len(state.history) == 2)
    for table in stuck:  # compiled code, too, is ended in the middle
        wait_for(table, lambda _state, table=table: bool(table.trouble))  # type: ignore[misc]
        assert "took more than 5 seconds of computing" in table.trouble
        assert not table.state().history


def test_hogs_in_all_processes_hold_up_only_the_bots_and_not_the_end(tmp_path: Path) -> None:
    with Lab(tmp_path) as lab:
        lab.tables.bots = Bots(module=ENDLESS)
        for _ in range(4):
            lab.tables.wake_bots(table_with(lab, "random"))
        processes = lab.tables.bots._processes
        waiting = threading.Event()
        while not all(each._process for each in processes):
            assert not waiting.wait(0.01)
        pids = [each._process.pid for each in processes if each._process]
        assert all(map(is_alive, pids))
        people = lab.set_table(players=2, seat_2="person")
        assert lab.act(people.setup.seats[0].token, 1, 5).status_code == 200
    # The lab was closed here, as by Ctrl-C.
    assert not any(map(is_alive, pids))


def test_bots_that_were_ended_know_again_what_they_knew(lab: Lab) -> None:
    table = table_with(lab, "rules(omega_h=0.5)")
    twin = lab.tables.store.load(table.number).setup
    lab.tables.wake_bots(table)
    wait_for(table, lambda state: len(state.history) == 2)
    lab.tables.bots.kill()
    table.act(0, 3, HintValue(1, table.state().hand(1)[0].value))
    lab.tables.wake_bots(table)
    history = [turn.action for turn in wait_for(table, lambda state: len(state.history) == 4).history]
    from handful.web.bot_process import BotSeats

    assert BotSeats(twin.deal, twin.bots, twin.chance).choose(history[:3]) == history[3]


# Fair turns


def served(uses: dict[int, list[float]], arrivals: list[int]) -> list[int]:
    """Return who was served in which order: each comes back at once until it has used its turns."""

    async def run() -> list[int]:
        turns, order = FairTurns(), list[int]()
        left = {number: list(all_uses) for number, all_uses in uses.items()}

        async def come(number: int) -> None:
            while left[number]:
                await turns.take(number)
                order.append(number)
                await asyncio.sleep(0)
                turns.give_back(number, left[number].pop(0))

        await asyncio.gather(*map(come, arrivals))
        return order

    return asyncio.run(run())


def test_who_uses_little_waits_for_one_long_choice_at_most() -> None:
    hogs = range(1, 20)
    order = served({**dict.fromkeys(hogs, [5.0] * 4), 20: [0.1] * 30}, [*hogs, 20])
    places = [place for place, number in enumerate(order) if number == 20]
    assert places[0] <= 19
    assert max(later - earlier for earlier, later in pairwise(places)) <= 2


def test_alike_tables_take_turns() -> None:
    assert served({1: [1.0] * 3, 2: [1.0] * 3, 3: [1.0] * 3}, [1, 2, 3]) == [1, 2, 3] * 3


def test_nobody_saves_up_turns_by_staying_away() -> None:
    async def run() -> list[int]:
        turns, order = FairTurns(), list[int]()
        for _ in range(100):
            await turns.take(1)
            turns.give_back(1, 1.0)

        async def come(number: int) -> None:
            for _ in range(40):
                await turns.take(number)
                order.append(number)
                await asyncio.sleep(0)
                turns.give_back(number, 1.0)

        await asyncio.gather(come(1), come(2))
        return order

    order = asyncio.run(run())
    assert order.count(1) == order.count(2) == 40
    last = len(order) - 1 - order[::-1].index(2)
    assert order[:last].count(1) >= 40 - CREDIT - 2  # the newcomer is not served forty times first


def test_who_leaves_the_queue_holds_up_nobody() -> None:
    async def run() -> None:
        turns = FairTurns()
        await turns.take(1)
        gone, next_one = asyncio.create_task(turns.take(2)), asyncio.create_task(turns.take(3))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        turns.give_back(1, 0.0)
        await next_one
        # Nor who leaves at the very moment in which it is served.
        late, last = asyncio.create_task(turns.take(4)), asyncio.create_task(turns.take(5))
        await asyncio.sleep(0)
        turns.give_back(3, 0.0)
        late.cancel()
        await asyncio.gather(late, return_exceptions=True)
        await last

    asyncio.run(run())
