"""hanab.live's forms: records in JSON, links, seeds; archives and datasets of them; and the site itself.

>>> from handful.hanabi.live import load_games
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handful.hanabi.live.conversion import GameSet, load_games
    from handful.hanabi.live.datasets import About, write_dataset
    from handful.hanabi.live.site import Site

__all__ = ["About", "GameSet", "Site", "load_games", "write_dataset"]

# Imported when they are asked for.
_NAMES = {
    "About": "datasets",
    "GameSet": "conversion",
    "Site": "site",
    "load_games": "conversion",
    "write_dataset": "datasets",
}


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
