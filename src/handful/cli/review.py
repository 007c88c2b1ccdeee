"""`handful review` and `handful puzzles`: what each decision cost by what its player could know, and what to learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.conventions import ConventionsOption, findings_in, findings_told, print_findings
from handful.cli.shared.fetching import OfflineOption, SiteOption, opened_site
from handful.cli.shared.options import JsonOption, WorkersOption, option, positive_number, seconds_number, whole_number
from handful.cli.shared.output import PLAIN, complain, console, counted, listing, print_json, rules_text, sentence
from handful.cli.shared.progress import Interruption, prepare_kernels, progress_bar
from handful.errors import HandfulError

if TYPE_CHECKING:
    from rich.console import Console

    from handful.lab.analyses import Game
    from handful.lab.review.many import ReviewedGame, Settings
    from handful.lab.review.reviewed import Review, ReviewedTurn

MARK_STYLES = {"??": "bold red", "?": "red", "?!": "yellow", "!!": "bold green"}
WORLDS = 384
FACTOR = 10  # so many times the worlds, for one position in depth

Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE|LINK|ID|DIR",
        help="Records (hanab.live's JSON), its links, numbers of its games, archives and folders of records.",
        show_default=False,
    ),
]
WorldsOption = Annotated[int, option("--worlds N", "In how many worlds each loss is measured.", positive_number)]
SecondsOption = Annotated[
    float | None, option("--seconds T", "How long a game may take, instead of a number of worlds.", seconds_number)
]
SeedOption = Annotated[int, option("--seed -s S", "A number: which worlds.", whole_number)]
TeamOption = Annotated[
    str | None, option("--bot -b NAME", "Who plays on in the worlds.  [default: the strongest fast bot]")
]


def review(
    inputs: Inputs = None,
    turn: Annotated[int | None, option("--turn -t N", "One turn in depth: all its actions.", positive_number)] = None,
    worlds: WorldsOption = WORLDS,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    bot: TeamOption = None,
    out: Annotated[
        Path | None, option("--out -o FILE", "Write a page: .html (with the swing of the game) or .md.")
    ] = None,
    conventions: ConventionsOption = False,
    workers: WorkersOption = None,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge every decision of a game by what its player could know, and say what was better.

    For each turn, worlds are dealt that fit what the player to move could see. In the same worlds every sensible action
    is carried out, and a team of bots plays on: the chance is how often the best action wins, the cost how much less
    often the one that was played does. A mark needs a cost that is more than its margin: ?! from 5 points, ? from 10,
    ?? from 20; !! is an only move found. Of several games each is a line; the pages have all.

    The same seed and worlds give the same review, on any number of cores. Reviews are kept: the same again takes no
    time, and a folder of games goes on where it was interrupted.

    Example: handful review game.json

    --conventions lists after that, as `handful analyse` does, the turns that are not as the conventions of most people
    would have them: with a cost or without one.

    Example: handful review game.json --turn 23

    Example: handful review game.json --conventions

    Example: handful review records/ --out review.html
    """
    settings = _settings(worlds, seconds, seed, bot, workers)
    if out is not None:
        _check_suffix(out)
    if conventions and turn is not None:
        raise HandfulError("--conventions is for whole games, and --turn for one turn: expected one of the two")
    games, is_list = _games(inputs, turn, site, offline)
    prepare_kernels()
    if turn is not None:
        _review_turn(games[0], turn, settings, as_json)
        return
    results = _reviewed(games, settings)
    errors = _complain_of(results, is_list)
    if out is not None:
        from handful.lab.review.report import write_page

        write_page(results, out)
    findings = [
        findings_in(result.given, result.record) if conventions and result.record is not None else None
        for result in results
    ]
    if as_json:
        found = [result.to_dict() | findings_told(of_game) for result, of_game in zip(results, findings, strict=True)]
        print_json(found if is_list else found[0])
    elif is_list:
        _print_list(console(), results)
    else:
        assert results[0].review is not None, "an error was raised above"
        print_review(console(), results[0].review)
    if conventions and not as_json:
        print_findings(console(), [result.given for result in results], findings)
    if out is not None:
        complain(f"written to {out}")
    if errors == len(results):
        raise typer.Exit(2)


