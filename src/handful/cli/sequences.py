"""`handful sequences`: how many sequences can be played with a hand of m cards, or how one of them can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.options import JsonOption, WorkersOption, parse_seed, positive_number, whole_number
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import NotationError, RulesError

if TYPE_CHECKING:
    from rich.table import Table

    from handful.hanabi.cards import Card
    from handful.hanabi.rules import EndOfDeck
    from handful.lab.sequences import SequenceSample
    from handful.playability.sequences.counting import PublishedRow, SequenceCount
    from handful.playability.sequences.line import SequenceLine

UNPLAYABLE = 1  # exit code: the answer is no


def sequences(
    copies: Annotated[
        list[int] | None,
        typer.Argument(
            parser=whole_number, metavar="X1 X2 …", help="How many cards of value 1, of value 2, …", show_default=False
        ),
    ] = None,
    hand: Annotated[
        int | None,
        typer.Option("--hand", parser=positive_number, metavar="M", help="Cards in the hand.", show_default=False),
    ] = None,
    suits: Annotated[
        int, typer.Option("--suits", parser=positive_number, metavar="C", help="How many suits with these copies.")
    ] = 1,
    is_table: Annotated[bool, typer.Option("--table", help="The published table: 126 decks of ten cards.")] = False,
    sequence: Annotated[
        str | None,
        typer.Option("--sequence", metavar="TEXT", help="Play this one: '4 2 3 1' or 'r1 y2 …'.", show_default=False),
    ] = None,
    is_endless: Annotated[bool, typer.Option("--endless", help="The empty deck does not end the game.")] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", parser=positive_number, metavar="N", help="Shuffle N times instead.", show_default=False
        ),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", "-s", metavar="S", help="A number: which sample.")] = "0",
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the sequences of a deck that a single player with M cards in hand can play, knowing all of them.

    Every turn plays or throws a card and draws the next; after the last card is drawn there is one more turn. Counts
    are exact; large decks need --sample. --table is that of van den Bergh 2015, Appendix A, for one hand size or
    for all five. With --sequence the answer is the line; if there is none, the exit code is 1.

    Example: handful sequences --hand 2 3 2 2 2 1

    Example: handful sequences --hand 5 --suits 5 3 2 2 2 1 --sample 100000

    Example: handful sequences --hand 2 --sequence "4 2 3 1 3 2 1 4"

    Example: handful sequences --table --json
    """
    end_of_deck: EndOfDeck = "never" if is_endless else "last-round"
    if (copies is not None) + is_table + (sequence is not None) != 1:
        raise NotationError("expected either copies such as 3 2 2 2 1, or --table, or --sequence")
    if is_table:
        _table(hand, as_json, others_given=is_endless or sample is not None or suits != 1)
        return
    if hand is None:
        raise NotationError("--hand is missing: expected how many cards are in the hand")
    if sequence is not None:
        _play(sequence, hand, end_of_deck, as_json)
    elif sample is not None:
        _sample(copies or [], hand, suits, end_of_deck, sample, seed, workers, as_json)
    else:
        _count(copies or [], hand, suits, end_of_deck, as_json)


def _count(copies: list[int], hand: int, suits: int, end_of_deck: EndOfDeck, as_json: bool) -> None:
    from handful.playability.sequences.counting import count_sequences

    try:
        found = count_sequences(copies, hand, suits, end_of_deck)
    except RulesError as error:
        raise RulesError(str(error).replace("or a sample", "or --sample N")) from error
    if as_json:
        print_json(found.to_dict())
        return
    table = _deck_table(found)
    table.add_row("sequences", f"{found.total:,}")
    table.add_row("playable", f"{found.playable:,}")
    table.add_row("unplayable", f"{found.unplayable:,}")
    table.add_row("fraction", f"{float(found.fraction):.12g}")
    console().print(table)


def _sample(
    copies: list[int],
    hand: int,
    suits: int,
    end_of_deck: EndOfDeck,
    total: int,
    seed_text: str,
    workers: int | None,
    as_json: bool,
) -> None:
    from handful.lab.sequences import sample_sequences

    seed = parse_seed(seed_text)
    if seed.live is not None or seed.game:
        raise NotationError(f"--seed {seed_text} is a single deal: expected a number")
    prepare_solver()
    with progress_bar(f"hand of {hand}", total, "sequences") as advance:
        found = sample_sequences(
            copies,
            hand,
            suits,
            total=total,
            seed=seed.number,
            end_of_deck=end_of_deck,
            workers=workers,
            on_progress=advance,
        )
    if as_json:
        print_json(found.to_dict())
        return
    low, high = found.ci95
    table = _deck_table(found)
    table.add_row("sequences", f"{found.total:,} (seed {found.seed})")
    table.add_row("playable", f"{found.playable:,}")
    if found.undecided:
        table.add_row("undecided", f"{found.undecided:,}")
    table.add_row("fraction", f"{found.fraction:.4%}   ({low:.4%} to {high:.4%})")
    table.caption = "( to ): 95 % confidence"
    console().print(table)


