"""`handful variants`: which decks there are, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from handful.hanabi.variants import Suit, Variant


def variants(json: JsonOption = False) -> None:
    """List the variants of Hanabi: their suits, what is special about them, and their sources.

    Any other deck is a variant too, written so: 'Custom (2 suits, copies 3 2 2 1)'.

    Example: handful variants
    """
    from handful.hanabi.variants import VARIANTS

    if json:
        print_json([_variant_object(variant) for variant in VARIANTS.values()])
    else:
        _show(list(VARIANTS.values()))


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


def _show(every: list[Variant]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("variant", style="bold", no_wrap=True)
    table.add_column("suits", no_wrap=True)
    for column in ("cards", "best"):
        table.add_column(column, justify="right")
    for column in ("what is special", "source"):
        table.add_column(column)
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
