"""`handful history`: what the games of a player say, as a table, JSON or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.fetching import (
    CacheOption,
    OfflineOption,
    SiteOption,
    fetch_games,
    listed_games,
    opened_site,
)
from handful.cli.shared.options import (
    TIME_LIMIT,
    DaskOption,
    JsonOption,
    TimeLimitOption,
    WorkersOption,
    option,
    positive_number,
)
from handful.cli.shared.output import PLAIN, complain, console, counted, figures, listing, print_json
from handful.cli.shared.progress import goes_on_from, prepare_solver, progress_bar
from handful.errors import HandfulError, NotationError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from handful.lab.history import Given, History
    from handful.lab.history.summary import Line

MOST_LINES = 12
MOST_COMPLAINTS = 5


def history(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|DIR|LINK|ID",
            help="Records, archives and folders of them, links, numbers of games, instead of the games of a player.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[str | None, option("--player -P NAME", "Whose games.")] = None,
    together: Annotated[
        list[str] | None, option("--with NAME", "Only games with this player too; may be repeated.")
    ] = None,
    seed: Annotated[
        str | None, option("--seed SEED", "All games on this seed of hanab.live, instead of those of a player.")
    ] = None,
    since: Annotated[str | None, option("--since DATE", "Only games since this day, month or year.")] = None,
    variant: Annotated[str | None, option("--variant V", "Only games of this variant.")] = None,
    limit: Annotated[int | None, option("--limit N", "Only the newest so many games.", positive_number)] = None,
    csv: Annotated[Path | None, option("--csv FILE", "Write a row for each game to this file.")] = None,
    site: SiteOption = None,
    offline: OfflineOption = False,
    cache: CacheOption = None,
    findings: Annotated[
        Path | None, option("--findings FILE", "Keep what was found in this file.  [default: the user's own]")
    ] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say where games are lost, and how it went over time; name those to learn from, with links to the losing turn.

    The games of a player are fetched from the site, once, and kept; files and folders are read instead, if some are
    given. Each game is analysed with all cards known: was the deal winnable, which turn lost it, by which mistake?
    What was found is kept, so that a run that was interrupted goes on, and the next one has only the new games to do.
    Games that cannot be read are counted, with the reason; the exit code is 2 only if none can.

    Kinds of mistakes: critical discarded (the last copy of a needed card is thrown), bottom deck (a needed card is
    thrown, and its other copies come too late), misplay, time (turns are wasted), tokens (hints are missing), order
    (who holds what).

    Example: handful history --player NAME --since 2026-01

    Example: handful history --player NAME --with OTHER --csv games.csv

    Example: handful history --seed p3v0s1

    Example: handful history records/ --json

    Example: handful history 1874799 1874800
    """
    from handful.lab.history import history as history_of
    from handful.lab.history import write_csv
    from handful.lab.history.kept import open_findings

    if csv is not None and not csv.parent.is_dir():
        raise NotationError(f"--csv {csv}: there is no directory {csv.parent}")
    others = together or []
    if others and player is None:
        raise NotationError(f"--with {others[0]} without --player: expected whose games these are")
    if inputs:
        _check_files_only(inputs, {"--since": since, "--limit": limit, "--variant": variant, "--seed": seed})
        given, address = _of_files(inputs, (site, offline, cache))
    else:
        names = [] if player is None else [player, *others]
        given, address = _of_site(names, seed, (since, variant, limit), (site, offline, cache))
    prepare_solver()
    with open_findings(findings) as kept, goes_on_from(kept.path), progress_bar("analysing", len(given)) as advance:
        found = history_of(
            given,
            [] if player is None else [player, *others],
            site=address,
            time_limit=time_limit,
            workers=workers,
            dask=dask,
            kept=kept,
            on_progress=advance,
        )
    if csv is not None:
        write_csv(found, csv)
    is_nothing_read = bool(found.summary.unread) and not found.summary.games
    if is_nothing_read and not as_json:
        what = "" if len(found.games) == 1 else f"none of the {len(found.games):,} games can be read: "
        raise HandfulError(f"{what}{found.games[0].finding.error}")
    print_json(found.to_dict()) if as_json else print_history(console(), found)
    if is_nothing_read:
        raise typer.Exit(2)


def _check_files_only(inputs: Sequence[str], options: dict[str, object]) -> None:
    for name, value in options.items():
        if value is not None:
            raise NotationError(f"{name} beside {inputs[0]}: expected it without files, for the site's lists")


def _of_files(inputs: Sequence[str], where: tuple[str | None, bool, Path | None]) -> tuple[list[Given], str]:
    """Return the games of files, those that are numbers fetched; and the address of the site, if all of them were."""
    from handful.lab.analyses import fetched, has_numbers
    from handful.lab.history.sources import games_of_files

    if not has_numbers(inputs):
        return games_of_files(inputs), ""
    with opened_site(*where) as site:
        games = fetched(inputs, site)
        return games_of_files(games), "" if any(isinstance(game, str) for game in games) else site.address


