"""Two players of Gin against each other, over many games to the target: every deal is played twice, seats exchanged.

In both games of a pair the same cards come, for who starts and for who deals, so most of the luck of the cards cancels
out. The pair is what is counted: with S ∈ {0, 1, 2} the wins of the first player in one, the interval of the share is
that of the mean of S / 2.
"""

from __future__ import annotations

import time
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.lab.games import Chunk, Chunks, check_games
from handful.lab.rummy_play import OnProgress
from handful.lab.running import work_through
from handful.lab.statistics import Interval, deal_mean_interval
from handful.rummy.gin.players import PLAYERS, player_named, shared_minds, think
from handful.rummy.gin.rules import GinRules, gin_rules

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.play import GameResults

PAIRS = 250  # in a chunk
THINKING_PAIRS = 5  # if one of them thinks


@dataclass(frozen=True)
class GinMatch(Shown):
    """How two players of Gin did against each other.

    `first_share` is the share of the games that the first won; a game that nobody won in very many rounds
    (`unfinished`) counts half. `rounds_won` are those of the first and of the second; `points` what they scored in a
    game on average.
    """

    first: str
    second: str
    rules: str
    games: int
    seed: int
    first_wins: int
    second_wins: int
    unfinished: int
    first_share: float
    first_share_ci95: Interval
    rounds: float
    rounds_won: tuple[int, int]
    points: tuple[float, float]
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}

    def __repr__(self) -> str:
        low, high = self.first_share_ci95
        return f"<GinMatch {self.first} wins {self.first_share:.1%} ({low:.1%} to {high:.1%}) against {self.second}>"


@dataclass(frozen=True)
class Pairing:
    """Who plays, by which rules, on the deals of which seed."""

    kinds: tuple[int, int]
    rules: GinRules
    seed: int

    is_compiled = True

    @property
    def thinks(self) -> bool:
        """Whether one of them thinks, so that it is asked from here."""
        return any(player.thinks for player in PLAYERS.values() if player.kind in self.kinds)


@dataclass(frozen=True)
class Sums:
    """What some pairs of games add up to. A half of a win is the unit of `first` and of the squares."""

    first: int = 0
    second: int = 0
    halves: int = 0
    squares: int = 0
    rounds: int = 0
    first_rounds: int = 0
    second_rounds: int = 0
    first_points: int = 0
    second_points: int = 0
    cpu_seconds: float = 0.0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


def match_gin(
    first: str = "table",
    second: str = "simple",
    *,
    rules: str | GinRules = "eaai",
    games: int = 10_000,
    seed: int = 0,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
) -> GinMatch:
    """Return how two players do against each other: the same for any number of workers.

    >>> match_gin("simple", "random", games=20).first_wins
    20
    """
    players = player_named(first), player_named(second)
    played_rules = gin_rules(rules) if isinstance(rules, str) else rules
    check_seed(seed)
    if games < 2 or games % 2:
        raise HandfulError(f"games={games}: expected an even number, because every deal is played twice")
    check_games(games)
    started, pairs = time.perf_counter(), games // 2
    job = Pairing((players[0].kind, players[1].kind), played_rules, seed)
    total = Sums()
    for chunk, part in work_through(match_chunk, job, Chunks(pairs, THINKING_PAIRS if job.thinks else PAIRS), workers):
        total += part
        if on_progress is not None:
            on_progress(2 * chunk.count)
    # Four halves of a win are to be had in a pair.
    return GinMatch(
        first=first,
        second=second,
        rules=played_rules.name,
        games=games,
        seed=seed,
        first_wins=total.first,
        second_wins=total.second,
        unfinished=games - total.first - total.second,
        first_share=total.halves / (2 * games),
        first_share_ci95=deal_mean_interval(total.halves, total.squares, pairs, repeat=4),
        rounds=total.rounds / games,
        rounds_won=(total.first_rounds, total.second_rounds),
        points=(total.first_points / games, total.second_points / games),
        seconds=time.perf_counter() - started,
        cpu_seconds=total.cpu_seconds,
    )


def match_chunk(job: Pairing, chunk: Chunk) -> Sums:
    """Play the pairs of a chunk."""
    import numpy as np

    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.play import GAME_RESULT, play_games

    started = time.process_time()
    both = np.zeros((2, chunk.count), GAME_RESULT)
    for mirrored in (False, True):
        results = both[int(mirrored)]
        if job.thinks:
            play_thinking(job, chunk.first, mirrored, results)
        else:
            play_games(rulebook(job.rules), job.kinds, shared_minds(), job.seed, chunk.first, mirrored, results)
    winner = both["winner"]
    halves = np.where(winner == 0, 2, np.where(winner == 1, 0, 1)).sum(axis=0)
    won, points = both["won"].sum(axis=(0, 1)), both["points"].sum(axis=(0, 1))
    return Sums(
        first=int((winner == 0).sum()),
        second=int((winner == 1).sum()),
        halves=int(halves.sum()),
        squares=int((halves**2).sum()),
        rounds=int(both["rounds"].sum()),
        first_rounds=int(won[0]),
        second_rounds=int(won[1]),
        first_points=int(points[0]),
        second_points=int(points[1]),
        cpu_seconds=time.process_time() - started,
    )


def play_thinking(job: Pairing, first: int, mirrored: bool, results: GameResults) -> None:
    """Play games to the target from a number on, as `kernels.play.play_games` does, with a player that thinks."""
    import numpy as np

    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.layout import ROUND, VIEW
    from handful.rummy.gin.kernels.play import MOST_ROUNDS, NONE, begin_round, play_until
    from handful.rummy.gin.round import OVER

    book, minds, thought = rulebook(job.rules), shared_minds(), think(job.rules)
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    r = rounds[0]
    for place, result in enumerate(results):
        starter = ((first + place) & 1) ^ int(mirrored)
        r["scores"] = 0
        while max(r["scores"]) < job.rules.target and result["rounds"] < MOST_ROUNDS:
            numbers = (job.seed, first + place, int(result["rounds"]), starter, int(mirrored))
            begin_round(rounds, book, chance, numbers)
            action = NONE
            while True:
                play_until(rounds, views, book, job.kinds, minds, chance, action)
                if r["phase"] == OVER:
                    break
                seat = int(r["current"])
                action = thought(views, chance[seat : seat + 1])
            result["rounds"] += 1
            result["turns"] += r["num_turns"]
            if r["winner"] >= 0:
                r["scores"][r["winner"]] += r["points"]
                result["won"][r["winner"]] += 1
                starter = 1 - starter
        result["winner"] = -1 if r["scores"][0] == r["scores"][1] else int(r["scores"][1] > r["scores"][0])
        result["points"] = r["scores"]
