"""Tables at which people sit, whatever they play: games that go on now, each with a lock, and the pages that follow.

`LiveTable` is one game, `LiveTables` all of a kind; what differs from game to game is said by their subclasses.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any, Generic, Protocol, Self, TypeVar

from handful.errors import HandfulError, NotationError
from handful.web.bots import Bots, TookTooLongError
from handful.web.errors import BusyError, ConflictError, DamagedTableError
from handful.web.seat_store import Seat, SeatStore, SetupT, told_as_damage

MAX_LOADED = 500  # tables in memory; the others are on disk, and loaded when somebody asks for them
MAX_FOLLOWERS = 12  # pages that may follow one seat at the same time
WATCHING, MAX_WATCHERS = -1, 40  # the "seat" of those who look on only, and how many pages of theirs may follow
MAX_NAME = 24
BOT_PAUSE = 0.7  # seconds before a bot moves, so that people can follow
KEEP_DAYS = 90  # after which a table at which nobody has acted is removed
SECONDS_BETWEEN_REMOVALS = 6 * 3600.0

log = logging.getLogger("handful.web")

Follower = Callable[[], object]


class Game(Protocol):
    """What a table has to know of a game that goes on."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""

    @property
    def turn_number(self) -> int:
        """The turn that comes next, from 1; every action is a turn."""

    @property
    def current(self) -> int:
        """The seat that is waited for."""

    def copy(self) -> Self:
        """Return the same game, to go on with independently."""


GameT = TypeVar("GameT", bound=Game)
ActionT = TypeVar("ActionT")


