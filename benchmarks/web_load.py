"""Claim: 100 tables, 40 actions a second, 300 streams of events: 99 % of answers within 100 ms, and nothing lost.

``python -m benchmarks.web_load`` starts a server of its own on this machine, sits down at 100 tables as a browser would
(a stream of events for each seat; after every change that it does not show yet the table is asked for), with bots in
all other seats; spectators follow, too, and draw every change, until there are 300 streams. People and bots together
act 40 times a second for a while. Then the server is ended with SIGKILL and started anew, and every action that was
answered must be there. It writes the table of docs/browser.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks.plain_http import Answer, Connection
from benchmarks.tables import markdown_table, replace_table

START = "from handful.cli.main import run; run()"
PLAYERS = 3
BOT = "rules(reading=text)"
LIMIT_MS = 100
FIRST_PAGE_LIMIT_KB, UPDATE_LIMIT_KB = 120, 8


@contextmanager
def server(folder: Path, end: int) -> Iterator[tuple[str, int]]:
    """Yield the address and the process id of a server on this machine, which is ended by a signal."""
    options = ["--port", "0", "--folder", str(folder), "--json"]
    with subprocess.Popen(
        [sys.executable, "-c", START, "serve", *options], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = ""
        while "}" not in told:
            told += process.stdout.readline()
        try:
            yield json.loads(told)["address"], process.pid
        finally:
            process.send_signal(end)
            process.wait()


@dataclass
class Measured:
    """What was measured: answers in milliseconds, and what was done at each table."""

    acts: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    watched: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  # bytes of the tables drawn, as they came over the wire
    done: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    num_streams: int = 0
    seconds: float = 0.0


class Person:
    """Somebody at a table, whose page follows the game."""

    def __init__(self, address: str, measured: Measured, ready: deque[Person]) -> None:
        self.lab, self.measured, self.ready = Connection(address), measured, ready
        self.acting = Connection(address)  # browsers ask for more than one thing at once
        self.token, self.page, self.first_page, self.is_waiting = "", "", "", False

    async def sit_down(self) -> None:
        """Set a table with bots in all other seats, and load the page."""
        form = {"players": str(PLAYERS), **{f"seat_{seat}": BOT for seat in range(2, PLAYERS + 1)}}
        answer = await self.acting.post("/play/tables", form, is_htmx=False)
        self.token = answer.headers["location"].rsplit("/", 1)[1]
        self.measured.done[self.token] = []
        self.page = self.first_page = (await self.lab.get(f"/play/seats/{self.token}")).text

    async def follow(self) -> None:
        """Ask for the table whenever it has changed, as the page does; and sit down anew when the game is over."""
        while True:
            try:
                async with aclosing(self.lab.events(f"/play/seats/{self.token}/events", "table")) as events:
                    async for version in events:
                        if version_in(version) > version_of(self.page):
                            await self.look()
                            if 'class="panel finished' in self.page:
                                break
            except OSError as error:
                self.measured.failures.append(f"events: {error!r}")
            await self.sit_down()

    async def look(self) -> None:
        """Ask for the table."""
        started = time.perf_counter()
        path = f"/play/seats/{self.token}/table"
        answer = await self.lab.get(path)
        self.measured.looks.append(1000 * (time.perf_counter() - started))
        self.measured.sizes.append(len(answer.body))
        self.see(path, answer)

    async def act(self, chance: random.Random) -> None:
        """Do one of the things that the page offers: a hint or a discard rather than a play."""
        turn = int(re.findall(r'name="turn" value="(\d+)"', self.page)[0])
        buttons = re.findall(r'name="action" value="(\d+)" class="([^"]*)"', self.page)
        numbers = [int(number) for number, kind in buttons if "primary" not in kind] or [int(buttons[0][0])]
        action = chance.choice(numbers)
        started = time.perf_counter()
        path = f"/play/seats/{self.token}/act"
        answer = await self.acting.post(path, {"turn": turn, "action": action})
        self.measured.acts.append(1000 * (time.perf_counter() - started))
        if answer.status == 200:
            self.measured.done[self.token].append((turn, action))
        self.is_waiting = False
        self.see(path, answer)

    def see(self, path: str, answer: Answer) -> None:
        """Look at the table, and get in line if it is the own turn."""
        if answer.status != 200:
            self.measured.failures.append(f"{path}: {answer.status} {answer.text[:200]}")
            return
        if version_of(answer.text) < version_of(self.page):
            return  # it comes late, after a newer one: the page does not show it either
        self.page = answer.text
        if " my-turn" in self.page and not self.is_waiting:
            self.is_waiting = True
            self.ready.append(self)


class Spectator:
    """Somebody who looks on at the table of a person, wherever that one sits now."""

    def __init__(self, address: str, person: Person, draws: bool) -> None:
        self.lab, self.person, self.draws = Connection(address), person, draws

    async def follow(self) -> None:
        """Ask for the table whenever it has changed, as the spectators' page does; or listen only."""
        measured = self.person.measured
        while True:
            watch = re.findall(r"/play/watch/([\w-]{32})", self.person.first_page)[0]
            token, shown = self.person.token, ""
            try:
                async with aclosing(self.lab.events(f"/play/watch/{watch}/events", "table")) as events:
                    measured.num_streams += 1
                    async for version in events:
                        if token != self.person.token:
                            break
                        if self.draws and version != shown:
                            shown, started = version, time.perf_counter()
                            answer = await self.lab.get(f"/play/watch/{watch}/table")
                            measured.watched.append(1000 * (time.perf_counter() - started))
                            if answer.status != 200:
                                measured.failures.append(f"watch: {answer.status}")
            except OSError as error:
                measured.failures.append(f"events of a spectator: {error!r}")
            finally:
                measured.num_streams -= 1


