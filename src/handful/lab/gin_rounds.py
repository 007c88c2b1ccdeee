"""Rounds of a player of Gin with itself: how they end, how long they take, and what they bring."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.lab.rummy_play import OnProgress
from handful.lab.statistics import Interval, wilson_interval
from handful.rummy.gin.players import player_named, shared_minds, think
from handful.rummy.gin.round import ENDINGS
from handful.rummy.gin.rules import GinRules, gin_rules

ROUNDS_AT_ONCE = 500


@dataclass(frozen=True)
class GinRounds(Shown):
    """How rounds of a player with itself went: shares of their endings, of wins of who starts, and means."""

    player: str
    rules: str
    rounds: int
    seed: int
    endings: dict[str, float]
    starter_share: float
    starter_share_ci95: Interval
    points: float
    turns: float
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}


def simulate_gin(
    player: str = "quick",
    *,
    rules: str | GinRules = "eaai",
    rounds: int = 10_000,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> GinRounds:
    """Return how rounds of a player with itself go.

    >>> simulate_gin("simple", rounds=200).endings["undercut"] < 0.3
    True
    """
    import numpy as np

    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.layout import ROUND, VIEW
    from handful.rummy.gin.kernels.play import NONE, begin_round, play_until
    from handful.rummy.gin.round import OVER

    who = player_named(player)
    played = gin_rules(rules) if isinstance(rules, str) else rules
    check_seed(seed)
    if rounds < 1:
        raise HandfulError(f"rounds={rounds}: expected at least 1")
    started, book, minds = time.perf_counter(), rulebook(played), shared_minds()
    table, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    thought = think(played) if who.thinks else None
    r, endings, won, points, turns = table[0], [0] * len(ENDINGS), 0, 0, 0
    for number in range(rounds):
        begin_round(table, book, chance, (seed, number, 0, 0, 0))
        action = NONE
        while True:
            play_until(table, views, book, (who.kind, who.kind), minds, chance, action)
            if r["phase"] == OVER:
                break
            assert thought is not None
            seat = int(r["current"])
            action = thought(views, chance[seat : seat + 1])
        endings[r["ending"]] += 1
        won += int(r["winner"] == 0)
        points += int(r["points"])
        turns += int(r["num_turns"]) + int(r["ending"] > 0)
        if on_progress is not None and (number + 1) % ROUNDS_AT_ONCE == 0:
            on_progress(ROUNDS_AT_ONCE)
    decided = sum(endings[1:])
    return GinRounds(
        player=player,
        rules=played.name,
        rounds=rounds,
        seed=seed,
        endings={name: count / rounds for name, count in zip(ENDINGS, endings, strict=True)},
        starter_share=won / max(1, decided),
        starter_share_ci95=wilson_interval(won, max(1, decided)),
        points=points / max(1, decided),
        turns=turns / rounds,
        seconds=time.perf_counter() - started,
    )
