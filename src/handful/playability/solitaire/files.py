"""Solitaire games in files, text with a card for each word or a JSON object; and formulas, in DIMACS CNF.

Text: a card is a value alone (one suit), a suit's name and a value (``r3``), or ``VALUE:SUIT`` with a number for the
suit (``3:12``). Suits with names are counted in the order in which they appear (``R3`` is ``r3``). ``hand=2``,
``values=5``, ``suits=3`` and ``copies=2`` may stand among the cards; ``#`` starts a comment. JSON: an object with hand
and sequence, a list of [value, suit]; values, suits and copies if they are not to be derived.

DIMACS CNF: ``c`` starts a comment line, ``p cnf VARIABLES CLAUSES`` stands before the clauses; a clause is a list of
literals (a variable, or minus a variable) that ends with 0. A line with ``%`` ends the file, as in the SATLIB
collection.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handful._files import read_at_most
from handful._json_fields import shown
from handful.errors import HandfulError, NotationError
from handful.playability.solitaire.game import Solitaire, SolitaireCard

MAX_BYTES = 100_000_000
MAX_DIGITS = 9
MAX_VARIABLES = 100_000
SETTINGS = ("hand", "values", "suits", "copies")
_CARD = re.compile(r"(?:([0-9]+):([0-9]+)|([0-9]+)|([A-Za-z_]+)([0-9]+))\Z")
_STYLES = {"numbered": "VALUE:SUIT", "bare": "a value", "named": "a suit's name and a value"}


@dataclass
class _Found:
    """What a file says: cards, settings, and what the suits are called."""

    cards: list[SolitaireCard] = field(default_factory=list)
    settings: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    document: dict[str, Any] | None = None


def load_bytes(path: str | Path) -> bytes:
    """Return what is in a file, unless that is too much."""
    data = read_at_most(path, MAX_BYTES, NotationError)
    if len(data) > MAX_BYTES:
        raise NotationError(f"{path} has more than {MAX_BYTES:,} bytes: expected at most that many")
    return data


def decoded(data: bytes | str) -> str:
    """Return the text of a file."""
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"byte {error.start + 1} is not text: expected UTF-8") from None


def load_solitaire(path: str | Path, **given: int | None) -> Solitaire:
    """Return the game in a file; `given` are settings that stand above those of the file."""
    return load_document(path, **given)[0]


def load_document(path: str | Path, **given: int | None) -> tuple[Solitaire, dict[str, Any] | None]:
    """Return the game in a file, and the whole object if it is JSON."""
    data = load_bytes(path)
    try:
        return read_document(data, **given)
    except HandfulError as error:
        raise NotationError(f"{path}: {error}") from error


def read_solitaire(data: bytes | str, **given: int | None) -> Solitaire:
    """Return the game that a text describes.

    >>> read_solitaire("hand=1 r2 r1  # and that is all").sequence
    ((2, 1), (1, 1))
    >>> read_solitaire('{"hand": 1, "sequence": [[2, 1], [1, 1]]}').values
    2
    """
    return read_document(data, **given)[0]


def read_document(data: bytes | str, **given: int | None) -> tuple[Solitaire, dict[str, Any] | None]:
    """Return the game that a text describes, and the whole object if it is JSON."""
    text = decoded(data)
    found = _read_json(text) if text.lstrip()[:1] in ("{", "[") else _read_text(text)
    if not found.cards:
        raise NotationError("there are no cards: expected at least one")
    settings = found.settings | {name: number for name, number in given.items() if number is not None}
    if "hand" not in settings:
        raise NotationError("the hand size is missing: expected hand=H among the cards, or --hand H")
    suits = max(settings.get("suits", 0), len(found.names))
    names = [*found.names, *(f"s{suit}:" for suit in range(len(found.names) + 1, suits + 1))] if found.names else []
    return Solitaire.of(settings.pop("hand"), found.cards, suit_names=names, **settings), found.document


# Text


def _read_text(text: str) -> _Found:
    found = _Found()
    known: dict[str, SolitaireCard] = {}
    style = ""
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.partition("#")[0].split():
            card = known.get(word)
            if card is None:
                if "=" in word:
                    _read_setting(word, number, found)
                    continue
                card, kind = _read_card(word, number, found)
                if style and kind != style:
                    expected = _STYLES[style]
                    raise NotationError(f"line {number}: {word!r} after other cards: expected {expected}, as for them")
                style, known[word] = kind, card
            found.cards.append(card)
    return found


def _read_setting(word: str, line: int, found: _Found) -> None:
    name, _equals, text = word.partition("=")
    if name not in SETTINGS:
        raise NotationError(f"line {line}: {shown(word)}: expected one of {', '.join(SETTINGS)}")
    found.settings[name] = _number(text, f"line {line}: {name}")


def _read_card(word: str, line: int, found: _Found) -> tuple[SolitaireCard, str]:
    match = _CARD.match(word)
    if match is None:
        raise NotationError(f"line {line}: {shown(word)} is no card: expected 3, r3 or 3:2 (value 3 of suit 2)")
    value, suit, bare, name, of_name = match.groups()
    where = f"line {line}: the value of {word[:40]}"
    if bare is not None:
        return (_positive(bare, where), 1), "bare"
    if name is not None:
        return (_positive(of_name, where), found.names.setdefault(name.lower(), len(found.names) + 1)), "named"
    return (_positive(value, where), _positive(suit, f"line {line}: the suit of {word[:40]}")), "numbered"


def _number(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise NotationError(f"{where} is {shown(text)}: expected a whole number of at most {MAX_DIGITS} digits")
    return int(text)


def _positive(text: str, where: str) -> int:
    number = _number(text, where)
    if number < 1:
        raise NotationError(f"{where} is {number}: expected at least 1")
    return number


# JSON


def read_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a text."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"this is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise NotationError("this is a JSON list: expected an object with hand and sequence")
    return document


def _read_json(text: str) -> _Found:
    document = read_object(text)
    sequence = document.get("sequence")
    if not isinstance(sequence, list):
        raise NotationError(f"sequence is {shown(sequence)}: expected a list of [value, suit]")
    found = _Found(document=document)
    for number, card in enumerate(sequence, 1):
        match card:
            case [int(value), int(suit)] if type(value) is int and type(suit) is int:
                if not (0 < value < 10**MAX_DIGITS and 0 < suit < 10**MAX_DIGITS):
                    raise NotationError(f"card {number} is {shown(card)}: expected a value and a suit of at least 1")
                found.cards.append((value, suit))
            case _:
                raise NotationError(f"card {number} is {shown(card)}: expected [value, suit], two whole numbers")
    for name in SETTINGS:
        if document.get(name) is not None:
            if type(document[name]) is not int:
                raise NotationError(f"{name} is {shown(document[name])}: expected a whole number")
            found.settings[name] = document[name]
    return found


# Formulas


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
