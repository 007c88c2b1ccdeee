"""A round of Gin by the plain rules: deal, upcard, turns, knock, lay-offs, points. Compiled: `kernels.round`."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from handful.errors import IllegalActionError
from handful.rummy.cards import Card, format_cards
from handful.rummy.gin.actions import BIG_GIN, DRAW, KNOCK, PASS, TAKE, GinAction, action_at
from handful.rummy.gin.deadwood import (
    FACE_POINTS,
    Arrangement,
    Defence,
    best_arrangement,
    card_points,
    deadwood,
    defend,
)
from handful.rummy.gin.deal import GinDeal, number_of
from handful.rummy.gin.rules import EAAI, HAND_SIZE, MOST_TAKES, GinRules
from handful.rummy.gin.view import GinTurn, GinView

PHASES = ("first upcard", "draw", "throw", "wall", "over")
FIRST_UPCARD, DRAWING, THROWING, WALL, OVER = range(5)
ENDINGS = ("void", "knock", "undercut", "gin", "big gin")


@dataclass(frozen=True)
class Settlement:
    """How a round ended: `ending` (see `ENDINGS`), who won how many points, and how both laid out their hands."""

    ending: str
    knocker: int | None = None
    winner: int | None = None
    points: int = 0
    knocked: Arrangement | None = None
    defence: Defence | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "ending": self.ending,
            "knocker": self.knocker,
            "winner": self.winner,
            "points": self.points,
            "knocked": self.knocked and self.knocked.to_dict(),
            "defence": self.defence and self.defence.to_dict(),
        }


class Round:
    """One round of two players, 0 and 1; player `starter` does not deal, and moves first.

    >>> round = Round(GinDeal.from_seed(7))
    >>> [str(action) for action in round.legal_actions()]
    ['take', 'pass']
    """

    def __init__(
        self, deal: GinDeal, rules: GinRules = EAAI, starter: int = 0, scores: tuple[int, int] = (0, 0)
    ) -> None:
        self.deal, self.rules, self.starter, self.scores = deal, rules, starter, scores
        self.hands: list[set[Card]] = [set(deal.starter_hand), set(deal.dealer_hand)]
        if starter:
            self.hands.reverse()
        self.upcard: Card | None = deal.upcard
        self.stock = list(reversed(deal.deck[2 * HAND_SIZE + 1 :]))  # the top is the last
        self.pile: list[Card] = []
        self.known: list[set[Card]] = [set(), set()]
        self.refused: list[list[Card]] = [[], []]
        self.turns: list[GinTurn] = []
        self.current = starter
        self.phase = FIRST_UPCARD
        self.passes = 0
        self.taken: Card | None = None  # the upcard that the player to throw has just taken
        self.last_upcard: Card | None = None
        self.takes = 0
        self.repeated = False
        self.knock_limit = rules.limit_for(card_points(deal.upcard))
        self.settlement: Settlement | None = None

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self.phase == OVER

    @property
    def factor(self) -> int:
        """How often the points count."""
        return 2 if self.rules.oklahoma and self.rules.spades_double and self.deal.upcard.suit == 3 else 1

    def copy(self) -> Round:
        """Return the same round, to go on with independently."""
        other = copy.copy(self)
        other.hands = [set(hand) for hand in self.hands]
        other.stock, other.pile, other.turns = list(self.stock), list(self.pile), list(self.turns)
        other.known = [set(cards) for cards in self.known]
        other.refused = [list(cards) for cards in self.refused]
        return other

    # What may be done

    def legal_numbers(self) -> list[int]:
        """Return the numbers of the legal actions, in order."""
        hand = self.hands[self.current]
        if self.phase == FIRST_UPCARD:
            return [TAKE, PASS] if self.passes < 2 else [DRAW]
        if self.phase == DRAWING:
            return [TAKE, DRAW]
        if self.phase == WALL:
            assert self.upcard is not None
            return [PASS, *self._knocks(hand | {self.upcard})]
        if self.phase == THROWING:
            throws = sorted(number_of(card) for card in hand if card != self.forbidden)
            big = [BIG_GIN] if self.rules.big_gin_bonus and deadwood(hand) == 0 else []
            return [*throws, *self._knocks(hand), *big]
        return []

    def legal_actions(self) -> list[GinAction]:
        """Return the legal actions."""
        return list(map(action_at, self.legal_numbers()))

    @property
    def forbidden(self) -> Card | None:
        """The card that may not be thrown: the upcard just taken, unless the rules allow it."""
        return None if self.rules.throw_taken else self.taken

    def _knocks(self, hand: set[Card]) -> list[int]:
        if deadwood(hand) > self.knock_limit + FACE_POINTS:  # no throw saves more
            return []
        return sorted(
            KNOCK + number_of(card)
            for card in hand
            if card != self.forbidden and deadwood(hand - {card}) <= self.knock_limit
        )

    # What is done

    def act(self, action: GinAction | int) -> None:
        """Do what the player to move asks for."""
        number = action if isinstance(action, int) else action.number
        if number not in self.legal_numbers():
            legal = ", ".join(map(str, self.legal_actions())) or "nothing: the round is over"
            raise IllegalActionError(f"{action_at(number)} is not legal now; legal: {legal}")
        if number == TAKE:
            self._take()
        elif number == DRAW:
            self._draw()
        elif number == PASS:
            self._pass()
        elif number >= KNOCK:
            self._knock(number)
        else:
            self._throw(action_at(number))

    def _take(self) -> None:
        assert self.upcard is not None
        if self.phase == DRAWING:
            self.takes += 1
            if self.takes == MOST_TAKES:
                self._end(Settlement("void"))
                return
        self.hands[self.current].add(self.upcard)
        self.known[self.current].add(self.upcard)
        self.taken = self.last_upcard = self.upcard
        self.upcard = None
        self.phase = THROWING

    def _draw(self) -> None:
        assert self.upcard is not None
        if self.phase == DRAWING:
            self.refused[self.current].append(self.upcard)
        self.pile.append(self.upcard)
        self.last_upcard, self.upcard, self.taken = self.upcard, None, None
        self.hands[self.current].add(self.stock.pop())
        self.phase = THROWING

    def _pass(self) -> None:
        if self.phase == WALL:
            self._end(Settlement("void"))
            return
        assert self.upcard is not None
        self.refused[self.current].append(self.upcard)
        self.passes += 1
        self.current = 1 - self.current

    def _throw(self, action: GinAction) -> None:
        card = action.card
        assert card is not None
        self.hands[self.current].remove(card)
        self.known[self.current].discard(card)
        self.turns.append(GinTurn(self.current, self.taken, card))
        self.upcard = card
        self.current = 1 - self.current
        is_same = card == self.last_upcard
        if is_same and self.repeated:
            self._end(Settlement("void"))
            return
        self.repeated, self.taken = is_same, None
        self.phase = DRAWING
        if len(self.stock) == self.rules.wall:
            self.phase = WALL
            if not self.rules.wall_knock:
                self._end(Settlement("void"))

    def _knock(self, number: int) -> None:
        hand = self.hands[self.current]
        if self.phase == WALL:
            assert self.upcard is not None
            hand.add(self.upcard)
            self.upcard = None
        if number != BIG_GIN:
            card = action_at(number).card
            assert card is not None
            hand.remove(card)
            self.pile.append(card)
        self._end(settle(self.rules, hand, self.hands[1 - self.current], self.current, self.factor))

    def _end(self, settlement: Settlement) -> None:
        self.settlement, self.phase = settlement, OVER

    # Who sees what

    def view(self, player: int) -> GinView:
        """Return what a player sees."""
        other = 1 - player
        return GinView(
            rules=self.rules,
            player=player,
            starter=self.starter,
            phase=PHASES[self.phase],
            current=self.current,
            hand=tuple(sorted(self.hands[player])),
            upcard=self.upcard,
            pile=tuple(self.pile),
            stock_size=len(self.stock),
            taken=self.taken,
            passes=self.passes,
            knock_limit=self.knock_limit,
            known=tuple(sorted(self.known[other])),
            own_known=tuple(sorted(self.known[player])),
            refused=tuple(self.refused[other]),
            turns=tuple(self.turns),
            scores=(self.scores[player], self.scores[other]),
            legal=tuple(self.legal_actions()) if self.current == player else (),
            takes=self.takes,
            repeated=self.repeated,
            factor=self.factor,
            last_upcard=self.last_upcard,
        )

    def __str__(self) -> str:
        hands = "; ".join(f"{player}: {format_cards(sorted(hand))}" for player, hand in enumerate(self.hands))
        return f"{PHASES[self.phase]}, player {self.current}; upcard {self.upcard}; stock {len(self.stock)}; {hands}"


def settle(rules: GinRules, knocker: set[Card], defender: set[Card], player: int, factor: int = 1) -> Settlement:
    """Return what a knock of a player comes to, both laying out their hands as well as they can."""
    laid = best_arrangement(knocker)
    is_gin = laid.deadwood == 0
    defence = Defence(best_arrangement(defender), ()) if is_gin else defend(defender, laid.melds, rules.lays_off)
    difference = defence.deadwood - laid.deadwood
    if is_gin:
        is_big = len(knocker) > HAND_SIZE
        bonus = rules.big_gin_bonus if is_big else rules.gin_bonus
        return Settlement("big gin" if is_big else "gin", player, player, (difference + bonus) * factor, laid, defence)
    if difference < 0 or (difference == 0 and rules.equal_is_undercut):
        points = (rules.undercut_bonus - difference) * factor
        return Settlement("undercut", player, 1 - player, points, laid, defence)
    winner = player if difference else None
    return Settlement("knock", player, winner, difference * factor, laid, defence)