def version_in(data: str) -> tuple[int, ...]:
    """Return which version of a table an event tells of."""
    return tuple(map(int, data.split(".")))


def version_of(page: str) -> tuple[int, ...]:
    """Return which version of a table a page shows: turns, and changes of other kinds."""
    found = re.search(r'data-version="([\d.]+)"', page)
    return tuple(map(int, found[1].split("."))) if found else ()


async def load(address: str, given: argparse.Namespace) -> Measured:
    """Return what was measured at so many tables, with so many actions and streams."""
    measured, chance = Measured(), random.Random(1)
    ready: deque[Person] = deque()
    people = [Person(address, measured, ready) for _ in range(given.tables)]
    following = []
    for person in people:  # one after another, as people come
        await person.sit_down()
        following.append(asyncio.create_task(person.follow()))
        while not person.is_waiting:
            await asyncio.sleep(0.01)
    for number in range(given.streams - given.tables):
        spectator = Spectator(address, people[number % given.tables], draws=not given.listen)
        following.append(asyncio.create_task(spectator.follow()))
        await asyncio.sleep(0.01)
    while measured.num_streams < given.streams - given.tables and not measured.failures:
        await asyncio.sleep(0.01)
    measured.looks.clear()
    measured.watched.clear()
    measured.sizes.clear()
    rate = given.rate / (1 if given.people else PLAYERS)
    acting: set[asyncio.Task[None]] = set()
    started = time.perf_counter()
    due = started
    while (now := time.perf_counter()) - started < given.seconds:
        if now >= due and ready:
            task = asyncio.create_task(ready.popleft().act(chance))
            acting.add(task)
            task.add_done_callback(acting.discard)
            due = max(due + 1 / rate, now - 1)
        await asyncio.sleep(max(0.001, min(due - time.perf_counter(), 0.01)))
    await asyncio.gather(*acting)
    measured.seconds = time.perf_counter() - started
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    return measured


