"""Many games at once, as NumPy arrays: all are stepped together, and a game that ends makes room for the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from handful.envs.observation import observation_size
from handful.envs.seating import MOST_LOST_DEALS, EnvOptions, Seating, all_lost, check_start, compiled_form
from handful.errors import DealError, HandfulError, IllegalActionError
from handful.hanabi.deal import Deal, check_seed
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import NO_VARIANT, Variant
from handful.splitmix import stream_start

if TYPE_CHECKING:
    from handful.bots.table_kernel import Seats, Tables
    from handful.envs.steps_kernel import Outputs

Observations = npt.NDArray[Any]
Masks = npt.NDArray[np.bool_]

RANDOM_STREAM = 2  # of `random_actions`; the deals and the bots have streams 0 and 1


class BatchedEnv:
    """`count` games at once, each seen by the player who is to move.

    >>> env = BatchedEnv(count=100, players=3, seed=7)
    >>> observations, legal_masks = env.reset()
    >>> observations.shape, legal_masks.shape
    ((100, 956), (100, 30))
    >>> observations, rewards, terminated, legal_masks = env.step(legal_masks.argmax(axis=1))

    `step` takes an action number for every game. Where a game ended, `terminated` is true, `rewards` has the last
    reward, `scores` the score, and `observations` is the first one of the next game. The arrays belong to the
    environment and are written anew by the next step: copy what you keep.

    ==============  ========  =============================================================================
    observations    dtype     (count, observation_size): what the player to move sees, see `observation`
    rewards         float32   (count,): the team's reward since the step before, see `rewards`
    terminated      bool      (count,): whether the game ended
    legal_masks     bool      (count, num_actions): which actions are legal now
    `seats`         int64     (count,): who is to move
    `scores`        int64     (count,): the score of the last game that ended here, −1 before that
    ==============  ========  =============================================================================

    **Deals.** Game g of n plays deals g, g + n, g + 2n, … of the seed, so that everything is a function of the seed.
    `reset` takes chosen `deals` or `states` instead: game g starts from them, again and again.

    **Partners.** ``partners={1: "hat", 2: "hat"}`` lets bots play those seats. A step then goes on until somebody else
    is to move, and the reward is that of all turns since. Bots must have a compiled form, as those of the register do.
    """

    def __init__(
        self,
        count: int,
        players: int = 2,
        variant: str | Variant = NO_VARIANT,
        rules: str | Rules = "hanab-live",
        *,
        dtype: npt.DTypeLike = np.uint8,
        **options: Unpack[EnvOptions],
    ) -> None:
        if count < 1:
            raise HandfulError(f"count={count}: expected at least one game")
        seating = Seating.of(players, variant, rules, **options)
        self.rules, self.count, self.seed = seating.rules, count, seating.seed
        self.observation_size, self.num_actions = observation_size(self.rules), self.rules.num_actions
        self._weights = np.array(seating.reward.weights)
        self._seats, self._tables = self._sit_down(seating)
        self._starts: Tables | None = None
        self._out: Outputs = self._kernels.Outputs(
            np.zeros((count, self.observation_size), dtype),
            np.zeros((count, self.num_actions), np.bool_),
            np.zeros(count, np.float32),
            np.zeros(count, np.bool_),
            np.full(count, -1),
            np.zeros(count, np.int64),
        )
        self._numbers = np.arange(count)  # of the deals that are played next
        self._has_started = False
        self._is_over = np.ones(count, np.bool_)
        self._chance = np.zeros(1, np.uint64)
        self._any_actions = np.zeros(count, np.int64)

    def _sit_down(self, seating: Seating) -> tuple[Seats | None, Tables]:
        """Return the bots in their seats, None if there are none, and the tables."""
        from handful.bots.table_kernel import Seats, empty_tables

        if not seating.partners:
            return None, empty_tables(self.rules, self.count)
        seats = Seats({seat: compiled_form(player, self.rules) for seat, player in seating.partners.items()})
        return seats, seats.tables(self.rules, self.count)

    @property
    def _kernels(self) -> Any:
        """The compiled part: not kept in the object, so that an environment can be copied and sent elsewhere."""
        from handful.envs import steps_kernel

        return steps_kernel

    # What the games show

    @property
    def games(self) -> npt.NDArray[Any]:
        """The records of the games (see `hanabi.kernels.layout`), all cards open: to be read, not changed."""
        return self._tables.games

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """Who is to move."""
        return self._out.seats

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """The score of the last game that ended in each place; −1 before any did."""
        return self._out.scores

    # Reset and step

    def reset(
        self,
        seed: int | None = None,
        *,
        deals: Sequence[Deal] | None = None,
        states: Sequence[State] | None = None,
    ) -> tuple[Observations, Masks]:
        """Start all games anew, and return the observations and the masks of the legal actions.

        With `deals` or `states`, game g starts from number g of them (counted round), and starts there again whenever
        it has ended. Bots that take notes have then observed the turns that led to a state.
        """
        if seed is not None:
            check_seed(seed)
            self.seed = seed
        if deals is not None and states is not None:
            raise DealError("both deals and states were given: expected one of them")
        chosen = [State(deal) for deal in deals] if deals is not None else states
        self._numbers[:] = np.arange(self.count)
        self._chance[0] = stream_start(self.seed, RANDOM_STREAM)
        self._choose_starts(chosen)
        self._has_started = True
        self._out.scores[:] = -1
        self._is_over[:] = True
        self._start_games()
        self._kernels.observe_all(self._tables, self._out)
        self._out.rewards[:] = 0
        self._out.terminated[:] = False
        return self._out.observations, self._out.legal

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], Masks]:
        """Carry out an action number in each game; return observations, rewards, terminated, legal masks.

        If an action is illegal, an error says which, and no game is changed.
        """
        if not self._has_started:
            raise IllegalActionError("no game has been dealt: expected reset() before the first step()")
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != (self.count,):
            raise IllegalActionError(f"actions of shape {numbers.shape}: expected ({self.count},)")
        wrong = int(self._kernels.act_all(self._tables, numbers, self._weights, self._out.rewards))
        if wrong != self._kernels.ALL_LEGAL:
            raise IllegalActionError(f"game {wrong}: action number {numbers[wrong]} is illegal; no game was changed")
        if self._seats is not None:
            self._is_over[:] = True
            self._let_bots_move(self._seats, has_acted=True)
        if self._kernels.note_ends(self._tables, self._out, self._is_over):
            self._start_games()
        self._kernels.observe_all(self._tables, self._out)
        return self._out.observations, self._out.rewards, self._out.terminated, self._out.legal

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each game, from a stream of the seed, in an array that is used again."""
        self._kernels.choose_any(self._tables, self._chance, self._any_actions)
        return self._any_actions

    def _let_bots_move(self, seats: Seats, has_acted: bool) -> None:
        """Let the bots move in the games that are marked, until somebody else is to move there."""
        marked, rewards = self._is_over, self._out.rewards
        wrong = self._kernels.let_bots_move(seats.seated, self._tables, marked, has_acted, self._weights, rewards)
        if wrong != self._kernels.ALL_LEGAL:
            seat = self._tables.games[wrong]["current"]
            raise IllegalActionError(f"game {wrong}: the bot in seat {seat} chose illegally")

    # How games start

    def _start_games(self) -> None:
        """Start the games that are marked as over, up to the first turn of somebody who is not a bot."""
        rewards = self._out.rewards.copy()
        for _ in range(MOST_LOST_DEALS):
            if not self._is_over.any():
                break
            if self._starts is None:
                self._kernels.deal_anew(self._tables, self.seed, self._numbers, self._is_over)
            else:
                self._kernels.start_again(self._tables, self._starts, self.seed, self._numbers, self._is_over)
            if self._seats is None:
                return
            self._let_bots_move(self._seats, has_acted=False)
            # A game that the bots have lost before anybody else was to move is nobody's: the next one starts.
            self._is_over &= self._tables.games["ending"] != 0
        else:
            raise all_lost()
        self._out.rewards[:] = rewards  # what bots earn before the first turn of a game is nobody's either

    def _choose_starts(self, states: Sequence[State] | None) -> None:
        """Keep where the games are to start from; None for the deals of the seed."""
        self._starts = None
        if states is None:
            return
        if not states:
            raise DealError("no deals or states were given: expected one at least")
        for state in states:
            check_start(state, self.rules)
        self._starts = self._kernels.tables_from_states(states, self._seats)
