"""What a player sees, as a vector: the canonical observation of the Hanabi Learning Environment (Bard et al. 2020).

It has 0s and 1s only. Players are counted from the one who looks: 0 is oneself, 1 the next to move after oneself, and
so on. Cards are counted by their index (suit by suit, value by value), slots from the oldest card. A *thermometer* of
n places has its first k places set for the number k.

For the games that the Hanabi Learning Environment has (ordinary suits, 3 2 2 2 1 copies, 2 to 5 players), this is its
encoding bit for bit. In other variants the same fields have the lengths of that variant, and:

- a suit without a hint of its own (rainbow, white) has its place among the suits like any other; the places of suit
  hints that nobody can give stay 0
- a card can be touched by several suit hints (rainbow) or value hints (pink): the place of each that touched is set
- what a card can be is exact, also where it is not a product of suits and values
- hints have places by their numbers: the first suit hint, the first value that can be hinted, …
- games that are not played as usual have a last section, `special`: the orders open to each stack (`hanabi.orders`),
  half a hint token, what the last hint was about, and which cards a hint has touched that was not heard
- what the variant hides is not there: the stacks and strikes while plays lie face down, the card of an own play, a hint
  that was not heard
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from handful.errors import RulesError
from handful.hanabi.actions import Discard, HintSuit, HintValue, Play, PlayDeck, Unheard
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.orders import stack_values
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant
from handful.hanabi.view import View

MAX_ORDERS = 5  # in which a suit can be built
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
    suits, values, types = suit_places(variant), variant.num_values, variant.num_types
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
    special = variant.modifiers
    if not variant.is_ascending:
        add("special", "orders", variant.num_suits * MAX_ORDERS, "for each suit: the orders in which it can be built")
    if special.clue_starved:
        add("special", "half token", 1, "whether there is half a hint token")
    if special.alternating:
        add("special", "last hint", 2, "whether the last hint was of a suit, of a value")
    if special.hides_hints:
        add("special", "pointed at", players * size, "for players 0, 1, …, for each slot: touched by an unheard hint")
    return tuple(found)


def suit_places(variant: Variant) -> int:
    """Return how many places there are for suits that are hinted."""
    return max(variant.num_suits, variant.num_suit_hints)


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


def encode(view: View) -> list[int]:
    """Return the observation of a view: 0s and 1s, in the places that `fields` names.

    It is made of a view alone, so nothing in it depends on cards that the player cannot see. `encoder_kernel` is the
    same on records, and is compared with it.

    >>> from handful.hanabi import Deal, Rules, State
    >>> vector = encode(State(Deal.from_seed(Rules(players=2), seed=1)).view(0))
    >>> len(vector), sum(vector)
    (658, 306)
    """
    vector = [0] * observation_size(view.rules)
    place = {field.name: field for field in fields(view.rules)}
    undrawn = undrawn_seat(view)
    _hands(vector, place, view, undrawn)
    _board(vector, place, view, undrawn)
    _discards(vector, place, view)
    if view.history:
        _last_turn(vector, place, view, view.history[-1])
    _knowledge(vector, place, view, undrawn)
    _special(vector, place, view, undrawn)
    return vector


def undrawn_seat(view: View) -> int | None:
    """Return the seat whose newest card the Hanabi Learning Environment would not have dealt, or None.

    When a game ends by the last strike or the last card of the last stack, it deals no card for the one just used; we
    do. The observation of such an end is made to agree with it.
    """
    if not view.is_over or not view.history or view.history[-1].drew is None:
        return None
    return view.history[-1].actor


def _set(vector: list[int], field: Field, places: Iterable[int]) -> None:
    for place in places:
        vector[field.start + place] = 1


def _hands(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, variant = view.rules, view.rules.variant
    for ahead in range(rules.players):
        seat = (view.me + ahead) % rules.players
        length = view.hand_length(seat) - (seat == undrawn)
        for slot, card in enumerate(view.cards[seat][:length]):
            first = ((ahead - 1) * rules.hand_size + slot) * variant.num_types
            _set(vector, place["cards"], [first + card_index(variant, card)])
        if length < rules.hand_size:
            _set(vector, place["short"], [ahead])


def _board(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, variant = view.rules, view.rules.variant
    assert view.hints is not None
    assert rules.max_strikes is not None
    _set(vector, place["deck"], range(view.deck_size + (undrawn is not None)))
    for suit, height in enumerate(view.stacks):
        if height:
            top = stack_values(variant.orders[suit], view.open_orders[suit], height)[-1]
            _set(vector, place["stacks"], [card_index(variant, Card(suit, top))])
    _set(vector, place["hints"], range(view.hints))
    _set(vector, place["lives"], range(rules.max_strikes - view.strikes))


def _discards(vector: list[int], place: dict[str, Field], view: View) -> None:
    variant = view.rules.variant
    thrown = [0] * variant.num_types
    for card in view.discards:
        thrown[card_index(variant, card)] += 1
    first = 0
    for count, copies in zip(thrown, variant.copies, strict=True):
        _set(vector, place["discards"], range(first, first + count))
        first += copies


def _last_turn(vector: list[int], place: dict[str, Field], view: View, turn: Turn) -> None:
    rules = view.rules
    _set(vector, place["actor"], [(turn.actor - view.me) % rules.players])
    match turn.action:
        case Play() | Discard() | PlayDeck():
            _set(vector, place["move"], [1 if isinstance(turn.action, Discard) else 0])
            _set(vector, place["slot"], [] if isinstance(turn.action, PlayDeck) else [turn.action.slot])
            if turn.card is not None:
                is_orange = rules.variant.suits[turn.card.suit].is_played_by_discarding
                is_play = isinstance(turn.action, Discard) == is_orange
                _set(vector, place["card"], [card_index(rules.variant, turn.card)])
                is_shown = is_play and not turn.is_strike and not view.is_hidden
                _set(vector, place["success"], [0] if is_shown else [])
                _set(vector, place["bonus"], [0] if is_play and regained_hint(view) else [])
        case Unheard(player, kind):
            _set(vector, place["move"], [] if kind is None else [2 if kind == "suit" else 3])
            _set(vector, place["target"], [(player - view.me) % rules.players])
        case HintSuit(player, suit):
            _set(vector, place["move"], [2])
            _set(vector, place["target"], [(player - view.me) % rules.players])
            _set(vector, place["suit"], [suit])
        case HintValue(player, value):
            _set(vector, place["move"], [3])
            _set(vector, place["target"], [(player - view.me) % rules.players])
            _set(vector, place["value"], [rules.variant.value_hints.index(value)])
    _set(vector, place["touched"], turn.touched)


def regained_hint(view: View) -> bool:
    """Whether the last turn brought a hint token back.

    Before the first turn all tokens are there. (A game that starts in the middle with fewer, and whose very first turn
    brings the last one back, cannot be told from that by a view.)
    """
    before = view.history[-2].hints if len(view.history) > 1 else view.rules.max_hints
    after = view.history[-1].hints
    assert before is not None
    assert after is not None
    return after > before


def _knowledge(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, variant = view.rules, view.rules.variant
    bits = variant.num_types + suit_places(variant) + variant.num_values
    for ahead in range(rules.players):
        seat = (view.me + ahead) % rules.players
        length = view.hand_length(seat) - (seat == undrawn)
        for slot, held in enumerate(view.hands[seat][:length]):
            known, first = held.knowledge, (ahead * rules.hand_size + slot) * bits
            told = known.suit_hints_mask | known.value_places_mask(variant) << suit_places(variant)
            mask = known.possible_mask | told << variant.num_types
            _set(vector, place["knowledge"], [first + bit for bit in range(bits) if mask >> bit & 1])


def _special(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    """Set what only special games have, where the rules have a field for it."""
    rules = view.rules
    if "orders" in place:
        for suit, mask in enumerate(view.open_orders):
            _set(
                vector, place["orders"], [suit * MAX_ORDERS + order for order in range(MAX_ORDERS) if mask >> order & 1]
            )
    if "half token" in place:
        _set(vector, place["half token"], [0] if view.half_token else [])
    if "last hint" in place:
        _set(vector, place["last hint"], [] if view.last_hint is None else [0 if view.last_hint == "suit" else 1])
    if "pointed at" in place:
        for ahead in range(rules.players):
            seat = (view.me + ahead) % rules.players
            for slot, held in enumerate(view.hands[seat][: view.hand_length(seat) - (seat == undrawn)]):
                is_pointed_at = held.knowledge.is_pointed_at
                _set(vector, place["pointed at"], [ahead * rules.hand_size + slot] if is_pointed_at else [])
