"""The rules of Gin Rummy as data: what is counted, what is forbidden, and three houses that differ."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from handful.errors import NotationError, RulesError, UnknownNameError, shown

HAND_SIZE = 10
MOST_TAKES = 50  # of upcards in a round, by both: so that every round ends (OpenSpiel's number)
LARGEST_TARGET = 1000


@dataclass(frozen=True)
class GinRules:
    """A house's rules. Two players, ten cards each, aces low; who does not deal starts.

    `wall`: a round ends without a winner when so many cards are left in the stock. `wall_knock`: with one of them the
    player to move may still knock with the upcard. `throw_taken`: who takes the upcard may throw it at once, and if
    both do so in succession, the round is void. `lays_off`: whether who defends lays off before or after melding.
    """

    name: str = "eaai"
    knock_limit: int = 10
    gin_bonus: int = 25
    big_gin_bonus: int = 0  # for eleven melded cards, before a throw; 0: there is no big gin
    undercut_bonus: int = 25
    equal_is_undercut: bool = True
    oklahoma: bool = False  # the first upcard is the knock limit; an ace: gin alone
    spades_double: bool = False  # with Oklahoma: if it is a spade, the round counts double
    wall: int = 2
    wall_knock: bool = False
    throw_taken: bool = False
    lays_off: str = "after melding"
    target: int = 100
    game_bonus: int = 0  # who reaches the target first
    shutout_doubles: bool = False  # and if the other has no points, all that counts twice
    box_bonus: int = 0  # for each round won, added when the game is over

    def __post_init__(self) -> None:
        for name, low, high in (
            ("knock_limit", 0, 10),
            ("gin_bonus", 0, 200),
            ("big_gin_bonus", 0, 200),
            ("undercut_bonus", 0, 200),
            ("wall", 1, 20),
            ("target", 1, LARGEST_TARGET),
            ("game_bonus", 0, 1000),
            ("box_bonus", 0, 1000),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or not low <= value <= high:
                raise RulesError(f"{name}={shown(value)}: expected {low} to {high}")
        if self.lays_off not in ("after melding", "before melding"):
            raise RulesError(f"lays_off={shown(self.lays_off)}: expected 'after melding' or 'before melding'")

    def limit_for(self, upcard_points: int) -> int:
        """Return the most deadwood with which one may knock, given the points of the first upcard."""
        if not self.oklahoma:
            return self.knock_limit
        return 0 if upcard_points == 1 else upcard_points

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


EAAI = GinRules()  # Neller's undergraduate challenge of EAAI 2021
OPENSPIEL = GinRules("openspiel", equal_is_undercut=False, wall_knock=True, throw_taken=True, lays_off="before melding")
HOYLE = GinRules("hoyle", big_gin_bonus=31, game_bonus=100, shutout_doubles=True, box_bonus=25)
PRESETS = {rules.name: rules for rules in (EAAI, OPENSPIEL, HOYLE)}


def gin_rules(text: str = "eaai") -> GinRules:
    """Return the rules that are written so: a preset, and single rules on top of it.

    >>> gin_rules("hoyle, oklahoma=yes, target=150").target
    150
    >>> gin_rules("eaai, gin_bonus=many")
    Traceback (most recent call last):
    handful.errors.NotationError: gin rules: gin_bonus='many': expected a whole number
    """
    first, *rest = [part.strip() for part in text.split(",")]
    if "=" in first:
        first, rest = "eaai", [first, *rest]
    if first not in PRESETS:
        raise UnknownNameError("preset of Gin rules", first, PRESETS)
    rules = PRESETS[first]
    changed: dict[str, Any] = {}
    known = {field.name: getattr(rules, field.name) for field in fields(GinRules) if field.name != "name"}
    for part in filter(None, rest):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise UnknownNameError("rule of Gin", name, known)
        changed[name] = _parsed(name, value, known[name])
    return replace(rules, name=", ".join([first, *filter(None, rest)]), **changed) if changed else rules


def _parsed(name: str, value: str, usual: Any) -> Any:
    if isinstance(usual, bool):
        if value not in ("yes", "no"):
            raise NotationError(f"gin rules: {name}={shown(value)}: expected yes or no")
        return value == "yes"
    if isinstance(usual, int):
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise NotationError(f"gin rules: {name}={shown(value)}: expected a whole number")
        return int(value)
    return value
