"""Claim: the bot `rules` reproduces all 446 rows of van den Bergh 2015, Appendix B.

``python -m benchmarks.rule_strategies`` plays 20,000 games a row (some minutes) and writes the tables of
docs/rules-of-thumb.md, and every row to docs/rule_strategies.csv.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import astuple, fields

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.cli.shared.progress import progress_bar
from handful.reproduce.bergh_2015_strategies import PublishedStrategy, StrategyComparison, play, published_strategies
from handful.reproduce.outcome import Effort


def spread(rows: list[StrategyComparison]) -> tuple[float, float, float]:
    """Return mean, mean absolute and largest absolute deviation of our averages."""
    deviations = [row.deviation for row in rows]
    sizes = [abs(deviation) for deviation in deviations]
    return sum(deviations) / len(rows), sum(sizes) / len(rows), max(sizes)


def summary_rows(tables: list[StrategyComparison], text: list[StrategyComparison]) -> list[list[str]]:
    """Return the deviations of both readings."""
    return [
        [
            name,
            str(len(rows)),
            *(f"{figure:+.3f}" if i == 0 else f"{figure:.3f}" for i, figure in enumerate(spread(rows))),
        ]
        for name, rows in (("`tables`, `--rules thesis`", tables), ("`text`, `--rules 'thesis, bonus_hint=yes'`", text))
    ]


def figure_1(tables: list[StrategyComparison], text: list[StrategyComparison]) -> list[list[str]]:
    """Return the sixteen settings of Figure 1: all omegas 1."""
    found = []
    seen = set()
    for row, other in zip(tables, text, strict=True):
        published = row.published
        key = (published.hint, published.discard)
        is_one = published.omega_p == published.omega_s == published.omega_d == published.omega_h == 1
        if is_one and key not in seen:
            seen.add(key)
            half = (row.ours.mean_ci95[1] - row.ours.mean_ci95[0]) / 2
            ours = f"{row.ours.mean:.3f} ± {half:.3f}"
            setting = f"hint {key[0]}, discard {key[1]}"
            found.append([setting, f"{published.mean:.3f}", ours, f"{row.deviation:+.3f}", f"{other.ours.mean:.3f}"])
    return sorted(found)


def write_csv(tables: list[StrategyComparison], text: list[StrategyComparison]) -> None:
    """Write every row, published and ours."""
    with (DOCS / "rule_strategies.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        names = [field.name for field in fields(PublishedStrategy)]
        writer.writerow([*names, "ours_tables", "ours_tables_low", "ours_tables_high", "ours_text"])
        for row, other in zip(tables, text, strict=True):
            ours = [row.ours.mean, *row.ours.mean_ci95, other.ours.mean]
            writer.writerow([*astuple(row.published), *(f"{figure:.4f}" for figure in ours)])


def main(games: int = 20_000) -> None:
    """Play all rows in both readings, with at most 20,000 games each, and write the tables."""
    rows = published_strategies()
    with progress_bar("Appendix B, both readings", 2 * len(rows), "rows") as advance:
        effort = Effort(full=True, most=games, on_progress=lambda _share: advance(1))
        tables, text = play(rows, effort), play(rows, effort, "text")
    note = f"Measured with `python -m benchmarks.rule_strategies`, {games:,} games a row, seed 0."
    header = ["reading", "rows", "mean deviation", "mean absolute deviation", "largest"]
    replace_table(
        "rules-of-thumb.md", "readings", f"\n{note}\n\n{markdown_table(header, summary_rows(tables, text))}\n"
    )
    header = ["setting, all omegas 1", "published", "ours, `tables`", "deviation", "ours, `text`"]
    replace_table("rules-of-thumb.md", "figure 1", f"\n{markdown_table(header, figure_1(tables, text))}\n")
    worst = sorted(tables, key=lambda row: -abs(row.deviation))[:8]
    header = ["worst rows", "published", "ours", "deviation"]
    listed = [
        [f"`{row.ours.bot}`", f"{row.published.mean:.3f}", f"{row.ours.mean:.3f}", f"{row.deviation:+.3f}"]
        for row in worst
    ]
    replace_table("rules-of-thumb.md", "worst rows", f"\n{markdown_table(header, listed)}\n")
    write_csv(tables, text)
    for line in summary_rows(tables, text):
        print(*line, sep="  ")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
