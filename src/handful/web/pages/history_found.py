"""What the page of a history shows: the summary, its plots, and each game to learn from as a part of an address."""

from __future__ import annotations

from dataclasses import dataclass

from handful.lab.history import History
from handful.lab.history.summary import Summary
from handful.web.pages.history_plots import Plots, plots_of


@dataclass(frozen=True)
class Found:
    """What was found. `tokens` are the games to learn from, as the addresses of analyses have them; empty if none."""

    summary: Summary
    plots: Plots
    tokens: tuple[str, ...]
    perfect_share: float

    @staticmethod
    def of(found: History) -> Found:
        """Return what is shown of a history."""
        summary = found.summary
        links = {each.finding.game: each.finding.link for each in found.games}
        winnable = summary.games - summary.results["unwinnable"] - summary.results["undecided"]
        return Found(
            summary,
            plots_of(summary),
            tuple(links.get(each.game, "") for each in summary.instructive),
            summary.results["perfect"] / winnable if winnable else 0.0,
        )
