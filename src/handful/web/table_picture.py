"""What one seat is shown of a game: made from that player's view, and from nothing else until the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handful.hanabi.actions import Action, Discard, Hint, HintSuit, HintValue, Play, PlayDeck, Unheard, action_index
from handful.hanabi.cards import Card, card_index, card_text, cards_in
from handful.hanabi.knowledge import CardKnowledge, HeldCard, Turn
from handful.hanabi.measures import Measures, measures
from handful.hanabi.notation import action_text, slot_text, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Suit, Variant
from handful.hanabi.view import CommonKnowledge, View
from handful.web.can_be import CanBeRow, can_be_rows, in_words
from handful.web.empathy import Told, counted_masks, hand_orders, known_masks, worth_of_masks


@dataclass(frozen=True)
class ShownHint:
    """A hint that may be given: the number of the action, what it is about, the slots and cards that it would touch.

    `key` is what is pressed for it: the letter of the suit, or the value.
    """

    action: int
    text: str
    suit: Suit | None
    value: int | None
    slots: tuple[int, ...]
    orders: tuple[int, ...]
    key: str


@dataclass(frozen=True)
class ShownCard:
    """A card in a hand: its face, or None if this seat does not see it; and what is known of it.

    `hinted_text` has what hints leave; `known_rows` and `known_text` what everybody at the table can leave, who counts
    what lies open, too (so they say what the player who holds it knows for certain, and give nothing away); `rows` and
    `can_be_text` what this seat can leave of its own cards, as it counts all the cards that it sees. `suit` and
    `value` are those that are left as the only ones. `worth` says what it is worth, where that is certain: playable,
    critical, worthless.
    `play` and `discard` are the numbers of these actions, None where they are not to be taken.
    """

    slot: int
    order: int
    face: Card | None
    told_suits: tuple[Suit, ...]
    told_values: tuple[int, ...]
    told_text: tuple[str, ...]  # the values told, as they are said: 3, or odd
    suit: Suit | None
    value: int | None
    rows: tuple[CanBeRow, ...]  # of the possible ones
    known_rows: tuple[CanBeRow, ...]
    hinted_text: str
    can_be_text: str
    known_text: str
    worth: tuple[str, ...]
    is_pointed_at: bool  # by the last turn
    is_drawn: bool  # by the last turn
    play: int | None = None
    discard: int | None = None
    was_pointed_at: bool = False  # by a hint that was not heard

    @property
    def letter(self) -> str:
        """The letter of the slot; a is the oldest card."""
        return slot_text(self.slot)

    @property
    def is_touched(self) -> bool:
        """Whether any hint has pointed at it."""
        return bool(self.told_suits or self.told_values or self.was_pointed_at)


@dataclass(frozen=True)
class ShownStack:
    """A stack: how high it is, the value on top as it is written, and how it is built, where that can differ."""

    suit: Suit
    height: int
    top: str
    way: str


@dataclass(frozen=True)
class ShownHand:
    """The cards of a player, oldest first, and the hints that this player may be given now."""

    seat: int
    name: str
    cards: tuple[ShownCard, ...]
    hints: tuple[ShownHint, ...]


@dataclass(frozen=True)
class ShownTurn:
    """A turn that was taken, in words, and what is drawn beside them.

    Of a hint, `told` says who was told, and which cards it touched.
    """

    number: int
    actor: int
    text: str
    kind: str  # play, discard, strike or hint
    suit: Suit | None
    value: str  # as it is written or said; empty without one
    is_unheard: bool = False
    told: Told | None = None


@dataclass(frozen=True)
class Picture:
    """The table as one seat sees it, after `turn` turns of `turns`.

    Where plays lie face down (`is_hidden`), `stacks`, `strikes` and `points` say nothing, and `face_down` how many do.
    `play_deck` is the number of the action that plays the last card of the deck, None where it cannot be taken.
    `waits_for_me` says whether this seat is to move, also while it looks at an earlier turn.
    """

    rules: Rules
    names: tuple[str, ...]
    me: int
    current: int
    is_over: bool
    is_now: bool
    waits_for_me: bool
    turn: int
    turns: int
    stacks: tuple[ShownStack, ...]
    discards: tuple[tuple[Suit, tuple[int, ...]], ...]
    hints: int | None
    half_token: bool
    is_hidden: bool
    face_down: int
    play_deck: int | None
    strikes: int
    points: int
    score: int
    measures: Measures
    deck_size: int
    turns_left: int | None
    others: tuple[ShownHand, ...]
    own: ShownHand
    history: tuple[ShownTurn, ...]
    ending: str | None

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self.rules.variant

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat is to move now."""
        return self.is_now and not self.is_over and self.current == self.me

    def to_dict(self) -> dict[str, Any]:
        """Return what is seen, as plain values; seats count from 1, cards are written as `r1`."""
        hands = sorted((*self.others, self.own), key=lambda hand: hand.seat)
        return {
            "names": list(self.names),
            "seat": self.me + 1,
            "to_move": None if self.is_over else self.current + 1,
            "is_over": self.is_over,
            "ending": self.ending,
            "turn": self.turn + 1,
            "variant": self.variant.name,
            "rules": self.rules.options_text(),
            "special": self.rules.in_words,
            "stacks": None if self.is_hidden else {stack.suit.letter: stack.height for stack in self.stacks},
            "discards": [
                f"{suit.letter}{self.variant.value_text(value)}" for suit, values in self.discards for value in values
            ],
            "hints": self.hints
            if self.hints is None
            else self.hints + self.half_token / 2
            if self.half_token
            else self.hints,
            "strikes": None if self.is_hidden else self.strikes,
            "points": None if self.is_hidden else self.points,
            "face_down": self.face_down,
            "score": self.score if self.is_over else None,
            "max_score": self.rules.max_score,
            "pace": self.measures.pace,
            "risk": self.measures.risk,
            "best_score": self.measures.best_score,
            "gotten": self.measures.gotten,
            "efficiency": self.measures.efficiency,
            "future_efficiency": self.measures.future_efficiency,
            "deck_size": self.deck_size,
            "turns_left": self.turns_left,
            "hands": [[_card_dict(self.variant, card) for card in hand.cards] for hand in hands],
            "history": [turn.text for turn in self.history],
        }


