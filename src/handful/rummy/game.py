"""Which game of Rummy is played, and what can be asked of it: the limits of this room, each said here once."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from handful.errors import RulesError
from handful.rummy.cards import NUM_CARDS, sizes_text
from handful.rummy.melds import check_aces

HAND_SIZES = range(3, 11)
TOLERANCE_SIZES = range(3, 10)  # which can be solved within a tolerance: cohorts need twice the memory
ADDED_SIZES = range(3, 9)  # of which every card is weighed: with 9 that would be 10 GB
GONE_SIZES = range(3, 5)  # which are solved anew whenever cards are gone; others only if few cards are left
EXACT_TURNS_SIZES = range(3, 6)  # and through all that can be met, however unlikely, in moments
CHECKPOINT_SIZES = range(7, 11)  # which can be stopped and go on: smaller ones are done before it would be worth it
SOLVED_AT_ONCE = 60.0  # seconds: a game that takes longer is solved only by who asks for it


@dataclass(frozen=True)
class Game:
    """Which game is solved: so many cards in hand, an ace rule, and a tolerance (0: exactly)."""

    cards: int
    aces: str
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        check_aces(self.aces)
        if not isinstance(self.cards, int) or self.cards not in HAND_SIZES:
            raise RulesError(f"cards {self.cards}: expected a hand of {sizes_text(HAND_SIZES)}")
        if not 0 <= self.tolerance < float("inf"):
            raise RulesError(f"tolerance {self.tolerance}: expected 0 (exact) or a positive number of turns")

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return comb(NUM_CARDS, self.cards)

    @property
    def file_name(self) -> str:
        """What the file of its answers is called."""
        tolerance = f"-within-{self.tolerance!r}" if self.tolerance else ""
        return f"rummy-{self.cards}-{self.aces}{tolerance}.table"
