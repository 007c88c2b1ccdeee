"""The command `handful`: which subcommands there are, and what happens when one of them fails.

Starting must be quick, so that a command's module is imported when it is called and not before.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TextIO

import typer
import typer.core

from handful import __version__
from handful.cli.shared.output import complain, complain_of_interruption, forget
from handful.cli.shared.progress import INTERRUPTED, Interruption
from handful.errors import HandfulError, UnknownNameError, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_INPUT = 2
BROKEN_PIPE = 141  # 128 + SIGPIPE

# What the grammar of the command line refuses: the root of typer's own errors, which older versions have from click.
GrammarError: Any = next(kind for kind in reversed(typer.BadParameter.__mro__) if hasattr(kind, "format_message"))


class Command(NamedTuple):
    """A subcommand: `function` of `module` has typer's annotations, or is a `typer.Typer` with commands of its own."""

    summary: str
    module: str
    function: str


# To add a command, add a line here and the module that it names.
COMMANDS: dict[str, Command] = {
    "play": Command("Sit down at the table with bots.", "handful.cli.play", "play"),
    "watch": Command("Watch bots play one game, turn by turn.", "handful.cli.watch", "watch"),
    "solve": Command("Can this deal be won? The line, or the reason.", "handful.cli.solve", "solve"),
    "analyse": Command("Find the turn that lost a game.", "handful.cli.analyse", "analyse"),
    "review": Command("Say what each decision of a game cost.", "handful.cli.review", "review"),
    "puzzles": Command("Make a page of positions to learn from.", "handful.cli.review", "puzzles"),
    "agree": Command("Count how often a bot would have done what was done.", "handful.cli.agree", "agree"),
    "history": Command("What the games of a player say: where they are lost.", "handful.cli.history", "history"),
    "deal": Command("How hard is this deal? Its dangers, and what bots make of it.", "handful.cli.deals", "deal"),
    "deals": Command("Find deals that are winnable, easy or hard.", "handful.cli.deals", "deals"),
    "convert": Command("Turn records into JSON, JSON lines, links or a dataset.", "handful.cli.convert", "convert"),
    "winnable": Command("Count the deals that can be won.", "handful.cli.winnable", "winnable"),
    "count": Command("Count the sequences that a hand of one card can play.", "handful.cli.sequences", "count"),
    "sequences": Command("Count the sequences that a hand of M cards can play.", "handful.cli.sequences", "sequences"),
    "solitaire": Command("Solve Solitaire Hanabi; turn 3-SAT into it.", "handful.cli.solitaire", "app"),
    "rummy": Command("How long will Rummy take, and which card to throw?", "handful.cli.rummy", "app"),
    "gin": Command("Gin Rummy: the melds of a hand, players against each other.", "handful.cli.gin", "app"),
    "simulate": Command("Play many games of a bot with itself.", "handful.cli.simulate", "simulate"),
    "sweep": Command("Play a bot under every combination of some settings.", "handful.cli.tuning", "sweep"),
    "tune": Command("Search for the best settings of a bot.", "handful.cli.tuning", "tune"),
    "dataset": Command("Write the games of bots, turn by turn, to learn from.", "handful.cli.dataset", "dataset"),
    "results": Command("List the results that are stored.", "handful.cli.results", "results"),
    "serve": Command("Open the lab in a browser.", "handful.cli.serve", "serve"),
    "bots": Command("List the bots, their settings and their sources.", "handful.cli.lists", "bots"),
    "variants": Command("List the variants of Hanabi.", "handful.cli.lists", "variants"),
    "reproduce": Command("Recompute every published table, ours beside theirs.", "handful.cli.reproduce", "reproduce"),
    "prepare": Command("Compile everything now, so that nothing waits later.", "handful.cli.prepare", "prepare"),
    "bench": Command("Measure the speeds that we claim.", "handful.cli.bench", "bench"),
}


def load_command(name: str) -> Any:
    """Return a subcommand, ready to be called; its module is imported now."""
    command = COMMANDS[name]
    found = getattr(import_module(command.module), command.function)
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        single.command(name)(found)
        found = single
    loaded = typer.main.get_command(found)
    loaded.name = name
    return loaded


class HandfulGroup(typer.core.TyperGroup):
    """The subcommands, each loaded when it is called; their errors become one line and an exit code."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the subcommands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a stand-in for a subcommand, with its summary for the help."""
        if cmd_name not in COMMANDS:
            return None
        return typer.core.TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name, the subcommand itself and its arguments."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise UnknownNameError("command", args[0], COMMANDS)
        name, _stand_in, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else None, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand, and turn what goes wrong through no fault of ours into a line and an exit code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except HandfulError as error:
            raise _exit_with(str(error)) from error
        except MemoryError as error:
            raise _exit_with("there is not enough memory for this") from error
        except KeyboardInterrupt as error:
            complain_of_interruption()
            raise typer.Exit(INTERRUPTED) from error
        except OSError as error:
            raise typer.Exit(_code_of(error)) from error
        return result

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, *rest: Any, **settings: Any) -> Any:
        """Run the command line and leave with its exit code."""
        settings["standalone_mode"] = False
        try:
            code = super().main(args, prog_name or "handful", *rest, **settings)
        except typer.Abort:
            complain("interrupted")
            code = INTERRUPTED
        except OSError as error:  # while help is shown
            code = _code_of(error)
        except GrammarError as error:
            complain(f"{shortened(error.format_message().rstrip('.'), 200)}. See: {_help_command(error)}")
            code = BAD_INPUT
        except Exception:
            # The outermost frame of the process. The compiler swallows Ctrl-C, and then stumbles over what was left
            # half done, with whatever error that is; everything else is a mistake of ours, and shown as it is.
            if not Interruption.has_happened:
                raise
            complain("interrupted")
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


def _exit_with(message: str) -> typer.Exit:
    complain(message)
    return typer.Exit(BAD_INPUT)


def _code_of(error: OSError) -> int:
    """Say what went wrong with a file or a stream, and return the exit code; of a pipe that was closed say nothing."""
    if error.filename is None:
        forget(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    return BAD_INPUT


def _help_command(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'handful'} --help"


app = typer.Typer(
    cls=HandfulGroup, name="handful", add_completion=True, rich_markup_mode=None, pretty_exceptions_enable=False
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"handful {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def handful(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Hand-management card games: whether they can be won, how to play them, how long they take.

    Every command takes --json, and explains itself with an example: handful COMMAND --help
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning of ours as a line for the user, and those of libraries as Python does."""
    if category is UserWarning:
        complain(str(message))
    else:
        print(warnings.formatwarning(message, category, filename, lineno, line), end="", file=file or sys.stderr)


def _hook(unraisable: Any) -> None:
    """Say nothing of a Ctrl-C that came where Python drops errors: it is noted, and heeded a little later."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _open_closed_streams() -> None:
    """Let nothing be read from, and nothing be written to, the standard streams that are closed.

    Otherwise the next file to be opened would take the place of one, and be written to in its name.
    """
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:  # what is opened gets the lowest number that is free, which is that stream's
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the end


def run() -> None:
    """Run the command line: what the console script and ``python -m handful`` call."""
    warnings.showwarning = _show_warning
    with contextlib.suppress(ValueError):  # only the main thread may do this
        signal.signal(signal.SIGINT, Interruption.note)
    sys.unraisablehook = _hook
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            # Where a character cannot be shown, a question mark is better than a crash.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app()
