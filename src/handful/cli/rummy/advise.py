"""`handful rummy advise`: which card to throw, and how long it will then take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.rummy.shared import AcesOption, make_ready, page_of, solving_bar
from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver
from handful.rummy.cards import format_cards, parse_cards, sizes_text
from handful.rummy.game import HAND_SIZES

if TYPE_CHECKING:
    from rich.console import Console

    from handful.rummy.advice import Advice
    from handful.rummy.distribution import Turns

BARS = 24  # rows of the distribution
WIDTH = 40


def advise(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help=f"{sizes_text(HAND_SIZES)} cards: AC 10D JH KS.")],
    draw: Annotated[str | None, typer.Option("--draw", "-d", metavar="CARD", help="What every discard costs.")] = None,
    aces: AcesOption = "low",
    seen: Annotated[
        str,
        typer.Option("--seen", metavar="CARDS", help="Cards that were thrown and are gone for good."),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Tell how long a hand takes, and what to throw.

    The expected turns under optimal play, their spread and whole distribution, and the best discard for each possible
    draw; with --draw, the cost of every discard. With --seen, cards are gone: the game is solved anew for what is left
    of the deck, if that takes a second; if not, around the hand, and judged further out. The answer says how, and how
    far it may be off. From 6 cards on that needs a table, which `handful rummy solve --gone` makes; without it, games
    are played out.

    Example: handful rummy advise AC 4C 7C --draw 5C

    Example: handful rummy advise "2C 2D 3C 9H" --aces wrap --seen "2H 2S" --json

    Example: handful rummy advise "5C 6C 8C 9D 9S" --seen "9C 9H AD KS 2H" --draw 7C
    """
    from handful.rummy.advice import advise as ask
    from handful.rummy.gone.reckoning import is_solved_anew

    cards = parse_cards(" ".join(hand), HAND_SIZES)
    prepare_solver()
    if not seen or not is_solved_anew(len(cards), len(parse_cards(seen))):
        make_ready(len(cards), aces)
    with solving_bar() as show:
        advice = ask(cards, draw, aces, seen, show)
    print_json(advice.to_dict()) if as_json else _print_advice(advice)


def _print_advice(advice: Advice) -> None:
    out = console()
    gone = f", without {format_cards(advice.seen)}" if advice.seen else ""
    page = page_of(f"{format_cards(advice.hand)}, aces {advice.aces}{gone}", title_justify="left")
    turns = advice.turns
    page.add_row("melds", str(advice.melding))
    is_exact = advice.how is None or advice.how.method == "exact"
    page.add_row("expected turns", f"{turns.expected:.10f}" if is_exact else f"{turns.expected:.4f}")
    page.add_row("standard deviation", f"{turns.sd:.6f}")
    page.add_row("done within", ", ".join(f"{turn} ({float(share):.0%})" for share, turn in turns.quantiles.items()))
    if turns.not_followed:
        page.add_row("followed", f"{turns.hands_met:,} hands; others, met with chance {turns.not_followed:.2g}, by lot")
    if advice.how is not None:
        page.add_row("by", str(advice.how))
    if turns.sampled_games:
        page.add_row("spread from", f"{turns.sampled_games:,} games")
    out.print(page)
    if advice.melding.is_rummy:
        out.print("All of it melds: the game is over.")
        return
    if advice.discards:
        _print_discards(out, advice)
    else:
        _print_draws(out, advice)
    _print_distribution(out, turns)


def _print_discards(out: Console, advice: Advice) -> None:
    columns = ("card", "keeps", ">turns after this one", ">cost")
    page = page_of(f"drawn {advice.draw}: throw …", *columns, title_justify="left")
    for each in advice.discards:
        page.add_row(str(each.card), format_cards(each.keeps), f"{each.expected_turns:.6f}", f"{each.cost:.6f}")
    out.print(page)


def _print_draws(out: Console, advice: Advice) -> None:
    """Print what to throw for each draw; draws of the same answer share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for each in sorted(advice.draws, key=lambda each: (round(each.expected_turns, 9), each.draw)):
        throw = "the draw" if each.discard == each.draw else str(each.discard)
        rows.setdefault((throw, f"{each.expected_turns:.6f}"), []).append(str(each.draw))
    page = page_of("what to throw", "drawn", "throw", ">turns after this one", title_justify="left")
    for (throw, left), draws in rows.items():
        page.add_row(" ".join(draws) if throw != "the draw" else f"{len(draws)} others", throw, left)
    out.print(page)


def _print_distribution(out: Console, turns: Turns) -> None:
    """Print the chances of turns as bars, some turns to a row."""
    last = turns.quantile(0.99)
    step = max(1, -(-last // BARS))
    rows = [(first, sum(turns.chances[first : first + step])) for first in range(1, last + 1, step)]
    most = max(chance for _, chance in rows)
    out.print("turns        chance", style="bold")
    for first, chance in rows:
        name = str(first) if step == 1 else f"{first} to {first + step - 1}"
        out.print(f"{name:<12} {chance:6.2%} {'█' * round(WIDTH * chance / most)}")
    out.print(f"{f'over {rows[-1][0] + step - 1}':<12} {1 - sum(chance for _, chance in rows):6.2%}")
