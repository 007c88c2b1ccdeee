"""Environments of others, stepped with random legal actions: ``python environment_peers.py NAME PLAYERS``.

Run by `benchmarks.environments`, in whatever interpreter has them installed, so nothing of ours is imported here. Reads
numbers of steps from standard input, a line each, and answers each with the CPU seconds that it took.
"""

from __future__ import annotations

import os
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

HAND_SIZES = {2: 5, 3: 5, 4: 4, 5: 4}
JAX_GAMES = 1024


def open_spiel(players: int) -> Callable[[int], None]:
    """OpenSpiel with its observation tensor, and a shuffled deck fed in, which is the fastest way to step it."""
    import pyspiel

    game = pyspiel.load_game("hanabi", {"players": players})
    deck = [5 * suit + value for suit in range(5) for value, n in enumerate((3, 2, 2, 2, 1)) for _ in range(n)]

    def run(steps: int) -> None:
        done = 0
        while done < steps:
            state, cards = game.new_initial_state(), deck.copy()
            random.shuffle(cards)
            while not state.is_terminal() and done < steps:
                if state.is_chance_node():
                    state.apply_action(cards.pop())
                else:
                    state.observation_tensor(state.current_player())
                    actions = state.legal_actions()
                    state.apply_action(actions[int(random.random() * len(actions))])
                    done += 1

    return run


def step_zoo(env: Any) -> Callable[[int], None]:
    """Any environment of PettingZoo's form, as its documentation steps one."""
    import numpy as np

    env.reset(seed=0)

    def run(steps: int) -> None:
        done = 0
        while done < steps:
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(random.random() * len(legal))]))
            done += 1

    return run


def pettingzoo(players: int) -> Callable[[int], None]:
    """PettingZoo's own hanabi_v5."""
    from pettingzoo.classic import hanabi_v5

    return step_zoo(hanabi_v5.env(players=players, hand_size=HAND_SIZES[players]))


def hle(players: int) -> Callable[[int], None]:
    """The `rl_env` of the Hanabi Learning Environment."""
    from hanabi_learning_environment import rl_env  # type: ignore[import-not-found]

    env = rl_env.make("Hanabi-Full", num_players=players)

    def run(steps: int) -> None:
        observations, is_over = env.reset(), False
        for _ in range(steps):
            if is_over:
                observations = env.reset()
            seen = observations["player_observations"][observations["current_player"]]
            actions = seen["legal_moves_as_int"]
            observations, _reward, is_over, _info = env.step(actions[int(random.random() * len(actions))])

    return run


def jaxmarl(players: int) -> Callable[[int], None]:
    """JaxMARL's Hanabi on the CPU: many games at once, in one compiled loop that makes all players' observations."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax  # type: ignore[import-not-found]
    import jax.numpy as jnp  # type: ignore[import-not-found]
    from jaxmarl import make  # type: ignore[import-not-found]

    env = make("hanabi", num_agents=players)
    agents = env.agents

    def step(carry: Any, _: Any) -> Any:
        key, observations, states, total = carry
        key, choose, advance = jax.random.split(key, 3)
        legal = jax.vmap(env.get_legal_moves)(states)
        keys = jax.random.split(choose, JAX_GAMES)
        actions = {
            agent: jax.vmap(lambda k, row: jax.random.categorical(k, jnp.log(row + 1e-20)))(keys, legal[agent])
            for agent in agents
        }
        observations, states, _rewards, _dones, _ = jax.vmap(env.step)(
            jax.random.split(advance, JAX_GAMES), states, actions
        )
        # Something must be made of the observations, or the compiler leaves them out.
        total += sum(observations[agent].sum() for agent in agents)
        return (key, observations, states, total), None

    steps_a_call = 16
    loop = jax.jit(lambda carry: jax.lax.scan(step, carry, None, steps_a_call)[0])
    key = jax.random.PRNGKey(0)
    observations, states = jax.vmap(env.reset)(jax.random.split(key, JAX_GAMES))
    carry = [(key, observations, states, jnp.float32(0))]

    def run(steps: int) -> None:
        for _ in range(max(1, steps // (steps_a_call * JAX_GAMES))):
            carry[0] = jax.block_until_ready(loop(carry[0]))

    return run


PEERS: dict[str, Callable[[int], Callable[[int], None]]] = {
    "open_spiel": open_spiel,
    "pettingzoo": pettingzoo,
    "hle": hle,
    "jaxmarl": jaxmarl,
}


def serve(run: Callable[[int], None]) -> None:
    """Answer every number of steps on standard input with the CPU seconds that they take."""
    for line in sys.stdin:
        started = time.process_time()
        run(int(line))
        print(time.process_time() - started, flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    random.seed(0)
    peer = PEERS[sys.argv[1]](int(sys.argv[2]))
    print("ready", flush=True)
    serve(peer)
