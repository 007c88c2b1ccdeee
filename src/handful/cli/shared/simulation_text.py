"""Simulations and comparisons as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.cli.shared.output import console

if TYPE_CHECKING:
    from rich.table import Table

    from handful.lab import Simulation
    from handful.lab.compare import Comparison

BAR_WIDTH = 40
CONFIDENCE = "± and ( to ): 95 % confidence"


def print_simulation(result: Simulation, plays_as: str | None = None) -> None:
    """Print a result: its figures and its histogram; `plays_as` is the bot that an alias stands for."""
    console().print(summary_table(result, plays_as))
    console().print(histogram_table(result))


def print_comparison(comparison: Comparison) -> None:
    """Print two results side by side, and which of the two is better."""
    console().print(comparison_table(comparison))
    console().print(f"{comparison.sentence}.", soft_wrap=True)


def summary_table(result: Simulation, plays_as: str | None = None) -> Table:
    """Return the figures of a result."""
    table = _figures_table(result, result.bot)
    table.show_header = False
    if plays_as is not None:
        table.add_row("plays as", plays_as)
    for name, value in _figures(result).items():
        table.add_row(name, value)
    table.caption = CONFIDENCE
    return table


def comparison_table(comparison: Comparison) -> Table:
    """Return the figures of two results, side by side, and the differences between them."""
    first, second = comparison.first, comparison.second
    table = _figures_table(first, f"{first.bot} against {second.bot}")
    table.add_column(first.bot)
    table.add_column(second.bot)
    seconds = _figures(second)
    for name, value in _figures(first).items():
        table.add_row(name, value, seconds[name])
    table.add_section()
    half = (comparison.difference_ci95[1] - comparison.difference_ci95[0]) / 2
    low, high = comparison.perfect_difference_ci95
    table.add_row("difference in the mean", f"{comparison.difference:+.3f} ± {half:.3f}")
    table.add_row("in perfect games", f"{comparison.perfect_difference:+.2%}   ({low:+.2%} to {high:+.2%})")
    table.add_row("deals won by", f"{comparison.wins:,}", f"{comparison.losses:,}   (and {comparison.ties:,} tied)")
    table.caption = f"{CONFIDENCE}, of differences on the same deals"
    return table


def _figures_table(result: Simulation, who: str) -> Table:
    from rich.table import Table

    table = Table(title=f"{who}, {result.players} players, {result.variant}", title_style="bold")
    table.add_column()
    return table


def _figures(result: Simulation) -> dict[str, str]:
    """Return the figures of a result as text, by name."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    low, high = result.perfect_ci95
    deals = f"seed {result.seed}" + (f", each deal {result.repeat} times" if result.repeat > 1 else "")
    return {
        "games": f"{result.games:,} ({deals})",
        **({"rules": result.rules} if result.rules else {}),
        "mean score": f"{result.mean:.3f} ± {half:.3f}   (sd {result.sd:.2f}, {result.min} to {result.max})",
        "perfect games": f"{result.perfect:.2%}   ({low:.2%} to {high:.2%})",
        "struck out": f"{result.strikeouts / result.games:.2%}",
        "turns a game": f"{result.turns:.1f}",
        "time": f"{result.seconds:.2f} s ({result.cpu_seconds:.2f} s CPU), "
        f"{result.games_per_second:,.0f} games a second",
    }


def histogram_table(result: Simulation) -> Table:
    """Return how often each score came, as bars."""
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    most = max(result.histogram)
    for score in range(result.min, result.max + 1):
        times = result.histogram[score]
        table.add_row(str(score), _bar(times / most), f"{times:,}")
    return table


def _bar(share: float) -> str:
    """Return a bar of blocks, in eighths of a character."""
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]
