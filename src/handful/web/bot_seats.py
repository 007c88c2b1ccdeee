"""The bots of one table: they follow the game from its first turn, and say what they do when it is their turn.

They live at a table of their own, a copy that is played along. So they may think as long as they like while people
look at the real one; and after a restart they come to know again what they knew, by going through the game once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.bots.players import player_named
from handful.bots.protocol import Bot
from handful.bots.table import ask, tell
from handful.errors import IllegalActionError
from handful.hanabi.actions import Action
from handful.hanabi.state import State
from handful.splitmix import BOT_STREAM, SplitMix64
from handful.web.table_store import Setup


class BotSeats:
    """The bots of a table. One thread at a time."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.deal.rules
        self._state = State(setup.deal)
        self._bots: list[Bot | None] = [
            None if place.is_person else player_named(place.bot).plain(rules, seat, _chance(setup, seat))
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


def _chance(setup: Setup, seat: int) -> SplitMix64:
    return SplitMix64(setup.chance, BOT_STREAM, 0, 0, seat)
