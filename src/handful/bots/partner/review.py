"""What in a played game is not as the conventions that people share would have it, turn by turn.

The game is followed as `partner` at level 2 follows it: play and save hints, prompts, finesses. A finding is *unclear*
where a good player may have had a reason that cannot be seen: it is worth a look, not a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from handful.bots.partner.words import Reader, covered, hint_mask
from handful.hanabi.actions import Discard, Hint, HintSuit, HintValue
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import card_words, default_names, slot_text
from handful.hanabi.state import State

LEVEL = 2
BAD_TOUCH, MISSED_SAVE, MISSED_PLAY, DISCARD_WITH_PLAY, WRONG_FOCUS = (
    "bad touch",
    "missed save",
    "missed play hint",
    "discard with a play known",
    "wrong focus",
)
FEW_TOKENS = 2  # with fewer, one may be kept for a save


@dataclass(frozen=True)
class Finding:
    """A turn that is not as the conventions would have it: who took it, what is amiss, and why, in a sentence."""

    turn: int
    player: str
    kind: str
    sentence: str
    is_unclear: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "turn": self.turn,
            "player": self.player,
            "kind": self.kind,
            "sentence": self.sentence,
            "unclear": self.is_unclear,
        }


def review_conventions(state: State, names: Sequence[str] = ()) -> list[Finding]:
    """Return what in a game, played from its first turn, is not as the conventions would have it."""
    from handful.hanabi.kernels.bridge import game_from_state

    game = State(state.deal)
    reader = Reader(state.rules, tuple(names) or default_names(state.rules.players), LEVEL)
    reader.join(game_from_state(game))
    found: list[Finding] = []
    for turn in state.history:
        before = _Before(game.copy(), reader, turn)
        found += before.findings()
        game.act(turn.action)
        reader.note(covered(game_from_state(game), state.rules.hand_size))
    return found


class _Before:
    """The table before a turn, with what all know of it, and the turn."""

    def __init__(self, state: State, reader: Reader, turn: Turn) -> None:
        self.state, self.reader, self.turn = state, reader, turn
        self.paper, self.names = reader.paper, reader.names
        self.playable = int(self.paper["playable"])
        self.worthless = int(self.paper["worthless"])
        self.critical = int(self.paper["critical"])

    def findings(self) -> Iterator[Finding]:
        """Yield what is amiss with the turn."""
        if isinstance(self.turn.action, HintSuit | HintValue):
            yield from self._bad_touch(self.turn.action)
            yield from self._wrong_focus(self.turn.action)
        elif isinstance(self.turn.action, Discard):
            yield from self._discard_with_play()
            yield from self._missed_save()
            yield from self._missed_play()

    def _finding(self, kind: str, sentence: str, is_unclear: bool = False) -> Finding:
        return Finding(self.turn.number, self.names[self.turn.actor], kind, sentence, is_unclear)

    def _card(self, seat: int, slot: int) -> Card:
        return self.state.hand(seat)[slot]

    def _index(self, card: Card) -> int:
        return card_index(self.state.rules.variant, card)

    def _words(self, seat: int, slot: int) -> str:
        card = card_words(self.state.rules.variant, self._card(seat, slot))
        return f"slot {slot_text(slot)} of {self.names[seat]} ({card})"

    def _mask(self, seat: int, slot: int) -> int:
        return int(self.paper["masks"][seat * self.state.rules.hand_size + slot])

    def _is_touched(self, seat: int, slot: int) -> bool:
        return bool(int(self.paper["touched"][seat]) >> slot & 1)

    # Hints

    def _bad_touch(self, hint: Hint) -> Iterator[Finding]:
        """Yield newly touched cards that are worthless, or touched already elsewhere. Unclear where none avoids it."""
        new = [slot for slot in self.turn.touched if not self._is_touched(hint.player, slot)]
        others = {
            self._index(card)
            for seat in range(self.state.rules.players)
            for slot, card in enumerate(self.state.hand(seat))
            if seat != self.turn.actor and self._is_touched(seat, slot)
        }
        seen: set[int] = set()
        for slot in new:
            index = self._index(self._card(hint.player, slot))
            why = ""
            if self.worthless >> index & 1:
                why = "is worthless"
            elif index in others:
                why = "has a copy that a hint has touched already"
            elif index in seen:
                why = "is touched twice by this hint"
            seen.add(index)
            if why:
                is_unclear = not self._could_avoid(hint, slot)
                yield self._finding(BAD_TOUCH, f"{self._words(hint.player, slot)} {why}", is_unclear)

    def _could_avoid(self, hint: Hint, bad: int) -> bool:
        """Return whether another hint touches the newest other card of this one, and not the bad one."""
        variant = self.state.rules.variant
        good = [slot for slot in self.turn.touched if slot != bad]
        if not good:
            return True
        focus, bad_index = self._index(self._card(hint.player, good[-1])), self._index(self._card(hint.player, bad))
        others: list[Hint] = [HintSuit(hint.player, suit) for suit in range(variant.num_suit_hints)]
        others += [HintValue(hint.player, value) for value in range(1, variant.num_values + 1)]
        masks = [hint_mask(variant, other) for other in others if other != hint]
        return any(mask >> focus & 1 and not mask >> bad_index & 1 for mask in masks)

    def _wrong_focus(self, hint: Hint) -> Iterator[Finding]:
        """Yield a focus that is not what the hint says of it. Unclear where the next player may be meant to answer."""
        faces = {
            (seat, slot): self._index(card)
            for seat in range(self.state.rules.players)
            for slot, card in enumerate(self.state.hand(seat))
        }
        reading = self.reader.turn(self.turn, faces)
        if reading.focus is None:
            return
        place = hint.player * self.state.rules.hand_size + reading.focus
        index = faces[hint.player, reading.focus]
        after = int(self.paper["after"][place])
        is_asking = reading.convention in ("bluff", "prompt or finesse")
        if after >> index & 1 and not is_asking:
            return
        meant = self.reader._cards(after)
        following = (self.turn.actor + 1) % self.state.rules.players
        untouched = [slot for slot in range(self.state.hand_length(following)) if not self._is_touched(following, slot)]
        is_bluff = (
            following != hint.player
            and bool(untouched)
            and bool(self.playable >> self._index(self._card(following, untouched[-1])) & 1)
        )
        sentence = f"the hint says that {self._words(hint.player, reading.focus)} is {meant}"
        if is_asking:
            sentence = f"{self._words(hint.player, reading.focus)} is not playable, and nobody holds what it waits for"
        yield self._finding(WRONG_FOCUS, sentence, is_bluff or bool(self.critical >> index & 1))

    # Discards

    def _discard_with_play(self) -> Iterator[Finding]:
        """Yield a discard though all know of a play. Unclear without tokens: then it may be to save something."""
        plays = [
            slot for slot in range(self.state.hand_length(self.turn.actor)) if self._plays(self.turn.actor) >> slot & 1
        ]
        if plays:
            letters = " and ".join(map(slot_text, plays))
            noun = "slot" if len(plays) == 1 else "slots"
            sentence = f"all know that {noun} {letters} can be played"
            yield self._finding(DISCARD_WITH_PLAY, sentence, is_unclear=self.state.hints == 0)

    def _plays(self, seat: int) -> int:
        return int(self.paper["plays"][seat])

    def _missed_save(self) -> Iterator[Finding]:
        """Yield a critical chop of the next player, who has nothing else to do, that was not saved."""
        following = (self.turn.actor + 1) % self.state.rules.players
        chop = int(self.paper["chop"][following])
        if chop < 0 or not self.state.hints or self._plays(following) or int(self.paper["trash"][following]):
            return
        if self.critical >> self._index(self._card(following, chop)) & 1:
            yield self._finding(
                MISSED_SAVE,
                f"{self._words(following, chop)} is critical, on the chop, and {self.names[following]} knew of no play",
                is_unclear=bool(self.state.rules.players > 2 and self.state.hints and self.state.hints > 1),
            )

    def _missed_play(self) -> Iterator[Finding]:
        """Yield a playable card of another player that nobody knew of. Unclear with few tokens."""
        if not self.state.hints or self._plays(self.turn.actor):
            return
        known = {
            self._index(self._card(seat, slot))
            for seat in range(self.state.rules.players)
            for slot in range(self.state.hand_length(seat))
            if self._plays(seat) >> slot & 1
        }
        for ahead in range(1, self.state.rules.players):
            seat = (self.turn.actor + ahead) % self.state.rules.players
            for slot in range(self.state.hand_length(seat)):
                index = self._index(self._card(seat, slot))
                if self.playable >> index & 1 and index not in known and not self._plays(seat):
                    sentence = f"{self._words(seat, slot)} can be played, and {self.names[seat]} knew of no play"
                    yield self._finding(MISSED_PLAY, sentence, is_unclear=self.state.hints < FEW_TOKENS)
                    return
