"""What the maker of a table of Hanabi chose beside the game: casual or not, a clock, and what spectators see."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MINUTES, MAX_INCREMENT = 180, 600


@dataclass(frozen=True)
class TableOptions:
    """How a table is played at, whatever the rules are.

    At a `is_casual` table turns may be taken back if all people agree. Spectators see all hands where `open_hands` says
    so, otherwise what everybody at the table knows. `base_seconds` is what each person's clock has at first, 0 without
    clocks; each of their turns adds `increment_seconds`.
    """

    is_casual: bool = False
    open_hands: bool = False
    base_seconds: int = 0
    increment_seconds: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.base_seconds <= 60 * MAX_MINUTES or not 0 <= self.increment_seconds <= MAX_INCREMENT:
            raise ValueError(f"a clock of {self.base_seconds} + {self.increment_seconds} seconds")

    @property
    def has_clock(self) -> bool:
        """Whether the people play against the clock."""
        return self.base_seconds > 0

    @property
    def clock_text(self) -> str:
        """The clock as players say it: minutes + seconds for each turn."""
        minutes, seconds = divmod(self.base_seconds, 60)
        return f"{minutes}{f':{seconds:02}' if seconds else ''} + {self.increment_seconds}"
