"""Turns that somebody wants to take back: at casual tables, if all people there agree. Bots always do."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class TakeBack:
    """What was asked for: `asker` wants the game back as it was after `turns` turns, before the asker's last one.

    It holds for the game as it stood after `events`: whatever happens next, the question is gone. The deck stays as it
    is, so those who saw a card drawn or thrown know it from then on: that is why only casual games have this.
    """

    asker: int
    turns: int
    events: int
    agreed: set[int] = field(default_factory=set)
