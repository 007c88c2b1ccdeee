"""Tables at which people sit: the games that go on now, each with a lock, so that actions come one after another."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from handful.bots.players import player_named
from handful.bots.protocol import Bot
from handful.bots.table import ask, tell
from handful.errors import HandfulError, IllegalActionError, NotationError, RulesError
from handful.hanabi.actions import Action, action_at, action_index
from handful.hanabi.deal import Deal
from handful.hanabi.state import State
from handful.splitmix import BOT_STREAM, SplitMix64
from handful.web.errors import BusyError, ConflictError
from handful.web.table_store import Seat, Setup, TableStore

MAX_LOADED = 500  # tables in memory; the others are on disk, and loaded when somebody asks for them
MAX_FOLLOWERS = 12  # pages that may follow one seat at the same time
MAX_NAME = 24
MIN_PLAYERS, MAX_PLAYERS = 2, 5
MAX_CARDS, MAX_HAND = 100, 6  # of a deck and of a hand: what still fits on a screen
BOT_THREADS = 2
BOT_PAUSE = 0.7  # seconds before a bot moves, so that people can follow

log = logging.getLogger("handful.web")

Follower = Callable[[], object]


class BotSeats:
    """The bots of one table: they follow the game from its first turn, and say what they do when it is their turn.

    They live at a table of their own, a copy that is played along. So they may think as long as they like while people
    look at the real one; and after a restart they come to know again what they knew, by going through the game once
    more. One thread at a time.
    """

    def __init__(self, setup: Setup) -> None:
        rules = setup.deal.rules
        self._state = State(setup.deal)
        self._bots: list[Bot | None] = [
            None
            if place.is_person
            else player_named(place.bot).plain(rules, seat, SplitMix64(setup.chance, BOT_STREAM, 0, 0, seat))
            for seat, place in enumerate(setup.seats)
        ]

    def choose(self, history: Sequence[Action]) -> Action:
        """Return what the bot to move does after this history, which goes on from the one of the last call."""
        for action in history[len(self._state.history) :]:
            # On its own past turns a bot chooses again: that is how it comes to have used the same chance.
            if self._bots[self._state.current] is not None:
                self._choice()
            self._take(action)
        chosen = self._choice()
        self._take(chosen)
        return chosen

    def _take(self, action: Action) -> None:
        turn = self._state.act(action)
        tell(self._state, self._bots, turn)

    def _choice(self) -> Action:
        bot = self._bots[self._state.current]
        assert bot is not None, "a person is to move"
        chosen = ask(self._state, bot)
        if not self._state.is_legal(chosen):
            raise IllegalActionError(f"the bot chose {chosen}, which is illegal on turn {self._state.turn_number}")
        return chosen


class Table:
    """A game that goes on: the state, the bots, and the pages that follow it."""

    def __init__(self, store: TableStore, number: int) -> None:
        stored = store.load(number)
        self.number, self.setup, self.next_host = number, stored.setup, stored.next_host
        # Who acts, waits for the disk, which may take seconds; who looks, never does: so there are two locks.
        self._acting, self._lock = threading.Lock(), threading.RLock()
        self.is_bot_at_work = False
        self.trouble = ""  # why the bot to move cannot go on, in a sentence; empty if it can
        self._store = store
        self._state = State(self.setup.deal)
        self._catch_up(stored.actions)
        self._bots: BotSeats | None = None
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
        with self._lock:
            for index in actions[len(self._state.history) :]:
                self._state.act(action_at(self._state.rules, self._state.current, index))

    def let_bot_act(self) -> None:
        """Let the bot to move choose, which may take a while and holds nobody up, and take its action."""
        with self._lock:
            if not self.is_bots_turn:
                return
            seat, turn = self._state.current, self._state.turn_number
            history = [past.action for past in self._state.history]
        bots, self._bots = self._bots or BotSeats(self.setup), None
        self.act(seat, turn, bots.choose(history))
        self._bots = bots  # after an error they may be ahead of the table: then they follow anew

    def say_trouble(self, sentence: str) -> None:
        """Let everybody at the table know that the bot to move cannot go on; empty: that it can again."""
        with self._lock:
            if sentence != self.trouble:
                self.trouble = sentence
                self._changed()

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
            self.check_room(seat)
            number = secrets.randbits(60)
            self._followers[number] = follower
            self._present[seat] += 1
            if self._present[seat] == 1:
                self._changed()
            return number

    def check_room(self, seat: int) -> None:
        """Refuse more pages of a seat than may follow it."""
        if self._present[seat] >= MAX_FOLLOWERS:
            raise BusyError(f"{MAX_FOLLOWERS} pages follow this seat already: close some of them")

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
    """All tables of a server."""

    def __init__(self, path: Path, bot_pause: float = BOT_PAUSE) -> None:
        self.store = TableStore(path)
        self.bot_pause = bot_pause
        self._lock = threading.Lock()
        self._loaded: OrderedDict[int, Table] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = ThreadPoolExecutor(BOT_THREADS, thread_name_prefix="bots")
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Remember the event loop of the server, in which bots wait for their turn."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Let the bots finish what they are at, and close the file."""
        self._loop = None
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.store.close()

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
        if not table.setup.seats[seat].is_person:
            raise ConflictError("a bot sits here: expected the link of a person's seat")
        return table, seat

    def of_host(self, host: str) -> Table:
        """Return the table that a host's secret belongs to."""
        return self._get(self.store.find_host(host))

    def wake_bots(self, table: Table) -> None:
        """Let the bots of a table move, if it is their turn and they are not at it; from any thread."""
        if self._loop is not None and table.is_bots_turn:
            # Whether they are at it is asked on the loop itself: here they might be about to stop.
            self._loop.call_soon_threadsafe(self._start_bots, table)

    def _start_bots(self, table: Table) -> None:
        if not table.is_bot_at_work and self._loop is not None:
            table.is_bot_at_work = True
            task = self._loop.create_task(self._run_bots(table))
            self._tasks.add(task)  # the loop itself keeps no hold of its tasks
            task.add_done_callback(self._tasks.discard)

    async def _run_bots(self, table: Table) -> None:
        loop = asyncio.get_running_loop()
        try:
            while table.is_bots_turn and self._loop is not None:
                await asyncio.sleep(self.bot_pause)
                await loop.run_in_executor(self._threads, table.let_bot_act)
                table.say_trouble("")
        except Exception as error:
            # A bot is anybody's code, and may raise anything; this task is where it would get lost. It is noted, the
            # people at the table are told, and nothing is played for the bot.
            log.exception("the bots of table %d stopped; they try again when a page is loaded", table.number)
            table.say_trouble(f"cannot go on ({error or type(error).__name__})")
        finally:
            table.is_bot_at_work = False

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


def check_game(deal: Deal, places: Sequence[tuple[str, str]]) -> None:
    """Refuse a game that cannot be played here, or bots that cannot play it."""
    rules = deal.rules
    if not MIN_PLAYERS <= rules.players <= MAX_PLAYERS:
        raise RulesError(f"{rules.players} players: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    if rules.variant.num_cards > MAX_CARDS:
        raise RulesError(f"{rules.variant.name} has {rules.variant.num_cards} cards: expected at most {MAX_CARDS}")
    if rules.hand_size > MAX_HAND:
        raise RulesError(f"hands of {rules.hand_size} cards: expected at most {MAX_HAND}")
    if rules.end_of_deck == "never" or rules.max_hints is None:
        raise RulesError("under these rules a game may go on for ever: expected limited hints, and an end of the deck")
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
                player.plain(rules, seat, SplitMix64(0))
            except HandfulError as error:
                raise RulesError(f"{name}: {error}") from None
