"""How good is each action, by what the player to move can know? A position judged by a reference team.

All sensible actions are tried in the same worlds; what is clearly worse than the best so far is given up, and the rest
gets more worlds. So the best action is found. What it is better by is then measured anew, in worlds that the race has
not seen: the best of twenty estimates is partly best by luck, and fresh worlds do not share that luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from handful.bots.best import reference_player
from handful.bots.players import Player, player_named
from handful.bots.protocol import CompiledBot
from handful.errors import RulesError
from handful.hanabi.actions import Action, Play, action_at, action_index
from handful.hanabi.cards import card_index
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.view import View
from handful.lab.review.doubt import slots_kept
from handful.lab.review.manner import LITERAL, Manner
from handful.lab.review.trust import known_by_use
from handful.lab.statistics import Z95
from handful.splitmix import SplitMix64

if TYPE_CHECKING:
    from handful.lab.review.worlds_kernel import Question

REVIEW_STREAM = 23  # the stream of worlds: (seed, REVIEW_STREAM, turn)
FRESH = 1 << 40  # the number of the first world in which the difference is measured
DROP = 2.5  # standard errors by which an action must be worse than the best to be given up
TIE_BREAK = 0.01  # of a win that a whole score is worth: it decides between actions that win equally often


@dataclass(frozen=True)
class Effort:
    """How many worlds to try: at first, at most in the race, and to measure the difference in."""

    first: int = 24
    most: int = 192
    measured: int = 384

    def times(self, factor: float) -> Effort:
        """Return so many times the worlds of the race and of the measurement."""
        return Effort(self.first, max(1, round(self.most * factor)), max(2, round(self.measured * factor)))


@dataclass(frozen=True)
class Judged:
    """What came of an action: the share of its worlds that were won, their mean score, and how many they were.

    In a race, an action that was given up has the winner's share in all worlds, less what it was behind in its own.
    """

    action: Action
    chance: float
    score: float
    worlds: int


@dataclass(frozen=True)
class Judgement:
    """A position judged. `actions` are the candidates, the best first; `best` and `played` are measured afresh.

    The chance of a position is that of `best`: what the reference team comes to after the best action found. `loss` is
    that less the chance of the action played, in the same fresh worlds, with its 95 % `margin`; `points_lost` is that
    of the mean scores. `lead` is the loss of the next best action; `is_clear`: it is at least twice its margin.
    """

    actions: tuple[Judged, ...]
    best: Judged
    played: Judged | None
    loss: float
    margin: float
    points_lost: float
    lead: float
    is_clear: bool
    manner: Manner


def reference_team(rules: Rules) -> tuple[Player, CompiledBot]:
    """Return the strongest fast bot for a game; `information` plans its endgames as in the play-outs of `search`."""
    player = reference_player(rules)
    return player, compiled_for(player, rules)


def compiled_for(player: Player, rules: Rules) -> CompiledBot:
    """Return the compiled form in which a player plays out the rest of a game."""
    player.check_sees_a_view("a team that judges what players could know must not see more")
    bot = player.compile(rules)
    if bot is None:
        raise RulesError(f"a review needs a compiled bot: {player.name!r} has no compiled form for this game")
    if player.name == "information":
        from handful.bots.hat.settings import information_settings
        from handful.bots.search import PLAY_OUT_PLANNER

        bot = replace(bot, parameters=information_settings(rules.players, **PLAY_OUT_PLANNER))
    return bot


def sensible_actions(view: View) -> list[Action]:
    """Return the legal actions but for plays that cannot succeed; all, if nothing else is legal."""
    legal = view.legal_actions()
    found = [
        action
        for action in legal
        if not (isinstance(action, Play) and view.chance(action.slot, view.playable_mask) == 0.0)
    ]
    return found or legal


class Judge:
    """Judges positions of one game, with a reference team. Not to be shared by threads."""

    def __init__(self, rules: Rules, team: str | None = None, seed: int = 0) -> None:
        from handful.bots.table_kernel import Seats

        self.rules, self.seed = rules, seed
        if team is None:
            self.player, bot = reference_team(rules)
        else:
            self.player = player_named(team).for_game(rules)
            bot = compiled_for(self.player, rules)
        seats = Seats(dict.fromkeys(range(rules.players), bot))
        self._seated, self._tables = seats.seated, seats.tables(rules)

    def outcome(self, state: State, action: Action) -> int:
        """Return the score that the team comes to after an action, as the cards really lie."""
        from handful.hanabi.kernels.bridge import deck_from_cards
        from handful.lab.review.worlds_kernel import play_out

        self._tables.decks[0] = deck_from_cards(self.rules, state.deal.deck)
        question = self._question(state, None)
        number = action_index(self.rules, state.current, action)
        return int(play_out(self._seated, self._tables, question, FRESH - 1, number))

    def share_won(self, state: State, action: Action, decks: int) -> float:
        """Return how often the team wins after an action with all hands as they are, in so many deals of the deck."""
        from handful.lab.review.worlds_kernel import look

        question, seat = self._question(state), state.current
        games, rulebooks = question.games.copy(), self._tables.rulebooks
        for slot, card in enumerate(state.hand(seat), start=seat * int(rulebooks[0]["hand_size"])):
            games[0]["possible"][slot] = 1 << card_index(self.rules.variant, card)
        look(games, rulebooks, question.views, -1, 0)
        scores = self._try(question, [action_index(self.rules, seat, action)], FRESH, decks)
        return float(np.mean(scores == self.rules.max_score))

    def judge(
        self,
        state: State,
        played: Action | None = None,
        effort: Effort | None = None,
        manner: Manner = LITERAL,
        tried: Action | None = None,
    ) -> Judgement:
        """Return how good the actions of a position are, and what the one played has cost.

        `manner` says how far to go beyond hints by what was done: the card that is played or discarded, and those that
        are kept. The worlds are the same for all actions that are compared. So they are if another action is `tried`:
        it is then measured in the place of the one played.
        """
        effort, seat = effort or Effort(), state.current
        question, own = self._question(state, played, manner), tried or played
        mine = None if own is None else action_index(self.rules, seat, own)
        raced = self._race(state, question, mine, effort)
        order = [each.number for each in raced]
        best = order[0]
        wanted = list(dict.fromkeys([best, *order[1:2], *([] if mine is None else [mine])]))
        fresh = dict(zip(wanted, self._try(question, wanted, FRESH, effort.measured), strict=True))
        scores = fresh[best if mine is None else mine]
        loss, margin = self._difference(fresh[best], scores)
        lead, lead_margin = self._difference(fresh[best], fresh[order[1]]) if len(order) > 1 else (1.0, 0.0)
        return Judgement(
            actions=tuple(Judged(action_at(self.rules, seat, each.number), *each[1:]) for each in raced),
            best=self._judged(seat, best, fresh[best]),
            played=None if mine is None else self._judged(seat, mine, scores),
            loss=loss,
            margin=margin,
            points_lost=float(np.mean(fresh[best].astype(np.float64) - scores)),
            lead=lead,
            is_clear=lead > 0 and lead >= 2 * lead_margin,
            manner=Manner(question.trust, question.doubt),
        )

    def best(
        self, state: State, played: Action | None = None, effort: Effort | None = None, manner: Manner = LITERAL
    ) -> Judged:
        """Return the best action of a position, measured afresh: a part of `judge`, for a part of the work."""
        effort, seat = effort or Effort(), state.current
        question = self._question(state, played, manner)
        mine = None if played is None else action_index(self.rules, seat, played)
        best = self._race(state, question, mine, effort)[0].number
        return self._judged(seat, best, self._try(question, [best], FRESH, effort.measured)[0])

    def _race(self, state: State, question: Question, mine: int | None, effort: Effort) -> list[_Tried]:
        """Return what came of the sensible actions, and of the one that was played, in the race: the best first."""
        seat = state.current
        actions = [action_index(self.rules, seat, action) for action in sensible_actions(state.view(seat))]
        if mine is not None and mine not in actions:
            actions.append(mine)
        return _Race(self, question, actions).run(effort)

    def _question(self, state: State, played: Action | None = None, manner: Manner = LITERAL) -> Question:
        from handful.bots.shared.worlds_kernel import WORLD
        from handful.hanabi.kernels.bridge import game_from_view
        from handful.lab.review.worlds_kernel import Question, look

        view = state.view(state.current)
        games, views = game_from_view(view), np.zeros(2, WORLD)
        slot, known = known_by_use(view, played)
        look(games, self._tables.rulebooks, views, slot, known)
        key = np.uint64(SplitMix64(self.seed, REVIEW_STREAM, len(state.history)).counter)
        is_possible = slot >= 0 and view.my_hand[slot].knowledge.possible_mask & known
        kept = slots_kept(view, played)
        trust, doubt = manner.trust if is_possible else 0.0, manner.doubt if kept else 0.0
        return Question(games, views, key, trust, doubt, view.playable_mask, kept)

    def _try(self, question: Question, actions: Sequence[int], first: int, worlds: int) -> Any:
        """Return the scores after some actions (rows) in worlds (columns)."""
        from handful.lab.review.worlds_kernel import try_actions

        scores = np.zeros((len(actions), worlds), np.int8)
        try_actions(self._seated, self._tables, question, np.array(actions, np.int64), first, scores)
        assert scores.min(initial=0) >= 0, "a position of a game has a world: the one it was played in"
        return scores

    def _judged(self, seat: int, number: int, scores: Any) -> Judged:
        wins = float(np.mean(scores == self.rules.max_score))
        return Judged(action_at(self.rules, seat, number), wins, float(np.mean(scores)), len(scores))

    def _difference(self, one: Any, other: Any) -> tuple[float, float]:
        """Return by how much one action wins more often than another in the same worlds, with its 95 % margin.

        One more discordant world than there were keeps the margin from vanishing where none was seen.
        """
        most = self.rules.max_score
        apart = (one == most).astype(np.int64) - (other == most)
        return float(np.mean(apart)), float(Z95 * np.sqrt(np.sum(apart * apart) + 1) / len(apart))


class _Tried(NamedTuple):
    """What came of an action in the race: its number, how often it won, its mean score, and in how many worlds."""

    number: int
    chance: float
    score: float
    worlds: int


def _value(scores: Any, most: int) -> float:
    """Return what an action is ranked by: how often it wins; of equal ones, its mean score."""
    return float(np.mean(scores == most) + TIE_BREAK * np.mean(scores) / most)


class _Race:
    """Actions tried in the same worlds, until those clearly worse than the best are given up."""

    def __init__(self, judge: Judge, question: Question, actions: list[int]) -> None:
        self._judge, self._question = judge, question
        self._alive = list(actions)
        self._scores: dict[int, Any] = {action: np.zeros(0, np.int8) for action in actions}

    def run(self, effort: Effort) -> list[_Tried]:
        """Return what came of the actions, the best first: one that was not given up."""
        done, more = 0, min(effort.first, effort.most)
        while True:
            tried = self._judge._try(self._question, self._alive, done, more)
            for action, row in zip(self._alive, tried, strict=True):
                self._scores[action] = np.concatenate([self._scores[action], row])
            done += more
            self._give_up()
            if done >= effort.most or len(self._alive) == 1:
                return self._ranked()
            more = min(done, effort.most - done)

    def _ranked(self) -> list[_Tried]:
        """Return what came of the actions, so that it compares.

        The worlds until one was given up may have been easy ones. What counts is by how much it was behind the winner
        of the race in these.
        """
        most = self._judge.rules.max_score
        winner = max(self._alive, key=lambda action: _value(self._scores[action], most))
        whole, found = self._scores[winner], []
        for action, scores in self._scores.items():
            same = whole[: len(scores)]
            chance = np.mean(whole == most) + np.mean(scores == most) - np.mean(same == most)
            score = np.mean(whole) + np.mean(scores) - np.mean(same)
            found.append(_Tried(action, float(np.clip(chance, 0, 1)), float(np.clip(score, 0, most)), len(scores)))
        return sorted(found, key=lambda each: (each.number != winner, -each.chance - TIE_BREAK * each.score / most))

    def _give_up(self) -> None:
        """Drop what is clearly worse than the best so far: in wins, or in points where nothing wins any more."""
        most = self._judge.rules.max_score
        leader = max(self._alive, key=lambda action: _value(self._scores[action], most))
        best = self._scores[leader].astype(np.float64)
        can_win = any(np.any(self._scores[action] == most) for action in self._alive)
        left = []
        for action in self._alive:
            apart = best - self._scores[action]
            if can_win:
                apart = TIE_BREAK * apart / most + (best == most)
                apart -= self._scores[action] == most
            is_worse = apart.sum() > DROP * np.sqrt(np.sum(apart * apart) + 1)
            if action == leader or not is_worse:
                left.append(action)
        self._alive = left
