"""One game by PettingZoo's conventions for games of turns (AEC): `env()`, `raw_env()`.

>>> table = env(players=3, variant="6 Suits")
>>> table.reset(seed=7)
>>> observation, reward, termination, truncation, info = table.last()
>>> observation["observation"].shape, observation["action_mask"].sum()
((1127,), np.int64(21))
>>> table.step(int(observation["action_mask"].argmax()))
>>> table.agent_selection
'player_1'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from handful.bots.protocol import Bot
from handful.bots.table import ask, tell
from handful.envs.observation import observation_size
from handful.envs.seating import MOST_LOST_DEALS, EnvOptions, Seating, all_lost, check_start
from handful.errors import DealError, HandfulError, IllegalActionError, UnknownNameError
from handful.hanabi.actions import action_at, action_index
from handful.hanabi.cards import Card, card_text
from handful.hanabi.deal import Deal, check_seed
from handful.hanabi.notation import turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import NO_VARIANT, Variant
from handful.splitmix import BOT_STREAM, SplitMix64

if TYPE_CHECKING:
    from handful.bots.table_kernel import Tables

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise HandfulError("handful.envs.pettingzoo needs PettingZoo: pip install 'handful[envs]'") from None


@cache
def _kernels() -> Any:
    """Return the compiled part, which is loaded when it is first needed."""
    from handful.envs import steps_kernel

    return steps_kernel


def env(**settings: Any) -> AECEnv:
    """Return the environment in PettingZoo's wrappers: an illegal action ends the game, and costs its player 1."""
    table = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


def raw_env(**settings: Any) -> HanabiEnv:
    """Return the environment itself: an illegal action raises an error."""
    return HanabiEnv(**settings)


class HanabiEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game of Hanabi.

    An observation is a dict: `observation`, int8, see `handful.envs.observation`, and `action_mask`, int8, all 0 for
    those who are not to move. The reward is the same for everybody, see `handful.envs.rewards`. After the end,
    ``infos[agent]`` has the `score` and the `ending`.

    ``reset(seed=7)`` deals deal 0 of that seed, and every reset without a seed deals the next one. A chosen deck or
    state: ``reset(options={"deck": "r1 y2 …"})`` (a text, cards or a `Deal`), ``reset(options={"state": state})``.

    ``partners={1: "hat"}`` lets bots play those seats, of the register or classes of your own. Only the other seats are
    agents then, and a step goes on until one of them is to move.
    """

    metadata: Mapping[str, Any] = {
        "name": "handful_hanabi_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 2,
        variant: str | Variant = NO_VARIANT,
        rules: str | Rules = "hanab-live",
        *,
        render_mode: str | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UnknownNameError("render_mode", render_mode, self.metadata["render_modes"])
        seating = Seating.of(players, variant, rules, **options)
        self.rules, self.render_mode = seating.rules, render_mode
        self._seed, self._number, self._next_number = seating.seed, 0, 0
        self._partners = seating.partners
        names = agent_names(self.rules.players)
        self._agent_of = {seat: name for seat, name in enumerate(names) if seat not in self._partners}
        self._seat_of = {name: seat for seat, name in self._agent_of.items()}
        self.possible_agents = list(self._agent_of.values())
        self.agents: list[str] = []
        self._observation_size, self._num_actions = observation_size(self.rules), self.rules.num_actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (self._observation_size,), np.int8),
                    "action_mask": spaces.Box(0, 1, (self._num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._num_actions) for agent in self.possible_agents}
        self._weights = np.array(seating.reward.weights)
        self._action, self._reward = np.zeros(1, np.int64), np.zeros(1)
        self._tables: Tables = _kernels().empty_tables(self.rules, 1)
        self._actions: list[int] = []
        self._plain: State | None = None
        self._bots: list[Bot | None] = []

    # What PettingZoo asks for

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: their numbers, see `handful.hanabi.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game: the next deal of the seed, or a chosen deck or state."""
        if seed is not None:
            check_seed(int(seed))
            self._seed, self._next_number = int(seed), 0
        chosen = self._chosen_state(options or {})
        for _ in range(MOST_LOST_DEALS):
            self._number, self._next_number = self._next_number, self._next_number + 1
            self._start(chosen)
            if not self._is_over:
                break
        else:
            raise all_lost()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_of[self._current]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent to move, and let the bots move after it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        reward = self._act(action) + self._let_bots_move()
        self.rewards = dict.fromkeys(self.agents, reward)
        if self._is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            end = self._end()
            self.infos = {agent: dict(end) for agent in self.agents}
        self.agent_selection = self._next_agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """Return what an agent sees now, and which actions it has."""
        row, legal = np.empty(self._observation_size, np.int8), np.empty(self._num_actions, np.int8)
        _kernels().observe_one(self._tables, self._seat_of[agent], row, legal)
        return {"observation": row, "action_mask": legal}

    def render(self) -> str | None:
        """Return the table as text (`ansi`), or print it (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render was called, but the environment was made without a render_mode")
            return None
        text = state_text(self.game)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is open."""

    # The game

    @property
    def game(self) -> State:
        """The whole game, by the plain rules: all hands, all that happened. A copy of it can be passed to `reset`."""
        if self._plain is None:
            self._plain = State(Deal.from_seed(self.rules, self._seed, self._number))
        for number in self._actions:
            self._plain.act(action_at(self.rules, self._plain.current, number))
        self._actions.clear()
        return self._plain

    @property
    def _current(self) -> int:
        return int(self._tables.games["current"][0])

    @property
    def _is_over(self) -> bool:
        return bool(self._tables.games["ending"][0])

    def _end(self) -> dict[str, Any]:
        """Return what the infos say after the end."""
        from handful.hanabi.kernels.game import score
        from handful.hanabi.kernels.layout import ENDINGS

        game, rulebook = self._tables.games[0], self._tables.rulebooks[0]
        return {"score": int(score(game, rulebook)), "ending": ENDINGS[game["ending"]]}

    def _next_agent(self) -> str:
        """Return the agent to move; after the end, the one who would be next."""
        seat = self._current
        while seat not in self._agent_of:
            seat = (seat + 1) % self.rules.players
        return self._agent_of[seat]

    def _act(self, action: Any) -> float:
        """Carry out an action number of the seat to move, and return its reward; the bots observe it."""
        kernels = _kernels()
        self._action[0] = number = -1 if action is None else int(action)
        if kernels.act_all(self._tables, self._action, self._weights, self._reward) != kernels.ALL_LEGAL:
            raise IllegalActionError(f"action {action} of player_{self._current} is illegal")
        self._actions.append(number)
        if self._partners:
            tell(self.game, self._bots, self.game.history[-1])
        return float(self._reward[0])

    def _let_bots_move(self) -> float:
        """Let the bots move until an agent is to move or the game ends; return their rewards."""
        total = 0.0
        while self._partners and not self._is_over and self._current in self._partners:
            bot = self._bots[self._current]
            assert bot is not None
            total += self._act(action_index(self.rules, self._current, ask(self.game, bot)))
        return total

    # How a game starts

    def _chosen_state(self, options: Mapping[str, Any]) -> State | None:
        """Return the state to start from, if one was chosen. (Options that are not ours may be meant for a wrapper.)"""
        deck, state = options.get("deck"), options.get("state")
        if deck is not None and state is not None:
            raise DealError("both a deck and a state were given: expected one of them")
        if deck is not None:
            state = State(self._deal_of(deck))
        if state is None:
            return None
        if not isinstance(state, State):
            raise DealError(f"option state is a {type(state).__name__}: expected a handful.hanabi.State")
        check_start(state, self.rules)
        return state.copy()

    def _deal_of(self, deck: Deal | str | Iterable[Card]) -> Deal:
        if isinstance(deck, Deal):
            return deck
        return Deal.from_cards(self.rules, deck if isinstance(deck, str) else [Card(*card) for card in deck])

    def _start(self, chosen: State | None) -> None:
        """Put a game on the table, and let the bots move that come first."""
        self._actions.clear()
        self._plain = None if chosen is None else chosen.copy()
        if chosen is None:
            _kernels().deal_anew(self._tables, self._seed, np.array([self._number]), np.ones(1, np.bool_))
        else:
            self._tables = _kernels().tables_from_states([chosen])
        if self._partners:
            self._seat_bots()
            self._let_bots_move()

    def _seat_bots(self) -> None:
        """Seat bots, made anew; those that take notes observe the turns that led to a chosen state."""
        self._bots = [None] * self.rules.players
        for seat, player in self._partners.items():
            chance = SplitMix64(self._seed, BOT_STREAM, self._number, 0, seat)
            self._bots[seat] = player.plain(self.rules, seat, chance)
        turns, past = self.game.history, self.game.copy()
        for _ in turns:
            past.undo()
        for turn in turns:
            past.act(turn.action)
            tell(past, self._bots, turn)


