"""A chunk of work: some deals of a plan, played, and what they add up to.

Everything here is plain data or a function of it, so that a chunk can be played in any thread, process or machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from handful.bots.players import Player, player_of
from handful.bots.protocol import Bot
from handful.bots.table import play_game
from handful.errors import HandfulError
from handful.hanabi.deal import Deal, check_seed
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import NO_VARIANT, Variant, variant_named

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

COMPILED_CHUNK = 2_000  # games; enough that calling the kernel costs little, few enough for a smooth progress bar
PLAIN_CHUNK = 20


@dataclass(frozen=True)
class Plan:
    """All that the games of a simulation depend on: game i is deal i of the seed, played `repeat` times.

    With a `deal`, every game is on that deal, and only the bots' chance differs.
    """

    player: Player
    rules: Rules
    seed: int = 0
    repeat: int = 1
    deal: Deal | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.repeat < 1:
            raise HandfulError(f"repeat={self.repeat}: expected at least 1")

    @property
    def is_compiled(self) -> bool:
        """Whether the bot has a compiled form for these rules. Loads the kernels if it has."""
        return self.player.compile(self.rules) is not None


class TableOptions(TypedDict, total=False):
    """At which table games are played, in the words that users give: all that `rules_of` and a seed take."""

    players: int  # 2, if nobody says otherwise
    variant: str | Variant  # No Variant
    rules: str | Rules  # hanab-live; rules as such say players and variant too
    seed: int  # 0


class GameOptions(TableOptions, total=False):
    """Which games are played: at a table, each deal so many times, or all on one deal. What `make_plan` takes."""

    repeat: int  # 1
    deal: Deal | None  # None: deal i of the seed for game i


def make_plan(
    bot: str | type[Bot] | Player,
    players: int = 2,
    variant: str | Variant = NO_VARIANT,
    rules: str | Rules = "hanab-live",
    seed: int = 0,
    repeat: int = 1,
    deal: Deal | None = None,
) -> Plan:
    """Return a plan from the words that users give."""
    return Plan(player_of(bot), rules_of(players, variant, rules) if deal is None else deal.rules, seed, repeat, deal)


def rules_of(players: int, variant: str | Variant, rules: str | Rules) -> Rules:
    """Return the rules that are meant: those of a text with players and variant, or those that are given as such."""
    if isinstance(rules, Rules):
        return rules
    return rules_from_text(rules, players, variant if isinstance(variant, Variant) else variant_named(variant))


@dataclass(frozen=True)
class Chunk:
    """Deals first, …, first + count − 1. They do not depend on who plays them: results can be kept and reused."""

    first: int
    count: int


def chunks_of(plan: Plan, games: int) -> Iterator[Chunk]:
    """Yield the chunks of the first so many games of a plan; the last one may be short."""
    if games < 1 or games % plan.repeat:
        raise HandfulError(
            f"games={games}, repeat={plan.repeat}: expected at least one game, a multiple of the repeats"
        )
    yield from cut(games // plan.repeat, max(1, games_a_chunk(plan) // plan.repeat))


def cut(total: int, size: int) -> Iterator[Chunk]:
    """Yield chunks of so many from 0 to `total`; the last one may be short.

    >>> list(cut(5, 3))
    [Chunk(first=0, count=3), Chunk(first=3, count=2)]
    """
    for first in range(0, total, size):
        yield Chunk(first, min(size, total - first))


def games_a_chunk(plan: Plan) -> int:
    """Return how many games make a chunk: few for bots that take long, so that progress is seen and little is lost."""
    usual = COMPILED_CHUNK if plan.is_compiled else PLAIN_CHUNK
    return plan.player.games_a_chunk(plan.rules) or usual


@dataclass(frozen=True)
class Tally:
    """What some games add up to. Tallies of parts add up to the tally of the whole, in any order.

    `deal_squares` is the sum over the deals of (sum of the scores of its repeats)²: with repeats, the deal is what
    was drawn at random, and the spread between deals is the uncertainty of the mean.
    """

    histogram: tuple[int, ...]
    strikeouts: int
    turns: int
    cpu_seconds: float
    deal_squares: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            tuple(mine + theirs for mine, theirs in zip(self.histogram, other.histogram, strict=True)),
            self.strikeouts + other.strikeouts,
            self.turns + other.turns,
            self.cpu_seconds + other.cpu_seconds,
            self.deal_squares + other.deal_squares,
        )


def empty_tally(rules: Rules) -> Tally:
    """Return the tally of no games."""
    return Tally((0,) * (rules.max_score + 1), 0, 0, 0.0, 0)


@dataclass(frozen=True, eq=False)
class Scores:
    """The results of the games of a chunk, one by one, in their order: deal by deal, and each deal's repeats.

    `scores` is int16, one a game.
    """

    scores: npt.NDArray[np.int16]
    strikeouts: int
    turns: int
    cpu_seconds: float

    def tally(self, plan: Plan) -> Tally:
        """Return what they add up to."""
        import numpy as np

        histogram = np.bincount(self.scores, minlength=plan.rules.max_score + 1)
        sums = self.scores.astype(np.int64).reshape(-1, plan.repeat).sum(axis=1)
        squares = int((sums * sums).sum())
        return Tally(tuple(histogram.tolist()), self.strikeouts, self.turns, self.cpu_seconds, squares)


def play_chunk(plan: Plan, chunk: Chunk) -> Scores:
    """Return the results of a chunk. The same wherever it is played, but for the time it takes."""
    play = _play_compiled if plan.is_compiled else _play_plain  # loads the kernels, which is not part of the time
    started = time.thread_time()
    scores, strikeouts, turns = play(plan, chunk)
    return Scores(scores, strikeouts, turns, time.thread_time() - started)


def tally_chunk(plan: Plan, chunk: Chunk) -> Tally:
    """Return what a chunk adds up to."""
    return play_chunk(plan, chunk).tally(plan)


Played: TypeAlias = "tuple[npt.NDArray[np.int16], int, int]"  # scores, strike-outs, turns


def _play_compiled(plan: Plan, chunk: Chunk) -> Played:
    import numpy as np

    from handful.bots.table_kernel import CompiledTable
    from handful.hanabi.kernels.layout import STRIKES

    bot = plan.player.compile(plan.rules)
    assert bot is not None, "only bots with a compiled form come here"
    table = CompiledTable(plan.rules, [bot] * plan.rules.players)
    results = table.play(plan.seed, chunk.first, chunk.count, plan.repeat, plan.deal)
    return results.scores.astype(np.int16), int((results.endings == STRIKES).sum()), int(results.turns.sum())


def _play_plain(plan: Plan, chunk: Chunk) -> Played:
    import numpy as np

    makers = [plan.player.plain] * plan.rules.players
    states = [
        play_game(plan.deal or Deal.from_seed(plan.rules, plan.seed, game), makers, plan.seed, game, repeat)
        for game in range(chunk.first, chunk.first + chunk.count)
        for repeat in range(plan.repeat)
    ]
    scores = np.array([state.score for state in states], np.int16)
    strikeouts = sum(state.ending == "strikes" for state in states)
    return scores, strikeouts, sum(len(state.history) for state in states)
