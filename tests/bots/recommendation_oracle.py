"""The recommendation strategy in plain Python, written from its description: what the kernel is compared with."""

from __future__ import annotations

from handful.bots import Bot
from handful.bots.hat.recommendation import hint_code, number_of_hint, recommended
from handful.hanabi import Action, Discard, HintSuit, HintValue, Play, Turn, View
from handful.hanabi.rules import Rules
from handful.splitmix import SplitMix64


class RecommendationOracle(Bot):
    """Notes the newest recommendation, and how many cards were laid on stacks since."""

    def __init__(self, rules: Rules, seat: int, chance: SplitMix64) -> None:
        super().__init__(rules, seat, chance)
        self.numbers = hint_code(rules).numbers
        self.told: int | None = None
        self.played = 0

    def choose(self, view: View) -> Action:
        size, length = self.rules.hand_size, len(view.my_hand)
        can_bear_a_strike = self.rules.max_strikes is None or view.strikes < self.rules.max_strikes - 1
        if self.told is not None and self.told < length and self.played <= can_bear_a_strike:
            return Play(self.told)
        hint = self._hint(view)
        if hint is not None:
            return hint
        if view.is_legal(Discard(0)):
            is_told = self.told is not None and size <= self.told < size + length
            return Discard(self.told - size if self.told is not None and is_told else 0)
        return Play(0) if length else view.legal_actions()[0]

    def _hint(self, view: View) -> Action | None:
        others = [seat for seat in range(self.rules.players) if seat != self.seat]
        wanted = sum(recommended(view, view.cards[seat], self.numbers) for seat in others) % self.numbers
        for action in view.legal_actions():
            if isinstance(action, HintSuit | HintValue):
                misses = len(view.cards[action.player]) - 1 not in view.touched_slots(action)
                if number_of_hint(self.rules, self.seat, action, misses) == wanted:
                    return action
        return None

    def observe(self, view: View, turn: Turn) -> None:
        if isinstance(turn.action, Play | Discard):
            self.played += isinstance(turn.action, Play) and not turn.is_strike
            if turn.actor == self.seat:
                self.told = None
        elif isinstance(turn.action, HintSuit | HintValue) and turn.actor != self.seat:
            misses = len(view.hands[turn.action.player]) - 1 not in turn.touched
            number = number_of_hint(self.rules, turn.actor, turn.action, misses)
            seen = [seat for seat in range(self.rules.players) if seat not in (self.seat, turn.actor)]
            number -= sum(recommended(view, view.cards[seat], self.numbers) for seat in seen)
            self.told, self.played = number % self.numbers, 0
