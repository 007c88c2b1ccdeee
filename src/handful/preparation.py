"""Compile everything beforehand, on all cores: what would else be compiled when it is first needed.

A step does a little of the real work, so that all kernels that this work needs are compiled and kept on disk (see
`_cache_jit`). Steps know nothing of each other: whatever order they are done in, by however many processes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from handful._machine import available_cores
from handful.bots.players import all_bots, player_named
from handful.display import Listing, Shown, named_rows
from handful.errors import HandfulError
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.variants import variant_named

if TYPE_CHECKING:
    from handful.bots.players import Player
    from handful.hanabi.knowledge import Turn
    from handful.hanabi.state import State


@dataclass(frozen=True)
class Preparation(Shown):
    """What was done: steps, kernels that had to be compiled for them, seconds of the clock and of all cores."""

    steps: int
    kernels: int
    seconds: float
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(self.__dict__)

    def shown(self) -> Listing:
        """Return what a notebook shows."""
        return Listing("", (), named_rows(self.to_dict()))


def prepare(workers: int | None = None, on_step: Callable[[str], None] | None = None) -> Preparation:
    """Compile all kernels that are not on disk yet. `on_step` is told the name of each step when it is done.

    Interrupted, it keeps what is finished: the next call goes on from there. Finished, the next call does nothing.
    """
    if workers is not None and workers < 1:
        raise HandfulError(f"workers={workers}: expected at least 1")
    if is_prepared():
        return Preparation(0, 0, 0.0, 0.0)
    started, kernels, cpu_seconds = time.perf_counter(), 0, 0.0
    steps = all_steps()
    # New processes, and not copies of this one: nothing that it has compiled or loaded is in them.
    processes: list[Any] = []
    with ProcessPoolExecutor(workers or available_cores(), get_context("spawn")) as pool:
        try:
            jobs = {pool.submit(_take, name): name for name in steps}
            processes = list(pool._processes.values())  # so that they can be ended in the middle of a step
            for job in as_completed(jobs):
                compiled, seconds = job.result()
                kernels, cpu_seconds = kernels + compiled, cpu_seconds + seconds
                if on_step is not None:
                    on_step(jobs[job])
        except BaseException:
            for process in processes:
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    _note_prepared()
    return Preparation(len(steps), kernels, time.perf_counter() - started, cpu_seconds)


def is_prepared() -> bool:
    """Return whether all kernels of these sources have been compiled before."""
    from handful import _jit

    return _jit.is_prepared()


def _note_prepared() -> None:
    from handful import _jit

    _jit.note_prepared()


def _take(name: str) -> tuple[int, float]:
    """Take a step; return how many kernels were compiled for it, and the CPU time."""
    from handful._compilations_jit import count_compilations

    started = time.process_time()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, count_compilations() as compiled:
        # What a step writes, apart from kernels, goes into a folder that is then removed.
        os.environ["HANDFUL_RUMMY_TABLES"] = folder
        all_steps()[name](Path(folder))
    return len(compiled), time.process_time() - started


def all_steps() -> dict[str, Callable[[Path], None]]:
    """Return all steps by their names, those that take longest first.

    Steps that need the same kernels are not neighbours: two processes that take them at once would compile them twice.
    """
    return {
        **{f"the bot {player.name}, {players} players": step for player, players, step in _bot_steps()},
        "search on top of learned": partial(_play_bot, "search(blueprint=learned)", 2),
        "Gin Rummy": _play_gin,
        "Rummy: solving": _solve_rummy,
        "the deal solver": _solve_deals,
        "reviews": _review_games,
        "Rummy: advice": _advise_on_rummy,
        "environments": _step_environments,
        "data sets": _write_games,
        "Rummy: playing": _play_rummy,
        "how hard deals are": _rate_deals,
        "sequences": _sample_sequences,
    }


def _bot_steps() -> Iterator[tuple[Player, int, Callable[[Path], None]]]:
    """Yield every bot with a number of players, and the step for it; `search` and `partner` need more for three."""
    slow = ("search", "learned", "information", "hat", "conventions")
    names = [entry.name for entry in all_bots() if not entry.is_alias]
    for name in sorted(names, key=lambda name: slow.index(name) if name in slow else len(slow)):
        player = player_named(name)
        assert player.entry is not None
        allowed = player.entry.players or (3,)
        for players in allowed[:2] if name in ("search", "partner") else allowed[:1]:
            yield player, players, partial(_play_bot, name, players)


def _play_bot(name: str, players: int, _folder: Path) -> None:
    """Play a game in both forms of a table, and say what its actions tell."""
    from handful.bots.table import play_game
    from handful.lab.simulate import simulate

    rules, player = Rules(players=players), player_named(name)
    simulate(name, players=players, games=1, workers=1)
    explainer = player.explainer(rules, [f"player {seat}" for seat in range(players)])

    def explain(state: State, turn: Turn) -> None:
        if explainer is not None:
            explainer.explain(state, turn)

    play_game(Deal.from_seed(rules, 0), [player.plain] * players, on_turn=explain)


def _solve_deals(_folder: Path) -> None:
    from handful.lab.winnable import winnable
    from handful.playability import solve

    for players in (2, 3):
        for number in range(12):
            solve(Deal.from_seed(Rules(players=players), 2, number))
    solve(Deal.from_seed(Rules(variant_named("Up or Down (5 Suits)"), players=2), 2))
    for variant in ("No Variant", "Up or Down (5 Suits)"):
        winnable(players=2, deals=10, variant=variant, workers=1)


def _review_games(_folder: Path) -> None:
    from handful.bots.table import play_game
    from handful.hanabi.live.records import Record
    from handful.lab.review import review

    rules = Rules(players=3)
    state = play_game(Deal.from_seed(rules, 0), [player_named("random").plain] * 3)
    review(Record.from_state(state), worlds=8, workers=1)


def _solve_rummy(_folder: Path) -> None:
    from handful.rummy.solver.solve import solve
    from handful.rummy.solver.spread import spread_of

    for cards, tolerance in ((3, 0.0), (5, 0.0), (3, 0.5)):
        answers = solve(cards, "low", tolerance)
        if not tolerance:
            spread_of(answers)


def _advise_on_rummy(_folder: Path) -> None:
    from handful.rummy.advice import advise
    from handful.rummy.gone.endgame import endgame

    advise("AC 4C 7C", draw="8C")
    advise("AC 4C 7C", seen="KD QD")
    advise("AC 4C 7C 9D 10D", aces="wrap")
    endgame("7C 7D 9C", "7H KS 2D", draw="KS")


def _play_rummy(_folder: Path) -> None:
    from handful.lab.rummy_play import DECKS, match_rummy, play_rummy
    from handful.rummy.policies import KINDS

    for policy in KINDS:
        for deck in DECKS:
            play_rummy(policy, cards=3, games=2, deck=deck, workers=1)
            match_rummy(policy, "random", cards=3, games=2, deck=deck, workers=1)


def _play_gin(_folder: Path) -> None:
    """Play in the lab, at a table, and ask for advice."""
    from handful.lab.gin_play import match_gin
    from handful.lab.gin_rounds import simulate_gin
    from handful.rummy.gin import GinDeal, Round, player_named
    from handful.rummy.gin.advice import advise
    from handful.splitmix import SplitMix64

    match_gin("table", "marjj", games=2, workers=1)
    simulate_gin("montecarlo", rounds=1)
    view = Round(GinDeal.from_seed(1)).view(0)
    for name in ("table", "montecarlo"):
        player_named(name).choose(view, SplitMix64(1))
    advise(view, worlds=2)


def _step_environments(_folder: Path) -> None:
    import numpy as np

    from handful.envs.batched import BatchedEnv
    from handful.envs.gin_batched import GinBatchedEnv

    for partners in ({}, {1: "rules"}):
        for dtype in (np.uint8, np.float32):
            env = BatchedEnv(count=2, players=2, dtype=dtype, partners=partners)
            _observations, legal_masks = env.reset()
            env.step(legal_masks.argmax(axis=1))
    gin = GinBatchedEnv(count=2, opponent="simple")
    gin.reset()
    gin.step(gin.random_actions())


def _write_games(folder: Path) -> None:
    from handful.envs.dataset import write_dataset

    write_dataset(folder / "games", "random", players=2, games=4)


def _rate_deals(_folder: Path) -> None:
    from handful.lab.difficulty.deal import difficulty_of

    difficulty_of(Deal.from_seed(Rules(players=2), 2), repeats=1)


def _sample_sequences(_folder: Path) -> None:
    from handful.lab.sequences import sample_sequences

    sample_sequences((3, 2, 2, 2, 1), hand=2, suits=2, total=4, workers=1)
