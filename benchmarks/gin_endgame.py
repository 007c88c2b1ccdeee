"""Claim: the last draws of a round of Gin need no solver of their own: python -m benchmarks.gin_endgame

With few draws left, play-outs go to the end of the round and all choices of the turn are tried; what is not exact is
how many worlds are looked at, and the own turn after this one. So rounds of `quick` with itself are stopped at player
0's first draw with at most `LAST_DRAWS` left, and played on by player 0 three times with the same cards: by `quick`, by
`montecarlo` as it thinks before, and as it thinks there: every choice in eight times as many worlds. What the third
brings more than the second is what more exactness there is worth.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from benchmarks.tables import markdown_table, replace_table
from handful._jit import kernel
from handful.rummy.gin import EAAI
from handful.rummy.gin.kernels.bridge import rulebook
from handful.rummy.gin.kernels.choices import LAST_DRAWS, choose_montecarlo, draws_left
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rounds, Rulebook, Views
from handful.rummy.gin.kernels.play import MONTECARLO, NONE, QUICK, Minds, begin_round, choose, play_until
from handful.rummy.gin.kernels.round import act, show
from handful.rummy.gin.players import shared_minds
from handful.rummy.gin.round import DRAWING, OVER
from handful.rummy.gin.thought import Thought, model_for
from handful.splitmix_jit import Chance

SEED = 81_000
USUAL, THOROUGH = Thought(last=1), Thought()


@kernel
def last_draws(rounds: Rounds, views: Views, rules: Rulebook, minds: Minds, chance: Chance, number: int) -> bool:
    """Play a round until player 0 may draw one of the last cards; return whether it gets there."""
    begin_round(rounds, rules, chance, (SEED, number, 0, number & 1, 0))
    r = rounds[0]
    while r["phase"] != OVER:
        player = r["current"]
        if player == 0 and r["phase"] == DRAWING and draws_left(rounds, 0, rules) <= LAST_DRAWS:
            return True
        show(rounds, 0, views, 0, player)
        act(rounds, 0, rules, choose(views, 0, rules, QUICK, minds, chance, player))
    return False


def points(start: Rounds, thought: Thought | None, number: int) -> int:
    """Return what a round brings player 0, who thinks, or is `quick`; player 1 is `quick`."""
    rounds, views = start.copy(), np.zeros(1, VIEW)
    book, model, chance = rulebook(EAAI), model_for(EAAI), np.array([number, 1, 2], np.uint64)
    kinds, action = (QUICK if thought is None else MONTECARLO, QUICK), NONE
    while True:
        play_until(rounds, views, book, kinds, shared_minds(), chance, action)
        r = rounds[0]
        if r["phase"] == OVER:
            return 0 if r["winner"] < 0 else int(r["points"]) * (1 if r["winner"] == 0 else -1)
        assert thought is not None
        action = choose_montecarlo(views, book, model, thought.record(), chance[:1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=300)
    options = parser.parse_args()
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    found: list[list[int]] = []
    number = 0
    while len(found) < options.places:
        if last_draws(rounds, views, rulebook(EAAI), shared_minds(), chance, number):
            found.append([points(rounds, thought, number) for thought in (None, USUAL, THOROUGH)])
        number += 1
    table = table_of(np.array(found), number)
    text = f"{len(found):,} of {number:,} rounds of `quick` get there ({len(found) / number:.1%}).\n\n{table}"
    replace_table("gin.md", "gin endgame", f"\n{text}\n")
    print(text)


def table_of(found: Any, rounds: int) -> str:
    """Return the gains: in a round that gets there, and, as few do, in a round."""
    rows = []
    names = ("`quick`", "`montecarlo` thinking as before them", "`montecarlo`")
    for better in (1, 2):
        gain = found[:, better] - found[:, better - 1]
        half, share = 1.96 * gain.std() / len(gain) ** 0.5, len(gain) / rounds
        rows.append(
            (
                names[better],
                names[better - 1],
                f"{gain.mean():+.2f} ± {half:.2f}",
                f"{share * gain.mean():+.3f} ± {share * half:.3f}",
            )
        )
    return markdown_table(["the last draws by", "instead of", "points, if it gets there", "points a round"], rows)


if __name__ == "__main__":
    main()
