"""The bot `hat-2018`: hat guessing, as van Doorn 2019 describes the strategy until March 2019. Four or five players.

Everybody sees all hats but the own one. So a hint can tell each of the others what to do at once: it says the *sum*,
modulo 9, of one instruction for each, and everybody subtracts the instructions of the others.

1. An instruction is: play slot 1 to 4, discard slot 1 to 4, or give a hint.
2. A hint is for all who do not wait to carry out an instruction. They sit side by side, right before its giver, so
   who waits acts first: the hint is about the table as it will be then, which the giver can foresee.
3. *Standard action*, for each of them from last to first, the first that applies: play the playable card of lowest
   value (then the oldest) that no later one of them plays; with 6 tokens or more, hint; if the deck is nearly out
   (cards in the deck − points missing < (tokens − 1) / 3), hint; discard a card that is already played; one held
   twice; one that a later one of them plays; hint.
4. *Modified action*, for the first of them, on whose instruction nobody builds: if one of the others would have to
   hint without a token, play a 5; if the standard action is to play, do; if one of them would have to discard with
   all tokens there, hint; the standard action, unless one would have to hint without a token or everybody only hints
   until the giver's turn; a discard by rule 3; a discard of a card of which another copy is left; hint.
5. *Own turn*: told to discard, with a token, and the next player does not wait and has a playable card: hint.
   Otherwise do as told; who was told nothing hints; who cannot, discards the newest card.
6. *Reading*: who waits subtracts what those before did, and the standard actions of those after.
7. *Code*: four players: for each target a suit on the newest card, a value on it, or any hint past it. Five: a suit
   or a value on the newest card for each target, and any hint past it, whoever gets it.

The document leaves open: which of several cards with another copy is discarded (here the oldest); what is done with
all tokens there by somebody told to discard (a hint; the others know what was meant); how a discard of the newest
card without a token is read (as the hint that could not be given, unless the card was useless); and what is done if
no hint says the sum (the first player, on whom nobody builds, is told something else, to hint if possible).
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.bots.hat.words import Listener
from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.actions import Discard, Play, action_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State


def compiled(_rules: Rules) -> CompiledBot:
    """Return the compiled bot."""
    from handful.bots.hat.hat_2018_kernel import MEMORY_WORDS, choose, observe

    return CompiledBot(choose, observe, MEMORY_WORDS)


class Hat2018Explainer(Listener):
    """Says what each hint of the bot `hat-2018` tells everybody to do."""

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return an instruction for each player whom a hint is for."""
        sentences = [] if isinstance(turn.action, Play | Discard) else self._instructions(state, turn)
        for seat in range(self.rules.players):
            self.listen(state, seat)
        return sentences

    def _instructions(self, state: State, turn: Turn) -> list[str]:
        from handful.bots.hat.hat_2018_kernel import explain_hint, queue_of
        from handful.hanabi.kernels.bridge import game_from_view

        before = state.copy()
        before.undo()
        memory = self.memory.copy()
        games = game_from_view(before.view(turn.actor))
        action = action_index(self.rules, turn.actor, turn.action)
        explain_hint(games, 0, self._rules, turn.actor, memory, action)
        queue = queue_of(memory[turn.actor])
        players = [(queue["meant_first"] + i) % self.rules.players for i in range(queue["meant_size"])]
        return [f"{self.names[player]}: {instruction_text(int(queue['meant'][player]))}" for player in players]


def instruction_text(instruction: int) -> str:
    """Return an instruction of the bot `hat-2018` in words.

    >>> instruction_text(1), instruction_text(4), instruction_text(8)
    ('play slot b', 'discard slot a', 'give a hint')
    """
    if instruction >= 8:
        return "give a hint"
    return f"{'discard' if instruction >= 4 else 'play'} slot {slot_text(instruction % 4)}"


def explainer(rules: Rules, names: Sequence[str]) -> Explainer:
    """Return one who says what each hint tells everybody to do."""
    return Hat2018Explainer(rules, names, compiled(rules))
