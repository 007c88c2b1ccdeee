"""hanab.live's own list of variants, for comparison, where it lies beside the checkout; and a sample of ours."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from handful.hanabi.listing import live_variants

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def rows_beside(name: str) -> list[dict[str, str]]:
    """Return the rows of a list beside the checkout; a test without it is skipped."""
    for folder in (BESIDE, BESIDE.parents[2] / "shared" / "data"):
        if (folder / name).is_file():
            with (folder / name).open(newline="") as file:
                return list(csv.DictReader(file))
    pytest.skip(f"{name} is not beside the checkout: nothing to compare with")


def every_code() -> list[str]:
    """Return the codes of all variants, in the order of hanab.live's numbers."""
    return [code for _name, code, _live_id in live_variants()]


def sample_codes() -> list[str]:
    """Return one variant of each modifier, each reversed suit, and some of the others."""
    found: dict[str, str] = {}
    for code in every_code():
        suits, _, modifiers = code.partition(",")
        found.setdefault(modifiers or f"reversed {suits.split('+')[-1]}" if modifiers or ":R" in suits else "", code)
    mixed = ("R+Y+G+B+P+Pr", "R+Y+G+B+Or", "R+G+B+Or1,TH", "R+Y+G+B+Pr,UD", "R+Y+G+B+Bk,Su", "DRY+DRB+DYB+Pr")
    return [*found.values(), *mixed, "R+DRG+G+DGB+B+DRB", "Pi1+G+Wh+AB3+AB2"]
