"""One table of Hanabi: the game, its clock, notes and talk, and turns that are taken back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from handful.errors import HandfulError, NotationError
from handful.hanabi.actions import Action, action_index
from handful.hanabi.live.records import Record
from handful.web.errors import ConflictError
from handful.web.live_tables import WATCHING, LiveTable
from handful.web.table_clock import TableClock
from handful.web.table_game import TAKE_BACK, TIME_OUT, TableGame
from handful.web.table_rules import check_rules
from handful.web.table_store import Setup, TableStore
from handful.web.table_talk import LONGEST_NOTE, LONGEST_SAID, Pace, Said, one_line
from handful.web.table_undo import TakeBack

log = logging.getLogger("handful.web")


class Table(LiveTable[Setup, TableGame, Action]):
    """A game of Hanabi that goes on."""

    def __init__(self, store: TableStore, number: int, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, number)
        self._file, self._now = store, now
        self._take_back: TakeBack | None = None
        self._talking, self._noting = Pace(now), Pace(now)
        self._said: list[Said] | None = None  # read when somebody looks
        self._num_said = max((said.number for said in store.said(number)), default=0)
        self._clock = self._new_clock()
        self._let_time_pass(adds=False)

    def begin(self, setup: Setup) -> TableGame:
        """Return the game before its first turn."""
        check_rules(setup.deal.rules)
        return TableGame(setup.deal)

    def number_of(self, state: TableGame, seat: int, action: Action) -> int:
        """Return the number under which an action is kept."""
        return action_index(state.rules, seat, action)

    def do_number(self, state: TableGame, number: int) -> None:
        """Let happen what was kept under a number: an action, or what else there is at a table."""
        state.do_number(number)

    def do(self, state: TableGame, seat: int, action: Action) -> None:
        """Take an action; refuse one that is illegal."""
        state.act(action)

    def to_move(self) -> tuple[int, int, list[Action]]:
        """Return who is to move, on which turn, and how the game went until then."""
        with self._lock:
            history = [past.action for past in self._state.history]
            return self._state.current, self._state.turn_number, history

    @property
    def people(self) -> list[int]:
        """The seats in which people sit."""
        return [seat for seat, place in enumerate(self.setup.seats) if place.is_person]

    @property
    def is_watched(self) -> bool:
        """Whether a spectator's page is open."""
        return self.is_present(WATCHING)

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks at it, nobody is in the middle of an action, and no time passes."""
        return super().is_idle and self.deadline is None

    # Clocks

    def _new_clock(self) -> TableClock | None:
        options = self.setup.options
        if not options.has_clock:
            return None
        kept, most = self._file.clocks(self.number), float(options.base_seconds)
        return TableClock(
            options, [kept.get(seat, most) if place.is_person else None for seat, place in enumerate(self.setup.seats)]
        )

    def _let_time_pass(self, adds: bool) -> None:
        """Let the time of whoever is to move pass from now on: nobody's before the first turn, and after the end."""
        if self._clock is None:
            return
        with self._lock:
            before, goes_on = self._clock.running, bool(self._state.history) and not self._state.is_over
            self._clock.turn_to(self._state.current if goes_on else None, self._now(), adds)
            left = None if before is None else self._clock.left[before]
        if before is not None and left is not None:
            try:
                self._file.set_clock(self.number, before, left)
            except HandfulError as error:  # what was done is done: at most some seconds are given back
                log.warning("the clock of table %d was not saved: %s", self.number, error)

    @property
    def deadline(self) -> float | None:
        """When the time of whoever is to move is up; None if no time passes."""
        with self._lock:
            return None if self._clock is None else self._clock.deadline

    def clocks(self) -> list[float | None]:
        """Return how many seconds each seat has left, None for bots; nothing where there are no clocks."""
        with self._lock:
            clock = self._clock
            return [] if clock is None else [clock.left_of(seat, self._now()) for seat in range(len(clock.left))]

    @property
    def clock_seat(self) -> int | None:
        """The seat whose time passes now."""
        with self._lock:
            return None if self._clock is None else self._clock.running

    def look_at_clock(self) -> None:
        """End the game if the time of whoever is to move is up."""
        if self._is_time_up():
            with self._acting:
                self._end_by_clock()

    def _is_time_up(self) -> bool:
        with self._lock:
            return self._clock is not None and not self._state.is_over and self._clock.is_out(self._now())

    def _end_by_clock(self) -> None:
        if self._is_time_up():  # still: who was quicker has acted
            state = self.state()
            number = TIME_OUT + state.current
            state.do_number(number)
            self._let_happen(state, number)

    def about_to_act(self) -> None:
        """End the game instead, if the time is up."""
        self._end_by_clock()

    def has_happened(self, number: int) -> None:
        """Let the time of the next one pass; whoever has acted gets the increment."""
        self._let_time_pass(adds=number < TIME_OUT)

    # Turns that are taken back

    @property
    def take_back(self) -> TakeBack | None:
        """What somebody wants to take back, while the game stands as it did then."""
        asked = self._take_back
        return asked if asked is not None and asked.events == self.num_events and not self.state().is_over else None

    def ask_back(self, seat: int, turn: int) -> None:
        """Ask for the game as it was before a seat's last turn; where only bots are asked, it is that at once."""
        with self._acting:
            state = self.state()
            if not self.setup.options.is_casual:
                raise ConflictError("this table is not casual: what was done stays done")
            if state.is_over:
                raise ConflictError("the game is over, and all cards are open: nothing can be taken back")
            if turn != state.turn_number:
                raise ConflictError(f"this was meant for turn {turn}, but it is turn {state.turn_number}: look again")
            turns = state.last_turn_of(seat)
            if turns is None:
                raise ConflictError("you have done nothing yet that could be taken back")
            if self.take_back is None:
                self._take_back = TakeBack(seat, turns, self.num_events)
            self._agree(seat)

    def answer_back(self, seat: int, events: int, agrees: bool) -> None:
        """Answer what somebody wants to take back: it is done when all people agree, and gone when one does not."""
        with self._acting:
            asked = self.take_back
            if asked is None or asked.events != events:
                raise ConflictError("nobody asks to take this back any more: look again")
            if agrees:
                self._agree(seat)
            else:
                self._take_back = None
                with self._lock:
                    self._changed()

    def _agree(self, seat: int) -> None:
        asked = self._take_back
        assert asked is not None
        asked.agreed.add(seat)
        if asked.agreed.issuperset(self.people):
            state = self.state()
            number = TAKE_BACK + asked.turns
            state.do_number(number)
            self._take_back = None
            self._let_happen(state, number)
        else:
            with self._lock:
                self._changed()

    # What is said, and noted

    @property
    def num_said(self) -> int:
        """How much was said at the table so far."""
        return self._num_said

    def said(self) -> list[Said]:
        """Return what was said last."""
        found = self._said
        if found is None or (found[-1].number if found else 0) < self._num_said:
            found = self._said = self._file.said(self.number)
        return list(found)

    def say(self, seat: int, text: str) -> None:
        """Let a seat say something to all at the table, and to who looks on."""
        text = one_line(text, LONGEST_SAID, "something to say")
        if not text:
            raise NotationError("there is nothing to say: expected a text")
        self._talking.take(seat)
        number = self._file.say(self.number, seat, text, datetime.now(UTC).isoformat(timespec="seconds"))
        with self._lock:
            self._num_said = max(self._num_said, number)
            self._tell()

    def notes(self, seat: int | None = None) -> list[dict[int, str]]:
        """Return the notes of all seats by card, or, for a seat, those of that one alone."""
        kept = self._file.notes(self.number)
        return [
            {card: text for (who, card), text in sorted(kept.items()) if who == each and seat in (None, each)}
            for each in range(len(self.setup.seats))
        ]

    def note(self, seat: int, card: int, text: str) -> None:
        """Keep a seat's note on a card that was dealt; an empty one removes it. Nobody else reads it before the end."""
        state = self.state()
        if state.is_over:
            raise ConflictError("the game is over: its notes are in the record now")
        if not 0 <= card < len(state.deal.deck) - state.deck_size:
            raise NotationError(
                f"card {card}: expected one that was dealt, 0 to {len(state.deal.deck) - state.deck_size - 1}"
            )
        text = one_line(text, LONGEST_NOTE, "a note")
        self._noting.take(seat)
        self._file.note(self.number, seat, card, text)

    # After the end

    def record(self) -> Record:
        """Return the game as hanab.live writes it down, with everybody's notes; only after the end."""
        state = self.state()
        if not state.is_over:
            raise ConflictError("the game is not over: only after the end is there a record, an analysis, a next game")
        notes = self.notes()
        most = 1 + max((card for each in notes for card in each), default=-1)
        lists = tuple(tuple(each.get(card, "") for card in range(most)) for each in notes) if most else ()
        return Record(self.setup.names, state.deal, tuple(turn.action for turn in state.history), state.ends, lists)
