"""What the turns of a game told whom, in words: from the explainers of the bots at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handful.bots.players import Player
    from handful.hanabi.knowledge import Turn
    from handful.hanabi.rules import Rules
    from handful.hanabi.state import State


class Explained:
    """One explainer for each distinct bot, each following the whole game; the actor's own is the one that is heard.

    The hints of a bot without an explainer tell what they say: nothing is added to them.
    """

    def __init__(self, rules: Rules, at_table: Sequence[Player], names: Sequence[str]) -> None:
        distinct = {player.name: player for player in at_table}
        found = {name: player.explainer(rules, names) for name, player in distinct.items()}
        self._explainers = {name: explainer for name, explainer in found.items() if explainer is not None}
        self._bots = [player.name for player in at_table]
        self.turns: list[list[str]] = []

    def follow(self, state: State, turn: Turn) -> None:
        """Add to `turns` the sentences on what a turn told whom. To be called after every turn, in order."""
        said = {name: explainer.explain(state, turn) for name, explainer in self._explainers.items()}
        self.turns.append(said.get(self._bots[turn.actor], []))
