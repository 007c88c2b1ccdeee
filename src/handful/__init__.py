"""Handful: can this game be won, how should it be played, how long will it take?

The rooms are `hanabi`, `playability`, `bots`, `rummy`, `lab`, `envs` and `reproduce`; the verbs of the command line are
functions here. All are loaded when they are first used: importing `handful` itself takes no time.

>>> import handful
>>> handful.solve("p2v0s40").winnable
False
>>> handful.count((3, 2, 2, 2, 1)).playable
5934
>>> handful.simulate("random", players=3, games=100).games
100
>>> handful.advise("AC 4C 7C", aces="wrap").turns.expected > 10
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handful import bots, envs, hanabi, lab, playability, reproduce, rummy
    from handful.bots import play_game
    from handful.lab.analyses import analyse_all
    from handful.lab.compare import compare
    from handful.lab.review import review
    from handful.lab.simulate import simulate
    from handful.lab.tuning.sweep import run_sweep
    from handful.lab.tuning.tune import tune
    from handful.lab.winnable import winnable
    from handful.playability import analyse, count, count_sequences, solve
    from handful.rummy.advice import advise

__version__ = "0.3.0"

_ROOMS = ("bots", "envs", "hanabi", "lab", "playability", "reproduce", "rummy")
_VERBS = {
    "advise": "rummy.advice",
    "analyse": "playability",
    "analyse_all": "lab",
    "compare": "lab",
    "count": "playability",
    "count_sequences": "playability",
    "play_game": "bots",
    "review": "lab.review",
    "run_sweep": "lab.tuning.sweep",
    "simulate": "lab",
    "solve": "playability",
    "tune": "lab.tuning.tune",
    "winnable": "lab.winnable",
}

__all__ = [
    "advise",
    "analyse",
    "analyse_all",
    "bots",
    "compare",
    "count",
    "count_sequences",
    "envs",
    "hanabi",
    "lab",
    "play_game",
    "playability",
    "reproduce",
    "review",
    "rummy",
    "run_sweep",
    "simulate",
    "solve",
    "tune",
    "winnable",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    if name in _VERBS:
        return getattr(import_module(f"{__name__}.{_VERBS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_ROOMS, *_VERBS]
