"""Play many games of a bot with itself, and say what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from handful.bots.players import Player
from handful.bots.protocol import Bot
from handful.display import Listing, Shown, named_rows
from handful.lab.games import Chunk, GameOptions, Plan, Tally, chunks_of, empty_tally, make_plan, tally_chunk
from handful.lab.running import work_through
from handful.lab.statistics import Figures, figures_of

if TYPE_CHECKING:
    from handful.lab.store import Store


# What to_dict begins with, as `--json` has always done; the other figures follow.
_FIRST = ("bot", "players", "variant", "rules", "games", "seed", "repeat")


@dataclass(frozen=True, kw_only=True)
class Simulation(Figures, Shown):
    """The result of many games. `histogram[s]` of them scored s; intervals are of 95 % confidence."""

    bot: str
    players: int
    variant: str
    rules: str
    seed: int | str
    repeat: int
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)
    games_per_second: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = {name: getattr(self, name) for name in _FIRST} | self.__dict__
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def shown(self) -> Listing:
        """Return what a notebook shows: all but the histogram."""
        return Listing("", (), named_rows(self.to_dict(), leave_out=["histogram"]))

    def __repr__(self) -> str:
        half = (self.mean_ci95[1] - self.mean_ci95[0]) / 2
        low, high = self.perfect_ci95
        return (
            f"<Simulation {self.bot}, {self.players} players, {self.games} games: mean {self.mean:.3f} ± {half:.3f}, "
            f"perfect {self.perfect:.2%} ({low:.2%} to {high:.2%})>"
        )


def simulate(
    bot: str | type[Bot] | Player,
    *,
    games: int = 10_000,
    workers: int | None = None,
    dask: str | None = None,
    store: Store | None = None,
    on_progress: Callable[[int], None] | None = None,
    **options: Unpack[GameOptions],
) -> Simulation:
    """Return the result of `games` games of a bot with itself.

    `bot` is a name (with settings: ``rules(omega_p=0.6)``) or a class of bots. The options say at which table it plays:
    `players` (2), `variant`, `rules`, `seed` (0). Game i is deal i of the seed; with `repeat` r, each deal is played r
    times with other bot chance. With a `deal`, all games are on it. The result is the same for any number of workers.
    `on_progress` is called with the number of games that were just finished.

    With `dask`, the games are played by the workers of the cluster at that address, or by a cluster of processes on
    this machine (``"local"``). With a `store`, chunks that are finished there are not played again, and those that are
    played are kept there as soon as they are done: work that was interrupted goes on where it stopped.

    >>> simulate("random", players=3, games=100, seed=1).games
    100
    """
    plan = make_plan(bot, **options)
    chunks = list(chunks_of(plan, games))  # loads the kernels, which is not part of the time that the games take
    started = time.perf_counter()
    tally = empty_tally(plan.rules)
    for part in tallies(plan, chunks, workers, dask, store):
        tally += part
        if on_progress is not None:
            on_progress(sum(part.histogram))
    return summary(plan, tally, time.perf_counter() - started)


def tallies(
    plan: Plan, chunks: Sequence[Chunk], workers: int | None, dask: str | None, store: Store | None
) -> Iterator[Tally]:
    """Yield what each chunk adds up to: first those that the store has, then the others, as they are done."""
    finished = {} if store is None else store.finished(plan)
    yield from (finished[chunk] for chunk in chunks if chunk in finished)
    missing = [chunk for chunk in chunks if chunk not in finished]
    for chunk, tally in work_through(tally_chunk, plan, missing, workers, dask):
        if store is not None:
            store.add(plan, chunk, tally)
        yield tally


def summary(plan: Plan, tally: Tally, seconds: float) -> Simulation:
    """Return the result that a tally stands for."""
    return Simulation(
        bot=plan.player.name,
        players=plan.rules.players,
        variant=plan.rules.variant.name,
        rules=plan.rules.options_text(),
        seed=plan.seed if plan.deal is None else plan.deal.seed,
        repeat=plan.repeat,
        **figures_of(tally, plan.repeat),
        seconds=seconds,
        games_per_second=sum(tally.histogram) / seconds if seconds else 0.0,
    )
