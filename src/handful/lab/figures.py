"""The figures of many games: what a tally says, with intervals of 95 % confidence. All results have them."""

from __future__ import annotations

from typing import Any

from handful.lab.games import Tally
from handful.lab.statistics import deal_mean_interval, mean_and_sd, wilson_interval


def figures_of(tally: Tally, repeat: int) -> dict[str, Any]:
    """Return the figures of at least one game, by the names that results have for them.

    >>> figures_of(Tally((0, 1, 3), strikeouts=0, turns=20, cpu_seconds=0.5, deal_squares=13), repeat=1)["perfect"]
    0.75
    """
    games = sum(tally.histogram)
    mean, sd = mean_and_sd(tally.histogram)
    total = sum(score * times for score, times in enumerate(tally.histogram))
    scored = [score for score, times in enumerate(tally.histogram) if times]
    perfect = tally.histogram[-1]
    return {
        "games": games,
        "mean": mean,
        "sd": sd,
        "mean_ci95": deal_mean_interval(total, tally.deal_squares, games // repeat, repeat),
        "perfect": perfect / games,
        "perfect_ci95": wilson_interval(perfect, games),
        "strikeouts": tally.strikeouts,
        "min": scored[0],
        "max": scored[-1],
        "turns": tally.turns / games,
        "histogram": tally.histogram,
        "cpu_seconds": tally.cpu_seconds,
    }
