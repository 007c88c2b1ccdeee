"""The rules of thumb in plain Python, written from their description: what the kernel is compared with."""

from __future__ import annotations

from handful.bots import Bot
from handful.hanabi import Action, Discard, HintSuit, HintValue, Play, View, card_index
from handful.hanabi.actions import Hint
from handful.hanabi.knowledge import CardKnowledge, touched_mask


class RulesOracle(Bot):
    """Settings are class attributes, so that a test can make a class for each."""

    omega_p, omega_s, omega_d, omega_h = 0.6, 1, 1.0, 1.0
    hint_rule, discard_rule, reading = 3, 2, "tables"

    def choose(self, view: View) -> Action:
        self._keep_places(view)
        slots = range(len(view.my_hand))
        is_careful = self.omega_s == 1 and view.strikes == (self.rules.max_strikes or 0) - 1
        threshold = 1.0 if is_careful else self.omega_p
        plays = [slot for slot in slots if view.single_card_chance(slot, view.playable_mask) >= threshold - 1e-9]
        if plays:
            return Play(self.chance.choice(plays))
        can_discard = view.is_legal(Discard(0))
        if can_discard:
            least = self.omega_d - 1e-9
            thrown = [slot for slot in slots if view.single_card_chance(slot, view.worthless_mask) >= least]
            if thrown:
                return Discard(self.chance.choice(thrown))
        hints = [action for action in view.legal_actions() if isinstance(action, HintSuit | HintValue)]
        if hints and (self.chance.unit() < self.omega_h or not can_discard):
            return self._hint(view, hints)
        if can_discard:
            return Discard(self._discard(view))
        return Play(self._best(view, view.playable_mask, 1))

    def _keep_places(self, view: View) -> None:
        """Keep the orders of the own cards in fixed places, None where a place is empty."""
        held = [card.order for card in view.my_hand]
        places: list[int | None] = getattr(self, "_places", [None] * self.rules.hand_size)
        places = [order if order in held else None for order in places]
        for order in held:
            if order not in places:
                places[places.index(None)] = order
        self._places = places

    def _best(self, view: View, mask: int, sign: int) -> int:
        held = [card.order for card in view.my_hand]
        in_places = [held.index(order) for order in self._places if order is not None]
        return max(in_places, key=lambda slot: round(sign * view.single_card_chance(slot, mask), 9))

    def _discard(self, view: View) -> int:
        if self.discard_rule == 1:
            return self.chance.below(len(view.my_hand))
        if self.discard_rule == 2:
            return self._best(view, view.worthless_mask, 1)
        return 0 if self.discard_rule == 3 else self._best(view, view.unique_mask, -1)

    def _hint(self, view: View, hints: list[Hint]) -> Action:
        if self.hint_rule == 1:
            return self._random_hint(hints)
        found = self._hint_on(view, hints, view.playable_mask) if self.hint_rule >= 3 else None
        if self.hint_rule == 4:
            found = found or self._hint_on(view, hints, view.worthless_mask)
        return found or self._most_voluminous(view, hints)

    def _random_hint(self, hints: list[Hint]) -> Action:
        while True:
            player = (self.seat + 1 + self.chance.below(self.rules.players - 1)) % self.rules.players
            hint: Hint
            if self.chance.below(2):
                hint = HintValue(player, 1 + self.chance.below(self.rules.variant.num_values))
            else:
                hint = HintSuit(player, self.chance.below(self.rules.variant.num_suit_hints))
            if hint in hints:
                return hint

    def _most_voluminous(self, view: View, hints: list[Hint]) -> Action:
        def rank(hint: Hint) -> tuple[int, int, bool, int]:
            """Order of the ties: next player first, values before suits, small before large."""
            number = hint.value if isinstance(hint, HintValue) else hint.suit
            ahead = (hint.player - self.seat) % self.rules.players
            return -self._newly_told(view, hint), ahead, isinstance(hint, HintSuit), number

        return min(hints, key=rank)

    def _newly_told(self, view: View, hint: Hint) -> int:
        mask = touched_mask(self.rules.variant, hint)
        hand = zip(view.hands[hint.player], view.cards[hint.player], strict=True)
        return sum(
            bool(mask >> card_index(self.rules.variant, card) & 1) and not _is_told(held.knowledge, hint)
            for held, card in hand
        )

    def _hint_on(self, view: View, hints: list[Hint], mask: int) -> Action | None:
        for ahead in range(1, self.rules.players):
            player = (self.seat + ahead) % self.rules.players
            hand = list(zip(view.hands[player], view.cards[player], strict=True))
            for held, card in sorted(hand, key=lambda pair: (pair[1].value, pair[0].order)):
                if not mask >> card_index(self.rules.variant, card) & 1:
                    continue
                value, suit = HintValue(player, card.value), HintSuit(player, card.suit)
                if not _is_told(held.knowledge, value) and value in hints:
                    return value
                if self.reading == "text" and suit in hints and not _is_told(held.knowledge, suit):
                    return suit
        return None


def _is_told(knowledge: CardKnowledge, hint: Hint) -> bool:
    if isinstance(hint, HintSuit):
        return bool(knowledge.suit_hints_mask >> hint.suit & 1)
    return bool(knowledge.value_hints_mask >> hint.value - 1 & 1)
