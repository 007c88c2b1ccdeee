"""`handful deal` and `handful deals`: how hard a deal is, and which deals are worth playing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.fetching import OfflineOption, SiteOption, opened_site
from handful.cli.shared.options import (
    TIME_LIMIT,
    DaskOption,
    GameOption,
    JsonOption,
    PlayersOption,
    TimeLimitOption,
    VariantOption,
    WorkersOption,
    deal_from,
    option,
    positive_number,
    rules_from,
)
from handful.cli.shared.output import ANSWERS, PLAIN, console, counted, figures, listing, print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar
from handful.errors import NotationError, RulesError

if TYPE_CHECKING:
    from rich.console import Console

    from handful.hanabi.deal import Deal
    from handful.lab.difficulty.deal import Difficulty

MOST_DANGERS = 8
MOST_DEALS = 1_000_000


def deal(
    given: Annotated[
        str | None,
        typer.Argument(
            metavar="SEED|FILE|LINK|ID",
            help="A seed of hanab.live such as p3v0s2, a record, a link, the number of a game.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[str | None, option("--seed -s S", "A deal of our own: a number.")] = None,
    players: PlayersOption = None,
    game: GameOption = None,
    variant: VariantOption = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """How hard is this deal? Whether it can be won, what is dangerous in it, and what a panel of bots makes of it.

    The difficulty is the share of plays of the panel that do not win; its bots slip now and then, as people do. The
    percentile is the share of deals that are easier. Spare discards are those that may be made beyond what must be, if
    one player held all the cards. The exit code is 1 if the deal cannot be won.

    Example: handful deal p3v0s2

    Example: handful deal --seed 7 --players 4 --json
    """
    from handful.lab.difficulty.deal import difficulty_of

    if (given is None) == (seed is None):
        raise NotationError("expected one deal: a seed of hanab.live, a file, a link or a number, or --seed S")
    asked = _own_deal(seed, game, players, variant) if seed is not None else _deal_given(given or "", site, offline)
    prepare_kernels()
    found = difficulty_of(asked, time_limit)
    shown = given if given is not None else asked.seed
    print_json({"input": shown, **found.to_dict()}) if as_json else print_difficulty(console(), shown, found)
    if found.winnable is False:
        raise typer.Exit(1)


def _own_deal(seed: str, game: int | None, players: int | None, variant: str | None) -> Deal:
    return deal_from(seed, rules_from(players, variant, "", seed), game)


def _deal_given(given: str, site: str | None, offline: bool) -> Deal:
    from handful.hanabi.live.addresses import is_game_address
    from handful.hanabi.live.links import is_file, record_given
    from handful.hanabi.live.seeds import deal_from_live_seed, is_live_seed

    if is_live_seed(given.strip()):
        return deal_from_live_seed(given.strip())
    is_number = is_game_address(given) and not is_file(given)
    with opened_site(site, offline) if is_number else nullcontext() as opened:
        return record_given(given, opened).deal


def print_difficulty(out: Console, shown: str, found: Difficulty) -> None:
    """Print how hard a deal is."""
    percentile = "" if found.percentile is None else f", harder than {found.percentile:.0f} of 100 deals"
    rows = [
        ("winnable", f"{ANSWERS[found.winnable]}: {found.reason} ({found.method})"),
        ("difficulty", f"{found.difficulty:.1%}{percentile}"),
        ("spare discards", _spare_text(found)),
        *(
            (f"{each.bot}, slips {each.slip:.0%}", f"wins {each.share:.1%} of {each.plays} plays")
            for each in found.panel
        ),
    ]
    out.print(figures(f"{shown}: {found.variant}, {counted(found.players, 'player')}", rows))
    for danger in found.dangers[:MOST_DANGERS]:
        out.print(f"{danger.words}.", soft_wrap=True)
    if len(found.dangers) > MOST_DANGERS:
        out.print(f"and {len(found.dangers) - MOST_DANGERS} more dangerous cards (--json has them all)", style="dim")


def _spare_text(found: Difficulty) -> str:
    if found.spare is not None:
        return f"{found.spare} (pace {found.pace})"
    return "none: a card is lost" if found.winnable is False else "– (counted where cards are played as usual)"


def deals(
    players: PlayersOption = None,
    variant: VariantOption = None,
    count: Annotated[int, option("--deals -n N", "How many seeds to look at.", positive_number)] = 200,
    first: Annotated[int, option("--from N", "The first of the seeds.", positive_number)] = 1,
    winnable: Annotated[bool, option("--winnable", "Only deals that can be won.")] = False,
    unwinnable: Annotated[bool, option("--unwinnable", "Only deals that cannot be won.")] = False,
    hard: Annotated[int | None, option("--hard N", "The hardest so many.", positive_number)] = None,
    easy: Annotated[int | None, option("--easy N", "The easiest so many.", positive_number)] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find deals that are winnable, easy or hard, among the seeds of hanab.live from --from on.

    `!seed N` sets up a deal on hanab.live, for as many players and the variant that it is for; handful play --seed and
    the browser's tables take the whole seed. Without --hard or --easy all are listed, the hardest first.

    Example: handful deals --players 3 --winnable --hard 5

    Example: handful deals --players 2 --unwinnable --deals 500 --json
    """
    from handful.hanabi.live.seeds import deal_from_live_seed
    from handful.lab.difficulty.deal import all_difficulties

    if winnable and unwinnable:
        raise NotationError("--winnable beside --unwinnable: expected one of them")
    if hard is not None and easy is not None:
        raise NotationError("--hard beside --easy: expected one of them")
    if count > MOST_DEALS or first > MOST_DEALS:
        raise NotationError(f"--deals {count} --from {first}: expected at most {MOST_DEALS:,} of each")
    rules = rules_from(players, variant)
    if rules.variant.live_id is None or rules.players < 2:
        raise RulesError(f"{rules.variant.name}, {counted(rules.players, 'player')}: hanab.live has no seeds for it")
    prefix = f"p{rules.players}v{rules.variant.live_id}s"
    asked = [deal_from_live_seed(f"{prefix}{number}") for number in range(first, first + count)]
    prepare_kernels()
    with progress_bar(f"{rules.variant.name}, {rules.players} players", count, "deals") as advance:
        found = all_difficulties(
            asked, time_limit=time_limit, workers=workers, dask=dask, on_done=lambda done: advance(len(done))
        )
    wanted = {True} if winnable else {False} if unwinnable else {True, False, None}
    chosen = [each for each in found if each.winnable in wanted]
    chosen.sort(key=lambda each: each.order, reverse=easy is None)
    chosen = chosen[: hard or easy or len(chosen)]
    print_json([each.to_dict() for each in chosen]) if as_json else _print_deals(console(), chosen, count)


def _print_deals(out: Console, found: Sequence[Difficulty], looked_at: int) -> None:
    columns = ("seed", "winnable", ">difficulty", ">percentile", ">spare discards", "dangers")
    table = listing(columns, **PLAIN)
    for each in found:
        percentile = "–" if each.percentile is None else f"{each.percentile:.0f}"
        spare = "–" if each.spare is None else str(each.spare)
        dangers = " ".join(dict.fromkeys(danger.card for danger in each.dangers)) or "–"
        table.add_row(each.seed, ANSWERS[each.winnable], f"{each.difficulty:.1%}", percentile, spare, dangers)
    out.print(table)
    out.print(f"{counted(len(found), 'deal')} of {looked_at:,} seeds.")
