"""Tables at which people sit: the games that go on now, each with a lock, so that actions come one after another."""

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
from pathlib import Path
from typing import Any

from handful.bots.players import Player, player_named
from handful.errors import HandfulError, NotationError, RulesError
from handful.hanabi.actions import Action, action_at, action_index
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.splitmix import SplitMix64
from handful.web.bots import Bots, TookTooLongError
from handful.web.errors import BusyError, ConflictError, DamagedTableError
from handful.web.table_store import Seat, Setup, TableStore, told_as_damage

MAX_LOADED = 500  # tables in memory; the others are on disk, and loaded when somebody asks for them
MAX_FOLLOWERS = 12  # pages that may follow one seat at the same time
MAX_NAME = 24
MIN_PLAYERS, MAX_PLAYERS = 2, 5
MAX_CARDS, MAX_HAND = 100, 6  # of a deck and of a hand: what still fits on a screen
BOT_PAUSE = 0.7  # seconds before a bot moves, so that people can follow
KEEP_DAYS = 90  # after which a table at which nobody has acted is removed
SECONDS_BETWEEN_REMOVALS = 6 * 3600.0

log = logging.getLogger("handful.web")

Follower = Callable[[], object]


class Table:
    """A game that goes on: the state, the bots, and the pages that follow it."""

    def __init__(self, store: TableStore, number: int) -> None:
        stored = store.load(number)
        with told_as_damage(number):
            check_rules(stored.setup.deal.rules)
        self.number, self.setup, self.next_host = number, stored.setup, stored.next_host
        # Who acts, waits for the disk, which may take seconds; who looks, never does: so there are two locks.
        self._acting, self._lock = threading.Lock(), threading.RLock()
        self.is_bot_at_work = False
        self.trouble = ""  # why the bot to move cannot go on, in a sentence; empty if it can
        self.has_given_up = False  # the bot to move takes too long, and is not asked again
        self._store = store
        self._state = State(self.setup.deal)
        self._catch_up(stored.actions)
        self._followers: dict[int, Follower] = {}
        self._present: Counter[int] = Counter()
        # Counted on from the clock, so that it grows over a restart, too: pages compare it with what they show.
        self._num_changes = time.time_ns() // 10**8

    def state(self) -> State:
        """Return a copy of the game as it stands."""
        with self._lock:
            return self._state.copy()

    @property
    def version(self) -> str:
        """The turns so far, and a number that grows with everything else that a page would show differently."""
        with self._lock:
            return f"{len(self._state.history)}.{self._num_changes}"

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        with self._lock:
            return not self._state.is_over and not self.setup.seats[self._state.current].is_person

    def act(self, seat: int, turn: int, action: Action) -> None:
        """Take an action of a seat. `turn` is the turn that the player had before the eyes."""
        with self._acting:
            state = self.state()
            if state.is_over:
                raise ConflictError("the game is over")
            if seat != state.current:
                raise ConflictError(f"it is not your turn: {self.setup.names[state.current]} is to move")
            if turn != state.turn_number:
                raise ConflictError(f"this was meant for turn {turn}, but it is turn {state.turn_number}: look again")
            state.act(action)  # refuses what is illegal
            try:
                self._store.act(self.number, turn, action_index(state.rules, seat, action))
                with self._lock:
                    self._state = state
            except ConflictError:  # another server has gone on with this table
                self._catch_up(self._store.load(self.number).actions)
                raise
            finally:
                self._tell()

    def _catch_up(self, actions: Sequence[int]) -> None:
        with self._lock, told_as_damage(self.number):
            for index in actions[len(self._state.history) :]:
                self._state.act(action_at(self._state.rules, self._state.current, index))

    def to_move(self) -> tuple[int, int, list[Action]]:
        """Return who is to move, on which turn, and how the game went until then."""
        with self._lock:
            history = [past.asked for past in self._state.history]
            return self._state.current, self._state.turn_number, history

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
            if self._present[seat] >= MAX_FOLLOWERS:
                raise BusyError(f"{MAX_FOLLOWERS} pages follow this seat already: close some of them")
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
            if self._present[seat] == 0:
                self._changed()

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


