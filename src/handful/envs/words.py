"""An observation turned back: from the vector of `observation` to what it says, and to words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from handful.envs.observation import MOVES, Field, fields, observation_size, suit_places
from handful.errors import NotationError
from handful.hanabi.cards import Card, card_at, card_text, cards_in
from handful.hanabi.notation import card_words, slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant


@dataclass(frozen=True)
class LastTurn:
    """The last turn, as an observation has it. Players are counted from the one who looks, who is 0.

    `move` is one of `observation.MOVES`; a hint has `target`, `suit` or `value`, and `touched` slots; a play or discard
    has `slot` and `card`, and a play `is_success` and `is_bonus` (a hint token came back).
    """

    actor: int
    move: str
    target: int | None = None
    suit: int | None = None
    value: int | None = None
    touched: tuple[int, ...] = ()
    slot: int | None = None
    card: Card | None = None
    is_success: bool = False
    is_bonus: bool = False


@dataclass(frozen=True)
class KnownCard:
    """What the hints have told of a card: the mask of what it can be, and the suits and values that were said of it."""

    possible_mask: int
    suits: tuple[int, ...] = ()
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Observation:
    """What an observation says. `hands[a]` are the cards of the player a seats ahead; `hands[0]` is empty.

    `stacks[s]` is the value on top of the stack of suit s, 0 if it is empty: its height, where suits are built 1 2 3 ….

    `discards[c]` is the number of discarded copies of card index c; `knowledge[a][slot]` is None where there is no
    card; `is_short[a]` says that a card is missing there.
    """

    rules: Rules
    hands: tuple[tuple[Card, ...], ...]
    is_short: tuple[bool, ...]
    deck_size: int
    stacks: tuple[int, ...]
    hints: int
    strikes: int
    discards: tuple[int, ...]
    last_turn: LastTurn | None
    knowledge: tuple[tuple[KnownCard | None, ...], ...]


def decode(rules: Rules, vector: Iterable[Any]) -> Observation:
    """Return what an observation says; `vector` may be a list or an array of the right length."""
    numbers = list(vector)
    bits = [int(number) for number in numbers]
    if len(bits) != observation_size(rules):
        raise NotationError(f"{len(bits)} numbers: expected {observation_size(rules)} under these rules")
    if any(number != bit or bit not in (0, 1) for number, bit in zip(numbers, bits, strict=True)):
        raise NotationError("expected an observation of 0s and 1s")
    part = {field.name: _Part(field, bits) for field in fields(rules)}
    variant, size, types = rules.variant, rules.hand_size, rules.variant.num_types
    tops = [_place(row) for row in part["stacks"].rows(variant.num_values)]
    assert rules.max_strikes is not None
    faces = [_place(row) for row in part["cards"].rows(types)]
    hands = [faces[first : first + size] for first in range(0, len(faces), size)]
    known = [
        _known_card(variant, row) for row in part["knowledge"].rows(types + suit_places(variant) + variant.num_values)
    ]
    discards, first = [], 0
    for copies in variant.copies:
        discards.append(sum(part["discards"].bits[first : first + copies]))
        first += copies
    return Observation(
        rules,
        ((), *(tuple(card_at(variant, card) for card in hand if card is not None) for hand in hands)),
        tuple(map(bool, part["short"].bits)),
        sum(part["deck"].bits),
        tuple(0 if top is None else top + 1 for top in tops),
        sum(part["hints"].bits),
        rules.max_strikes - sum(part["lives"].bits),
        tuple(discards),
        _last_turn(variant, part),
        tuple(tuple(known[first : first + size]) for first in range(0, len(known), size)),
    )


class _Part:
    """The numbers of one field."""

    def __init__(self, field: Field, bits: list[int]) -> None:
        self.bits = bits[field.start : field.stop]

    def rows(self, length: int) -> Iterator[list[int]]:
        """Yield the numbers in rows."""
        return (self.bits[first : first + length] for first in range(0, len(self.bits), length))

    def place(self) -> int | None:
        """Return the place that is set; None if none is."""
        return _place(self.bits)


def _place(bits: list[int]) -> int | None:
    return bits.index(1) if 1 in bits else None


def _places(bits: list[int]) -> tuple[int, ...]:
    return tuple(place for place, bit in enumerate(bits) if bit)


def _known_card(variant: Variant, bits: list[int]) -> KnownCard | None:
    types, suits = variant.num_types, suit_places(variant)
    mask = sum(1 << place for place in _places(bits[:types]))
    values = tuple(variant.value_hints[place] for place in _places(bits[types + suits :]))
    return KnownCard(mask, _places(bits[types : types + suits]), values) if mask else None


def _last_turn(variant: Variant, part: dict[str, _Part]) -> LastTurn | None:
    actor, move = part["actor"].place(), part["move"].place()
    if actor is None or move is None:
        return None
    value, card = part["value"].place(), part["card"].place()
    return LastTurn(
        actor,
        MOVES[move],
        part["target"].place(),
        part["suit"].place(),
        None if value is None else variant.value_hints[value],
        _places(part["touched"].bits),
        part["slot"].place(),
        None if card is None else card_at(variant, card),
        bool(part["success"].bits[0]),
        bool(part["bonus"].bits[0]),
    )


def describe(rules: Rules, vector: Iterable[Any]) -> str:
    """Return an observation in words, as its player would say it.

    >>> from handful.envs.observation import encode
    >>> from handful.hanabi import Deal, HintValue, State
    >>> state = State(Deal.from_seed(Rules(players=2), seed=1))
    >>> turn = state.act(HintValue(1, 1))
    >>> print(describe(state.rules, encode(state.view(1))))
    stacks: r0 y0 g0 b0 p0; 40 cards in the deck, 7 hints, 0 strikes
    discards: none
    last turn: the next player told you about 1s: slots d
    you: a not 1; b not 1; c not 1; d told 1, r1 y1 g1 b1 p1; e not 1
    the next player holds p2 g1 p1 b1 b1: nothing told
    """
    seen = decode(rules, vector)
    return "\n".join(_lines(seen))


def _lines(seen: Observation) -> Iterator[str]:
    variant = seen.rules.variant
    tops = (variant.value_text(top) if top else "0" for top in seen.stacks)
    stacks = " ".join(f"{suit.letter}{top}" for suit, top in zip(variant.suits, tops, strict=True))
    counts = f"{seen.deck_size} cards in the deck, {seen.hints} hints, {seen.strikes} strikes"
    yield f"stacks: {stacks}; {counts}"
    thrown = [card_text(variant, card_at(variant, card)) for card, n in enumerate(seen.discards) for _ in range(n)]
    yield f"discards: {' '.join(thrown) or 'none'}"
    yield f"last turn: {_turn_words(seen)}"
    for ahead in range(seen.rules.players):
        held = " ".join(card_text(variant, card) for card in seen.hands[ahead])
        short = " (a card is missing)" if seen.is_short[ahead] else ""
        yield f"{_player(ahead)}{f' holds {held}' if ahead else ''}{short}: {_knowledge_words(seen, ahead)}"


def _player(ahead: int) -> str:
    return ("you", "the next player")[ahead] if ahead < 2 else f"the player {ahead} seats ahead"


def _turn_words(seen: Observation) -> str:
    turn, variant = seen.last_turn, seen.rules.variant
    if turn is None:
        return "none yet"
    if turn.card is not None and turn.slot is not None:
        verb = "discarded" if turn.move == "discard" else "played" if turn.is_success else "misplayed"
        bonus = ", and a hint came back" if turn.is_bonus else ""
        return f"{_player(turn.actor)} {verb} {slot_text(turn.slot)}: {card_words(variant, turn.card)}{bonus}"
    if turn.value is not None:
        what = f"{variant.value_hint_text(turn.value)}s"
    else:
        what = "something" if turn.suit is None else variant.suit_hints[turn.suit].name.lower()
    slots = ", ".join(map(slot_text, turn.touched))
    return f"{_player(turn.actor)} told {_player(turn.target or 0)} about {what}: slots {slots or 'none'}"


def _knowledge_words(seen: Observation, ahead: int) -> str:
    variant = seen.rules.variant
    cards = [
        f"{slot_text(slot)} {words}"
        for slot, known in enumerate(seen.knowledge[ahead])
        if known is not None and (words := _card_words(variant, known))
    ]
    return "; ".join(cards) or "nothing told"


def _card_words(variant: Variant, known: KnownCard) -> str:
    """Return what the hints told of a card: what was said of it, and what it can be or cannot be, whichever is less."""
    told = "".join(variant.suit_hints[suit].letter for suit in known.suits) + "".join(map(str, known.values))
    possible = [card_text(variant, card) for card in cards_in(variant, known.possible_mask)]
    if len(possible) == variant.num_types:
        return f"told {told}" if told else ""
    excluded = variant.all_mask & ~known.possible_mask
    rest = " ".join(possible) if 2 * len(possible) <= variant.num_types else f"not {_excluded_words(variant, excluded)}"
    return f"told {told}, {rest}" if told else rest


def _excluded_words(variant: Variant, mask: int) -> str:
    """Return the cards of a mask, whole suits and whole values by their names."""
    words = []
    suit_masks = [((1 << variant.num_values) - 1) << suit * variant.num_values for suit in range(variant.num_suits)]
    value_masks = [
        sum(1 << suit * variant.num_values + value for suit in range(variant.num_suits))
        for value in range(variant.num_values)
    ]
    rest = mask
    for suit, each in enumerate(suit_masks):
        if mask & each == each:
            words.append(variant.suits[suit].letter)
            rest &= ~each
    for value, each in enumerate(value_masks):
        if mask & each == each:
            words.append(str(value + 1))
            rest &= ~each
    return " ".join([*words, *(card_text(variant, card) for card in cards_in(variant, rest))])
