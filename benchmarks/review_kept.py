"""Measure how often kept cards could be played, for docs/review.md: ``python -m benchmarks.review_kept [GAMES]``.

Hints and counting give each card a chance; players who know more than that keep fewer cards that can be played. Beside
both is what a review takes it to be: with the doubt that the other cards of the same game give.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi import Deal, Rules
from handful.hanabi.cards import card_index
from handful.lab.review.doubt import Doubt, slots_kept

SEED = 518_022
BOTS = ((2, "random"), (2, "rules"), (4, "rules(reading=text)"), (3, "partner"), (2, "conventions"), (4, "information"))
HEADER = ("games of", "players", "cards kept", "by hints", "with doubt", "could be played")


class Card(NamedTuple):
    """A card on a turn on which it was kept: its chance by hints, that with doubt, and whether it could be played."""

    by_hints: float
    with_doubt: float
    is_playable: bool


def cards_kept(players: int, bot: str, number: int) -> Iterator[Card]:
    """Yield the cards that were kept in a game."""
    rules = Rules(players=players)
    game = play_game(Deal.from_seed(rules, SEED, number), [player_named(bot).plain] * players, SEED, number)
    states = [game.after(turn) for turn in range(len(game.history) + 1)]
    doubt = Doubt(states)
    for state, turn in zip(states, game.history, strict=False):
        view, left = state.view(state.current), 1.0 - doubt.of(turn.number)
        kept = slots_kept(view, turn.action)
        for slot, card in enumerate(state.hand(state.current)):
            if kept >> slot & 1:
                chance = view.chance(slot, view.playable_mask)
                is_playable = bool(view.playable_mask >> card_index(rules.variant, card) & 1)
                yield Card(chance, left * chance / (left * chance + 1.0 - chance), is_playable)


def row(players: int, bot: str, games: int) -> list[str]:
    """Return the row of a bot."""
    found = [card for number in range(games) for card in cards_kept(players, bot, number)]
    shares = (fmean(getattr(card, name) for card in found) for name in Card._fields)
    return [f"`{bot}`", f"{players}", f"{len(found):,}", *(f"{share:.1%}" for share in shares)]


def main(games: str = "30") -> None:
    """Measure so many games of each bot."""
    rows = [row(players, bot, int(games)) for players, bot in BOTS]
    note = (
        f"Measured with `python -m benchmarks.review_kept {games}`: games of seed {SEED}; cards that hints leave "
        "open to be playable, on every turn on which they were kept."
    )
    replace_table("review.md", "kept cards", f"\n{note}\n\n{markdown_table(HEADER, rows)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
