"""How good advice is when cards are gone: against decks that are solved exactly, at positions from played games.

One to five players play by the table of the whole deck, with a real pile; when so many cards lie thrown, the hand of
each is a position. The same cards are left for all of them, so one exact solution serves them all. What was measured is
kept (`--store`), deck by deck, so that a run that was stopped goes on; at the end the figures that answers quote are
written, and the table and the picture in docs/rummy.md. Needs the extra `plots` for the picture.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.rummy_gone_picture import draw
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.rummy import Answers, Card, answers_folder, is_rummy, solve
from handful.rummy.cards import cards_of, format_cards
from handful.rummy.gone.added import Added, added_of
from handful.rummy.gone.kernels.judgement import PLAIN, SUMMED
from handful.rummy.gone.measured import MEASURED
from handful.rummy.gone.nearby import Nearby, make_judgement
from handful.rummy.reduced_deck import ReducedDeck
from handful.splitmix import SplitMix64

# Cards in hand, cards gone, players, decks: where an exact solution takes a minute there are fewer. Of one player all
# cards that are gone were of no use to this hand; of five, most of them to others.
DECKS = (
    (5, 5, 1, 5),
    (5, 5, 5, 3),
    (5, 10, 1, 10),
    (5, 10, 2, 5),
    (5, 10, 5, 8),
    (5, 15, 1, 10),
    (5, 15, 2, 5),
    (5, 15, 5, 10),
    (5, 20, 1, 10),
    (5, 20, 2, 5),
    (5, 20, 5, 10),
    (6, 10, 1, 2),
    (6, 10, 5, 6),
    (6, 15, 1, 2),
    (6, 15, 2, 1),
    (6, 15, 5, 10),
    (6, 20, 1, 6),
    (6, 20, 2, 3),
    (6, 20, 5, 22),
    (7, 20, 1, 2),
    (7, 20, 5, 3),
)
# What judges hands, as it is kept, and in words.
JUDGES = {"table": "whole deck", "plies": "two plies", "summed": "added turns", "near": "the game nearby"}


def positions(
    answers: Answers, gone: int, players: int, seed: int
) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]] | None:
    """Return the hands of all players when so many cards are gone, and which; None if somebody was out before."""
    size = answers.game.cards
    deck = list(cards_of((1 << 52) - 1))
    SplitMix64(seed).shuffle(deck)
    hands = [tuple(deck[size * player : size * (player + 1)]) for player in range(players)]
    pile, thrown = deck[players * size :], []
    for turn in range(gone):
        player = turn % players
        best = answers.discards(hands[player], pile.pop())[0]
        hands[player] = best.keeps
        thrown.append(best.card)
        if is_rummy(best.keeps, answers.game.aces):
            return None
    return hands, tuple(sorted(thrown))


def measure(answers: Answers, added: Added, gone: int, players: int, seed: int) -> dict[str, Any] | None:
    """Return how far each judgement is from the exact solution, for each hand; None if there is no such position."""
    found = positions(answers, gone, players, seed)
    if found is None:
        return None
    hands, out = found
    started = time.process_time()
    exact = ReducedDeck(answers.game.cards, answers.game.aces, out)
    told: dict[str, Any] = {
        "cards": answers.game.cards,
        "gone": gone,
        "players": players,
        "seed": seed,
        "out": format_cards(out),
    }
    told["exact_seconds"] = time.process_time() - started
    told["hands"] = [_compare(answers, added, exact, hand, out) for hand in hands]
    return told


def _compare(
    answers: Answers, added: Added, exact: ReducedDeck, hand: tuple[Card, ...], out: tuple[Card, ...]
) -> dict[str, Any]:
    truth = exact.expected_turns(hand)
    summed = make_judgement(answers, added.rows, out, SUMMED)
    whole = make_judgement(answers, None, out, PLAIN)
    started = time.process_time()
    near = Nearby(summed, hand)
    seconds = time.process_time() - started
    judgements: dict[str, Any] = {
        "table": answers,
        "plies": Nearby(whole, hand, 0),
        "summed": _Summed(added, answers, out),
        "near": near,
    }
    result: dict[str, Any] = {"hand": format_cards(hand), "exact": truth, "seconds": seconds}
    for name, judgement in judgements.items():
        losses = []
        for drawn in exact.places:
            if drawn not in hand:
                after = {each.card: each.expected_turns for each in exact.discards(hand, drawn)}
                losses.append(after[judgement.discards(hand, drawn)[0].card] - min(after.values()))
        result[name] = {"error": judgement.expected_turns(hand) - truth, "loss": fmean(losses)}
    return result


class _Summed:
    """The model of the thesis alone: the turns that each card adds, summed up."""

    def __init__(self, added: Added, answers: Answers, out: tuple[Card, ...]) -> None:
        self.judgement, self.size = make_judgement(answers, added.rows, out, SUMMED), answers.game.cards

    def expected_turns(self, hand: tuple[Card, ...]) -> float:
        from handful.rummy.cards import mask_of
        from handful.rummy.gone.kernels.judgement import judge_all

        found = np.zeros(1)
        judge_all(self.judgement, np.array([mask_of(hand)]), found)
        return float(found[0])

    def discards(self, hand: tuple[Card, ...], draw: Card) -> tuple[object, ...]:
        from handful.rummy.answers import discards_of

        return discards_of(hand, draw, self.expected_turns)


def all_decks(size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield cards, gone, players and the number of each deck: spread, so that a part of them is so, too."""
    spread = [
        ((number + 0.5) / decks, place, (cards, gone, players, number))
        for place, (cards, gone, players, decks) in enumerate(DECKS)
        for number in range(decks)
        if cards == size
    ]
    for _, _, deck in sorted(spread):
        yield deck


