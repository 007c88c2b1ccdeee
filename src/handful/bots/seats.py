"""A compiled bot at a plain table: for watching, playing along and analysing, turn by turn."""

from __future__ import annotations

import numpy as np

from handful.bots.protocol import Bot, CompiledBot, OpenBot
from handful.hanabi.actions import Action, action_at
from handful.hanabi.kernels.bridge import game_from_state, game_from_view
from handful.hanabi.kernels.layout import Games, rulebook_of
from handful.hanabi.knowledge import Turn
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.hanabi.state import State
from handful.hanabi.view import View
from handful.splitmix import SplitMix64


class CompiledSeat(Bot):
    """A seat filled by a compiled bot. Its choices are those that it makes at the compiled table."""

    def __init__(self, bot: CompiledBot, rules: Rules, seat: int, chance: SplitMix64) -> None:
        super().__init__(rules, seat, chance)
        self._bot = bot
        self._rules = rulebook_of(rules)
        self._memory = np.zeros((MAX_PLAYERS, max(1, bot.memory_words)), np.int64)
        self._parameters = np.zeros((MAX_PLAYERS, 1))
        if bot.parameters is not None:
            self._parameters = np.zeros((MAX_PLAYERS, len(bot.parameters)))
            self._parameters[seat] = bot.parameters
        self._counters = np.zeros(MAX_PLAYERS, np.uint64)
        self._counters[seat] = chance.counter

    def choose(self, view: View) -> Action:
        """Return what the compiled bot chooses from this view."""
        return self.choose_in(game_from_view(view))

    def choose_in(self, games: Games) -> Action:
        """Return what the compiled bot chooses from a record of what it sees."""
        number = self._bot.choose(games, 0, self._rules, self.seat, self._memory, self._parameters, self._counters)
        return action_at(self.rules, self.seat, int(number))

    def observe(self, view: View, _turn: Turn) -> None:
        """Let the compiled bot take note of a turn."""
        if self._bot.observe is not None:
            self._bot.observe(game_from_view(view), 0, self._rules, self.seat, self._memory, self._parameters)


class OpenCompiledSeat(OpenBot):
    """A seat filled by a compiled bot that looks at all hands."""

    sees = "hands"

    def __init__(self, name: str, bot: CompiledBot, rules: Rules, seat: int, chance: SplitMix64) -> None:
        super().__init__(rules, seat, chance)
        self._name, self._seat = name, CompiledSeat(bot, rules, seat, chance)

    def choose_open(self, state: State) -> Action:
        """Return what the compiled bot chooses from all hands; the record has no deck."""
        return self._seat.choose_in(game_from_state(state))

    def __str__(self) -> str:
        return f"the bot {self._name!r}"


def seat_compiled(name: str, bot: CompiledBot, rules: Rules, seat: int, chance: SplitMix64) -> Bot:
    """Return a seat for a compiled bot, which shows it what it sees and no more."""
    if bot.sees == "hands":
        assert bot.observe is None, "bots that see all hands take no notes"
        return OpenCompiledSeat(name, bot, rules, seat, chance)
    return CompiledSeat(bot, rules, seat, chance)
