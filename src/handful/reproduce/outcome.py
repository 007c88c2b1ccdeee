"""What an experiment is given, an effort, and what it returns: lines of theirs beside ours, with their verdicts.

Every line of ours is a value: a number, an estimate with its interval, a count of checks, never a typed text. Every
verdict is a function of the values, and judges both ways: a number beyond its tolerance "differs", whether it is too
small or too large. Only a line with an `Aim`, which says in words why more (or less) is better, may "go further".
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from math import copysign, inf, log, sqrt
from statistics import NormalDist, linear_regression, variance
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

from handful.display import Listing, Shown
from handful.lab.games import TableOptions
from handful.lab.simulate import Simulation, simulate
from handful.lab.statistics import Z95, Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from handful.lab.store import Store

Choice = TypeVar("Choice")
Verdict: TypeAlias = Literal["same", "differs", "goes further"]
Number: TypeAlias = int | float
# A number, or several (with names of hands or bots between them, for whoever reads them).
Value: TypeAlias = Number | tuple[Number | str, ...]
Form: TypeAlias = Callable[..., str]  # of a value, its parts one by one

# All comparisons of a table together wrongly say "differs" with this chance.
FALSE_ALARM = 0.01


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
    known: dict[object, Simulation] = field(default_factory=dict, repr=False)

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
        rules: str = "hanab-live",
        variant: str = "No Variant",
        seed: int = 0,
    ) -> Simulation:
        """Return the result of many games, as `lab.simulate` does; the second time without playing them again."""
        table: TableOptions = {"players": players, "variant": variant, "rules": rules, "seed": seed}
        key = (bot, games, *table.values())
        if key not in self.known:
            self.known[key] = simulate(bot, games=games, workers=self.workers, store=self.store, **table)
        return self.known[key]


# Ours, with its uncertainty


class Estimate(NamedTuple):
    """A number of ours that was sampled or fitted, with its interval of 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """The standard error that the interval stands for."""
        return (self.high - self.low) / (2 * Z95)

    @staticmethod
    def mean(result: Simulation) -> Estimate:
        """Return the mean score of many games."""
        return Estimate(result.mean, *result.mean_ci95)

    @staticmethod
    def perfect(result: Simulation) -> Estimate:
        """Return the share of perfect games in per cent."""
        return Estimate.percent(result.perfect, result.perfect_ci95)

    @staticmethod
    def percent(share: float, interval: Interval) -> Estimate:
        """Return a share in per cent."""
        return Estimate(100 * share, 100 * interval[0], 100 * interval[1])

    @staticmethod
    def power_law(points: Iterable[tuple[float, float]]) -> Estimate:
        """Return the exponent of the power law that fits points best (least squares on the logarithms).

        >>> round(Estimate.power_law([(1, 2), (10, 200), (100, 20_000)]).value, 6)
        2.0
        """
        at, values = zip(*((log(x), log(y)) for x, y in points), strict=True)
        slope, start = linear_regression(at, values)
        left = sum((y - start - slope * x) ** 2 for x, y in zip(at, values, strict=True))
        half = Z95 * sqrt(left / max(len(at) - 2, 1) / (variance(at) * (len(at) - 1)))
        return Estimate(slope, slope - half, slope + half)


def cpu_seconds_of(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the CPU seconds that some work takes, the best of a few rounds: the machine may be busy with others'."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return max(min(taken), 1e-6)


# How values are written


def plus_minus(decimals: int = 2) -> Form:
    """Return how to write an estimate: with half the width of its interval.

    >>> plus_minus()(*Estimate(15.25, 15.0, 15.5))
    '15.25 ± 0.25'
    """
    return lambda value, low, high: f"{value:.{decimals}f} ± {(high - low) / 2:.{decimals}f}"


def shares(decimals: int = 1) -> Form:
    """Return how to write a share in per cent: with its interval.

    >>> shares()(*Estimate(50.0, 40.0, 60.0))
    '50.0% (40.0% to 60.0%)'
    """
    return lambda *each: "{:.{n}f}% ({:.{n}f}% to {:.{n}f}%)".format(*each, n=decimals)


def written(value: Value, form: Form) -> str:
    """Return a value as text."""
    return form(*value) if isinstance(value, tuple) else form(value)


# Lines, and their verdicts


class Aim(NamedTuple):
    """Why a difference may be meant: `sign` is 1 if more is better, −1 if less is; the sentence says what was aimed at.

    Only for the same quantity under the same rules. What misses its aim differs.
    """

    sign: int
    sentence: str


BETTER_PLAY = Aim(1, "Meant to be better: another player, by the same rules.")
FASTER = Aim(-1, "Meant to be faster: the same numbers by another algorithm, on another machine.")


def threshold(comparisons: int) -> float:
    """Return how many standard errors one of so many comparisons may be off by chance (Bonferroni).

    >>> round(threshold(1), 2), round(threshold(446), 2)
    (2.58, 4.24)
    """
    return NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * comparisons))


