"""Learn the network of the bot `learned` from games with itself: ``python -m benchmarks.learn_two_players FOLDER``.

Round 0 plays by the linear score of `conventions`, every other round by the network of the round before. Games are
played in parts, each on deals and with chance of its own; then the network is fitted to what came of the games of this
round and of the two before it (without those of round 0). What is in the folder is not done again: however a run ends,
the same command goes on from there, and comes to the same network. Several runs with one folder share the work:
`--only-games` plays parts, and leaves the fitting to another.

The network is the mean of those of the last three rounds. ``--write`` puts it into the package, and the log into
docs/learned.md; its checksum is told, and stands in `weights.py`.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.tables import replace_table
from handful.bots.learned import parameters_for
from handful.bots.learned.features_kernel import INPUTS
from handful.bots.learned.weights import FILE, checksum_of, read_layers, words_of_layers, write_layers
from handful.hanabi.rules import Rules

Layers = list[npt.NDArray[np.float32]]

RULES = Rules(players=2)
WIDTHS = (128, 32)
GAMES = 5_000  # of a part
PARTS = (12, 6, 6, 6, 6, 6)
SEED = 7_000  # round r plays deals of seed SEED + r
OTHERS, CANDIDATES, MARGIN = 4, 8, 20.0  # what is tried beside the bot's own action
MAIN_SHARE, OTHER_SHARE = 0.5, 0.15
FADE = 0.9  # λ; round 0 has no network, and takes what came of the game
QUICK = {"candidates": 4, "margin": 12.0, "prior": 0.12}  # how the games are played
BATCH, HELD_OUT = 2_048, 30_000
FIRST_EPOCHS, EPOCHS = 3.0, 1.5
FIRST_RATE, RATE = 2e-3, 1.5e-3
AVERAGED = 3  # networks of the last rounds


class Fit(NamedTuple):
    """A network, and its mean log loss in training and on samples that were held out."""

    layers: Layers
    loss: float
    held_out: float


def new_layers(seed: int, widths: Sequence[int] = WIDTHS) -> Layers:
    """Return random layers; of the inputs about 170 are not 0."""
    chance = np.random.default_rng(seed)
    sizes = [INPUTS, *widths, 1]
    layers = [
        chance.normal(0, (2 / min(size, 170)) ** 0.5, (size + 1, width)).astype(np.float32)
        for size, width in pairwise(sizes)
    ]
    for layer in layers:
        layer[-1] = 0
    return layers


def play_part(layers: Layers, number: int, part: int, games: int = GAMES, seed: int = SEED) -> dict[str, Any]:
    """Play a part of a round; return the samples, as `self_play_kernel.Samples` has them."""
    from handful.bots.learned.self_play_kernel import Plan, Samples, generate
    from handful.hanabi.kernels.layout import rulebook_of

    room = games * 80 + 2_000
    samples = Samples(np.zeros((room, INPUTS), np.uint8), np.zeros(room, np.float32), np.zeros(4, np.int64))
    settings: dict[str, Any] = QUICK if number else {"candidates": 1}
    row = parameters_for(RULES, words_of_layers(layers), **settings)
    fade = FADE if number else 1.0
    plan = Plan(seed + number, part * games, games, OTHERS, CANDIDATES, MARGIN, MAIN_SHARE, OTHER_SHARE, fade)
    generate(rulebook_of(RULES), row, plan, samples)
    count = samples.counts[3]
    return {"inputs": samples.inputs[:count], "targets": samples.targets[:count], "counts": samples.counts}


def forward(layers: Layers, inputs: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    """Return what goes into each layer, and the log odds."""
    values = [inputs]
    for place, layer in enumerate(layers):
        sums = values[-1] @ layer[:-1] + layer[-1]
        values.append(np.maximum(sums, 0) if place + 1 < len(layers) else sums)
    return values


def chances_of(log_odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return chances from log odds."""
    chances: npt.NDArray[np.float32] = np.float32(1) / (np.float32(1) + np.exp(-log_odds[:, 0]))
    return chances


def log_loss(chances: npt.NDArray[np.float32], targets: npt.NDArray[np.float32]) -> float:
    """Return the mean log loss."""
    return -float((targets * np.log(chances + 1e-9) + (1 - targets) * np.log(1 - chances + 1e-9)).mean())


def gradients_of(layers: Layers, inputs: npt.NDArray[np.float32], targets: npt.NDArray[np.float32]) -> Layers:
    """Return the gradients of the mean log loss."""
    values = forward(layers, inputs)
    error = ((chances_of(values[-1]) - targets) / len(targets))[:, None].astype(np.float32)
    gradients = []
    for place in range(len(layers) - 1, -1, -1):
        gradients.append(np.vstack([values[place].T @ error, error.sum(0)]))
        if place:
            error = (error @ layers[place][:-1].T) * (values[place] > 0)
    return gradients[::-1]