class LiveTable(Generic[SetupT, GameT, ActionT]):
    """A game that goes on: the state, the bots, and the pages that follow it."""

    def __init__(self, store: SeatStore[SetupT], number: int) -> None:
        stored = store.load(number)
        self.number, self.setup, self.next_host = number, stored.setup, stored.next_host
        # Who acts, waits for the disk, which may take seconds; who looks, never does: so there are two locks.
        self._acting, self._lock = threading.Lock(), threading.RLock()
        self.is_bot_at_work = False
        self.trouble = ""  # why the bot to move cannot go on, in a sentence; empty if it can
        self.has_given_up = False  # the bot to move takes too long, and is not asked again
        self._store = store
        with told_as_damage(number):
            self._state = self.begin(stored.setup)
        self._num_events = 0  # how many numbers of the file have happened: it only grows
        self._catch_up(stored.actions)
        self._followers: dict[int, Follower] = {}
        self._present: Counter[int] = Counter()
        self._drawn: dict[int, tuple[str, str]] = {}
        # Counted on from the clock, so that it grows over a restart, too: pages compare it with what they show.
        self._num_changes = time.time_ns() // 10**8

    # What differs from game to game

    def begin(self, setup: SetupT) -> GameT:
        """Return the game before its first turn; refuse one that cannot be played here."""
        raise NotImplementedError

    def number_of(self, state: GameT, seat: int, action: ActionT) -> int:
        """Return the number under which an action is kept."""
        raise NotImplementedError

    def do_number(self, state: GameT, number: int) -> None:
        """Take the action of a number that was kept."""
        raise NotImplementedError

    def do(self, state: GameT, seat: int, action: ActionT) -> None:
        """Take an action; refuse one that is illegal."""
        self.do_number(state, self.number_of(state, seat, action))

    def check_may_act(self, state: GameT, seat: int) -> None:
        """Refuse whoever is not to move."""
        if seat != state.current:
            raise ConflictError(f"it is not your turn: {self.setup.names[state.current]} is to move")

    def about_to_act(self) -> None:
        """Refuse every action, where there is a reason; nobody else acts meanwhile."""

    def has_happened(self, number: int) -> None:
        """Note what follows from what has just happened, before it is told; nobody else acts meanwhile."""

    @property
    def num_said(self) -> int:
        """How much was said at the table so far: pages that follow are told when it grows."""
        return 0

    # The game

    def state(self) -> GameT:
        """Return a copy of the game as it stands."""
        with self._lock:
            return self._state.copy()

    @property
    def version(self) -> str:
        """How much has happened so far, and a number that grows with whatever else would be shown differently."""
        with self._lock:
            return f"{self._num_events}.{self._num_changes}"

    @property
    def num_events(self) -> int:
        """How much has happened so far: every action, and whatever else is in the file. It never shrinks."""
        with self._lock:
            return self._num_events

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        with self._lock:
            return not self._state.is_over and not self.setup.seats[self._state.current].is_person

    def act(self, seat: int, turn: int, action: ActionT, events: int | None = None) -> None:
        """Take an action of a seat. `turn` is the turn that the player had before the eyes.

        `events` is how much had happened when it was chosen: where turns may be taken back, a turn comes again.
        """
        with self._acting:
            self.about_to_act()
            state = self.state()
            if state.is_over:
                raise ConflictError("the game is over")
            self.check_may_act(state, seat)
            if turn != state.turn_number or events not in (None, self._num_events):
                raise ConflictError(f"this was meant for turn {turn}, but it is turn {state.turn_number}: look again")
            self.do(state, seat, action)  # refuses what is illegal
            self._let_happen(state, self.number_of(state, seat, action))

    def _let_happen(self, state: GameT, number: int) -> None:
        """Write down what happens, by its number; after it the game is this one. Nobody else acts meanwhile."""
        try:
            self._store.act(self.number, self._num_events + 1, number)
            with self._lock:
                self._state = state
                self._num_events += 1
            self.has_happened(number)
        except ConflictError:  # another server has gone on with this table
            self._catch_up(self._store.load(self.number).actions)
            raise
        finally:
            self._tell()

    def _catch_up(self, numbers: Sequence[int]) -> None:
        with self._lock, told_as_damage(self.number):
            for number in numbers[self._num_events :]:
                self.do_number(self._state, number)
                self._num_events += 1

    def say_trouble(self, sentence: str) -> bool:
        """Let everybody know that the bot to move cannot go on; empty: that it can. Return whether that is news."""
        with self._lock:
            is_news = sentence != self.trouble
            if is_news:
                self.trouble = sentence
                self._changed()
            return is_news

    def go_on_with(self, host: str) -> str:
        """Say with which table these players go on, and return it: the first one that was said."""
        chosen = self._store.set_next(self.number, host)
        with self._lock:
            self.next_host = chosen
            self._changed()
        return chosen

    # Who looks on

    def follow(self, seat: int, follower: Follower) -> int:
        """Let a page of a seat be told of every change, and return the number to leave with."""
        with self._lock:
            most = MAX_WATCHERS if seat == WATCHING else MAX_FOLLOWERS
            if self._present[seat] >= most:
                raise BusyError(f"{most} pages follow {'as spectators' if seat == WATCHING else 'this seat'} already")
            number = secrets.randbits(60)
            self._followers[number] = follower
            self._present[seat] += 1
            if self._present[seat] == 1:
                self._changed()
            return number

    def leave(self, seat: int, number: int) -> None:
        """Let a page be told no more."""
        with self._lock:
            del self._followers[number]
            self._present[seat] -= 1
            self._drawn.pop(seat, None)
            if self._present[seat] == 0:
                self._changed()

    def drawn(self, seat: int, draw: Callable[[], str]) -> str:
        """Return what is drawn of the table for a seat: drawn once for all pages that show the same seat now.

        What is drawn must not depend on anything but the seat and the version.
        """
        with self._lock:
            version, kept = self.version, self._drawn.get(seat)
        if kept is not None and kept[0] == version:
            return kept[1]
        text = draw()
        with self._lock:
            if self._present[seat] > 1 and version == self.version:
                self._drawn[seat] = (version, text)
        return text

    def is_present(self, seat: int) -> bool:
        """Whether a page of this seat is open."""
        return self._present[seat] > 0

    @property
    def is_idle(self) -> bool:
        """Whether no page of this table is open, no bot is thinking, and nobody is in the middle of an action."""
        return not (self._followers or self.is_bot_at_work or self._acting.locked())

    def _changed(self) -> None:
        self._num_changes += 1
        self._tell()

    def _tell(self) -> None:
        with self._lock:
            for follower in self._followers.values():
                with suppress(RuntimeError):  # its event loop has been closed
                    follower()


TableT = TypeVar("TableT", bound=LiveTable[Any, Any, Any])


