"""How many deals can be won? A sample of them, solved on all cores, with the causes of those that cannot."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from handful.display import Listing, Shown, named_rows
from handful.errors import HandfulError
from handful.hanabi.deal import Deal, check_seed
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import NO_VARIANT, Variant
from handful.lab.games import Chunk, cut, rules_of
from handful.lab.running import work_through
from handful.lab.statistics import Interval, wilson_interval
from handful.playability.deals.reasons import why_merged
from handful.playability.deals.solve import MERGED, check_solvable, quick_methods, solve

CHUNK = 200  # deals: a fraction of a second, for the progress bar


@dataclass(frozen=True)
class WinnableCount(Shown):
    """How many of some deals can be won. `causes` says of how many that cannot be, why; `methods`, what decided them.

    `fraction` is the share of deals that are proved winnable, and `ci95` its 95 % interval; undecided deals widen it
    upwards, as if they were winnable. `unwinnable_deals` and `undecided_deals` are their numbers among the seed's.
    """

    players: int
    variant: str
    rules: str
    seed: int
    deals: int
    winnable: int
    unwinnable: int
    undecided: int
    fraction: float
    ci95: Interval
    causes: dict[str, int]
    methods: dict[str, int]
    unwinnable_deals: tuple[int, ...]
    undecided_deals: tuple[int, ...]
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = dict(self.__dict__)
        for name in ("ci95", "unwinnable_deals", "undecided_deals"):
            values[name] = list(values[name])
        return values

    def shown(self) -> Listing:
        """Return what a notebook shows: all but the numbers of single deals."""
        return Listing("", (), named_rows(self.to_dict(), leave_out=["unwinnable_deals", "undecided_deals"]))

    def __repr__(self) -> str:
        low, high = self.ci95
        undecided = f", {self.undecided} undecided" if self.undecided else ""
        return (
            f"<WinnableCount {self.variant}, {self.players} players, {self.deals} deals: "
            f"{self.fraction:.3%} ({low:.3%} to {high:.3%}){undecided}>"
        )


def winnable(
    *,
    players: int = 2,
    deals: int = 1000,
    variant: str | Variant = NO_VARIANT,
    seed: int = 0,
    rules: str | Rules = "hanab-live",
    time_limit: float | None = 60.0,
    workers: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> WinnableCount:
    """Return how many of the first so many deals of a seed can be won, the same for any number of workers.

    `time_limit` is in seconds, for each deal. `on_progress` is called with the number of deals that were just decided.
    """
    if deals < 1:
        raise HandfulError(f"deals={deals}: expected at least 1")
    sample = Sample(rules_of(players, variant, rules), seed, time_limit)
    started = time.perf_counter()
    answers = Answers()
    for _, part in work_through(answer_chunk, sample, list(cut(deals, CHUNK)), workers):
        answers += part
        if on_progress is not None:
            on_progress(part.deals)
    return _summary(sample, answers, time.perf_counter() - started)


@dataclass(frozen=True)
class Sample:
    """The deals of a seed, and how long to think about each."""

    rules: Rules
    seed: int
    time_limit: float | None

    is_compiled = True  # nearly all deals are decided in kernels, without the interpreter's lock

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_solvable(self.rules)


@dataclass(frozen=True)
class Answers:
    """What was found for some deals: a method for each; a cause for each that cannot be won, by its number."""

    methods: Counter[str] = field(default_factory=Counter)
    causes: dict[int, str] = field(default_factory=dict)
    undecided: frozenset[int] = frozenset()
    cpu_seconds: float = 0.0

    @property
    def deals(self) -> int:
        """How many deals these are."""
        return self.methods.total()

    def __add__(self, other: Answers) -> Answers:
        return Answers(
            self.methods + other.methods,
            self.causes | other.causes,
            self.undecided | other.undecided,
            self.cpu_seconds + other.cpu_seconds,
        )


def answer_chunk(sample: Sample, chunk: Chunk) -> Answers:
    """Return what is found for the deals of a chunk.

    Nearly all are decided in kernels, the lines replayed by the compiled rules; what these leave goes through `solve`.
    """
    started = time.thread_time()
    methods: Counter[str] = Counter()
    causes: dict[int, str] = {}
    undecided = set()
    for number, method in enumerate(quick_methods(sample.rules, sample.seed, chunk.first, chunk.count), chunk.first):
        if method is None or method == MERGED:
            deal = Deal.from_seed(sample.rules, sample.seed, number)
            method, winnable, reason = _answer(deal, method, sample.time_limit)
            if winnable is None:
                undecided.add(number)
            elif not winnable:
                causes[number] = cause_of(reason, method)
        methods[method] += 1
    return Answers(methods, causes, frozenset(undecided), time.thread_time() - started)


def _answer(deal: Deal, method: str | None, time_limit: float | None) -> tuple[str, bool | None, str]:
    """Return what decides a deal, whether it can be won, and why; `method` is what has decided it already, if any."""
    if method is not None:
        return method, False, why_merged(State(deal)) or ""
    solution = solve(deal, time_limit)
    return solution.method, solution.winnable, solution.reason


def cause_of(reason: str, method: str) -> str:
    """Return the kind of a reason: what stands before its colon, or the method if it has none.

    >>> cause_of("pace: at most 24 points can be reached", "merged")
    'pace'
    """
    kind, colon, _ = reason.partition(":")
    return kind.strip() if colon else method


def _summary(sample: Sample, answers: Answers, seconds: float) -> WinnableCount:
    deals, unwinnable, undecided = answers.deals, len(answers.causes), len(answers.undecided)
    won = deals - unwinnable - undecided
    # Undecided deals are not winnable in the lower bound, and winnable in the upper one.
    ci95 = (wilson_interval(won, deals)[0], wilson_interval(won + undecided, deals)[1])
    return WinnableCount(
        players=sample.rules.players,
        variant=sample.rules.variant.name,
        rules=sample.rules.options_text(),
        seed=sample.seed,
        deals=deals,
        winnable=won,
        unwinnable=unwinnable,
        undecided=undecided,
        fraction=won / deals,
        ci95=ci95,
        causes=_by_count(Counter(answers.causes.values())),
        methods=_by_count(answers.methods),
        unwinnable_deals=tuple(sorted(answers.causes)),
        undecided_deals=tuple(sorted(answers.undecided)),
        seconds=seconds,
        cpu_seconds=answers.cpu_seconds,
    )


def _by_count(counts: Counter[str]) -> dict[str, int]:
    """Return counts, the greatest first, equal ones by name: in an order that does not depend on who was done first."""
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
