"""Let every pair of bots meet at one table, for the matrices of docs/partner.md: ``python -m benchmarks.crossplay``.

With two players one of each sits down; with three, one of the row and two of the column. Every seat begins equally
often. Deals are those of a seed by which nothing was chosen.
"""

from __future__ import annotations

import sys

from benchmarks.tables import markdown_table, replace_table
from handful.bots.players import REGISTER, player_named
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import CompiledTable
from handful.errors import RulesError
from handful.hanabi import Rules

SEED = 712_003
# All bots that are quick enough for thousands of games: the others search, or think in play-outs.
BOTS = ("random", "rules", "rules(reading=text)", "information", "conventions", "partner(level=1)", "partner")


def compiled(name: str, rules: Rules) -> CompiledBot | None:
    """Return a bot as the compiled table takes it; None if it does not play with so many."""
    player = player_named(name)
    try:
        REGISTER[name.partition("(")[0]].check(rules)
    except RulesError:
        return None
    return player.compile(rules)


def mean_score(rules: Rules, row: CompiledBot, column: CompiledBot, games: int) -> float:
    """Return the mean of one of the row among those of the column, with each seat for it in its turn."""
    total = 0.0
    for seat in range(rules.players):
        bots = [row if other == seat else column for other in range(rules.players)]
        total += float(CompiledTable(rules, bots).play(SEED, 0, games).scores.mean())
    return total / rules.players


def main(games: str = "2000") -> None:
    """Play, and write the matrices."""
    for players in (2, 3):
        rules = Rules(players=players)
        found = {name: compiled(name, rules) for name in BOTS}
        bots = {name: bot for name, bot in found.items() if bot is not None}
        rows = [
            [f"`{name}`", *(f"{mean_score(rules, row, column, int(games)):.2f}" for column in bots.values())]
            for name, row in bots.items()
        ]
        header = ("one of · with" if players == 2 else "one of · with two of", *(f"`{name}`" for name in bots))
        note = (
            f"Mean scores of {int(games):,} deals of seed {SEED} for each seat, by "
            f"`python -m benchmarks.crossplay {games}`; a third strike scores 0."
        )
        replace_table("partner.md", f"crossplay {players}", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
