"""A game of Gin as a table plays it, between people and bots; and the bots of a table, in their process."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

from handful.errors import IllegalActionError, RulesError
from handful.rummy.gin.actions import NUM_ACTIONS, action_at
from handful.rummy.gin.game import GinGame, GinPlan
from handful.rummy.gin.players import player_named
from handful.splitmix import BOT_STREAM, SplitMix64

READY = NUM_ACTIONS  # + seat: who has seen how a round ended, and wants the next one dealt


class SeatedGame:
    """A game of Gin at a table: actions by number; between two rounds every person says to be ready for the next."""

    def __init__(self, plan: GinPlan, bots: Sequence[str]) -> None:
        self.game = GinGame(plan)
        self.history: tuple[int, ...] = ()
        self.is_ready: tuple[bool, ...] = tuple(map(bool, bots))  # bots always are
        self._bots = tuple(bots)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_over

    @property
    def turn_number(self) -> int:
        """The number of the next action, from 1."""
        return len(self.history) + 1

    @property
    def current(self) -> int:
        """The seat that is waited for; between two rounds, the first that is not ready."""
        return self.is_ready.index(False) if self.game.round_is_over and not self.is_over else self.game.round.current

    def copy(self) -> SeatedGame:
        """Return the same game, to go on with independently."""
        other = object.__new__(SeatedGame)
        other.__dict__.update(self.__dict__)
        other.game = self.game.copy()
        return other

    def may_act(self, seat: int) -> bool:
        """Whether something is left to do for a seat now."""
        if self.is_over:
            return False
        return not self.is_ready[seat] if self.game.round_is_over else self.game.round.current == seat

    def legal_numbers(self, seat: int) -> list[int]:
        """Return the numbers of what a seat may do now."""
        if not self.may_act(seat):
            return []
        return [READY + seat] if self.game.round_is_over else self.game.round.legal_numbers()

    def act(self, number: int) -> None:
        """Take an action by its number."""
        if number >= READY:
            self._be_ready(number - READY)
        else:
            self.game.act(number)
        self.history = (*self.history, number)

    def _be_ready(self, seat: int) -> None:
        if seat not in range(2) or not self.game.round_is_over or not self.may_act(seat):
            raise IllegalActionError("the next round cannot be asked for now")
        self.is_ready = tuple(ready or place == seat for place, ready in enumerate(self.is_ready))
        if all(self.is_ready):
            self.game.next_round()
            self.is_ready = tuple(map(bool, self._bots))


class GinSeats:
    """The bots of a table of Gin. They need only the view, and chance: a stream of its own for every turn."""

    def __init__(self, plan: GinPlan, bots: Sequence[str], chance: int) -> None:
        self._plan, self._bots, self._chance = plan, tuple(bots), chance
        self._seated, self._seen = SeatedGame(plan, bots), list[int]()

    def follows(self, history: Sequence[int]) -> bool:
        """Whether a game that went like this goes on from what these bots have seen."""
        return self._seen == list(history[: len(self._seen)])

    def step(self, history: Sequence[int]) -> int:
        """Return what the bot to move does after this history, by its number.

        What goes wrong is told to the person opposite, so the message has nothing in it that the bot was thinking of:
        that might be its cards.
        """
        round_ = self._at(history).game.round
        seat = round_.current
        player, chance = player_named(self._bots[seat]), SplitMix64(self._chance, BOT_STREAM, len(history), seat)
        try:
            chosen = player.choose(round_.view(seat), chance).number
        except Exception as error:  # a bot is anybody's code, and may raise anything
            traceback.print_exc()
            raise RulesError(f"{type(error).__name__}, an error of its own") from None
        if chosen not in round_.legal_numbers():
            raise RulesError("it chose something illegal")
        return chosen

    def advise(self, history: Sequence[int], seat: int) -> Any:
        """Return what is said to who sits in a seat after this history: of the seat's view, and of nothing else."""
        from handful.web.gin_hint import advised

        return advised(self._at(history).game.round.view(seat))

    def _at(self, history: Sequence[int]) -> SeatedGame:
        for number in history[len(self._seen) :]:
            self._seated.act(number)
            self._seen.append(number)
        return self._seated


def number_text(number: int) -> str:
    """Return an action in words, also the one between two rounds.

    >>> number_text(READY)
    'next hand'
    """
    return "next hand" if number >= READY else str(action_at(number))
