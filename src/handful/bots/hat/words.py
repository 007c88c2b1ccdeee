"""What the bots `hat` and `information` tell the others, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.cards import card_at, card_text, cards_in
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import YOU, card_words, slot_text
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.bots.hat.notes_kernel import Notes

FEW = 3  # so many cards that one may be are listed


class Listener(Explainer):
    """Follows a game from every seat with the notes that the bot at this seat would take."""

    memory: npt.NDArray[np.int64]

    def __init__(self, rules: Rules, names: Sequence[str], bot: CompiledBot) -> None:
        import numpy as np

        from handful.hanabi.kernels.layout import rulebook_of

        self.rules, self.names, self._bot = rules, names, bot
        self.memory = np.zeros((MAX_PLAYERS, bot.memory_words), np.int64)
        self._settings = np.zeros((MAX_PLAYERS, 1))
        if bot.parameters is not None:
            self._settings = np.tile(bot.parameters, (MAX_PLAYERS, 1))
        self._rules = rulebook_of(rules)

    def listen(self, state: State, seat: int) -> None:
        """Let a seat take note of the last turn."""
        from handful.hanabi.kernels.bridge import game_from_view

        assert self._bot.observe is not None
        self._bot.observe(game_from_view(state.view(seat)), 0, self._rules, seat, self.memory, self._settings)


class _NotesListener(Listener):
    """Follows a game with notes of what each card can be for all to know."""

    def notes(self, seat: int) -> Notes:
        """Return the notes of a seat."""
        from handful.bots.hat.notes_kernel import notes_of

        return notes_of(self.memory[seat])

    def hands(self, seat: int) -> list[list[int]]:
        """Return what each card of every hand can be, as masks."""
        size, notes = self.rules.hand_size, self.notes(seat)
        if notes["followed"] == 0:
            return [[self.rules.variant.all_mask] * size for _ in range(self.rules.players)]
        masks = [int(mask) for mask in notes["masks"]]
        return [
            masks[player * size : player * size + int(notes["lengths"][player])] for player in range(self.rules.players)
        ]


class HatExplainer(_NotesListener):
    """Says what everybody learns from each turn of the bot `hat`."""

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return what is new for each of the others: a card to play, one to discard, or what a card may be."""
        before = self.hands(turn.actor)  # who acts sees all whom it tells something
        for seat in range(self.rules.players):
            self.listen(state, seat)
        notes, after = self.notes(turn.actor), self.hands(turn.actor)
        left, playable, worthless = int(notes["left"][0]), int(notes["playable"]), int(notes["dead"])
        sentences = []
        for ahead in range(1, self.rules.players):
            player = (turn.actor + ahead) % self.rules.players
            masks = zip(before[player], after[player], strict=True)
            known = {slot: (left & old, new) for slot, (old, new) in enumerate(masks)}
            if any(old != new for old, new in known.values()):
                told = self._told(known, playable, worthless)
                sentences += [f"{self.names[player]}: {told}"] if told else []
        return sentences

    def _told(self, known: dict[int, tuple[int, int]], playable: int, worthless: int) -> str:
        """Return the best news of a hand in words; empty if there is none. `known`: by slot, masks before and after."""
        for word, wanted in (("play", playable), ("discard", worthless)):
            news = [slot for slot, (old, new) in known.items() if old & ~wanted and not new & ~wanted]
            if news:
                return f"{word} slot {' and '.join(map(slot_text, news))}"
        for slot, (old, new) in known.items():
            if old != new and new.bit_count() <= FEW:
                variant = self.rules.variant
                return f"slot {slot_text(slot)} is {' or '.join(card_text(variant, c) for c in cards_in(variant, new))}"
        is_busy = any(not new & ~playable or not new & ~worthless for _, new in known.values())
        return "" if is_busy else "give a hint"


class InformationExplainer(_NotesListener):
    """Says what each player learns about the own cards from each turn of the bot `information`."""

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return a sentence for each player who learned something."""
        before = self.hands(turn.actor)
        self.listen(state, turn.actor)  # who acts sees all whom it tells something
        self.memory[:] = self.memory[turn.actor]  # what is public is the same for all
        notes, after = self.notes(turn.actor), self.hands(turn.actor)
        sentences = []
        for ahead in range(1, self.rules.players):
            player = (turn.actor + ahead) % self.rules.players
            masks = list(zip(before[player], after[player], strict=True))
            said = learned(self.rules.variant, masks, int(notes["playable"]), int(notes["dead"]))
            if said:
                name = "you" if self.names[player] == YOU else self.names[player]
                sentences.append(f"{name}: {said}")
        return sentences


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
