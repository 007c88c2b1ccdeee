"""The plain rules: the whole state of a game, and what each action does to it (Bergh 2015, Algorithm 2.16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypedDict, Unpack

from handful.errors import DealError, IllegalActionError
from handful.hanabi import legality
from handful.hanabi.actions import Action, Discard, Hint, Play
from handful.hanabi.cards import Card, card_index, cards_mask
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import CardKnowledge, HeldCard, Turn, touched_mask
from handful.hanabi.rules import Rules
from handful.hanabi.view import CommonKnowledge, View

Ending = Literal["perfect", "strikes", "deck", "stuck"]

Hands = tuple[tuple[HeldCard, ...], ...]


class _Position(NamedTuple):
    """All that changes during a game, as immutable values, so that a copy or an undo is one assignment."""

    stacks: tuple[int, ...]
    discards: tuple[Card, ...]
    hints: int | None
    strikes: int
    current: int
    hands: Hands
    drawn: int
    turns_left: int | None
    ending: Ending | None
    history: tuple[Turn, ...]


class Standing(TypedDict, total=False):
    """Where an arranged game stands, beside its cards; what is not given is as at the start of a game."""

    hints: int | None  # None: all tokens
    strikes: int
    current: int
    turns_left: int | None  # None: a full last round, if the deck is empty
    knowledge: Sequence[Sequence[CardKnowledge]] | None  # None: no hints so far


class State:
    """A game in progress, with everything known: the hands, the deck, all that happened.

    >>> state = State(Deal.from_seed(Rules(players=2), seed=1))
    >>> turn = state.act(Play(0))
    >>> turn.is_strike, state.current
    (True, 1)
    >>> state.undo() == turn, state.turn_number
    (True, 1)
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        rules = deal.rules
        unknown = CardKnowledge(rules.variant.all_mask)
        size = rules.hand_size
        hands = tuple(
            tuple(HeldCard(order, unknown) for order in range(player * size, (player + 1) * size))
            for player in range(rules.players)
        )
        self._position = _Position(
            stacks=(0,) * rules.variant.num_suits,
            discards=(),
            hints=rules.max_hints,
            strikes=0,
            current=deal.starter,
            hands=hands,
            drawn=rules.players * size,
            turns_left=None,
            ending=None,
            history=(),
        )
        if self.deck_size == 0 and rules.end_of_deck == "last-round":
            # The last card was dealt, so this is the last round already.
            self._position = self._position._replace(turns_left=rules.players)
        self._past: list[_Position] = []
        self.is_arranged = False  # whether it started in the middle

    @staticmethod
    def arrange(
        rules: Rules,
        hands: Sequence[Sequence[Card]],
        deck: Iterable[Card],
        stacks: Sequence[int] = (),
        discards: Iterable[Card] = (),
        **standing: Unpack[Standing],
    ) -> State:
        """Return a game that starts in the middle: these hands (oldest card first), this deck (top first), …

        Every card must be in exactly one place. In the deal of such a state the cards on the stacks come first, then
        the discards, the hands and the deck.
        """
        if unknown := standing.keys() - Standing.__optional_keys__:
            raise TypeError(
                f"arrange() got {', '.join(sorted(unknown))}: expected {', '.join(Standing.__annotations__)}"
            )
        stacks = tuple(stacks) or (0,) * rules.variant.num_suits
        discards, deck = tuple(discards), tuple(deck)
        hints, turns_left = standing.get("hints"), standing.get("turns_left")
        _check_arrangement(rules, hands, stacks, standing)
        _check_turns_left(rules, deck, turns_left)
        if not deck and rules.end_of_deck == "last-round" and turns_left is None:
            turns_left = rules.players
        played = tuple(Card(suit, value) for suit, height in enumerate(stacks) for value in range(1, height + 1))
        held = tuple(card for hand in hands for card in hand)
        state = State(Deal(rules, played + discards + held + deck, starter=standing.get("current", 0)))
        start = state._position
        state._position = start._replace(
            stacks=stacks,
            discards=discards,
            hints=rules.max_hints if hints is None else hints,
            strikes=standing.get("strikes", 0),
            hands=_backs(rules, hands, len(played) + len(discards), standing.get("knowledge")),
            drawn=len(played) + len(discards) + len(held),
            turns_left=turns_left,
        )
        state._position = state._position._replace(ending=state._ending())
        state.is_arranged = state._position != start
        return state

    # What the table shows

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.deal.rules

    @property
    def stacks(self) -> tuple[int, ...]:
        """The heights of the stacks, by suit."""
        return self._position.stacks

    @property
    def discards(self) -> tuple[Card, ...]:
        """The cards thrown or misplayed, oldest first."""
        return self._position.discards

    @property
    def hints(self) -> int | None:
        """The hint tokens left; None if there is no limit."""
        return self._position.hints

    @property
    def strikes(self) -> int:
        """The misplays so far."""
        return self._position.strikes

    @property
    def current(self) -> int:
        """The player to move."""
        return self._position.current

    @property
    def hands(self) -> Hands:
        """The backs of all hands, oldest card first, with what is known of each card."""
        return self._position.hands

    @property
    def turns_left(self) -> int | None:
        """The turns left in the last round; None before it."""
        return self._position.turns_left

    @property
    def history(self) -> tuple[Turn, ...]:
        """What happened so far."""
        return self._position.history

    @property
    def turn_number(self) -> int:
        """The number of the turn to come, from 1."""
        return len(self.history) + 1

    @property
    def ending(self) -> Ending | None:
        """How the game ended, or None while it goes on."""
        return self._position.ending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._position.ending is not None

    @property
    def deck_size(self) -> int:
        """How many cards are left to draw."""
        return len(self.deal.deck) - self._position.drawn

    @property
    def points(self) -> int:
        """How many cards lie on the stacks."""
        return sum(self.stacks)

    @property
    def score(self) -> int:
        """The score if the game ended now: the points, or 0 after the last strike, as the rules say."""
        if self.ending != "strikes" or self.rules.strike_score == "keep":
            return self.points
        if self.rules.strike_score == "keep-on-last-turn" and self.turns_left == 0:
            return self.points
        return 0

    # What the cards are

    def card(self, held: HeldCard) -> Card:
        """Return the face of a card."""
        return self.deal.deck[held.order]

    def hand(self, player: int) -> tuple[Card, ...]:
        """Return the faces of a player's cards, oldest first."""
        return tuple(self.deal.deck[held.order] for held in self.hands[player])

    def deck(self) -> tuple[Card, ...]:
        """Return the cards left to draw, the next one first."""
        return self.deal.deck[self._position.drawn :]

    def hand_length(self, player: int) -> int:
        """Return how many cards a player holds."""
        return len(self.hands[player])

    def seen_mask(self, player: int) -> int:
        """Return the mask of the cards in a player's hand."""
        return cards_mask(self.rules.variant, self.hand(player))

    def touched_slots(self, hint: Hint) -> tuple[int, ...]:
        """Return the slots that a hint would point at."""
        mask = touched_mask(self.rules.variant, hint)
        hand = self.hand(hint.player)
        return tuple(slot for slot, card in enumerate(hand) if mask >> card_index(self.rules.variant, card) & 1)

    # What players know

    def common_knowledge(self) -> CommonKnowledge:
        """Return what everybody knows."""
        return CommonKnowledge(**self._common())

    def view(self, player: int) -> View:
        """Return what one player sees."""
        cards = tuple(() if seat == player else self.hand(seat) for seat in range(self.rules.players))
        return View(**self._common(), me=player, cards=cards)

    def _common(self) -> dict[str, Any]:
        position = self._position
        return {
            "rules": self.rules,
            "stacks": position.stacks,
            "discards": position.discards,
            "hints": position.hints,
            "strikes": position.strikes,
            "current": position.current,
            "hands": position.hands,
            "deck_size": self.deck_size,
            "turns_left": position.turns_left,
            "is_over": self.is_over,
            "history": position.history,
        }

    # What can be done

    def legal_actions(self) -> list[Action]:
        """Return all legal actions of the player to move, in the order of their numbers."""
        return legality.legal_actions(self)

    def is_legal(self, action: Action) -> bool:
        """Whether the player to move may do this."""
        return legality.why_illegal(self, action) is None

    def act(self, action: Action) -> Turn:
        """Carry out an action of the player to move, and return what happened."""
        reason = legality.why_illegal(self, action)
        if reason is not None:
            raise IllegalActionError(f"turn {self.turn_number}, player {self.current}: {action} is illegal: {reason}")
        before = self._position
        turn = self._use_card(action) if isinstance(action, Play | Discard) else self._give_hint(action)
        if before.turns_left is not None:
            self._position = self._position._replace(turns_left=before.turns_left - 1)
        elif self.deck_size == 0 and self.rules.end_of_deck == "last-round":
            self._position = self._position._replace(turns_left=self.rules.players)
        self._position = self._position._replace(
            current=(before.current + 1) % self.rules.players, history=(*before.history, turn)
        )
        self._position = self._position._replace(ending=self._ending())
        self._past.append(before)
        return turn

    def undo(self) -> Turn:
        """Take back the last action, and return what had happened."""
        if not self._past:
            raise IllegalActionError("there is no action to take back")
        turn = self.history[-1]
        self._position = self._past.pop()
        return turn

    def after(self, turns: int) -> State:
        """Return the game as it was after so many of its turns: nothing is played again.

        >>> state = State(Deal.from_seed(Rules(players=2), seed=1))
        >>> [state.act(Play(0)).is_strike for _ in range(3)], state.after(1).strikes
        ([True, True, False], 1)
        """
        if not 0 <= turns <= len(self._past):
            raise IllegalActionError(f"the game after {turns} turns: expected 0 to {len(self._past)}")
        other = self.copy()
        other._position, other._past = [*self._past, self._position][turns], self._past[:turns]
        return other

    def copy(self) -> State:
        """Return a copy that goes its own way."""
        other = State.__new__(State)
        other.deal, other._position, other._past = self.deal, self._position, list(self._past)
        other.is_arranged = self.is_arranged
        return other

    def _give_hint(self, hint: Hint) -> Turn:
        position, variant = self._position, self.rules.variant
        touched = self.touched_slots(hint)
        hand = tuple(
            HeldCard(held.order, held.knowledge.after(variant, hint, slot in touched))
            for slot, held in enumerate(position.hands[hint.player])
        )
        hints = None if position.hints is None else position.hints - 1
        self._position = position._replace(hints=hints, hands=_with_hand(position.hands, hint.player, hand))
        return Turn(self.turn_number, position.current, hint, hints, position.strikes, self.points, touched=touched)

    def _use_card(self, action: Play | Discard) -> Turn:
        position, rules = self._position, self.rules
        held = position.hands[position.current][action.slot]
        card = self.card(held)
        is_playable = position.stacks[card.suit] == card.value - 1
        if isinstance(action, Play) and is_playable:
            stacks = tuple(height + (suit == card.suit) for suit, height in enumerate(position.stacks))
            is_bonus = rules.bonus_hint and card.value == rules.variant.num_values
            self._position = position._replace(stacks=stacks, hints=self._hints_after(gain=is_bonus))
        else:
            is_discard = isinstance(action, Discard)
            self._position = position._replace(
                discards=(*position.discards, card),
                strikes=position.strikes + (not is_discard),
                hints=self._hints_after(gain=is_discard),
            )
        drew = self._replace_card(action.slot)
        after = self._position
        is_strike = after.strikes > position.strikes
        return Turn(
            self.turn_number,
            position.current,
            action,
            after.hints,
            after.strikes,
            self.points,
            order=held.order,
            card=card,
            is_strike=is_strike,
            drew=drew,
        )

    def _hints_after(self, gain: bool) -> int | None:
        hints, most = self._position.hints, self.rules.max_hints
        return hints + 1 if gain and hints is not None and most is not None and hints < most else hints

    def _replace_card(self, slot: int) -> int | None:
        """Take the card out of the hand of the player to move, draw one if there is one, and return its order."""
        position = self._position
        hand = position.hands[position.current]
        left = hand[:slot] + hand[slot + 1 :]
        if self.deck_size == 0:
            self._position = position._replace(hands=_with_hand(position.hands, position.current, left))
            return None
        drawn = HeldCard(position.drawn, CardKnowledge(self.rules.variant.all_mask))
        self._position = position._replace(
            hands=_with_hand(position.hands, position.current, (*left, drawn)), drawn=position.drawn + 1
        )
        return drawn.order

    def _ending(self) -> Ending | None:
        position, rules = self._position, self.rules
        if rules.max_strikes is not None and position.strikes >= rules.max_strikes:
            return "strikes"
        if self.points == rules.max_score:
            return "perfect"
        if position.turns_left == 0:
            return "deck"
        if not position.hands[position.current] and not legality.legal_actions(self):
            # Only without an end of the deck: no cards, and no hint to give.
            return "stuck"
        return None

    def __repr__(self) -> str:
        return (
            f"<State {self.rules.variant.name}, {self.rules.players} players, turn {self.turn_number}, "
            f"{self.points} points, {self.ending or f'player {self.current} to move'}>"
        )


