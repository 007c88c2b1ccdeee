"""Claim: Gin's adviser loses little by its budget, and its win chances are what they say.

``python -m benchmarks.gin_adviser`` measures both and writes them into docs/gin.md. *Regret:* places from rounds of
`table` are looked at in some worlds, and in ten times as many by other chance; what the choice of the first costs by
the second. *Calibration:* games from random scores are played by `quick` to a random choice, where the adviser says the
win chance of its best choice; that is done, and `quick` plays the game to its end.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.tables import markdown_table, replace_table
from handful.rummy.gin import EAAI, GinAction, GinDeal, Round, player_named
from handful.rummy.gin.advice import advise
from handful.splitmix import SplitMix64

SEED, WORLDS, DECILES = 61_000, 256, 10
QUICK_WORLDS = 64


def place(number: int, name: str, scores: tuple[int, int], chance: SplitMix64) -> Round | None:
    """Return a round at a random choice of player 0; None if it ended before."""
    game, player = Round(GinDeal.from_seed(SEED, number), EAAI, number & 1, scores), player_named(name)
    left = chance.below(12)
    while not game.is_over:
        if game.current == 0 and len(game.view(0).legal) > 1:
            if left == 0:
                return game
            left -= 1
        game.act(player.choose(game.view(game.current), chance))
    return None


def regret(places: int) -> tuple[float, float, float]:
    """Return the mean regret in points, half its interval, and the mean in win chance."""
    points, chances = [], []
    for number in range(10 * places):
        chance = SplitMix64(SEED, number)
        game = place(number, "table", (chance.below(100), chance.below(100)), chance)
        if game is None:
            continue
        first = advise(game.view(0), worlds=WORLDS, seed=1).best.action
        better = advise(game.view(0), worlds=10 * WORLDS, seed=2)
        points.append(better.points_cost(first))
        chances.append(better.cost(first))
        if len(points) == places:
            break
    return float(np.mean(points)), float(1.96 * np.std(points) / len(points) ** 0.5), float(np.mean(chances))


def play_on(game: Round, action: GinAction, number: int, chance: SplitMix64) -> float:
    """Return whether player 0 wins the game, played to its end by `quick`."""
    player, scores, starter, rounds = player_named("quick"), list(game.scores), game.starter, 0
    game.act(action)
    while True:
        while not game.is_over:
            game.act(player.choose(game.view(game.current), chance))
        assert game.settlement is not None
        if game.settlement.winner is not None:
            scores[game.settlement.winner] += game.settlement.points
            starter = 1 - starter
        if max(scores) >= EAAI.target:
            return float(scores[0] > scores[1])
        rounds += 1
        game = Round(GinDeal.from_seed(SEED + 1, number, rounds), EAAI, starter, (scores[0], scores[1]))


def calibration(games: int) -> list[tuple[float, float, int]]:
    """Return for each tenth of the predictions: their mean, how often it came true, how many they are."""
    told, true = [], []
    for number in range(games):
        chance = SplitMix64(SEED + 2, number)
        game = place(number, "quick", (chance.below(100), chance.below(100)), chance)
        if game is not None:
            best = advise(game.view(0), worlds=QUICK_WORLDS, seed=number).best
            told.append(best.win_chance)
            true.append(play_on(game, best.action, number, chance))
    order = np.argsort(told)
    parts = np.array_split(order, DECILES)
    return [(float(np.mean(np.array(told)[p])), float(np.mean(np.array(true)[p])), len(p)) for p in parts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=200)
    parser.add_argument("--games", type=int, default=4_000)
    options = parser.parse_args()
    mean, half, chance = regret(options.places)
    text = (
        f"Regret of {WORLDS} worlds against {10 * WORLDS:,}, over {options.places} choices: {mean:.2f} ± {half:.2f} "
        f"points, {chance:.2%} of a game.\n\n"
    )
    rows = [
        (f"{told:.1%}", f"{true:.1%}", f"± {1.96 * (true * (1 - true) / size) ** 0.5:.1%}", f"{size:,}")
        for told, true, size in calibration(options.games)
    ]
    table = markdown_table(["win chance told", ">it came true", ">95 %", ">games"], rows)
    replace_table("gin.md", "gin adviser", f"\n{text}{table}\n")
    print(text + table)


if __name__ == "__main__":
    main()
