"""`handful solitaire`: Solitaire Hanabi solved, and 3-SAT as Solitaire Hanabi."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.options import TIME_LIMIT, JsonOption, TimeLimitOption, option, positive_number, whole_number
from handful.cli.shared.output import ANSWERS, PLAIN, console, counted, listing
from handful.cli.shared.progress import progress_bar
from handful.errors import NotationError

if TYPE_CHECKING:
    from rich.console import Console

    from handful.playability.solitaire import SolitaireAnswer
    from handful.playability.solitaire.game import Solitaire
    from handful.playability.solitaire.three_sat import Reduction

THE_ANSWER_IS_NO = 1
MOST_ROWS = 200
MOST_CARDS = 60

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def solitaire(context: typer.Context) -> None:
    """Solitaire Hanabi: cards are scanned in a known order, each is played, stored in a small hand, or discarded.

    Both commands take --json, and what reduce writes is what solve reads.

    Example: handful solitaire solve game.txt --hand 2

    Example: handful solitaire reduce formula.cnf --json
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("solve")
def solve(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game: text, or JSON.", show_default=False)],
    method: Annotated[str, option("--method NAME", "auto, greedy, lazy, table or sat.")] = "auto",
    hand: Annotated[int | None, option("--hand H", "Cards in the hand.", whole_number)] = None,
    values: Annotated[
        int | None, option("--values N", "The highest value.  [default: of the cards]", positive_number)
    ] = None,
    suits: Annotated[
        int | None, option("--suits C", "How many suits.  [default: of the cards]", positive_number)
    ] = None,
    copies: Annotated[
        int | None, option("--copies R", "Refuse cards that appear more often than this.", positive_number)
    ] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    as_json: JsonOption = False,
) -> None:
    """Can this game be won? With the moves, one for each card; a stored card is played as soon as it fits.

    A text file has a card for each word: a value (one suit), a suit's name and a value (r3), or VALUE:SUIT (3:2).
    # starts a comment, and hand=2 may stand in it. JSON has hand and sequence, a list of [value, suit]. A method
    that is forced refuses games that it is not for: greedy wants every card once, lazy one suit, table not too many
    states. The exit code is 1 if the answer is no, and 0 if it is yes, or unknown because the time was not enough (only
    sat has a time limit). For a game that reduce has made, the assignment is given, too.

    Example: handful solitaire solve game.txt --hand 2

    Example: handful solitaire solve reduced.json --method sat --json
    """
    from handful.playability.solitaire import solve as solve_game
    from handful.playability.solitaire.files import load_document
    from handful.playability.solitaire.three_sat import reduction_in

    game, document = load_document(file, hand=hand, values=values, suits=suits, copies=copies)
    reduction = reduction_in(document, game)
    with progress_bar("scanning", len(game.sequence), "cards") as advance:
        answer = solve_game(game, method, time_limit=time_limit, on_progress=advance)
    assignment = reduction.assignment(answer.moves) if reduction is not None and answer.winnable else None
    if as_json:
        found = answer.to_dict() | {"hand": game.hand, "values": game.values, "suits": game.suits}
        if assignment is not None:
            found["assignment"] = literals(assignment)
        print(compact(found))
    else:
        _print_answer(console(), file, game, answer, assignment)
    if answer.winnable is False:
        raise typer.Exit(THE_ANSWER_IS_NO)


