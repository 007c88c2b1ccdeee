"""What the actions of the bot `information` tell the others, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful.bots.protocol import Explainer
from handful.hanabi.cards import card_at
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import YOU, card_words, slot_text
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class InformationExplainer(Explainer):
    """Follows a game as its players do, and says what each of them learns about the own cards on a turn."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        import numpy as np

        from handful.bots.information import compiled, settings_for
        from handful.hanabi.kernels.layout import rulebook_of

        self._rules, self._names = rules, names
        self._bot = compiled(rules)
        self._table = rulebook_of(rules)
        self._memory = np.zeros((MAX_PLAYERS, self._bot.memory_words), np.int64)
        self._settings = np.tile(settings_for(rules.players), (MAX_PLAYERS, 1))

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return a sentence for each player who learned something."""
        from handful.bots.information.state_kernel import DEAD, PLAYABLE

        before = self._hands(turn)
        self._follow(state, turn)
        row = self._memory[turn.actor]
        self._memory[:] = row  # what is public is the same for all
        sentences = []
        for ahead in range(1, self._rules.players):
            player = (turn.actor + ahead) % self._rules.players
            after = self._masks(row, player, len(state.hand(player)))
            masks = zip(before[player], after, strict=True)
            said = learned(self._rules.variant, list(masks), int(row[PLAYABLE]), int(row[DEAD]))
            if said:
                name = "you" if self._names[player] == YOU else self._names[player]
                sentences.append(f"{name}: {said}")
        return sentences

    def _hands(self, turn: Turn) -> list[list[int]]:
        """Return what each card can be for all to know, before the turn."""
        from handful.bots.information.state_kernel import FOLLOWED, LENGTHS

        row = self._memory[turn.actor]
        if row[FOLLOWED] == 0:
            return [[self._rules.variant.all_mask] * self._rules.hand_size for _ in range(self._rules.players)]
        return [self._masks(row, player, int(row[LENGTHS + player])) for player in range(self._rules.players)]

    def _masks(self, row: npt.NDArray[np.int64], player: int, length: int) -> list[int]:
        from handful.bots.information.state_kernel import MASKS

        first = MASKS + player * self._rules.hand_size
        return [int(mask) for mask in row[first : first + length]]

    def _follow(self, state: State, turn: Turn) -> None:
        """Follow the turn from the actor's seat, who sees all hands that are told about."""
        from handful.hanabi.kernels.bridge import game_from_view

        assert self._bot.observe is not None
        game = game_from_view(state.view(turn.actor))
        self._bot.observe(game, 0, self._table, turn.actor, self._memory, self._settings)


def learned(variant: Variant, hand: Sequence[tuple[int, int]], playable: int, dead: int) -> str:
    """Return what is new about the cards of a hand, if it matters: per slot the mask before and after.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> everything = NO_VARIANT.all_mask
    >>> learned(NO_VARIANT, [(0b11111, 0b1), (everything, 0b100001), (0b11, 0b11)], playable=0b100001, dead=0)
    'a is red 1, b is playable'
    >>> learned(NO_VARIANT, [(0b11111, 0b11110), (0b111, 0b110)], playable=0b00001, dead=0)
    'a b are not playable'
    """
    slots: dict[str, list[str]] = {}
    for slot, (before, after) in enumerate(hand):
        if what := _news(variant, before, after, playable, dead):
            slots.setdefault(what, []).append(slot_text(slot))
    return ", ".join(f"{' '.join(names)} {'is' if len(names) == 1 else 'are'} {what}" for what, names in slots.items())


def _news(variant: Variant, before: int, after: int, playable: int, dead: int) -> str:
    """Return what a card is now known to be; empty if that is nothing new."""
    if before == after:
        return ""
    if after.bit_count() == 1:
        return card_words(variant, card_at(variant, after.bit_length() - 1))
    if not after & ~playable:
        return "playable" if before & ~playable else ""
    if not after & ~dead:
        return "dead" if before & ~dead else ""
    if before & playable and not after & playable:
        return "not playable"
    return "still needed" if before & dead and not after & dead else ""
