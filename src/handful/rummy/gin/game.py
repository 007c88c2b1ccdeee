"""A game of Gin to the target: rounds, one after the other, and the score sheet with all that is counted at the end."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from handful.errors import IllegalActionError
from handful.rummy.cards import Card
from handful.rummy.gin.actions import DRAW, PASS, TAKE, GinAction, action_at
from handful.rummy.gin.deal import GinDeal
from handful.rummy.gin.round import Round, Settlement
from handful.rummy.gin.rules import EAAI, GinRules


@dataclass(frozen=True)
class GinPlan:
    """What a game is before its first deal: the house, the seed of all deals, and who starts the first round."""

    rules: GinRules = EAAI
    seed: int = 0
    starter: int = 0

    def deal(self, round_number: int) -> GinDeal:
        """Return the deal of a round."""
        return GinDeal.from_seed(self.seed, 0, round_number)


@dataclass(frozen=True)
class GinEvent:
    """What happened, as both saw it: the card is the upcard that was taken or refused, or what was thrown."""

    player: int
    kind: str  # take, draw, pass, throw, knock, big-gin
    card: Card | None = None


@dataclass(frozen=True)
class PlayedRound:
    """A round that is over: how it was dealt and played, and what it came to."""

    number: int
    deal: GinDeal
    starter: int
    scores: tuple[int, int]  # before it
    actions: tuple[int, ...]
    events: tuple[GinEvent, ...]
    end: Round

    @property
    def settlement(self) -> Settlement:
        """How it ended."""
        assert self.end.settlement is not None
        return self.end.settlement

    @property
    def points(self) -> tuple[int, int]:
        """What each player won."""
        found = self.settlement
        return (found.points if found.winner == 0 else 0, found.points if found.winner == 1 else 0)

    def after(self, actions: int) -> Round:
        """Return the round as it was after so many actions."""
        again = Round(self.deal, self.end.rules, self.starter, self.scores)
        for action in self.actions[:actions]:
            again.act(action)
        return again


class GinGame:
    """A game of two players to the target. After a round that somebody won, the other one starts the next.

    >>> game = GinGame(GinPlan(seed=7))
    >>> [str(action) for action in game.round.legal_actions()]
    ['take', 'pass']
    """

    def __init__(self, plan: GinPlan) -> None:
        self.plan = plan
        self.played: tuple[PlayedRound, ...] = ()
        self.scores = (0, 0)
        self._starter = plan.starter
        self._begin()

    def _begin(self) -> None:
        deal = self.plan.deal(len(self.played))
        self.round = Round(deal, self.plan.rules, self._starter, self.scores)
        self.actions: tuple[int, ...] = ()
        self.events: tuple[GinEvent, ...] = ()
        self.got: Card | None = None  # what the player to throw has just drawn or taken: known to that player alone

    @property
    def rules(self) -> GinRules:
        """The rules of the house."""
        return self.plan.rules

    @property
    def round_is_over(self) -> bool:
        """Whether the round has ended, and the next one has not been dealt."""
        return self.round.is_over

    @property
    def is_over(self) -> bool:
        """Whether somebody has reached the target."""
        return max(self.scores) >= self.rules.target

    @property
    def winner(self) -> int | None:
        """Who won the game; None while it goes on."""
        return None if not self.is_over else int(self.scores[1] > self.scores[0])

    def copy(self) -> GinGame:
        """Return the same game, to go on with independently."""
        other = copy.copy(self)
        other.round = self.round.copy()
        return other

    def act(self, action: GinAction | int) -> None:
        """Do in the round what the player to move asks for."""
        number = action if isinstance(action, int) else action.number
        player, hand, upcard = self.round.current, set(self.round.hands[self.round.current]), self.round.upcard
        self.round.act(number)
        done = action_at(number)
        self.events = (*self.events, GinEvent(player, done.kind, upcard if number in (TAKE, PASS) else done.card))
        self.actions = (*self.actions, number)
        self.got = None
        if number in (TAKE, DRAW) and not self.round.is_over:
            (self.got,) = self.round.hands[player] - hand
        if self.round.is_over:
            self._write_down()

    def _write_down(self) -> None:
        played = PlayedRound(
            *(len(self.played), self.round.deal, self.round.starter, self.scores, self.actions, self.events, self.round)
        )
        self.played = (*self.played, played)
        self.scores = (self.scores[0] + played.points[0], self.scores[1] + played.points[1])
        if played.settlement.winner is not None:
            self._starter = 1 - self._starter

    def next_round(self) -> None:
        """Deal the next round."""
        if self.is_over or not self.round_is_over:
            raise IllegalActionError(
                "no round can be dealt: " + ("the game is over" if self.is_over else "one goes on")
            )
        self._begin()


@dataclass(frozen=True)
class ScoreLine:
    """A line that is added at the end of a game: what for, and how many points for each player."""

    text: str
    points: tuple[int, int]


def final_lines(game: GinGame) -> tuple[ScoreLine, ...]:
    """Return what the house adds when a game is over: the game, the shutout, the boxes; nothing while it goes on."""
    rules, winner = game.rules, game.winner
    if winner is None:
        return ()

    def for_winner(points: int) -> tuple[int, int]:
        return (points, 0) if winner == 0 else (0, points)

    lines = [ScoreLine("game", for_winner(rules.game_bonus))]
    if rules.shutout_doubles and game.scores[1 - winner] == 0:
        lines.append(ScoreLine("shutout: all that twice", for_winner(game.scores[winner] + rules.game_bonus)))
    won = [sum(each.settlement.winner == player for each in game.played) for player in range(2)]
    boxes = (won[0] * rules.box_bonus, won[1] * rules.box_bonus)
    lines.append(ScoreLine(f"boxes, {rules.box_bonus} a round won", boxes))
    return tuple(line for line in lines if any(line.points))


def final_scores(game: GinGame) -> tuple[int, int]:
    """Return the scores with all that is added at the end."""
    lines = final_lines(game)
    return (
        game.scores[0] + sum(line.points[0] for line in lines),
        game.scores[1] + sum(line.points[1] for line in lines),
    )


def score_sheet(game: GinGame) -> dict[str, Any]:
    """Return the score sheet as plain values."""
    return {
        "scores": list(game.scores),
        "target": game.rules.target,
        "rounds": [
            {"round": each.number + 1, "ending": each.settlement.ending, "points": list(each.points)}
            for each in game.played
        ],
        "at_the_end": [{"for": line.text, "points": list(line.points)} for line in final_lines(game)],
        "final": list(final_scores(game)) if game.is_over else None,
    }
