"""What to do at a table of Gin: every choice with its win chance, its points and how sure that is.

`advise` draws worlds that fit a view, the likelier the better they explain what the opponent did, and plays each choice
out in each of them. It may be asked again and again for more: `Adviser` goes on where it stopped.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from handful.display import Shown
from handful.errors import HandfulError, IllegalActionError
from handful.rummy.gin.actions import GinAction, action_at
from handful.rummy.gin.rules import GinRules
from handful.rummy.gin.thought import model_for, win_chance
from handful.rummy.gin.view import GinView
from handful.splitmix import BOT_STREAM, stream_start

Interval = tuple[float, float]
BATCH = 256  # worlds, drawn from four times as many hands
DEVIATIONS = 1.96  # of a 95 % interval


@dataclass(frozen=True)
class GinChoice:
    """What a choice is worth.

    `win_chance` is that of the game, `points` what the round brings on average (negative: the opponent's),
    `round_win_chance` how often the round is won, `gin_chance` with gin, `undercut_risk` how often an own knock is
    undercut, `expected_turns` how many turns of both are still taken. The intervals are of 95 %.
    """

    action: GinAction
    win_chance: float
    win_chance_ci95: Interval
    points: float
    points_ci95: Interval
    round_win_chance: float
    round_loss_chance: float
    gin_chance: float
    undercut_risk: float
    expected_turns: float
    worlds: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        told = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return {**told, "action": str(self.action)}


@dataclass(frozen=True)
class GinAdvice(Shown):
    """All choices of a place, the best first; `worlds` were looked at, in `seconds`.

    `before` is the win chance of the score, before the round was dealt.
    """

    player: int
    phase: str
    choices: tuple[GinChoice, ...]
    before: float
    worlds: int
    seconds: float

    @property
    def best(self) -> GinChoice:
        """The choice of the highest win chance."""
        return self.choices[0]

    @property
    def win_chance(self) -> float:
        """The win chance of the best choice."""
        return self.best.win_chance

    def of(self, action: GinAction) -> GinChoice:
        """Return what an action is worth; of the knocks, only the best is looked at."""
        for choice in self.choices:
            if choice.action == action or (choice.action.kind == action.kind == "knock"):
                return choice
        raise IllegalActionError(f"{action}: not one of {', '.join(str(choice.action) for choice in self.choices)}")

    def cost(self, action: GinAction) -> float:
        """Return what an action costs, in win chance."""
        return self.best.win_chance - self.of(action).win_chance

    def points_cost(self, action: GinAction) -> float:
        """Return what an action costs, in points of the round."""
        return self.best.points - self.of(action).points

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "player": self.player,
            "phase": self.phase,
            "best": str(self.best.action),
            "win_chance": self.win_chance,
            "before": self.before,
            "choices": [choice.to_dict() for choice in self.choices],
            "worlds": self.worlds,
            "seconds": self.seconds,
        }

    def __repr__(self) -> str:
        return f"<GinAdvice {self.best.action}: wins {self.win_chance:.1%}, {self.best.points:+.1f} points>"


class Adviser:
    """Looks at a place longer and longer: `look` adds worlds, `advice` is what they tell so far."""

    def __init__(self, view: GinView, rules: GinRules | None = None, seed: int = 0) -> None:
        import numpy as np

        from handful.rummy.gin.kernels.bridge import rulebook, view_record
        from handful.rummy.gin.kernels.choices import TALLY
        from handful.rummy.gin.kernels.search import MOST_CHOICES, list_choices

        if not view.legal:
            raise HandfulError(f"player {view.player} is not to move: there is nothing to choose")
        self.view, self.rules = view, rules or view.rules
        self.seconds, self.worlds = 0.0, 0
        self._book, self._views = rulebook(self.rules), view_record(view)
        choices = np.zeros(MOST_CHOICES, np.int64)
        self._choices = choices[: list_choices(self._views, 0, self._book, choices)].copy()
        self._tallies = np.zeros(len(self._choices), TALLY)
        self._chance = np.array([stream_start(seed, BOT_STREAM)], np.uint64)

    def look(self, worlds: int = BATCH) -> None:
        """Play every choice out in so many more worlds."""
        import numpy as np

        from handful.rummy.gin.kernels.choices import try_choices
        from handful.rummy.gin.kernels.worlds import draw_worlds

        started = time.perf_counter()
        model = model_for(self.rules)
        tried, opponents = np.zeros(4 * worlds, np.int64), np.zeros(worlds, np.int64)
        draw_worlds(self._views, 0, self._book, model.weights, model.habits, self._chance, 0, tried, opponents)
        outcomes = np.zeros((len(self._choices), worlds))
        try_choices(self._views, self._book, self._choices, opponents, model, self._chance, outcomes, self._tallies)
        self.worlds += worlds
        self.seconds += time.perf_counter() - started

    @cached_property
    def _before(self) -> float:
        own, other = self.view.scores
        return win_chance(self.rules, own, other, self.view.starter == self.view.player)

    def advice(self) -> GinAdvice:
        """Return what the worlds so far tell."""
        found = [_choice(int(number), row) for number, row in zip(self._choices, self._tallies, strict=True)]
        ranked = tuple(sorted(found, key=lambda choice: -choice.win_chance))
        return GinAdvice(self.view.player, self.view.phase, ranked, self._before, self.worlds, self.seconds)


def advise(
    view: GinView, rules: GinRules | None = None, *, seconds: float = 0.25, seed: int = 0, worlds: int | None = None
) -> GinAdvice:
    """Return what each choice of a place is worth, after looking at it for some time, or in so many worlds.

    With `worlds` the answer is a function of the view and the seed.

    >>> from handful.rummy.gin import GinDeal, Round
    >>> advice = advise(Round(GinDeal.from_seed(7)).view(0), worlds=256)
    >>> str(advice.best.action), len(advice.choices)
    ('take', 2)
    """
    adviser = Adviser(view, rules, seed)
    if worlds is not None:
        if worlds < 1:
            raise HandfulError(f"worlds={worlds}: expected at least 1")
        while adviser.worlds < worlds:
            adviser.look(min(BATCH, worlds - adviser.worlds))
        return adviser.advice()
    if not seconds > 0:
        raise HandfulError(f"seconds={seconds}: expected more than 0")
    started = time.perf_counter()
    while True:
        adviser.look()
        if time.perf_counter() - started >= seconds:
            return adviser.advice()


def _choice(number: int, row: Any) -> GinChoice:
    """Return what a tally says."""
    count = int(row["worlds"])
    chance, chance_error = _mean(float(row["chance"]), float(row["chance_squares"]), count)
    points, points_error = _mean(float(row["points"]), float(row["points_squares"]), count)
    return GinChoice(
        action=action_at(number),
        win_chance=chance,
        win_chance_ci95=(max(0.0, chance - chance_error), min(1.0, chance + chance_error)),
        points=points,
        points_ci95=(points - points_error, points + points_error),
        round_win_chance=int(row["won"]) / count,
        round_loss_chance=int(row["lost"]) / count,
        gin_chance=int(row["gin"]) / count,
        undercut_risk=int(row["undercut"]) / count,
        expected_turns=int(row["turns"]) / count,
        worlds=count,
    )


def _mean(total: float, squares: float, count: int) -> tuple[float, float]:
    """Return a mean and half the width of its interval."""
    mean = total / count
    return mean, DEVIATIONS * sqrt(max(0.0, squares / count - mean * mean) / count)
