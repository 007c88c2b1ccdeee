"""Claim: how the turns of any hand are spread is found in seconds, nearly exactly.

For hands dealt at random, and the worst of each game, beside all hands that can be met, followed without a limit.
Writes the table of docs/rummy.md.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean

from benchmarks.tables import markdown_table, replace_table
from handful.rummy import Answers, Game, distribution
from handful.rummy.answers import open_answers
from handful.rummy.cards import Card, cards_of, format_cards
from handful.rummy.distribution import LEAST_VISITS, Turns, follow, solved_answers
from handful.splitmix import SplitMix64

GAMES = ((6, "low"), (7, "wrap"), (7, "low"))
HANDS = 2  # and the worst
MOST_MET = 4_000_000  # of 7 cards, aces low, about a million hands can be met


def hands_of(answers: Answers, seed: int) -> list[str]:
    """Return the worst hand of a game, and some that are dealt."""
    hands = [answers.summary().worst_hand]
    for number in range(HANDS):
        deck: list[Card] = list(cards_of((1 << 52) - 1))
        SplitMix64(seed + number).shuffle(deck)
        hands.append(format_cards(sorted(deck[: answers.game.cards])))
    return hands


def greatest_difference(one: Turns, other: Turns) -> float:
    """Return the greatest difference of the chances to be done within so many turns."""
    turns = range(max(len(one.chances), len(other.chances)))
    return max(abs(one.chance_within(turn) - other.chance_within(turn)) for turn in turns)


def compare(answers: Answers, hand: str) -> tuple[Turns, Turns, float, float]:
    """Return how the turns of a hand are spread, by all hands that can be met and by lot; and CPU seconds of both."""
    found, seconds = [], []
    for least_visits, room in ((0.0, MOST_MET), (LEAST_VISITS, distribution.MOST_HANDS)):
        started = time.process_time()
        found.append(follow(solved_answers(answers), answers.index(hand), least_visits, most_hands=room))
        seconds.append(time.process_time() - started)
    return found[0], found[1], seconds[0], seconds[1]


def write(rows: list[list[str]]) -> None:
    """Write the table."""
    header = [
        "cards, aces",
        "hands met, at most",
        "all: CPU s",
        "followed",
        "by lot: CPU s",
        "off in P(T ≤ t), mean",
        "greatest",
        "quantiles, greatest",
        "sd, greatest",
    ]
    note = f"Written by `python -m benchmarks.rummy_turns`; the worst hand and {HANDS} that were dealt, of each game."
    replace_table("rummy.md", "spread by lot", f"\n{note}\n\n{markdown_table(header, rows)}\n")


def main() -> None:
    """Measure, and write the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = []
    for cards, aces in GAMES:
        answers = open_answers(Game(cards, aces))
        if answers is None:
            raise SystemExit(f"no table of {cards} cards, aces {aces}: handful rummy solve makes it")
        follow(solved_answers(answers), answers.index(answers.summary().worst_hand), 0.1)  # compiled
        found = [compare(answers, hand) for hand in hands_of(answers, 100 * cards)]
        whole, rough = [each[0] for each in found], [each[1] for each in found]
        off = [greatest_difference(*pair) for pair in zip(whole, rough, strict=True)]
        quantiles = [
            abs(one.quantiles[name] - other.quantiles[name])
            for one, other in zip(whole, rough, strict=True)
            for name in one.quantiles
        ]
        deviations = [abs(one.sd - other.sd) / one.sd for one, other in zip(whole, rough, strict=True)]
        rows.append(
            [
                f"{cards}, {aces}",
                f"{max(each.hands_met for each in whole):,}",
                f"{max(each[2] for each in found):.1f}",
                f"{max(each.hands_met for each in rough):,}",
                f"{max(each[3] for each in found):.1f}",
                f"{fmean(off):.4f}",
                f"{max(off):.4f}",
                str(max(quantiles)),
                f"{max(deviations):.2%}",
            ]
        )
        print(*rows[-1], sep="  ", flush=True)
        write(rows)


if __name__ == "__main__":
    main()