def _card_dict(variant: Variant, card: ShownCard) -> dict[str, Any]:
    return {
        "card": None if card.face is None else card_text(variant, card.face),
        "told": [suit.name.lower() for suit in card.told_suits] + list(card.told_text),
        "is_touched": card.is_touched,
        "can_be": card.hinted_text,
        "can_be_counted": card.can_be_text if card.face is None else card.known_text,
    }


def picture(state: State, names: Sequence[str], seat: int, turn: int | None = None) -> Picture:
    """Return the table as a seat sees it now, or as it was after so many turns."""
    turns, is_over = len(state.history), state.is_over
    shown = state if turn is None or turn >= turns else after_turns(state, turn)
    view = shown.view(seat)
    # Once the game is over nothing is a secret any more, also when it is gone through again.
    own_faces: Sequence[Card | None] = shown.hand(seat) if is_over else [None] * len(view.my_hand)
    is_now = shown is state
    may_act = is_now and not is_over and view.current == seat
    rules = view.rules
    own = _shown_cards(view, seat, own_faces, may_act)
    others = [(seat + ahead) % rules.players for ahead in range(1, rules.players)]
    return Picture(
        rules=rules,
        names=tuple(names),
        me=seat,
        current=view.current,
        is_over=is_over and is_now,
        is_now=is_now,
        waits_for_me=not is_over and state.current == seat,
        turn=len(view.history),
        turns=turns,
        stacks=shown_stacks(rules.variant, view.stacks, view.stack_values),
        discards=shown_discards(view),
        hints=view.hints,
        half_token=view.half_token,
        is_hidden=view.is_hidden,
        face_down=view.face_down,
        play_deck=_number(view, PlayDeck(), may_act) if rules.deck_plays else None,
        strikes=view.strikes,
        points=view.points,
        score=shown.score,
        measures=measures(view),
        deck_size=view.deck_size,
        turns_left=view.turns_left,
        others=tuple(_shown_hand(view, other, names, may_act) for other in others),
        own=ShownHand(seat, names[seat], own, ()),
        history=shown_history(state.view(seat), names),
        ending=shown.ending,
    )


