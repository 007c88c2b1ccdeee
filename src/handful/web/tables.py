"""Tables of Hanabi: which games and bots may be played here, and the tables at which they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from handful.bots.players import Player, player_named
from handful.errors import HandfulError, RulesError
from handful.hanabi.actions import Action, action_at, action_index
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.splitmix import SplitMix64
from handful.web.bots import Bots
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
from handful.web.table_store import Setup, TableStore

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MAX_CARDS, MAX_HAND = 100, 6  # of a deck and of a hand: what still fits on a screen


class Table(LiveTable[Setup, State, Action]):
    """A game of Hanabi that goes on."""

    def begin(self, setup: Setup) -> State:
        """Return the game before its first turn."""
        check_rules(setup.deal.rules)
        return State(setup.deal)

    def number_of(self, state: State, seat: int, action: Action) -> int:
        """Return the number under which an action is kept."""
        return action_index(state.rules, seat, action)

    def do_number(self, state: State, number: int) -> None:
        """Take the action of a number that was kept."""
        state.act(action_at(state.rules, state.current, number))

    def do(self, state: State, seat: int, action: Action) -> None:
        """Take an action; refuse one that is illegal."""
        state.act(action)

    def to_move(self) -> tuple[int, int, list[Action]]:
        """Return who is to move, on which turn, and how the game went until then."""
        with self._lock:
            history = [past.action for past in self._state.history]
            return self._state.current, self._state.turn_number, history


class Tables(LiveTables[Setup, Table]):
    """All tables of Hanabi of a server."""

    def __init__(
        self, path: Path, bot_pause: float = BOT_PAUSE, keep_days: int = KEEP_DAYS, bots: Bots | None = None
    ) -> None:
        super().__init__(TableStore(path), bots or Bots(), bot_pause, keep_days)

    def opened(self, number: int) -> Table:
        """Return a table as it is on disk."""
        return Table(self.store, number)

    async def bots_choice(self, table: Table) -> tuple[int, int, Action]:
        """Return the seat of the bot to move, the turn, and what it does."""
        seat, turn, history = table.to_move()
        return seat, turn, await self.bots.choose(table.number, table.setup, history)

    def create(self, deal: Deal, places: Sequence[tuple[str, str]], is_open: bool) -> Table:
        """Return a new table: `places` are names and bots by seat, an empty bot for a person."""
        check_game(deal, places)
        setup = Setup(new_secret(), deal, new_seats(places), is_open, new_chance())
        return self._get(self.store.create(setup))


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
    check_names([name for name, _bot in places])
    for seat, (name, bot) in enumerate(places):
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
