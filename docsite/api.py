"""The API reference: a page for each package, filled by mkdocstrings from the docstrings."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import handful

# What users script against, in the order of the house; a package that is not there yet is left out.
PACKAGES = {
    "hanabi": "The game: rules, cards, deals, states, views, records.",
    "playability": "Can it be won? Deals, games that were played, orders of a deck, Solitaire Hanabi.",
    "bots": "Who plays: the protocol and the register.",
    "rummy": "How long does Rummy take?",
    "lab": "Experiments at scale.",
    "reproduce": "Every published table, ours beside theirs.",
    "envs": "Environments for learning.",
}
# Of the bots, what is needed to write one; of the lab and the experiments, what is called from outside.
ONLY = {
    "bots": ("protocol", "players", "table", "best"),
    "lab": (
        *("simulate", "compare", "winnable", "analyses", "sequences", "rummy_play"),
        *("sweep", "tune", "store", "statistics", "plots", "speed"),
    ),
    "reproduce": ("outcome", "contents", "run", "report", "bergh_2015_strategies"),
}


def api_pages() -> dict[str, str]:
    """Return the pages of the API reference, by their path in the docs."""
    return {f"reference/{name}.md": _page(name, text) for name, text in PACKAGES.items() if _exists(name)}


def _exists(name: str) -> bool:
    return find_spec(f"handful.{name}") is not None


def modules_of(package: str) -> list[str]:
    """Return the modules of a package that users may use: those with kernels are behind them.

    >>> modules_of("bots")
    ['best', 'players', 'protocol', 'table']
    """
    folder = Path(handful.__file__).parent / package
    names = sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))
    names = [name for name in names if "kernel" not in name]
    return [name for name in names if name in ONLY[package]] if package in ONLY else names


def _page(package: str, text: str) -> str:
    parts = [f"# handful.{package}", text]
    for name in modules_of(package):
        parts += [f"## {name}", f"::: handful.{package}.{name}"]
    return "\n\n".join(parts) + "\n"
