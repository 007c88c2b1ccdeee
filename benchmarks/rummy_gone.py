"""How good advice is when cards are gone: against decks that are solved exactly, at positions from played games.

One to five players play by the table of the whole deck, with a real pile; when so many cards lie thrown, the hand of
each is a position. The same cards are left for all of them, so one exact solution serves them all. What was measured is
kept (`--store`), deck by deck, so that a run that was stopped goes on; at the end the figures that answers quote are
written, and the table in docs/rummy.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.tables import markdown_table, replace_table
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
    (5, 10, 1, 25),
    (5, 20, 1, 50),
    (6, 20, 5, 18),
    (6, 20, 1, 10),
    (5, 15, 2, 20),
    (6, 15, 5, 8),
    (5, 10, 5, 6),
    (6, 10, 5, 5),
    (5, 20, 5, 11),
    (6, 20, 2, 10),
    (6, 15, 2, 6),
    (6, 10, 2, 3),
)


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
        for draw in exact.places:
            if draw not in hand:
                after = {each.card: each.expected_turns for each in exact.discards(hand, draw)}
                losses.append(after[judgement.discards(hand, draw)[0].card] - min(after.values()))
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


def all_decks() -> Iterator[tuple[int, int, int, int]]:
    """Yield cards, gone, players and the number of each deck: spread, so that a part of them is so, too."""
    spread = [
        ((number + 0.5) / decks, place, (cards, gone, players, number))
        for place, (cards, gone, players, decks) in enumerate(DECKS)
        for number in range(decks)
    ]
    for _, _, deck in sorted(spread):
        yield deck


def run(store: Path, limit: float) -> None:
    """Measure what is not in the store, until so many CPU seconds are gone."""
    done = {(each["cards"], each["gone"], each["players"], each["number"]) for each in _stored(store)}
    for cards, gone, players, number in all_decks():
        if (cards, gone, players, number) in done:
            continue
        if time.process_time() > limit:
            print("stopped: the time is up")
            return
        answers = solve(cards, "low")
        added = added_of(answers)
        seed = 100_000 * cards + 10_000 * players + 100 * number
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


def write(store: Path) -> None:
    """Write the figures that answers quote, and the table in the documentation."""
    hands: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for deck in _stored(store):
        hands[deck["cards"], deck["gone"]] += deck["hands"]
    with MEASURED.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["cards", "gone", "positions", "error", "greatest", "loss"])
        for (cards, gone), found in sorted(hands.items()):
            errors = [abs(each["near"]["error"]) for each in found]
            loss = fmean(each["near"]["loss"] for each in found)
            writer.writerow([cards, gone, len(found), f"{fmean(errors):.4f}", f"{max(errors):.4f}", f"{loss:.4f}"])
    rows = []
    for (cards, gone), found in sorted(hands.items()):
        cells = []
        for name in ("table", "plies", "summed", "near"):
            error, loss = fmean(abs(each[name]["error"]) for each in found), fmean(each[name]["loss"] for each in found)
            cells.append(f"{error:.3f} / {loss:.4f}")
        exact = fmean(each["exact"] for each in found)
        rows.append([f"{cards}, {gone}", str(len(found)), f"{exact:.2f}", *cells])
    note = (
        "Written by `python -m benchmarks.rummy_gone`; aces low. Mean error of the expected turns / cost of the throw."
    )
    header = ["cards, gone", "positions", "turns, exact", "whole deck", "two plies", "added turns", "the game nearby"]
    replace_table("rummy.md", "cards gone", f"\n{note}\n\n{markdown_table(header, rows)}\n")


def main() -> None:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, default=answers_folder() / "gone-measured.jsonl")
    parser.add_argument("--cpu-seconds", type=float, default=1800.0)
    parser.add_argument("--write-only", action="store_true")
    given = parser.parse_args()
    if not given.write_only:
        run(given.store, given.cpu_seconds)
    write(given.store)


if __name__ == "__main__":
    main()
