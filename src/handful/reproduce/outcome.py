"""What a published table or figure is compared to: lines of theirs beside ours, a verdict for each, and one for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from handful.display import Listing, Shown
from handful.lab.statistics import Z95, Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict: TypeAlias = Literal["same", "differs", "goes further"]

# All comparisons of a table together wrongly say "differs" with this chance.
FALSE_ALARM = 0.01


@dataclass(frozen=True)
class Source:
    """Where something was published: the document as ARCHITECTURE.md cites it, and the table, figure or section."""

    document: str
    place: str

    def __str__(self) -> str:
        return f"{self.document}, {self.place}"


@dataclass(frozen=True)
class Line:
    """One comparison. What differs has a reason; what goes further has nothing published, or something weaker."""

    what: str
    published: str
    ours: str
    verdict: Verdict
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(self.__dict__)


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


def exact_line(what: str, published: str, ours: str, reason: str = "") -> Line:
    """Return the comparison of two texts: the same, or not; a reason is needed only if not."""
    return Line(what, published, ours, "same") if published == ours else Line(what, published, ours, "differs", reason)


def digits_line(what: str, printed: str, ours: float, reason: str = "") -> Line:
    """Return the comparison of a printed number with ours, to the digits that are printed (rounded or cut off).

    >>> digits_line("the worst hand", "18.861678332", 18.861678332917332).verdict
    'same'
    """
    decimals = len(printed.partition("e")[0].partition(".")[2])
    exponent = int(printed.partition("e")[2] or 0)
    last_digit = 10.0 ** (exponent - decimals)
    is_same = abs(float(printed) - ours) < last_digit * (1 + 1e-9)
    shown = f"{ours:.{decimals}e}" if exponent else f"{ours:.{decimals + 2}f}"
    return Line(what, printed, shown, "same") if is_same else Line(what, printed, shown, "differs", reason)


def threshold(comparisons: int) -> float:
    """Return how many standard errors one of so many comparisons may be off by chance (Bonferroni).

    >>> round(threshold(1), 2), round(threshold(446), 2)
    (2.58, 4.24)
    """
    return NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * comparisons))


def standard_error(interval: Interval) -> float:
    """Return the standard error that a 95 % interval of a mean stands for."""
    return (interval[1] - interval[0]) / (2 * Z95)


def share_text(share: float, interval: Interval) -> str:
    """Return a share in per cent with its interval.

    >>> share_text(0.5, (0.4, 0.6))
    '50.0% (40.0% to 60.0%)'
    """
    return f"{share:.1%} ({interval[0]:.1%} to {interval[1]:.1%})"


def further_line(what: str, ours: str, published: str = "–") -> Line:
    """Return something that was not published, or not as far."""
    return Line(what, published, ours, "goes further")


def counted_same(lines: Sequence[Line]) -> str:
    """Return how many of the lines that compare something agree.

    >>> counted_same([exact_line("a", "1", "1"), exact_line("b", "1", "2", "a slip"), further_line("c", "3")])
    '1 of 2 the same'
    """
    compared = [line for line in lines if line.verdict != "goes further"]
    return f"{sum(line.verdict == 'same' for line in compared)} of {len(compared)} the same"
