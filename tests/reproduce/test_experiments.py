"""Every experiment of the register: it runs, its figures are drawn, and what differs has a reason."""

from __future__ import annotations

import pytest

from handful.errors import UnknownNameError
from handful.lab import Simulation
from handful.reproduce import bergh_2016, effort, strategy_rows
from handful.reproduce import contents as register
from handful.reproduce.contents import experiments, experiments_named
from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Outcome
from handful.reproduce.rule_strategies import StrategyComparison, printed_strategies, published_strategies
from handful.reproduce.strategy_rows import deviation_in_errors, lines_of

TINY = Effort(most=50)
# These take longer than a moment even so; `test_a_quick_run_explains_everything` has them.
SLOW = {"finkle-2017-seven-cards", "finkle-2017-figure-8", "finkle-2017-figure-9", "finkle-2017-figure-10"}
QUICK = [experiment for experiment in experiments() if experiment.name not in SLOW]


def check(outcome: Outcome) -> None:
    assert outcome.is_explained, [line for line in outcome.lines if line.verdict == "differs" and not line.reason]
    assert outcome.published
    assert outcome.ours
    assert outcome.lines
    assert len({picture.name for picture in outcome.pictures}) == len(outcome.pictures)


@pytest.mark.parametrize("experiment", QUICK, ids=[experiment.name for experiment in QUICK])
def test_an_experiment_runs_and_explains_what_differs(experiment: register.Experiment) -> None:
    check(experiment.run(TINY))


@pytest.mark.full
@pytest.mark.parametrize("experiment", experiments(), ids=[experiment.name for experiment in experiments()])
def test_a_quick_run_explains_everything(experiment: register.Experiment) -> None:
    check(experiment.run(Effort()))


def test_the_verdicts_on_what_is_exact() -> None:
    verdicts = {
        name: experiments_named([name])[0].run(TINY).verdict
        for name in (
            "bergh-2015-theorem-3.25",
            "bergh-2015-corollary-3.26",
            "bergh-2015-conjecture-5.1",
            "bergh-2015-conjecture-5.2",
            "bergh-2016-playing-cards",
            "finkle-2017-figure-2",
            "finkle-2017-appendix-7.2",
            "finkle-2017-appendix-7.3",
            "baffier-2016-figure-1",
            "baffier-2016-figure-2",
            "baffier-2016-figure-3",
        )
    }
    differs = {name for name, verdict in verdicts.items() if verdict == "differs"}
    assert differs == {"bergh-2015-corollary-3.26", "bergh-2015-conjecture-5.1", "baffier-2016-figure-3"}
    assert {verdict for name, verdict in verdicts.items() if name not in differs} == {"same"}


def test_the_two_misprints_of_appendix_a() -> None:
    found = experiments_named(["bergh-2015-appendix-a"])[0].run(TINY)
    differs = [(line.what, line.published) for line in found.lines if line.verdict == "differs"]
    assert differs == [("(1, 2, 1, 4, 2), m = 1", "0.0560"), ("(1, 2, 2, 3, 2), m = 2", "0.3755")]
    assert sum(line.verdict == "same" for line in found.lines) == 628


def simulated(mean: float, half: float = 0.05) -> Simulation:
    interval = (mean - half, mean + half)
    return Simulation(
        "rules",
        3,
        "No Variant",
        "thesis",
        1000,
        0,
        1,
        mean,
        1.0,
        interval,
        0.0,
        (0.0, 0.1),
        0,
        5,
        20,
        60.0,
        (),
        1,
        1,
        1,
    )


def test_a_row_that_chance_does_not_explain_differs() -> None:
    row = published_strategies()[1]
    close, far = (StrategyComparison(row, simulated(row.mean + by)) for by in (0.04, 0.4))
    assert abs(deviation_in_errors(close)) < 2 < 8 < deviation_in_errors(far)
    lines = lines_of(["close", "far"], [close, far])
    assert [line.verdict for line in lines] == ["same", "differs"]
    assert lines[1].reason == ""


def test_the_misprint_is_known_by_its_row() -> None:
    (printed,) = (row for row in printed_strategies() if row.is_misprint)
    assert printed.mean == 12.265
    assert not any(row.is_misprint for row in published_strategies())
    (line,) = lines_of(["the row"], [StrategyComparison(printed, simulated(15.26))])
    assert line.reason == strategy_rows.MISPRINT


def test_names_and_beginnings_of_names() -> None:
    every = experiments()
    assert experiments_named([]) == every
    assert [each.name for each in experiments_named(["finkle-2017-figure-1"])] == ["finkle-2017-figure-1"]
    assert len(experiments_named(["finkle-2017"])) == 15
    with pytest.raises(UnknownNameError, match="no experiment 'bergh-2017'"):
        experiments_named(["bergh-2017"])


def test_figures_1_to_12_of_the_rummy_thesis_and_1_to_4_of_the_hanabi_thesis_are_there() -> None:
    names = {experiment.name for experiment in experiments()}
    assert {f"finkle-2017-figure-{number}" for number in range(1, 13)} <= names
    assert {f"bergh-2015-figure-{number}" for number in range(1, 5)} <= names


def test_an_experiment_without_its_bot_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "BOTS", {"montecarlo": None})
    assert "bergh-2016-figure-3" in {experiment.name for experiment in experiments()}
    monkeypatch.setattr(register, "BOTS", {})
    assert "bergh-2016-figure-3" not in {experiment.name for experiment in experiments()}


@pytest.mark.parametrize(("mean", "verdict"), [(14.2, "same"), (17.0, "goes further"), (9.0, "differs")])
def test_the_monte_carlo_player_is_compared_with_what_is_printed(
    mean: float, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def play(bot: str, **words: object) -> Simulation:
        asked.append((bot, words["rules"], words["players"]))
        return simulated(mean, 0.5)

    monkeypatch.setattr(effort, "simulate", play)
    found = bergh_2016.figure_3(Effort())
    check(found)
    assert {line.verdict for line in found.lines[:2]} == {verdict}
    assert ("montecarlo(playouts=500, depth=5)", "thesis", 3) in asked
