"""`handful bots` and `handful variants`: who can play, which decks there are, and where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, listing, print_json
from handful.hanabi.variants import VARIANTS, Suit, Variant

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

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
        _show_bots()


def _show_bots() -> None:
    from handful.bots.players import all_bots

    table = _open_list(("bot", "what it does, and its settings", "source"))
    for entry in all_bots():
        settings = [f"{each.name}={each.default}: {each.meaning}" for each in entry.parameters]
        sees = [] if entry.sees == "view" else [f"sees {SEES[entry.sees]}: not by the rules of the game"]
        table.add_row(entry.name, "\n".join([entry.summary, *sees, *settings]), entry.source)
    console().print(table)


def variants(json: JsonOption = False) -> None:
    """List the variants of Hanabi: their suits, what is special about them, and their sources.

    Any other deck is a variant too, written so: 'Custom (2 suits, copies 3 2 2 1)'.

    Example: handful variants
    """
    if json:
        print_json([_variant_object(variant) for variant in VARIANTS.values()])
    else:
        _show_variants(list(VARIANTS.values()))


def _variant_object(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "suits": [
            {
                "name": suit.name,
                "letter": suit.letter,
                "copies": list(suit.copies),
                "hintable": suit.hintable,
                "suit_hints": suit.suit_hints,
                "value_hints": suit.value_hints,
            }
            for suit in variant.suits
        ],
        "cards": variant.num_cards,
        "max_score": variant.max_score,
        "live_id": variant.live_id,
        "source": variant.source,
    }


def _show_variants(every: list[Variant]) -> None:
    table = _open_list(("variant", "suits", ">cards", ">best", "what is special", "source"))
    table.columns[1].no_wrap = True
    for variant in every:
        live = "" if variant.live_id is None else f" {variant.live_id}"
        special = "; ".join(filter(None, map(_special, variant.suits)))
        counts = (str(variant.num_cards), str(variant.max_score))
        table.add_row(variant.name, _suit_letters(variant), *counts, special, f"{variant.source}{live}")
    console().print(table)


def _suit_letters(variant: Variant) -> Text:
    from rich.text import Text

    from handful.cli.shared.table_text import suit_style

    return Text(" ").join(Text(suit.letter, style=suit_style(suit)) for suit in variant.suits)


def _special(suit: Suit) -> str:
    """Return what sets a suit apart from an ordinary one, in words; empty if nothing does."""
    parts = []
    if set(suit.copies) == {1}:
        parts.append("one copy of each value")
    if suit.suit_hints != "own":
        parts.append("touched by every suit hint" if suit.suit_hints == "every" else "touched by no suit hint")
    if suit.value_hints != "own":
        parts.append("touched by every value hint" if suit.value_hints == "every" else "touched by no value hint")
    return f"{suit.name.lower()}: {', '.join(parts)}" if parts else ""


def _open_list(columns: Sequence[str]) -> Table:
    """Return a list without lines around it, the names in bold."""
    from rich import box

    table = listing(columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.columns[0].style, table.columns[0].no_wrap = "bold", True
    return table
