"""`handful bots` and `handful variants`: who can play, which decks there are, and where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, listing, print_json
from handful.hanabi.listing import search
from handful.hanabi.variants import VARIANTS, Suit, Variant, variant_named, variant_with_live_id

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


def variants(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD…]", help="Words of a name; a code; a number of hanab.live.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the variants of Hanabi: without words the usual ones, with words all of hanab.live's that fit.

    Wherever a variant is asked for, a name, a code such as R+Y+G+B+Pi,R1 or a number such as id:1342 will do. Any other
    deck is a variant too, written so: 'Custom (2 suits, copies 3 2 2 1)'.

    Example: handful variants rainbow 'up or down'
    """
    found = _found_variants(words) if words else list(VARIANTS.values())
    if json:
        print_json([_variant_object(variant) for variant in found])
    else:
        _show_variants(found)


def _found_variants(words: list[str]) -> list[Variant]:
    """Return the variants that fit all words; if there are none, what is wrong with the words says so."""
    found = [variant_with_live_id(live_id) for _name, _code, live_id in search(words)]
    return found or [variant_named(" ".join(words))]


def _variant_object(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "code": variant.code,
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
        "suit_hints": [hint.name for hint in variant.suit_hints],
        "value_hints": list(variant.value_hints),
        "special": variant.in_words,
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
        special = [*filter(None, map(_special, variant.suits)), *variant.modifiers.sentences]
        counts = (str(variant.num_cards), str(variant.max_score))
        table.add_row(variant.name, _suit_letters(variant), *counts, "; ".join(special), f"{variant.source}{live}")
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
    if suit.suit_hints == "by value":
        parts.append("touched by the suit hint that its value counts to")
    elif suit.suit_hints != "own":
        parts.append("touched by every suit hint" if suit.suit_hints == "every" else "touched by no suit hint")
    elif suit.own_hints != (suit.name,):
        parts.append(f"touched by {' and '.join(suit.own_hints).lower()}")
    if suit.value_hints != "own":
        parts.append("touched by every value hint" if suit.value_hints == "every" else "touched by no value hint")
    if suit.is_reversed:
        parts.append("built from 5 down to 1")
    if suit.is_played_by_discarding:
        parts.append("played by discarding, and discarded by playing")
    return f"{suit.name.lower()}: {', '.join(parts)}" if parts else ""


def _open_list(columns: Sequence[str]) -> Table:
    """Return a list without lines around it, the names in bold."""
    from rich import box

    table = listing(columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.columns[0].style, table.columns[0].no_wrap = "bold", True
    return table