class Tables:
    """All tables of a server. Those at which nobody has acted for `keep_days` days are removed; 0 keeps them all."""

    def __init__(self, path: Path, bot_pause: float = BOT_PAUSE, keep_days: int = KEEP_DAYS) -> None:
        self.store = TableStore(path)
        self.bot_pause, self.keep_days = bot_pause, keep_days
        self.bots = Bots()
        self._lock = threading.Lock()
        self._loaded: OrderedDict[int, Table] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Remember the event loop of the server, in which bots wait for their turn and old tables are removed."""
        self._loop = asyncio.get_running_loop()
        self._start(self._remove_old_ones())

    async def leave(self) -> None:
        """Let the bots stop whatever they are at, and close the file."""
        self._loop = None
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bots.close()
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        assert self._loop is not None
        task = self._loop.create_task(work)
        self._tasks.add(task)  # the loop itself keeps no hold of its tasks
        task.add_done_callback(self._tasks.discard)

    def create(self, deal: Deal, places: Sequence[tuple[str, str]], is_open: bool) -> Table:
        """Return a new table: `places` are names and bots by seat, an empty bot for a person."""
        check_game(deal, places)
        seats = tuple(Seat(name, bot, secrets.token_urlsafe(24)) for name, bot in places)
        setup = Setup(secrets.token_urlsafe(24), deal, seats, is_open, secrets.randbits(62))
        return self._get(self.store.create(setup))

    def at_seat(self, token: str) -> tuple[Table, int]:
        """Return the table and the seat that a secret belongs to."""
        number, seat = self.store.find_seat(token)
        table = self._get(number)
        if not 0 <= seat < len(table.setup.seats):
            raise DamagedTableError(number)
        if not table.setup.seats[seat].is_person:
            raise ConflictError("a bot sits here: expected the link of a person's seat")
        return table, seat

    def of_host(self, host: str) -> Table:
        """Return the table that a host's secret belongs to."""
        return self._get(self.store.find_host(host))

    def wake_bots(self, table: Table) -> None:
        """Let the bots of a table move, if it is their turn and they are not at it; from any thread."""
        if self._loop is not None and table.is_bots_turn and not table.has_given_up:
            # Whether they are at it is asked on the loop itself: here they might be about to stop.
            self._loop.call_soon_threadsafe(self._start_bots, table)

    def _start_bots(self, table: Table) -> None:
        if not table.is_bot_at_work and self._loop is not None:
            table.is_bot_at_work = True
            self._start(self._run_bots(table))

    async def _run_bots(self, table: Table) -> None:
        try:
            while table.is_bots_turn and self._loop is not None:
                await asyncio.sleep(self.bot_pause)
                seat, turn, history = table.to_move()
                action = await self.bots.choose(table.number, table.setup, history)
                await asyncio.to_thread(table.act, seat, turn, action)
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

    def _get(self, number: int) -> Table:
        with self._lock:
            table = self._loaded.get(number)
            if table is None:
                table = self._loaded[number] = Table(self.store, number)
                self._unload_some()
            self._loaded.move_to_end(number)
        self.wake_bots(table)
        return table

    def _unload_some(self) -> None:
        """Forget tables that nobody looks at, longest unused first: they are on disk."""
        idle = [number for number, table in self._loaded.items() if table.is_idle]
        for number in idle[: max(0, len(self._loaded) - MAX_LOADED)]:
            del self._loaded[number]


def check_rules(rules: Rules) -> None:
    """Refuse rules of a game that cannot be played here."""
    if not MIN_PLAYERS <= rules.players <= MAX_PLAYERS:
        raise RulesError(f"{rules.players} players: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    if rules.variant.num_cards > MAX_CARDS:
        raise RulesError(f"{rules.variant.name} has {rules.variant.num_cards} cards: expected at most {MAX_CARDS}")
    if rules.hand_size > MAX_HAND:
        raise RulesError(f"hands of {rules.hand_size} cards: expected at most {MAX_HAND}")
    if rules.end_of_deck == "never" or rules.max_hints is None:
        raise RulesError("under these rules a game may go on for ever: expected limited hints, and an end of the deck")


def check_game(deal: Deal, places: Sequence[tuple[str, str]]) -> None:
    """Refuse a game that cannot be played here, or bots that cannot play it."""
    rules = deal.rules
    check_rules(rules)
    if len(places) != rules.players:
        raise RulesError(f"{len(places)} names for {rules.players} seats")
    if not any(not bot for _name, bot in places):
        raise RulesError("bots sit in all seats: expected at least one person")
    lower = [name.lower() for name, _bot in places]
    for seat, (name, bot) in enumerate(places):
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise NotationError(f"name of seat {seat + 1}: expected 1 to {MAX_NAME} printable characters")
        if lower.count(name.lower()) > 1:
            raise NotationError(f"two players are called {name}: expected different names")
        if bot:
            try:
                player = player_named(bot)
                player.check_sees_a_view("it does not sit down with people")
                check_patience(player)
                player.plain(rules, seat, SplitMix64(0))
            except HandfulError as error:
                raise RulesError(f"{name}: {error}") from None


# What a bot at a table may be set to, at most: in the largest games (5 players, 6 suits) a choice then takes up to two
# seconds. A choice that takes much longer is broken off (`handful.web.bots`).
MOST_THINKING = {
    ("montecarlo", "playouts"): 2_000,
    ("uct", "playouts"): 50_000,
}
MOST_MILLISECONDS = 2_000


def check_patience(player: Player) -> None:
    """Refuse a bot that would think for longer than people at a table should have to wait."""
    if player.entry is not None:
        for name, value in player.settings:
            most = MOST_MILLISECONDS if name == "milliseconds" else MOST_THINKING.get((player.entry.name, name))
            if most is not None and value > most:
                raise RulesError(f"{name}={value} takes too long at a table: expected at most {most:,}")
