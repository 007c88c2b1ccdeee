"""What turns mean at a table of `partner`, in sentences that name the convention.

Everything is read from what is public, as everybody at the table reads it. Whoever sees the cards that a hint is about
is told in addition what the giver wants: only then is it clear whether a hint is a prompt, a finesse or a bluff.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from handful.bots.protocol import Explainer
from handful.errors import NotationError
from handful.hanabi.actions import Action, Discard, Hint, HintSuit, HintValue, Play, action_index
from handful.hanabi.cards import card_index, cards_in
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import card_words, slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Variant
from handful.hanabi.view import View

if TYPE_CHECKING:
    from handful.bots.partner.notes_kernel import Paper
    from handful.hanabi.kernels.layout import Games

NO_SLOT = -1
FEW = 4  # cards that are listed; of more it is said what they have in common
Faces = Mapping[tuple[int, int], int]  # by seat and slot, where they are seen: the card's index


@dataclass(frozen=True)
class Reading:
    """What a turn means: the convention, by its name, and sentences on whose cards it tells of."""

    convention: str
    sentences: tuple[str, ...] = ()
    focus: int | None = None  # the slot that a hint is about
    told: dict[str, str] = field(default_factory=dict)  # by player and slot ("Bob b"): what is known of it now

    def to_dict(self) -> dict[str, Any]:
        """Return the reading for JSON."""
        focus = None if self.focus is None else slot_text(self.focus)
        return {"convention": self.convention, "sentences": list(self.sentences), "focus": focus, "told": self.told}


class Reader:
    """Follows a game as everybody at a table of `partner` does, and says what turns mean."""

    def __init__(self, rules: Rules, names: Sequence[str], level: int = 3) -> None:
        import numpy as np

        from handful.bots.partner.notes_kernel import PAPER
        from handful.hanabi.kernels.layout import rulebook_of

        self.rules, self.names, self.level = rules, names, level
        self._rulebook = rulebook_of(rules)
        self.paper: Paper = np.zeros(1, PAPER)[0]

    def begin(self, games: Games) -> bool:
        """Take up a game if at most one turn has been played; return whether it is followed, and can be read."""
        from handful.bots.conventions.notes_kernel import is_first_turn
        from handful.bots.partner.notes_kernel import begin_deal

        if self.paper["turn"] == 0 and is_first_turn(games[0], self._rulebook[0]):
            begin_deal(self._rulebook[0], self.paper, self.level)
        return bool(self.paper["turn"])

    def join(self, games: Games) -> None:
        """Take up a game in its midst, of which no more is known than what lies open."""
        from handful.bots.partner.notes_kernel import begin

        begin(games[0], self._rulebook[0], self.paper, self.level)

    def note(self, games: Games) -> None:
        """Take note of the last turn; `games` is what lies open after it."""
        from handful.bots.partner.meanings_kernel import note_turn

        note_turn(games[0], self._rulebook[0], self.paper, self.level)

    def hint_before(self, seat: int, hint: Hint, touched: Sequence[int], faces: Faces) -> Reading:
        """Return what a hint would mean that touches these slots, if the seat gave it now."""
        return self._read(seat, hint, touched, None, faces)

    def turn(self, turn: Turn, faces: Faces) -> Reading:
        """Return what a turn meant; the notes stand as they were before it. `faces` are the cards seen."""
        card = None if turn.card is None else card_index(self.rules.variant, turn.card)
        if turn.is_strike:
            card = None
        return self._read(turn.actor, turn.action, turn.touched or (), card, faces)

    def _read(self, actor: int, action: Action, touched: Sequence[int], played: int | None, faces: Faces) -> Reading:
        from handful.bots.partner.finesse_kernel import note_connections
        from handful.bots.partner.meanings_kernel import narrow_by_action

        paper, rulebook = self.paper, self._rulebook[0]
        if isinstance(action, HintSuit | HintValue) and self.level > 1:
            note_connections(paper, rulebook, actor)
        played_mask = 1 << played if played is not None and isinstance(action, Play) else 0
        focus = narrow_by_action(
            paper,
            rulebook,
            actor,
            action_index(self.rules, actor, action),
            sum(1 << slot for slot in touched),
            played_mask,
        )
        if isinstance(action, HintSuit | HintValue):
            reading = _HintWords(self, actor, action, touched, int(focus)).reading(faces)
        else:
            assert isinstance(action, Play | Discard), "partner plays where hints and cards work as usual"
            reading = self._card(actor, action, played_mask)
        return Reading(reading.convention, reading.sentences, reading.focus, dict(self._news()))

    def misread(self, turn: Turn) -> list[str]:
        """Return what all had read into the card of a turn, if it was another one; the notes stand as before it."""
        if turn.card is None or not isinstance(turn.action, Play | Discard):
            return []
        variant, place = self.rules.variant, turn.actor * self.rules.hand_size + turn.action.slot
        mask, teller = int(self.paper["masks"][place]), int(self.paper["teller"][place]) - 1
        if mask >> card_index(variant, turn.card) & 1:
            return []
        whose = f"what {self.names[teller]} had told" if teller >= 0 else "what was told"
        return [f"Misunderstood: by {whose}, it was {self._cards(mask)}, and not {card_words(variant, turn.card)}"]

    # Plays and discards

    def _card(self, actor: int, action: Play | Discard, played: int) -> Reading:
        from handful.bots.partner.meanings_kernel import CHOP_CRITICAL, CHOP_SAFE, said_of_chop

        paper, name, slot = self.paper, self.names[actor], action.slot
        letter = slot_text(slot)
        if isinstance(action, Play):
            convention, why = self._why_played(actor, slot, played)
        elif int(paper["trash"][actor]) >> slot & 1:
            convention, why = "known to be worthless", f"{name}: slot {letter} is worthless, as all know"
        elif slot == int(paper["chop"][actor]):
            convention, why = "discard of the chop", f"{name}: slot {letter} is the chop, the oldest untouched card"
        elif slot == int(paper["next_chop"][actor]):
            convention, why = "chop move", f"{name}: slot {letter} is the next chop, and not the chop"
        else:
            convention = "other discard"
            why = f"{name}: slot {letter} is not the chop: {name} must see that it is not needed, or have no better one"
        sentences = [why]
        said = -1
        if self.level >= 3 and not int(paper["literal"]) >> actor & 1 and convention not in ("finesse", "bluff"):
            said = int(said_of_chop(paper, self._rulebook[0], actor, slot, isinstance(action, Play)))
        following = (actor + 1) % self.rules.players
        chop = int(paper["chop"][following])
        if said in (CHOP_CRITICAL, CHOP_SAFE) and chop != NO_SLOT:
            is_new = int(paper["changed"]) >> following & 1 and self._is_changed(following, chop)
            if said == CHOP_CRITICAL and is_new:
                convention = "chop move"
                sentences.append(
                    f"{self.names[following]}: your chop (slot {slot_text(chop)}) is critical, or {name} would have "
                    f"{'played another card first' if isinstance(action, Play) else 'done something else first'}"
                )
            elif is_new:
                sentences.append(f"{self.names[following]}: your chop (slot {slot_text(chop)}) is not critical")
        return Reading(convention, tuple(sentences))

    def _why_played(self, actor: int, slot: int, played: int) -> tuple[str, str]:
        """Return the convention behind a play, and its sentence."""
        from handful.bots.partner.finesse_kernel import answered_cards
        from handful.bots.partner.notes_kernel import NUM_ASKS

        paper, name, letter = self.paper, self.names[actor], slot_text(slot)
        for number in range(NUM_ASKS):
            cards = int(answered_cards(paper, self._rulebook[0], number, actor, slot, played))
            if not cards or int(paper["plays"][actor]) >> slot & 1:
                continue
            giver, receiver = self.names[paper["ask_giver"][number]], self.names[paper["ask_seat"][number]]
            focus = slot_text(int(paper["ask_slot"][number]))
            if played << 1 & cards:
                kind = "prompt" if int(paper["touched"][actor]) >> slot & 1 else "finesse"
                return kind, (
                    f"{name}: slot {letter} answers the {kind} of {giver}: "
                    f"slot {focus} of {receiver} is {self._cards(cards)}"
                )
            return "bluff", f"{name}: slot {letter} answers the bluff of {giver}, whose hint to {receiver} asked for it"
        if int(paper["plays"][actor]) >> slot & 1:
            return "known play", f"{name}: slot {letter} is playable, as all know"
        return "try", f"{name}: no convention says that slot {letter} is playable: a try"

    # Words

    def _is_changed(self, seat: int, slot: int) -> bool:
        place = seat * self.rules.hand_size + slot
        return int(self.paper["after"][place]) != int(self.paper["masks"][place])

    def _news(self) -> list[tuple[str, str]]:
        """Return what a turn changed: player and slot, and what may be there now."""
        news = []
        for seat in range(self.rules.players):
            if not int(self.paper["changed"]) >> seat & 1:
                continue
            for slot in range(int(self.paper["length"][seat])):
                if self._is_changed(seat, slot):
                    after = int(self.paper["after"][seat * self.rules.hand_size + slot])
                    news.append((f"{self.names[seat]} {slot_text(slot)}", self._cards(after)))
        return news

    def _cards(self, mask: int) -> str:
        """Return the cards of a mask in words, or what they have in common."""
        return cards_words(self.rules.variant, mask, int(self.paper["playable"]), int(self.paper["critical"]))


def cards_words(variant: Variant, mask: int, playable: int, critical: int) -> str:
    """Return the cards of a mask in words, or what they have in common if they are many.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> cards_words(NO_VARIANT, 0b100001, 0b1, 0)
    'red 1 or yellow 1'
    """
    cards = [card_words(variant, card) for card in cards_in(variant, mask)]
    if len(cards) == 1:
        return cards[0]
    if 1 < len(cards) <= FEW:
        return f"{', '.join(cards[:-1])} or {cards[-1]}"
    for words, among in (("playable", playable), ("critical", critical), ("playable or critical", playable | critical)):
        if not mask & ~among:
            return words
    if not mask & critical:
        return f"one of {len(cards)} cards, not critical"
    return f"one of {len(cards)} cards"


class _HintWords:
    """What a hint means, in words, from the notes before it and paper["after"]."""

    def __init__(self, reader: Reader, giver: int, hint: Hint, touched: Sequence[int], focus: int) -> None:
        self.reader, self.giver, self.receiver = reader, giver, hint.player
        self.touched, self.focus = touched, focus
        self.place = hint.player * reader.rules.hand_size + max(focus, 0)
        self.name = reader.names[hint.player]

    def reading(self, faces: Faces) -> Reading:
        """Return what the hint means."""
        from handful.bots.partner.finesse_kernel import connected_cards

        paper, reader, focus = self.reader.paper, self.reader, self.focus
        if int(paper["literal"]) >> self.giver & 1:
            return Reading("literal", (f"{self.name}: this says what it shows, as all hints of {self._giver} do now",))
        if int(paper["literal"]) >> self.receiver & 1:
            return Reading("literal", (f"{self.name}: this says what it shows, as all hints to {self.name} do now",))
        if focus == NO_SLOT:
            return self._shown()
        after = int(paper["after"][self.place])
        connected = after & int(connected_cards(paper, reader._rulebook[0], self.giver, self.receiver))
        kind = self._kind(after & ~connected if after & ~connected else after)
        letter = slot_text(focus)
        direct = after & ~connected
        sentences = []
        if direct:
            sentences.append(f"{self.name}: {kind}: slot {letter} is {self._meant(direct)}")
        if connected:
            card = faces.get((self.receiver, focus))
            if card is None:
                sentences.append(self._perhaps(connected, is_only=not direct))
            elif connected >> card & 1:
                kind, sentence = self._asked(card, faces)
                sentences = [sentence]
        return Reading(kind, tuple(sentences), focus)

    @property
    def _giver(self) -> str:
        return self.reader.names[self.giver]

    def _kind(self, direct: int) -> str:
        """Return the name of the convention if nobody else is asked."""
        paper = self.reader.paper
        is_new = not int(paper["touched"][self.receiver]) >> self.focus & 1
        if not is_new:
            return "tempo"
        if self.focus != int(paper["chop"][self.receiver]):
            return "play hint"
        if not direct & ~int(paper["soon"]):
            return "play hint"
        return "play or save hint" if direct & int(paper["soon"]) else "save hint"

    def _meant(self, mask: int) -> str:
        paper, words = self.reader.paper, self.reader._cards(mask)
        playable, soon = int(paper["playable"]), int(paper["soon"])
        if words.startswith("one of"):
            words = "playable now or soon" if not mask & ~soon else "playable, or to be saved"
        elif not mask & ~playable and words != "playable":
            words += ", playable"
        elif not mask & ~soon and mask & ~playable and "playable" not in words:
            words += ", playable now or soon"
        return words

    def _shown(self) -> Reading:
        """Return the reading of a hint that is about no card."""
        paper, size = self.reader.paper, self.reader.rules.hand_size
        playable = int(paper["playable"])
        shown = [
            slot
            for slot in range(int(paper["length"][self.receiver]))
            if not int(paper["after"][self.receiver * size + slot]) & ~playable
            and int(paper["masks"][self.receiver * size + slot]) & ~playable
        ]
        if shown:
            letters = " and ".join(map(slot_text, shown))
            are = "is" if len(shown) == 1 else "are"
            word = "slot" if len(shown) == 1 else "slots"
            return Reading("fill-in", (f"{self.name}: fill-in: {word} {letters} {are} playable, as the hint shows",))
        return Reading("stall", (f"{self.name}: stall: the hint says no more than it shows",))

    def _perhaps(self, connected: int, is_only: bool) -> str:
        """Return what is said of a prompt or finesse to whoever does not see the card that it is about."""
        reader = self.reader
        between = [
            reader.names[(self.giver + step) % reader.rules.players]
            for step in range(1, (self.receiver - self.giver) % reader.rules.players)
        ]
        who = " or ".join(between)
        lead = f"{self.name}: slot {slot_text(self.focus)} is" if is_only else f"{self.name}: or it is"
        return f"{lead} {reader._cards(connected)}, if {who} now plays a card for it: prompt, finesse or bluff"

    def _asked(self, card: int, faces: Faces) -> tuple[str, str]:
        """Return the convention and the sentence of a hint that asks somebody between giver and receiver."""
        reader, paper = self.reader, self.reader.paper
        variant, values = reader.rules.variant, reader.rules.variant.num_values
        (known,) = cards_in(variant, 1 << card)
        theirs = f"{self.name}: slot {slot_text(self.focus)}, {card_words(variant, known)},"
        for step in range(1, (self.receiver - self.giver) % reader.rules.players):
            seat = (self.giver + step) % reader.rules.players
            slot = int(paper["connect"][seat, card // values])
            if slot != NO_SLOT and faces.get((seat, slot)) == card - 1 and int(paper["playable"]) >> card - 1 & 1:
                kind = "prompt" if int(paper["touched"][seat]) >> slot & 1 else "finesse"
                (below,) = cards_in(variant, 1 << card - 1)
                return kind, (
                    f"{theirs} is next after the {card_words(variant, below)} of {reader.names[seat]} (slot "
                    f"{slot_text(slot)}), who should now play it: {kind}"
                )
        following = (self.giver + 1) % reader.rules.players
        slot, name = int(paper["connect"][following, card // values]), reader.names[following]
        if slot != NO_SLOT and (following, slot) in faces:
            (theirs_card,) = cards_in(variant, 1 << faces[following, slot])
            return "bluff", (
                f"{theirs} is not playable: {name} should see that, and play the newest untouched card (slot "
                f"{slot_text(slot)}, {card_words(variant, theirs_card)}): bluff"
            )
        return "prompt or finesse", (
            f"{theirs} is not playable: somebody before {self.name} should now play what it waits for, perhaps "
            f"{name} slot {slot_text(max(slot, 0))}: prompt or finesse"
        )


# Following a game


class PartnerExplainer(Explainer):
    """Follows a game and says what each turn meant; afterwards, where something was misunderstood."""

    def __init__(self, rules: Rules, names: Sequence[str], level: int = 3) -> None:
        self.reader = Reader(rules, names, level)
        self.last: Reading | None = None  # what the last turn meant; None if it could not be read

    def explain(self, state: State, turn: Turn) -> list[str]:
        """Return what the turn meant, for somebody who sees all hands."""
        from handful.hanabi.kernels.bridge import game_from_state

        faces = {
            (seat, slot): card_index(state.rules.variant, card)
            for seat in range(state.rules.players)
            for slot, card in enumerate(state.hand(seat))
        }
        return self._explain(turn, faces, covered(game_from_state(state), state.rules.hand_size))

    def explain_view(self, view: View, turn: Turn) -> list[str]:
        """Return what the turn meant, for a player. Called after every turn, with what the player sees then."""
        from handful.hanabi.kernels.bridge import game_from_view

        return self._explain(turn, faces_seen(view), game_from_view(view))

    def preview(self, view: View, hint: Hint) -> Reading:
        """Return what a hint would be read as, if the player of the view gave it now."""
        from handful.hanabi.kernels.bridge import game_from_view

        games = game_from_view(view)
        if not self.reader.begin(games):
            self.reader.join(games)
        faces = faces_seen(view)
        mask = hint_mask(view.rules.variant, hint)
        touched = [slot for (seat, slot), card in faces.items() if seat == hint.player and mask >> card & 1]
        return self.reader.hint_before(view.me, hint, touched, faces)

    def _explain(self, turn: Turn, faces: Faces, games: Games) -> list[str]:
        reader = self.reader
        if not reader.begin(games):
            self.last = None
            reader.join(games)
            return []
        # A hint moves no card: what is seen after it was seen before it. For other turns faces do not matter.
        self.last = reader.turn(turn, faces)
        errors, misread = [int(number) for number in reader.paper["errors"]], reader.misread(turn)
        plain = int(reader.paper["plain"])
        reader.note(games)
        said = [*self.last.sentences, *misread]
        for seat in range(reader.rules.players):
            if reader.paper["errors"][seat] > errors[seat]:
                said.extend(_misunderstood(reader.names[seat], int(reader.paper["literal"]) >> seat & 1, bool(misread)))
            elif (int(reader.paper["plain"]) & ~plain) >> seat & 1:
                said.append(f"{reader.names[seat]} has not played what was asked for: asked for nothing from now on")
        return said


def covered(games: Games, hand_size: int) -> Games:
    """Return a game with all hands face down: what everybody sees."""
    from handful.hanabi.kernels.layout import HIDDEN

    game = games[0]
    for seat, length in enumerate(game["lengths"]):
        game["cards"][game["orders"][seat * hand_size : seat * hand_size + length]] = HIDDEN
    return games


def _misunderstood(name: str, is_literal: int, is_told: bool) -> list[str]:
    """Return what follows from a misunderstanding with a player; `is_told`: it is said already what it was."""
    if is_literal:
        return [f"From now on the hints of {name} count as what they literally say"]
    return [] if is_told else [f"Misunderstood: {name} meant something else of a card; it counts as what hints showed"]


def faces_seen(view: View) -> dict[tuple[int, int], int]:
    """Return the cards in the other hands, by seat and slot."""
    return {
        (seat, slot): card_index(view.rules.variant, card)
        for seat in range(view.rules.players)
        if seat != view.me
        for slot, card in enumerate(view.cards[seat])
    }


def hint_mask(variant: Variant, hint: Hint) -> int:
    """Return the mask of the cards that a hint touches."""
    if isinstance(hint, HintSuit):
        return variant.suit_hint_masks[hint.suit]
    if isinstance(hint, HintValue):
        return variant.value_hint_masks[hint.value - 1]
    raise NotationError(f"{hint} is not a hint")
