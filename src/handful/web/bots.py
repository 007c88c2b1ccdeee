"""The bots at tables think in a few processes of their own, which can be ended: nobody's bot holds up anybody else's.

A table has its process for good, for there its bots have followed the game. Tables take turns, one choice at a time:
next is whose bots have used least so far. A choice that takes too long ends the process (the next one begins anew, and
the other tables' bots follow their games once more), and the table that asked for it is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Hashable, Sequence
from typing import Any

from handful.errors import HandfulError
from handful.web.bot_process import CHOOSE, LENGTH, MOVE_SECONDS, Message
from handful.web.seat_store import AnySetup

NUM_PROCESSES = 2
# By the clock, since the process was last heard of: for bots that wait instead of thinking, and for systems that do not
# count what a process uses. Much longer than a choice may take, as the machine may have more to do.
SILENT_SECONDS = 120.0
CREDIT = 10.0
MODULE = "handful.web.bot_process"


class TookTooLongError(HandfulError):
    """A bot used more of the machine for a choice than bots at tables may."""


class EndedError(HandfulError):
    """The process of a bot has ended by itself, or somebody has ended it."""


class FairTurns:
    """Who comes next of those that wait: whoever has used least.

    Fair queueing by start times: who comes (back) begins at most `CREDIT` seconds behind whoever was served last. So a
    table with quick bots waits for the one choice that is being made, and not for all tables with slow ones; but nobody
    saves up turns by staying away, and nobody pays for what was used long ago.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, asyncio.Future[None]] = {}  # in the order in which they came
        self._used: dict[Hashable, float] = {}
        self._level = 0.0
        self._is_taken = False

    async def take(self, number: Hashable) -> None:
        """Wait for the turn of a table."""
        assert number not in self._waiting
        self._used[number] = max(self._used.get(number, 0.0), self._level - CREDIT)
        turn = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(number, 0.0)
            raise
        finally:
            self._waiting.pop(number, None)

    def give_back(self, number: Hashable, used: float) -> None:
        """Let the next one have its turn; this one has used so much."""
        self._is_taken = False
        self._used[number] += used
        self._next()

    def _next(self) -> None:
        waiting = [number for number, turn in self._waiting.items() if not turn.done()]
        if self._is_taken or not waiting:
            return
        number = min(waiting, key=self._used.__getitem__)
        self._level = max(self._level, self._used[number])
        # Of whoever would come back with the whole credit, nothing has to be remembered.
        lowest = min(self._level - CREDIT, self._used[number])
        self._used = {each: used for each, used in self._used.items() if used >= lowest}
        self._is_taken = True
        self._waiting[number].set_result(None)


class BotProcess:
    """One process in which bots think, started when it is needed, and again after it was ended."""

    def __init__(self, module: str) -> None:
        self.turns = FairTurns()
        self._module = module
        self._process: Process | None = None

    async def ask(self, message: Message) -> Any:
        """Return what a bot chose or said; None if that was on a past turn. Who is interrupted leaves no process."""
        try:
            return await self._ask(message)
        except EndedError:  # perhaps it had ended before: who asks next does not suffer from that
            return await self._ask(message)

    async def _ask(self, message: Message) -> Any:
        try:
            if self._process is None:
                # A session of its own: Ctrl-C is meant for the server, which ends it.
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", self._module, stdin=PIPE, stdout=PIPE, start_new_session=True
                )
            return await self._answer(self._process, message)
        except (TookTooLongError, OSError, EOFError, asyncio.CancelledError) as error:
            status = await self.end()
            if isinstance(error, TookTooLongError | asyncio.CancelledError):
                raise
            if status == -getattr(signal, "SIGXCPU", 0):
                raise TookTooLongError(TOO_LONG) from None
            raise EndedError("its process ended, there may be too little memory") from None

    async def _answer(self, process: Process, message: Message) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        data = pickle.dumps(message)
        process.stdin.write(LENGTH.pack(len(data)) + data)
        while True:
            try:
                async with asyncio.timeout(SILENT_SECONDS):
                    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                    what, *values = pickle.loads(await process.stdout.readexactly(length))
            except TimeoutError:
                raise TookTooLongError(TOO_LONG) from None
            if what == "failed":
                raise HandfulError(values[0])
            if what == "chose":
                return values[0]

    def kill(self) -> None:
        """End the process now, from any thread; it may hold a choice that nobody waits for any more."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    async def end(self) -> int | None:
        """End the process, and return how it ended."""
        process = self._process
        if process is None:
            return None
        self.kill()
        status = await process.wait()
        if process.stdin is not None:
            process.stdin.close()
        self._process = None
        return status


TOO_LONG = f"a choice took more than {MOVE_SECONDS} seconds of computing: at tables bots may not think longer"


class Bots:
    """The bots of all tables."""

    def __init__(self, num_processes: int = NUM_PROCESSES, module: str = MODULE) -> None:
        self._processes = [BotProcess(module) for _ in range(num_processes)]

    async def choose(self, number: int, setup: AnySetup[Any], history: Sequence[Any]) -> Any:
        """Return what the bot to move does at a table after this history."""
        return await self._ask(number, setup, history, CHOOSE)

    async def advise(self, number: int, setup: AnySetup[Any], history: Sequence[Any], seat: int) -> Any:
        """Return what is said to a person in a seat of a table after this history."""
        return await self._ask(number, setup, history, seat)

    async def _ask(self, number: int, setup: AnySetup[Any], history: Sequence[Any], what: int) -> Any:
        process = self._processes[number % len(self._processes)]
        message = ((setup.game, number), setup.deal, setup.bots, setup.chance, list(history), what)
        who = (setup.game, number, what)
        said = None
        while said is None:  # each choice on a past turn is a turn of its own
            await process.turns.take(who)
            begun = time.monotonic()
            try:
                said = await process.ask(message)
            finally:
                process.turns.give_back(who, time.monotonic() - begun)
        return said

    def kill(self) -> None:
        """End all processes now, from any thread."""
        for process in self._processes:
            process.kill()

    async def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            await process.end()
