"""The command reference, written from the commands themselves."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from handful.cli.main import COMMANDS, load_command


def command_reference() -> str:
    """Return a page with every command: what it does, examples, arguments and options."""
    parts = [
        "# Commands",
        "Written from the code. Every command takes `--json`: one JSON object on standard output and nothing else. Bad "
        "input is one line on standard error and exit code 2; exit code 1 means that the answer is no.",
    ]
    parts.append(
        "\n".join(
            ["| command | |", "|---|---|", *(f"| {_link(name)} | {COMMANDS[name].summary} |" for name in COMMANDS)]
        )
    )
    for name in COMMANDS:
        parts += _described(load_command(name), f"handful {name}", 2)
    return "\n\n".join(parts) + "\n"


def _link(name: str) -> str:
    return f"[`handful {name}`](#handful-{name})"


def _described(command: Any, path: str, level: int) -> Iterator[str]:
    """Yield the parts of a command's description; those of its own commands follow."""
    yield f"{'#' * level} {path}"
    text, examples = _parted(command.help or "")
    if text:
        yield text
    if examples:
        yield "```\n" + "\n".join(examples) + "\n```"
    own = getattr(command, "commands", None)
    if own:
        for name, inner in own.items():
            yield from _described(inner, f"{path} {name}", level + 1)
        return
    rows = [row for parameter in command.params if (row := _row(parameter)) is not None]
    if rows:
        yield "\n".join(["| | |", "|---|---|", *rows])


def _parted(help_text: str) -> tuple[str, list[str]]:
    r"""Return a command's help as Markdown, and its examples.

    >>> _parted("Count them.\n\nExample: handful count 3 2\n\nExample: handful count 4")
    ('Count them.', ['handful count 3 2', 'handful count 4'])
    """
    texts, examples = [], []
    for part in re.split(r"\n\s*\n", help_text.strip()):
        if part.lstrip(" ").startswith("\b"):  # the lines are meant as they stand
            lines = textwrap.dedent(part.partition("\n")[2]).rstrip()
            texts.append(f"```\n{lines}\n```")
        elif re.match(r"\s*Examples?:", part):
            examples.append(" ".join(part.partition(":")[2].split()))
        else:
            texts.append(_escaped(" ".join(part.split())))
    return "\n\n".join(texts), examples


def _row(parameter: Any) -> str | None:
    """Return a line for an argument or option, None for what every command has."""
    names = [*parameter.opts, *parameter.secondary_opts]
    if getattr(parameter, "hidden", False) or "--help" in names:
        return None
    if parameter.param_type_name == "argument":
        shown = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        metavar = "" if parameter.is_flag else f" {parameter.metavar or parameter.type.name.upper()}"
        shown = ", ".join(f"`{name}{metavar}`" for name in sorted(names, key=len, reverse=True))
    text = _escaped(" ".join((getattr(parameter, "help", "") or "").split()))
    default = parameter.default
    is_told = not (default is None or isinstance(default, bool) or default in ((), [], "") or callable(default))
    if is_told and getattr(parameter, "show_default", True) and "default:" not in text:
        told = " ".join(map(str, default)) if isinstance(default, list | tuple) else str(default)
        text += rf" \[default: {told}\]"
    return f"| {shown.replace('|', chr(92) + '|')} | {text} |"


def _escaped(text: str) -> str:
    """Return a text of the help as Markdown: brackets are no links, bars no columns, stars no emphasis."""
    parts = text.split("`")
    signs = re.compile(r"([\[\]|*_<>])")
    return "`".join(part if place % 2 else signs.sub(r"\\\1", part) for place, part in enumerate(parts))
