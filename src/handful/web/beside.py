"""What a seat is shown beside the cards: the clocks, what somebody wants to take back, who looks on, notes, talk."""

from __future__ import annotations

from dataclasses import dataclass

from handful.hanabi.notation import slot_text
from handful.web.hanabi_table import Table
from handful.web.table_game import TableGame
from handful.web.table_talk import Said


@dataclass(frozen=True)
class ShownClock:
    """The clock of a person: what is left, in whole seconds that have begun, and whether it runs."""

    name: str
    seconds: int
    is_running: bool

    @property
    def text(self) -> str:
        """What is left, as clocks say it: 2:05."""
        return f"{self.seconds // 60}:{self.seconds % 60:02}"


@dataclass(frozen=True)
class ShownTakeBack:
    """What somebody wants to take back: `number` turns, from turn `turn` on; `may_answer`: this seat is asked."""

    asker: str
    is_mine: bool
    may_answer: bool
    number: int
    turn: int
    events: int
    waits_for: tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """What stands beside the cards of a table, for a seat, or for spectators (`seat` is None)."""

    clocks: tuple[ShownClock, ...]
    take_back: ShownTakeBack | None
    may_ask_back: bool
    taken_back: int
    is_watched: bool
    watch: str  # the spectators' secret, where a seat may hand it on
    held: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]  # by player: name, and each card's order and letter


def beside(table: Table, seat: int | None) -> Beside:
    """Return what stands beside the cards now."""
    state, setup = table.state(), table.setup
    asked = table.take_back
    shown = None
    if asked is not None:
        waits = [other for other in table.people if other not in asked.agreed]
        shown = ShownTakeBack(
            asker=setup.names[asked.asker],
            is_mine=seat == asked.asker,
            may_answer=seat in waits,
            number=len(state.history) - asked.turns,
            turn=asked.turns + 1,
            events=asked.events,
            waits_for=tuple(setup.names[other] for other in waits),
        )
    goes_on = not state.is_over
    return Beside(
        clocks=shown_clocks(table),
        take_back=shown,
        may_ask_back=setup.options.is_casual
        and goes_on
        and asked is None
        and seat is not None
        and state.last_turn_of(seat) is not None,
        taken_back=state.taken_back,
        is_watched=table.is_watched,
        # Where spectators see all hands, only the table's own page has their link: whoever has that, has all seats.
        watch="" if seat is None or setup.options.open_hands else setup.watch,
        held=tuple(
            (setup.names[(seat + ahead) % len(setup.names)], _held(state, (seat + ahead) % len(setup.names)))
            for ahead in range(len(setup.names))
        )
        if seat is not None and goes_on
        else (),
    )


def _held(state: TableGame, player: int) -> tuple[tuple[int, str], ...]:
    return tuple((held.order, slot_text(slot)) for slot, held in enumerate(state.hands[player]))


def shown_clocks(table: Table) -> tuple[ShownClock, ...]:
    """Return the clocks of the people at a table; none, where they play without."""
    running = table.clock_seat
    return tuple(
        ShownClock(table.setup.names[seat], -int(-left // 1), seat == running)
        for seat, left in enumerate(table.clocks())
        if left is not None
    )


@dataclass(frozen=True)
class ShownSaid:
    """What somebody said, with the name."""

    name: str
    text: str
    at: str
    is_mine: bool


def shown_said(table: Table, seat: int | None) -> list[ShownSaid]:
    """Return what was said at a table last, the oldest first."""
    return [_shown_said(table, said, seat) for said in table.said() if 0 <= said.seat < len(table.setup.seats)]


def _shown_said(table: Table, said: Said, seat: int | None) -> ShownSaid:
    return ShownSaid(table.setup.names[said.seat], said.text, said.at[11:16], said.seat == seat)
