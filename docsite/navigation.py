"""Which page goes where. A page that is named here and not there is left out; one that is not named goes to the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Section: TypeAlias = dict[str, list[str]]

FIRST = ("index.md", "start.md")
SECTIONS: dict[str, tuple[str, ...]] = {
    "Guides": ("guides/can-it-be-won.md", "guides/how-to-play.md", "guides/how-long.md", "recipes.md"),
    "Hanabi: can it be won?": ("deals.md", "difficulty.md", "unwinnable-seeds.md", "counting.md", "solitaire.md"),
    "Hanabi: how to play": (
        "review.md",
        "history.md",
        "leaderboard.md",
        "hat-guessing.md",
        "partner.md",
        "partner-conventions.md",
        "learned.md",
        "search.md",
        "thinking-players.md",
        "rules-of-thumb.md",
    ),
    "Rummy": ("rummy.md", "gin.md"),
    "The lab": ("lab.md", "browser.md", "environments.md", "scaling.md", "speed.md"),
    "Beside others": ("reproduce.md", "comparison.md"),
    "Reference": ("rules.md",),  # and what is written from the code
}
MORE = "More"


def navigation(pages: Iterable[str], generated: Iterable[str]) -> list[str | Section]:
    """Return the navigation for the pages that there are.

    >>> navigation(["index.md", "rummy.md", "a-new-page.md"], ["reference/commands.md"])
    ['index.md', {'Rummy': ['rummy.md']}, {'Reference': ['reference/commands.md']}, {'More': ['a-new-page.md']}]
    """
    there, written = set(pages), list(generated)
    found: list[str | Section] = [page for page in FIRST if page in there]
    placed = set(FIRST)
    for name, names in SECTIONS.items():
        placed.update(names)
        here = [page for page in names if page in there] + (written if name == "Reference" else [])
        if here:
            found.append({name: here})
    others = sorted(there - placed - set(written))
    if others:
        found.append({MORE: others})
    return found
