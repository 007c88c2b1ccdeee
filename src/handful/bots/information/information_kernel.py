"""The bot `information`, compiled: what it does on its turn, and how it follows the turns of all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel_of_type
from handful.bots.information.coding_kernel import follow
from handful.bots.information.planner_kernel import PLAN_DECK, PLAN_MISSING, PLANNER_WORDS, plan
from handful.bots.information.policy_kernel import find_candidates, policy
from handful.bots.information.questions_kernel import Settings
from handful.bots.information.state_kernel import FOLLOWED, begin
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import Games, Rulebooks
from handful.splitmix_jit import Chance

MEMORY_WORDS = PLANNER_WORDS


@kernel_of_type(OBSERVE)
def observe(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: npt.NDArray[np.int64], settings: Settings
) -> None:
    """Follow the last turn."""
    follow(games[g], rulebooks[0], memory[seat], seat, settings[seat])


@kernel_of_type(CHOOSE)
def choose(
    games: Games,
    g: int,
    rulebooks: Rulebooks,
    seat: int,
    memory: npt.NDArray[np.int64],
    settings: Settings,
    chance: Chance,
) -> int:
    """Return an action: by the planner at the end, by the rules before."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    if row[FOLLOWED] != game["turn"] + 1:
        begin(game, rulebook, row)
        if game["turn"] > 0:  # in the middle of a game: nobody can know what this turn will say
            row[FOLLOWED] = 0
    legal = legal_mask(game, rulebook)
    find_candidates(game, rulebook, row, seat, legal, settings[seat])
    habit = policy(game, rulebook, row, seat, legal, settings[seat])
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    missing = wide(rulebook["max_score"]) - wide(game["points"])
    if deck <= settings[seat, PLAN_DECK] and missing <= settings[seat, PLAN_MISSING]:
        return plan(game, rulebook, row, seat, legal, habit, settings[seat], chance)
    return habit
