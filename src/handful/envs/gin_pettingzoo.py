"""A round of Gin by PettingZoo's conventions for games of turns (AEC): `env()`, `raw_env()`.

>>> table = env()
>>> table.reset(seed=7)
>>> observation, reward, termination, truncation, info = table.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((412,), 2)
>>> table.step(52)  # take
>>> table.agent_selection
'player_0'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from handful.envs.gin_observation import NUM_ACTIONS, OBSERVATION_SIZE, observe
from handful.errors import HandfulError, IllegalActionError, UnknownNameError
from handful.hanabi.deal import check_seed
from handful.rummy.gin.deal import GinDeal
from handful.rummy.gin.players import player_named, seat_chance
from handful.rummy.gin.round import Round
from handful.rummy.gin.rules import GinRules, gin_rules

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise HandfulError("handful.envs.gin_pettingzoo needs PettingZoo: pip install 'handful[envs]'") from None

AGENTS = ("player_0", "player_1")


def env(**settings: Any) -> AECEnv:
    """Return the environment in PettingZoo's wrappers: an illegal action ends the round, and costs its player 1."""
    table = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


def raw_env(**settings: Any) -> GinEnv:
    """Return the environment itself: an illegal action raises an error."""
    return GinEnv(**settings)


class GinEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A round of Gin Rummy.

    An observation is a dict: `observation`, int8, see `handful.envs.gin_observation`, and `action_mask`, int8, all 0
    for who is not to move. The reward is given at the end: the points of the round to who won, as many less to the
    other. After the end, ``infos[agent]`` has the `ending` and the `points`.

    ``reset(seed=7)`` deals deal 0 of that seed, and every reset without a seed the next one; in even deals player 0
    starts. A chosen round: ``reset(options={"round": round})``. ``opponent="simple"`` lets a player of ours be player
    1, who is then no agent.
    """

    metadata: Mapping[str, Any] = {
        "name": "handful_gin_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: str | GinRules = "eaai",
        *,
        seed: int = 0,
        opponent: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UnknownNameError("render_mode", render_mode, self.metadata["render_modes"])
        check_seed(seed)
        self.rules = gin_rules(rules) if isinstance(rules, str) else rules
        self.opponent = None if opponent is None else player_named(opponent)
        self.render_mode, self._seed, self._next_number = render_mode, seed, 0
        self.possible_agents = list(AGENTS[: 1 if self.opponent else 2])
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (OBSERVATION_SIZE,), np.int8),
                    "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: their numbers, see `handful.rummy.gin.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a round: the next deal of the seed, or a chosen one."""
        if seed is not None:
            check_seed(int(seed))
            self._seed, self._next_number = int(seed), 0
        chosen = (options or {}).get("round")
        while True:
            number = self._next_number
            self._next_number += 1
            self.round = (
                chosen.copy() if chosen else Round(GinDeal.from_seed(self._seed, number), self.rules, number & 1)
            )
            self._chance = seat_chance(self._seed, number, 1)
            self._let_opponent_play()
            if not self.round.is_over:
                break
            if chosen:
                raise HandfulError("options: the round is over: expected one that goes on")
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self.round.current]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent to move, and let the opponent play after it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        if action is None:
            raise IllegalActionError("action None: expected the number of a legal action")
        self.round.act(int(action))
        self._let_opponent_play()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.round.is_over:
            self._end()
        self.agent_selection = AGENTS[self.round.current] if not self.round.is_over else self._other()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _other(self) -> str:
        """Return the next agent in turn, after the end."""
        place = self.agents.index(self.agent_selection)
        return self.agents[(place + 1) % len(self.agents)]

    def _end(self) -> None:
        settled = self.round.settlement
        assert settled is not None
        for seat, agent in enumerate(AGENTS):
            if agent in self.agents:
                sign = 0 if settled.winner is None else 1 if settled.winner == seat else -1
                self.rewards[agent] = float(sign * settled.points)
                self.terminations[agent] = True
                self.infos[agent] = {"ending": settled.ending, "points": sign * settled.points}

    def _let_opponent_play(self) -> None:
        while self.opponent is not None and not self.round.is_over and self.round.current == 1:
            self.round.act(self.opponent.choose(self.round.view(1), self._chance))

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """Return what an agent sees now, and which actions it has."""
        seat, legal = AGENTS.index(agent), np.zeros(NUM_ACTIONS, np.int8)
        if seat == self.round.current and not self.round.is_over:
            legal[self.round.legal_numbers()] = 1
        return {"observation": observe(self.round.view(seat)), "action_mask": legal}

    def render(self) -> str | None:
        """Return the round as text (`ansi`), or print it (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render was called, but the environment was made without a render_mode")
            return None
        if self.render_mode == "ansi":
            return str(self.round)
        print(self.round)
        return None

    def close(self) -> None:
        """Nothing is open."""
