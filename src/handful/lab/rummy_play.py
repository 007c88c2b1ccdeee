"""Rummy played many times: a policy alone, and two against each other, with intervals. Skill against luck."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from handful.display import Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.lab.games import Chunk
from handful.lab.running import work_through
from handful.lab.statistics import Interval, mean_and_sd, mean_interval, wilson_interval
from handful.rummy.cards import Card, HandLike, format_cards, mask_of, parse_cards
from handful.rummy.game import Game
from handful.rummy.policies import Policy, compiled_rules, policy_named
from handful.rummy.solver.long_run import Report
from handful.rummy.solver.solve import ready_answers

if TYPE_CHECKING:
    from handful.rummy.kernels.play import Policy as CompiledPolicy

CHUNK = 1_000  # games
DECKS = {"replace": "a card that is thrown can be drawn again at once", "pile": "it comes back when the pile is empty"}

OnProgress = Callable[[int], None]
_Job = TypeVar("_Job", "Alone", "Both")
_Part = TypeVar("_Part")


class WhichGames(TypedDict, total=False):
    """Which games are played, as keywords: see `Games`."""

    cards: int
    aces: str
    deck: str
    games: int
    seed: int
    most_turns: int


@dataclass(frozen=True)
class Games:
    """Which games are played: so many of a seed, with such a deck (see `DECKS`), given up after `most_turns`."""

    cards: int = 3
    aces: str = "low"
    deck: str = "replace"
    games: int = 10_000
    seed: int = 0
    most_turns: int = 10_000

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name in ("games", "most_turns"):
            if getattr(self, name) < 1:
                raise HandfulError(f"{name}={getattr(self, name)}: expected at least 1")
        if self.deck not in DECKS:
            raise HandfulError(f"deck {self.deck!r}: expected {' or '.join(DECKS)}")

    @property
    def game(self) -> Game:
        """What is played."""
        return Game(self.cards, self.aces)

    @property
    def has_pile(self) -> bool:
        """Whether cards that are thrown come back only when the pile is empty."""
        return self.deck == "pile"


class PlayedResult(Shown):
    """What many games came to."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}


@dataclass(frozen=True)
class PlayResult(PlayedResult):
    """How many turns a policy took alone, over some games.

    `mean` and `sd` are over the games that ended; `unfinished` were given up after `most_turns`. `expected` is what its
    answers promise for the hand, or for a deal, if they are those of the game and cards come back at once.
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

    def __repr__(self) -> str:
        half = (self.mean_ci95[1] - self.mean_ci95[0]) / 2
        return f"<PlayResult {self.policy}, {self.cards} cards, aces {self.aces}: {self.mean:.3f} ± {half:.3f} turns>"


@dataclass(frozen=True)
class MatchResult(PlayedResult):
    """How often each of two policies won. `first` and `second` start in turns.

    `first_share` is the share of the decided games that the first won. `starter_share` is that of who started, and
    `better_deal_share` that of who was dealt the hand with fewer expected turns (None if no answers say which).
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

    def __repr__(self) -> str:
        low, high = self.first_share_ci95
        return f"<MatchResult {self.first} wins {self.first_share:.2%} ({low:.2%} to {high:.2%}) against {self.second}>"


def play_rummy(
    policy: str | Policy = "optimal",
    played: Games | None = None,
    *,
    hand: HandLike = (),
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    on_solving: Report | None = None,
    **which: Unpack[WhichGames],
) -> PlayResult:
    """Return how many turns a policy takes alone, from a hand or from any deal; the same for any number of workers.

    Which games are played is said by `Games`, or by single keywords: ``play_rummy("greedy", cards=4, games=1000)``.
    """
    player = policy_named(policy) if isinstance(policy, str) else policy
    played = replace(played or Games(), **which)
    start = parse_cards(hand, played.cards) if parse_cards(hand) else ()
    job = Alone(played, player.compile(played.game, on_solving), mask_of(start))
    started = time.perf_counter()
    turns: Counter[int] = Counter()
    for part in _parts(play_chunk, job, workers, on_progress):
        turns += part
    unfinished = turns.pop(-1, 0)
    mean, sd = mean_and_sd(tuple(turns[turn] for turn in range(max(turns, default=0) + 1)))
    return PlayResult(
        **asdict(played),
        policy=player.name,
        hand=format_cards(start),
        mean=mean,
        sd=sd,
        mean_ci95=mean_interval(mean, sd, turns.total()),
        expected=None if played.has_pile else _expected(player, played.game, start),
        quantiles={f"{share:g}": _quantile(turns, share, played) for share in (0.05, 0.25, 0.5, 0.75, 0.95)},
        unfinished=unfinished,
        histogram=dict(sorted(turns.items())),
        seconds=time.perf_counter() - started,
    )


