"""Malformed inputs without end, from a seed: texts that were right once, and files that were whole.

``python -m tests.hostile.generators SEED COUNT`` reads so many inputs with two gigabytes of memory, and prints what
came of them. Input i of a seed is always the same: what fails is named by its seed, number and kind.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import typer

from handful.errors import HandfulError

MEMORY = 2 << 30  # bytes
LONGEST = 300  # characters of a complaint, the name of the program included

RECORD = (Path(__file__).parents[1] / "hanabi" / "data" / "real_game.json").read_text()
LINK = "https://hanab.live/replay-json/215txrdkrpalnbqlubap-hiainvwudogufjfmewgp-mhsfcsckqkxyv,02dedh-dkdilbdgem,0"
SWEEP = """bot = "rules"
players = [2, 3]
games = 20
seed = 1
[grid]
omega_p = [0.4, 0.5]
hint = [2, 3]
[plot]
x = "hint"
"""
SOLITAIRE = "hand=2 values=3 suits=2 copies=2 r1 r2 y1 r3 y2 r1 y3 y3 # the end"
SOLITAIRE_JSON = '{"hand": 1, "values": 2, "suits": 1, "sequence": [[2, 1], [1, 1]], "formula": null}'
DIMACS = "c a formula\np cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"
RULES = "thesis, bonus_hint=yes, hand_size=4, max_hints=7, max_strikes=none, end_of_deck=never, strike_score=keep"

# What numbers and texts are exchanged for: too large, not a number, not a text, the end of something.
NUMBERS = (
    "0",
    "-1",
    "999999999",
    "4294967296",
    "9223372036854775808",
    "1e999",
    "nan",
    "1" * 5000,
    "0x10",
    "٣",
    "1_0",
    "",
)
PIECES = (
    *("[" * 5000, "{" * 300, '"', "'", "\\", "\x00", "\x1b[2J", "\n", "\r", "\u2028", "{x}", "[red]", "%s", "é", "🂡"),
    *("=", ",", ",,", ":", "/", "#", "(", ")", "null", "true", "NaN", "-" * 200, "a" * 4000, "\udc80", "\t", " "),
)


def damaged_text(random: Random, text: str) -> str:
    """Return a text that was right, with one to four things done to it."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 2, 5, 50)))
        match random.randrange(6):
            case 0:  # cut out
                text = text[:start] + text[end:]
            case 1:  # put in
                text = text[:start] + random.choice(PIECES) + text[start:]
            case 2:  # exchange
                text = text[:start] + random.choice(PIECES + NUMBERS) + text[end:]
            case 3:  # say twice
                text = text[:end] + text[start:]
            case 4:  # exchange a number
                text = _with_other_number(random, text)
            case 5:  # another character
                text = text[:start] + chr(random.randrange(32, 127)) + text[start + 1 :]
    return text


def _with_other_number(random: Random, text: str) -> str:
    places = [place for place, character in enumerate(text) if character.isdigit()]
    if not places:
        return text
    start = random.choice(places)
    end = start
    while end < len(text) and text[end].isdigit():
        end += 1
    return text[:start] + random.choice(NUMBERS) + text[end:]


def damaged_bytes(random: Random, data: bytes) -> bytes:
    """Return the bytes of a file that was whole: cut, with bits flipped, or with zeros in it; never as they were."""
    changed = bytearray(data)
    match random.randrange(5):
        case 0:
            changed = changed[: random.randrange(len(data))]
        case 1:
            changed = bytearray()
        case 2:
            start = random.randrange(len(data))
            changed[start : start + random.choice((1, 16, 512))] = bytes(random.choice((1, 16, 512)))
        case _:
            for _ in range(random.choice((1, 1, 1, 8))):
                changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed) if bytes(changed) != data else data[:-1]


