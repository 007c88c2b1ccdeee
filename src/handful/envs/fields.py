"""The canonical observation, field by field: the vector of the Hanabi Learning Environment (Bard et al. 2020).

It has 0s and 1s only. Players are counted from the one who looks: 0 is oneself, 1 the next to move after oneself, and
so on. Cards are counted by their index (suit by suit, value by value), slots from the oldest card. A *thermometer* of
n places has its first k places set for the number k.

For the games that the Hanabi Learning Environment has (ordinary suits, 3 2 2 2 1 copies, 2 to 5 players), this is its
encoding bit for bit. In other variants the same fields have the lengths of that variant, and:

- a suit without a hint of its own (rainbow, white) has its place among the suits like any other; the places of suit
  hints that nobody can give stay 0
- a card can be touched by several suit hints (rainbow) or value hints (pink): the place of each that touched is set
- what a card can be is exact, also where it is not a product of suits and values
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from handful.errors import RulesError
from handful.hanabi.rules import Rules

MOVES = ("play", "discard", "suit hint", "value hint")


@dataclass(frozen=True)
class Field:
    """A field of the observation: places start, …, stop − 1 of the vector."""

    section: str
    name: str
    start: int
    stop: int
    meaning: str


@lru_cache
def fields(rules: Rules) -> tuple[Field, ...]:
    """Return the fields of the observation under these rules, in their order.

    >>> [(field.name, field.start, field.stop) for field in fields(Rules(players=2))][:3]
    [('cards', 0, 125), ('short', 125, 127), ('deck', 127, 167)]
    """
    check_observable(rules)
    variant, players, size = rules.variant, rules.players, rules.hand_size
    suits, values, types = variant.num_suits, variant.num_values, variant.num_types
    assert rules.max_hints is not None
    assert rules.max_strikes is not None
    found: list[Field] = []

    def add(section: str, name: str, length: int, meaning: str) -> None:
        start = found[-1].stop if found else 0
        found.append(Field(section, name, start, start + length, meaning))

    add("hands", "cards", (players - 1) * size * types, "for players 1, 2, …, for each slot: which card it is")
    add("hands", "short", players, "for players 0, 1, …: whether a card is missing from the hand")
    add("board", "deck", variant.num_cards - players * size, "cards left to draw, a thermometer")
    add("board", "stacks", types, "for each suit: the value on top of its stack, if any")
    add("board", "hints", rules.max_hints, "hint tokens left, a thermometer")
    add("board", "lives", rules.max_strikes, "strikes left until the game is lost, a thermometer")
    add("discards", "discards", variant.num_cards, "for each card: copies discarded or misplayed, a thermometer")
    add("last turn", "actor", players, "who made the last turn; before the first turn all of this section is 0")
    add("last turn", "move", len(MOVES), f"what it was: {', '.join(MOVES)}")
    add("last turn", "target", players, "whom the hint was for")
    add("last turn", "suit", suits, "which suit was hinted")
    add("last turn", "value", values, "which value was hinted")
    add("last turn", "touched", size, "which slots the hint touched")
    add("last turn", "slot", size, "the slot that was played or discarded")
    add("last turn", "card", types, "the card that was played or discarded")
    add("last turn", "success", 1, "whether the card was played on a stack")
    add("last turn", "bonus", 1, "whether the play regained a hint token")
    knowledge = players * size * (types + suits + values)
    meaning = (
        "for players 0, 1, …, for each slot: what it can be by the hints, and the suits and values that were said of it"
    )
    add("knowledge", "knowledge", knowledge, meaning)
    return tuple(found)


def field_named(rules: Rules, name: str) -> Field:
    """Return the field of that name."""
    return next(field for field in fields(rules) if field.name == name)


def observation_size(rules: Rules) -> int:
    """Return how many numbers an observation has.

    >>> [observation_size(Rules(players=players)) for players in (2, 3, 4, 5)]
    [658, 956, 1041, 1280]
    """
    return fields(rules)[-1].stop


def check_observable(rules: Rules) -> None:
    """Refuse rules without limits: tokens and strikes are encoded as thermometers, which have an end."""
    if rules.max_hints is None or rules.max_strikes is None:
        what = "max_hints" if rules.max_hints is None else "max_strikes"
        raise RulesError(f"{what} is none: the observation has a place for each token, so expected a number")
