"""Plots of sweeps: a heat map, or lines with their 95 % intervals. The extra `plots` draws them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import write_whole
from handful.errors import HandfulError
from handful.lab.tuning.sweep import Axis, PlotPlan, Row, Setting, Sweep, plot_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "svg.hashsalt": "handful",  # the same figures give the same file
}
MARKERS = "osD^vPX*"
# Okabe and Ito's colours, which colour-blind readers tell apart too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


def check_matplotlib(what: str) -> None:
    """Refuse to start where nothing can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise HandfulError(f"{what} need matplotlib: pip install 'handful[plots]'") from None


def drawn(figure: Figure, kind: str, dpi: int) -> bytes:
    """Return the file of a figure, as PNG or SVG: the same figure, the same bytes."""
    file = io.BytesIO()
    figure.savefig(file, format=kind, dpi=dpi, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()


def draw_bars(
    axes: Axes, at: Sequence[float], values: Sequence[tuple[float, float, float]], number: int = 0, **style: Any
) -> None:
    """Draw values with their intervals, low and high, in the colour and with the mark of this number."""
    # Rounding must not turn a bar around.
    below, above = ([max(0.0, sign * (each[end] - each[0])) for each in values] for sign, end in ((-1, 1), (1, 2)))
    usual: dict[str, Any] = {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 4,
        "capsize": 2,
        "linestyle": "none",
    }
    axes.errorbar(at, [each[0] for each in values], yerr=(below, above), **(usual | style))


def check_plot_file(path: Path) -> None:
    """Refuse a file that no plot can be written to, before hours of work and not after."""
    if path.suffix.lower() not in FORMATS:
        raise HandfulError(f"plot {path}: expected a file that ends in {' or '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise HandfulError(f"plot {path}: there is no directory {path.parent}")
    check_matplotlib("plots")


def plot_sweep(sweep: Sweep, rows: Sequence[Row], path: Path) -> None:
    """Write a plot of the rows of a sweep, as PNG or SVG by the ending of the file; whole or not at all."""
    check_plot_file(path)
    plan = plot_of(sweep)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE | {"axes.titlesize": 12}):  # no windows, and nothing of the user's own is changed
        figure = Figure(layout="constrained")
        draw = _draw_heat_map if plan.y is not None else _draw_lines
        draw(figure, sweep, rows, plan)
        write_whole(path, drawn(figure, path.suffix.lower()[1:], dpi=160))


def _draw_lines(figure: Figure, sweep: Sweep, rows: Sequence[Row], plan: PlotPlan) -> None:
    """Draw a line of results along x, one for each value of `lines`, with bars for the intervals."""
    figure.set_size_inches(7, 4.5)
    axes = figure.add_subplot()
    across = _axis(sweep, plan.x)
    for number, value in enumerate(_axis(sweep, plan.lines).values if plan.lines else (None,)):
        chosen = [row for row in rows if plan.lines is None or row.values[plan.lines] == value]
        in_order = sorted(chosen, key=lambda row: _place(across, row.values[plan.x]))
        label = None if plan.lines is None else f"{plan.lines} = {_text(value)}"
        draw_bars(
            axes,
            [_place(across, row.values[plan.x]) for row in in_order],
            [(middle, *interval) for middle, interval in (_value(row, plan) for row in in_order)],
            number,
            markersize=5,
            linewidth=1.4,
            linestyle="-",
            capsize=3,
            label=label,
        )
    axes.set_ylabel(_value_name(plan))
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    if not _is_numeric(across):
        axes.set_xticks(range(len(across.values)), [_text(value) for value in across.values])
    if plan.lines is not None:
        axes.legend(frameon=False)
    _label(axes, sweep, rows, plan, "bars: 95 % confidence")


def _draw_heat_map(figure: Figure, sweep: Sweep, rows: Sequence[Row], plan: PlotPlan) -> None:
    """Draw a square for each pair of values of x and y, with the figure in it."""
    assert plan.y is not None, "a heat map has two axes"
    across, up = _axis(sweep, plan.x), _axis(sweep, plan.y)
    figure.set_size_inches(max(7, 2.2 + 0.75 * len(across.values)), max(4, 2 + 0.5 * len(up.values)))
    axes = figure.add_subplot()
    values = {(row.values[plan.x], row.values[plan.y]): _value(row, plan)[0] for row in rows}
    squares = [[values[x, y] for x in across.values] for y in up.values]
    image = axes.imshow(squares, origin="lower", aspect="auto", cmap="viridis")
    axes.set_xticks(range(len(across.values)), [_text(value) for value in across.values])
    axes.set_yticks(range(len(up.values)), [_text(value) for value in up.values])
    axes.set_ylabel(plan.y)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    lowest, highest = min(values.values()), max(values.values())
    if len(across.values) * len(up.values) <= 400:  # more would not be legible
        for place_up, line in enumerate(squares):
            for place, value in enumerate(line):
                is_bright = value - lowest > 0.6 * (highest - lowest)
                text = f"{value:.1%}" if plan.value == "perfect" else f"{value:.2f}"
                axes.text(place, place_up, text, ha="center", va="center", color="black" if is_bright else "white")
    figure.colorbar(image, ax=axes, label=_value_name(plan))
    _label(axes, sweep, rows, plan, _widest(rows, plan))


def _widest(rows: Sequence[Row], plan: PlotPlan) -> str:
    """Return how sure the squares of a heat map are: the widest of their intervals."""
    half = max((high - low) / 2 for _, (low, high) in (_value(row, plan) for row in rows))
    return (
        f"95 % confidence: ± {half:.1%} or better"
        if plan.value == "perfect"
        else f"95 % confidence: ± {half:.2f} or better"
    )


def _label(axes: Axes, sweep: Sweep, rows: Sequence[Row], plan: PlotPlan, confidence: str) -> None:
    """Write what is shown and how it was measured: a plot is passed on without its file."""
    result = rows[0].result
    players = "" if any(axis.name == "players" for axis in sweep.axes) else f"{result.players} players, "
    bot = sweep.points[0].player.name.partition("(")[0]
    axes.set_xlabel(plan.x)
    how = [f"{bot}, {players}{result.variant}, {sweep.games:,} games each, seed {sweep.seed}; {confidence}"]
    if result.rules:
        how.append(f"rules: {result.rules}")
    axes.set_title(sweep.name or f"{bot}, {result.variant}", loc="left", fontweight="bold", pad=12 + 12 * len(how))
    written = axes.annotate(
        "\n".join(how), (0, 1), (0, 7), "axes fraction", "offset points", fontsize=8, color="#555555"
    )
    written.set_in_layout(False)  # a long line must not squeeze the plot; the title has made room for it


def _axis(sweep: Sweep, name: str) -> Axis:
    return next(axis for axis in sweep.axes if axis.name == name)


def _is_numeric(axis: Axis) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in axis.values)


def _place(axis: Axis, value: Setting) -> float:
    """Return where a value stands on the x axis: numbers at their place, words in their order."""
    return float(value) if _is_numeric(axis) else float(axis.values.index(value))


def _text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _value(row: Row, plan: PlotPlan) -> tuple[float, tuple[float, float]]:
    """Return what is shown of a row, and its interval."""
    result = row.result
    return (result.perfect, result.perfect_ci95) if plan.value == "perfect" else (result.mean, result.mean_ci95)


def _value_name(plan: PlotPlan) -> str:
    return "perfect games" if plan.value == "perfect" else "mean score"
