"""Games to serve, as the site has them: played by bots, with people's names, on the site's own seeds."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.hanabi.live.records import Record
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.variants import variant_named

PEOPLE = ("ann", "ben", "Čeněk", "dora w", "eve/5", "finn")
FIRST_ID = 1_000_000


def played(number: int, bot: str = "rules", players: int = 3, variant: str = "No Variant") -> dict[str, Any]:
    """Return game `number`, as `/export/` has it; ann is in all of them, the others take turns."""
    seed = f"p{players}v{variant_named(variant).live_id}s{number + 1}"
    deal = deal_from_live_seed(seed)
    state = play_game(deal, [player_named(bot).plain] * players, 0, number)
    others = [PEOPLE[1 + (number + place) % (len(PEOPLE) - 1)] for place in range(players - 1)]
    seat = number % players
    names = (*others[:seat], PEOPLE[0], *others[seat:])
    record = replace(Record.from_state(state, names), game_id=FIRST_ID + 7 * number)
    return {**record.to_json(), "score": state.score}


@cache
def some_games(count: int = 12, bot: str = "rules") -> tuple[dict[str, Any], ...]:
    """Return a few games, most of three players."""
    return tuple(played(number, bot, players=2 if number % 4 == 3 else 3) for number in range(count))


def many(first: int, count: int, bot: str, players: Sequence[int]) -> None:
    """Print games as JSON lines."""
    for number in range(first, first + count):
        print(json.dumps(played(number, bot, players[number % len(players)]), ensure_ascii=False), flush=True)


if __name__ == "__main__":  # first, count, bot, players …
    many(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], [int(each) for each in sys.argv[4:]])
