"""What must hold for whatever somebody types or puts into a file.

It is answered, or refused in one line of at most 300 characters with exit code 2. No number is taken to memory or to
work before it is checked, so that two gigabytes are enough for all of it. Nothing that was given is dropped in silence.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from handful.bots.players import player_named
from handful.errors import MOST_QUOTED, HandfulError, NotationError, shown
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.state import State
from handful.hanabi.variants import Variant, variant_named
from handful.lab.games import Chunk, Chunks, chunks_of, make_plan
from handful.lab.running import work_through
from handful.playability.deals.solve import desk_for, solve
from handful.playability.solitaire.files import Cnf, read_solitaire
from handful.playability.solitaire.three_sat import most_cards, reduce_formula
from tests.hostile.generators import LONGEST

ROOT = Path(__file__).parents[2]


def in_little_memory(*words: str, given: str = "") -> Any:
    """Return what a module of these tests prints as JSON, in a process with two gigabytes."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


# Malformed texts of every kind that is read: seeded, so that what fails can be had again.


def test_what_is_malformed_is_refused_in_one_line() -> None:
    summary = in_little_memory("tests.hostile.generators", "1", "2000")
    assert summary["refused"] > 1500, "most of them are malformed indeed"


@pytest.mark.full
def test_what_is_malformed_is_refused_in_one_line_a_hundred_thousand_times() -> None:
    assert in_little_memory("tests.hostile.generators", "2", "100000")["refused"] > 75_000


# Command lines: every one of these is refused at once, whatever it would have cost.

HUGE = "9" * 5000
REFUSED = [
    *(("count", HUGE), ("count", *["0"] * 3000), ("count", "400", "400"), ("count", "-5"), ("count",)),
    ("sequences", "--hand", "2", "--suits", "1000000000", "3", "2"),
    ("sequences", "--hand", "999999999", "3", "2"),
    ("sequences", "--hand", "2", "--sample", "99999999999999999", "3", "2"),
    ("sequences", "--hand", "5", "--suits", "5", "3", "2", "2", "2", "1"),
    ("sequences", "--hand", "2", "--sequence", "9" * 400),
    *(("simulate", "--games", games) for games in ("10000000000000000", "0", "-1", HUGE, "1e9", "nan")),
    ("simulate", "--games", "1000000000", "--repeat", "1000000000"),
    ("simulate", "--workers", "99999999"),
    *(("simulate", "--seed", seed) for seed in ("1/5", "1/0", "-1", HUGE, "9" * 20, "x" * 5000, "p9v0s1")),
    *(("results", option, number) for option in ("--seed", "--players") for number in ("9" * 25, HUGE)),
    ("rummy", "play", "greedy", "--most-turns", "10000000000000000000000000"),
    ("rummy", "play", "greedy", "--most-turns", "9223372036854775807"),
    ("rummy", "play", "greedy", "--games", "999999999999999999"),
    *(("rummy", "play", policy) for policy in ("{x}", "[red]", "x" * 5000)),
    ("winnable", "--deals", "999999999999999999"),
    ("dataset", "--bot", "random", "--out", "d{x}", "--games", "99999999999999999"),
    ("dataset", "--bot", "random", "--out", "d", "--shard-games", "999999999"),
    ("tune", "--objective", "{x}", "--store", "{store}"),
    ("simulate", "--bot", "rules(hint=1, hint=2)"),
    ("simulate", "--rules", "bonus_hint=yes, bonus_hint=no"),
    *(("simulate", "--bot", bot) for bot in ("x" * 5000, "rules(" + "hint=" * 900 + ")", "\x1b[2J", "{0}", "rules(")),
    ("watch", "--bot", "random", "--bot", "random", "--bot", "random", "--players", "2"),
    ("play", "--players", "1", "--bot", "random", "--bot", "random"),
    ("watch", "--variant", "Custom (26 suits, copies 1000" + " 1000" * 50 + ")"),
    ("watch", "--variant", "x" * 5000),
    ("solve", "x" * 5000),
    ("analyse", "https://hanab.live/replay-json/" + "a" * 100_000),
    *(("solitaire", "solve", "{" + name + "}") for name in ("suits", "values", "hand", "twice", "brackets")),
    ("solitaire", "reduce", "{formula}", "--copies", "999999999"),
    ("solitaire", "reduce", "{formula}", "--hand", "999999999"),
    ("solitaire", "reduce", "{large}"),
    *(("sweep", "{" + name + "}") for name in ("number", "deep", "games")),
]
FILES = {
    "suits": "hand=1 suits=9999999999 r1",
    "values": "hand=1 values=9999999999 r1",
    "hand": "hand=9999999 r1",
    "twice": "hand=1 hand=2 r1",
    "brackets": "[" * 100_000,
    "formula": "p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n",
    "large": "p cnf 20000 20000\n" + "1 2 3 0\n" * 20_000,
    "number": "games = 1" + "0" * 5000,
    "deep": "grid = " + "[" * 5000,
    "games": 'bot = "rules"\ngames = 100000000000000000000\n[grid]\nhint = [2, 3]\n',
}