# The table as text


def state_text(state: State) -> str:
    """Return the table in a few lines; a star marks cards that a hint has touched.

    >>> from handful.hanabi import Deal, Rules
    >>> print(state_text(State(Deal.from_seed(Rules(players=2), seed=1))))
    stacks   r0 y0 g0 b0 p0
    points   0 of 25, hints 8, strikes 0, deck 40
    discards none
    player_0 p2 g1 p1 b1 b1  to move
    player_1 p3 y3 g4 r1 p4
    """
    variant = state.rules.variant
    stacks = " ".join(
        f"{suit.letter}{variant.value_text(values[-1]) if values else 0}"
        for suit, values in zip(variant.suits, state.stack_values, strict=True)
    )
    thrown = " ".join(card_text(variant, card) for card in sorted(state.discards))
    lines = [
        f"stacks   {stacks}",
        f"points   {state.points} of {state.rules.max_score}, hints {state.hints}, strikes {state.strikes}, "
        f"deck {state.deck_size}",
        f"discards {thrown or 'none'}",
    ]
    names = agent_names(state.rules.players)
    for seat, name in enumerate(names):
        cards = [
            card_text(variant, state.card(held)) + ("*" if held.knowledge.is_touched else "")
            for held in state.hands[seat]
        ]
        lines.append(f"{name} {' '.join(cards)}{'  to move' if seat == state.current and not state.is_over else ''}")
    if state.history:
        lines.insert(0, turn_text(state.rules, state.history[-1], names))
    if state.is_over:
        lines.append(f"the game is over ({state.ending}): score {state.score}")
    return "\n".join(lines)


def agent_names(players: int) -> list[str]:
    """Return PettingZoo's names of the seats.

    >>> agent_names(2)
    ['player_0', 'player_1']
    """
    return [f"player_{seat}" for seat in range(players)]
