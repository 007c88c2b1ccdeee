"""`handful rummy`: solve the game, ask for advice, play it."""

from __future__ import annotations

import typer

from handful.cli.rummy.advise import advise
from handful.cli.rummy.endgame import endgame
from handful.cli.rummy.play import match, play
from handful.cli.rummy.solve import figures, solve, tables

app = typer.Typer(
    name="rummy",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    invoke_without_command=True,
)
for command in (solve, advise, endgame, play, match, tables, figures):
    app.command(command.__name__)(command)


@app.callback()
def rummy(context: typer.Context) -> None:
    """How long will a hand of Rummy take, and which card to throw?

    A hand of 3 to 10 cards; each turn draw one of the others at random and throw one back. The game is over when the
    whole hand melds: sets of three or four of a rank, runs of three or more in a suit. Cards are written AC 10D JH KS.
    Every command takes --json, and explains itself with an example: handful rummy COMMAND --help

    Example: handful rummy advise AC 4C 7C --draw 5C

    Example: handful rummy solve --cards 5 --aces low,high,wrap
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
