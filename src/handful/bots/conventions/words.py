"""What the actions of the bot `conventions` tell, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from handful.bots.protocol import Explainer
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State

if TYPE_CHECKING:
    from handful.bots.conventions.notes_kernel import Paper


class ConventionsExplainer(Explainer):
    """Follows a game as both players do, and says what each turn told the other one."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        import numpy as np

        from handful.bots.conventions.notes_kernel import PAPER
        from handful.hanabi.kernels.layout import rulebook_of

        self._names = names
        self._rules = rulebook_of(rules)
        self._paper: Paper = np.zeros(1, PAPER)[0]

    def start_from(self, state: State) -> None:
        """Follow a game from a position in mid-game on, of which both know no more than what lies open."""
        from handful.bots.conventions.notes_kernel import begin
        from handful.hanabi.kernels.bridge import game_from_state

        begin(game_from_state(state)[0], self._rules[0], self._paper)

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return what the turn told the partner of the hand."""
        from handful.bots.conventions.notes_kernel import begin_deal, is_first_turn, narrow_by_action, note_turn
        from handful.hanabi.kernels.bridge import game_from_state

        game, table = game_from_state(state)[0], self._rules[0]
        if self._paper["turn"] == 0 and is_first_turn(game, table):
            begin_deal(table, self._paper)
        told: list[str] = []
        if self._paper["turn"]:
            action, touched = int(game["last_action"]), int(game["last_touched"])
            narrow_by_action(self._paper, table, turn.actor, action, touched)
            shown = int(table["hint_masks"][table["hint_of"][action]]) if turn.card is None else None
            told = self._told(1 - turn.actor, shown, touched)
        note_turn(game, table, self._paper)
        return [f"{self._names[1 - turn.actor]}: {sentence}" for sentence in told]

    def _told(self, receiver: int, shown: int | None, touched: int) -> list[str]:
        """Return what is new of the receiver's hand after a turn; a hint shows cards of a mask in the slots touched."""
        paper = self._paper
        playable, critical, soon = int(paper["playable"]), int(paper["critical"]), int(paper["soon"])
        found: dict[str, list[int]] = {}
        candidates = []  # the slots that might have been playable
        for slot in range(paper["length"][receiver]):
            before, after = int(paper["masks"][receiver, slot]), int(paper["after"][slot])
            seen = before if shown is None else before & (shown if touched >> slot & 1 else ~shown)
            if seen & playable:
                candidates.append(slot)
            for words in _news(before, seen, after, (playable, critical, soon)):
                found.setdefault(words, []).append(slot)
        sentences = []
        if len(candidates) > 1 and found.get(NOT_PLAYABLE) == candidates:
            del found[NOT_PLAYABLE]
            sentences = ["none of your cards is playable"]
        return [*_sentences(found, int(paper["chop"][receiver])), *sentences]


NOT_PLAYABLE = "not playable"


def _news(before: int, seen: int, after: int, cards: tuple[int, int, int]) -> list[str]:
    """Return what was not known of a card and is now: by what it may be before, by what the turn shows, and after it.

    `cards` are the masks of those that are playable, critical, playable soon. What a card is not is told only if it
    does not follow from what was seen.

    >>> _news(0b111, 0b111, 0b001, (0b001, 0b100, 0b011))
    ['playable']
    >>> _news(0b111, 0b011, 0b010, (0b001, 0b100, 0b001))
    ['not playable']
    """
    playable, critical, soon = cards
    for words, mask in (
        ("playable", playable),
        ("critical", critical),
        ("playable now or soon", soon),
        ("playable or critical", soon | critical),
    ):
        if before & ~mask and not after & ~mask:
            return [words]
    told = []
    if seen & critical and not after & critical:
        told.append("not critical")
    if seen & playable and not after & playable:
        told.append(NOT_PLAYABLE)
    return told


def _sentences(found: dict[str, list[int]], chop: int) -> list[str]:
    """Return a sentence for each thing that was found, slots by their letters.

    >>> _sentences({"playable": [1, 3], "critical": [0]}, chop=0)
    ['slots b and d are playable', 'your chop (slot a) is critical']
    """
    return [_sentence(words, slots, chop) for words, slots in found.items()]


def _sentence(words: str, slots: Iterable[int], chop: int) -> str:
    letters = [slot_text(slot) for slot in slots]
    if chop >= 0 and letters == [slot_text(chop)]:
        return f"your chop (slot {letters[0]}) is {words}"
    if len(letters) == 1:
        return f"slot {letters[0]} is {words}"
    return f"slots {', '.join(letters[:-1])} and {letters[-1]} are {words}"
