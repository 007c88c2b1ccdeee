"""`handful agree`: how often would a bot have done what people did?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.options import JsonOption, option
from handful.cli.shared.output import PLAIN, complain, console, counted, listing, print_json
from handful.cli.shared.progress import progress_bar
from handful.errors import HandfulError

if TYPE_CHECKING:
    from handful.lab.agreement import Agreement


def agree(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|LINK|DIR",
            help="Records (hanab.live's JSON), its links, JSON lines, archives, folders of all these.",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[str, option("--bot -b NAME", "Who is asked in every position.")] = "partner",
    player: Annotated[str | None, option("--player NAME", "Count only the turns of whoever is called so.")] = None,
    seed: Annotated[int, option("--seed -s S", "Of the bot's own chance.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Count how often a bot would have done what was done in recorded games.

    The bot watches each game from its first turn, and is asked at every turn what it would do in that seat: the same
    action, or at least one of the same kind. What cannot be read, or what the bot cannot play, is named, and the rest
    goes on; the exit code is 2 only if no game is left.

    Example: handful agree records/ --bot partner

    Example: handful agree game.json --bot "rules(reading=text)" --player Alice --json
    """
    from handful.lab.agreement import agreement
    from handful.lab.analyses import games_in

    given = games_in(games or [])
    with progress_bar("comparing", len(given), "games") as advance:
        found = agreement(given, bot, player=player, seed=seed, on_progress=advance)
    if not found.games:
        raise HandfulError(found.errors[0])
    for error in found.errors:
        complain(error)
    print_json(found.to_dict()) if as_json else _print(found)


def _print(found: Agreement) -> None:
    shown, out = found.shown(), console()
    rows = [tuple(map(str, row)) for row in shown.rows]
    out.print(listing((shown.header[0], *(f">{name}" for name in shown.header[1:])), rows, **PLAIN))
    low, high = found.same_action_ci95
    asked = f"{found.bot} in {counted(found.games, 'game')}, {counted(found.positions, 'position')}"
    same = f"the same action in {found.same_action:.1%} (95 %: {low:.1%} to {high:.1%})"
    out.print(f"{asked}: {same}, the same kind in {found.same_kind:.1%}.", soft_wrap=True)
