"""The process in which bots at tables think: `python -m handful.web.bot_process`. The server may end it at any moment.

It is told of a table and how its game went, makes one choice at a time (or advises a person once), and says it. The
system itself ends it when that takes more than `MOVE_SECONDS` of a core; what is compiled meanwhile, the first time
ever, is not counted: the process says meanwhile that it is alive.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import Event, Thread
from typing import IO, Any, Protocol, TypeAlias

from handful.bots.players import player_named
from handful.bots.protocol import Bot
from handful.bots.table import ask, tell
from handful.errors import RulesError, UnknownNameError
from handful.hanabi.actions import Action, HintSuit, HintValue, action_index
from handful.hanabi.deal import Deal
from handful.hanabi.state import State
from handful.splitmix import BOT_STREAM, SplitMix64

try:
    import resource
except ImportError:  # a system without such limits: there the server's patience is the only one
    resource = None  # type: ignore[assignment]

MOVE_SECONDS = 5  # of a core, for one choice of a bot
SEAT_SECONDS = 600  # of a core, until bots have sat down: the largest needs two minutes to be compiled
ALIVE_SECONDS = 10.0  # after which it is said once more that bots are sitting down
MAX_TABLES = 200  # whose bots are kept here; the others follow their game anew
LENGTH = struct.Struct("<I")
CHOOSE = -1  # what is asked: a choice of the bot to move; otherwise the number of a seat that wants advice

Message: TypeAlias = tuple[Any, ...]


class Seats(Protocol):
    """The bots of a table, whatever is played at it: made of the deal, the names of bots by seat, and a seed."""

    def follows(self, history: Sequence[Any]) -> bool:
        """Whether a game that went like this goes on from what these bots have seen."""

    def step(self, history: Sequence[Any]) -> Any:
        """Let a bot choose once, and return what it does; None if that was on a turn that is past."""

    def advise(self, history: Sequence[Any], seat: int) -> Any:
        """Return what is said to who sits in a seat after this history."""


SEATS = {"hanabi": "handful.web.bot_process:BotSeats", "gin": "handful.web.gin_seats:GinSeats"}


def seats_of(game: str, deal: Any, bots: Sequence[str], chance: int) -> Seats:
    """Return the bots of a table at which a game is played."""
    module, _, name = SEATS[game].partition(":")
    made: Seats = getattr(import_module(module), name)(deal, bots, chance)
    return made


class BotSeats:
    """The bots of one table: they follow the game from its first turn, and say what they do when it is their turn.

    They live at a table of their own, a copy that is played along. So they may think as long as they like while people
    look at the real one; and after a restart they come to know again what they knew, by going through the game once
    more.
    """

    def __init__(self, deal: Deal, bots: Sequence[str], chance: int) -> None:
        """Seat bots by their names, an empty one for a person; `chance` is the seed of their own chance."""
        self._state, self._names = State(deal), tuple(bots)
        self._bots: list[Bot | None] = [
            player_named(name).plain(deal.rules, seat, SplitMix64(chance, BOT_STREAM, 0, 0, seat)) if name else None
            for seat, name in enumerate(bots)
        ]

    def follows(self, history: Sequence[Action]) -> bool:
        """Whether a game that went like this goes on from what these bots have seen."""
        seen = [turn.action for turn in self._state.history]
        return seen == list(history[: len(seen)])

    def choose(self, history: Sequence[Action]) -> Action:
        """Return what the bot to move does after this history, which goes on from the one of the last call."""
        while (chosen := self.step(history)) is None:
            pass
        return chosen

    def step(self, history: Sequence[Action]) -> Action | None:
        """Let a bot choose once, and return what it does; None if that was on a turn that is past.

        On its own past turns a bot chooses again: that is how it comes to have used the same chance.
        """
        past = len(self._state.history)
        while past < len(history) and self._bots[self._state.current] is None:
            self._take(history[past])
            past += 1
        chosen = self._choice()
        self._take(history[past] if past < len(history) else chosen)
        return None if past < len(history) else chosen

    def advise(self, history: Sequence[Action], seat: int) -> Any:
        """Return what turns mean to who sits in a seat: see `read_turns`. Nobody is told what to do."""
        if not any(map(is_readable, self._names)):
            raise RulesError("no bot at this table keeps to conventions that can be read: partner does")
        return read_turns(self._state.deal, level_of(self._names), seat, history)

    def _take(self, action: Action) -> None:
        turn = self._state.act(action)
        tell(self._state, self._bots, turn)

    def _choice(self) -> Action:
        bot = self._bots[self._state.current]
        assert bot is not None, "a person is to move"
        chosen = ask(self._state, bot)
        if not self._state.is_legal(chosen):
            raise RulesError(f"the bot chose {chosen}, which is illegal on turn {self._state.turn_number}")
        return chosen


def is_readable(bot: str) -> bool:
    """Whether a bot keeps to conventions of which can be said, turn by turn, what they mean."""
    return bot.partition("(")[0] == "partner"


def level_of(bots: Sequence[str]) -> int:
    """Return the level of the conventions that are kept at a table: the highest of its bots."""
    return max(int(dict(player_named(bot).settings).get("level", 3)) for bot in bots if is_readable(bot))


def read_turns(deal: Deal, level: int, seat: int, history: Sequence[Action]) -> dict[str, Any]:
    """Return what turns mean to a seat by the conventions of `partner`, and what its hints would mean now.

    "turns": sentences, a list for each turn; "hints": sentences by the number of the action, if the seat is to move.
    {0} stands for the name of the first player, and so on. They are made from the views of the seat alone, so that
    nothing can be in them that the player must not know.
    """
    from handful.bots.partner.words import PartnerExplainer

    names = [f"{{{other}}}" for other in range(deal.rules.players)]
    state, explainer, turns = State(deal), PartnerExplainer(deal.rules, names, level), []
    for action in history:
        turn = state.act(action)
        turns.append(explainer.explain_view(state.view(seat), turn))
    view, hints = state.view(seat), {}
    if not state.is_over and state.current == seat:
        for action in view.legal_actions():
            if isinstance(action, HintSuit | HintValue):
                reading = explainer.preview(view, action)
                hints[action_index(deal.rules, seat, action)] = list(reading.sentences)
    return {"turns": turns, "hints": hints}


class Allowance:
    """What a choice may take of a core: the system ends the process that takes more."""

    def __init__(self, seconds: float, on_compiling: Callable[[], None]) -> None:
        self._seconds, self._left, self._since = seconds, seconds, 0.0
        self._on_compiling, self._depth, self._has_listener = on_compiling, 0, False
        self._is_on = False

    def __enter__(self) -> None:
        self._excuse_compilation()
        self._left, self._is_on, self._depth = self._seconds, True, 0
        self._go_on()

    def __exit__(self, *_error: object) -> None:
        self._is_on = False
        _limit_cpu(None)

    def _go_on(self) -> None:
        self._since = time.process_time()
        _limit_cpu(self._since + self._left)

    def _excuse_compilation(self) -> None:
        """Stop the clock while something is compiled. Bots that need no compiler do not load one for this."""
        if self._has_listener or "numba" not in sys.modules:
            return
        from numba.core import event

        allowance = self

        class Excuse(event.Listener):  # type: ignore[misc]  # numba has no types
            def on_start(self, _event: event.Event) -> None:
                allowance._depth += 1
                if allowance._is_on and allowance._depth == 1:
                    allowance._left -= time.process_time() - allowance._since
                    _limit_cpu(None)
                allowance._on_compiling()

            def on_end(self, _event: event.Event) -> None:
                allowance._depth -= 1
                if allowance._is_on and allowance._depth == 0:
                    allowance._go_on()

        event.register("numba:compile", Excuse())
        self._has_listener = True


def _limit_cpu(seconds: float | None) -> None:
    """Let the system end this process when it has used so many seconds of a core in all; None: never."""
    if resource is not None:
        _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
        # Whole seconds only; a second more, so that nobody gets less than was said.
        resource.setrlimit(resource.RLIMIT_CPU, (hard if seconds is None else int(seconds) + 1, hard))


def send(out: IO[bytes], message: Message) -> None:
    """Write a message, after its length."""
    data = pickle.dumps(message)
    out.write(LENGTH.pack(len(data)) + data)
    out.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Read a message; None if there is none any more."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    message: Message = pickle.loads(stream.read(*LENGTH.unpack(head)))
    return message


@contextmanager
def alive(out: IO[bytes], every: float = ALIVE_SECONDS) -> Iterator[None]:
    """Say from time to time that something is compiled, while bots sit down: nobody shall give them up for lost."""
    is_done = Event()

    def tell_it() -> None:
        while not is_done.wait(every):
            send(out, ("compiling",))

    teller = Thread(target=tell_it)
    _limit_cpu(time.process_time() + SEAT_SECONDS)
    teller.start()
    try:
        yield
    finally:
        is_done.set()
        teller.join()
        _limit_cpu(None)


def main(move_seconds: float = MOVE_SECONDS) -> None:
    """Choose for the tables that standard input tells of, until there is nobody who asks."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what bots print must not get between the messages
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # who takes too long leaves no picture of the memory behind
    allowance = Allowance(move_seconds, lambda: send(out, ("compiling",)))
    tables: OrderedDict[tuple[str, int], Seats] = OrderedDict()
    while (message := receive(sys.stdin.buffer)) is not None:
        number, deal, bots, chance, history, what = message
        # After an error bots may know half of a turn, and after one of the table they are ahead of it: then they follow
        # the game anew.
        seats = tables.pop(number, None)
        try:
            if seats is None or not seats.follows(history):
                with alive(out):
                    seats = seats_of(number[0], deal, bots, chance)
                send(out, ("seated",))
            with allowance:
                chosen = seats.step(history) if what == CHOOSE else seats.advise(history, what)
        except (RulesError, UnknownNameError) as error:
            send(out, ("failed", str(error)))
        except Exception:
            # A bot is anybody's code, and may raise anything. What it says can name cards that people must not see.
            traceback.print_exc()
            send(out, ("failed", "something went wrong in the bot; it was noted in the server's window"))
        else:
            tables[number] = seats
            if len(tables) > MAX_TABLES:
                tables.popitem(last=False)
            send(out, ("chose", chosen))


if __name__ == "__main__":
    main()
