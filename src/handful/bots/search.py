"""The bot `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.bots.base import CompiledBot
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DEV: dict[str, float] = {}
DEV_PLAN: dict[str, float] = {}


def compiled(rules: Rules, **settings: object) -> CompiledBot:
    import numpy as np

    from handful.bots import information_planner_kernel as planner
    from handful.bots import search_scene_kernel as names
    from handful.bots.information import settings_for
    from handful.bots.information_kernel import MEMORY_WORDS, observe
    from handful.bots.search_information_kernel import choose

    if rules.players == 2:
        from handful.bots import search_conventions_kernel as conventions
        from handful.bots.conventions import weight_table

        numbers = {"WORLDS": 200, "FIRST_WORLDS": 24, "Z": 2.0, "Z_DROP": 1.0, "IS_MEAN": 0, "FROM_DECK": 50, "EXACT_DEALS": 120,
                   "HANDS": 800, "ACTIONS_BACK": 12, "UNFIT": 0.07, **DEV}
        search = np.zeros(names.SEARCH_SETTINGS)
        for key, value in numbers.items():
            search[getattr(names, key)] = value
        return CompiledBot(conventions.choose, conventions.observe, conventions.MEMORY_WORDS,
                           np.concatenate([weight_table(rules), search]))
    blueprint = settings_for(rules.players)
    cheap = blueprint.copy()
    for key, value in {"WORLDS": 8, "EXACT_DECK": -1, **DEV_PLAN}.items():
        cheap[getattr(planner, key)] = value
    numbers = {"WORLDS": 200, "FIRST_WORLDS": 32, "Z": 2.0, "Z_DROP": 1.0, "IS_MEAN": 0, "FROM_DECK": 20, "EXACT_DEALS": 120,
               "HANDS": 0, "ACTIONS_BACK": 0, "UNFIT": 0.07, **DEV}
    search = np.zeros(names.SEARCH_SETTINGS)
    for key, value in numbers.items():
        search[getattr(names, key)] = value
    return CompiledBot(choose, observe, MEMORY_WORDS, np.concatenate([blueprint, search, cheap]))
