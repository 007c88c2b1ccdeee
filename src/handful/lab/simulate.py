"""Play many games of a bot with itself, and say what came out."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from handful.bots.base import Bot
from handful.bots.registry import Player, player_of
from handful.bots.table import play_game
from handful.errors import HandfulError
from handful.hanabi.deal import Deal, check_seed
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import NO_VARIANT, Variant, variant_named
from handful.lab.executors import available_cores, local_executor, run_all
from handful.lab.statistics import Interval, mean_and_sd, mean_interval, wilson_interval

COMPILED_CHUNK = (
    2_000  # deals; large enough that calling the kernel costs nothing, small enough for a smooth progress bar
)
PLAIN_CHUNK = 20


@dataclass(frozen=True)
class Tally:
    """What some games add up to. Tallies of parts add up to the tally of the whole, in any order."""

    histogram: tuple[int, ...]
    strikeouts: int
    turns: int
    cpu_seconds: float

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            tuple(mine + theirs for mine, theirs in zip(self.histogram, other.histogram, strict=True)),
            self.strikeouts + other.strikeouts,
            self.turns + other.turns,
            self.cpu_seconds + other.cpu_seconds,
        )


@dataclass(frozen=True)
class Simulation:
    """The result of many games. `histogram[s]` of them scored s; intervals are of 95 % confidence."""

    bot: str
    players: int
    variant: str
    rules: str
    games: int
    seed: int | str
    repeat: int
    mean: float
    sd: float
    mean_ci95: Interval
    perfect: float
    perfect_ci95: Interval
    strikeouts: int
    min: int
    max: int
    turns: float
    histogram: tuple[int, ...] = field(repr=False)
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)
    games_per_second: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = dict(self.__dict__)
        for name in ("histogram", "mean_ci95", "perfect_ci95"):
            values[name] = list(values[name])
        return values

    def __repr__(self) -> str:
        half = (self.mean_ci95[1] - self.mean_ci95[0]) / 2
        low, high = self.perfect_ci95
        return (
            f"<Simulation {self.bot}, {self.players} players, {self.games} games: mean {self.mean:.3f} ± {half:.3f}, "
            f"perfect {self.perfect:.2%} ({low:.2%} to {high:.2%})>"
        )

    def _repr_html_(self) -> str:
        """Return a table, for notebooks."""
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>"
            for name, value in self.to_dict().items()
            if name != "histogram"
        )
        return f"<table>{rows}</table>"


@dataclass(frozen=True)
class Plan:
    """All that the games of a simulation depend on."""

    player: Player
    rules: Rules
    seed: int
    repeat: int
    deal: Deal | None = None


Work: TypeAlias = Callable[[Plan, int, int], Tally]


def play_compiled(plan: Plan, first: int, count: int) -> Tally:
    """Return the tally of some deals, played by the compiled table."""
    import numpy as np

    from handful.bots.table_kernel import CompiledTable
    from handful.hanabi.kernels.layout import STRIKES

    started = time.thread_time()
    bot = plan.player.compile(plan.rules)
    assert bot is not None, "only bots with a compiled form come here"
    table = CompiledTable(plan.rules, [bot] * plan.rules.players)
    results = table.play(plan.seed, first, count, plan.repeat, plan.deal)
    histogram = np.bincount(results.scores, minlength=plan.rules.max_score + 1)
    return Tally(
        tuple(int(times) for times in histogram),
        int((results.endings == STRIKES).sum()),
        int(results.turns.sum()),
        time.thread_time() - started,
    )


def play_plain(plan: Plan, first: int, count: int) -> Tally:
    """Return the tally of some deals, played by the plain rules."""
    started = time.thread_time()
    histogram = [0] * (plan.rules.max_score + 1)
    strikeouts = turns = 0
    makers = [plan.player.plain] * plan.rules.players
    for game in range(first, first + count):
        deal = plan.deal or Deal.from_seed(plan.rules, plan.seed, game)
        for repeat in range(plan.repeat):
            state = play_game(deal, makers, plan.seed, game, repeat)
            histogram[state.score] += 1
            strikeouts += state.ending == "strikes"
            turns += len(state.history)
    return Tally(tuple(histogram), strikeouts, turns, time.thread_time() - started)


def simulate(
    bot: str | type[Bot] | Player,
    *,
    players: int = 2,
    games: int = 10_000,
    variant: str | Variant = NO_VARIANT,
    seed: int = 0,
    rules: str | Rules = "hanab-live",
    workers: int | None = None,
    repeat: int = 1,
    deal: Deal | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Return the result of `games` games of a bot with itself.

    `bot` is a name (with settings: ``rules(omega_p=0.6)``) or a class of bots. Game i is deal i of the seed; with
    `repeat` r, each deal is played r times with other bot chance. The result is the same for any number of workers.
    With a `deal`, all games are on it. `on_progress` is called with the number of games that were just finished.

    >>> simulate("random", players=3, games=100, seed=1).games
    100
    """
    plan = _plan(bot, players, variant, seed, rules, repeat, deal)
    if games < 1 or repeat < 1 or games % repeat:
        raise HandfulError(f"games={games}, repeat={repeat}: expected at least one game, and a multiple of the repeats")
    if workers is not None and workers < 1:
        raise HandfulError(f"workers={workers}: expected at least 1")
    work = _work(plan)  # loads the kernels, which is not part of the time that the games take
    started = time.perf_counter()
    tally = Tally((0,) * (plan.rules.max_score + 1), 0, 0, 0.0)
    for part in _tallies(plan, work, games // repeat, workers or available_cores()):
        tally += part
        if on_progress is not None:
            on_progress(sum(part.histogram))
    return _summary(plan, tally, time.perf_counter() - started)


def _plan(
    bot: str | type[Bot] | Player,
    players: int,
    variant: str | Variant,
    seed: int,
    rules: str | Rules,
    repeat: int,
    deal: Deal | None,
) -> Plan:
    if deal is not None:
        rules = deal.rules
    elif isinstance(rules, str):
        rules = rules_from_text(rules, players, variant if isinstance(variant, Variant) else variant_named(variant))
    check_seed(seed)
    return Plan(player_of(bot), rules, seed, repeat, deal)


def _work(plan: Plan) -> Work:
    """Return the way to play: compiled, if the bot has a compiled form for these rules."""
    if plan.player.compile(plan.rules) is None:
        return play_plain
    import handful.bots.table_kernel  # noqa: F401  # loaded here, before the clock starts

    return play_compiled


def _tallies(plan: Plan, work: Work, deals: int, workers: int) -> Iterator[Tally]:
    """Yield the tallies of all chunks, as they are done."""
    is_compiled = work is play_compiled
    largest = max(1, (COMPILED_CHUNK if is_compiled else PLAIN_CHUNK) // plan.repeat)
    if not is_compiled and workers > 1 and not _can_be_sent(plan):
        workers = 1
    size = max(1, min(largest, -(-deals // workers)))
    chunks = ((plan, first, min(size, deals - first)) for first in range(0, deals, size))
    with local_executor(min(workers, -(-deals // size)), releases_lock=is_compiled) as executor:
        yield from run_all(executor, work, chunks, at_once=2 * workers)


def _can_be_sent(plan: Plan) -> bool:
    """Whether the plan can go to another process: a class of bots must be importable there."""
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return plan.player.bot_class is None or plan.player.bot_class.__module__ != "__main__"


def _summary(plan: Plan, tally: Tally, seconds: float) -> Simulation:
    games = sum(tally.histogram)
    mean, sd = mean_and_sd(tally.histogram)
    scored = [score for score, times in enumerate(tally.histogram) if times]
    perfect = tally.histogram[-1]
    return Simulation(
        bot=plan.player.name,
        players=plan.rules.players,
        variant=plan.rules.variant.name,
        rules=plan.rules.options_text(),
        games=games,
        seed=plan.seed if plan.deal is None else plan.deal.seed,
        repeat=plan.repeat,
        mean=mean,
        sd=sd,
        mean_ci95=mean_interval(mean, sd, games),
        perfect=perfect / games,
        perfect_ci95=wilson_interval(perfect, games),
        strikeouts=tally.strikeouts,
        min=scored[0],
        max=scored[-1],
        turns=tally.turns / games,
        histogram=tally.histogram,
        seconds=seconds,
        cpu_seconds=tally.cpu_seconds,
        games_per_second=games / seconds if seconds else 0.0,
    )
