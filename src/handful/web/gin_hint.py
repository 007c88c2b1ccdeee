"""What an adviser says of a place in a round of Gin, as a page shows it: every action with its worth and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handful.rummy.gin.view import GinView


@dataclass(frozen=True)
class AdvisedAction:
    """An action that may be taken: its number, in words, and what it is worth."""

    number: int
    text: str
    points: float
    cost: float
    is_best: bool


@dataclass(frozen=True)
class GinAdvised:
    """What is said to a player: the actions, the best first, and why."""

    actions: tuple[AdvisedAction, ...]
    reasons: tuple[str, ...]


def advised(view: GinView) -> GinAdvised:
    """Return what is said of a place that is shown by a view."""
    raise NotImplementedError