def run(store: Path, size: int, limit: float, part: tuple[int, int]) -> None:
    """Measure what is not in the store of hands of a size, until so many CPU seconds are gone.

    A part, such as (0, 2), has every other deck: so that several runs can share the work.
    """
    done = {(each["cards"], each["gone"], each["players"], each["number"]) for each in _stored(store)}
    answers = solve(size, "low")
    added = added_of(answers)
    for place, (cards, gone, players, number) in enumerate(all_decks(size)):
        if place % part[1] != part[0] or (cards, gone, players, number) in done:
            continue
        if time.process_time() > limit:
            print("stopped: the time is up")
            return
        seed = 10_000_000 * cards + 100_000 * gone + 10_000 * players + 100 * number
        while (told := measure(answers, added, gone, players, seed)) is None:
            seed += 1
        with store.open("a") as file:
            file.write(json.dumps({**told, "number": number}) + "\n")
        near = [hand["near"]["error"] for hand in told["hands"]]
        print(
            f"{cards} cards, {gone} gone, {players} players: {told['exact_seconds']:.1f} s, {np.round(near, 3)}",
            flush=True,
        )


def _stored(store: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []


def mean_error(hands: Sequence[dict[str, Any]], judge: str) -> float:
    """Return by how many turns a judge is off on average."""
    return fmean(abs(each[judge]["error"]) for each in hands)


def mean_loss(hands: Sequence[dict[str, Any]], judge: str) -> float:
    """Return what the throws that a judge chooses cost on average, over all draws."""
    return fmean(each[judge]["loss"] for each in hands)


def write(store: Path) -> None:
    """Write the figures that answers quote, the table in the documentation, and the picture."""
    hands: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    decks: dict[tuple[int, int], int] = defaultdict(int)
    for deck in _stored(store):
        hands[deck["cards"], deck["gone"]] += deck["hands"]
        decks[deck["cards"], deck["gone"]] += 1
    with MEASURED.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["cards", "gone", "positions", "error", "greatest", "loss"])
        for (cards, gone), found in sorted(hands.items()):
            errors = [abs(each["near"]["error"]) for each in found]
            loss = mean_loss(found, "near")
            writer.writerow([cards, gone, len(found), f"{fmean(errors):.4f}", f"{max(errors):.4f}", f"{loss:.4f}"])
    rows = []
    for (cards, gone), found in sorted(hands.items()):
        rows.append([f"{cards}, {gone}", *_row(found, decks[cards, gone])])
    for size in sorted({cards for cards, _ in hands}):
        for name, most in (("to 10", 10), ("all", 52)):
            keys = [key for key in hands if key[0] == size and key[1] <= most]
            found = [each for key in keys for each in hands[key]]
            if found:
                rows.append([f"**{size}, {name}**", *_row(found, sum(decks[key] for key in keys))])
    note = (
        "Written by `python -m benchmarks.rummy_gone`; aces low. Mean error of the expected turns / cost of the throw."
    )
    header = ["cards, gone", "positions", "decks", "turns, exact", *JUDGES.values(), "greatest error nearby"]
    picture = "![Error against cards gone](pictures/rummy-gone.svg)"
    replace_table("rummy.md", "cards gone", f"\n{note}\n\n{markdown_table(header, rows)}\n\n{picture}\n")
    errors_by_judge = {
        name: {key: mean_error(found, judge) for key, found in hands.items()} for judge, name in JUDGES.items()
    }
    draw(errors_by_judge, DOCS / "pictures" / "rummy-gone.svg")


def _row(found: Sequence[dict[str, Any]], decks: int) -> list[str]:
    """Return what is said of some positions."""
    cells = [f"{mean_error(found, judge):.3f} / {mean_loss(found, judge):.4f}" for judge in JUDGES]
    exact, greatest = fmean(each["exact"] for each in found), max(abs(each["near"]["error"]) for each in found)
    return [str(len(found)), str(decks), f"{exact:.2f}", *cells, f"{greatest:.2f}"]


def main() -> None:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, default=answers_folder() / "gone-measured.jsonl")
    parser.add_argument("--cards", type=int, nargs="*", choices=(5, 6, 7), default=(5, 6))
    parser.add_argument("--cpu-seconds", type=float, default=1800.0)
    parser.add_argument("--part", default="0/1", help="such as 0/2 and 1/2, for two runs at once")
    parser.add_argument("--write-only", action="store_true")
    given = parser.parse_args()
    number, parts = map(int, given.part.split("/"))
    for size in () if given.write_only else given.cards:
        run(given.store, size, given.cpu_seconds, (number, parts))
    if parts == 1:
        write(given.store)


if __name__ == "__main__":
    main()
