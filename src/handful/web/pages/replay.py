"""A game on the page, position by position: what lies on the table, what everybody holds, what just happened."""

from __future__ import annotations

from dataclasses import dataclass

from handful.hanabi.actions import Discard, HintSuit, HintValue, Play
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import HeldCard
from handful.hanabi.live.records import Record
from handful.hanabi.notation import slot_text, turn_text
from handful.hanabi.state import State
from handful.hanabi.variants import Suit
from handful.hanabi.worth import copies_left, playable_mask, unique_mask, worthless_mask
from handful.playability.deals.analysis import pace


@dataclass(frozen=True)
class CardInHand:
    """A card of a hand: its face, what hints have told of it, and its part in what happens.

    `marks` are classes for the page: told (by a hint, ever), pointed (by the hint that was just given), drawn (just
    now), next (about to be played or discarded).
    """

    suit: Suit
    value: int
    slot: str
    told_suits: tuple[Suit, ...]
    told_values: tuple[int, ...]
    worth: str  # playable, worthless, unique, or nothing of these
    marks: tuple[str, ...]

    @property
    def words(self) -> str:
        """All of it in words, for who does not see it."""
        told = [suit.name.lower() for suit in self.told_suits] + [str(value) for value in self.told_values]
        parts = [f"slot {self.slot}: {self.suit.name.lower()} {self.value}"]
        parts += [self.worth] if self.worth else []
        parts += [f"told {' and '.join(told)}"] if told else []
        return ", ".join(parts)


@dataclass(frozen=True)
class Hand:
    """A player's cards, the oldest first."""

    name: str
    is_current: bool
    cards: tuple[CardInHand, ...]


@dataclass(frozen=True)
class Board:
    """A position of a game: after `turn` of `last_turn` turns.

    `happened` is the turn that led here, `comes` the one that follows in this game; both are empty where there is none.
    `discards` are the cards that are gone, by suit: (value, how many).
    """

    turn: int
    last_turn: int
    happened: str
    comes: str
    stacks: tuple[tuple[Suit, int], ...]
    discards: tuple[tuple[Suit, tuple[tuple[int, int], ...]], ...]
    hands: tuple[Hand, ...]
    hints: int | None
    max_hints: int | None
    strikes: int
    max_strikes: int | None
    deck_size: int
    points: int
    max_score: int
    pace: int | None
    ending: str


ENDINGS = {
    "perfect": "a perfect game",
    "strikes": "ended by strikes",
    "deck": "the last round is over",
    "stuck": "nobody can move",
}


def board_of(record: Record, turn: int) -> Board:
    """Return the position of a game after so many turns."""
    state = record.replay(turn)
    rules, variant = state.rules, state.rules.variant
    following = record.replay(turn + 1).history[-1] if turn < len(record.actions) else None
    return Board(
        turn=turn,
        last_turn=len(record.actions),
        happened=turn_text(rules, state.history[-1], record.names) if state.history else "",
        comes=turn_text(rules, following, record.names) if following is not None else "",
        stacks=tuple(zip(variant.suits, state.stacks, strict=True)),
        discards=_gone(state),
        hands=tuple(_hand(record, state, player) for player in range(rules.players)),
        hints=state.hints,
        max_hints=rules.max_hints,
        strikes=state.strikes,
        max_strikes=rules.max_strikes,
        deck_size=state.deck_size,
        points=state.points,
        max_score=rules.max_score,
        pace=pace(state),
        ending=ENDINGS.get(state.ending or "", ""),
    )


def _gone(state: State) -> tuple[tuple[Suit, tuple[tuple[int, int], ...]], ...]:
    """Return the discards by suit and value; suits without any are left out."""
    found = []
    for index, suit in enumerate(state.rules.variant.suits):
        values = [card.value for card in state.discards if card.suit == index]
        if values:
            found.append((suit, tuple((value, values.count(value)) for value in sorted(set(values)))))
    return tuple(found)


def _hand(record: Record, state: State, player: int) -> Hand:
    cards = tuple(_card(record, state, player, slot, held) for slot, held in enumerate(state.hands[player]))
    return Hand(record.names[player], player == state.current and not state.is_over, cards)


def _card(record: Record, state: State, player: int, slot: int, held: HeldCard) -> CardInHand:
    variant, card, knowledge = state.rules.variant, state.card(held), held.knowledge
    return CardInHand(
        suit=variant.suits[card.suit],
        value=card.value,
        slot=slot_text(slot),
        told_suits=tuple(suit for bit, suit in enumerate(variant.suits) if knowledge.suit_hints_mask >> bit & 1),
        told_values=tuple(
            value for value in range(1, variant.num_values + 1) if knowledge.value_hints_mask >> value - 1 & 1
        ),
        worth=worth_of(state, card),
        marks=tuple(_marks(record, state, player, slot, held)),
    )


def worth_of(state: State, card: Card) -> str:
    """Return what a card is worth now, in a word: playable, worthless, unique, or nothing of these."""
    variant, index = state.rules.variant, card_index(state.rules.variant, card)
    left = copies_left(variant, state.stacks, state.discards)
    if playable_mask(variant, state.stacks) >> index & 1:
        return "playable"
    if worthless_mask(variant, state.stacks, left) >> index & 1:
        return "worthless"
    return "unique" if unique_mask(left) >> index & 1 else ""


def _marks(record: Record, state: State, player: int, slot: int, held: HeldCard) -> list[str]:
    marks = ["told"] if held.knowledge.is_touched else []
    last = state.history[-1] if state.history else None
    if last is not None:
        is_hint = isinstance(last.action, HintSuit | HintValue) and last.action.player == player
        marks += ["pointed"] if is_hint and slot in last.touched else []
        marks += ["drawn"] if last.drew == held.order else []
    done = len(state.history)
    action = record.actions[done] if done < len(record.actions) else None
    if isinstance(action, Play | Discard) and player == state.current and action.slot == slot:
        marks.append("next")
    return marks


@dataclass(frozen=True)
class Bar:
    """A turn in the picture of a whole game: where it stands (in per cent of the width), how high, and its answer."""

    turn: int
    left: float
    width: float
    height: float  # of the points, 0 to 1
    answer: str  # possible, lost or undecided; "waiting" before anything is known


ANSWERS = {True: "possible", False: "lost", None: "undecided"}


def bars_of(record: Record, answers: tuple[bool | None, ...] | None = None) -> tuple[Bar, ...]:
    """Return the picture of a game: its points after each turn, and whether the maximum was possible then.

    `answers` has that for all turns; None while nobody knows.
    """
    turns = record.replay().history
    width = 100 / max(1, len(turns))
    return tuple(
        Bar(
            turn=turn.number,
            left=(turn.number - 1) * width,
            width=width,
            height=turn.points / record.rules.max_score,
            answer="waiting" if answers is None else ANSWERS[answers[turn.number - 1]],
        )
        for turn in turns
    )
