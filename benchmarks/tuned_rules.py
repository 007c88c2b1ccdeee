"""Claim: tuned rules of thumb beat the best published setting (15.4 points with three players), for 2 to 5 players.

``python -m benchmarks.tuned_rules`` searches (some minutes; a killed run resumes) and writes the table of
docs/rules-of-thumb.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, NamedTuple

from benchmarks.tables import markdown_table, replace_table
from handful.lab.store import open_store
from handful.lab.tuning.tune import Tuning, tune


class Study(NamedTuple):
    """What is searched: the rules of the game, what is made large, and with how many games a trial."""

    name: str
    bot: str
    rules: str
    objective: Literal["mean", "perfect"]
    games: int


STUDIES = (
    Study("mean, as the tables", "rules(reading=tables)", "thesis", "mean", 3_000),
    Study("mean", "rules", "hanab-live", "mean", 3_000),
    Study("perfect", "rules", "hanab-live", "perfect", 20_000),
)


def row(study: Study, players: int, found: Tuning) -> list[str]:
    """Return a line of the table."""
    half = (found.best.mean_ci95[1] - found.best.mean_ci95[0]) / 2
    low, high = found.best.perfect_ci95
    return [
        f"`{found.best.bot}`",
        str(players),
        study.rules,
        study.name,
        f"{found.best.mean:.2f} ± {half:.2f}",
        f"{found.best.perfect:.2%} ({low:.2%} to {high:.2%})",
        f"{found.start.mean:.2f}, {found.start.perfect:.2%}",
    ]


def main(trials: int = 200, final_games: int = 100_000) -> None:
    """Search for every number of players and objective, and write the table."""
    rows = []
    with open_store(Path(".venv/tuned-rules.sqlite")) as store:
        for study in STUDIES:
            for players in (2, 3, 4, 5):
                found = tune(
                    study.bot,
                    players=players,
                    objective=study.objective,
                    trials=trials,
                    games=study.games,
                    final_games=final_games,
                    rules=study.rules,
                    store=store,
                )
                rows.append(row(study, players, found))
                print(*rows[-1], sep="  ", flush=True)
    header = ["best setting found", "players", "rules", "made large", "mean", "perfect", "the published best there"]
    note = (
        f"Measured with `python -m benchmarks.tuned_rules`: {trials} trials a line; the figures are of {final_games:,} "
        "games on deals that had no part in the choice."
    )
    replace_table("rules-of-thumb.md", "tuned", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
