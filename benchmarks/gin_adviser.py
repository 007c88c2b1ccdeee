"""Claim: Gin's adviser loses little by its budget, and its win chances are what they say.

``python -m benchmarks.gin_adviser`` measures both and writes them into docs/gin.md. *Regret:* places from rounds of
`table` are looked at in some worlds, and in ten times as many by other chance; what the choice of the first costs by
the second. *Calibration:* `quick` plays from random scores against each kind of opponent in turn, to a random choice,
where the adviser says the win chance of its best choice. That is done, and both play on by `quick` with the hands that
really are there: the stock in several orders, of which nobody can know one to be likelier, and every game ended several
times from the score that the round brings. So a place says how often it is won with little chance left.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from typing import TypeAlias

import numpy as np

from benchmarks.tables import markdown_table, replace_table
from handful.rummy.gin import EAAI, GinAction, GinDeal, Round, player_named
from handful.rummy.gin.advice import advise
from handful.rummy.gin.kernels.bridge import round_record, rulebook
from handful.rummy.gin.kernels.layout import VIEW, Rounds, Views
from handful.rummy.gin.kernels.play import QUICK, begin_round, play_round
from handful.rummy.gin.kernels.worlds import KINDS
from handful.rummy.gin.players import shared_minds
from handful.splitmix import SplitMix64

SEED, WORLDS, DECILES = 62_000, 256, 10
QUICK_WORLDS = 128
ORDERS = 16  # of the stock
CHUNK = 100  # rounds
ENDS = 4  # times that a game is ended from the score after a round

Told: TypeAlias = list[tuple[float, float, str]]  # what was said, how often it came true, whom it was against


def place(number: int, names: tuple[str, str], scores: tuple[int, int], chance: SplitMix64) -> Round | None:
    """Return a round at a random choice of player 0; None if it ended before."""
    game, players = Round(GinDeal.from_seed(SEED, number), EAAI, number & 1, scores), list(map(player_named, names))
    left = chance.below(12)
    while not game.is_over:
        if game.current == 0 and len(game.view(0).legal) > 1:
            if left == 0:
                return game
            left -= 1
        game.act(players[game.current].choose(game.view(game.current), chance))
    return None


def regret(places: int) -> tuple[float, float, float]:
    """Return the mean regret in points, half its interval, and the mean in win chance."""
    points, chances = [], []
    for number in range(10 * places):
        chance = SplitMix64(SEED, number)
        game = place(number, ("table", "table"), (chance.below(100), chance.below(100)), chance)
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
    """Return how often player 0 wins the game: the stock in `ORDERS` orders, the game ended `ENDS` times from each."""
    game.act(action)
    chance, shuffler, won = np.zeros(3, np.uint64), SplitMix64(SEED + 3, number), 0
    for order in range(ORDERS):
        shuffler.shuffle(game.stock)
        rounds, views = round_record(game), np.zeros(1, VIEW)
        play_round(rounds, views, rulebook(EAAI), (QUICK, QUICK), shared_minds(), chance)
        won += sum(_finish(rounds.copy(), views, (number * ORDERS + order) * ENDS + end) for end in range(ENDS))
    return won / (ORDERS * ENDS)


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


def calibration(rounds: int, workers: int) -> Told:
    """Return what was said and what came true, in the places of so many rounds."""
    with ProcessPoolExecutor(workers) as pool:
        firsts = range(0, rounds, CHUNK)
        parts = pool.map(calibration_of, firsts, [min(CHUNK, rounds - first) for first in firsts])
        return [each for part in parts for each in part]


def calibration_of(first: int, count: int) -> Told:
    """Return the same for the rounds from a number on."""
    found: Told = []
    for number in range(first, first + count):
        chance, kind = SplitMix64(SEED + 2, number), KINDS[number // 2 % len(KINDS)]
        game = place(number, ("quick", kind), (chance.below(100), chance.below(100)), chance)
        if game is not None:
            best = advise(game.view(0), worlds=QUICK_WORLDS, seed=number).best
            found.append((best.win_chance, play_on(game, best.action, number), kind))
    return found


def row_of(label: str, found: Told) -> tuple[str, ...]:
    """Return a row of places: what was said, how often it came true, by how much that is off, with its interval."""
    said, came = (np.array([each[column] for each in found], float) for column in range(2))
    off = came - said
    half = 1.96 * off.std() / len(off) ** 0.5
    return label, f"{said.mean():.1%}", f"{came.mean():.1%}", f"{off.mean():+.1%} ± {half:.1%}", f"{len(off):,}"


def calibration_table(found: Told) -> str:
    """Return the rows of the tenths, and of each kind of opponent."""
    ranked = sorted(found)
    cuts = [len(ranked) * tenth // DECILES for tenth in range(DECILES + 1)]
    rows = [row_of(f"tenth {n + 1}", ranked[cuts[n] : cuts[n + 1]]) for n in range(DECILES)]
    rows += [row_of(f"against {kind}", [each for each in found if each[2] == kind]) for kind in KINDS]
    return markdown_table(["places", "win chance told", "it came true", "off by, 95 %", "how many"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=300, help="of the regret; 0: leave that line")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--calibrated", type=int, default=9_000, help="rounds that are begun; 0: leave that table")
    options = parser.parse_args()
    if options.places:
        mean, half, chance = regret(options.places)
        text = (
            f"Regret of {WORLDS} worlds against {10 * WORLDS:,}, over {options.places} choices: "
            f"{mean:.2f} ± {half:.2f} points, {chance:.2%} of a game.\n"
        )
        replace_table("gin.md", "gin regret", f"\n{text}")
        print(text, flush=True)
    if options.calibrated:
        table = calibration_table(calibration(options.calibrated, options.workers))
        replace_table("gin.md", "gin adviser", f"\n{table}\n")
        print(table)


if __name__ == "__main__":
    main()