def legal_actions(state: State, names: Sequence[str], seat: int) -> list[dict[str, Any]]:
    """Return what a seat may do now, with the numbers of these actions; nothing if it is not to move."""
    view = state.view(seat)
    if state.is_over or view.current != seat:
        return []
    return [
        {"action": action_index(view.rules, seat, action), "text": action_text(view.rules, action, names)}
        for action in view.legal_actions()
    ]


def after_turns(state: State, turns: int) -> State:
    """Return a game as it was after so many turns."""
    past = state.copy()
    while len(past.history) > turns:
        past.undo()
    return past


def told_of(variant: Variant, known: CardKnowledge) -> tuple[tuple[Suit, ...], tuple[int, ...]]:
    """Return the suits and the values that hints have told of a card."""
    suits = (suit for index, suit in enumerate(variant.hint_suits) if known.suit_hints_mask >> index & 1)
    values = (value for value in variant.value_hints if known.value_hints_mask >> (value - 1) & 1)
    return tuple(suits), tuple(values)


def shown_stacks(variant: Variant, heights: Sequence[int], values: Sequence[Sequence[int]]) -> tuple[ShownStack, ...]:
    """Return the stacks of these heights, on which these values lie, as they are drawn."""
    return tuple(
        ShownStack(suit, height, variant.value_text(on_it[-1]) if on_it else "", _way(variant, suit, on_it))
        for suit, height, on_it in zip(variant.suits, heights, values, strict=True)
    )


def _way(variant: Variant, suit: Suit, values: Sequence[int]) -> str:
    """Return how a stack is built, as far as it is settled and not as usual."""
    special = variant.modifiers
    if suit.is_reversed:
        return f"reversed: {variant.num_values} to 1"
    if special.sudoku:
        return f"from {values[0]}" if values else "from any"
    if special.up_or_down:
        # What lies on START or on a first card settles the way; START alone leaves both open.
        first, last = (variant.value_text(values[0]), values[-1]) if values else ("", 0)
        is_up = first == "1" or (first == "S" and len(values) > 1 and values[1] < variant.stack_size - 1)
        is_settled = bool(values) and not (first == "S" and last == variant.start_value)
        return ("up" if is_up else "down") if is_settled else "up or down"
    return ""


def _shown_hand(view: View, player: int, names: Sequence[str], may_act: bool) -> ShownHand:
    cards = _shown_cards(view, player, view.cards[player])
    return ShownHand(player, names[player], cards, _hints_for(view, player) if may_act else ())


def _hints_for(view: View, player: int) -> tuple[ShownHint, ...]:
    variant = view.rules.variant
    suits: list[Hint] = [HintSuit(player, suit) for suit in range(variant.num_suit_hints)]
    values: list[Hint] = [HintValue(player, value) for value in variant.value_hints]
    return tuple(_shown_hint(view, hint) for hint in suits + values if view.is_legal(hint))


def _shown_hint(view: View, hint: Hint) -> ShownHint:
    variant = view.rules.variant
    suit = variant.hint_suits[hint.suit] if isinstance(hint, HintSuit) else None
    value = hint.value if isinstance(hint, HintValue) else None
    text = variant.value_hint_text(value) if value is not None else suit.name.lower() if suit else ""
    slots = view.touched_slots(hint)
    orders = tuple(view.hands[hint.player][slot].order for slot in slots)
    key = variant.suit_hints[hint.suit].letter if isinstance(hint, HintSuit) else str(hint.value)
    return ShownHint(action_index(view.rules, view.me, hint), text, suit, value, slots, orders, key)


def _shown_cards(view: View, player: int, faces: Sequence[Card | None], may_act: bool = False) -> tuple[ShownCard, ...]:
    """Return the cards of a hand; `faces` are those that this seat sees."""
    known = known_masks(view, player)
    possible = counted_masks(view) if player == view.me else known
    return tuple(
        _shown_card(view, slot, held, face, (known[slot], possible[slot]), may_act)
        for slot, (held, face) in enumerate(zip(view.hands[player], faces, strict=True))
    )


def open_hand(common: CommonKnowledge, player: int, faces: Sequence[Card | None]) -> tuple[ShownCard, ...]:
    """Return the cards of a hand with what everybody at the table knows of them; `faces` are those to be shown."""
    known = known_masks(common, player)
    return tuple(
        _shown_card(common, slot, held, face, (known[slot], known[slot]), may_act=False)
        for slot, (held, face) in enumerate(zip(common.hands[player], faces, strict=True))
    )


