"""The twelve figures of Finkle 2017, drawn from our answers. The extra `plots` draws them.

Figures 1 to 3 and 12 show the expected turns of all hands in increasing order; 4 to 6 how far the approximation is off;
8 to 10 the approximation in the order in which hands are locked in, each cohort in card order; 7 and 11 what it costs.
Figures 8 to 10 have the exact values, which the thesis did not know, as a line behind the points.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import write_whole
from handful.errors import HandfulError
from handful.rummy.cards import NUM_CARDS, Card
from handful.rummy.melds import ACE_RULES
from handful.rummy.solver.solve import solve

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

FORMATS = ("svg", "png")
# Legends have their places: to look for the best one takes matplotlib so long that it warns of it.
_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "handful",  # the same figures give the same file
}
_COLOURS = {"low": "#0072B2", "high": "#D55E00", "wrap": "#009E73"}  # which colour-blind readers tell apart too
_SERIES = ("#D55E00", "#0072B2", "#009E73", "#CC79A7")
_NAMES = {"low": "aces low", "high": "aces high or low", "wrap": "round the corner"}
# The tolerances of the figures; the thesis does not say which it used beside 1, 0.5, 0.1 and 0.001.
RESIDUALS = (0.5, 0.1, 0.01)
LARGE = (0.5, 0.2, 0.1)
TIMED_3 = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
TIMED_4 = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)


@dataclass(frozen=True)
class Figure:
    """One figure: its number in the thesis, what it shows, and who draws it."""

    number: int
    title: str
    draw: Callable[[Axes], None]

    @property
    def file_name(self) -> str:
        """The name of its files, without their ending."""
        return f"figure-{self.number:02}"


@dataclass(frozen=True, eq=False)
class Kinds:
    """The hands of a game up to symmetry, at the indices of hands: expected turns, and how many are alike."""

    values: Floats
    orbits: Ints

    def curve(self) -> tuple[Floats, Floats]:
        """Return hands counted in order of their expected turns, and these."""
        import numpy as np

        order = np.argsort(self.values, kind="stable")
        return np.cumsum(self.orbits[order]).astype(np.float64), self.values[order]


@cache
def kinds_of(cards: int, aces: str, tolerance: float = 0.0) -> Kinds:
    """Return the hands of a solved game; the same ones, in the same order, for every tolerance."""
    import numpy as np

    from handful.rummy.kernels.hand_index import all_orbits

    answers = solve(cards, aces, tolerance)
    orbits = all_orbits(answers.hand_index)
    is_hand = orbits > 0
    return Kinds(answers.values[is_hand], orbits[is_hand].astype(np.int64))


@cache
def locked_in_order(cards: int, aces: str, tolerance: float) -> Floats:
    """Return the approximated turns of all hands in the order of locking in, each cohort in card order."""
    import numpy as np

    from handful.rummy.kernels.hand_index import indices_of

    answers = solve(cards, aces, tolerance)
    bits = [Card(place // 4, place % 4).bit for place in range(NUM_CARDS)]
    masks = np.array([sum(chosen) for chosen in combinations(bits, cards)], np.int64)
    values: Floats = answers.values[indices_of(answers.hand_index, masks)]
    # A cohort has all values from its least on, up to the least of the next.
    least = np.array([cohort.expected_turns for cohort in answers.classes()])
    cohorts = np.searchsorted(least, values + 1e-12, side="right")
    return values[np.argsort(cohorts, kind="stable")]


@cache
def _load(cards: int) -> None:
    """Load the kernels, which is no part of the time that an approximation takes."""
    solve(cards, "low", 1.0, keep=False)


@cache
def cost_of(cards: int, tolerance: float) -> tuple[float, int]:
    """Return the CPU seconds that an approximation with aces low takes, and its cohorts without the rummies."""
    _load(cards)
    summary = solve(cards, "low", tolerance, keep=False).summary()
    assert summary.classes is not None
    return max(summary.cpu_seconds, 1e-3), summary.classes - 1


def draw_figures(
    out: Path, only: Sequence[int] = (), on_progress: Callable[[int], None] | None = None
) -> tuple[Path, ...]:
    """Write the figures into a folder, as SVG and PNG; return the files."""
    chosen = [figure for figure in FIGURES if not only or figure.number in only]
    unknown = [number for number in only if number not in range(1, len(FIGURES) + 1)]
    if unknown:
        raise HandfulError(f"there is no figure {unknown[0]}: expected 1 to {len(FIGURES)}")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Sheet
    except ImportError:
        raise HandfulError("figures need matplotlib: pip install 'handful[plots]'") from None
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for figure in chosen:
        with mpl.rc_context(_STYLE):  # no windows, and nothing of the user's own settings is changed
            sheet = Sheet(figsize=(7, 4.2), layout="constrained")
            axes = sheet.add_subplot()
            figure.draw(axes)
            axes.set_title(figure.title, loc="left", fontweight="bold")
            axes.grid(color="#DDDDDD", linewidth=0.6)
            axes.set_axisbelow(True)
            for kind in FORMATS:
                drawn = io.BytesIO()
                sheet.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
                files.append(out / f"{figure.file_name}.{kind}")
                write_whole(files[-1], drawn.getvalue())
        if on_progress is not None:
            on_progress(1)
    return tuple(files)


def _curves(axes: Axes, cards: int, rules: Sequence[str]) -> None:
    for aces in rules:
        hands, turns = kinds_of(cards, aces).curve()
        axes.step(hands, turns, where="pre", color=_COLOURS[aces], linewidth=1.4, label=_NAMES[aces])
    _label(axes, cards)
    if len(rules) > 1:
        axes.legend(frameon=False, loc="lower right")


def _label(axes: Axes, cards: int, hands: str = "hands, in order of expected turns") -> None:
    axes.set_xlabel(hands)
    axes.set_ylabel("expected turns")
    axes.set_ylim(bottom=0.9 * solve(cards, "low").summary().best)  # below are only the rummies


def _dots(axes: Axes, x: Floats, y: Floats, colour: str, label: str) -> None:
    # As an image inside the SVG: there are up to 270,725 of them.
    axes.plot(x, y, ".", color=colour, markersize=1.2, label=label, rasterized=True)


def _approximation_of_three(axes: Axes) -> None:
    import numpy as np

    exact, rough = kinds_of(3, "low"), kinds_of(3, "low", 1.0)
    order = np.argsort(exact.values, kind="stable")
    hands, turns = exact.curve()
    _dots(axes, hands, rough.values[order], _SERIES[0], "tolerance 1")
    axes.step(hands, turns, where="pre", color="black", linewidth=1.2, label="exact")
    _label(axes, 3)
    axes.legend(frameon=False, markerscale=6, loc="lower right")


def _residuals(axes: Axes, tolerances: Sequence[float]) -> None:
    import numpy as np

    exact = kinds_of(3, "low")
    order = np.argsort(exact.values, kind="stable")
    hands, turns = exact.curve()
    for number, tolerance in enumerate(tolerances):
        rough = kinds_of(3, "low", tolerance).values[order]
        _dots(axes, hands, rough - turns, _SERIES[number], f"tolerance {tolerance:g}: at most {max(rough - turns):.2g}")
    axes.set_xlabel("hands, in order of exact expected turns")
    axes.set_ylabel("approximation minus exact (turns)")
    axes.margins(y=0.05 + 0.1 * len(tolerances))  # room for the legend
    axes.set_ylim(bottom=-0.01)
    axes.legend(frameon=False, markerscale=6, loc="upper left")


def _cost(axes: Axes, cards: int, tolerances: Sequence[float]) -> None:
    import numpy as np

    costs = [cost_of(cards, tolerance) for tolerance in tolerances]
    for place, (name, marker) in enumerate((("CPU seconds", "o"), ("cohorts", "s"))):
        points = np.array([cost[place] for cost in costs], np.float64)
        slope, level = np.polyfit(np.log(tolerances), np.log(points), 1)
        fit = np.exp(level) * np.array(tolerances) ** slope
        axes.loglog(tolerances, points, marker, color=_SERIES[place], label=f"{name}, slope {slope:.3f}")
        axes.loglog(tolerances, fit, color=_SERIES[place], linewidth=1)
    axes.set_xlabel("tolerance (turns)")
    axes.set_ylabel("CPU seconds, number of cohorts")
    axes.legend(frameon=False, loc="center right")


def _approximation_of_four(axes: Axes, tolerances: Sequence[float]) -> None:
    import numpy as np

    for number, tolerance in enumerate(tolerances):
        values = locked_in_order(4, "low", tolerance)
        _dots(axes, np.arange(len(values), dtype=np.float64), values, _SERIES[number], f"tolerance {tolerance:g}")
    hands, turns = kinds_of(4, "low").curve()
    axes.step(hands, turns, where="pre", color="black", linewidth=1, label="exact, in its own order")
    _label(axes, 4, "hands, in the order in which they are locked in")
    axes.legend(frameon=False, markerscale=6, loc="lower right")


FIGURES = (
    Figure(1, "3 cards, aces low", lambda axes: _curves(axes, 3, ("low",))),
    Figure(2, "3 cards, three ace rules", lambda axes: _curves(axes, 3, ACE_RULES)),
    Figure(3, "4 cards, round the corner", lambda axes: _curves(axes, 4, ("wrap",))),
    Figure(4, "3 cards, aces low: tolerance 1 against exact", _approximation_of_three),
    Figure(5, "3 cards, aces low: residuals with tolerance 0.5", lambda axes: _residuals(axes, RESIDUALS[:1])),
    Figure(6, "3 cards, aces low: residuals with several tolerances", lambda axes: _residuals(axes, RESIDUALS)),
    Figure(7, "3 cards, aces low: what a tolerance costs", lambda axes: _cost(axes, 3, TIMED_3)),
    Figure(8, "4 cards, aces low, tolerance 1", lambda axes: _approximation_of_four(axes, (1.0,))),
    Figure(9, "4 cards, aces low, several tolerances", lambda axes: _approximation_of_four(axes, LARGE)),
    Figure(10, "4 cards, aces low, tolerance 0.001", lambda axes: _approximation_of_four(axes, (0.001,))),
    Figure(11, "4 cards, aces low: what a tolerance costs", lambda axes: _cost(axes, 4, TIMED_4)),
    Figure(12, "4 cards, three ace rules", lambda axes: _curves(axes, 4, ACE_RULES)),
)
