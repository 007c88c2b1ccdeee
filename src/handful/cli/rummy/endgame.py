"""`handful rummy endgame`: the last draws of a stock, when what is thrown does not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.rummy.shared import AcesOption, page_of
from handful.cli.shared.options import JsonOption, positive_number
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver
from handful.rummy.cards import format_cards, sizes_text
from handful.rummy.game import HAND_SIZES

if TYPE_CHECKING:
    from handful.rummy.gone.endgame import Endgame


def endgame(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help=f"{sizes_text(HAND_SIZES)} cards: AC 10D JH KS.")],
    stock: Annotated[
        str, typer.Option("--stock", metavar="CARDS", help="The cards that have not come yet, in any order.")
    ],
    draw: Annotated[
        str | None, typer.Option("--draw", "-d", metavar="CARD", help="What comes first: what to throw?")
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            "--draws", parser=positive_number, metavar="N", help="How many of them are yours.  [default: all]"
        ),
    ] = None,
    aces: AcesOption = "low",
    as_json: JsonOption = False,
) -> None:
    """Tell how likely a hand goes out before the stock is empty, exactly, and what to throw for it.

    What is thrown does not come back, and the order of the stock is not known. With --draws, others draw, too, and
    what they get you do not see. Throws are the better the likelier they go out, and then the sooner.

    Example: handful rummy endgame AC 4C 7C --stock "5C 6C 7H 7S KD 2D" --draws 3

    Example: handful rummy endgame "5C 6C 8C 9D 9S" --stock "9C 9H AD 4C 7C" --draw 7C --json
    """
    from handful.rummy.gone.endgame import endgame as work_out

    prepare_solver()
    found = work_out(" ".join(hand), stock, draw, aces, draws)
    print_json(found.to_dict()) if as_json else _print_endgame(found)


def _print_endgame(found: Endgame) -> None:
    out = console()
    page = page_of(f"{format_cards(found.hand)}, aces {found.aces}", title_justify="left")
    page.add_row("to come", f"{found.draws} of {format_cards(found.stock)}")
    page.add_row("goes out", f"{found.chance:.4%}")
    page.add_row("draws", f"{found.turns:.4f}, counting all if it does not go out")
    out.print(page)
    if found.throws:
        columns = ("card", "keeps", ">goes out", ">draws after this one")
        page = page_of(f"drawn {found.draw}: throw …", *columns, title_justify="left")
        for each in found.throws:
            page.add_row(str(each.card), format_cards(each.keeps), f"{each.chance:.4%}", f"{each.turns:.4f}")
        out.print(page)