def test_every_command_line_that_cannot_be_meant_is_refused_in_one_line(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    places = {**{name: str(tmp_path / name) for name in FILES}, "store": str(tmp_path / "store.sqlite")}
    lines = [[places.get(word.strip("{}"), word) if word[:1] == "{" else word for word in words] for words in REFUSED]
    came = in_little_memory("tests.hostile.command_lines", given=json.dumps(lines))
    wrong = {}
    for words, (code, out, err) in zip(REFUSED, came, strict=True):
        is_line = err.startswith("handful: ") and err.count("\n") == 1 and len(err) <= LONGEST + 1
        if code != 2 or out or not is_line:
            wrong[str(words)[:80]] = (code, out[:200], err[:600])
    assert not wrong


def test_suits_without_cards_cost_nothing() -> None:
    """Thirty bytes that once asked for a name for each of a billion suits."""
    assert read_solitaire("hand=1 suits=999999999 r1").suit_text(999_999_999) == "s999999999:"
    assert read_solitaire("hand=1 suits=3 r1 y1").card_text((2, 3)) == "s3:2"


def test_the_size_of_a_reduction_is_known_before_it_is_made() -> None:
    clauses = ((1, -2, 3), (1, 2, -3), (), (2,), (-1, 2), (3, 3, 3), (-1, -2, -3))
    for number in range(len(clauses) + 1):
        for hand in (1, 2, 3, 6):
            for copies in (2, 3, 5):
                formula = Cnf(3, clauses[:number])
                assert len(reduce_formula(formula, hand, copies).game.sequence) <= most_cards(formula, hand, copies)


def test_a_deck_has_a_bound() -> None:
    assert Variant.custom(10, values=1000).num_cards == 20_000
    with pytest.raises(HandfulError, match="expected at most 100,000"):
        variant_named("Custom (26 suits, copies 1000 1000 1000 1000)")


# Braces and brackets are letters like others, also where a progress bar is drawn.


@pytest.mark.parametrize(
    "words",
    [("rummy", "play", "{x}"), ("rummy", "play", "greedy", "--games", "50"), ("tune", "--objective", "{x}")],
)
def test_braces_are_letters_on_a_terminal(words: Sequence[str], tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "{x}.sqlite")] if words[0] == "tune" else []
    controller, terminal = pty.openpty()
    try:
        command = subprocess.Popen(
            [sys.executable, "-m", "handful", *words, *store],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=terminal,
            cwd=ROOT,
        )
        os.close(terminal)
        told = _all_of(controller)  # while it runs: a terminal that nobody reads holds a few kilobytes, then it waits
        command.wait()
    finally:
        os.close(controller)
    assert command.returncode == (2 if "{x}" in words else 0)
    assert "Traceback" not in told


def _all_of(controller: int) -> str:
    parts = []
    try:
        while part := os.read(controller, 65536):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    return b"".join(parts).decode(errors="replace")


# Given twice, or too much of: refused, not left out.


@pytest.mark.parametrize(
    "read",
    [
        lambda: player_named("rules(hint=1, hint=2)"),
        lambda: player_named("rules(hint=1, omega_p=0.5, hint=1)"),
        lambda: rules_from_text("max_hints=7, max_hints=7", 2),
        lambda: rules_from_text("thesis, bonus_hint, bonus_hint=no", 2),
        lambda: read_solitaire("hand=1 hand=1 r1"),
    ],
)
def test_what_is_given_twice_is_refused(read: Callable[[], object]) -> None:
    with pytest.raises(NotationError, match="given twice"):
        read()


# What is quoted is cut; what was expected is still said.


def test_a_quotation_is_short_and_printable() -> None:
    for value in ("x" * 10_000, "\n" * 10_000, 10**9999, list(range(10_000)), {"a": "b" * 999}, "\x1b", b"x" * 999):
        assert len(shown(value)) <= MOST_QUOTED + 1
        assert shown(value).isprintable()


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    message = str(HandfulError("the file " + "x" * 5000 + "\ncannot be read: expected a shorter name"))
    assert message.startswith("the file xxx")
    assert message.endswith("expected a shorter name")
    assert len(message) <= LONGEST - len("handful: ")


# Chunks are made one by one, and only as many as are under way.


def test_a_run_of_any_length_begins_at_once() -> None:
    plan = make_plan("random")
    chunks = chunks_of(plan, 10**12)
    assert len(chunks) == 10**12 // 2000
    assert Chunk(2000 * 10**8, 2000) in chunks
    asked = []

    def counted() -> Any:
        for chunk in chunks:
            asked.append(chunk)
            yield chunk

    work = work_through(lambda _plan, chunk: chunk.first, plan, counted(), workers=2)
    assert {next(work)[1] for _ in range(10)} <= {chunk.first for chunk in asked}
    assert len(asked) < 30
    work.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("total", "size"), [(1, 1), (5, 3), (6, 3), (2, 7), (0, 4)])
def test_chunks_know_their_members(total: int, size: int) -> None:
    chunks = Chunks(total, size)
    listed = list(chunks)
    assert sum(chunk.count for chunk in listed) == total
    assert len(listed) == len(chunks)
    every = {Chunk(first, count) for first in range(9) for count in range(9)}
    assert {chunk for chunk in every if chunk in chunks} == set(listed)


# A time limit is kept by every stage: searches in kernels, which have no clock, and formulas that are not yet made.


def test_a_search_ends_when_its_time_is_over() -> None:
    from handful.playability.deals.kernels.stages import UNDECIDED, decide_game

    rules = Rules(variant_named("Black (6 Suits)"), 2)
    deal = Deal.from_seed(rules, 0, 165)  # the free game of this one takes half a second
    assert solve(deal, time_limit=60).winnable is False
    in_no_time = solve(deal, time_limit=0.001)
    assert in_no_time.winnable is None
    assert in_no_time.reason == "not decided in the time given"
    desk = desk_for(rules)
    desk.lay(State(deal))
    with desk.stopped_after(0.0):
        assert decide_game(desk.work, desk.rulebooks, desk.stages, desk.positions) == UNDECIDED
    assert not desk.work.beams.stop[0], "the next search is not stopped"