class LiveTables(Generic[SetupT, TableT]):
    """All tables of a server at which a game is played.

    Those at which nobody has acted for `keep_days` days are removed; 0 keeps them all.
    """

    def __init__(self, store: SeatStore[SetupT], bots: Bots, bot_pause: float, keep_days: int) -> None:
        self.store, self.bots = store, bots
        self.bot_pause, self.keep_days = bot_pause, keep_days
        self._lock = threading.Lock()
        self._loaded: OrderedDict[int, TableT] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def opened(self, number: int) -> TableT:
        """Return a table as it is on disk."""
        raise NotImplementedError

    async def bots_choice(self, table: TableT) -> tuple[int, int, Any]:
        """Return the seat of the bot to move, the turn, and what it does."""
        raise NotImplementedError

    def open(self) -> None:
        """Remember the event loop of the server, in which bots wait for their turn and old tables are removed."""
        self._loop = asyncio.get_running_loop()
        self._start(self._remove_old_ones())

    async def leave(self) -> None:
        """Let no bot be asked any more, and close the file."""
        self._loop = None
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        assert self._loop is not None
        task = self._loop.create_task(work)
        self._tasks.add(task)  # the loop itself keeps no hold of its tasks
        task.add_done_callback(self._tasks.discard)

    def at_seat(self, token: str) -> tuple[TableT, int]:
        """Return the table and the seat that a secret belongs to."""
        number, seat = self.store.find_seat(token)
        table = self._get(number)
        if not 0 <= seat < len(table.setup.seats):
            raise DamagedTableError(number)
        if not table.setup.seats[seat].is_person:
            raise ConflictError("a bot sits here: expected the link of a person's seat")
        return table, seat

    def glance(self, token: str) -> tuple[TableT, int]:
        """Return the table and the seat that a secret belongs to, only to look: no bot is woken, nothing kept."""
        number, seat = self.store.find_seat(token)
        with self._lock:
            loaded = self._loaded.get(number)
        table = loaded or self.opened(number)
        if not 0 <= seat < len(table.setup.seats):
            raise DamagedTableError(number)
        return table, seat

    def of_host(self, host: str) -> TableT:
        """Return the table that a host's secret belongs to."""
        return self._get(self.store.find_host(host))

    def wake_bots(self, table: TableT) -> None:
        """Let the bots of a table move, if it is their turn and they are not at it; from any thread."""
        if self._loop is not None and table.is_bots_turn and not table.has_given_up:
            # Whether they are at it is asked on the loop itself: here they might be about to stop.
            self._loop.call_soon_threadsafe(self._start_bots, table)

    def _start_bots(self, table: TableT) -> None:
        if not table.is_bot_at_work and self._loop is not None:
            table.is_bot_at_work = True
            self._start(self._run_bots(table))

    async def _run_bots(self, table: TableT) -> None:
        try:
            while table.is_bots_turn and self._loop is not None:
                await asyncio.sleep(self.bot_pause)
                events = table.num_events
                try:
                    seat, turn, action = await self.bots_choice(table)
                    await asyncio.to_thread(table.act, seat, turn, action, events)
                except ConflictError:
                    if table.num_events == events:
                        raise
                    continue  # turns were taken back meanwhile, or the time was up: so it chooses anew
                table.say_trouble("")
        except HandfulError as error:
            # Nothing is played for the bot: the people at the table are told. It is noted once, often as they may look.
            table.has_given_up = isinstance(error, TookTooLongError)
            if table.say_trouble(f"cannot go on ({error})"):
                log.warning("the bots of table %d stopped: %s", table.number, error)
        finally:
            table.is_bot_at_work = False

    async def _remove_old_ones(self) -> None:
        while self.keep_days:
            try:
                await asyncio.to_thread(self.remove_old_ones, datetime.now(UTC).date())
            except HandfulError as error:
                log.warning("old tables were not removed: %s", error)
            await asyncio.sleep(SECONDS_BETWEEN_REMOVALS)

    def remove_old_ones(self, today: date) -> int:
        """Remove the tables at which nobody has acted for long and that nobody looks at; return how many they were."""
        num_removed = 0
        for number in self.store.unused_since(today - timedelta(days=self.keep_days)):
            with self._lock:
                table = self._loaded.get(number)
                if table is not None and not table.is_idle:
                    continue
                self._loaded.pop(number, None)
            self.store.remove(number)
            num_removed += 1
        return num_removed

    def _get(self, number: int) -> TableT:
        with self._lock:
            table = self._loaded.get(number)
            if table is None:
                table = self._loaded[number] = self.opened(number)
                self._unload_some()
            self._loaded.move_to_end(number)
        self.wake_bots(table)
        return table

    def _unload_some(self) -> None:
        """Forget tables that nobody looks at, longest unused first: they are on disk."""
        idle = [number for number, table in self._loaded.items() if table.is_idle]
        for number in idle[: max(0, len(self._loaded) - MAX_LOADED)]:
            del self._loaded[number]


def new_seats(places: Sequence[tuple[str, str]]) -> tuple[Seat, ...]:
    """Return seats with new secrets: `places` are names and bots by seat, an empty bot for a person."""
    return tuple(Seat(name, bot, new_secret()) for name, bot in places)


def new_secret() -> str:
    """Return a secret for an address, of 192 bits."""
    return secrets.token_urlsafe(24)


def new_chance() -> int:
    """Return a seed for the bots' own chance."""
    return secrets.randbits(62)


def check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot be shown, or told apart."""
    lower = [name.lower() for name in names]
    for seat, name in enumerate(names):
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise NotationError(f"name of seat {seat + 1}: expected 1 to {MAX_NAME} printable characters")
        if lower.count(name.lower()) > 1:
            raise NotationError(f"two players are called {name}: expected different names")