def lost_actions(address: str, measured: Measured) -> int:
    """Return how many actions that were answered are not in the game that the server has now."""
    lost = 0
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        for token, done in measured.done.items():
            history = client.get(f"/api/seats/{token}").json()["history"]
            lost += sum(turn > len(history) or not history[turn - 1].startswith("Alice") for turn, _action in done)
    return lost


def first_page_kilobytes(address: str) -> float:
    """Return the size of the first page, with everything that it loads, as it comes over the wire."""
    with httpx.Client(base_url=address, trust_env=False) as client:
        answer = client.get("/play")
        files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text))
        return sum(each.num_bytes_downloaded for each in (answer, *map(client.get, files))) / 1000


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def come_first() -> None:
    """Ask Linux to prefer this script and its server to whatever else is running: the figures are about the lab."""
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    os.setsid()
    with suppress(OSError):  # where processes are in groups, it is the group that counts
        Path("/proc/self/autogroup").write_text("-20")


def told(given: argparse.Namespace, measured: Measured, lost: int, kilobytes: float, busy: float) -> tuple[str, str]:
    """Return the table of what was measured, and the sentences below it."""
    kinds = {
        "actions": measured.acts,
        "tables drawn after a change": measured.looks,
        "tables drawn for spectators": measured.watched,
    }
    rows = [
        [
            what,
            f"{len(values):,}",
            *(f"{percentile(values, percent):.0f}" for percent in (50, 95, 99)),
            f"{max(values):.0f}",
        ]
        for what, values in kinds.items()
        if values
    ]
    requests = sum(map(len, kinds.values()))
    note = (
        f"{given.tables} tables of {PLAYERS} with bots in all but one seat, and {given.streams} streams of events, "
        f"for {measured.seconds:.0f} s: {PLAYERS * len(measured.acts) / measured.seconds:.1f} actions a second, a "
        f"third of them by people, {len(measured.failures)} failed requests, {lost} of "
        f"{sum(map(len, measured.done.values())):,} actions of people lost when the server was killed and started "
        f"anew. The server used {1000 * busy / requests:.1f} ms of CPU for each request, bots included. Over the wire: "
        f"first page with all it loads {kilobytes:.0f} KB, a table after a change at most "
        f"{max(measured.sizes) / 1000:.1f} KB."
        f"\n\nMeasured with `python -m benchmarks.web_load`, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, at a load average of {os.getloadavg()[0]:.1f}"
        f"{', preferred to the other work (`--first`)' if given.first else ''}; the script ran on the same machine."
    )
    return markdown_table(["answers, in ms", "number", "median", "95 %", "99 %", "longest"], rows), note


def main() -> None:
    """Measure, print and write the table; exit with 1 if the claim does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=40.0, help="actions a second, of people and bots together")
    parser.add_argument("--people", action="store_true", help="so many actions a second of people alone")
    parser.add_argument("--streams", type=int, default=300, help="streams of events, of people and spectators")
    parser.add_argument("--listen", action="store_true", help="spectators listen only, and draw nothing")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", action="store_true", help="let Linux prefer this to all other work (needs root)")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    if given.first:
        come_first()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server(folder, signal.SIGKILL) as (address, _pid):
            kilobytes = first_page_kilobytes(address)
            measured = asyncio.run(load(address, given))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with server(folder, signal.SIGINT) as (address, _pid):
            lost = lost_actions(address, measured)
    answers, note = told(given, measured, lost, kilobytes, before.ru_utime + before.ru_stime)
    print(answers, note, *measured.failures[:5], sep="\n")
    if not given.dry:
        replace_table("browser.md", "load", f"\n{answers}\n\n{note}\n")
    holds = (
        percentile(measured.acts, 99) <= LIMIT_MS
        and not measured.failures
        and not lost
        and len(measured.acts) >= 0.97 * given.rate / (1 if given.people else PLAYERS) * measured.seconds
        and measured.num_streams >= given.streams - given.tables
        and kilobytes <= FIRST_PAGE_LIMIT_KB
        and max(measured.sizes) <= 1000 * UPDATE_LIMIT_KB
    )
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
