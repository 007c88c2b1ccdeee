"""What the hat-guessing bots tell each other, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.bots.protocol import Explainer
from handful.hanabi.actions import Discard, Play, action_index
from handful.hanabi.cards import card_text, cards_in
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import slot_text
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.hanabi.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FEW = 3  # so many cards that one may be are listed


class _Listener(Explainer):
    """Follows a game from every seat with the notes that the bot at this seat would take."""

    memory: npt.NDArray[np.int64]

    def __init__(self, rules: Rules, names: Sequence[str], memory_words: int, observe: Any) -> None:
        import numpy as np

        from handful.hanabi.kernels.layout import rulebook_of

        self.rules, self.names = rules, names
        self.memory = np.zeros((MAX_PLAYERS, memory_words), np.int64)
        self._observe, self._settings = observe, np.zeros((MAX_PLAYERS, 1))
        self._rules = rulebook_of(rules)

    def listen(self, state: State) -> None:
        """Let every seat take note of the last turn."""
        from handful.hanabi.kernels.bridge import game_from_view

        for seat in range(self.rules.players):
            games = game_from_view(state.view(seat))
            self._observe(games, 0, self._rules, seat, self.memory, self._settings)


class Hat2018Explainer(_Listener):
    """Says what each hint of the bot `hat-2018` tells everybody to do."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        from handful.bots.hat.hat_2018_kernel import MEMORY_WORDS, observe

        super().__init__(rules, names, MEMORY_WORDS, observe)

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return an instruction for each player whom a hint is for."""
        sentences = [] if isinstance(turn.action, Play | Discard) else self._instructions(state, turn)
        self.listen(state)
        return sentences

    def _instructions(self, state: State, turn: Turn) -> list[str]:
        from handful.bots.hat.hat_2018_kernel import MEANT, MEANT_FIRST, MEANT_SIZE, explain_hint
        from handful.hanabi.kernels.bridge import game_from_view

        before = state.copy()
        before.undo()
        memory = self.memory.copy()
        games = game_from_view(before.view(turn.actor))
        action = action_index(self.rules, turn.actor, turn.action)
        explain_hint(games, 0, self._rules, turn.actor, memory, action)
        row = memory[turn.actor]
        players = [(int(row[MEANT_FIRST]) + i) % self.rules.players for i in range(int(row[MEANT_SIZE]))]
        return [f"{self.names[player]}: {instruction_text(int(row[MEANT + player]))}" for player in players]


def instruction_text(instruction: int) -> str:
    """Return an instruction of the bot `hat-2018` in words.

    >>> instruction_text(1), instruction_text(4), instruction_text(8)
    ('play slot b', 'discard slot a', 'give a hint')
    """
    if instruction >= 8:
        return "give a hint"
    return f"{'discard' if instruction >= 4 else 'play'} slot {slot_text(instruction % 4)}"


class HatExplainer(_Listener):
    """Says what everybody learns from each turn of the bot `hat`."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        from handful.bots.hat.hat_kernel import MEMORY_WORDS, observe

        super().__init__(rules, names, MEMORY_WORDS, observe)

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return what is new for each of the others: a card to play, one to discard, or what a card may be."""
        from handful.bots.hat.belief_kernel import LEFT, PLAYABLE, RULED_OUT, WORTHLESS

        row = self.memory[turn.actor]  # who acts sees all whom it tells something
        before = row[RULED_OUT : RULED_OUT + len(state.deal.deck)].copy()
        self.listen(state)
        left, playable, worthless = (int(row[place]) for place in (LEFT, PLAYABLE, WORTHLESS))
        sentences = []
        for ahead in range(1, self.rules.players):
            player = (turn.actor + ahead) % self.rules.players
            known = {
                slot: (left & ~int(before[held.order]), left & ~int(row[RULED_OUT + held.order]))
                for slot, held in enumerate(state.hands[player])
            }
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
