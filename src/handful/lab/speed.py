"""How fast the engine is, in CPU seconds on one core, with peers measured in the same run.

Machines are shared and noisy, so ours and the peer's rounds alternate and the best round of each counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from handful.errors import HandfulError
from handful.hanabi.rules import Rules

ROUNDS = 5


@dataclass(frozen=True)
class Speed:
    """Complete games per CPU second on one core. `ratio` is ours divided by this, in the same run."""

    name: str
    players: int
    games_per_cpu_second: float
    ratio: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def _engine(players: int) -> Callable[[int], None]:
    """Return our engine alone: random legal actions inside a kernel."""
    from handful.hanabi.kernels.batch import random_games

    def play(games: int) -> None:
        random_games(Rules(players=players), seed=0, count=games)

    return play


def _table(players: int) -> Callable[[int], None]:
    """Return our simulator: the bot `random` at the compiled table, asked seat by seat and hidden its own cards."""
    from handful.bots.simple.random_legal import compiled
    from handful.bots.table_kernel import CompiledTable

    rules = Rules(players=players)
    table = CompiledTable(rules, [compiled(rules)] * players)

    def play(games: int) -> None:
        table.play(seed=0, first=0, count=games)

    return play


def _plain(players: int) -> Callable[[int], None]:
    """Return our plain rules."""
    from handful.bots.simple.random_legal import RandomBot
    from handful.bots.table import play_game
    from handful.hanabi.deal import Deal

    rules = Rules(players=players)

    def play(games: int) -> None:
        for game in range(games):
            play_game(Deal.from_seed(rules, 0, game), [RandomBot] * players, game=game)

    return play


def _open_spiel(players: int, samples_chance: bool) -> Callable[[int], None]:
    """Return OpenSpiel stepped from Python.

    With `samples_chance` the cards come from its chance nodes' distributions, as its documentation steps a game;
    without, a deck that was shuffled beforehand is fed in, which is the fastest way to step it.
    """
    try:
        import pyspiel
    except ImportError:
        raise HandfulError("the peer OpenSpiel is not installed: expected the package open_spiel") from None
    game = pyspiel.load_game("hanabi", {"players": players})
    chance = random.Random(0)
    deck = [
        5 * suit + value for suit in range(5) for value, copies in enumerate((3, 2, 2, 2, 1)) for _ in range(copies)
    ]

    def draw(state: Any, cards: list[int]) -> int:
        if not samples_chance:
            return cards.pop()
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        return int(chance.choices(outcomes, weights)[0])

    def play(games: int) -> None:
        for _ in range(games):
            state, cards = game.new_initial_state(), deck.copy()
            chance.shuffle(cards)
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(draw(state, cards))
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(chance.random() * len(actions))])

    return play


def measure(players: int, with_peers: bool = True, games: int = 50_000) -> list[Speed]:
    """Return the speeds for a number of players, ours first. Peers play fewer games, as they are slower."""
    contestants: dict[str, tuple[Callable[[int], None], int]] = {
        "handful, engine (kernel)": (_engine(players), games),
        "handful, table with bots (kernel)": (_table(players), games),
        "handful, plain rules": (_plain(players), max(1, games // 1000)),
    }
    if with_peers:
        peer_games = max(1, games // 50)
        contestants["OpenSpiel from Python"] = (_open_spiel(players, True), peer_games)
        contestants["OpenSpiel from Python, deck fed in"] = (_open_spiel(players, False), peer_games)
    best = dict.fromkeys(contestants, 0.0)
    for play, _count in contestants.values():
        play(1)  # compiles, and warms up
    for _ in range(ROUNDS):
        for name, (play, count) in contestants.items():
            started = time.process_time()
            play(count)
            best[name] = max(best[name], count / max(time.process_time() - started, 1e-9))
    ours = best["handful, engine (kernel)"]
    return [Speed(name, players, speed, ours / speed) for name, speed in best.items()]