def _shown_card(
    view: CommonKnowledge, slot: int, held: HeldCard, face: Card | None, masks: tuple[int, int], may_act: bool
) -> ShownCard:
    variant, knowledge, (known, possible) = view.rules.variant, held.knowledge, masks
    told_suits, told_values = told_of(variant, knowledge)
    left = list(cards_in(variant, possible))
    rows, known_rows = can_be_rows(variant, possible, knowledge.possible_mask), can_be_rows(variant, known, known)
    suits, values = {card.suit for card in left}, {card.value for card in left}
    return ShownCard(
        slot=slot,
        order=held.order,
        face=face,
        told_suits=told_suits,
        told_values=told_values,
        told_text=tuple(map(variant.value_hint_text, told_values)),
        suit=variant.suits[suits.pop()] if len(suits) == 1 else None,
        value=values.pop() if len(values) == 1 else None,
        rows=rows,
        known_rows=known_rows,
        hinted_text=_can_be_text(variant, knowledge.possible_mask),
        can_be_text=in_words(variant, rows),
        known_text=in_words(variant, known_rows),
        worth=worth_of_masks(view, possible if face is None else 1 << card_index(variant, face)),
        is_pointed_at=held.order in _pointed_at(view),
        was_pointed_at=knowledge.is_pointed_at,
        is_drawn=bool(view.history) and view.history[-1].drew == held.order,
        play=_number(view, Play(slot), may_act),
        discard=_number(view, Discard(slot), may_act),
    )


def _number(view: CommonKnowledge, action: Action, may_act: bool) -> int | None:
    can = may_act and isinstance(view, View) and view.is_legal(action)
    return action_index(view.rules, view.current, action) if can else None


def _pointed_at(view: CommonKnowledge) -> set[int]:
    """Return the orders of the cards that the last turn, a hint, has touched."""
    last = view.history[-1] if view.history else None
    if last is None or not isinstance(last.action, HintSuit | HintValue | Unheard):
        return set()
    hand = view.hands[last.action.player]
    return {hand[slot].order for slot in last.touched}


def _can_be_text(variant: Variant, mask: int) -> str:
    """Return the cards of a mask, shortly: "r1 r3 b2"; "anything" where nothing is excluded."""
    return (
        "anything"
        if mask == variant.all_mask
        else " ".join(card_text(variant, card) for card in cards_in(variant, mask))
    )


def shown_discards(view: CommonKnowledge) -> tuple[tuple[Suit, tuple[int, ...]], ...]:
    """Return the values that were thrown away or misplayed, by suit."""
    suits = view.rules.variant.suits
    return tuple(
        (suit, tuple(sorted(card.value for card in view.discards if card.suit == index)))
        for index, suit in enumerate(suits)
    )


def shown_history(view: CommonKnowledge, names: Sequence[str]) -> tuple[ShownTurn, ...]:
    """Return the turns that were taken, the first one first."""
    hands = hand_orders(view)
    return tuple(_shown_turn(view.rules, turn, names, held) for turn, held in zip(view.history, hands, strict=True))


def _shown_turn(rules: Rules, turn: Turn, names: Sequence[str], hands: Sequence[Sequence[int]]) -> ShownTurn:
    suits = rules.variant.suits
    text = turn_text(rules, turn, names)
    match turn.action:
        case HintSuit(player, _) | HintValue(player, _) | Unheard(player):
            told = Told(player, tuple(hands[player][slot] for slot in turn.touched))
    match turn.action:
        case HintSuit(_, suit):
            return ShownTurn(turn.number, turn.actor, text, "hint", rules.variant.hint_suits[suit], "", told=told)
        case HintValue(_, value):
            said = rules.variant.value_hint_text(value)
            return ShownTurn(turn.number, turn.actor, text, "hint", None, said, told=told)
        case Unheard():
            return ShownTurn(turn.number, turn.actor, text, "hint", None, "", is_unheard=True, told=told)
    kind = "strike" if turn.is_strike else "discard" if isinstance(turn.action, Discard) else "play"
    if turn.card is None:  # it lies face down
        return ShownTurn(turn.number, turn.actor, text, kind, None, "")
    return ShownTurn(
        turn.number, turn.actor, text, kind, suits[turn.card.suit], rules.variant.value_text(turn.card.value)
    )
