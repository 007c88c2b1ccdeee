"""The register of experiments: names, what each reproduces, and where to find it. Listing them loads none of them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from handful.errors import UnknownNameError
from handful.reproduce.outcome import Effort, Outcome


class Experiment(NamedTuple):
    """A published table or figure: `function` of `module` takes an `Effort` and returns an `Outcome`."""

    name: str
    module: str
    function: str

    def run(self, effort: Effort) -> Outcome:
        """Return ours beside theirs."""
        outcome: Outcome = getattr(import_module(f"handful.reproduce.{self.module}"), self.function)(effort)
        assert outcome.name == self.name, f"{self.name} calls itself {outcome.name}"
        return outcome


_EVERY = (
    Experiment("bergh-2015-theorem-3.25", "bergh_2015_sequences", "theorem_3_25"),
    Experiment("bergh-2015-corollary-3.26", "bergh_2015_sequences", "corollary_3_26"),
    Experiment("bergh-2015-appendix-a", "bergh_2015_sequences", "appendix_a"),
    Experiment("bergh-2015-conjecture-5.1", "bergh_2015_sequences", "conjecture_5_1"),
    Experiment("bergh-2015-conjecture-5.2", "bergh_2015_sequences", "conjecture_5_2"),
    *(Experiment(f"bergh-2015-figure-{n}", "bergh_2015_strategies", f"figure_{n}") for n in (1, 2, 3, 4)),
    Experiment("bergh-2015-appendix-b", "bergh_2015_strategies", "appendix_b"),
    Experiment("winnable-deals", "open_questions", "winnable_deals"),
    Experiment("leaderboard", "open_questions", "leaderboard"),
    Experiment("doorn-win-rates", "doorn", "win_rates"),
    *(Experiment(f"finkle-2017-figure-{n}", "finkle_2017", f"figure_{n}") for n in range(1, 13)),
    Experiment("finkle-2017-seven-cards", "finkle_2017", "seven_cards"),
    Experiment("finkle-2017-appendix-7.2", "finkle_2017", "classes"),
    Experiment("finkle-2017-appendix-7.3", "finkle_2017", "cohorts"),
    Experiment("bergh-2016-playing-cards", "bergh_2016", "playing_cards"),
    Experiment("bergh-2016-table-1", "bergh_2016", "table_1"),
    Experiment("bergh-2016-figure-2", "bergh_2016", "figure_2"),
    Experiment("bergh-2016-figure-3", "bergh_2016", "figure_3"),
    Experiment("baffier-2016-table-1", "baffier_2016", "table_1"),
    *(Experiment(f"baffier-2016-figure-{n}", "baffier_2016", f"figure_{n}") for n in (1, 2, 3)),
)


def experiments() -> list[Experiment]:
    """Return all experiments, document by document."""
    return list(_EVERY)


def experiments_named(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments of these names; the beginning of a name stands for all that begin so. No names: all.

    >>> [experiment.name for experiment in experiments_named(["bergh-2015-conjecture", "doorn"])]
    ['bergh-2015-conjecture-5.1', 'bergh-2015-conjecture-5.2', 'doorn-win-rates']
    """
    every = experiments()
    if not names:
        return every
    chosen = set()
    for name in names:
        exact = [experiment for experiment in every if experiment.name == name]
        meant = (
            exact
            or [experiment for experiment in every if experiment.name.startswith(f"{name}-")]
            or [experiment for experiment in every if name and experiment.name.startswith(name)]
        )
        if not meant:
            raise UnknownNameError("experiment", name, [experiment.name for experiment in every])
        chosen.update(meant)
    return [experiment for experiment in every if experiment in chosen]
