"""Who plays Gin: a register of players, each a function of a view and of chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from handful.errors import UnknownNameError
from handful.rummy.gin.actions import GinAction, action_at
from handful.rummy.gin.rules import GinRules
from handful.rummy.gin.view import GinView
from handful.splitmix import BOT_STREAM, SplitMix64

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.layout import Rulebook, Views
    from handful.rummy.gin.kernels.play import Minds
    from handful.splitmix_jit import Chance


@dataclass(frozen=True)
class GinPlayer:
    """A player: name, number inside kernels, what it does, and where that comes from."""

    name: str
    kind: int
    summary: str
    source: str
    thinks: bool = False  # long enough that games are not played inside one kernel

    def choose(self, view: GinView, chance: SplitMix64) -> GinAction:
        """Return what the player does in a place that is shown by a view."""
        import numpy as np

        from handful.rummy.gin.kernels.bridge import view_record

        streams, views, book = np.array([chance.counter], np.uint64), view_record(view), _rulebook(view.rules)
        if self.thinks:
            number = think(view.rules)(views, streams)
        else:
            from handful.rummy.gin.kernels.play import choose

            number = choose(views, 0, book, self.kind, shared_minds(), streams, 0)
        chance.counter = int(streams[0])
        return action_at(int(number))


_ALL = (
    GinPlayer("random", 0, "anything that is legal, each equally likely", "ours"),
    GinPlayer(
        "simple",
        1,
        "takes what melds, throws what leaves least deadwood, knocks as soon as it may",
        "Neller's EAAI challenge of 2021, its yardstick; from a description",
    ),
    GinPlayer(
        "marjj",
        2,
        "throws with an eye on the best seven next cards, knocks in three turns only, then plays for gin",
        "after the winner of that challenge; from a description",
    ),
    GinPlayer(
        "table",
        3,
        "does what is worth most by a small table of weights, fitted to rounds with itself",
        "ours: handful.rummy.gin.judgement",
    ),
    GinPlayer(
        "quick",
        4,
        "as table, by features that cost a tenth: what play-outs go by",
        "ours: handful.rummy.gin.kernels.quick",
    ),
    GinPlayer(
        "montecarlo",
        5,
        "looks at worlds that explain what the opponent did, and plays what wins the game most often in them",
        "ours: handful.rummy.gin.thought",
        thinks=True,
    ),
)
PLAYERS: dict[str, GinPlayer] = {player.name: player for player in _ALL}


def player_named(name: str) -> GinPlayer:
    """Return a player of the register.

    >>> player_named("marjj").kind
    2
    """
    if name not in PLAYERS:
        raise UnknownNameError("player of Gin", name, PLAYERS)
    return PLAYERS[name]


def seat_chance(seed: int, game: int, seat: int) -> SplitMix64:
    """Return the stream of a seat in the first of the two games of a deal, as compiled games have it."""
    return SplitMix64(seed, BOT_STREAM, 2 * game, seat)


@lru_cache(maxsize=8)
def _rulebook(rules: GinRules) -> Rulebook:
    from handful.rummy.gin.kernels.bridge import rulebook

    return rulebook(rules)


@lru_cache(maxsize=1)
def shared_minds() -> Minds:
    """Return what players think with, the judgements read from their files."""
    from handful.rummy.gin.judgement import shipped_weights
    from handful.rummy.gin.kernels.play import make_minds
    from handful.rummy.gin.thought import shipped_quick

    return make_minds(shipped_weights(), shipped_quick()[0])


@lru_cache(maxsize=8)
def think(rules: GinRules) -> Callable[[Views, Chance], int]:
    """Return what `montecarlo` does by some rules: a function of a view and a stream of chance."""
    from handful.rummy.gin.kernels.choices import choose_montecarlo
    from handful.rummy.gin.thought import Thought, model_for

    book, model, settings = _rulebook(rules), model_for(rules), Thought().fitting(rules).record()

    def thought(views: Views, chance: Chance) -> int:
        return int(choose_montecarlo(views, book, model, settings, chance))

    return thought
