"""Every experiment of the register: it runs, its figures are drawn, and what differs has a reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from handful import reproduce
from handful.errors import UnknownNameError
from handful.lab import Simulation
from handful.reproduce import bergh_2016, outcome
from handful.reproduce import contents as register
from handful.reproduce.bergh_2015_strategies import (
    MISPRINT,
    StrategyComparison,
    lines_of,
    printed_strategies,
    published_strategies,
)
from handful.reproduce.contents import experiments, experiments_named
from handful.reproduce.outcome import Effort, Line, Outcome

TINY = Effort(most=50)
TINIEST = Effort(most=2)  # a game of `montecarlo` takes half a second
# These take longer than a moment even so; `test_a_quick_run_explains_everything` has them.
SLOW = {"finkle-2017-seven-cards", "finkle-2017-figure-8", "finkle-2017-figure-9", "finkle-2017-figure-10"}
QUICK = [experiment for experiment in experiments() if experiment.name not in SLOW]


def check(outcome: Outcome) -> None:
    assert outcome.is_explained, [line for line in outcome.lines if line.verdict == "differs" and not line.reason]
    assert outcome.published
    assert outcome.ours
    assert outcome.lines
    assert len({picture.name for picture in outcome.pictures}) == len(outcome.pictures)
    for line in outcome.lines:
        check_value(line)


def check_value(line: Line) -> None:
    """Every line of ours is a number or has one, and what goes beyond a published number says why that is better."""
    parts = line.value if isinstance(line.value, tuple) else (line.value,)
    assert any(isinstance(part, int | float) and not isinstance(part, bool) for part in parts), line
    assert any(sign.isdigit() for sign in line.ours), line
    if line.verdict == "goes further" and any(sign.isdigit() for sign in line.published):
        assert line.reason.startswith("Meant to be"), line


@pytest.mark.parametrize("experiment", QUICK, ids=[experiment.name for experiment in QUICK])
def test_an_experiment_runs_and_explains_what_differs(experiment: register.Experiment) -> None:
    check(experiment.run(TINIEST if experiment.name == "bergh-2016-figure-3" else TINY))


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


def typed(node: ast.expr) -> bool:
    """Whether an expression is a text or a number that somebody typed, rather than something that was found."""
    if isinstance(node, ast.JoinedStr):
        return not any(isinstance(part, ast.FormattedValue) for part in node.values)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Tuple | ast.List) and all(map(typed, node.elts)))


PLACES = {"exact": 2, "digits": 2, "between": 2, "sampled": 2, "faster": 2, "further": 1, "proved": 1}


@pytest.mark.parametrize("file", sorted(Path(str(reproduce.__file__)).parent.glob("*.py")), ids=lambda file: file.stem)
def test_no_result_of_ours_is_typed(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Call):
            continue
        maker = node.func
        if isinstance(maker, ast.Name) and maker.id in ("Line", "Outcome") and file.stem not in ("outcome", "run"):
            assert maker.id == "Outcome", f"{file.name}, line {node.lineno}: only outcome.py judges"
            assert not typed(node.args[4]), f"{file.name}, line {node.lineno}: ours is typed"
        elif isinstance(maker, ast.Attribute) and isinstance(maker.value, ast.Name) and maker.value.id == "Line":
            assert not typed(node.args[PLACES[maker.attr]]), f"{file.name}, line {node.lineno}: ours is typed"


def simulated(mean: float, half: float = 0.05) -> Simulation:
    interval = (mean - half, mean + half)
    return Simulation(
        bot="rules",
        players=3,
        variant="No Variant",
        rules="thesis",
        games=1000,
        seed=0,
        repeat=1,
        mean=mean,
        sd=1.0,
        mean_ci95=interval,
        perfect=0.0,
        perfect_ci95=(0.0, 0.1),
        strikeouts=0,
        min=5,
        max=20,
        turns=60.0,
        histogram=(),
        seconds=1,
        cpu_seconds=1,
        games_per_second=1,
    )


def test_a_row_that_chance_does_not_explain_differs() -> None:
    row = published_strategies()[1]
    close, far = (StrategyComparison(row, simulated(row.mean + by)) for by in (0.04, 0.4))
    assert abs(close.deviation / close.error) < 2 < 8 < far.deviation / far.error
    lines = lines_of(["close", "far"], [close, far])
    assert [line.verdict for line in lines] == ["same", "differs"]
    assert lines[1].reason == ""


def test_the_misprint_is_known_by_its_row() -> None:
    (printed,) = (row for row in printed_strategies() if row.is_misprint)
    assert printed.mean == 12.265
    assert not any(row.is_misprint for row in published_strategies())
    (line,) = lines_of(["the row"], [StrategyComparison(printed, simulated(15.26))])
    assert line.reason == MISPRINT


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


@pytest.mark.parametrize(("mean", "verdict"), [(14.2, "same"), (17.0, "differs"), (9.0, "differs")])
def test_the_monte_carlo_player_is_compared_with_what_is_printed(
    mean: float, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def play(bot: str, **words: object) -> Simulation:
        asked.append((bot, words["rules"], words["players"]))
        return simulated(mean, 0.5)

    monkeypatch.setattr(outcome, "simulate", play)
    found = bergh_2016.figure_3(Effort())
    check(found)
    assert {line.verdict for line in found.lines[:2]} == {verdict}
    assert ("montecarlo(playouts=500, depth=5)", "thesis", 3) in asked
