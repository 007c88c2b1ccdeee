"""Who plays Rummy: by the answers of a game, greedily by melds, or at random. Whoever can go out goes out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from handful.errors import NotationError, RulesError, UnknownNameError, shown
from handful.rummy.array_files import read_only
from handful.rummy.game import Game
from handful.rummy.melds import ACE_RULES, check_aces, rummies
from handful.rummy.solver.label_setting import rummy_indices
from handful.rummy.solver.solve import ready_answers

if TYPE_CHECKING:
    from handful.rummy.kernels.play import Policy as CompiledPolicy
    from handful.rummy.kernels.play import Rules
    from handful.rummy.solver.long_run import Report

KINDS = {
    "optimal": "least expected turns by the table of the game; by others: optimal(aces=low), optimal(tolerance=0.5)",
    "counting": "as optimal, and heeds which cards lie thrown in a real pile: looks a draw ahead over those to come",
    "greedy": "keeps most cards of some rummy, and of equals what most rummies share",
    "random": "throws any card",
}
TABLE_KINDS = frozenset({"optimal", "counting"})  # they go by the answers of a solved game
_CALL = re.compile(r"\s*([\w-]+)\s*(?:\(([^()]*)\))?\s*")


@dataclass(frozen=True)
class Policy:
    """A way to play. `aces` is the ace rule by whose answers it plays, None for that of the game."""

    kind: str
    aces: str | None = None
    tolerance: float = 0.0

    @property
    def name(self) -> str:
        """How it is written.

        >>> policy_named("optimal( tolerance=0.50 )").name
        'optimal(tolerance=0.5)'
        """
        settings = [f"aces={self.aces}"] if self.aces else []
        settings += [f"tolerance={self.tolerance:g}"] if self.tolerance else []
        return f"{self.kind}({', '.join(settings)})" if settings else self.kind

    def compile(self, game: Game, progress: Report | None = None) -> CompiledPolicy:
        """Return this player for a game, as kernels take it; its answers are read, or made if that is quick."""
        import numpy as np

        from handful.rummy.kernels import play as kernels
        from handful.rummy.kernels.hand_index import make_hand_index

        aces = self.aces or game.aces
        hand_index = make_hand_index(aces, game.cards)
        values, masks = np.zeros(0, np.float64), np.zeros(0, np.int64)
        if self.kind in TABLE_KINDS:
            # Who plays for melds that do not count would hold them for ever.
            if ACE_RULES.index(aces) > ACE_RULES.index(game.aces):
                raise RulesError(f"{self.name} would wait for ever with melds that do not count with aces {game.aces}")
            values = ready_answers(game.cards, aces, self.tolerance, progress).values
        elif self.kind == "greedy":
            masks = np.array(rummies(game.aces, game.cards), np.int64)
        kind = getattr(kernels, self.kind.upper())
        return kernels.Policy(kind, hand_index, read_only(values), masks)


def policy_named(text: str) -> Policy:
    """Return the policy that is written so: ``random``, ``greedy``, ``optimal(aces=low, tolerance=0.5)``."""
    call = _CALL.fullmatch(text)
    if call is None:
        raise NotationError(f"policy {shown(text)}: expected a name, or optimal(aces=…, tolerance=…)")
    if call[1] not in KINDS:
        raise UnknownNameError("policy", call[1], KINDS)
    settings: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (call[2] or "").split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        known = ("aces", "tolerance") if call[1] in TABLE_KINDS else ()
        if name not in known:
            raise UnknownNameError(f"setting of the policy {call[1]!r}", name, known or ["(it has none)"])
        settings[name] = value
    aces = check_aces(settings["aces"]) if "aces" in settings else None
    return Policy(call[1], aces, _tolerance(text, settings.get("tolerance", "0")))


def _tolerance(policy: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise NotationError(
            f"policy {policy!r}: {shown(text)} is not a tolerance; expected a number of turns, at least 0"
        )
    return number


@lru_cache(maxsize=8)
def compiled_rules(game: Game) -> Rules:
    """Return the game that is played, as kernels take it; its tolerance does not matter."""
    from handful.rummy.kernels.hand_index import make_hand_index
    from handful.rummy.kernels.play import Rules

    hand_index = make_hand_index(game.aces, game.cards)
    return Rules(hand_index, rummy_indices(game, hand_index))
