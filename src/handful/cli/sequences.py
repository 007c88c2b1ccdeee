"""`handful count` and `handful sequences`: how many orders of a deck a hand of one card, or of m, can play; or one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.options import COPIES, JsonOption, WorkersOption, option, parse_many, positive_number
from handful.cli.shared.output import console, figures, listing, print_json
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import NotationError, RulesError
from handful.hanabi.cards import Card, card_text, parse_cards
from handful.hanabi.variants import Variant

if TYPE_CHECKING:
    from handful.hanabi.rules import EndOfDeck
    from handful.lab.sequences import SequenceSample
    from handful.playability.sequences.counting import PlayableCount, PublishedRow, SequenceCount
    from handful.playability.sequences.line import SequenceLine

UNPLAYABLE = 1  # exit code: the answer is no


def count(
    copies: Annotated[list[int], COPIES],
    as_json: JsonOption = False,
) -> None:
    """Count the sequences that contain 1, 2, 3, … in this order: those that a hand of one card can play.

    All numbers are exact (van den Bergh 2015, Theorem 3.25). A deck of playing cards, its suits aside, has four cards
    of each of 13 values. For larger hands there is handful sequences.

    Example: handful count 3 2 2 2 1

    Example: handful count 4 4 4 4 4 4 4 4 4 4 4 4 4 --json
    """
    from handful.playability.sequences import counting

    found = counting.count(copies)
    title = f"copies {' '.join(map(str, found.copies))}, hand of 1"
    rows = [
        ("cards", f"{sum(found.copies):,}"),
        *_counted_rows(found),
        ("probability", f"{float(found.probability):.12g}"),
    ]
    shown = figures(title, rows, "exact: Theorem 3.25, docs/counting.md", is_right=True)
    print_json(found.to_dict()) if as_json else console().print(shown)


def sequences(
    copies: Annotated[list[int] | None, COPIES] = None,
    hand: Annotated[int | None, option("--hand M", "Cards in the hand.", positive_number)] = None,
    suits: Annotated[int, option("--suits C", "How many suits with these copies.", positive_number)] = 1,
    is_table: Annotated[bool, option("--table", "The published table: 126 decks of ten cards.")] = False,
    sequence: Annotated[str | None, option("--sequence TEXT", "Play this one: '4 2 3 1' or 'r1 y2 …'.")] = None,
    is_endless: Annotated[bool, option("--endless", "The empty deck does not end the game.")] = False,
    sample: Annotated[int | None, option("--sample N", "Shuffle N times instead.", positive_number)] = None,
    seed: Annotated[str, option("--seed -s S", "A number: which sample.")] = "0",
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
        what = {"copies": copies, "hand": hand, "suits": suits, "end_of_deck": end_of_deck}
        _sample(what, sample, parse_many(seed), workers, as_json)
    else:
        _count(copies or [], hand, suits, end_of_deck, as_json)


def _count(copies: list[int], hand: int, suits: int, end_of_deck: EndOfDeck, as_json: bool) -> None:
    from handful.playability.sequences.counting import count_sequences

    try:
        found = count_sequences(copies, hand, suits, end_of_deck)
    except RulesError as error:
        raise RulesError(str(error).replace("or a sample", "or --sample N")) from error
    rows = [*_deck_rows(found), *_counted_rows(found), ("fraction", f"{float(found.fraction):.12g}")]
    print_json(found.to_dict()) if as_json else console().print(figures(_title(found), rows, is_right=True))


def _sample(what: dict[str, Any], total: int, seed: int, workers: int | None, as_json: bool) -> None:
    from handful.lab.sequences import sample_sequences

    prepare_solver()
    with progress_bar(f"hand of {what['hand']}", total, "sequences") as advance:
        found = sample_sequences(**what, total=total, seed=seed, workers=workers, on_progress=advance)
    low, high = found.ci95
    rows = [
        *_deck_rows(found),
        ("sequences", f"{found.total:,} (seed {found.seed})"),
        ("playable", f"{found.playable:,}"),
        *([("undecided", f"{found.undecided:,}")] if found.undecided else []),
        ("fraction", f"{found.fraction:.4%}   ({low:.4%} to {high:.4%})"),
    ]
    shown = figures(_title(found), rows, "( to ): 95 % confidence", is_right=True)
    print_json(found.to_dict()) if as_json else console().print(shown)


def _title(found: SequenceCount | SequenceSample) -> str:
    suits = "" if found.suits == 1 else f" in {found.suits} suits"
    return f"copies {' '.join(map(str, found.copies))}{suits}, hand of {found.hand}"


def _deck_rows(found: SequenceCount | SequenceSample) -> list[tuple[str, str]]:
    end = "does not end the game" if found.end_of_deck == "never" else "one last turn"
    return [("cards", f"{found.suits * sum(found.copies)}"), ("end of the deck", end)]


def _counted_rows(found: SequenceCount | PlayableCount) -> list[tuple[str, str]]:
    return [
        ("sequences", f"{found.total:,}"),
        ("playable", f"{found.playable:,}"),
        ("unplayable", f"{found.unplayable:,}"),
    ]


def _table(hand: int | None, as_json: bool, others_given: bool) -> None:
    from handful.playability.sequences.counting import PUBLISHED_HANDS, published_rows, published_table, total_fraction

    if others_given:
        raise NotationError("--table takes --hand and --json alone")
    num_cards = sum(published_rows()[0].copies)
    if hand is not None and hand > num_cards:
        raise RulesError(f"--hand {hand}: expected 1 to {num_cards}, for the decks of the table have {num_cards} cards")
    hands = PUBLISHED_HANDS if hand is None else (hand,)
    with progress_bar("Appendix A", len(published_rows()), "decks") as advance:
        table = published_table(hands, advance)
    if as_json:
        counts = [found for _, row in table for found in row]
        print_json(
            {
                "source": "van den Bergh 2015, Appendix A",
                "hands": list(hands),
                "total": sum(found.total for found in counts),
                "playable": sum(found.playable for found in counts),
                "fraction": float(total_fraction(counts)),
                "rows": [
                    {**found.to_dict(), "published": published.printed.get(found.hand)}
                    for published, row in table
                    for found in row
                ],
            }
        )
        return
    _print_table(hands, table)


def _print_table(hands: tuple[int, ...], table: list[tuple[PublishedRow, list[SequenceCount]]]) -> None:
    columns = ("copies", *(f">hand {hand}" for hand in hands))
    shown = listing(columns, title="van den Bergh 2015, Appendix A: playable fraction")
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
    words = text.replace(",", " ").split()
    if not words:
        raise NotationError("--sequence is empty: expected cards such as '4 2 3 1' or 'r1 y2'")
    if all(word.isascii() and word.isdigit() and len(word) <= 6 for word in words):
        return [Card(0, int(word)) for word in words]
    highest = max((int(word[1:]) for word in words if word[1:].isdecimal() and len(word) <= 7), default=1)
    return parse_cards(Variant.custom(10, values=max(1, min(highest, 1000))), text)


def _print_line(found: SequenceLine) -> None:
    what = f"{found.points} points with a hand of {found.hand}"
    if not found.playable:
        console().print(f"{what}: not playable")
        return
    table = listing((">turn", "", "card", ">place", "kept"), title=f"{what}: playable")
    for step in found.steps:
        kept = " ".join(_card_text(found, place) for place in step.kept)
        table.add_row(str(step.turn), step.action, _card_text(found, step.place), str(step.place), kept)
    console().print(table)


def _card_text(found: SequenceLine, place: int) -> str:
    card = found.cards[place - 1]
    is_single_suit = all(each.suit == 0 for each in found.cards)
    return str(card.value) if is_single_suit else card_text(Variant.custom(10, values=card.value), card)
