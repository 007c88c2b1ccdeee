"""Claim: Gin's adviser loses little by its budget, and its win chances are what they say.

``python -m benchmarks.gin_adviser`` measures both and writes them into docs/gin.md. *Regret:* places from rounds of
`table` are looked at in some worlds, and in ten times as many by other chance; what the choice of the first costs by
the second. *Calibration:* rounds from random scores are played by `quick` to a random choice, where the adviser says
the win chance of its best choice; that is done, `quick` plays the round to its end with the cards that really lie
there, and from the score that it brings the game is ended many times over: so that a place says how often it is won
with little chance left.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.tables import markdown_table, replace_table
from handful.rummy.gin import EAAI, GinAction, GinDeal, Round, player_named
from handful.rummy.gin.advice import advise
from handful.rummy.gin.kernels.bridge import round_record, rulebook
from handful.rummy.gin.kernels.layout import VIEW, Rounds, Views
from handful.rummy.gin.kernels.play import QUICK, begin_round, play_round
from handful.rummy.gin.players import shared_minds
from handful.splitmix import SplitMix64

SEED, WORLDS, DECILES = 61_000, 256, 10
QUICK_WORLDS = 64
ENDS = 20  # times that a game is ended from the score after a round


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


def play_on(game: Round, action: GinAction, number: int) -> float:
    """Return how often player 0 wins the game: the round is ended once, what follows it `ENDS` times, by `quick`."""
    game.act(action)
    rounds, views, chance = round_record(game), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    play_round(rounds, views, rulebook(EAAI), (QUICK, QUICK), shared_minds(), chance)
    return sum(_finish(rounds.copy(), views, ENDS * number + end) for end in range(ENDS)) / ENDS


def _finish(rounds: Rounds, views: Views, number: int) -> bool:
    """Return whether player 0 wins a game of which a round is over."""
    r, book, chance = rounds[0], rulebook(EAAI), np.zeros(3, np.uint64)
    starter, played = int(r["starter"]), 0
    while True:
        if r["winner"] >= 0:
            r["scores"][r["winner"]] += r["points"]
            starter = 1 - starter
        if max(r["scores"]) >= EAAI.target:
            return bool(r["scores"][0] > r["scores"][1])
        begin_round(rounds, book, chance, (SEED + 1, number, played, starter, 0))
        play_round(rounds, views, book, (QUICK, QUICK), shared_minds(), chance)
        played += 1


def calibration(places: int) -> list[tuple[float, float, float, int]]:
    """Return for each tenth of what is told: its mean, how often it came true, half an interval, how many they are."""
    told, true = [], []
    for number in range(places):
        chance = SplitMix64(SEED + 2, number)
        game = place(number, "quick", (chance.below(100), chance.below(100)), chance)
        if game is not None:
            best = advise(game.view(0), worlds=QUICK_WORLDS, seed=number).best
            told.append(best.win_chance)
            true.append(play_on(game, best.action, number))
    parts = np.array_split(np.argsort(told), DECILES)
    tenths = [(np.array(told)[part], np.array(true)[part]) for part in parts]
    return [
        (float(said.mean()), float(came.mean()), float(1.96 * came.std() / len(came) ** 0.5), len(came))
        for said, came in tenths
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=150)
    parser.add_argument("--calibrated", type=int, default=6_000, help="rounds that are begun")
    options = parser.parse_args()
    mean, half, chance = regret(options.places)
    text = (
        f"Regret of {WORLDS} worlds against {10 * WORLDS:,}, over {options.places} choices: {mean:.2f} ± {half:.2f} "
        f"points, {chance:.2%} of a game.\n\n"
    )
    rows = [
        (f"{told:.1%}", f"{true:.1%}", f"± {half:.1%}", f"{true - told:+.1%}", f"{size:,}")
        for told, true, half, size in calibration(options.calibrated)
    ]
    table = markdown_table(["win chance told", "it came true", "95 %", "off by", "places"], rows)
    replace_table("gin.md", "gin adviser", f"\n{text}{table}\n")
    print(text + table)


if __name__ == "__main__":
    main()
