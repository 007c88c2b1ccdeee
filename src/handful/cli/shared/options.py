"""The options that commands share, and what their words stand for: rules, deals, players at their seats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from handful.errors import NotationError, RulesError

if TYPE_CHECKING:
    from handful.bots.players import Player
    from handful.hanabi.deal import Deal
    from handful.hanabi.rules import Rules

DEFAULT_PLAYERS = 2
DEFAULT_BOTS = ["random"]
TIME_LIMIT = 60.0


def whole_number(text: str | int) -> int:
    """Return the number that an option is given, or refuse it by name."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number") from None


def positive_number(text: str | int) -> int:
    """Return a number of at least 1 that an option is given, or refuse it by name."""
    number = whole_number(text)
    if number < 1:
        raise typer.BadParameter(f"{number} is too small: expected at least 1")
    return number


def seconds_number(text: str | float) -> float:
    """Return the seconds that an option is given, or refuse them by name."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise typer.BadParameter(f"{str(text)!r} is not a time: expected a number of seconds, at least 0")
    return seconds


PlayersOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        parser=whole_number,
        metavar="P",
        help="How many play, 1 to 6.  [default: 2]",
        show_default=False,
    ),
]
VariantOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="V",
        help="A name that `handful variants` lists.  [default: No Variant]",
        show_default=False,
    ),
]
RulesOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--rules", metavar="TEXT", help="A preset (hanab-live, thesis), options, or both: 'thesis, bonus_hint=yes'."
    ),
]
SeedOption: TypeAlias = Annotated[
    str, typer.Option("--seed", "-s", metavar="S", help="A number, or a seed of hanab.live such as p4v0s415.")
]
GameOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--game", parser=whole_number, metavar="I", help="Which game of the seed, from 0.", show_default=False
    ),
]
BotOption: TypeAlias = Annotated[
    list[str],
    typer.Option("--bot", "-b", metavar="NAME", help="A name that `handful bots` lists; repeat it, one for each seat."),
]
RecordOption: TypeAlias = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Write the game to this file, as hanab.live's JSON.")
]
GamesOption: TypeAlias = Annotated[
    int, typer.Option("--games", "-n", parser=positive_number, metavar="G", help="How many games.")
]
WorkersOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        parser=positive_number,
        metavar="W",
        help="How many cores.  [default: all]",
        show_default=False,
    ),
]
RepeatOption: TypeAlias = Annotated[
    int,
    typer.Option(
        "--repeat", parser=positive_number, metavar="R", help="Play each deal so many times, with other bot chance."
    ),
]
TimeLimitOption: TypeAlias = Annotated[
    float, typer.Option("--time-limit", parser=seconds_number, metavar="T", help="Seconds for each position.")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


class Seed(NamedTuple):
    """A seed as it was given: one of ours (a number, and which of its games) or, with `live`, one of hanab.live."""

    number: int
    game: int
    live: str | None = None


def parse_seed(text: str, game: int | None = None) -> Seed:
    """Return the seed of a text: ``7``, ``7/12`` (game 12 of seed 7) or ``p4v0s415``.

    >>> parse_seed("7/12")
    Seed(number=7, game=12, live=None)
    """
    number, slash, of_text = text.strip().partition("/")
    if _is_number(number) and (_is_number(of_text) or not slash):
        if slash and game is not None and game != int(of_text):
            raise NotationError(f"--seed {text.strip()} and --game {game} are different games: expected one of the two")
        chosen = int(of_text) if slash else game or 0
        if chosen < 0:
            raise NotationError(f"--game {chosen}: expected a number of at least 0")
        return Seed(int(number), chosen)
    from handful.hanabi.live.seeds import is_live_seed

    if not is_live_seed(text.strip()):
        raise NotationError(
            f"--seed {text!r}: expected a number of at least 0, or a seed of hanab.live such as p4v0s415"
        )
    if game is not None:
        raise NotationError(f"--game {game}: a seed of hanab.live ({text.strip()}) is a single game; leave out --game")
    return Seed(0, 0, text.strip())


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20


def rules_from(players: int | None, variant: str | None, rules_text: str = "", seed: str | None = None) -> Rules:
    """Return the rules that the options describe. A seed of hanab.live says how many play, and which variant.

    >>> rules_from(3, "6 suits", "thesis, bonus_hint=yes").max_score
    30
    """
    from handful.hanabi.rules import rules_from_text
    from handful.hanabi.variants import NO_VARIANT, variant_named

    named = None if variant is None else variant_named(variant)
    live = None if seed is None else parse_seed(seed).live
    if live is None:
        return rules_from_text(rules_text, DEFAULT_PLAYERS if players is None else players, named or NO_VARIANT)
    from handful.hanabi.live.seeds import parse_live_seed

    implied = parse_live_seed(live)
    if players is not None and players != implied.players:
        raise RulesError(f"--players {players} contradicts --seed {live}, a deal for {implied.players} players")
    if named is not None and named != implied.variant:
        raise RulesError(f"--variant {named.name!r} contradicts --seed {live}, a deal of {implied.variant.name!r}")
    return rules_from_text(rules_text, implied.players, implied.variant)


def deal_from(seed_text: str, rules: Rules, game: int | None = None) -> Deal:
    """Return the deal of a seed under these rules."""
    from handful.hanabi.deal import Deal

    seed = parse_seed(seed_text, game)
    if seed.live is None:
        return Deal.from_seed(rules, seed.number, seed.game)
    from handful.hanabi.live.seeds import deal_from_live_seed

    return deal_from_live_seed(seed.live, rules)


def seated(bots: Sequence[str], seats: int) -> list[Player]:
    """Return a player for each seat: one bot takes all of them, several take one each."""
    from handful.bots.players import player_named

    players = [player_named(bot) for bot in bots]
    if len(players) not in (1, seats):
        raise RulesError(f"{len(players)} bots for {seats} seats: expected one bot for all, or one for each seat")
    return players * seats if len(players) == 1 else players