def match_rummy(
    first: str | Policy = "optimal",
    second: str | Policy = "random",
    played: Games | None = None,
    *,
    takes: bool = False,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    on_solving: Report | None = None,
    **which: Unpack[WhichGames],
) -> MatchResult:
    """Return how often each of two policies goes out first; with `takes`, thrown cards may be taken.

    Which games are played is said as for one player; there is a pile, if nothing else is said.
    """
    players = [policy_named(each) if isinstance(each, str) else each for each in (first, second)]
    played = replace(played or Games(deck="pile"), **which)
    compiled = players[0].compile(played.game, on_solving), players[1].compile(played.game, on_solving)
    started = time.perf_counter()
    total = sum(_parts(match_chunk, Both(played, compiled, takes), workers, on_progress), Wins())
    decided = total.first + total.second
    return MatchResult(
        **asdict(played),
        first=players[0].name,
        second=players[1].name,
        takes=takes,
        first_wins=total.first,
        second_wins=total.second,
        unfinished=played.games - decided,
        first_share=total.first / max(1, decided),
        first_share_ci95=wilson_interval(total.first, decided),
        starter_share=total.starter / max(1, decided),
        starter_share_ci95=wilson_interval(total.starter, decided),
        better_deal_share=total.better / total.unequal if total.unequal else None,
        better_deal_share_ci95=wilson_interval(total.better, total.unequal) if total.unequal else None,
        mean_turns=total.turns / max(1, decided),
        seconds=time.perf_counter() - started,
    )


@dataclass(frozen=True)
class Alone:
    """Games of one player, from a hand (a mask), or from any deal if that is 0."""

    played: Games
    policy: CompiledPolicy
    start: int

    is_compiled = True


@dataclass(frozen=True)
class Both:
    """Games of two players."""

    played: Games
    policies: tuple[CompiledPolicy, CompiledPolicy]
    takes: bool

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
        return Wins(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def _parts(
    play: Callable[[_Job, Chunk], _Part], job: _Job, workers: int | None, on_progress: OnProgress | None
) -> Iterator[_Part]:
    """Yield what the chunks of a job come to, on all cores."""
    games = job.played.games
    chunks = [Chunk(first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    for chunk, part in work_through(play, job, chunks, workers):
        yield part
        if on_progress is not None:
            on_progress(chunk.count)


def play_chunk(job: Alone, chunk: Chunk) -> Counter[int]:
    """Return how often each number of turns occurs in the games of a chunk; −1 stands for those that were given up."""
    import numpy as np

    from handful.rummy.kernels.play import play_alone

    turns = np.zeros(chunk.count, np.int64)
    played, rules = job.played, compiled_rules(job.played.game)
    play_alone(rules, job.policy, job.start, played.has_pile, played.seed, chunk.first, played.most_turns, turns)
    return Counter(turns.tolist())


def match_chunk(job: Both, chunk: Chunk) -> Wins:
    """Return who won the games of a chunk."""
    import numpy as np

    from handful.rummy.kernels.play import RESULT, play_match

    results = np.zeros(chunk.count, RESULT)
    played, rules = job.played, compiled_rules(job.played.game)
    play_match(rules, job.policies, played.has_pile, job.takes, played.seed, chunk.first, played.most_turns, results)
    numbers = np.arange(chunk.first, chunk.first + chunk.count)
    winner, turns, better = results["winner"], results["turns"], results["better_deal"]
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


def _quantile(turns: Counter[int], share: float, played: Games) -> int:
    """Return within how many turns a share of the games was done; games that were given up count as long ones."""
    done = 0
    for turn, times in sorted(turns.items()):
        done += times
        if done >= share * played.games:
            return turn
    return played.most_turns


def _expected(player: Policy, game: Game, start: tuple[Card, ...]) -> float | None:
    """Return the turns that a player by the exact answers of this very game takes on average."""
    if player.kind != "optimal" or player.tolerance or player.aces not in (None, game.aces):
        return None
    answers = ready_answers(game.cards, game.aces)
    return answers.expected_turns(start) if start else answers.summary().mean
