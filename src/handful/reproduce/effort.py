"""How hard to try: samples for a first look, or for publication; and what the experiments of one run share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from handful.lab.simulate import Simulation, simulate

if TYPE_CHECKING:
    from handful.lab.store import Store

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Effort:
    """Whether samples are full, who works, where finished games are kept, and whom to tell how far it is.

    `most` is the most games, deals or sequences of any sample, for a look that takes even less. `on_progress` is called
    with the share of an experiment that is done, from 0 to 1. Simulations that several experiments ask for are made
    once.
    """

    full: bool = False
    workers: int | None = None
    store: Store | None = None
    most: int | None = None
    on_progress: Callable[[float], None] = lambda _share: None
    known: dict[tuple[str, int, str, str, int, int], Simulation] = field(default_factory=dict, repr=False)

    def pick(self, quick: Choice, full: Choice) -> Choice:
        """Return what to take: the one for a quick run, or that for a full one."""
        return full if self.full else quick

    def sample(self, quick: int, full: int) -> int:
        """Return how many games, deals or sequences to try.

        >>> [effort.sample(1_000, 20_000) for effort in (Effort(), Effort(full=True), Effort(most=50))]
        [1000, 20000, 50]
        """
        wanted = self.pick(quick, full)
        return wanted if self.most is None else min(self.most, wanted)

    def simulate(
        self,
        bot: str,
        players: int,
        games: int,
        *,
        variant: str = "No Variant",
        rules: str = "hanab-live",
        seed: int = 0,
    ) -> Simulation:
        """Return the result of many games, as `lab.simulate` does; the second time without playing them again."""
        key = (bot, players, variant, rules, games, seed)
        if key not in self.known:
            self.known[key] = simulate(
                bot,
                players=players,
                games=games,
                variant=variant,
                rules=rules,
                seed=seed,
                workers=self.workers,
                store=self.store,
            )
        return self.known[key]