def fit(layers: Layers, inputs: npt.NDArray[np.uint8], targets: npt.NDArray[np.float32], number: int, seed: int) -> Fit:
    """Return the network of a round: after some epochs of Adam from these layers on."""
    rate, epochs = (RATE, EPOCHS) if number else (FIRST_RATE, FIRST_EPOCHS)
    chance = np.random.default_rng(seed + number)
    layers = [layer.copy() for layer in layers]
    means, squares = [np.zeros_like(layer) for layer in layers], [np.zeros_like(layer) for layer in layers]
    order = chance.permutation(len(targets))
    held_out, used = order[: min(HELD_OUT, len(order) // 10)], order[min(HELD_OUT, len(order) // 10) :]
    batch = min(BATCH, len(used))
    total = max(1, int(epochs * (len(used) // batch)))
    losses = []
    for step in range(1, total + 1):
        place = (step - 1) % (len(used) // batch)
        if place == 0:
            order = chance.permutation(used)
        chosen = order[place * batch : (place + 1) * batch]
        some = inputs[chosen].astype(np.float32) * np.float32(1 / 255)
        gradients = gradients_of(layers, some, targets[chosen])
        now = rate * min(1, step / 200) * max(0.02, 1 - step / total)
        for layer, gradient, mean, square in zip(layers, gradients, means, squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            layer -= now * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        if step % 50 == 0 or step == total:
            losses.append(log_loss(chances_of(forward(layers, some)[-1]), targets[chosen]))
    some = inputs[held_out].astype(np.float32) * np.float32(1 / 255)
    told = log_loss(chances_of(forward(layers, some)[-1]), targets[held_out])
    return Fit(layers, float(np.mean(losses)), told)


def is_claimed(folder: Path, name: str) -> bool:
    """Return whether a run that is alive has begun a part; if not, it is claimed now."""
    claim = folder / f"{name}.claimed"
    with suppress(FileExistsError):
        with claim.open("x") as file:
            file.write(str(os.getpid()))
        return False
    with suppress(ValueError, ProcessLookupError):
        os.kill(int(claim.read_text()), 0)
        return True
    claim.write_text(str(os.getpid()))
    return False


def write_part(folder: Path, number: int, part: int, layers: Layers, options: argparse.Namespace) -> None:
    """Play a part and write it to the folder."""
    name = f"round-{number}-{part}"
    begun = time.process_time()
    played = play_part(layers, number, part, options.games, options.seed)
    games, perfect, others, samples = played["counts"]
    text = f"{perfect / games:.2%} of {games} games perfect, {others} other actions, {samples} samples"
    say(folder, f"round {number}, part {part}: {text}, {time.process_time() - begun:.0f} s")
    with (folder / f"{name}.tmp").open("wb") as file:
        np.savez(file, **played)
    (folder / f"{name}.tmp").rename(folder / f"{name}.npz")


def say(folder: Path, text: str) -> None:
    """Print a line, and add it to the log."""
    print(text, flush=True)
    with (folder / "log.txt").open("a") as log:
        print(text, file=log)


def fit_round(folder: Path, number: int, parts: Sequence[int], layers: Layers, options: argparse.Namespace) -> Layers:
    """Fit the network of a round to its games and those of the two rounds before it, and write it."""
    rounds = range(max(1, number - 2), number + 1) if number else range(1)
    played = [np.load(folder / f"round-{each}-{part}.npz") for each in rounds for part in range(parts[each])]
    inputs, targets = (np.concatenate([part[name] for part in played]) for name in ("inputs", "targets"))
    begun = time.process_time()
    found = fit(layers, inputs, targets, number, options.seed)
    text = f"{len(targets)} samples, log loss {found.loss:.4f}, held out {found.held_out:.4f}"
    say(folder, f"network {number}: {text}, {time.process_time() - begun:.0f} s")
    write_layers(folder / f"network-{number}.npz", found.layers)
    return read_layers(folder / f"network-{number}.npz")


def learn(folder: Path, parts: Sequence[int], options: argparse.Namespace) -> Layers:
    """Go on with all rounds; return the mean of the networks of the last ones, which errs less than each of them."""
    layers = new_layers(options.seed)
    for number, count in enumerate(parts):
        path = folder / f"network-{number}.npz"
        missing = list(range(count))
        while not path.exists() and (missing or options.only_games):
            missing = [part for part in missing if not (folder / f"round-{number}-{part}.npz").exists()]
            mine = next((part for part in missing if not is_claimed(folder, f"round-{number}-{part}")), None)
            if mine is not None:
                write_part(folder, number, mine, layers, options)
            elif missing or options.only_games:
                time.sleep(1)  # somebody else is at it
        layers = read_layers(path) if path.exists() else fit_round(folder, number, parts, layers, options)
    last = range(max(0, len(parts) - AVERAGED), len(parts))
    networks = [read_layers(folder / f"network-{number}.npz") for number in last]
    return [np.mean(same, axis=0) for same in zip(*networks, strict=True)]


def place_of(line: str) -> tuple[int, int]:
    """Return where a line of the log belongs: by its round, the parts first.

    >>> place_of("round 3, part 4: 62.50% of 5000 games perfect"), place_of("network 3: 4493957 samples")
    ((3, 4), (3, 1000))
    """
    words = line.replace(":", " ").replace(",", " ").split()
    return int(words[1]), int(words[3]) if words[0] == "round" else 1000


def main(arguments: Sequence[str] | None = None) -> None:
    """Go on with the run that a folder has, or begin it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where games and networks are kept")
    parser.add_argument("--parts", default=",".join(map(str, PARTS)), help="parts of each round, by commas")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of a part (default: {GAMES})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of deals and of chance (default: {SEED})")
    parser.add_argument("--only-games", action="store_true", help="leave the fitting to another run")
    parser.add_argument("--write", action="store_true", help="put the network into the package")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    layers = learn(options.folder, [int(part) for part in options.parts.split(",")], options)
    print(f"checksum {checksum_of(layers)}")
    if options.write:
        write_layers(FILE, layers)
        lines = sorted((options.folder / "log.txt").read_text().splitlines(), key=place_of)
        replace_table("learned.md", "learning", "\n```text\n" + "\n".join(lines) + "\n```\n")


if __name__ == "__main__":
    main()
