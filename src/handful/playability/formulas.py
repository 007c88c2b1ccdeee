"""Formulas in clauses, and the SAT solver that decides them: the only place that knows python-sat.

Deals and solitaire games become such formulas (`deals.encoding`, `solitaire.formula`). All of python-sat's releases are
called pre-releases, and it is compiled code: where it is missing, too old or broken, nothing else stops working. Then
`why_no_solver` says what is missing, and what needs a solver stays undecided, with that for a reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

SOLVER = "cadical300"
# CaDiCaL cannot be interrupted from Python, and loses time whenever it stops to let us read the clock (three times as
# slow with a stop every 2,000 conflicts): it stops when half of the time should have passed. It makes 10,000 to 40,000
# conflicts a second. Without a limit it stops ever more rarely, so that whoever waits can interrupt it.
CONFLICTS_PER_SECOND = 5000.0
FEWEST_CONFLICTS = 500
FIRST_CONFLICTS = 20_000

NO_TIME = "not decided in the time given"
NEEDS_SOLVER = "needs python-sat"

TRUE = 1
FALSE = -1


class Formula:
    """Clauses in the making. Variable 1 is true, so that what is known can stand wherever a variable can."""

    def __init__(self) -> None:
        self.num_variables = 1
        self.clauses: list[list[int]] = [[TRUE]]

    def new(self) -> int:
        """Return a new variable."""
        self.num_variables += 1
        return self.num_variables

    def some(self, *literals: int) -> None:
        """At least one of these holds."""
        if TRUE not in literals:
            self.clauses.append([literal for literal in literals if literal != FALSE])

    def one(self, literals: Sequence[int]) -> None:
        """Exactly one of these holds."""
        self.some(*literals)
        self.at_most_one(literals)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of these hold."""
        for index, first in enumerate(literals):
            for second in literals[:index]:
                self.some(-first, -second)

    def either(self, literals: Sequence[int]) -> int:
        """Return a literal that holds if and only if one of these does."""
        result = self.new()
        self.some(-result, *literals)
        for literal in literals:
            self.some(-literal, result)
        return result

    def both(self, first: int, second: int) -> int:
        """Return a literal that holds if and only if both do."""
        return -self.either((-first, -second))


class Found(NamedTuple):
    """What a solver says of a formula: whether it can be satisfied (None: undecided), and a model's true variables.

    `undecided` says in words why there is no answer; it is empty where there is one.
    """

    answer: bool | None
    model: frozenset[int] = frozenset()
    conflicts: int = 0
    undecided: str = ""


def why_no_solver() -> str:
    """Return why formulas cannot be decided on this machine, as the end of a sentence; empty if they can."""
    try:
        from pysat.solvers import Solver, SolverNames

        with Solver(getattr(SolverNames, SOLVER)[0]):
            return ""
    except (ImportError, OSError, AttributeError) as error:  # missing, compiled for another Python, or too old
        return f"{NEEDS_SOLVER} ({error})"


def find_model(formula: Formula, time_limit: float | None = None) -> Found:
    """Return whether a formula can be satisfied, and how; undecided after the time limit, or without a solver.

    >>> formula = Formula()
    >>> first, second = formula.new(), formula.new()
    >>> formula.one((first, second))
    >>> formula.some(-first)
    >>> find_model(formula).model == {TRUE, second}
    True
    """
    if why := why_no_solver():
        return Found(None, undecided=why)
    from pysat.solvers import Solver

    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        answer: bool | None = None
        for conflicts in _budgets(solver, time_limit):
            solver.conf_budget(conflicts)
            answer = solver.solve_limited()
            if answer is not None:
                break
        model = frozenset(literal for literal in solver.get_model() if literal > 0) if answer else frozenset()
        return Found(answer, model, solver.accum_stats()["conflicts"], NO_TIME if answer is None else "")


def _budgets(solver: Any, time_limit: float | None) -> Iterator[int]:
    """Yield after how many more conflicts the solver is to stop, again and again until the time is over."""
    start, rate, conflicts = time.perf_counter(), CONFLICTS_PER_SECOND, FIRST_CONFLICTS
    while time_limit is None:
        yield conflicts
        conflicts *= 2
    while (left := start + time_limit - time.perf_counter()) > 0:
        yield max(FEWEST_CONFLICTS, int(rate * left / 2))
        rate = solver.accum_stats()["conflicts"] / (time.perf_counter() - start)
