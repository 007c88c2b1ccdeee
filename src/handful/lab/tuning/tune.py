"""A search for the best settings of a bot, as Bergh 2015 proposes, and an honest figure for what it finds.

1. *Search:* Optuna's tree-structured Parzen estimator (Bergstra et al. 2011) proposes settings; each trial plays the
   same deals with the same chance, so that trials differ by their settings and not by their luck.
2. *Choice:* the best few, and the settings that the search started from, play more games on fresh deals.
3. *Figure:* the best of those plays once more on deals that had no part in choosing it. Only that figure is free of
   the luck that the best of many always has.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import floor, log10
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, get_args

from handful.bots.players import Player, player_of
from handful.bots.settings import Parameter
from handful.display import Listing, Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.lab.games import Plan, TableOptions, make_plan
from handful.lab.running.dask_cluster import kept_open
from handful.lab.simulate import Simulation, simulate
from handful.lab.store import Store, Trial, experiment_key, key_text, registered
from handful.lab.tuning.sweep import with_settings

if TYPE_CHECKING:
    import optuna

Objective = Literal["mean", "perfect"]
FINALISTS = 5  # and the settings that the search started from
DIGITS = 4  # of a number's range: finer differences cannot be told apart by playing
_SAMPLER_STREAM = 1000  # of SplitMix64, for Optuna's chance; games use none of it


@dataclass(frozen=True)
class Attempt:
    """A trial as it is reported: its number, who played, what it reached, and whether it was in the store already."""

    number: int
    bot: str
    value: float
    is_restored: bool


@dataclass(frozen=True)
class Tuning(Shown):
    """The result of a search. `best` and `start` (the settings it began with) played deals that chose neither of them.

    `finalists` are the candidates on the deals that chose among them, best first; `restored` of the trials were in
    the store already.
    """

    bot: str
    objective: Objective
    searched: dict[str, list[Any]]
    trials: int
    restored: int = field(compare=False)
    games: int
    seed: int
    best: Simulation
    start: Simulation
    finalists: tuple[Simulation, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = {**self.__dict__, "best": self.best.to_dict(), "start": self.start.to_dict()}
        values["finalists"] = [each.to_dict() for each in self.finalists]
        return values

    def shown(self) -> Listing:
        """Return what a notebook shows: the best settings beside those it began with."""
        rows: list[tuple[object, ...]] = [
            (name, each.bot, each.mean, each.mean_ci95, each.perfect, each.perfect_ci95, each.games)
            for name, each in (("best", self.best), ("start", self.start))
        ]
        header = ("", "bot", "mean", "95 %", "perfect", "95 %", "games")
        return Listing(f"{self.trials} trials for the best {self.objective}, of {self.games} games each", header, rows)


class WorkOptions(TypedDict, total=False):
    """Who helps with a search, and whom to tell: as `simulate` takes it."""

    workers: int | None
    dask: str | None
    store: Store | None
    on_progress: Callable[[int], None] | None


class TuneOptions(TableOptions, WorkOptions, total=False):
    """At which table the bot is tuned, and who helps."""


@dataclass(frozen=True)
class _Search:
    """What stays the same in all trials: who, by which rules, how measured, with what help."""

    plan: Plan
    objective: Objective
    games: int
    parameters: Mapping[str, Parameter]
    work: WorkOptions

    @property
    def store(self) -> Store | None:
        return self.work.get("store")

    def study(self) -> str:
        """Return the key of this search: trials under the same key can be taken over."""
        space = {name: asdict(parameter) | {"meaning": ""} for name, parameter in self.parameters.items()}
        return key_text(experiment=experiment_key(self.plan), objective=self.objective, games=self.games, space=space)

    def play(self, player: Player, games: int, seed: int) -> Simulation:
        return simulate(player, games=games, seed=seed, rules=self.plan.rules, **self.work)

    def tell(self) -> None:
        """Report the games of a trial that need not be played."""
        on_progress = self.work.get("on_progress")
        if on_progress is not None:
            on_progress(self.games)

    def value(self, result: Simulation) -> float:
        return nearly_perfect(result.histogram) if self.objective == "perfect" else result.mean


def tune(
    bot: str | Player,
    *,
    objective: Objective = "mean",
    trials: int = 200,
    games: int = 2_000,
    final_games: int = 20_000,
    on_trial: Callable[[Attempt], None] | None = None,
    **options: Unpack[TuneOptions],
) -> Tuning:
    """Return the best settings that a search of so many trials finds, with a figure that choosing did not flatter.

    Settings that are given with the bot (``rules(hint=3)``) stay as they are; the others are searched in the ranges of
    the register. The options are those of `simulate`: at which table (`players`, `variant`, `rules`, `seed`), and who
    helps (`workers`, `dask`, `store`, `on_progress`). The result is a function of the seed. With a `store`, finished
    trials are not played again.
    """
    work, table = _split(options)
    plan = make_plan(bot, **table)
    if objective not in get_args(Objective):
        raise HandfulError(f"objective={objective!r}: expected {' or '.join(get_args(Objective))}")
    check_seed(plan.seed + 2)  # the last one that is used
    for name, number in (("trials", trials), ("games", games), ("final_games", final_games)):
        if number < 1:
            raise HandfulError(f"{name}={number}: expected at least 1")
    parameters = searched_parameters(plan.player)
    dask, workers = work.get("dask"), work.get("workers")
    with kept_open(dask, workers) as address:
        kept: WorkOptions = {**work, "dask": address, "workers": workers if dask is None else None}
        search = _Search(plan, objective, games, parameters, kept)
        attempts: list[Attempt] = []
        for attempt in _attempts(search, trials):
            attempts.append(attempt)
            if on_trial is not None:
                on_trial(attempt)
        finalists = _finalists(search, attempts, final_games)
        best, start = (
            search.play(player_of(name), final_games, plan.seed + 2) for name in (finalists[0].bot, plan.player.name)
        )
    ranges = {name: list(each.choices) or [each.low, each.high] for name, each in parameters.items()}
    restored = sum(attempt.is_restored for attempt in attempts)
    return Tuning(
        plan.player.name, objective, ranges, trials, restored, games, plan.seed, best, start, tuple(finalists)
    )


def _split(options: TuneOptions) -> tuple[WorkOptions, TableOptions]:
    """Return who helps, and at which table: the two kinds of options. Others are refused, as Python does."""
    for name in options:
        if name not in TuneOptions.__annotations__:
            raise TypeError(f"tune() got an unexpected keyword argument {name!r}")
    work: Any = {name: value for name, value in options.items() if name in WorkOptions.__annotations__}
    table: Any = {name: value for name, value in options.items() if name not in WorkOptions.__annotations__}
    return work, table


def nearly_perfect(histogram: tuple[int, ...]) -> float:
    """Return the share of perfect games, where a game that misses d points counts as 10^−d of one.

    Where one game in ten thousand is perfect, a trial sees none, and the search could not tell which way is up.

    >>> nearly_perfect((5, 0, 10, 1))
    0.1253125
    """
    count = sum(histogram)
    return sum(times * 10.0**-missed for missed, times in enumerate(reversed(histogram))) / count


def total_games(trials: int, games: int, final_games: int) -> int:
    """Return how many games a search plays at most: its trials, its finalists, and the figures at the end."""
    return trials * games + (FINALISTS + 3) * final_games


def searched_parameters(player: Player) -> dict[str, Parameter]:
    """Return the parameters of a bot that can be searched: they have a range, and were not given a value."""
    entry, given = registered(player), dict(player.settings)
    found = {each.name: each for each in entry.parameters if each.name not in given and _has_range(each)}
    if not found:
        others = " other than those given" if given else ""
        raise HandfulError(f"the bot {player.name!r} has no settings with a range{others}: there is nothing to tune")
    return found


def _has_range(parameter: Parameter) -> bool:
    if parameter.choices:
        return len(parameter.choices) > 1
    return parameter.low is not None and parameter.high is not None and parameter.low < parameter.high


def _attempts(search: _Search, trials: int) -> Iterator[Attempt]:
    """Yield the trials: first those of the store, then new ones, each committed before it is yielded."""
    optuna = _load_optuna()
    study = optuna.create_study(direction="maximize")
    space = {name: _distribution(parameter) for name, parameter in search.parameters.items()}
    key = search.study()
    values: dict[str, float] = {}  # by name: where there are few choices, some come again
    restored = [] if search.store is None else search.store.trials(key)[:trials]
    for trial in restored:
        study.add_trial(optuna.trial.create_trial(params=trial.settings, distributions=space, value=trial.value))
        name = _player(search, trial.settings).name
        values[name] = trial.value
        search.tell()
        yield Attempt(trial.number, name, trial.value, is_restored=True)
    if not restored:
        study.enqueue_trial({name: parameter.default for name, parameter in search.parameters.items()})
    for number in range(len(restored), trials):
        study.sampler = _sampler(search.plan.seed, number)
        asked = study.ask(space)
        player = _player(search, asked.params)
        if player.name in values:
            search.tell()
        else:
            values[player.name] = search.value(search.play(player, search.games, search.plan.seed))
        study.tell(asked, values[player.name])
        if search.store is not None:
            search.store.add_trial(key, Trial(number, asked.params, values[player.name]))
        yield Attempt(number, player.name, values[player.name], is_restored=False)


def _finalists(search: _Search, attempts: list[Attempt], games: int) -> list[Simulation]:
    """Return the best few of the search and its start, measured on fresh deals, best first."""
    ranked = sorted(attempts, key=lambda attempt: (-attempt.value, attempt.number))
    names = list(dict.fromkeys(attempt.bot for attempt in ranked))[:FINALISTS]
    names = list(dict.fromkeys([*names, search.plan.player.name]))
    measured = [search.play(player_of(name), games, search.plan.seed + 1) for name in names]
    return sorted(measured, key=search.value, reverse=True)


def _player(search: _Search, chosen: Mapping[str, Any]) -> Player:
    """Return the bot with the settings that were chosen."""
    settings = {name: _rounded(search.parameters[name], value) for name, value in chosen.items()}
    return with_settings(search.plan.player, settings)


def _rounded(parameter: Parameter, value: Any) -> Any:
    """Return a number with as many digits as matter, so that people can read and repeat it."""
    if parameter.choices or not isinstance(value, float) or value == parameter.default:
        return value
    low, high = _bounds(parameter)
    return min(max(round(value, DIGITS - floor(log10(high - low))), low), high)


def _bounds(parameter: Parameter) -> tuple[float, float]:
    assert parameter.low is not None, "only parameters with a range are searched"
    assert parameter.high is not None, "a range has two ends"
    return parameter.low, parameter.high


def _load_optuna() -> Any:
    """Return Optuna, quiet: what it would print is not for our readers."""
    try:
        import optuna
    except ImportError:
        raise HandfulError("tuning needs Optuna: pip install 'handful[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def _distribution(parameter: Parameter) -> optuna.distributions.BaseDistribution:
    """Return where Optuna looks: among the choices, the whole numbers or the numbers of a parameter's range."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if parameter.choices:
        return CategoricalDistribution(parameter.choices)
    low, high = _bounds(parameter)
    return IntDistribution(int(low), int(high)) if isinstance(parameter.default, int) else FloatDistribution(low, high)


def _sampler(seed: int, number: int) -> optuna.samplers.BaseSampler:
    """Return the sampler of one trial.

    Each trial has its own chance, so that what is proposed depends on the trials before it and on nothing else: a
    search that was interrupted goes on exactly as if it had not been.
    """
    import optuna

    from handful.splitmix import SplitMix64

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # settings together, not one by one
        chance = SplitMix64(seed, _SAMPLER_STREAM, number).below(1 << 32)
        return optuna.samplers.TPESampler(seed=chance, multivariate=True)