def _of_site(
    names: Sequence[str],
    seed: str | None,
    wanted: tuple[str | None, str | None, int | None],
    where: tuple[str | None, bool, Path | None],
) -> tuple[list[Given], str]:
    """Return the games of players or on a seed, fetched where they are missing, and the address of the site."""
    from handful.hanabi.live.site import Wanted
    from handful.hanabi.live.site.rows import parse_since
    from handful.hanabi.variants import variant_named
    from handful.lab.history.sources import games_of_rows

    if bool(names) == (seed is not None):
        asked = "both --player and --seed" if names else "there is nothing to look at"
        raise NotationError(f"{asked}: expected --player NAME, --seed SEED, or files and folders of records")
    since, variant, limit = wanted
    choice = Wanted(
        None if since is None else parse_since(since), "" if variant is None else variant_named(variant).name, limit
    )
    with opened_site(*where) as site:
        rows = listed_games(site, names, seed, choice)
        if not rows:
            raise NotationError(f"there are no such games {'of ' + ', '.join(names) if names else 'on ' + str(seed)}")
        errors = fetch_games(site, rows)
        for error in errors[:MOST_COMPLAINTS]:
            complain(error)
        if len(errors) > MOST_COMPLAINTS:
            complain(f"and {len(errors) - MOST_COMPLAINTS} more that could not be had")
        return games_of_rows(site, rows), site.address


# What is shown


def print_history(out: Console, found: History) -> None:
    """Print what games say: figures, kinds of mistakes, by whom and what, over time, and the games to learn from."""
    summary = found.summary
    whose = f"The games of {found.player}" if found.player else "The games"
    out.print(figures(whose, _figures(found)))
    if summary.mistakes:
        out.print(_mistakes(found))
        turns = "  ".join(f"{first}–{first + 9}: {count}" for first, count in summary.lost_turns.items())
        out.print(f"on turns  {turns}\n")
    for title, lines in (
        ("By variant", summary.by_variant),
        ("By number of players", summary.by_players),
        ("By partner", summary.by_partner),
        ("Over time", summary.over_time),
    ):
        if len(lines) > 1:
            shown = lines if title == "Over time" else lines[:MOST_LINES]
            out.print(_lines(title, shown, bool(found.player)))
            if len(shown) < len(lines):
                out.print(f"and {len(lines) - len(shown)} more (--json has them all)", style="dim")
    if summary.instructive:
        out.print("\nGames to learn from", style="bold")
        for number, each in enumerate(summary.instructive, start=1):
            seen = "" if each.foreseen is None else f", {each.foreseen:.0%} by what was seen"
            out.print(
                f"{number:>2}. {each.game}: {each.score} of {each.max_score}, lost on turn {each.turn}: {each.text} "
                f"({each.mistake}{seen})",
                soft_wrap=True,
            )
            if each.link:
                out.print(f"    {each.link}", soft_wrap=True, style="dim")


def _figures(found: History) -> list[tuple[str, str]]:
    summary = found.summary
    results, low_high = summary.results, summary.perfect_ci95
    winnable = summary.games - results["unwinnable"] - results["undecided"]
    share = results["perfect"] / winnable if winnable else 0.0
    unread = [(f"  {counted(count, 'game')}", reason) for reason, count in summary.unread.items()]
    causes = ", ".join(f"{cause} {count}" for cause, count in summary.causes.items())
    rows = [
        ("games", f"{summary.games:,}, mean score {summary.mean_score:.2f}"),
        (
            "perfect",
            f"{results['perfect']:,}: {share:.1%} of what could be won ({low_high[0]:.1%} to {low_high[1]:.1%})",
        ),
        ("deals that cannot be won", f"{results['unwinnable']:,}{f'   ({causes})' if causes else ''}"),
        ("lost on the way", f"{results['lost']:,}, {summary.bottom_deck:,} of them to the bottom of the deck"),
        ("left before they were lost", f"{results['stopped']:,}"),
        ("undecided", f"{results['undecided']:,}"),
        ("longest run of perfect games", f"{summary.streaks.perfect} (now {summary.streaks.perfect_now})"),
    ]
    if found.player:
        run = summary.streaks
        rows.append(("longest without losing one", f"{run.without_own_mistake} (now {run.without_own_mistake_now})"))
    if unread:
        rows += [("not read", f"{sum(summary.unread.values()):,}"), *unread[:MOST_COMPLAINTS]]
    return [*rows, ("time", f"{found.seconds:.2f} s, {counted(found.analysed, 'game')} analysed now")]


def _mistakes(found: History) -> Table:
    summary, is_about_one = found.summary, bool(found.player)
    table = listing(("lost by", ">games", *([">by " + found.player] if is_about_one else [])), **PLAIN)
    for kind, count in summary.mistakes.items():
        table.add_row(kind, f"{count:,}", *([f"{summary.own_mistakes.get(kind, 0):,}"] if is_about_one else []))
    return table


def _lines(title: str, lines: Sequence[Line], is_about_one: bool) -> Table:
    own = [">own losses"] if is_about_one else []
    columns = (
        title,
        ">games",
        ">perfect",
        ">of winnable",
        ">unwinnable",
        ">lost",
        *own,
        ">bottom deck",
        ">effic.",
        ">needed",
    )
    table = listing((*columns, ">pace at half"), **PLAIN)
    for line in lines:
        mine = [f"{line.mine:,}"] if is_about_one else []
        numbers = [
            "–" if each is None else f"{each:.2f}" for each in (line.efficiency, line.least_efficiency, line.pace)
        ]
        share = f"{line.perfect_share:.0%}"
        counts = (f"{each:,}" for each in (line.unwinnable, line.lost))
        table.add_row(
            line.name, f"{line.games:,}", f"{line.perfect:,}", share, *counts, *mine, f"{line.bottom_deck:,}", *numbers
        )
    return table