def _deck_table(found: SequenceCount | SequenceSample) -> Table:
    from rich.table import Table

    suits = "" if found.suits == 1 else f" in {found.suits} suits"
    title = f"copies {' '.join(map(str, found.copies))}{suits}, hand of {found.hand}"
    table = Table(title=title, title_style="bold", show_header=False)
    table.add_column()
    table.add_column(justify="right", overflow="fold")
    table.add_row("cards", f"{found.suits * sum(found.copies)}")
    table.add_row("end of the deck", "does not end the game" if found.end_of_deck == "never" else "one last turn")
    return table


def _table(hand: int | None, as_json: bool, others_given: bool) -> None:
    from handful.playability.sequences.counting import PUBLISHED_HANDS, published_rows, published_table, total_fraction

    if others_given:
        raise NotationError("--table takes --hand and --json alone")
    if hand is not None and hand > sum(published_rows()[0].copies):
        raise RulesError(f"--hand {hand}: expected 1 to 10, for the decks of the table have ten cards")
    hands = PUBLISHED_HANDS if hand is None else (hand,)
    with progress_bar("Appendix A", len(published_rows()), "decks") as advance:
        table = published_table(hands, advance)
    if as_json:
        counts = [found for _, row in table for found in row]
        fraction = total_fraction(counts)
        print_json(
            {
                "source": "van den Bergh 2015, Appendix A",
                "hands": list(hands),
                "total": sum(found.total for found in counts),
                "playable": sum(found.playable for found in counts),
                "fraction": float(fraction),
                "rows": [_row_dict(published, found) for published, row in table for found in row],
            }
        )
        return
    _print_table(hands, table)


def _row_dict(published: PublishedRow, found: SequenceCount) -> dict[str, Any]:
    return {**found.to_dict(), "published": published.printed.get(found.hand)}


def _print_table(hands: tuple[int, ...], table: list[tuple[PublishedRow, list[SequenceCount]]]) -> None:
    from rich.table import Table

    shown = Table(title="van den Bergh 2015, Appendix A: playable fraction", title_style="bold")
    shown.add_column("copies")
    for hand in hands:
        shown.add_column(f"hand {hand}", justify="right")
    misprints = 0
    for published, row in table:
        cells = []
        for found in row:
            printed = published.printed.get(found.hand)
            is_misprint = printed is not None and printed != published.fractions[found.hand]
            misprints += is_misprint
            cells.append(f"{float(found.fraction):.4f}" + (f" (printed {printed:.4f})" if is_misprint else ""))
        shown.add_row(" ".join(map(str, published.copies)), *cells)
    shown.caption = f"{len(table) * len(hands):,} fractions; misprints: {misprints}"
    console().print(shown)


def _play(text: str, hand: int, end_of_deck: EndOfDeck, as_json: bool) -> None:
    from handful.playability.sequences.line import play_sequence

    found = play_sequence(_cards(text), hand, end_of_deck=end_of_deck)
    print_json(found.to_dict()) if as_json else _print_line(found)
    if not found.playable:
        raise typer.Exit(UNPLAYABLE)


def _cards(text: str) -> list[Card]:
    """Return the cards of a sequence: numbers are those of a single suit."""
    from handful.hanabi.cards import Card, parse_cards
    from handful.hanabi.variants import Variant

    words = text.replace(",", " ").split()
    if not words:
        raise NotationError("--sequence is empty: expected cards such as '4 2 3 1' or 'r1 y2'")
    if all(word.isascii() and word.isdigit() and len(word) <= 6 for word in words):
        return [Card(0, int(word)) for word in words]
    highest = max((int(word[1:]) for word in words if word[1:].isdecimal() and len(word) <= 7), default=1)
    return parse_cards(Variant.custom(10, values=max(1, min(highest, 1000))), text)


def _print_line(found: SequenceLine) -> None:
    from rich.table import Table

    what = f"{found.points} points with a hand of {found.hand}"
    if not found.playable:
        console().print(f"{what}: not playable")
        return
    table = Table(title=f"{what}: playable", title_style="bold")
    for name in ("turn", "", "card", "place", "kept"):
        table.add_column(name, justify="right" if name in ("turn", "place") else "left")
    for step in found.steps:
        kept = " ".join(_card_text(found, place) for place in step.kept)
        table.add_row(str(step.turn), step.action, _card_text(found, step.place), str(step.place), kept)
    console().print(table)


def _card_text(found: SequenceLine, place: int) -> str:
    from handful.hanabi.cards import card_text
    from handful.hanabi.variants import Variant

    card = found.cards[place - 1]
    is_single_suit = all(each.suit == 0 for each in found.cards)
    return str(card.value) if is_single_suit else card_text(Variant.custom(10, values=card.value), card)
