"""What changes the rules of a whole variant: special values, other copies, hints that cannot be given or heard, …

Each modifier has a short code, hanab.live's: `R1` (the 1s are touched as Rainbow is), `UD` (up or down), `Su` (sudoku).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Literal

from handful.errors import RulesError, shown
from handful.hanabi.suits import Touch

ValueTouch = Literal["own", "every", "none", "deceptive"]

# A special value is touched as the suit is whose letter its code begins with: suit hints, value hints, name.
SPECIAL_TOUCHES: dict[str, tuple[Touch, ValueTouch, str]] = {
    "R": ("every", "own", "Rainbow"),
    "P": ("own", "every", "Pink"),
    "W": ("none", "own", "White"),
    "B": ("own", "none", "Brown"),
    "O": ("every", "every", "Omni"),
    "N": ("none", "none", "Null"),
    "M": ("every", "none", "Muddy-Rainbow"),
    "L": ("none", "every", "Light-Pink"),
    "D": ("own", "deceptive", "Deceptive"),
}
VALUE_NAMES = {1: "Ones", 2: "Twos", 3: "Threes", 4: "Fours", 5: "Fives"}

# Code, field, name, and what it means in a sentence.
_SWITCHES: tuple[tuple[str, str, str, str], ...] = (
    ("S1", "scarce_ones", "Scarce Ones", "There are two 1s of each suit instead of three."),
    ("UD", "up_or_down", "Up or Down", "Each suit has one 1 and one START, and is built up or down."),
    ("Su", "sudoku", "Sudoku", "There are two of each card; a stack starts at any value that no other started with, "
     "and after the highest value comes 1."),
    ("CS", "clue_starved", "Clue Starved", "A discard or a completed stack gives half a hint token."),
    ("CB", "suit_blind", "Color Blind", "Suit hints touch nothing."),
    ("NB", "value_blind", "Number Blind", "Value hints touch nothing."),
    ("TB", "totally_blind", "Totally Blind", "Hints touch nothing."),
    ("CM", "suit_mute", "Color Mute", "Suit hints cannot be given."),
    ("NM", "value_mute", "Number Mute", "Value hints cannot be given."),
    ("AC", "alternating", "Alternating Clues", "After a suit hint comes a value hint, and the other way round."),
    ("OE", "odds_and_evens", "Odds and Evens", "Values are hinted as odd or even."),
    ("Fu", "funnels", "Funnels", "A value hint touches that value and all lower ones."),
    ("Ch", "chimneys", "Chimneys", "A value hint touches that value and all higher ones."),
    ("Sy", "synesthesia", "Synesthesia", "A suit hint also touches the value of its number: the first suit hint 1s, …"),
    ("TH", "hole", "Throw It in a Hole", "Plays lie face down, completed stacks give no token, and points and strikes "
     "come to light at the end."),
    ("CP", "cow_and_pig", "Cow & Pig", "Who gets a hint hears only whether it is of a suit or of a value."),
    ("Du", "duck", "Duck", "Who gets a hint hears only which cards it touches."),
)  # fmt: skip
_FIELD_OF = {code: field for code, field, _name, _meaning in _SWITCHES}
_SPECIAL = re.compile(r"([RPWBONMLDC])([1-9])")


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What changes the rules of a variant, all off unless said otherwise.

    `special_value` is touched as `special_letter` says (`SPECIAL_TOUCHES`); of `critical_value` there is one copy in
    each suit.
    """

    special_value: int = 0
    special_letter: str = ""
    critical_value: int = 0
    scarce_ones: bool = False
    up_or_down: bool = False
    sudoku: bool = False
    clue_starved: bool = False
    suit_blind: bool = False
    value_blind: bool = False
    totally_blind: bool = False
    suit_mute: bool = False
    value_mute: bool = False
    alternating: bool = False
    odds_and_evens: bool = False
    funnels: bool = False
    chimneys: bool = False
    synesthesia: bool = False
    hole: bool = False
    cow_and_pig: bool = False
    duck: bool = False

    def __post_init__(self) -> None:
        if self.up_or_down and (self.sudoku or self.special_value or self.critical_value):
            raise RulesError("a variant that is built up or down cannot be Sudoku too, or have values of its own kind")
        if self.sudoku and (self.critical_value or self.scarce_ones):
            raise RulesError("in Sudoku there are two copies of each card, so none can be critical or scarce")
        if sum((self.odds_and_evens, self.funnels, self.chimneys)) > 1:
            raise RulesError("a variant has one way for value hints to touch other values, not several")

    @staticmethod
    def parse(codes: Iterable[str]) -> Modifiers:
        """Return the modifiers of these codes.

        >>> Modifiers.parse(["NM", "Sy"]).synesthesia
        True
        """
        made = NO_MODIFIERS
        for code in codes:
            if code in _FIELD_OF:
                change: dict[str, object] = {_FIELD_OF[code]: True}
            elif (special := _SPECIAL.fullmatch(code)) is None:
                known = " ".join([*(f"{letter}1" for letter in (*SPECIAL_TOUCHES, "C")), *_FIELD_OF])
                raise RulesError(f"modifier {shown(code)} of a variant: expected one of {known}")
            elif special[1] == "C":
                change = {"critical_value": int(special[2])}
            elif made.special_value:
                raise RulesError(f"modifier {shown(code)} of a variant: one value can be special, not two")
            else:
                change = {"special_value": int(special[2]), "special_letter": special[1]}
            made = replace(made, **change)  # type: ignore[arg-type]
        return made

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the modifiers, special values first."""
        special = f"{self.special_letter}{self.special_value}" if self.special_value else ""
        critical = f"C{self.critical_value}" if self.critical_value else ""
        # hanab.live writes NM before Sy, as this order does.
        switches = (code for code, field, *_ in _SWITCHES if getattr(self, field))
        return tuple(filter(None, (special, critical, *switches)))

    @property
    def name(self) -> str:
        """The name that hanab.live gives a variant with these modifiers; empty without any."""
        parts = []
        if self.special_value:
            parts.append(f"{SPECIAL_TOUCHES[self.special_letter][2]}-{VALUE_NAMES.get(self.special_value, '')}")
        if self.critical_value:
            parts.append(f"Critical {VALUE_NAMES.get(self.critical_value, '')}")
        said = [name for _code, field, name, _meaning in _SWITCHES if getattr(self, field)]
        if self.synesthesia and self.value_mute:
            said.remove("Number Mute")
        return " & ".join([*parts, *said])

    @property
    def sentences(self) -> tuple[str, ...]:
        """What each of them means."""
        said = []
        if self.special_value:
            letter = self.special_letter
            if letter == "D":
                said.append(f"Each {self.special_value} is touched by one value hint, which its suit decides.")
            else:
                kind = SPECIAL_TOUCHES[letter][2].replace("-", " ").lower()
                said.append(f"The {self.special_value}s are touched as {kind} suits are.")
        if self.critical_value:
            said.append(f"There is one {self.critical_value} of each suit.")
        return (*said, *(meaning for _code, field, _name, meaning in _SWITCHES if getattr(self, field)))

    @property
    def special_suit_hints(self) -> Touch:
        """Which suit hints touch the special value."""
        return SPECIAL_TOUCHES[self.special_letter][0] if self.special_value else "own"

    @property
    def special_value_hints(self) -> ValueTouch:
        """Which value hints touch the special value."""
        return SPECIAL_TOUCHES[self.special_letter][1] if self.special_value else "own"

    @property
    def are_suit_hints_blind(self) -> bool:
        """Whether suit hints touch nothing."""
        return self.suit_blind or self.totally_blind

    @property
    def are_value_hints_blind(self) -> bool:
        """Whether value hints touch nothing."""
        return self.value_blind or self.totally_blind

    @property
    def hides_hints(self) -> bool:
        """Whether who gets a hint does not hear what it was."""
        return self.cow_and_pig or self.duck

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))


NO_MODIFIERS = Modifiers()
