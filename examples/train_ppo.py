"""Train a small agent on a tiny game of Hanabi, and evaluate it in the lab beside the bots that are built in.

    pip install 'handful[envs]' torch
    python examples/train_ppo.py                  # a minute or two
    python examples/train_ppo.py --steps 300000   # a first impression

The game has two suits of three values, two players with two cards each, three hints, and the second strike loses all; a
perfect game has 6 points. The agent is a network with two hidden layers that plays with itself, trained by PPO
(Schulman et al. 2017) with PyTorch on `handful.envs.batched`.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

from handful import lab
from handful.bots import Bot
from handful.envs.batched import BatchedEnv
from handful.envs.observation import encode
from handful.hanabi import Action, Rules, Variant, View, action_at, action_index

RULES = Rules(Variant.custom(suits=2, values=3), players=2, hand_size=2, max_hints=3, max_strikes=2)

GAMES = 256  # played at once
TURNS = 32  # of each, between two updates
EPOCHS, MINIBATCH = 4, 1024
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
LEARNING_RATE, ENTROPY = 1e-3, 0.02

BUILT_IN = ("random", "rules", "rules(reading=text)", "best")


class Agent(nn.Module):
    """From an observation to what to do, and to what the rest of the game is worth."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observation_size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, observations: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithms of the chances of the legal actions, and the values."""
        seen = self.body(observations)
        logits = self.policy(seen).masked_fill(~legal, -1e9)
        return logits.log_softmax(dim=1), self.value(seen).squeeze(1)


def train(steps: int, seed: int) -> Agent:
    """Return an agent that has played so many turns with itself."""
    torch.manual_seed(seed)
    # The shaped reward keeps the points of a game that is lost: by the score alone, nearly all first games are worth 0.
    env = BatchedEnv(GAMES, rules=RULES, seed=seed, reward="shaped", dtype=np.float32)
    agent = Agent(env.observation_size, env.num_actions)
    optimiser = torch.optim.Adam(agent.parameters(), LEARNING_RATE)
    observations, legal = map(torch.from_numpy, env.reset())  # the environment's own arrays: nothing is copied
    updates, scores, started = max(1, steps // (GAMES * TURNS)), [], time.perf_counter()
    for update in range(updates):
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - update / updates)
        batch = collect(env, agent, observations, legal, scores)
        improve(agent, optimiser, batch)
        if update % (updates // 10 or 1) == 0 or update == updates - 1:
            turns, recent = (update + 1) * GAMES * TURNS, np.mean(scores[-2000:] or [0])
            print(f"{turns:>9,} turns, {time.perf_counter() - started:5.0f} s: training games score {recent:.2f}")
    return agent


@torch.no_grad()
def collect(
    env: BatchedEnv, agent: Agent, observations: torch.Tensor, legal: torch.Tensor, scores: list[int]
) -> dict[str, torch.Tensor]:
    """Return some turns of all games, with the advantage of each over what was expected (Schulman et al. 2016)."""
    rows: dict[str, list[torch.Tensor]] = {name: [] for name in ("seen", "legal", "action", "chance", "value")}
    rewards, ends = [], []
    for _ in range(TURNS):
        chances, values = agent(observations, legal)
        actions = torch.distributions.Categorical(logits=chances).sample()
        chosen = chances.gather(1, actions[:, None]).squeeze(1)
        for name, row in zip(rows, (observations.clone(), legal.clone(), actions, chosen, values), strict=True):
            rows[name].append(row)
        _, reward, terminated, _ = env.step(actions.numpy())
        rewards.append(torch.from_numpy(reward.copy()))
        ends.append(torch.from_numpy(terminated.copy()))
        scores.extend(env.scores[terminated].tolist())
    _, following = agent(observations, legal)
    # The reward is the team's, so the next player's value is what this player's turn leads to.
    advantages, ahead = [], torch.zeros(GAMES)
    for turn in reversed(range(TURNS)):
        goes_on = (~ends[turn]).float()
        surprise = rewards[turn] + GAMMA * goes_on * following - rows["value"][turn]
        ahead = surprise + GAMMA * LAMBDA * goes_on * ahead
        advantages.append(ahead)
        following = rows["value"][turn]
    batch = {name: torch.cat(parts) for name, parts in rows.items()}
    batch["advantage"] = torch.cat(advantages[::-1])
    batch["return"] = batch["advantage"] + batch["value"]
    return batch


def improve(agent: Agent, optimiser: torch.optim.Optimizer, batch: dict[str, torch.Tensor]) -> None:
    """Make better actions likelier, in small steps."""
    count = len(batch["action"])
    for _ in range(EPOCHS):
        for part in torch.randperm(count).split(MINIBATCH):
            mini = {name: rows[part] for name, rows in batch.items()}
            chances, values = agent(mini["seen"], mini["legal"])
            chosen = chances.gather(1, mini["action"][:, None]).squeeze(1)
            ratio = (chosen - mini["chance"]).exp()
            advantage = (mini["advantage"] - mini["advantage"].mean()) / (mini["advantage"].std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            entropy = -(chances.exp() * chances).sum(dim=1).mean()
            loss = -gain + 0.5 * (values - mini["return"]).square().mean() - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def bot_of(agent: Agent) -> type[Bot]:
    """Return the agent as a bot that can sit at any table: it takes the likeliest action."""

    class Trained(Bot):
        @torch.no_grad()
        def choose(self, view: View) -> Action:
            legal = torch.zeros(1, self.rules.num_actions, dtype=torch.bool)
            for action in view.legal_actions():
                legal[0, action_index(self.rules, self.seat, action)] = True
            chances, _ = agent(torch.tensor([encode(view)], dtype=torch.float32), legal)
            return action_at(self.rules, self.seat, int(chances.argmax()))

    return Trained


def evaluate(bot: type[Bot], games: int) -> None:
    """Print what the agent and some of our bots score, on the same deals."""
    print(f"\n{'bot':<22}{'mean score':>16}{'perfect':>10}")
    results = [lab.simulate(bot, rules=RULES, games=games, seed=1, workers=1)]
    results += [lab.simulate(name, rules=RULES, games=games, seed=1, workers=1) for name in BUILT_IN]
    for result in sorted(results, key=lambda result: -result.mean):
        half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
        print(f"{result.bot:<22}{result.mean:>9.2f} ± {half:.2f}{result.perfect:>10.1%}")


def main() -> None:
    """Train, then evaluate."""
    parser = argparse.ArgumentParser(description="Train a small agent on Hanabi-Small.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="how many turns to train for")
    parser.add_argument("--games", type=int, default=2000, help="how many games to evaluate with")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # for so small a network more threads only wait for one another
    agent = train(arguments.steps, arguments.seed)
    evaluate(bot_of(agent), arguments.games)


if __name__ == "__main__":
    main()
