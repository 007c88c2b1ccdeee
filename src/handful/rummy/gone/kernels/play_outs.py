"""Games played to their end on the cards that are left, each throw by a judgement; what is thrown can be drawn again."""

from __future__ import annotations

import numpy as np

from handful._bits import nth_bit, wide
from handful._jit import kernel
from handful._records import Ints
from handful.rummy.gone.kernels.judgement import Judgement, judged
from handful.rummy.kernels.play import ALL_CARDS, draw_any
from handful.splitmix_jit import add_key, below, seed_key

GONE_STREAM = 5  # the first key of the streams of chance: no other room uses it
PATIENCE = 60  # turns: who has held a hand so long may be waiting for cards that are gone, and throws any card
NOT_DONE = -1


@kernel
def play_outs(judgement: Judgement, start: int, seed: int, first: int, most_turns: int, turns: Ints) -> None:
    """Fill in how many turns each game takes from a hand, NOT_DONE if more than `most_turns`."""
    chance = np.zeros(1, np.uint64)
    size = wide(judgement.hand_index["cards"])
    gone = wide(ALL_CARDS)
    for card in judgement.left:
        gone ^= wide(1) << card
    for game in range(len(turns)):
        chance[0] = add_key(add_key(seed_key(seed), GONE_STREAM), first + game)
        hand, own, waited = start, judged(judgement, start), 0
        turns[game] = NOT_DONE
        for turn in range(most_turns + 1):
            if own == 0.0:
                turns[game] = turn
                break
            held = hand | draw_any(chance, hand | gone)
            best, least, rest = hand, own, hand
            while rest:
                thrown = rest & -rest
                rest ^= thrown
                value = judged(judgement, held ^ thrown)
                if value < least:
                    best, least = held ^ thrown, value
            waited = waited + 1 if best == hand else 0
            if waited == PATIENCE:
                best, waited = held ^ wide(1) << nth_bit(held, below(chance, 0, size + 1)), 0
                least = judged(judgement, best)
            hand, own = best, least