def puzzles(
    inputs: Inputs = None,
    out: Annotated[Path | None, option("--out -o FILE", "The page: .html or .md.  [default: puzzles.html]")] = None,
    most: Annotated[int, option("--most -n N", "At most so many, the most costly ones.", positive_number)] = 50,
    worlds: WorldsOption = WORLDS,
    seed: SeedOption = 0,
    bot: TeamOption = None,
    workers: WorkersOption = None,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a page of positions to learn from: the best action was clear, and was missed. The answers are hidden.

    Each position is shown as the player to move saw it. The best action must be ahead of all others by twice its
    margin, and what was played must have cost more than its margin, at least 5 points. Games are reviewed as by
    `handful review`, whose reviews are used.

    Example: handful puzzles game.json

    Example: handful puzzles records/ --most 20 --out puzzles.html
    """
    from handful.lab.review.puzzles import puzzles_in, write_puzzles

    page = Path("puzzles.html") if out is None else out
    _check_suffix(page)
    settings = _settings(worlds, None, seed, bot, workers)
    games, is_list = _games(inputs, None, site, offline)
    prepare_kernels()
    results = _reviewed(games, settings)
    errors = _complain_of(results, is_list)
    found = puzzles_in(results, most)
    if as_json:
        if out is not None:
            write_puzzles(found, page)
        print_json([puzzle.to_dict() for puzzle in found])
    else:
        write_puzzles(found, page)
        read = counted(len(results) - errors, "game")
        console().print(f"{counted(len(found), 'puzzle')} from {read}, in {page}.", soft_wrap=True)
    if errors == len(results):
        raise typer.Exit(2)


# The work


def _settings(worlds: int, seconds: float | None, seed: int, bot: str | None, workers: int | None) -> Settings:
    from handful.lab.review.many import Settings
    from handful.lab.review.reviewing import check_worlds

    if seed < 0:
        raise HandfulError(f"--seed {seed}: expected a number of at least 0")
    if seconds is not None and seconds <= 0:
        raise HandfulError(f"--seconds {seconds:g}: expected more than 0")
    return Settings(check_worlds(worlds), seconds, seed, bot, workers)


def _games(
    inputs: list[str] | None, turn: int | None, site: str | None, is_offline: bool
) -> tuple[Sequence[Game], bool]:
    """Return the games that are given, those by number fetched, and whether the answer is a list."""
    from handful.lab.analyses import fetched, games_in, has_numbers

    games = games_in(inputs or [])
    is_list = list(games) != inputs or len(games) > 1  # a folder of one record is a list, too
    if turn is not None and len(games) > 1:
        raise HandfulError(f"--turn {turn} is for one game: {len(games)} were given")
    if has_numbers(games):
        with opened_site(site, is_offline) as opened:
            games = fetched(games, opened)
    return games, is_list


def _reviewed(games: Sequence[Game], settings: Settings) -> list[ReviewedGame]:
    """Return the reviews, with a bar of turns for one game and of games for several."""
    from handful.lab.review.many import review_each

    if len(games) == 1:
        with _turns_bar(games[0]) as on_turn:
            return list(review_each(games, settings, on_turn))
    with progress_bar("reviewing", len(games)) as advance:
        results = []
        for result in review_each(games, settings, lambda _turn: Interruption.heed()):
            results.append(result)
            advance(1)
        return results


@contextmanager
def _turns_bar(game: Game) -> Iterator[Callable[[ReviewedTurn], None]]:
    from handful.lab.analyses import read_game

    try:
        turns = len(read_game(game).actions)
    except HandfulError:  # said where it is reviewed
        turns = 0
    with progress_bar("reviewing", turns, "turns") as advance:
        yield lambda _turn: advance(1)


def _complain_of(results: Sequence[ReviewedGame], is_list: bool) -> int:
    """Say what could not be reviewed, and return how many games that are."""
    errors = [result.error for result in results if result.review is None]
    if not is_list and errors:
        raise HandfulError(errors[0])
    for error in errors:
        complain(error)
    return len(errors)


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in (".html", ".htm", ".md", ".markdown"):
        raise HandfulError(f"--out {path}: expected a name that ends in .html or .md")
    if not path.parent.is_dir():
        raise HandfulError(f"--out {path}: there is no folder {path.parent}")


# What is shown


def print_review(out: Console, review: Review) -> None:
    """Print a review: the turns with chance, cost and mark, the players, and how it came about."""
    from handful.lab.review.report import PLAYERS, method, player_rows, turn_row

    game = f"{rules_text(review.rules)}: {', '.join(review.names)}"
    out.print(f"{game}; score {review.score} of {review.rules.max_score}", style="bold", soft_wrap=True)
    if review.turns:
        table = listing((">turn", "", "what happened", ">chance", ">cost", ""), **PLAIN)
        for turn in review.turns:
            table.add_row(*turn_row(turn), style=MARK_STYLES.get(turn.mark, ""))
        out.print(table)
    out.print(sentence(review.verdict), style="bold", soft_wrap=True)
    if review.proof is not None:
        out.print(f"With all cards known: {sentence(review.proof.verdict)}", soft_wrap=True)
    if review.turns:
        out.print(
            listing([">" + name if name in PLAYERS[1:4] else name for name in PLAYERS], player_rows(review), **PLAIN)
        )
    out.print(method(review).replace("`", ""), style="dim", soft_wrap=True)


def _print_list(out: Console, results: Sequence[ReviewedGame]) -> None:
    """Print a line for each game that could be read, and one for each player over all of them."""
    read = [(result.given, result.review) for result in results if result.review is not None]
    if not read:
        return
    rows = [(given, f"{found.score} of {found.rules.max_score}", found.verdict) for given, found in read]
    out.print(listing(("game", "score", "marked"), rows, **PLAIN))
    from handful.lab.review.report import player_row
    from handful.lab.review.reviewed import player_line

    turns: dict[str, list[ReviewedTurn]] = {}
    for _given, found in read:
        for seat, name in enumerate(found.names):
            turns.setdefault(name, []).extend(turn for turn in found.turns if turn.player == seat)
    players = [player_row(player_line(name, each))[:-1] for name, each in turns.items() if each]
    out.print(listing(("player", ">decisions", ">accuracy", ">mean loss", "marked"), players, **PLAIN))
    unread = len(results) - len(read)
    out.print(f"{counted(len(read), 'game')}." + (f" {unread} could not be read." if unread else ""))


def _review_turn(game: Game, number: int, settings: Settings, as_json: bool) -> None:
    """Print one turn in depth."""
    from handful.lab.analyses import read_game
    from handful.lab.review.reviewing import begin, judge_position

    job = begin(read_game(game), settings.team, settings.seed, settings.worlds)
    turn = judge_position(job, number, FACTOR)
    if as_json:
        print_json({**turn.to_dict(), "team": job.judge().player.name, "seed": job.seed})
        return
    out = console()
    out.print(f"Turn {number}: {sentence(turn.text)} {turn.mark}", style="bold", soft_wrap=True)
    rows = [
        (
            option.action,
            f"{100 * option.chance:.1f} %",
            f"{option.score:.2f}",
            str(option.worlds),
            _note(turn, option.action),
        )
        for option in turn.options
    ]
    out.print(listing(("action", ">wins", ">mean score", ">worlds", ""), rows, **PLAIN))
    best, played = turn.best, turn.played
    out.print(
        f"Measured anew in {best.worlds:,} worlds: {best.action} wins {100 * best.chance:.1f} %, {played.action} "
        f"{100 * played.chance:.1f} %; cost {100 * turn.loss:.1f} ± {100 * turn.margin:.1f} points, "
        f"{turn.points_lost:.2f} of the score.",
        soft_wrap=True,
    )


def _note(turn: ReviewedTurn, action: str) -> str:
    said = ["best"] if action == turn.best.action else []
    return ", ".join(said + (["played"] if action == turn.played.action else []))
