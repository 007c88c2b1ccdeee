"""Claim: the batched environment steps at least 10 times as fast as the best peer, the AEC form twice PettingZoo's own.

``python -m benchmarks.environments`` measures all in the same run and writes the tables of docs/environments.md. Peers
that need an interpreter of their own are looked for in those that are named: ``--python OTHER/bin/python``, repeated.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.environment_peers import step_zoo
from benchmarks.tables import markdown_table, replace_table
from handful.envs.batched import BatchedEnv
from handful.envs.observation import fields
from handful.envs.pettingzoo import env as pettingzoo_env
from handful.hanabi import Rules

ROOT = Path(__file__).parent.parent
PLAYERS = (2, 5)
ROUNDS = 5
GAMES = 1024
PEERS = {
    "open_spiel": ("OpenSpiel, `observation_tensor`", "open_spiel", 20_000),
    "pettingzoo": ("PettingZoo, `hanabi_v5`", "pettingzoo", 3_000),
    "hle": ("Hanabi Learning Environment, `rl_env`", "hanabi_learning_environment", 2_000),
    "jaxmarl": (f"JaxMARL on the CPU, {GAMES:,} games at once", "jaxmarl", 32 * GAMES),
}
OURS = {
    "batched": f"handful, batched, {GAMES:,} games at once",
    "masks": "the same, actions drawn by NumPy from the legal masks",
    "aec": "handful, PettingZoo's AEC form",
}


class Peer:
    """An environment of somebody else, in a process of its own that waits to be told how many steps to make."""

    def __init__(self, python: str, name: str, players: int) -> None:
        script = Path(__file__).with_name("environment_peers.py")
        self.process = subprocess.Popen(
            [python, str(script), name, str(players)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def answer(self) -> str:
        """Return the next line that it says that is meant for us; empty if it is gone."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == "ready" or line[:1].isdigit():
                return line.strip()
        return ""

    def cpu_seconds(self, steps: int) -> float:
        """Return the CPU seconds that so many steps take."""
        assert self.process.stdin is not None
        print(steps, file=self.process.stdin, flush=True)
        return float(self.answer())

    def close(self) -> None:
        """Let it go."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def find_peer(pythons: Sequence[str], name: str, players: int) -> Peer | None:
    """Return a peer from the first interpreter that has it."""
    for python in pythons:
        peer = Peer(python, name, players)
        if peer.answer() == "ready":
            return peer
        peer.process.wait()
    return None


def batched(players: int, draws_by_numpy: bool) -> Callable[[int], None]:
    """Return our batched environment, stepped with random legal actions."""
    env, chance = BatchedEnv(GAMES, players), np.random.default_rng(0)
    legal = env.reset()[1]

    def run(steps: int) -> None:
        for _ in range(steps // GAMES):
            if draws_by_numpy:
                env.step((chance.random(legal.shape, np.float32) * legal).argmax(axis=1))
            else:
                env.step(env.random_actions())

    return run


def own_seconds(run: Callable[[int], None], steps: int) -> float:
    started = time.process_time()
    run(steps)
    return time.process_time() - started


def measure(pythons: Sequence[str], players: int) -> dict[str, float]:
    """Return the steps per CPU second of all that can be had, the best of some rounds that alternate."""
    random.seed(0)
    ours = {
        "batched": (batched(players, False), 400 * GAMES),
        "masks": (batched(players, True), 200 * GAMES),
        "aec": (step_zoo(pettingzoo_env(players=players)), 10_000),
    }
    peers = {name: peer for name in PEERS if (peer := find_peer(pythons, name, players)) is not None}
    for name, peer in peers.items():
        peer.cpu_seconds(PEERS[name][2] // 4)  # compiles, and warms up
    for run, steps in ours.values():
        run(steps // 4)
    best = dict.fromkeys([*ours, *peers], 0.0)
    for _ in range(ROUNDS):
        for name, (run, steps) in ours.items():
            best[name] = max(best[name], steps / own_seconds(run, steps))
        for name, peer in peers.items():
            best[name] = max(best[name], PEERS[name][2] / peer.cpu_seconds(PEERS[name][2]))
    for peer in peers.values():
        peer.close()
    return best


def speed_table(pythons: Sequence[str]) -> str:
    """Return the table of steps per CPU second, and what it says about the claim."""
    speeds = {players: measure(pythons, players) for players in PLAYERS}
    rows = []
    for name in [*OURS, *PEERS]:
        title = OURS[name] if name in OURS else PEERS[name][0]
        found = [speeds[players].get(name) for players in PLAYERS]
        rows.append([title, *("could not be had here" if speed is None else f"{speed:,.0f}" for speed in found)])
    ratios = []
    for players in PLAYERS:
        speed = speeds[players]
        best = max(PEERS, key=lambda name: speed.get(name, 0.0))
        ratios.append(
            f"{players} players: batched {speed['batched'] / speed[best]:.0f} times the best peer ({PEERS[best][0]})"
        )
        if "pettingzoo" in speed:
            ratios[-1] += f", the AEC form {speed['aec'] / speed['pettingzoo']:.1f} times PettingZoo's own"
    table = markdown_table(["steps per CPU second", *(f"{players} players" for players in PLAYERS)], rows)
    note = (
        f"Measured with `python -m benchmarks.environments`: random legal actions, with the observation of the player "
        f"to move; one core, CPU seconds, the best of {ROUNDS} rounds that alternate; "
        f"Python {platform.python_version()}, OpenSpiel {importlib.metadata.version('open_spiel')}, "
        f"PettingZoo {importlib.metadata.version('pettingzoo')}."
    )
    return f"\n{note}\n\n{table}\n\n" + ". ".join(ratios) + ".\n"


def memory_table() -> str:
    """Return the table of the peak memory of this process after more and more steps."""

    def peak_megabytes() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    rows = []
    for name, run, most in (
        ("batched", batched(2, False), 10_000_000),
        ("AEC form", step_zoo(pettingzoo_env(players=2)), 1_000_000),
    ):
        done, steps = 0, most // 100
        while steps <= most:
            run(steps - done)
            done = steps
            rows.append([name, f"{steps:,}", f"{peak_megabytes():.1f}"])
            steps *= 10
    return "\n" + markdown_table(["environment", "steps", "peak memory of the process (MB)"], rows) + "\n"


def fields_table() -> str:
    """Return the table of the fields of an observation."""
    rules = [Rules(players=players) for players in (2, 3, 4, 5)]
    rows = []
    for same in zip(*map(fields, rules), strict=True):
        places = [
            str(field.start) if field.stop == field.start + 1 else f"{field.start}–{field.stop - 1}" for field in same
        ]
        rows.append([f"{same[0].section}: **{same[0].name}**", same[0].meaning, *places])
    rows.append(["", "in all", *(str(fields(each)[-1].stop) for each in rules)])
    header = ["field", "meaning", *(f"{each.players} players" for each in rules)]
    return f"\n{markdown_table(header, rows)}\n"


def example_text(pythons: Sequence[str]) -> str:
    """Return what the example prints, and the CPU time that it takes, from the first interpreter that has PyTorch."""
    for python in pythons:
        if subprocess.run([python, "-c", "import torch"], stderr=subprocess.DEVNULL).returncode == 0:
            break
    else:
        raise SystemExit("no interpreter with PyTorch: expected one, by --python")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [python, str(ROOT / "examples" / "train_ppo.py")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The times within are wall times, which say more about the machine's other work than about the example.
    lines = [re.sub(r", +\d+ s:", ":", line) for line in printed.strip("\n").splitlines()]
    note = (
        f"It takes {seconds:.0f} CPU seconds in all on one core (`python -m benchmarks.environments --only example`):"
    )
    return "\n".join(["", note, "", "```", *lines, "```", ""])


def main() -> None:
    """Measure, print and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", default=[], help="another interpreter to look for peers in")
    parser.add_argument("--only", choices=["memory", "fields", "speed", "example"], action="append")
    arguments = parser.parse_args()
    tables: dict[str, Callable[[], str]] = {
        # First, as it looks at the peak of this process.
        "memory": memory_table,
        "fields": fields_table,
        "speed": lambda: speed_table([sys.executable, *arguments.python]),
        "example": lambda: example_text([sys.executable, *arguments.python]),
    }
    for name, make in tables.items():
        if not arguments.only or name in arguments.only:
            text = make()
            print(text)
            replace_table("environments.md", f"environment {name}", text)


if __name__ == "__main__":
    main()
