"""What the commands of Gin share: their group, their options, and how a place, a choice and an end are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.errors import NotationError, shown

if TYPE_CHECKING:
    from rich.table import Table

    from handful.rummy.gin import GinView, Settlement
    from handful.rummy.gin.advice import GinAdvice, GinChoice

app = typer.Typer(
    name="gin",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    invoke_without_command=True,
)


@app.callback()
def gin(context: typer.Context) -> None:
    """Gin Rummy for two: melds, advice, a game in the terminal, and players against each other.

    Cards are written AC 10D JH KS. Every command takes --json, and explains itself with an example: handful gin COMMAND
    --help

    Example: handful gin melds 4C 5C 6C 5D 5H 9H KS AD 2D 3D

    Example: handful gin advise 2S 3C 3S 6H 7H 9H 9S QH QS KH --upcard 9D

    Example: handful gin match table simple
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


GinRulesOption = Annotated[
    str, typer.Option("--rules", "-r", metavar="R", help="eaai, openspiel or hoyle; single rules after commas.")
]
ScoreOption = Annotated[
    str, typer.Option("--score", metavar="A-B", help="Your points and the opponent's before the round: 40-62.")
]


def parse_score(text: str) -> tuple[int, int]:
    """Return a score.

    >>> parse_score("40-62")
    (40, 62)
    """
    own, _, other = text.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in (own, other)):
        raise NotationError(f"score {shown(text)}: expected your points and the opponent's, as in 40-62")
    return int(own), int(other)


def advice_table(advice: GinAdvice, most: int = 12) -> Table:
    """Return the choices of a place as a table, the best first."""
    from handful.cli.shared.output import listing

    columns = ("choice", ">wins the game", ">points", ">wins the round", ">with gin", ">undercut", ">turns left")
    caption = f"± half a 95 % interval; {advice.worlds:,} worlds in {advice.seconds:.2f} s"
    return listing(columns, [_row(choice) for choice in advice.choices[:most]], caption=caption)


def _row(choice: GinChoice) -> tuple[str, ...]:
    low, high = choice.win_chance_ci95
    least, most = choice.points_ci95
    return (
        str(choice.action),
        f"{choice.win_chance:.1%} ± {(high - low) / 2:.1%}",
        f"{choice.points:+.1f} ± {(most - least) / 2:.1f}",
        f"{choice.round_win_chance:.0%}",
        f"{choice.gin_chance:.0%}",
        f"{choice.undercut_risk:.0%}",
        f"{choice.expected_turns:.1f}",
    )


def place_text(view: GinView) -> str:
    """Return what a player sees, in a few lines."""
    from handful.rummy.cards import format_cards
    from handful.rummy.gin import best_arrangement

    lines = [
        f"score {view.scores[0]}-{view.scores[1]}, {view.stock_size} cards in the stock, "
        + (f"upcard {view.upcard}" if view.upcard else "no upcard"),
        f"you: {best_arrangement(view.hand)}",
    ]
    if view.known:
        lines.append(f"the opponent took and has: {format_cards(view.known)}")
    if view.thrown:
        lines.append(f"the opponent threw: {format_cards(view.thrown)}")
    return "\n".join(lines)


def ending_text(settlement: Settlement, names: tuple[str, str]) -> str:
    """Return how a round ended."""
    if settlement.knocker is None:
        return "The round is void: nobody knocked."
    who = names[settlement.knocker]
    what = {"gin": "has gin", "big gin": "has big gin"}.get(settlement.ending, f"knocked: {settlement.knocked}")
    lines = [f"{who} {what}."]
    if settlement.defence:
        lines.append(f"{names[1 - settlement.knocker]}: {settlement.defence.arrangement}")
        if settlement.defence.laid_off:
            lines[-1] += " (laid off: " + " ".join(map(str, settlement.defence.laid_off)) + ")"
    if settlement.winner is None:
        lines.append("Nobody gets points.")
    else:
        how = " by an undercut" if settlement.ending == "undercut" else ""
        lines.append(f"{names[settlement.winner]} gets {settlement.points} points{how}.")
    return "\n".join(lines)