def _with_hand(hands: Hands, player: int, hand: tuple[HeldCard, ...]) -> Hands:
    return (*hands[:player], hand, *hands[player + 1 :])


def _backs(
    rules: Rules, hands: Sequence[Sequence[Card]], order: int, knowledge: Sequence[Sequence[CardKnowledge]] | None
) -> Hands:
    """Return the backs of these hands, whose cards lie in the deck from an order on, with what is known of each."""
    if knowledge is not None and len(knowledge) != rules.players:
        raise DealError(f"knowledge of {len(knowledge)} hands for {rules.players} players")
    backs: list[tuple[HeldCard, ...]] = []
    for player, hand in enumerate(hands):
        known = [CardKnowledge(rules.variant.all_mask)] * len(hand) if knowledge is None else knowledge[player]
        if len(known) != len(hand):
            raise DealError(f"player {player} has {len(hand)} cards, but knowledge of {len(known)}")
        for slot, card in enumerate(hand):
            if not known[slot].possible_mask >> card_index(rules.variant, card) & 1:
                raise DealError(f"player {player}, slot {slot}: the card is not among those its knowledge allows")
        backs.append(tuple(HeldCard(order + slot, known[slot]) for slot in range(len(hand))))
        order += len(hand)
    return tuple(backs)


def _check_arrangement(
    rules: Rules, hands: Sequence[Sequence[Card]], stacks: Sequence[int], standing: Standing
) -> None:
    """Refuse a position that no game can have. (That every card is in one place is checked by the deal made of it.)"""
    variant = rules.variant
    hints, strikes, current = standing.get("hints"), standing.get("strikes", 0), standing.get("current", 0)
    if len(hands) != rules.players:
        raise DealError(f"{len(hands)} hands for {rules.players} players")
    if any(len(hand) > rules.hand_size for hand in hands):
        raise DealError(f"a hand has {max(map(len, hands))} cards: expected at most {rules.hand_size}")
    if len(stacks) != variant.num_suits or not all(0 <= height <= variant.num_values for height in stacks):
        raise DealError(
            f"stacks are {tuple(stacks)}: expected {variant.num_suits} heights of 0 to {variant.num_values}"
        )
    if hints is not None and rules.max_hints is None:
        raise DealError(f"{hints} hint tokens: expected none, for these rules give hints without limit")
    if hints is not None and rules.max_hints is not None and not 0 <= hints <= rules.max_hints:
        raise DealError(f"{hints} hint tokens: expected 0 to {rules.max_hints}")
    if strikes < 0 or (rules.max_strikes is not None and strikes > rules.max_strikes):
        raise DealError(f"{strikes} strikes: expected 0 to {rules.max_strikes}")
    if not 0 <= current < rules.players:
        raise DealError(f"player {current} is to move: expected 0 to {rules.players - 1}")


def _check_turns_left(rules: Rules, deck: Sequence[Card], turns_left: int | None) -> None:
    """Refuse turns of a last round before there is one, or more than one round of them."""
    if turns_left is None:
        return
    if deck or rules.end_of_deck == "never":
        why = f"{len(deck)} cards are left to draw" if deck else "the rules have no last round"
        raise DealError(f"turns_left is {turns_left}: expected none, for {why}")
    if not 0 <= turns_left <= rules.players:
        raise DealError(f"turns_left is {turns_left}: expected 0 to {rules.players}")
