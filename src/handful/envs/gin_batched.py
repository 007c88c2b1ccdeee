"""Many rounds of Gin at once, as NumPy arrays: all are stepped together; where one ends, the next is dealt."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handful.envs.gin_observation import NUM_ACTIONS, OBSERVATION_SIZE
from handful.errors import HandfulError, IllegalActionError
from handful.hanabi.deal import check_seed
from handful.rummy.gin.players import player_named, shared_minds
from handful.rummy.gin.rules import GinRules, gin_rules
from handful.splitmix import stream_start

RANDOM_STREAM, OPPONENT_STREAM = 2, 1
MOST_VOID = 1000  # rounds in a row that an opponent may end before anybody else is to move


class GinBatchedEnv:
    """`count` rounds of Gin at once, each seen by the player who is to move.

    >>> env = GinBatchedEnv(count=100, seed=7)
    >>> observations, legal_masks = env.reset()
    >>> observations.shape, legal_masks.shape
    ((100, 412), (100, 108))
    >>> observations, rewards, terminated, legal_masks = env.step(legal_masks.argmax(axis=1))

    `step` takes an action number for every round. Where a round ended, `terminated` is true and `rewards` has the
    points of player 0 (negative: of player 1), and `observations` is the first one of the next round. The arrays are
    the environment's own, written anew by the next step.

    ==============  ========  ================================================================================
    observations    int8      (count, 412): what the player to move sees, see `gin_observation`
    rewards         float32   (count,): points of player 0 of the round that ended with this step, else 0
    terminated      bool      (count,): whether the round ended
    legal_masks     bool      (count, 108): which actions are legal now
    `seats`         int64     (count,): who is to move
    ==============  ========  ================================================================================

    Round g of n plays deals g, g + n, g + 2n, … of the seed; in even ones player 0 starts. ``opponent="simple"`` lets a
    player of ours be player 1: a step then goes on until player 0 is to move.
    """

    def __init__(
        self, count: int, rules: str | GinRules = "eaai", *, seed: int = 0, opponent: str | None = None
    ) -> None:
        if count < 1:
            raise HandfulError(f"count={count}: expected at least one round")
        check_seed(seed)
        self.rules = gin_rules(rules) if isinstance(rules, str) else rules
        self.count, self.seed, self.num_actions, self.observation_size = count, seed, NUM_ACTIONS, OBSERVATION_SIZE
        self.opponent = None if opponent is None else player_named(opponent)
        if self.opponent is not None and self.opponent.thinks:
            raise HandfulError(f"opponent={opponent}: it thinks too long for batches; expected one that does not")
        self._make_arrays()

    def _make_arrays(self) -> None:
        from handful.envs.gin_kernel import Outputs
        from handful.rummy.gin.kernels.bridge import rulebook
        from handful.rummy.gin.kernels.layout import ROUND, VIEW

        self._book, self._rounds, self._views = rulebook(self.rules), np.zeros(self.count, ROUND), np.zeros(1, VIEW)
        self._out = Outputs(
            np.zeros((self.count, OBSERVATION_SIZE), np.int8),
            np.zeros((self.count, NUM_ACTIONS), np.bool_),
            np.zeros(self.count, np.float32),
            np.zeros(self.count, np.bool_),
            np.zeros(self.count, np.int64),
        )
        self._numbers, self._actions = np.arange(self.count), np.zeros(self.count, np.int64)
        self._chance, self._has_started = np.zeros(1, np.uint64), False
        self._opponent_chance = np.zeros(1, np.uint64)

    @property
    def rounds(self) -> npt.NDArray[Any]:
        """The records of the rounds, all cards open: to be read, not changed."""
        return self._rounds

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """Who is to move."""
        return self._out.seats

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
        """Deal all rounds anew, and return the observations and the masks of the legal actions."""
        if seed is not None:
            check_seed(seed)
            self.seed = seed
        self._numbers[:] = np.arange(self.count)
        self._chance[0] = stream_start(self.seed, RANDOM_STREAM)
        self._opponent_chance[0] = stream_start(self.seed, OPPONENT_STREAM)
        self._has_started = True
        self._deal(np.ones(self.count, np.bool_))
        self._out.rewards[:] = 0
        self._out.terminated[:] = False
        return self._out.observations, self._out.legal

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Carry out an action number in each round; return observations, rewards, terminated, legal masks.

        If an action is illegal, an error says which, and no round is changed.
        """
        from handful.envs import gin_kernel

        if not self._has_started:
            raise IllegalActionError("no round has been dealt: expected reset() before the first step()")
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != (self.count,):
            raise IllegalActionError(f"actions of shape {numbers.shape}: expected ({self.count},)")
        wrong = int(gin_kernel.find_illegal(self._rounds, self._book, numbers, self._out))
        if wrong != gin_kernel.ALL_LEGAL:
            raise IllegalActionError(f"round {wrong}: action number {numbers[wrong]} is illegal; no round was changed")
        gin_kernel.act_all(self._rounds, self._book, numbers, self._out)
        self._let_opponent_play()
        rewards, terminated = self._out.rewards.copy(), self._out.terminated.copy()
        self._deal(terminated)
        self._out.rewards[:] = rewards
        self._out.terminated[:] = terminated
        return self._out.observations, self._out.rewards, self._out.terminated, self._out.legal

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each round, from a stream of the seed, in an array that is used again."""
        from handful.envs import gin_kernel

        gin_kernel.choose_any(self._out.legal, self._chance, self._actions)
        return self._actions

    def _deal(self, marked: npt.NDArray[np.bool_]) -> None:
        """Deal the rounds that are marked, up to where player 0, or anybody, is to move; show all."""
        from handful.envs import gin_kernel

        marked = marked.copy()
        for _ in range(MOST_VOID):
            if not marked.any():
                break
            gin_kernel.deal_marked(self._rounds, self._book, self.seed, self._numbers, marked)
            self._out.terminated[:] = False
            self._let_opponent_play()
            marked &= self._out.terminated
        gin_kernel.show_all(self._rounds, self._views, self._book, self._out)

    def _let_opponent_play(self) -> None:
        if self.opponent is not None:
            from handful.envs import gin_kernel

            kind, minds = self.opponent.kind, shared_minds()
            gin_kernel.let_opponent_play(
                self._rounds, self._views, self._book, kind, minds, self._opponent_chance, self._out
            )
