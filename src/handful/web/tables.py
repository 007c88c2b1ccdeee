"""Tables of Hanabi: which games and bots may be played here, and all tables at which they are."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from handful.bots.players import Player, player_named
from handful.errors import HandfulError, RulesError
from handful.hanabi.actions import Action
from handful.hanabi.deal import Deal
from handful.web.bots import Bots
from handful.web.hanabi_table import Table
from handful.web.live_tables import (
    BOT_PAUSE,
    KEEP_DAYS,
    LiveTables,
    check_names,
    new_chance,
    new_seats,
    new_secret,
)
from handful.web.table_options import TableOptions
from handful.web.table_rules import MAX_PLAYERS, MIN_PLAYERS, check_rules
from handful.web.table_store import Setup, TableStore

__all__ = ["MAX_PLAYERS", "MIN_PLAYERS", "Table", "Tables", "check_game", "check_rules"]

log = logging.getLogger("handful.web")


class Tables(LiveTables[Setup, Table]):
    """All tables of Hanabi of a server."""

    store: TableStore

    def __init__(
        self,
        path: Path,
        bot_pause: float = BOT_PAUSE,
        keep_days: int = KEEP_DAYS,
        bots: Bots | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(TableStore(path), bots or Bots(), bot_pause, keep_days)
        self.now = now  # what the clocks at tables go by
        self._alarms: dict[int, asyncio.TimerHandle] = {}

    def opened(self, number: int) -> Table:
        """Return a table as it is on disk."""
        return Table(self.store, number, self.now)

    async def bots_choice(self, table: Table) -> tuple[int, int, Action]:
        """Return the seat of the bot to move, the turn, and what it does."""
        seat, turn, history = table.to_move()
        return seat, turn, await self.bots.choose(table.number, table.setup, history)

    def create(
        self, deal: Deal, places: Sequence[tuple[str, str]], is_open: bool, options: TableOptions | None = None
    ) -> Table:
        """Return a new table: `places` are names and bots by seat, an empty bot for a person."""
        check_game(deal, places)
        setup = Setup(
            new_secret(), deal, new_seats(places), is_open, new_chance(), options or TableOptions(), new_secret()
        )
        return self._get(self.store.create(setup))

    def watched(self, watch: str) -> Table:
        """Return the table that a spectators' secret belongs to."""
        return self._get(self.store.find_watch(watch))

    # Clocks

    def wake_bots(self, table: Table) -> None:
        """Let the bots of a table move, if it is their turn, and set the alarm of its clock; from any thread."""
        super().wake_bots(table)
        if self._loop is not None and table.deadline is not None:
            self._loop.call_soon_threadsafe(self._set_alarm, table)

    async def _run_bots(self, table: Table) -> None:
        await super()._run_bots(table)
        self._set_alarm(table)

    def _set_alarm(self, table: Table) -> None:
        """Look at a table when the time of whoever is to move there is up."""
        earlier = self._alarms.pop(table.number, None)
        if earlier is not None:
            earlier.cancel()
        deadline = table.deadline
        if deadline is not None and self._loop is not None:
            self._alarms[table.number] = self._loop.call_later(max(0.0, deadline - self.now()), self._ring, table)

    def _ring(self, table: Table) -> None:
        self._alarms.pop(table.number, None)
        if self._loop is not None:
            self._start(self._look_at_clock(table))

    async def _look_at_clock(self, table: Table) -> None:
        try:
            await asyncio.to_thread(table.look_at_clock)
        except HandfulError as error:
            log.warning("the clock of table %d could not end its game: %s", table.number, error)
        else:
            self._set_alarm(table)

    async def leave(self) -> None:
        """Let no bot be asked any more, and no clock ring, and close the file."""
        for alarm in self._alarms.values():
            alarm.cancel()
        await super().leave()


def check_game(deal: Deal, places: Sequence[tuple[str, str]]) -> None:
    """Refuse a game that cannot be played here, or bots that cannot play it."""
    rules = deal.rules
    check_rules(rules)
    if len(places) != rules.players:
        raise RulesError(f"{len(places)} names for {rules.players} seats")
    if not any(not bot for _name, bot in places):
        raise RulesError("bots sit in all seats: expected at least one person")
    check_names([name for name, _bot in places])
    for name, bot in places:
        if bot:
            try:
                player = player_named(bot)
                player.check_sees_a_view("it does not sit down with people")
                check_patience(player)
                player.check_plain(rules)  # what it needs is compiled where it thinks, and not here
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