class Tolerance(NamedTuple):
    """How far one of so many comparisons may be off by chance: `threshold` standard errors, beside what rounding loses.

    `error` is the standard error of the difference, if theirs has one too; None stands for that of ours alone.
    """

    comparisons: int
    error: float | None = None
    rounding: float = 0.0


@dataclass(frozen=True)
class Line:
    """One comparison: `ours` is `value` as text. Its static functions make lines, and judge them.

    What differs has a reason. What goes further has nothing published, or a `reason` that says why it is better.
    """

    what: str
    published: str
    ours: str
    verdict: Verdict
    value: Value
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "value": list(self.value) if isinstance(self.value, tuple) else self.value}

    @staticmethod
    def exact(what: str, published: Value, ours: Value, reason: str = "", form: Form = "{}".format) -> Line:
        """Return the comparison of two values that must be equal; a reason is needed only if they are not."""
        return _judged(what, written(published, form), ours, float(published != ours), form, reason)

    @staticmethod
    def digits(what: str, printed: str, ours: float, reason: str = "") -> Line:
        """Return the comparison of a printed number with ours, to the digits that are printed (rounded or cut off).

        >>> Line.digits("the worst hand", "18.861678332", 18.861678332917332).verdict
        'same'
        """
        decimals = len(printed.partition("e")[0].partition(".")[2])
        exponent = int(printed.partition("e")[2] or 0)
        last_digit = 10.0 ** (exponent - decimals)
        form = f"{{:.{decimals}e}}".format if exponent else f"{{:.{decimals + 2}f}}".format
        return _judged(what, printed, ours, _beyond(ours - float(printed), last_digit * (1 + 1e-9)), form, reason)

    @staticmethod
    def between(
        what: str, published: str, ours: Number, bounds: Interval, reason: str = "", form: Form = "{}".format
    ) -> Line:
        """Return whether a number of ours lies within bounds, which are what the published words say."""
        low, high = bounds
        return _judged(what, published, ours, min(ours - low, 0.0) or max(ours - high, 0.0), form, reason)

    @staticmethod
    def sampled(
        what: str,
        published: float,
        ours: Estimate,
        tolerance: Tolerance,
        reason: str = "",
        *,
        form: Form | None = None,
        theirs: Form = "{}".format,
        aim: Aim | None = None,
    ) -> Line:
        """Return the comparison of a published number (`theirs` writes it) with an estimate of ours (`form` does)."""
        error = ours.error if tolerance.error is None else tolerance.error
        off = _beyond(ours.value - published, tolerance.rounding + threshold(tolerance.comparisons) * error)
        return _judged(what, theirs(published), ours, off, form or plus_minus(), reason, aim)

    @staticmethod
    def faster(what: str, published: float, ours: float, form: Form = "{:.2f}".format) -> Line:
        """Return CPU seconds of ours beside published ones: it goes further if it takes less, and differs if not."""
        return _judged(what, f"{published:,.10g}", ours, ours - published or inf, form, "It takes longer here.", FASTER)

    @staticmethod
    def further(what: str, ours: Value, form: Form = "{}".format, published: str = "–") -> Line:
        """Return something that was not published: `published` may say so in words, but has no number to compare."""
        assert not any(sign.isdigit() for sign in published), f"{what}: {published} is a number, and can be compared"
        return Line(what, published, written(ours, form), "goes further", ours)

    @staticmethod
    def proved(what: str, held: int, tried: int, published: str = "–") -> Line:
        """Return a claim of ours, which has a proof, and in how many of the cases that were tried it holds: in all."""
        verdict: Verdict = "goes further" if held == tried > 0 else "differs"
        return Line(what, published, f"{held:,} of {tried:,}", verdict, (held, tried))


