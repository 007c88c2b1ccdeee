"""The plain rules: the whole state of a game, and what each action does to it (Bergh 2015, Algorithm 2.16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypedDict, Unpack

from handful.errors import DealError, IllegalActionError
from handful.hanabi import legality, worth
from handful.hanabi.actions import Action, Discard, Hint, HintKind, Play, PlayDeck, Unheard
from handful.hanabi.cards import Card, card_index, cards_mask
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import (
    CardKnowledge,
    HeldCard,
    Turn,
    after_hint,
    kind_of,
    touched_mask,
)
from handful.hanabi.orders import opened_by
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant
from handful.hanabi.view import CommonKnowledge, View

Ending = Literal["perfect", "strikes", "deck", "stuck", "lost"]

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
    open_orders: tuple[int, ...]
    half_token: bool = False
    last_hint: HintKind | None = None


class Standing(TypedDict, total=False):
    """Where an arranged game stands, beside its cards; what is not given is as at the start of a game."""

    hints: int | None  # None: all tokens
    strikes: int
    current: int
    turns_left: int | None  # None: a full last round, if the deck is empty
    knowledge: Sequence[Sequence[CardKnowledge]] | None  # None: no hints so far
    open_orders: Sequence[int] | None  # by suit, the orders that fit the stacks; None: those of empty stacks
    half_token: bool


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
            open_orders=rules.variant.open_orders,
        )
        if self.deck_size == 0 and rules.has_last_round:
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
        if not deck and rules.has_last_round and turns_left is None:
            turns_left = rules.players
        open_orders = _open_orders(rules.variant, stacks, standing.get("open_orders"))
        played = worth.stacked_cards(rules.variant, stacks, open_orders)
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
            open_orders=open_orders,
            half_token=standing.get("half_token", False),
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
    def open_orders(self) -> tuple[int, ...]:
        """By suit, the mask of the orders in which its stack can still be built (`hanabi.orders`)."""
        return self._position.open_orders

    @property
    def discards(self) -> tuple[Card, ...]:
        """The cards thrown or misplayed, oldest first."""
        return self._position.discards

    @property
    def hints(self) -> int | None:
        """The hint tokens left; None if there is no limit."""
        return self._position.hints

    @property
    def half_token(self) -> bool:
        """Whether there is half a hint token beside the others."""
        return self._position.half_token

    @property
    def last_hint(self) -> HintKind | None:
        """What the last hint was about, where hints alternate."""
        return self._position.last_hint

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
        """The score if the game ended now: the points, or 0 after the last strike, as the rules say.

        In all or nothing, a game that ended without all points has none.
        """
        if self.rules.all_or_nothing and self.ending not in (None, "perfect"):
            return 0
        if self.ending != "strikes" or self.rules.strike_score == "keep":
            return self.points
        if self.rules.strike_score == "keep-on-last-turn" and self.turns_left == 0:
            return self.points
        return 0

    @property
    def stack_values(self) -> tuple[tuple[int, ...], ...]:
        """The values that lie on each stack, the first one first."""
        return worth.stacked_values(self.rules.variant, self.stacks, self.open_orders)

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
        return CommonKnowledge(**self._common(None))

    def open_knowledge(self) -> CommonKnowledge:
        """Return what everybody would know if no play lay face down and every hint were heard."""
        return CommonKnowledge(**self._open())

    def view(self, player: int) -> View:
        """Return what one player sees."""
        cards = tuple(() if seat == player else self.hand(seat) for seat in range(self.rules.players))
        return View(**self._common(player), me=player, cards=cards)

    def _common(self, player: int | None) -> dict[str, Any]:
        """Return what a player knows, or, for None, everybody: without what the variant hides until the end."""
        position, variant = self._position, self.rules.variant
        hidden: dict[str, Any] = {}
        if not self.is_over and (variant.modifiers.hole or variant.modifiers.hides_hints):
            hidden["history"] = tuple(turn.as_seen(variant, player) for turn in position.history)
        if not self.is_over and variant.modifiers.hole:
            hidden |= {
                "stacks": (0,) * variant.num_suits,
                "open_orders": variant.open_orders,
                "strikes": 0,
                "discards": self._open_discards(),
                "face_down": sum(turn.is_face_down for turn in position.history),
            }
        return self._open() | hidden

    def _open(self) -> dict[str, Any]:
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
            "open_orders": position.open_orders,
            "half_token": position.half_token,
            "last_hint": position.last_hint,
        }

    def _open_discards(self) -> tuple[Card, ...]:
        """Return the discards that lie open: of plays that lie face down, those that failed are not among them."""
        start = self._past[0].discards if self._past else self._position.discards
        thrown = (turn.card for turn in self.history if turn.card is not None and not turn.is_face_down)
        return (*start, *thrown)

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
        turn = self._use_card(action) if isinstance(action, Play | Discard | PlayDeck) else self._give_hint(action)
        if before.turns_left is not None:
            self._position = self._position._replace(turns_left=before.turns_left - 1)
        elif self.deck_size == 0 and self.rules.has_last_round:
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

    def _give_hint(self, hint: Hint | Unheard) -> Turn:
        assert not isinstance(hint, Unheard), "no action that can be chosen"
        position, variant = self._position, self.rules.variant
        touched, backs = self.touched_slots(hint), position.hands[hint.player]
        known = after_hint(variant, [held.knowledge for held in backs], hint, touched)
        hand = tuple(HeldCard(held.order, knowledge) for held, knowledge in zip(backs, known, strict=True))
        hints = None if position.hints is None else position.hints - 1
        self._position = position._replace(
            hints=hints,
            hands=_with_hand(position.hands, hint.player, hand),
            last_hint=kind_of(hint) if variant.modifiers.alternating else None,
        )
        return Turn(
            self.turn_number,
            position.current,
            hint,
            hints,
            position.strikes,
            self.points,
            touched=touched,
            half_token=position.half_token,
        )

    def _use_card(self, action: Play | Discard | PlayDeck) -> Turn:
        """Play or discard a card. Of a suit that is played by discarding, what is asked for is exchanged."""
        position, variant = self._position, self.rules.variant
        if isinstance(action, PlayDeck):
            order, drew = position.drawn, None
            self._position = position._replace(drawn=position.drawn + 1)
        else:
            order = position.hands[position.current][action.slot].order
            drew = self._replace_card(action.slot)
        card = self.deal.deck[order]
        is_play = isinstance(action, Discard) == variant.suits[card.suit].is_played_by_discarding
        fits = is_play and bool(
            worth.playable_mask(variant, position.stacks, position.open_orders) >> card_index(variant, card) & 1
        )
        if fits:
            self._lay_on_stack(card)
        else:
            self._position = self._position._replace(
                discards=(*position.discards, card), strikes=position.strikes + is_play
            )
            if not is_play:
                self._gain_token()
        after = self._position
        return Turn(
            self.turn_number,
            position.current,
            action,
            after.hints,
            after.strikes,
            self.points,
            order=order,
            card=card,
            is_strike=after.strikes > position.strikes,
            drew=drew,
            half_token=after.half_token,
            is_face_down=variant.modifiers.hole and is_play,
        )

    def _lay_on_stack(self, card: Card) -> None:
        """Lay a card that fits on its stack, close the orders that it rules out, and take what a full stack gives."""
        position, variant = self._position, self.rules.variant
        height = position.stacks[card.suit]
        orders = variant.orders[card.suit]
        opened = opened_by(orders, position.open_orders[card.suit], height, card.value)
        # In Sudoku no other stack may start as this one did.
        closed = opened if variant.modifiers.sudoku and height == 0 else 0
        self._position = position._replace(
            stacks=_replaced(position.stacks, card.suit, height + 1),
            open_orders=_replaced(tuple(mask & ~closed for mask in position.open_orders), card.suit, opened),
        )
        if height + 1 == variant.stack_size and self.rules.completed_stack_gives:
            self._gain_token()

    def _gain_token(self) -> None:
        """Take a hint token back, or half of one in Clue Starved, unless all are there."""
        position, most = self._position, self.rules.max_hints
        if position.hints is None or most is None or position.hints >= most:
            return
        if self.rules.variant.modifiers.clue_starved and not position.half_token:
            self._position = position._replace(half_token=True)
        else:
            self._position = position._replace(hints=position.hints + 1, half_token=False)

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
        if rules.all_or_nothing and not self._can_be_perfect():
            return "lost"
        if position.turns_left == 0:
            return "deck"
        if not position.hands[position.current] and not _has_action(self):
            # Only without an end of the deck: no cards, and no hint to give.
            return "stuck"
        return None

    def _can_be_perfect(self) -> bool:
        """Whether no card that the maximum score needs is lost."""
        variant, stacks, open_orders = self.rules.variant, self.stacks, self.open_orders
        left = worth.copies_left(variant, stacks, self.discards, open_orders)
        return sum(worth.best_heights(variant, stacks, left, open_orders)) == self.rules.max_score

    def __repr__(self) -> str:
        return (
            f"<State {self.rules.variant.name}, {self.rules.players} players, turn {self.turn_number}, "
            f"{self.points} points, {self.ending or f'player {self.current} to move'}>"
        )


def _has_action(state: State) -> bool:
    """Whether the player to move has any legal action."""
    return bool(legality.legal_actions(state))


def _replaced(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def _open_orders(variant: Variant, stacks: Sequence[int], given: Sequence[int] | None) -> tuple[int, ...]:
    """Return the open orders of an arranged game; refuse those that no stacks of these heights can have."""
    masks = variant.open_orders if given is None else tuple(given)
    if len(masks) != variant.num_suits:
        raise DealError(f"open_orders are {masks}: expected {variant.num_suits} of them")
    for suit, (height, mask) in enumerate(zip(stacks, masks, strict=True)):
        fitting = {order[:height] for number, order in enumerate(variant.orders[suit]) if mask >> number & 1}
        if not 0 <= mask <= variant.open_orders[suit] or len(fitting) != 1:
            name = variant.suits[suit].name
            raise DealError(
                f"{name}: {height} cards on the stack with open_orders {mask}: expected the mask of the orders, of "
                f"{len(variant.orders[suit])}, that begin with the cards that lie there"
            )
    return masks


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
    if len(stacks) != variant.num_suits or not all(0 <= height <= variant.stack_size for height in stacks):
        raise DealError(
            f"stacks are {tuple(stacks)}: expected {variant.num_suits} heights of 0 to {variant.stack_size}"
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
    if deck or not rules.has_last_round:
        why = f"{len(deck)} cards are left to draw" if deck else "the rules have no last round"
        raise DealError(f"turns_left is {turns_left}: expected none, for {why}")
    if not 0 <= turns_left <= rules.players:
        raise DealError(f"turns_left is {turns_left}: expected 0 to {rules.players}")
