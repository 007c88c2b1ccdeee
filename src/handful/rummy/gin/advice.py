"""What to do at a table of Gin: every choice with its win chance, its points and how sure that is.

`advise` draws worlds that fit a view, the likelier the better they explain what the opponent did, and plays each choice
on in each of them, until open hands are judged. `Adviser` may be asked again and again for more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from handful.display import Shown
from handful.errors import HandfulError, IllegalActionError, RulesError
from handful.rummy.gin.actions import GinAction, action_at
from handful.rummy.gin.rules import GinRules
from handful.rummy.gin.thought import Thought, model_for, win_chance
from handful.rummy.gin.view import GinView
from handful.splitmix import BOT_STREAM, stream_start

Interval = tuple[float, float]
BATCH = 32  # worlds of a look
USUAL = Thought()
DEVIATIONS = 1.96  # of a 95 % interval


@dataclass(frozen=True)
class GinChoice:
    """What a choice is worth.

    `win_chance` is that of the game, `points` what the round brings on average (negative: the opponent's),
    `round_win_chance` how often the round is won, `gin_chance` with gin, `undercut_risk` how often an own knock is
    undercut, `expected_turns` how many turns of both are still taken: of rounds that are played to their ends by the
    quick judgement. The intervals are of 95 %: what more worlds could change, not what the judgement does not know.
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

    def __init__(self, view: GinView, rules: GinRules | None = None, seed: int = 0, thought: Thought = USUAL) -> None:
        import numpy as np

        from handful.rummy.gin.kernels.bridge import rulebook, view_record
        from handful.rummy.gin.kernels.endings import ENDING
        from handful.rummy.gin.kernels.places import MOST_CHOICES, list_choices

        if not view.legal:
            raise HandfulError(f"player {view.player} is not to move: there is nothing to choose")
        self.view, self.rules = view, rules or view.rules
        check_score(self.rules, view.scores)
        self.thought = thought.fitting(self.rules)
        self.seconds, self.worlds = 0.0, 0
        self._book, self._views = rulebook(self.rules), view_record(view)
        choices = np.zeros(MOST_CHOICES, np.int64)
        self._choices = choices[: list_choices(self._views, 0, self._book, choices)].copy()
        self._endings = np.zeros(len(self._choices), ENDING)
        # A row for each look: the means over its worlds. They come from one chain of pasts, so that it is the looks
        # that are independent of each other.
        self._looks: list[Any] = []
        self._chance = np.array([stream_start(seed, BOT_STREAM)], np.uint64)

    def look(self, worlds: int = BATCH) -> None:
        """Play every choice out in so many more worlds."""
        import numpy as np

        from handful.rummy.gin.kernels.choices import try_choices
        from handful.rummy.gin.kernels.endings import count_endings
        from handful.rummy.gin.kernels.worlds import draw_worlds

        started = time.perf_counter()
        model, chance, thought = model_for(self.rules), self._chance, self.thought
        opponents, outcomes = np.zeros(worlds, np.int64), np.zeros((2, len(self._choices), worlds))
        effort = (thought.tried, thought.burn, thought.steps)
        draw_worlds(self._views, self._book, model.habits, model.weights, effort, chance, opponents)
        try_choices(self._views, self._book, self._choices, opponents, model, thought.depth, chance, outcomes)
        count_endings(self._views, self._book, self._choices, opponents, model.weights, chance, self._endings)
        self._looks.append((worlds, outcomes.mean(axis=2), outcomes.var(axis=2)))
        self.worlds += worlds
        self.seconds += time.perf_counter() - started

    @cached_property
    def _before(self) -> float:
        own, other = self.view.scores
        return win_chance(self.rules, own, other, self.view.starter == self.view.player)

    def advice(self) -> GinAdvice:
        """Return what the worlds so far tell."""
        import numpy as np

        sizes = np.array([worlds for worlds, _, _ in self._looks], float)
        means = np.array([mean for _, mean, _ in self._looks])
        shares = (sizes / sizes.sum())[:, None, None]
        mean = (shares * means).sum(axis=0)
        within = (shares * np.array([spread for _, _, spread in self._looks])).sum(axis=0) / sizes.sum()
        between = (shares**2 * (means - mean) ** 2).sum(axis=0) * len(sizes) / max(1, len(sizes) - 1)
        errors = DEVIATIONS * np.sqrt(np.maximum(within, between))
        found = [
            _choice(int(number), mean[:, k], errors[:, k], self._endings[k], self.worlds)
            for k, number in enumerate(self._choices)
        ]
        ranked = tuple(sorted(found, key=lambda choice: -choice.win_chance))
        return GinAdvice(self.view.player, self.view.phase, ranked, self._before, self.worlds, self.seconds)


def check_score(rules: GinRules, scores: tuple[int, int]) -> None:
    """Refuse a score with which a game is over, or that none can have."""
    if not all(0 <= score < rules.target for score in scores):
        raise RulesError(f"score {scores[0]}-{scores[1]}: expected two numbers from 0 to {rules.target - 1}")


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


def _choice(number: int, means: Any, errors: Any, ending: Any, worlds: int) -> GinChoice:
    """Return what was found of a choice."""
    chance, points = map(float, means)
    chance_error, points_error = map(float, errors)
    return GinChoice(
        action=action_at(number),
        win_chance=chance,
        win_chance_ci95=(max(0.0, chance - chance_error), min(1.0, chance + chance_error)),
        points=points,
        points_ci95=(points - points_error, points + points_error),
        round_win_chance=int(ending["won"]) / worlds,
        round_loss_chance=int(ending["lost"]) / worlds,
        gin_chance=int(ending["gin"]) / worlds,
        undercut_risk=int(ending["undercut"]) / worlds,
        expected_turns=int(ending["turns"]) / worlds,
        worlds=worlds,
    )
