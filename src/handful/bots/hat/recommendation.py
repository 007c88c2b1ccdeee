"""The bot `recommendation`: every hint tells all the others at once what to do (Cox et al. 2015), for 4 and 5 players.

**Recommendations.** For a hand, the first that applies:

1. play the playable 5 with the lowest index (slots count from the oldest card);
2. play the playable card of the lowest value, with the lowest index;
3. discard the worthless card with the lowest index;
4. discard the card of the highest value that is not unique, with the lowest index;
5. discard the oldest card.

Play slot 0 … h − 1 has the numbers 0 … h − 1, discard slot 0, 1, … the numbers h, h + 1, ….

**Hints.** A hint stands for the sum, modulo the number of recommendations, of what its giver recommends to all the
others. Everybody else sees all of these hands but the own one, subtracts, and what is left is for them. Nobody uses
what a hint says of the cards that it touches.

**The code** needs no empty hints. With 5 players and 4 cards there are 8 recommendations, and 8 hints (for which of
the 4 others, suit or value), each always possible: every card has a suit and a value. With 4 players that would be 6
hints. There a third kind is a hint that misses the newest card of its receiver, while suit and value hints must touch
it: 9 hints, of which 8 are needed (the ninth stands for the same as the first). In variants with cards that no suit
hint or no value hint touches this would often fail, and the code stays with two kinds. Where a code has fewer numbers
than there are recommendations, all plays have theirs, and only the oldest slots can be recommended as discards: two of
them with 6 numbers and 4 cards.

**On a turn**, the first that applies, by the newest recommendation that the player was given:

1. it was a play, and no card has been laid on a stack since that hint: play it, which is safe;
2. it was a play, one card has been laid on a stack since, and a strike would not end the game (fewer than two strikes,
   where the third is the last): play it;
3. give a hint, if a token is left;
4. it was a discard: discard it;
5. discard the oldest card.

So strikes happen by design, but not the last one. The published average for 5 players is 23.00 points. Ours is 22.39
where the third strike ends the game, and 22.97 where the fourth does (``--rules max_strikes=4``).

A recommendation is forgotten once the player has used a card, since the slots have moved. Where no hint stands for the
sum (some variants, rarely) the player goes on with 4; if discards are not allowed, with all tokens there, it plays its
oldest card rather than mislead everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handful.bots.protocol import CompiledBot, Explainer
from handful.bots.settings import Parameter, settings_row
from handful.hanabi.actions import Hint, HintSuit, HintValue, Play
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.view import CommonKnowledge

CODE = (
    Parameter("numbers", 8, "how many recommendations have a number"),
    Parameter("kinds", 2, "how many kinds of hints for a player the code tells apart", choices=(2, 3)),
)


class HintCode(NamedTuple):
    """The code of a game: the numbers of `CODE`."""

    numbers: int
    kinds: int


def hint_code(rules: Rules) -> HintCode:
    """Return the code of a game.

    >>> hint_code(Rules(players=5)), hint_code(Rules(players=4))
    (HintCode(numbers=8, kinds=2), HintCode(numbers=8, kinds=3))
    """
    wanted, others = 2 * rules.hand_size, rules.players - 1
    variant = rules.variant
    is_always_touched = all(
        _union(masks) == variant.all_mask for masks in (variant.suit_hint_masks, variant.value_hint_masks)
    )
    kinds = 3 if 2 * others < wanted and is_always_touched else 2
    return HintCode(min(wanted, kinds * others), kinds)


def _union(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def compiled(rules: Rules) -> CompiledBot:
    """Return the compiled bot."""
    from handful.bots.hat.recommendation_kernel import MEMORY_WORDS, choose, observe

    return CompiledBot(choose, observe, MEMORY_WORDS, settings_row(CODE, **hint_code(rules)._asdict()))


def recommended(table: CommonKnowledge, hand: Sequence[Card], numbers: int) -> int:
    """Return the number of the recommendation for a hand that is seen, in plain words: the kernel says the same."""
    variant, size = table.rules.variant, table.rules.hand_size
    cards = [card_index(variant, card) for card in hand]
    plays = [slot for slot, card in enumerate(cards) if table.playable_mask >> card & 1]
    if plays:
        return min(plays, key=lambda slot: (hand[slot].value < variant.num_values, hand[slot].value, slot))
    cards = cards[: numbers - size]
    dead = [slot for slot, card in enumerate(cards) if table.worthless_mask >> card & 1]
    if dead:
        return size + dead[0]
    spare = [slot for slot, card in enumerate(cards) if not table.unique_mask >> card & 1]
    return size + max(spare, key=lambda slot: (hand[slot].value, -slot), default=0)


def number_of_hint(rules: Rules, giver: int, hint: Hint, misses_newest: bool) -> int:
    """Return the number that a hint stands for: by its kind, and by how many seats ahead it goes."""
    numbers, kinds = hint_code(rules)
    kind = 2 if misses_newest and kinds == 3 else int(isinstance(hint, HintValue))
    ahead = (hint.player - giver) % rules.players
    return (kind * (rules.players - 1) + ahead - 1) % numbers


def recommendation_text(rules: Rules, number: int) -> str:
    """Return a recommendation in words.

    >>> recommendation_text(Rules(players=5), 2), recommendation_text(Rules(players=5), 4)
    ('play c', 'discard a')
    """
    size = rules.hand_size
    return f"play {slot_text(number)}" if number < size else f"discard {slot_text(number - size)}"


@dataclass
class _Told:
    """What a player was told last: the number, by whom and on which turn, and the cards laid on stacks since."""

    number: int
    giver: int
    turn: int
    played: int = 0


class RecommendationExplainer(Explainer):
    """Says which sum a hint stands for, what each player subtracts, and why a player follows or not."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, names
        self.code = hint_code(rules)
        self.told: dict[int, _Told] = {}

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return what the turn told the others, or what it followed."""
        if isinstance(turn.action, HintSuit | HintValue):
            return self._hint(state, turn, turn.action)
        lines = self._followed(turn)
        self.told.pop(turn.actor, None)
        if isinstance(turn.action, Play) and not turn.is_strike:
            for told in self.told.values():
                told.played += 1
        return lines

    def _hint(self, state: State, turn: Turn, hint: Hint) -> list[str]:
        table, (numbers, kinds) = state.common_knowledge(), self.code
        others = [(turn.actor + ahead) % self.rules.players for ahead in range(1, self.rules.players)]
        wanted = {seat: recommended(table, state.hand(seat), numbers) for seat in others}
        newest = len(state.hand(hint.player)) - 1
        misses = newest not in turn.touched
        number = number_of_hint(self.rules, turn.actor, hint, misses)
        kind = "value hint" if isinstance(hint, HintValue) else "suit hint"
        if kinds == 3:
            kind = "hint that misses the newest card" if misses else f"{kind} on the newest card"
        each = "; ".join(f"{self.names[seat]} {self._words(wanted[seat])}" for seat in others)
        total = sum(wanted.values())
        added = " + ".join(str(wanted[seat]) for seat in others)
        lines = [
            f"For the others: {each}.",
            f"{added} = {total}, modulo {numbers} that is {total % numbers}; "
            f"a {kind} for {self.names[hint.player]} stands for {number}.",
        ]
        for seat in others:
            seen = [wanted[other] for other in others if other != seat]
            own = (number - sum(seen)) % numbers
            self.told[seat] = _Told(own, turn.actor, turn.number)
            less = " − ".join([str(number), *map(str, seen)])
            left = str(number - sum(seen)).replace("-", "−")
            lines.append(f"{self.names[seat]} subtracts: {less} = {left}, modulo {numbers} that is {self._words(own)}.")
        return lines

    def _words(self, number: int) -> str:
        return f"{number}, {recommendation_text(self.rules, number)}"

    def _followed(self, turn: Turn) -> list[str]:
        """Return why a card was used: on whose word, and what has happened since."""
        name, told = self.names[turn.actor], self.told.get(turn.actor)
        if told is None:
            return [f"{name} has no recommendation, and no token is left."]
        since = {0: "no card has", 1: "one card has"}.get(told.played, f"{told.played} cards have")
        words = recommendation_text(self.rules, told.number)
        return [f"{name} was told by {self.names[told.giver]} on turn {told.turn}: {words}; {since} been laid since."]


def explainer(rules: Rules, names: Sequence[str]) -> RecommendationExplainer:
    """Return what says in words what each hint told whom."""
    return RecommendationExplainer(rules, names)
