"""Knowledge as types: what everybody knows, and what one player sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from handful.errors import IllegalActionError
from handful.hanabi import legality, probability, worth
from handful.hanabi.actions import Action, Hint, HintKind
from handful.hanabi.cards import Card, card_index, cards_mask
from handful.hanabi.knowledge import HeldCard, Turn, touched_mask
from handful.hanabi.rules import Rules


@dataclass(frozen=True)
class CommonKnowledge:
    """What everybody at the table knows: all that lies open, and what the hints have told.

    `stacks[s]` is the height of the stack of suit s; `discards` are the cards thrown or misplayed, oldest first;
    `hands[p]` are the backs of the cards of player p, oldest first. `hints` is None if there is no limit;
    `turns_left` is None until the deck is empty. `open_orders[s]` is the mask of the orders in which the stack of suit
    s can still be built (`hanabi.orders`); `half_token` says that there is half a hint token beside the others,
    `last_hint` what the last hint was about, where hints alternate. In a game whose plays lie face down, stacks,
    strikes and points are 0 until it is over, and `face_down` cards lie in the hole.
    """

    rules: Rules
    stacks: tuple[int, ...]
    discards: tuple[Card, ...]
    hints: int | None
    strikes: int
    current: int
    hands: tuple[tuple[HeldCard, ...], ...]
    deck_size: int
    turns_left: int | None
    is_over: bool
    history: tuple[Turn, ...] = field(repr=False)
    open_orders: tuple[int, ...] = ()
    half_token: bool = False
    last_hint: HintKind | None = None
    face_down: int = 0

    def __post_init__(self) -> None:
        if not self.open_orders:
            object.__setattr__(self, "open_orders", self.rules.variant.open_orders)

    @property
    def is_hidden(self) -> bool:
        """Whether stacks, strikes and points are not known, because plays lie face down."""
        return self.rules.variant.modifiers.hole and not self.is_over

    @property
    def points(self) -> int:
        """How many cards lie on the stacks."""
        return sum(self.stacks)

    @cached_property
    def stack_values(self) -> tuple[tuple[int, ...], ...]:
        """The values that lie on each stack, the first one first."""
        return worth.stacked_values(self.rules.variant, self.stacks, self.open_orders)

    @property
    def turn_number(self) -> int:
        """The number of the turn to come, from 1."""
        return len(self.history) + 1

    @cached_property
    def copies_left(self) -> list[int]:
        """By card index, the copies that are still in the hands or in the deck, or face down in the hole."""
        return worth.copies_left(self.rules.variant, self.stacks, self.discards, self.open_orders)

    @cached_property
    def playable_mask(self) -> int:
        """The cards that extend a stack now."""
        return worth.playable_mask(self.rules.variant, self.stacks, self.open_orders)

    @cached_property
    def worthless_mask(self) -> int:
        """The cards that can never be played."""
        return worth.worthless_mask(self.rules.variant, self.stacks, self.copies_left, self.open_orders)

    @cached_property
    def unique_mask(self) -> int:
        """The cards of which one copy is left."""
        return worth.unique_mask(self.copies_left)

    @cached_property
    def critical_mask(self) -> int:
        """The cards whose loss would lower the best score."""
        return worth.critical_mask(self.rules.variant, self.stacks, self.copies_left, self.open_orders)

    def hand_length(self, player: int) -> int:
        """Return how many cards a player holds."""
        return len(self.hands[player])


@dataclass(frozen=True)
class View(CommonKnowledge):
    """What player `me` sees: common knowledge, and the faces of all hands but the own one.

    `cards[p]` are the cards of player p, oldest first; `cards[me]` is empty. Nothing in a view depends on the own
    cards (other than through hints) or on the order of the deck.
    """

    me: int = 0
    cards: tuple[tuple[Card, ...], ...] = ()

    @property
    def my_hand(self) -> tuple[HeldCard, ...]:
        """The backs of the own cards, with what is known of each."""
        return self.hands[self.me]

    def seen_mask(self, player: int) -> int:
        """Return the mask of the cards that are seen in a player's hand: of the own hand, none."""
        return cards_mask(self.rules.variant, self.cards[player])

    def touched_slots(self, hint: Hint) -> tuple[int, ...]:
        """Return the slots of another player's hand that a hint would point at."""
        if hint.player == self.me:
            raise IllegalActionError(f"player {self.me} cannot see which own cards a hint would touch")
        mask = touched_mask(self.rules.variant, hint)
        hand = self.cards[hint.player]
        return tuple(slot for slot, card in enumerate(hand) if mask >> card_index(self.rules.variant, card) & 1)

    def legal_actions(self) -> list[Action]:
        """Return all legal actions, in the order of their numbers; only on the own turn."""
        if self.me != self.current:
            raise IllegalActionError(f"player {self.me} cannot list actions: it is player {self.current}'s turn")
        return legality.legal_actions(self)

    def is_legal(self, action: Action) -> bool:
        """Whether an action is legal, on the own turn."""
        return self.me == self.current and legality.why_illegal(self, action) is None

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """By card index, the copies that this player cannot see: they are in the own hand or in the deck.

        Or own plays that lie face down; those of others this player saw in their hands.
        """
        counts = list(self.copies_left)
        if self.is_hidden:
            for turn in self.history:
                if turn.is_face_down and turn.card is not None:
                    counts[card_index(self.rules.variant, turn.card)] -= 1
        for hand in self.cards:
            for card in hand:
                counts[card_index(self.rules.variant, card)] -= 1
        return tuple(counts)

    @cached_property
    def identity_ways(self) -> tuple[tuple[int, ...], ...]:
        """For each own slot, by card index, in how many of the equally likely own hands it is this card."""
        return probability.identity_ways(tuple(held.knowledge.possible_mask for held in self.my_hand), self.unseen)

    def chance(self, slot: int, mask: int) -> float:
        """Return the exact probability that the card in an own slot is one of a mask, given all that the player sees.

        ``view.chance(0, view.playable_mask)`` is the probability that the oldest own card can be played.
        """
        return probability.joint_chance(self.identity_ways[slot], mask)

    def single_card_chance(self, slot: int, mask: int) -> float:
        """Return the same with every own card taken for itself, whatever is known of the others (Bergh 2015)."""
        return probability.single_card_chance(self.my_hand[slot].knowledge.possible_mask, mask, self.unseen)
