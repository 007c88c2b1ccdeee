"""A bot with settings that matter, for tests of sweeps and searches; and a way to stop a command in the middle of them.

Run as a module with the words of a command line, it runs that command with the bot in the register. If the first word
is ``--stop-after=chunks:3`` (or ``trials:3``), it says so and stands still once three of them are committed: to be
killed.
"""

from __future__ import annotations

import sys
from typing import Any

from handful.bots.players import REGISTER, BotEntry
from handful.bots.protocol import Bot, PlainMaker
from handful.bots.settings import Parameter
from handful.hanabi import Action, Discard, Play, View
from handful.lab.store import Store


def plain(nerve: float = 0.5, slots: int = 2, eye: str = "left", unused: int = 7) -> PlainMaker:
    class Bold(Bot):
        """Plays with probability `nerve`, otherwise discards or hints; plays one of its `slots` oldest or newest."""

        def choose(self, view: View) -> Action:
            legal = view.legal_actions()
            if self.chance.unit() < nerve:
                slot = self.chance.below(min(slots, len(view.my_hand)))
                return Play(slot if eye == "left" else len(view.my_hand) - 1 - slot)
            others = [action for action in legal if not isinstance(action, Play)]
            discards = [action for action in others if isinstance(action, Discard)]
            return self.chance.choice(discards or others)

    return Bold


ENTRY = BotEntry(
    "bold",
    "tests.lab.tunable",
    "for tests",
    "no source",
    (
        Parameter("nerve", 0.5, "how often it plays", 0.0, 1.0),
        Parameter("slots", 2, "from how many slots", 1, 4),
        Parameter("eye", "left", "from which side", choices=("left", "right")),
        Parameter("unused", 7, "nothing"),
    ),
)
KEEP = "strike_score=keep"


def stop_after(kind: str, count: int) -> None:
    """Let the store stand still once so many chunks or trials are committed."""
    name = {"chunks": "add", "trials": "add_trial"}[kind]
    commit = getattr(Store, name)
    committed = 0

    def commit_and_count(self: Store, *what: Any) -> None:
        nonlocal committed
        commit(self, *what)
        committed += 1
        if committed == count:
            print("committed", flush=True)
            sys.stdin.read()  # until the test kills this process, or is itself no more

    setattr(Store, name, commit_and_count)


if __name__ == "__main__":
    REGISTER["bold"] = ENTRY
    if sys.argv[1].startswith("--stop-after="):
        kind, count = sys.argv.pop(1).partition("=")[2].split(":")
        stop_after(kind, int(count))
    from handful.cli.main import run

    run()
