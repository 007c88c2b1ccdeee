"""The protocol of a bot: a view in, an action out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from handful.errors import RulesError
from handful.hanabi.actions import Action
from handful.hanabi.knowledge import Turn
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.view import View
from handful.splitmix import SplitMix64

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Bot(ABC):
    """A player at one seat of one game.

    A bot is made anew for every game. `chance` is its only source of chance, so that a game is a function of its seed.
    """

    def __init__(self, rules: Rules, seat: int, chance: SplitMix64) -> None:
        self.rules, self.seat, self.chance = rules, seat, chance

    @abstractmethod
    def choose(self, view: View) -> Action:
        """Return a legal action. It is this bot's turn."""

    def observe(self, view: View, turn: Turn) -> None:  # noqa: B027  # most bots keep no notes
        """Take note of a turn, anybody's, after it happened: `view` is what this seat sees then. Nothing by default."""


Sees = Literal["view", "hands", "everything"]


class OpenBot(Bot):
    """A bot that looks at more than the game allows: a ceiling that others can be measured by.

    `sees` says how far: ``"hands"`` are all hands, the own one included; ``"everything"`` is the deck, too. A table
    shows a state to bots of this class alone, and a bot of the register is of it only if the register says so.
    """

    sees: Sees = "hands"

    def choose(self, view: View) -> Action:
        """Refuse to play from a view."""
        raise RulesError(f"{self} looks at more than its view: it plays only at tables that show it the {self.sees}")

    @abstractmethod
    def choose_open(self, state: State) -> Action:
        """Return a legal action. It is this bot's turn. With ``"hands"``, the cards in the deck are in no order."""

    def __str__(self) -> str:
        return f"the bot {type(self).__name__}"


class Explainer(ABC):
    """Says what the actions of a bot tell the others, for somebody who watches and sees all hands.

    A module of a bot may have ``explainer(rules, names, **settings)``, which returns one, made anew for every game.
    """

    @abstractmethod
    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return sentences on what a turn told whom. Called after every turn, in order; `state` is the one after it."""


# choose(games, g, rules, seat, memory, parameters, chance) -> action number
ChooseKernel: TypeAlias = Callable[..., int]
# observe(games, g, rules, seat, memory, parameters)
ObserveKernel: TypeAlias = Callable[..., None]


@dataclass(frozen=True)
class CompiledBot:
    """A bot as kernels, for the simulator.

    `choose(games, g, rules, seat, memory, parameters, chance)` returns an action number; `observe(games, g, rules,
    seat, memory, parameters)` is called for every seat after every turn, unless it is None. Game g of `games` (see
    `hanabi.kernels.layout`) shows what the seat sees: the own cards and the deck are `HIDDEN` in it. Row `seat` of
    `memory` (int64, at least `memory_words` long) and of `parameters` (float64) is this bot's own, and it touches no
    other. The first `notes_words` of its memory (all, if not said) are its notes, all 0 when a game starts; what comes
    after them is scratch paper, on which anything may stand. `chance[seat]` is the counter of its stream (see
    `splitmix_jit`).

    A bot that `sees` ``"hands"`` is shown the own cards, too, at a table that knows it as such a one.
    """

    choose: ChooseKernel
    observe: ObserveKernel | None = None
    memory_words: int = 0
    parameters: npt.NDArray[np.float64] | None = None
    sees: Literal["view", "hands"] = "view"
    notes_words: int | None = None


PlainMaker: TypeAlias = Callable[[Rules, int, SplitMix64], Bot]
