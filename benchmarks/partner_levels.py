"""Measure `partner` at each level for the table of docs/partner.md: ``python -m benchmarks.partner_levels``.

Level 3 plays the first deals of a seed by which nothing was chosen; levels 1 and 2 a fifth of them.
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time

from benchmarks.tables import markdown_table, replace_table
from handful.bots.partner import compiled
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import Rules
from handful.hanabi.kernels.layout import STRIKES

SEED = 530_291
HEADER = ("players", "level", "games", "perfect", "mean", "strike-outs", "games a CPU second")


def row(players: int, level: int, games: int) -> list[str]:
    """Play, and return a row of the table."""
    rules = Rules(players=players)
    table = CompiledTable(rules, [compiled(rules, level)] * players)
    table.play(SEED, 0, 1)  # what is compiled or loaded is not measured
    begin = process_time()
    results = table.play(SEED, 0, games)
    seconds = process_time() - begin
    scores = results.scores
    share = float((scores == rules.max_score).mean())
    return [
        str(players),
        str(level),
        f"{games:,}",
        f"{share:.2%} ± {1.96 * sqrt(share * (1 - share) / games):.2%}",
        f"{scores.mean():.3f} ± {1.96 * scores.std() / sqrt(games):.3f}",
        f"{(results.endings == STRIKES).mean():.2%}",
        f"{games / seconds:,.0f}",
    ]


def main(games: str = "20000") -> None:
    """Measure all levels with two to six players."""
    cases = [(players, level) for players in range(2, 7) for level in (1, 2, 3)]
    rows = [row(players, level, int(games) if level == 3 else int(games) // 5) for players, level in cases]
    note = (
        f"Measured with `python -m benchmarks.partner_levels {games}`: deals of seed {SEED}, rules `hanab-live`; "
        "± is of 95 %."
    )
    replace_table("partner.md", "partner levels", f"\n{note}\n\n{markdown_table(HEADER, rows)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
