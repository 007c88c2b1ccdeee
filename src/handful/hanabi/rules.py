"""The rules of a game: who plays with what, and the points that tables handle differently.

Bergh 2015, Definition 2.9 calls a game H = (n, k, p, h, S0, t0, f0): n values and k suits (the variant here), p
players, hand size h, the deck S0 (a `Deal` here), t0 hint tokens and f0 strikes. The options are those on which
published engines differ.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from handful.errors import MOST_QUOTED, NotationError, RulesError, UnknownNameError, shown
from handful.hanabi.variants import NO_VARIANT, Variant

StrikeScore = Literal["zero", "keep", "keep-on-last-turn"]
EndOfDeck = Literal["last-round", "never"]

DEFAULT_HAND_SIZE = {1: 5, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3}
MAX_PLAYERS = 6


@dataclass(frozen=True)
class Rules:
    """The rules of one game; hanab.live's unless said otherwise.

    `hand_size` 0 stands for the usual one: 5 cards for up to 3 players, 4 for 4 and 5, 3 for 6. `max_hints` and
    `max_strikes` may be None, without limit. With `deck_plays` the last card of the deck can be played from there.
    In `all_or_nothing` the empty deck ends nothing; only a perfect game counts, and one that cannot become perfect any
    more, because a card is lost or somebody can do nothing, is over.

    >>> Rules(players=4).hand_size
    4
    """

    variant: Variant = NO_VARIANT
    players: int = 2
    hand_size: int = 0
    max_hints: int | None = 8
    max_strikes: int | None = 3
    strike_score: StrikeScore = "zero"
    empty_hints: bool = False
    discard_at_max: bool = False
    bonus_hint: bool = True
    end_of_deck: EndOfDeck = "last-round"
    deck_plays: bool = False
    all_or_nothing: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.players <= MAX_PLAYERS:
            raise RulesError(f"{self.players} players: expected 1 to {MAX_PLAYERS}")
        if self.hand_size == 0:
            object.__setattr__(self, "hand_size", DEFAULT_HAND_SIZE[self.players])
        if self.hand_size < 1:
            raise RulesError(f"hand_size is {self.hand_size}: expected at least 1 card")
        dealt = self.players * self.hand_size
        if dealt > self.variant.num_cards:
            raise RulesError(
                f"{self.players} hands of {self.hand_size} cards are {dealt}, "
                f"but {self.variant.name} has {self.variant.num_cards} cards"
            )
        if self.max_hints is not None and self.max_hints < 0:
            raise RulesError(f"max_hints is {self.max_hints}: expected 0 or more, or none for no limit")
        if self.max_strikes is not None and self.max_strikes < 1:
            raise RulesError(f"max_strikes is {self.max_strikes}: expected 1 or more, or none for no limit")
        for name, kind in (("strike_score", StrikeScore), ("end_of_deck", EndOfDeck)):
            if getattr(self, name) not in get_args(kind):
                raise RulesError(f"{name} is {shown(getattr(self, name))}: expected {' or '.join(get_args(kind))}")

    @property
    def max_score(self) -> int:
        """The score of a perfect game."""
        return self.variant.max_score

    @property
    def is_played_as_usual(self) -> bool:
        """Whether cards are played and discarded, and tokens spent and gained, as in the ordinary game.

        Then only which cards there are and which of them a hint touches can be special.
        """
        special = self.variant.modifiers
        return (
            self.variant.is_ascending
            and not self.variant.orange_mask
            and not (special.clue_starved or special.hole or special.alternating)
            and not (self.deck_plays or self.all_or_nothing)
        )

    @property
    def has_last_round(self) -> bool:
        """Whether the end of the deck ends the game, after one more turn for each player."""
        return self.end_of_deck == "last-round" and not self.all_or_nothing

    @property
    def completed_stack_gives(self) -> bool:
        """Whether a completed stack gives a hint token, or half of one."""
        return self.bonus_hint and not self.variant.modifiers.hole

    @property
    def in_words(self) -> str:
        """What is special about the variant and these options, in a few sentences; empty for the ordinary game."""
        said = [self.variant.in_words]
        if self.deck_plays:
            said.append("The last card of the deck can be played from there.")
        if self.all_or_nothing:
            said.append("Only a perfect game counts; the empty deck does not end it, a lost card does.")
        return " ".join(filter(None, said))

    @property
    def num_actions(self) -> int:
        """How many different actions a player has: 2h + (p − 1)(suit hints + values) (Bergh 2015, section 2.4).

        One more if the last card of the deck can be played from there.
        """
        num_hints = self.variant.num_suit_hints + self.variant.num_value_hints
        return 2 * self.hand_size + (self.players - 1) * num_hints + self.deck_plays

    def with_options(self, text: str) -> Rules:
        """Return these rules with the options of a text such as ``bonus_hint=no, max_hints=7``.

        >>> Rules(players=3).with_options("hand_size=4, max_strikes=none").hand_size
        4
        """
        return replace(self, **_parse_options(text))

    def options_text(self) -> str:
        """Return the options that differ from the defaults, as `with_options` reads them; empty if none does."""
        usual = {**_DEFAULTS, "hand_size": DEFAULT_HAND_SIZE[self.players]}
        return ", ".join(
            f"{name}={_option_text(getattr(self, name))}" for name in OPTIONS if getattr(self, name) != usual[name]
        )


_DEFAULTS = {field.name: field.default for field in fields(Rules) if field.name not in ("variant", "players")}
OPTIONS = tuple(_DEFAULTS)

# What a preset changes in the defaults.
PRESETS: dict[str, dict[str, Any]] = {
    "hanab-live": {},
    "thesis": {
        "empty_hints": True,
        "discard_at_max": True,
        "bonus_hint": False,
        "strike_score": "keep-on-last-turn",
    },
}

_BOOLEANS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def _parse_options(text: str) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in PRESETS:
            raise NotationError(f"rules {shown(text.strip())}: the preset {name!r} must come first, and alone")
        if name not in OPTIONS:
            raise UnknownNameError("rules option" if equals else "rules preset or option", name, [*PRESETS, *OPTIONS])
        if name in changes:
            raise NotationError(f"rules {shown(text.strip())}: {name} is given twice, expected once")
        changes[name] = _parse_option(name, value if equals else "yes")
    return changes


def _parse_option(name: str, text: str) -> Any:
    default = _DEFAULTS[name]
    if isinstance(default, bool):
        if text.lower() in _BOOLEANS:
            return _BOOLEANS[text.lower()]
        raise NotationError(f"rules option {name}={text[:MOST_QUOTED]}: expected yes or no")
    if isinstance(default, int):
        if text.lower() == "none" and name in ("max_hints", "max_strikes"):
            return None
        if text.isascii() and text.isdigit() and len(text) <= 6:
            return int(text)
        raise NotationError(f"rules option {name}={text[:MOST_QUOTED]}: expected a whole number")
    return text


def _option_text(value: object) -> str:
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)


def rules_from_text(text: str, players: int, variant: Variant = NO_VARIANT) -> Rules:
    """Return the rules of a preset, of single options, or of a preset with single options on top.

    >>> rules_from_text("thesis, bonus_hint=yes", players=3).empty_hints
    True
    """
    first, _, rest = text.partition(",")
    if first.strip() in PRESETS:
        return Rules(variant, players, **(PRESETS[first.strip()] | _parse_options(rest)))
    return Rules(variant, players, **_parse_options(text))
