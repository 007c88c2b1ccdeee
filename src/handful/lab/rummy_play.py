"""Rummy played many times: a policy alone, and two against each other, with intervals. Skill against luck."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.lab.games import Chunk
from handful.lab.running import work_through
from handful.lab.statistics import Interval, mean_interval, wilson_interval
from handful.rummy.answers.answers import Game
from handful.rummy.cards import HandLike, format_cards, mask_of, parse_cards
from handful.rummy.policies import Policy, compiled_rules, policy_named

if TYPE_CHECKING:
    from handful.rummy.kernels.policies import Policy as CompiledPolicy
    from handful.rummy.solver.solve import Progress

CHUNK = 1_000  # games
MOST_TURNS = 10_000
DECKS = {"replace": "a card that is thrown can be drawn again at once", "pile": "it comes back when the pile is empty"}

OnProgress = Callable[[int], None]


@dataclass(frozen=True)
class PlayResult(Shown):
    """How many turns a policy took alone, over some games.

    `mean` and `sd` are over the games that ended; `unfinished` were given up after `most_turns`. `expected` is what the
    table of the policy promises for the hand, or for a deal, if it is that of the game and cards come back at once.
    """

    policy: str
    cards: int
    aces: str
    deck: str
    hand: str
    games: int
    seed: int
    mean: float
    sd: float
    mean_ci95: Interval
    expected: float | None
    quantiles: dict[str, int]
    unfinished: int
    most_turns: int
    histogram: dict[int, int]
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {**self.__dict__, "mean_ci95": list(self.mean_ci95)}

    def __repr__(self) -> str:
        half = (self.mean_ci95[1] - self.mean_ci95[0]) / 2
        return f"<PlayResult {self.policy}, {self.cards} cards, aces {self.aces}: {self.mean:.3f} ± {half:.3f} turns>"


@dataclass(frozen=True)
class MatchResult(Shown):
    """How often each of two policies won. `first` and `second` start in turns.

    `first_share` is the share of the decided games that the first won. `starter_share` is that of who started, and
    `better_deal_share` that of who was dealt the hand with fewer expected turns (None if no table says which).
    """

    first: str
    second: str
    cards: int
    aces: str
    deck: str
    takes: bool
    games: int
    seed: int
    first_wins: int
    second_wins: int
    unfinished: int
    first_share: float
    first_share_ci95: Interval
    starter_share: float
    starter_share_ci95: Interval
    better_deal_share: float | None
    better_deal_share_ci95: Interval | None
    mean_turns: float
    most_turns: int
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.__dict__.items()}

    def __repr__(self) -> str:
        low, high = self.first_share_ci95
        return f"<MatchResult {self.first} wins {self.first_share:.2%} ({low:.2%} to {high:.2%}) against {self.second}>"


def play_rummy(
    policy: str | Policy = "optimal",
    *,
    cards: int = 3,
    aces: str = "low",
    games: int = 10_000,
    seed: int = 0,
    deck: str = "replace",
    hand: HandLike = (),
    most_turns: int = MOST_TURNS,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    on_solving: Callable[[Progress], None] | None = None,
) -> PlayResult:
    """Return how many turns a policy takes alone, from a hand or from any deal; the same for any number of workers."""
    player = policy_named(policy) if isinstance(policy, str) else policy
    start = parse_cards(hand, cards if parse_cards(hand) else None)
    game = Game(cards, aces)
    _check(games, seed, deck, most_turns)
    job = Alone(game, player.compile(game, on_solving), mask_of(start), deck == "pile", seed, most_turns)
    started = time.perf_counter()
    turns: Counter[int] = Counter()
    for chunk, part in work_through(play_chunk, job, list(_chunks(games)), workers):
        turns += part
        if on_progress is not None:
            on_progress(chunk.count)
    unfinished = turns.pop(-1, 0)
    mean, sd, finished = _mean_and_sd(turns)
    return PlayResult(
        policy=player.name,
        cards=cards,
        aces=aces,
        deck=deck,
        hand=format_cards(start),
        games=games,
        seed=seed,
        mean=mean,
        sd=sd,
        mean_ci95=mean_interval(mean, sd, finished),
        expected=_expected(player, game, start) if deck == "replace" else None,
        quantiles={
            f"{share:g}": _quantile(turns, share * games, most_turns) for share in (0.05, 0.25, 0.5, 0.75, 0.95)
        },
        unfinished=unfinished,
        most_turns=most_turns,
        histogram=dict(sorted(turns.items())),
        seconds=time.perf_counter() - started,
    )


def match_rummy(
    first: str | Policy = "optimal",
    second: str | Policy = "random",
    *,
    cards: int = 3,
    aces: str = "low",
    games: int = 10_000,
    seed: int = 0,
    deck: str = "pile",
    takes: bool = False,
    most_turns: int = MOST_TURNS,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    on_solving: Callable[[Progress], None] | None = None,
) -> MatchResult:
    """Return how often each of two policies goes out first; with `takes`, thrown cards may be taken."""
    players = [policy_named(each) if isinstance(each, str) else each for each in (first, second)]
    game = Game(cards, aces)
    _check(games, seed, deck, most_turns)
    compiled = players[0].compile(game, on_solving), players[1].compile(game, on_solving)
    job = Both(game, compiled, deck == "pile", takes, seed, most_turns)
    started = time.perf_counter()
    total = Wins()
    for chunk, part in work_through(match_chunk, job, list(_chunks(games)), workers):
        total += part
        if on_progress is not None:
            on_progress(chunk.count)
    decided = total.first + total.second
    return MatchResult(
        first=players[0].name,
        second=players[1].name,
        cards=cards,
        aces=aces,
        deck=deck,
        takes=takes,
        games=games,
        seed=seed,
        first_wins=total.first,
        second_wins=total.second,
        unfinished=games - decided,
        first_share=total.first / max(1, decided),
        first_share_ci95=wilson_interval(total.first, decided),
        starter_share=total.starter / max(1, decided),
        starter_share_ci95=wilson_interval(total.starter, decided),
        better_deal_share=total.better / total.unequal if total.unequal else None,
        better_deal_share_ci95=wilson_interval(total.better, total.unequal) if total.unequal else None,
        mean_turns=total.turns / max(1, decided),
        most_turns=most_turns,
        seconds=time.perf_counter() - started,
    )


@dataclass(frozen=True)
class Alone:
    """Games of one player."""

    game: Game
    policy: CompiledPolicy
    start: int
    has_pile: bool
    seed: int
    most_turns: int

    is_compiled = True


@dataclass(frozen=True)
class Both:
    """Games of two players."""

    game: Game
    policies: tuple[CompiledPolicy, CompiledPolicy]
    has_pile: bool
    takes: bool
    seed: int
    most_turns: int

    is_compiled = True


@dataclass(frozen=True)
class Wins:
    """What some games of two add up to; `better` counts who was dealt the better hand, of `unequal` ones, and won."""

    first: int = 0
    second: int = 0
    starter: int = 0
    better: int = 0
    unequal: int = 0
    turns: int = 0

    def __add__(self, other: Wins) -> Wins:
        return Wins(
            self.first + other.first,
            self.second + other.second,
            self.starter + other.starter,
            self.better + other.better,
            self.unequal + other.unequal,
            self.turns + other.turns,
        )


def play_chunk(job: Alone, chunk: Chunk) -> Counter[int]:
    """Return how often each number of turns occurs in the games of a chunk; −1 stands for those that were given up."""
    import numpy as np

    from handful.rummy.kernels.play import play_alone

    turns = np.zeros(chunk.count, np.int64)
    rules = compiled_rules(job.game)
    play_alone(rules, job.policy, job.start, job.has_pile, job.seed, chunk.first, job.most_turns, turns)
    return Counter(turns.tolist())


def match_chunk(job: Both, chunk: Chunk) -> Wins:
    """Return who won the games of a chunk."""
    import numpy as np

    from handful.rummy.kernels.play import play_match

    results = np.zeros((chunk.count, 3), np.int64)
    rules = compiled_rules(job.game)
    play_match(rules, job.policies, job.has_pile, job.takes, job.seed, chunk.first, job.most_turns, results)
    numbers = np.arange(chunk.first, chunk.first + chunk.count)
    winner, turns, better = results.T
    is_decided = winner >= 0
    is_unequal = is_decided & (better >= 0)
    return Wins(
        int((winner == 0).sum()),
        int((winner == 1).sum()),
        int((is_decided & (winner == numbers % 2)).sum()),
        int((is_unequal & (winner == better)).sum()),
        int(is_unequal.sum()),
        int(turns[is_decided].sum()),
    )


def _check(games: int, seed: int, deck: str, most_turns: int) -> None:
    check_seed(seed)
    if games < 1:
        raise HandfulError(f"games={games}: expected at least 1")
    if most_turns < 1:
        raise HandfulError(f"most_turns={most_turns}: expected at least 1")
    if deck not in DECKS:
        raise HandfulError(f"deck {deck!r}: expected {' or '.join(DECKS)}")


def _chunks(games: int) -> Iterator[Chunk]:
    for first in range(0, games, CHUNK):
        yield Chunk(first, min(CHUNK, games - first))


def _mean_and_sd(turns: Counter[int]) -> tuple[float, float, int]:
    """Return mean, sample standard deviation and number of games; the sums are exact."""
    count = turns.total()
    total = sum(turn * times for turn, times in turns.items())
    squares = sum(turn * turn * times for turn, times in turns.items())
    variance = (squares * count - total * total) / (count * (count - 1)) if count > 1 else 0.0
    return (total / count if count else 0.0), sqrt(variance), count


def _quantile(turns: Counter[int], games: float, most_turns: int) -> int:
    """Return within how many turns so many games were done; games that were given up count as long ones."""
    done = 0
    for turn, times in sorted(turns.items()):
        done += times
        if done >= games:
            return turn
    return most_turns


def _expected(player: Policy, game: Game, start: HandLike) -> float | None:
    """Return the turns that a player by the exact table of this very game takes on average."""
    from handful.rummy.advice import ready_table

    if player.kind != "optimal" or player.tolerance or player.aces not in (None, game.aces):
        return None
    table = ready_table(game.cards, game.aces)
    return table.expected_turns(start) if parse_cards(start) else table.summary().mean
