"""The options that commands share, and what their words stand for: rules, deals, players at their seats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from handful.cli.shared.output import counted
from handful.errors import NotationError, RulesError, shown
from handful.hanabi.deal import Deal
from handful.hanabi.live.seeds import deal_from_live_seed, is_live_seed, parse_live_seed
from handful.hanabi.rules import MAX_PLAYERS, PRESETS, Rules, rules_from_text
from handful.hanabi.variants import NO_VARIANT, variant_named

if TYPE_CHECKING:
    from handful.bots.players import Player

DEFAULT_PLAYERS = 2
DEFAULT_BOTS = ["random"]
TIME_LIMIT = 60.0
LARGEST = 2**63 - 1  # what kernels, files and arrays can hold


def whole_number(text: str | int) -> int:
    """Return the number that an option is given, or refuse it by name."""
    try:
        number = int(text)
    except ValueError:  # also for thousands of digits
        raise typer.BadParameter(f"{shown(text)} is not a whole number") from None
    if not -LARGEST <= number <= LARGEST:
        raise typer.BadParameter(f"{shown(number)} is too large: expected at most {LARGEST}")
    return number


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
        raise typer.BadParameter(f"{shown(str(text))} is not a time: expected a number of seconds, at least 0")
    return seconds


def option(usage: str, meaning: str, parser: Callable[[Any], Any] | None = None, **settings: Any) -> Any:
    """Return what typer is told of an option. Its usage is its names and a word for its value: ``--games -n G``."""
    names = [word for word in usage.split() if word.startswith("-")]
    metavar = next((word for word in usage.split() if word not in names), None)
    return typer.Option(*names, parser=parser, metavar=metavar, help=meaning, **settings)


PlayersOption: TypeAlias = Annotated[
    int | None,
    option("--players -p P", f"How many play, 1 to {MAX_PLAYERS}.  [default: {DEFAULT_PLAYERS}]", whole_number),
]
VariantOption: TypeAlias = Annotated[
    str | None,
    option("--variant V", f"A name, a code or id:NUMBER: see `handful variants`.  [default: {NO_VARIANT.name}]"),
]
RulesOption: TypeAlias = Annotated[
    str, option("--rules TEXT", f"A preset ({', '.join(PRESETS)}), options, or both: 'thesis, bonus_hint=yes'.")
]
SeedOption: TypeAlias = Annotated[str, option("--seed -s S", "A number, or a seed of hanab.live such as p4v0s415.")]
GameOption: TypeAlias = Annotated[int | None, option("--game I", "Which game of the seed, from 0.", whole_number)]
BotOption: TypeAlias = Annotated[
    list[str], option("--bot -b NAME", "A name that `handful bots` lists; repeat it, one for each seat.")
]
RecordOption: TypeAlias = Annotated[
    Path | None, option("--record FILE", "Write the game to this file, as hanab.live's JSON.")
]
GamesOption: TypeAlias = Annotated[int, option("--games -n G", "How many games.", positive_number)]
WorkersOption: TypeAlias = Annotated[
    int | None, option("--workers -w W", "How many cores.  [default: all]", positive_number)
]
RepeatOption: TypeAlias = Annotated[
    int, option("--repeat R", "Play each deal so many times, with other bot chance.", positive_number)
]
TimeLimitOption: TypeAlias = Annotated[float, option("--time-limit T", "Seconds for each position.", seconds_number)]
StoreOption: TypeAlias = Annotated[
    Path | None, option("--store FILE", "Keep finished work in this file.  [default: the user's own]")
]
DaskOption: TypeAlias = Annotated[
    str | None, option("--dask ADDR", "Play on the Dask cluster at this address, or 'local'.")
]
JsonOption: TypeAlias = Annotated[bool, option("--json", "Print one JSON object and nothing else.")]


# What typer is told of the cards of one suit.
COPIES = typer.Argument(
    parser=whole_number, metavar="X1 X2 …", help="How many cards of value 1, of value 2, …", show_default=False
)


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
    if not is_live_seed(text.strip()):
        raise NotationError(
            f"--seed {shown(text)}: expected a number of at least 0, or a seed of hanab.live such as p4v0s415"
        )
    if game is not None:
        raise NotationError(f"--game {game}: a seed of hanab.live ({text.strip()}) is a single game; leave out --game")
    return Seed(0, 0, text.strip())


def parse_many(text: str, instead: str = "") -> int:
    """Return the number of a seed that stands for many deals; `instead` is what there is for a single one."""
    seed = parse_seed(text)
    if seed.live is not None or "/" in text:
        raise NotationError(f"--seed {text.strip()} is a single deal: expected a number{instead}")
    return seed.number


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20


def rules_from(players: int | None, variant: str | None, rules_text: str = "", seed: str | None = None) -> Rules:
    """Return the rules that the options describe. A seed of hanab.live says how many play, and which variant.

    >>> rules_from(3, "6 suits", "thesis, bonus_hint=yes").max_score
    30
    """
    named = None if variant is None else variant_named(variant)
    live = None if seed is None else parse_seed(seed).live
    if live is None:
        return rules_from_text(rules_text, DEFAULT_PLAYERS if players is None else players, named or NO_VARIANT)
    implied = parse_live_seed(live)
    if players is not None and players != implied.players:
        raise RulesError(f"--players {players} contradicts --seed {live}, a deal for {implied.players} players")
    if named is not None and named != implied.variant:
        raise RulesError(f"--variant {named.name!r} contradicts --seed {live}, a deal of {implied.variant.name!r}")
    return rules_from_text(rules_text, implied.players, implied.variant)


def deal_from(seed_text: str, rules: Rules, game: int | None = None) -> Deal:
    """Return the deal of a seed under these rules."""
    seed = parse_seed(seed_text, game)
    if seed.live is None:
        return Deal.from_seed(rules, seed.number, seed.game)
    return deal_from_live_seed(seed.live, rules)


def seated(bots: Sequence[str], seats: int) -> list[Player]:
    """Return a player for each seat: one bot takes all of them, several take one each."""
    from handful.bots.players import player_named

    players = [player_named(bot) for bot in bots]
    if len(players) not in (1, seats) or not seats:
        given = f"{counted(len(players), 'bot')} for {counted(seats, 'seat')}"
        raise RulesError(f"{given}: expected one bot for all, or one for each seat")
    return players * seats if len(players) == 1 else players
