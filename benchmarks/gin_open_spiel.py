"""Claim: `montecarlo` beats OpenSpiel's own bot through OpenSpiel's engine: python -m benchmarks.gin_open_spiel

Every deal is played twice, seats exchanged. Our player sees a view of our plain round, which follows the engine action
by action; the engine says what is legal, and what a hand brings.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel

from benchmarks.tables import replace_table
from handful.rummy.cards import Card
from handful.rummy.gin import OPENSPIEL, Arrangement, GinDeal, Round, player_named
from handful.rummy.gin.actions import DRAW, KNOCK, PASS, TAKE
from handful.rummy.gin.deal import card_at, number_of
from handful.splitmix import SplitMix64

SEED = 71_000
MELDS = 56  # the number of OpenSpiel's first meld


def theirs(card: Card) -> int:
    """Return OpenSpiel's number of a card: its suits are spades, clubs, diamonds, hearts."""
    return (card.suit + 1) % 4 * 13 + card.rank


def ours(number: int) -> int:
    """Return our number of a card of OpenSpiel's."""
    return (number // 13 - 1) % 4 * 13 + number % 13


def play_hand(number: int, seat: int, name: str) -> float:
    """Return the points of our player in a seat of a deal."""
    game, deal = pyspiel.load_game("gin_rummy"), GinDeal.from_seed(SEED, number)
    state, table = game.new_initial_state(), Round(deal, OPENSPIEL)
    for card in deal.deck[:21]:
        state.apply_action(theirs(card))
    bot = pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), 1 - seat)
    player, chance, knocks = player_named(name), SplitMix64(SEED, number, seat), False
    while not table.is_over:
        if table.current == seat:
            action = player.choose(table.view(seat), chance).number
            if action >= KNOCK and KNOCK not in state.legal_actions():  # its deadwood of eleven cards is too high
                action = number_of(card_at(action - KNOCK))
        else:
            given = bot.step(state)
            if given == KNOCK:
                state.apply_action(KNOCK)
                knocks = True
                given = bot.step(state)
            action = given if TAKE <= given <= PASS else ours(given) + (KNOCK if knocks else 0)
        top = table.stock[-1]
        knocks_here = action >= KNOCK
        if knocks_here:
            if table.current == seat:
                state.apply_action(KNOCK)
            state.apply_action(theirs(card_at(action - KNOCK)))
        else:
            state.apply_action(action if TAKE <= action <= PASS else theirs(card_at(action)))
        table.act(action)
        if action == DRAW:
            state.apply_action(theirs(top))
    lay_out(state, table, bot, seat)
    return float(state.returns()[seat])


def lay_out(state: Any, table: Round, bot: Any, seat: int) -> None:
    """Lay out both hands: ours as our plain rules say, the other as the bot does."""
    settled = table.settlement
    assert settled is not None
    steps: list[int] = []
    if settled.knocked is not None and settled.defence is not None:
        if settled.knocker == seat:
            steps = melds(settled.knocked)
        else:
            off = [theirs(card) for card in settled.defence.laid_off]
            steps = [*off, PASS] if settled.ending in ("knock", "undercut") else []
            steps += melds(settled.defence.arrangement)
    while not state.is_terminal():
        if state.current_player() == seat:
            legal = state.legal_actions()
            place = next((place for place, step in enumerate(steps) if step in legal), None)
            state.apply_action(PASS if place is None else steps.pop(place))
        else:
            state.apply_action(bot.step(state))


def melds(arrangement: Arrangement) -> list[int]:
    """Return the actions that lay out melds: there, runs have at most five cards."""
    known = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    pieces = [piece for meld in arrangement.melds for piece in ([meld] if len(meld) <= 5 else [meld[:3], meld[3:]])]
    return [*(MELDS + known.meld_to_int(sorted(map(theirs, piece))) for piece in pieces), PASS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--player", default="montecarlo")
    options = parser.parse_args()
    results = np.array(
        [[play_hand(number, seat, options.player) for seat in range(2)] for number in range(options.deals)]
    )
    won, lost = (results > 0).mean(axis=1), (results < 0).mean(axis=1)
    half = 1.96 / options.deals**0.5
    points = results.mean(axis=1)
    text = (
        f"`{options.player}` against OpenSpiel's bot, {options.deals:,} deals, each in both seats: "
        f"{points.mean():+.1f} ± {half * points.std():.1f} points a hand; "
        f"it wins {won.mean():.1%} ± {half * won.std():.1%} of the hands and loses {lost.mean():.1%}.\n"
    )
    replace_table("gin.md", "gin open spiel", f"\n{text}")
    print(text)


if __name__ == "__main__":
    main()
