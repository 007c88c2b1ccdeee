"""`handful bots`: who can play, and where each comes from."""

from __future__ import annotations

from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json

SEES = {"hands": "all hands", "everything": "all hands and the deck"}


def bots(json: JsonOption = False) -> None:
    """List the bots, their settings and their sources.

    A setting is given in brackets after the name: --bot 'name(setting=value)'.

    Example: handful bots
    """
    from handful.bots.players import all_bots

    if json:
        print_json(
            [
                {
                    "name": entry.name,
                    "summary": entry.summary,
                    "source": entry.source,
                    "sees": entry.sees,
                    "settings": [
                        {"name": each.name, "default": each.default, "meaning": each.meaning}
                        for each in entry.parameters
                    ],
                }
                for entry in all_bots()
            ]
        )
    else:
        _show()


def _show() -> None:
    from rich import box
    from rich.table import Table

    from handful.bots.players import all_bots

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("bot", style="bold", no_wrap=True)
    table.add_column("what it does, and its settings")
    table.add_column("source")
    for entry in all_bots():
        settings = [f"{each.name}={each.default}: {each.meaning}" for each in entry.parameters]
        sees = [] if entry.sees == "view" else [f"sees {SEES[entry.sees]}: not by the rules of the game"]
        table.add_row(entry.name, "\n".join([entry.summary, *sees, *settings]), entry.source)
    console().print(table)
