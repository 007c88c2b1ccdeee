"""Tables of Gin: two seats, a person in at least one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handful.errors import HandfulError, RulesError
from handful.rummy.gin.game import GinPlan
from handful.rummy.gin.players import player_named
from handful.web.bots import Bots
from handful.web.errors import ConflictError
from handful.web.gin_hint import GinAdvised
from handful.web.gin_seats import READY, SeatedGame
from handful.web.gin_store import GinSetup, GinStore
from handful.web.live_tables import (
    BOT_PAUSE,
    KEEP_DAYS,
    LiveTable,
    LiveTables,
    check_names,
    new_chance,
    new_seats,
    new_secret,
)
from handful.web.seat_store import SeatStore


class GinTable(LiveTable[GinSetup, SeatedGame, int]):
    """A game of Gin that goes on; actions are their numbers."""

    def __init__(self, store: SeatStore[GinSetup], number: int) -> None:
        self._hints: dict[int, tuple[int, GinAdvised]] = {}  # by seat: the turn, and what was said
        super().__init__(store, number)

    def begin(self, setup: GinSetup) -> SeatedGame:
        """Return the game before its first deal."""
        return SeatedGame(setup.deal, setup.bots)

    def number_of(self, state: SeatedGame, seat: int, action: int) -> int:
        """Return the number under which an action is kept: itself."""
        return action

    def do_number(self, state: SeatedGame, number: int) -> None:
        """Take the action of a number."""
        state.act(number)

    def check_may_act(self, state: SeatedGame, seat: int) -> None:
        """Refuse whoever is not to move."""
        if not state.may_act(seat):
            raise ConflictError(f"it is not your turn: {self.setup.names[state.current]} is to move")

    def be_ready(self, seat: int, round_number: int) -> None:
        """Let a player ask for the round after this one; once is enough, and the other may ask at the same moment."""
        while True:
            state = self.state()
            if len(state.game.played) != round_number or not state.game.round_is_over or not state.may_act(seat):
                return
            try:
                self.act(seat, state.turn_number, READY + seat)
            except ConflictError:  # the other one was quicker: then this is another turn
                if self.state().turn_number == state.turn_number:
                    raise

    def hint(self, seat: int) -> GinAdvised | None:
        """Return what was said to a seat on this very turn, if it has asked."""
        with self._lock:
            turn, said = self._hints.get(seat, (0, None))
            return said if turn == self._state.turn_number else None

    def note_hint(self, seat: int, turn: int, said: GinAdvised) -> None:
        """Keep what was said to a seat, for as long as the turn lasts."""
        with self._lock:
            self._hints[seat] = (turn, said)


class GinTables(LiveTables[GinSetup, GinTable]):
    """All tables of Gin of a server."""

    def __init__(
        self, path: Path, bot_pause: float = BOT_PAUSE, keep_days: int = KEEP_DAYS, bots: Bots | None = None
    ) -> None:
        super().__init__(GinStore(path), bots or Bots(), bot_pause, keep_days)
        self._asked: dict[tuple[int, int], asyncio.Task[None]] = {}

    def opened(self, number: int) -> GinTable:
        """Return a table as it is on disk."""
        return GinTable(self.store, number)

    async def bots_choice(self, table: GinTable) -> tuple[int, int, int]:
        """Return the seat of the bot to move, the turn, and what it does."""
        state = table.state()
        chosen: int = await self.bots.choose(table.number, table.setup, state.history)
        return state.current, state.turn_number, chosen

    def create(
        self, plan: GinPlan, places: Sequence[tuple[str, str]], is_open: bool, has_hints: bool = True
    ) -> GinTable:
        """Return a new table: `places` are names and bots by seat, an empty bot for a person."""
        check_places(places)
        setup = GinSetup(new_secret(), plan, new_seats(places), is_open, new_chance(), has_hints)
        return self._get(self.store.create(setup))

    async def ask_for_hint(self, table: GinTable, seat: int) -> None:
        """Let a seat be told what it might do now; asked twice at once, it is told once."""
        key = (table.number, seat)
        if key not in self._asked:
            task = self._asked[key] = asyncio.create_task(self._hint(table, seat))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda _task: self._asked.pop(key, None))
        await asyncio.shield(self._asked[key])

    async def _hint(self, table: GinTable, seat: int) -> None:
        state = table.state()
        if not table.setup.has_hints:
            raise ConflictError("this table was set without hints")
        if state.game.round_is_over or not state.may_act(seat):
            raise ConflictError("it is not your turn: hints are for whoever is to move")
        if table.hint(seat) is None:
            said: Any = await self.bots.advise(table.number, table.setup, state.history, seat)
            table.note_hint(seat, state.turn_number, said)


def check_places(places: Sequence[tuple[str, str]]) -> None:
    """Refuse places that make no table of Gin."""
    if len(places) != 2:
        raise RulesError(f"{len(places)} seats: Gin is played by two")
    if all(bot for _name, bot in places):
        raise RulesError("bots sit in all seats: expected at least one person")
    check_names([name for name, _bot in places])
    for name, bot in places:
        if bot:
            try:
                player_named(bot)
            except HandfulError as error:
                raise RulesError(f"{name}: {error}") from None
