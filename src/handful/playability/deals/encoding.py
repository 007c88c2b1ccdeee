"""A position as a formula: what can be done step by step, in clauses. `deals.sat` says what the steps are.

Every step uses a card, after some hints. Each missing card has one chosen copy, which is played at one step; all other
cards are trash without a name.

Where a suit can still be built in several orders, one of these is its *way*, and only the cards on it are missing.
Tokens are counted in halves where a discard brings half of one. Where the end of the deck does not end the game, there
is a step for every card that is left, and whoever uses one after the last draws a blank, which can never leave the
hand. A formula that is not `strict` leaves out what depends on which trash is thrown: strikes that Up or Down or Sudoku
would make plays of, Orange cards that can be discarded while all tokens are there, and cards thrown from the deck are
all allowed, and so are the tokens of the last round for Orange. So a position that it refutes is lost; of a line that
it finds the rules decide. What a strict one finds uses nothing of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.hanabi.cards import Card
from handful.hanabi.legality import can_discard
from handful.hanabi.orders import Order
from handful.hanabi.state import State
from handful.playability.deals.choices import needed_cards
from handful.playability.formulas import FALSE, TRUE, Formula


@dataclass(frozen=True)
class Step:
    """What a model does at a step: hints, then a card that leaves the hand. `order` is None for trash."""

    hints: int
    order: int | None
    is_discard: bool
    is_last_round: bool


class Encoding:
    """The formula of a position. Steps count from 1; index 0 of a list stands for what is before the first."""

    def __init__(
        self, state: State, formula: Formula, *, strict: bool = False, closed: Sequence[Sequence[int]] = ()
    ) -> None:
        self.state, self.formula, self.rules, self.strict = state, formula, state.rules, strict
        self.deck_size = state.deck_size
        last_turns = self.rules.players if self.rules.has_last_round else 0
        self.draws = state.deck_size + (0 if last_turns else sum(map(len, state.hands)))  # blanks among them
        self.steps = self.draws + last_turns
        self.missing = needed_cards(state)
        self.points_missing = self.rules.max_score - state.points
        self.slack = self.steps - self.points_missing
        self.top_order = len(state.deal.deck) - state.deck_size
        self.cost = 2 if self.rules.variant.modifiers.clue_starved else 1
        if self.slack < 0:
            formula.some()
            return
        self._ways(closed)
        self._actors()
        self._choices()
        self._plays()
        self._points()
        self._holding()
        self._tokens()
        self._strikes()

    # In which order each suit is built

    def _ways(self, closed: Sequence[Sequence[int]]) -> None:
        """ways[suit]: for each order that is open, the literal of: it is this one; and the values still to come.

        needed[card]: the card is on the way of its suit. `closed` are choices of orders that are known to be lost.
        """
        formula, variant = self.formula, self.rules.variant
        self.ways: list[list[tuple[int, Order]]] = []
        by_order: dict[int, list[int]] = {}
        literal_of: list[dict[int, int]] = []
        for suit, (height, mask) in enumerate(zip(self.state.stacks, self.state.open_orders, strict=True)):
            numbers = [number for number in range(len(variant.orders[suit])) if mask >> number & 1]
            literals = [TRUE] if len(numbers) == 1 else [formula.new() for _ in numbers]
            if len(numbers) > 1:
                formula.one(literals)
            self.ways.append(
                [(way, variant.orders[suit][n][height:]) for way, n in zip(literals, numbers, strict=True)]
            )
            literal_of.append(dict(zip(numbers, literals, strict=True)))
            for way, number in zip(literals, numbers, strict=True):
                by_order.setdefault(number, []).append(way)
        if variant.modifiers.sudoku:
            for ways in by_order.values():
                formula.at_most_one([way for way in ways if way != TRUE])
        for numbers_closed in closed:
            if all(number in of_suit for number, of_suit in zip(numbers_closed, literal_of, strict=True)):
                formula.some(*(-of_suit[number] for number, of_suit in zip(numbers_closed, literal_of, strict=True)))
        self.needed: dict[Card, int] = {}
        for card in self.missing:
            having = [way for way, values in self.ways[card.suit] if card.value in values]
            is_on_all = len(having) == len(self.ways[card.suit])
            self.needed[card] = TRUE if is_on_all else formula.either(having)

    def _tops(self, suit: int) -> list[tuple[int, Card]]:
        """Return the cards that complete a stack, each with the literal of its way."""
        return [(way, Card(suit, values[-1])) for way, values in self.ways[suit] if values]

    # Who uses the card of a step

    def _actors(self) -> None:
        """hints_before[i][k]: k hints are given before step i. actor[i][q]: player q uses the card of step i."""
        formula, players = self.formula, self.rules.players
        most = players - 1 if self.rules.max_hints is None else min(players, self.rules.max_hints)
        self.most_hints = most if players > 1 else 0
        before_first = (self.state.current - 1) % players
        self.actor = [[TRUE if player == before_first else FALSE for player in range(players)]]
        self.hints_before: list[list[int]] = [[]]
        for step in range(1, self.draws + 1):
            hints = [formula.new() for _ in range(self.most_hints + 1)]
            actors = [formula.new() for _ in range(players)]
            formula.one(hints)
            formula.one(actors)
            for player, previous in enumerate(self.actor[step - 1]):
                for count, given in enumerate(hints):
                    formula.some(-previous, -given, actors[(player + count + 1) % players])
            self.hints_before.append(hints)
            self.actor.append(actors)
        for turn in range(1, self.steps - self.draws + 1):
            # In the last round the turn goes from seat to seat.
            self.actor.append([self.actor[self.draws][(player - turn) % players] for player in range(players)])

    # Which copy is played, and who holds it

    def _choices(self) -> None:
        """chosen[order]: this copy is the one to be played. holder[card][q]: player q holds the chosen copy."""
        formula, state = self.formula, self.state
        self.copies: dict[Card, list[int]] = {card: [] for card in self.missing}
        self.chosen: dict[int, int] = {}
        self.held_by = {held.order: player for player, hand in enumerate(state.hands) for held in hand}
        for player in range(self.rules.players):
            seen: set[Card] = set()
            for held in state.hands[player]:
                card = state.card(held)
                # Of two copies in a hand one is as good as the other.
                if card in self.copies and card not in seen:
                    seen.add(card)
                    self.copies[card].append(held.order)
        for order in range(self.top_order, self.top_order + self.deck_size):
            card = state.deal.deck[order]
            if card in self.copies:
                self.copies[card].append(order)
        self.holder: dict[Card, list[int]] = {}
        for card, orders in self.copies.items():
            needed = self.needed[card]
            for order in orders:
                self.chosen[order] = formula.new() if len(orders) > 1 else needed
            formula.some(-needed, *(self.chosen[order] for order in orders))
            formula.at_most_one([self.chosen[order] for order in orders])
            if needed != TRUE and len(orders) > 1:
                for order in orders:
                    formula.some(-self.chosen[order], needed)
            self.holder[card] = [formula.new() for _ in range(self.rules.players)]
            formula.one(self.holder[card])
            for order in orders:
                for player, holds in enumerate(self.holder[card]):
                    formula.some(-self.chosen[order], -self._draws(player, order), holds)

    def _draws(self, player: int, order: int) -> int:
        """Return the literal of: this player holds this copy until it is used."""
        if order in self.held_by:
            return TRUE if self.held_by[order] == player else FALSE
        return self.actor[self._drawn_at(order)][player]

    def _drawn_at(self, order: int) -> int:
        """Return the step at which a copy is drawn; 0 if it is in a hand already."""
        return 0 if order in self.held_by else order - self.top_order + 1

    # When it is played

    def _plays(self) -> None:
        """played[card][i]: on its stack after step i. plays_card[card][i]: played at step i. plays[i]: any card is."""
        formula, steps = self.formula, self.steps
        self.played = {
            card: [FALSE, *(formula.new() for _ in range(1, steps)), self.needed[card]] for card in self.missing
        }
        self.plays_card = {card: [FALSE, *(formula.new() for _ in range(steps))] for card in self.missing}
        for card in self.missing:
            played, plays = self.played[card], self.plays_card[card]
            below = self._below(card)
            for step in range(1, steps + 1):
                # plays[i] = played[i] and not played[i - 1]
                formula.some(-played[step - 1], played[step])
                formula.some(-plays[step], played[step])
                formula.some(-plays[step], -played[step - 1])
                formula.some(-played[step], played[step - 1], plays[step])
                for way, lower in below:
                    formula.some(-way, -played[step], self.played[lower][step - 1])
                for player, acts in enumerate(self.actor[step]):
                    holds = self.holder[card][player]
                    formula.some(-plays[step], -holds, acts)
                    formula.some(-plays[step], -acts, holds)
            for order in self.copies[card]:
                formula.some(-self.chosen[order], -played[self._last_without(order)])
        self.plays = [FALSE]
        for step in range(1, steps + 1):
            # Two cards of a suit are never played at one step, the lower one being there already.
            of_suits = [
                formula.either([self.plays_card[card][step] for card in self.missing if card.suit == suit])
                for suit in {card.suit for card in self.missing}
            ]
            formula.at_most_one(of_suits)
            self.plays.append(formula.either(of_suits))
        self.is_over = [FALSE]
        for step in range(1, self.draws + 1):
            # Nothing need be legal after the last point.
            tops = [self._is_full(suit, step - 1) for suit, ways in enumerate(self.ways) if ways[0][1]]
            self.is_over.append(-formula.either([-top for top in tops]))

    def _below(self, card: Card) -> list[tuple[int, Card]]:
        """Return the cards that come just below a card, each with the literal of the way on which it does."""
        found = []
        for way, values in self.ways[card.suit]:
            place = values.index(card.value) if card.value in values else 0
            if place:
                found.append((way, Card(card.suit, values[place - 1])))
        return found

    def _is_full(self, suit: int, step: int) -> int:
        """Return the literal of: the stack of a suit is complete after a step."""
        tops = self._tops(suit)
        if len(tops) == 1:
            return self.played[tops[0][1]][step]
        return self.formula.either([self.formula.both(way, self.played[top][step]) for way, top in tops])

    def _last_without(self, order: int) -> int:
        """Return the last step after which a copy cannot have been played: the one at which it is drawn.

        The last card of the deck may be played at that step itself where the rules say so, unless it is Orange.
        """
        suit = self.rules.variant.suits[self.state.deal.deck[order].suit]
        is_last = order == self.top_order + self.deck_size - 1
        may_be_played_there = self.rules.deck_plays and is_last and not suit.is_played_by_discarding
        return self._drawn_at(order) - (may_be_played_there and order not in self.held_by)

    def _points(self) -> None:
        """Count the points: implied by the rest, but a solver that is not told counts badly.

        points[i][s]: at least s points are made in the first i steps. At most `slack` steps make none.
        """
        formula, needed = self.formula, self.points_missing
        previous = {0: TRUE}
        for step in range(1, self.steps + 1):
            least, most = max(0, step - self.slack), min(step, needed)
            points = {score: TRUE if score <= least else formula.new() for score in range(most + 1)}
            for score in range(1, needed + 1):
                now, before = points.get(score, FALSE), previous.get(score, FALSE)
                fewer = previous.get(score - 1, FALSE)
                # now = before or (fewer and plays)
                formula.some(-before, now)
                formula.some(-fewer, -self.plays[step], now)
                formula.some(-now, before, fewer)
                formula.some(-now, before, self.plays[step])
            previous = points

    # Whether there is trash to throw

    def _holding(self) -> None:
        """Without trash a player must play. holds[n]: the player holds at least n chosen cards, not played yet."""
        formula = self.formula
        for player, hand in enumerate(self.state.hands):
            size = len(hand)
            holds = self._count([self.chosen[held.order] for held in hand if held.order in self.chosen], size)
            for step in range(1, self.draws + 1):
                acts, plays = self.actor[step][player], self.plays[step]
                # A blank fills the hand like a chosen card, until the game is over.
                is_blank = step > self.deck_size
                drawn = -self.is_over[step] if is_blank else self.chosen.get(self.top_order + step - 1, FALSE)
                if not (self.rules.deck_plays and step == self.deck_size and not self.strict):
                    formula.some(-acts, -holds[size], plays, self.is_over[step])
                after = [TRUE, *(formula.new() for _ in range(size)), FALSE]
                for count in range(size + 1):
                    # after = holds + drawn - plays, if the player acts
                    formula.some(-holds[count], acts, after[count])
                    formula.some(-acts, -holds[count], plays, after[count])
                    formula.some(-acts, -holds[count], -drawn, after[count])
                    formula.some(-acts, -holds[count], plays, -drawn, after[count + 1])
                    formula.some(-acts, -holds[count + 1], after[count])
                    formula.some(holds[count], acts, -after[count])
                    formula.some(-acts, holds[count], drawn, -after[count])
                    formula.some(-acts, holds[count], -plays, -after[count])
                    formula.some(-acts, holds[count + 1], -plays, drawn, -after[count])
                    if count > 0:
                        formula.some(-acts, holds[count - 1], -after[count])
                holds = after

    def _count(self, literals: Sequence[int], most: int) -> list[int]:
        """Return for n = 0 … most + 1 a literal of: at least n of these hold."""
        formula = self.formula
        at_least = [TRUE, *[FALSE] * (most + 1)]
        for literal in literals:
            at_least = [
                TRUE,
                *(
                    formula.either((at_least[count], formula.both(at_least[count - 1], literal)))
                    for count in range(1, most + 1)
                ),
                FALSE,
            ]
        return at_least

    # Hint tokens and strikes

    def _tokens(self) -> None:
        """strikes[i]: the card of step i is misplayed. Tokens are counted as at_least[n] after a step."""
        formula, hints = self.formula, self.rules.max_hints
        self.strikes = [FALSE] * (self.steps + 1)
        if hints is None:
            return
        most, is_free = hints * self.cost, can_discard(self.rules, hints)
        has_orange = bool(self.rules.variant.orange_mask)
        may_strike = not is_free and self._strikes_left() > 0 and not self.strict
        start = (self.state.hints or 0) * self.cost + self.state.half_token
        tokens = [TRUE if count <= start else FALSE for count in range(most + 1)]
        for step in range(1, self.draws + 1):
            left = [TRUE, *(formula.new() for _ in range(most))]
            for given, literal in enumerate(self.hints_before[step]):
                spent = given * self.cost
                formula.some(-literal, tokens[spent])
                for count in range(1, most + 1):
                    before = tokens[count + spent] if count + spent <= most else FALSE
                    formula.some(-literal, -before, left[count])
                    formula.some(-literal, before, -left[count])
            if may_strike:
                strike = self.strikes[step] = formula.new()
                formula.some(-strike, left[most])
                formula.some(-strike, -self.plays[step])
            discard = -formula.either((self.plays[step], self.strikes[step], self.is_over[step]))
            if not is_free:
                if not has_orange or self.strict:
                    formula.some(-discard, -left[most])
                for played in self._orange_plays(step):
                    formula.some(-played, -left[most])
            gain = formula.either([discard, *self._completions(step)])
            tokens = [TRUE, *(self._after_gain(left, count, gain) for count in range(1, most + 1))]
        if self.strict and not is_free:
            # Each turn of the last round brings a token at most.
            enough = max(0, most - self.rules.players + 1)
            for step in range(self.draws + 1, self.steps + 1):
                for played in self._orange_plays(step):
                    formula.some(-played, -tokens[enough])

    def _orange_plays(self, step: int) -> list[int]:
        """Return the literals of: an Orange card is played at this step, which is to discard it."""
        suits = self.rules.variant.suits
        return [self.plays_card[card][step] for card in self.missing if suits[card.suit].is_played_by_discarding]

    def _after_gain(self, left: Sequence[int], count: int, gain: int) -> int:
        """Return the literal of: at least `count` tokens, after a gain of one or none."""
        formula, result = self.formula, self.formula.new()
        # result = left[count] or (gain and left[count - 1])
        formula.some(-left[count], result)
        formula.some(-gain, -left[count - 1], result)
        formula.some(-result, left[count], gain)
        formula.some(-result, left[count - 1])
        return result

    def _completions(self, step: int) -> list[int]:
        """Return the literals of: a stack is completed at this step, which brings a token."""
        if not self.rules.completed_stack_gives:
            return []
        return [
            self.plays_card[top][step] if way == TRUE else self.formula.both(way, self.plays_card[top][step])
            for suit in range(self.rules.variant.num_suits)
            for way, top in self._tops(suit)
        ]

    def _strikes_left(self) -> int:
        """Return how many strikes do not end the game."""
        most = self.rules.max_strikes
        return self.steps if most is None else most - 1 - self.state.strikes

    def _strikes(self) -> None:
        """Not so many strikes that the game ends."""
        formula, left = self.formula, self._strikes_left()
        is_lenient = bool(self.rules.variant.orange_mask) and not self.strict
        if self.rules.max_hints == 0 and not can_discard(self.rules, 0) and not is_lenient:
            # Without tokens in the game, whoever plays nothing in the last round before its last point strikes.
            for step in range(self.draws + 1, self.steps):
                strike = self.strikes[step] = formula.new()
                for later in range(step + 1, self.steps + 1):
                    formula.some(self.plays[step], -self.plays[later], strike)
        strikes = [strike for strike in self.strikes if strike != FALSE]
        if len(strikes) > left:
            formula.some(-self._count(strikes, left + 1)[left + 1])

    # What a model says

    def plan(self, model: frozenset[int]) -> list[Step]:
        """Return what happens at each step of a model."""
        orders = {
            card: order for card, copies in self.copies.items() for order in copies if self.chosen[order] in model
        }
        plan = []
        for step in range(1, self.steps + 1):
            is_last_round = step > self.draws
            hints = 0 if is_last_round else next(k for k, given in enumerate(self.hints_before[step]) if given in model)
            order = next((orders[card] for card in self.missing if self.plays_card[card][step] in model), None)
            plan.append(Step(hints, order, self.strikes[step] not in model, is_last_round))
        return plan
