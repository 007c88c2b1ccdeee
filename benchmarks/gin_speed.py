"""Claim: 20 million deadwoods and 100,000 rounds of `simple` in a second of one core.

``python -m benchmarks.gin_speed`` measures them, compiled, in CPU time, and writes them into docs/gin.md. All hands are
drawn beforehand, and each is judged once.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from benchmarks.tables import markdown_table, replace_table
from handful._jit import kernel
from handful.rummy.gin.kernels.bridge import rulebook
from handful.rummy.gin.kernels.deadwood import DECK, deadwood
from handful.rummy.gin.kernels.play import play_rounds
from handful.rummy.gin.kernels.worlds import drawn_hand
from handful.rummy.gin.players import shared_minds
from handful.rummy.gin.rules import EAAI
from handful.splitmix_jit import Chance

HANDS, ROUNDS = 10_000_000, 100_000


@kernel
def random_hands(hands: npt.NDArray[np.int64], chance: Chance) -> None:
    for place in range(len(hands)):
        hands[place] = drawn_hand(DECK, 10, chance, 0)


@kernel
def deadwoods(hands: npt.NDArray[np.int64]) -> int:
    total = 0
    for hand in hands:
        total += deadwood(hand)
    return total


def measure() -> dict[str, float]:
    """Return deadwoods, and rounds of `simple` and of `quick`, in a CPU second."""
    hands, chance = np.zeros(HANDS, np.int64), np.array([7], np.uint64)
    random_hands(hands, chance)
    deadwoods(hands[:10])
    started = time.process_time()
    deadwoods(hands)
    found = {"deadwoods of random hands": HANDS / (time.process_time() - started)}
    for name, kind in (("simple", 1), ("quick", 4)):
        results = np.zeros(ROUNDS, np.int64)
        play_rounds(rulebook(EAAI), (kind, kind), shared_minds(), 5, 0, results[:10])
        started = time.process_time()
        play_rounds(rulebook(EAAI), (kind, kind), shared_minds(), 5, 0, results)
        found[f"rounds of {name}"] = ROUNDS / (time.process_time() - started)
    return found


def main() -> None:
    rows = [(what, f"{speed:,.0f}") for what, speed in measure().items()]
    table = markdown_table(["compiled, on one core", "in a CPU second"], rows)
    replace_table("gin.md", "gin speed", f"\n{table}\n")
    print(table)


if __name__ == "__main__":
    main()