@app.command("reduce")
def reduce(
    file: Annotated[
        str, typer.Argument(metavar="FILE.cnf", help="A formula in DIMACS form, up to three literals a clause.")
    ],
    hand: Annotated[int, option("--hand H", "Cards in the hand.", positive_number)] = 2,
    copies: Annotated[int, option("--copies R", "Copies of a card, at least 2.", positive_number)] = 2,
    output: Annotated[Path | None, option("--output -o FILE", "Write the game to this file, as JSON.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Turn a formula into a game that can be won if and only if the formula can be satisfied.

    With two copies no card appears more than twice; with more, every card appears exactly so often. The parts of the
    sequence have names: V1, V2, … the variables, C1, C2, … the clauses, D1, D2, … hand dumps before them; between H
    and H' the hand has a place less. A hand of one has a construction of its own: X1, X2, … are the variables, and
    the suits are the clauses.

    Example: handful solitaire reduce formula.cnf

    Example: handful solitaire reduce formula.cnf --output game.json
    """
    from handful._files import write_whole
    from handful.playability.solitaire.files import load_dimacs
    from handful.playability.solitaire.three_sat import reduce_formula

    reduction = reduce_formula(load_dimacs(file), hand, copies)
    if output is not None:
        try:
            write_whole(output, f"{compact(reduction.to_dict())}\n".encode())
        except (OSError, ValueError) as error:
            raise NotationError(f"{output} cannot be written: {getattr(error, 'strerror', error)}") from None
    if as_json:
        print(compact(reduction.to_dict()))
    else:
        _print_reduction(console(), file, reduction)


def literals(assignment: Sequence[bool]) -> list[int]:
    """Return an assignment as DIMACS has it: the variable, or minus the variable if it is false.

    >>> literals((True, False))
    [1, -2]
    """
    return [variable if value else -variable for variable, value in enumerate(assignment, 1)]


def compact(fields: dict[str, Any]) -> str:
    """Return a JSON object with a line for each field: a long sequence stays on one line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _about(game: Solitaire) -> str:
    """Return the sizes of a game.

    >>> from handful.playability.solitaire.game import Solitaire
    >>> _about(Solitaire.of(1, [(2, 1), (1, 1)]))
    '2 cards, a hand of 1, 2 values, 1 suit, 1 copy at most'
    """
    copies = "1 copy" if game.copies == 1 else f"{game.copies} copies"
    sizes = f"a hand of {game.hand}, {counted(game.values, 'value')}, {counted(game.suits, 'suit')}"
    return f"{counted(len(game.sequence), 'card')}, {sizes}, {copies} at most"


def _print_answer(
    out: Console, name: str, game: Solitaire, answer: SolitaireAnswer, assignment: Sequence[bool] | None
) -> None:
    out.print(f"{name}: {_about(game)}", style="bold", soft_wrap=True)
    out.print(f"Winnable: {ANSWERS[answer.winnable]}.")
    states = f", {answer.states:,} states" if answer.states else ""
    out.print(f"Decided by: {answer.method} ({answer.seconds * 1000:,.1f} ms{states})")
    if assignment is not None:
        out.print(f"Assignment: {' '.join(map(str, literals(assignment)))}", soft_wrap=True)
    if not answer.moves:
        return
    out.print()
    rows = _runs(game, answer.moves)
    for row in islice(rows, MOST_ROWS):
        out.print(row, soft_wrap=True)
    if next(rows, None) is not None:
        out.print("… (--json has every move)")


def _runs(game: Solitaire, moves: Sequence[str]) -> Iterator[str]:
    """Yield the moves, a row for each run of the same: the cards, with those that follow from the hand after a plus."""
    from handful.playability.solitaire.game import PLAY, STORE, Position

    position = Position.start(game)
    row, last = "", ""
    for card, move in zip(game.sequence, moves, strict=True):
        value, suit = card
        text = game.card_text(card)
        if move == PLAY:
            position.play(value, suit)
            followers = range(value + 1, position.heights[suit] + 1)
            text += "".join(f" + {game.card_text((above, suit))}" for above in followers)
        elif move == STORE:
            position.stored.add(card)
        if move != last or len(row) > MOST_CARDS:
            if row:
                yield row
            row, last = f"{move:9}{text}", move
        else:
            row += f"  {text}"
    if row:
        yield row


def _print_reduction(out: Console, name: str, reduction: Reduction) -> None:
    formula, game = reduction.formula, reduction.game
    sizes = f"{counted(formula.variables, 'variable')}, {counted(len(formula.clauses), 'clause')}"
    out.print(f"{name}: {sizes}", style="bold", soft_wrap=True)
    out.print(f"As a game: {_about(game)}. Cards are VALUE:SUIT.")
    table = listing(("part", ">cards", "sequence"), **PLAIN)
    for gadget in reduction.gadgets[:MOST_ROWS]:
        cards = game.sequence[gadget.start : gadget.end]
        table.add_row(gadget.name, str(len(cards)), " ".join(map(game.card_text, cards)))
    out.print(table)
    if len(reduction.gadgets) > MOST_ROWS:
        out.print("… (--json has the whole sequence)")
