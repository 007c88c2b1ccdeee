"""The fields of a JSON object, checked one by one: what is wrong is named, with its value and what was expected."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import NoReturn

from handful.errors import RecordError

MAX_SHOWN = 60


def shown(value: object) -> str:
    """Return a value as a message shows it: on one line, and cut if it is long."""
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python does not write out numbers of thousands of digits
        text = "a number of thousands of digits"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def refuse(field: str, value: object, expected: str) -> NoReturn:
    """Refuse the value of a field."""
    raise RecordError(f"{field} is {shown(value)}: expected {expected}")


def whole_number(value: object, field: str, low: int, high: int) -> int:
    """Return a whole number of a range. True and false are none."""
    if type(value) is int and low <= value <= high:
        return value
    refuse(field, value, f"a whole number from {low} to {high}")


def number_in(fields: dict[str, object], name: str, place: str, low: int, high: int, default: int | None = None) -> int:
    """Return the whole number of a field of an object; a default, if there is one, where the field says nothing."""
    field = f"{place}.{name}" if place else name
    if default is not None and fields.get(name) is None:
        return default
    return whole_number(required(fields, name, field), field, low, high)


def yes_or_no(value: object, field: str) -> bool:
    """Return true or false; null, as if the field were missing, is false."""
    if value is None or isinstance(value, bool):
        return bool(value)
    refuse(field, value, "true or false")


def text(value: object, field: str, max_length: int) -> str:
    """Return a text that can be written again; null, as if the field were missing, is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        refuse(field, value, "a text")
    if len(value) > max_length:
        refuse(field, value, f"at most {max_length} characters, not {len(value)}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        refuse(field, value, "a text without lone surrogates (\\ud800 to \\udfff)")
    return value


def listed(value: object, field: str) -> list[object]:
    """Return a list; null, as if the field were missing, is empty."""
    if value is None:
        return []
    if not isinstance(value, list):
        refuse(field, value, "a list")
    return value


def fields_of(value: object, field: str, known: Iterable[str]) -> dict[str, object]:
    """Return the fields of an object. A field that is not known and says something is refused, not ignored."""
    if not isinstance(value, dict):
        refuse(field, value, "an object")
    names = list(known)
    for name, content in value.items():
        if name not in names and content:
            raise RecordError(f"{field} has a field {shown(name)}, which is not supported: expected {', '.join(names)}")
    return value


def required(fields: dict[str, object], name: str, field: str) -> object:
    """Return a field that must be there."""
    if name not in fields:
        raise RecordError(f"{field} is missing")
    return fields[name]
