"""Formulas in conjunctive normal form, and their files: DIMACS CNF.

``c`` starts a comment line, ``p cnf VARIABLES CLAUSES`` stands before the clauses; a clause is a list of literals (a
variable, or minus a variable) that ends with 0. A line with ``%`` ends the file, as in the SATLIB collection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handful._json_fields import shown
from handful.errors import HandfulError, NotationError
from handful.playability.solitaire.files import MAX_DIGITS, decoded, load_bytes

MAX_VARIABLES = 100_000


@dataclass(frozen=True)
class Cnf:
    """A formula: its variables are 1 to `variables`; a clause holds if one of its literals does, the formula if all do.

    >>> Cnf(2, ((1, -2),)).is_satisfied_by((False, False))
    True
    """

    variables: int
    clauses: tuple[tuple[int, ...], ...] = field(default=())

    def is_satisfied_by(self, values: Sequence[bool]) -> bool:
        """Whether the formula holds if variable i has the value ``values[i - 1]``."""
        return all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in self.clauses)

    def to_dict(self) -> dict[str, Any]:
        """Return the formula as plain values."""
        return {"variables": self.variables, "clauses": [list(clause) for clause in self.clauses]}


def load_dimacs(path: str | Path) -> Cnf:
    """Return the formula in a DIMACS file."""
    data = load_bytes(path)
    try:
        return read_dimacs(data)
    except HandfulError as error:
        raise NotationError(f"{path}: {error}") from error


def read_dimacs(data: bytes | str) -> Cnf:
    r"""Return the formula of a DIMACS text.

    >>> read_dimacs("c an example\np cnf 3 2\n1 -2 3 0\n1 2 -3 0\n")
    Cnf(variables=3, clauses=((1, -2, 3), (1, 2, -3)))
    """
    announced: tuple[int, int] | None = None
    clauses: list[tuple[int, ...]] = []
    clause: list[int] = []
    for number, line in enumerate(decoded(data).splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("c"):
            continue
        if words[0] == "%":
            break
        if words[0] == "p":
            if announced is not None:
                raise NotationError(f"line {number}: a second line with p: expected one")
            announced = _announced(words, number)
            continue
        if announced is None:
            raise NotationError(
                f"line {number}: {shown(line)} before the line with p: expected p cnf VARIABLES CLAUSES"
            )
        for word in words:
            literal = _literal(word, number, announced[0])
            if literal:
                clause.append(literal)
            else:
                clauses.append(tuple(clause))
                clause = []
    if announced is None:
        raise NotationError("there is no formula: expected a line p cnf VARIABLES CLAUSES")
    if clause:
        raise NotationError(f"the last clause, {shown(clause)}, does not end: expected a 0 after it")
    if len(clauses) != announced[1]:
        raise NotationError(f"there are {len(clauses)} clauses: expected {announced[1]}, as the line with p says")
    return Cnf(announced[0], tuple(clauses))


def _announced(words: list[str], line: int) -> tuple[int, int]:
    match words:
        case ["p", "cnf", variables, clauses] if all(
            text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS for text in (variables, clauses)
        ):
            if int(variables) > MAX_VARIABLES:
                raise NotationError(f"line {line}: {variables} variables: expected at most {MAX_VARIABLES:,}")
            return int(variables), int(clauses)
        case _:
            raise NotationError(f"line {line}: {shown(' '.join(words))}: expected p cnf VARIABLES CLAUSES")


def _literal(word: str, line: int, variables: int) -> int:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise NotationError(f"line {line}: {shown(word)} is no literal: expected a whole number")
    if int(digits) > variables:
        raise NotationError(f"line {line}: literal {word}: expected a variable from 1 to {variables}")
    return int(word)


def read_formula_field(value: object) -> Cnf:
    """Return the formula that `Cnf.to_dict` wrote."""
    match value:
        case {"variables": int(variables), "clauses": list(clauses)} if 0 <= variables <= MAX_VARIABLES:
            for number, clause in enumerate(clauses, 1):
                is_clause = isinstance(clause, list) and all(
                    type(literal) is int and 1 <= abs(literal) <= variables for literal in clause
                )
                if not is_clause:
                    raise NotationError(f"clause {number} of formula is {shown(clause)}: expected a list of literals")
            return Cnf(int(variables), tuple(tuple(clause) for clause in clauses))
        case _:
            raise NotationError(f"formula is {shown(value)}: expected an object with variables and clauses")
