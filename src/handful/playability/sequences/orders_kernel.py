"""Sampled sequences decided in a kernel, from the shuffle to the answer.

With a single player the merged relaxation is the game itself: one hand, no hints. So a sequence is playable if the
fewest discards that it needs are as many as the turns leave room for; without an end by the deck, if any number will
do.
"""

from __future__ import annotations

from handful._bits import wide
from handful._jit import kernel
from handful._records import Ints
from handful.hanabi.kernels.game import shuffle_deck, start
from handful.hanabi.kernels.layout import Rulebooks
from handful.playability.deals.kernels.relaxation import IMPOSSIBLE, NOT_YET, least_discards, slack_of
from handful.playability.deals.kernels.stages import Workspace, set_up

# What the kernel counts: sequences that can be played with one turn after the last card is drawn, and with as many as
# there are cards in the hand; and those that were given up.
PLAYABLE, PLAYABLE_ENDLESS, UNDECIDED = range(3)

EFFORT = 20_000_000  # choices for one sequence


@kernel
def decide_sequences(work: Workspace, rulebooks: Rulebooks, seed: int, first: int, count: int, found: Ints) -> None:
    """Add the answers for deals first, first + 1, … of a seed to `found`, int64 of length 3; there is one player."""
    position, root = work.position, work.root[0]
    for number in range(first, first + count):
        shuffle_deck(work.deck, rulebooks[0], seed, number, work.chance)
        start(work.games[0], rulebooks[0], work.deck, 0)
        set_up(work, work.games[0], rulebooks[0], work.deck)
        position.efforts[0]["left"] = EFFORT
        # As wide as elsewhere: a second version of a function that calls itself does not survive the cache.
        drawn, played = wide(root["drawn"]), root["played"]
        discards = least_discards(position, drawn, played, wide(root["hands"][0]))
        if discards >= IMPOSSIBLE:
            continue
        if position.efforts[0]["left"] < 0:
            found[UNDECIDED] += 1
            continue
        found[PLAYABLE_ENDLESS] += 1
        if discards <= slack_of(position.frames[0], drawn, played, NOT_YET):
            found[PLAYABLE] += 1
