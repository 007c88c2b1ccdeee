"""The bot `hat`, compiled. `hat` says what it does."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import inlined_kernel, kernel_of_type
from handful.bots.hat.belief_kernel import (
    NONE,
    PLAYABLE,
    Row,
    is_within,
    look,
    note_shown,
    own_belief,
    weigh_unseen,
)
from handful.bots.hat.choice_kernel import choose_by_rules, least_loss
from handful.bots.hat.plan_kernel import CHOICES, PLAN_WORDS, plan
from handful.bots.hat.tell_kernel import coded_choice, coded_hint, listen_to_choice, listen_to_hint
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance

MEMORY_WORDS = PLAN_WORDS

PLANNED_DECK = 8  # endgames are planned from so many cards in the deck on


@inlined_kernel
def collect_choices(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, action: int) -> int:
    """Write what an endgame plan compares to CHOICES, what the rules say first; return how many there are."""
    size = wide(rulebook["hand_size"])
    row[CHOICES] = action
    count = 1
    for slot in range(game["lengths"][seat]):
        if size + slot != action and is_within(own_belief(game, rulebook, row, seat, slot), row[PLAYABLE]):
            row[CHOICES + count] = size + slot
            count += 1
    if legal >> 2 * size and action < 2 * size:
        hint = coded_hint(game, rulebook, row, seat, legal)
        if hint != NONE:
            row[CHOICES + count] = hint
            count += 1
    if legal & 1 and action >= size:
        row[CHOICES + count] = least_loss(game, rulebook, row, seat)
        count += 1
    return count


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Row, _settings: object) -> None:
    """Note the last turn: what it told everybody."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    action = wide(game["last_action"])
    if action < 2 * rulebook["hand_size"]:
        listen_to_choice(game, rulebook, row, seat)
        look(game, rulebook, row)
        return
    look(game, rulebook, row)
    listen_to_hint(game, rulebook, row, seat)
    note_shown(game, rulebook, row, hint_target(rulebook, wide(game["last_actor"]), action))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Row, _settings: object, chance: Chance
) -> int:
    """Return what the rules say, or what is planned in an endgame; of cards equally good, the one that tells."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    legal = legal_mask(game, rulebook)
    look(game, rulebook, row)
    weigh_unseen(game, rulebook, row, seat)
    action = choose_by_rules(game, rulebook, row, seat, legal)
    if rulebook["deck_size"] - game["drawn"] <= PLANNED_DECK and rulebook["has_last_round"]:
        action = plan(game, rulebook, row, seat, collect_choices(game, rulebook, row, seat, legal, action), chance)
    return coded_choice(game, rulebook, row, seat, action)