def _beyond(difference: float, within: float) -> float:
    """Return by how much a difference is beyond its tolerance, with its sign; 0 if it is not."""
    return copysign(max(abs(difference) - within, 0.0), difference)


def _judged(
    what: str, published: str, ours: Value, off: float, form: Form, reason: str = "", aim: Aim | None = None
) -> Line:
    """Return a line: the same if it is not off; further if it is off the way it was meant to be; else it differs."""
    text = written(ours, form)
    if off == 0:
        return Line(what, published, text, "same", ours)
    if aim is not None and off * aim.sign > 0:
        return Line(what, published, text, "goes further", ours, aim.sentence)
    return Line(what, published, text, "differs", ours, reason)


# What an experiment returns


@dataclass(frozen=True)
class Source:
    """Where something was published: the document as ARCHITECTURE.md cites it, and the table, figure or section."""

    document: str
    place: str

    def __str__(self) -> str:
        return f"{self.document}, {self.place}"


@dataclass(frozen=True)
class Picture:
    """A figure to draw: the name of its files without ending, what it shows, and who draws it on an empty sheet."""

    name: str
    caption: str
    draw: Callable[[Figure], None] = field(compare=False, repr=False)
    size: tuple[float, float] = (7.0, 4.2)  # inches


@dataclass(frozen=True)
class Outcome(Shown):
    """A published table or figure, ours beside theirs.

    `published` and `ours` sum it up in a few words; `lines` has every comparison, also those that go further. `note`
    says what a reader should know of the method. `pictures` are drawn by whoever writes the report.
    """

    name: str
    title: str
    source: Source
    published: str
    ours: str
    lines: tuple[Line, ...]
    note: str = ""
    pictures: tuple[Picture, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The word for all lines: "differs" if one of them does, else "same" if one of them is."""
        return combined(line.verdict for line in self.lines)

    @property
    def reason(self) -> str:
        """Why it differs, where it does: every reason once."""
        return " ".join(dict.fromkeys(line.reason for line in self.lines if line.verdict == "differs"))

    @property
    def is_explained(self) -> bool:
        """Whether every difference has a reason."""
        return all(line.reason for line in self.lines if line.verdict == "differs")

    @property
    def further(self) -> tuple[Line, ...]:
        """The lines that go beyond what was published."""
        return tuple(line for line in self.lines if line.verdict == "goes further")

    def shown(self) -> Listing:
        """Return what a notebook shows: the verdict, and every comparison."""
        rows: list[tuple[object, ...]] = [
            (line.what, line.published, line.ours, line.verdict, line.reason) for line in self.lines
        ]
        return Listing(f"{self.source}: {self.verdict}", ("what", "published", "ours", "verdict", "why"), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the pictures as plain values, as `--json` prints it."""
        return {
            "name": self.name,
            "title": self.title,
            "source": str(self.source),
            "published": self.published,
            "ours": self.ours,
            "verdict": self.verdict,
            "reason": self.reason,
            "further": [f"{line.what}: {line.ours}" for line in self.further],
            "note": self.note,
            "lines": [line.to_dict() for line in self.lines],
            "figures": [picture.name for picture in self.pictures],
        }


def combined(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the word for several verdicts.

    >>> combined(["goes further", "same"]), combined(["same", "differs"]), combined(["goes further"])
    ('same', 'differs', 'goes further')
    """
    found = set(verdicts)
    if "differs" in found:
        return "differs"
    return "same" if "same" in found else "goes further"


def counted_same(lines: Sequence[Line]) -> str:
    """Return how many of the lines that compare something agree.

    >>> counted_same([Line.exact("a", 1, 1), Line.exact("b", 1, 2, "a slip"), Line.further("c", 3)])
    '1 of 2 the same'
    """
    compared = [line for line in lines if line.verdict != "goes further"]
    return f"{sum(line.verdict == 'same' for line in compared)} of {len(compared)} the same"


def published_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a published table, a file of ours."""
    text = files("handful.reproduce").joinpath(f"published/{name}").read_text()
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
