"""The table: bots in their seats, one game from the deal to the end, by the plain rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from handful.bots.protocol import Bot, OpenBot, PlainMaker
from handful.errors import RulesError
from handful.hanabi.actions import Action
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import Turn
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.splitmix import BOT_STREAM, SplitMix64


def seat_bots(rules: Rules, makers: Sequence[PlainMaker], seed: int, game: int = 0, repeat: int = 0) -> list[Bot]:
    """Return a bot for each seat, with its own stream of chance: (seed, BOT_STREAM, game, repeat, seat)."""
    if len(makers) != rules.players:
        raise RulesError(f"{len(makers)} bots for {rules.players} seats")
    return [make(rules, seat, SplitMix64(seed, BOT_STREAM, game, repeat, seat)) for seat, make in enumerate(makers)]


def take_turn(state: State, bots: Sequence[Bot]) -> Turn:
    """Let the bot to move choose and act, and let everybody observe it; return what happened."""
    turn = state.act(ask(state, bots[state.current]))
    tell(state, bots, turn)
    return turn


def ask(state: State, bot: Bot) -> Action:
    """Return what a bot chooses from what it may see: its view, but for the bots that are said to look further."""
    if not isinstance(bot, OpenBot):
        return bot.choose(state.view(bot.seat))
    shown = state.copy()
    if bot.sees == "hands":
        deck, drawn = state.deal.deck, len(state.deal.deck) - state.deck_size
        shown.deal = replace(state.deal, deck=(*deck[:drawn], *sorted(deck[drawn:])))
    return bot.choose_open(shown)


def tell(state: State, bots: Sequence[Bot | None], turn: Turn) -> None:
    """Let every bot that takes notes observe a turn, as its seat saw it."""
    for seat, bot in enumerate(bots):
        if bot is not None and type(bot).observe is not Bot.observe:
            seen = turn if state.is_over else turn.as_seen(state.rules.variant, seat)
            bot.observe(state.view(seat), seen)


def play_game(
    deal: Deal,
    makers: Sequence[PlainMaker],
    seed: int = 0,
    game: int = 0,
    repeat: int = 0,
    on_turn: Callable[[State, Turn], None] | None = None,
) -> State:
    """Return the finished game of these bots on this deal."""
    state = State(deal)
    bots = seat_bots(deal.rules, makers, seed, game, repeat)
    while not state.is_over:
        turn = take_turn(state, bots)
        if on_turn is not None:
            on_turn(state, turn)
    return state


def play_on(state: State, makers: Sequence[PlainMaker], seed: int = 0, turns: int | None = None) -> State:
    """Return a game as bots play on from a position, to the end or for so many turns.

    They have not been there before: all that they know of the turns so far is what lies open, and the last turn.
    """
    state = state.copy()
    bots = seat_bots(state.rules, makers, seed)
    if state.history:
        tell(state, bots, state.history[-1])
    last = None if turns is None else len(state.history) + turns
    while not state.is_over and (last is None or len(state.history) < last):
        take_turn(state, bots)
    return state