def readers(folder: Path) -> dict[str, tuple[list[str], Callable[[str], object]]]:
    """Return for each kind of input some that are right, and what reads it."""
    from handful.bots.players import player_named
    from handful.cli.shared.options import parse_seed, seconds_number, whole_number
    from handful.hanabi.cards import parse_cards
    from handful.hanabi.deal import Deal
    from handful.hanabi.live.links import record_from_link
    from handful.hanabi.live.records import read_record
    from handful.hanabi.live.seeds import parse_live_seed
    from handful.hanabi.notation import parse_action
    from handful.hanabi.rules import Rules, rules_from_text
    from handful.hanabi.variants import NO_VARIANT, variant_named
    from handful.lab.tuning.sweep import read_sweep
    from handful.playability.sequences.counting import count
    from handful.playability.solitaire.files import read_dimacs, read_document
    from handful.playability.solitaire.three_sat import reduce_formula, reduction_in
    from handful.rummy.cards import parse_cards as parse_rummy_cards
    from handful.rummy.policies import policy_named

    def solitaire(text: str) -> object:
        game, document = read_document(text.encode(errors="surrogateescape"))
        return reduction_in(document, game), game.card_text(game.sequence[0])

    def sweep(text: str) -> object:
        path = folder / "sweep.toml"
        path.write_bytes(text.encode(errors="surrogateescape"))
        return read_sweep(path)

    return {
        "record": ([RECORD], lambda text: read_record(text.encode(errors="surrogateescape"))),
        "link": ([LINK], record_from_link),
        "seed": (["p4v0s415", "7", "7/12"], parse_seed),
        "live seed": (["p4v0s415"], parse_live_seed),
        "rules": ([RULES, "hanab-live"], lambda text: Deal.from_seed(rules_from_text(text, 2), 0)),
        "variant": (["Custom (2 suits, copies 3 2 1)", "6 Suits"], lambda text: variant_named(text).copies),
        "bot": (["rules(omega_p=0.6, hint=3, reading=text)", "hat", "montecarlo"], player_named),
        "cards": (["r1 y2 g3 b4 p5"], lambda text: parse_cards(NO_VARIANT, text)),
        "action": (["hint Bob red", "play c", "discard a", "hint 2 3"], lambda text: parse_action(Rules(), 0, text)),
        "solitaire": ([SOLITAIRE, SOLITAIRE_JSON], solitaire),
        "formula": ([DIMACS], lambda text: reduce_formula(read_dimacs(text.encode(errors="surrogateescape")))),
        "sweep": ([SWEEP], sweep),
        "hand": (["AC 2D 3D 4H", "10S QH KD"], parse_rummy_cards),
        "policy": (["optimal(aces=low, tolerance=0.5)", "greedy"], policy_named),
        "copies": (["3 2 2 2 1"], lambda text: count(whole_number(word) for word in text.split())),
        "number": (["17"], whole_number),
        "seconds": (["2.5"], seconds_number),
    }


def read_all(seed: int, count: int) -> dict[str, Any]:
    """Read so many malformed inputs, all kinds in turn, and return how many were refused, and the slowest of all.

    Anything but an answer or a complaint of ours, on one line that is not too long, is raised.
    """
    with TemporaryDirectory() as folder:
        kinds = readers(Path(folder))
        names = list(kinds)
        refused: Counter[str] = Counter()
        slowest = (0.0, "")
        for number in range(count):
            random, name = Random(f"{seed}/{number}"), names[number % len(names)]
            right, read = kinds[name]
            given = damaged_text(random, random.choice(right))
            started = time.perf_counter()
            try:
                read(given)
            except (HandfulError, typer.BadParameter) as error:
                refused[name] += 1
                message = str(error)
                assert message.isprintable(), (seed, number, name, message)
                assert len(message) + len("handful: ") <= LONGEST, (seed, number, name, message)
            except BaseException:
                print(f"seed {seed}, input {number}, {name}: {given[:500]!r}", file=sys.stderr)
                raise
            slowest = max(slowest, (time.perf_counter() - started, f"{name} {number}"))
    return {"inputs": count, "refused": refused.total(), "by kind": refused, "slowest": slowest}


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(read_all(int(sys.argv[1]), int(sys.argv[2]))))
