"""Golden games, readable by a person: one for every variant and one for every bot.

``python -m tests.golden.games`` writes them anew. Read the difference before you commit it: a golden game that
changes says that the rules, the deals or a bot have changed.
"""

from __future__ import annotations

from pathlib import Path

from handful.bots import all_bots, player_named
from handful.bots.players import REGISTER
from handful.hanabi import VARIANTS, Deal, Rules, State, Turn
from handful.hanabi.cards import card_text
from handful.hanabi.notation import NAMES, turn_text
from handful.splitmix import SplitMix64
from tests.players import peeking_player

FOLDER = Path(__file__).parent


def golden_names() -> list[str]:
    """Return the names of all golden games."""
    return [f"variant {name}" for name in VARIANTS] + [f"bot {entry.name}" for entry in all_bots()]


def golden_path(name: str) -> Path:
    """Return the file of a golden game."""
    return FOLDER / f"{name.lower().replace(' ', '-').replace('(', '').replace(')', '')}.txt"


def golden_text(name: str) -> str:
    """Return the text of a golden game, played now."""
    kind, _, subject = name.partition(" ")
    if kind == "variant":
        return _variant_game(Rules(VARIANTS[subject], players=3))
    players = REGISTER[subject].players or (3,)
    return _bot_game(subject, Rules(players=3 if 3 in players else players[-1], strike_score="keep"))


def _variant_game(rules: Rules) -> str:
    """Return a game of players who peek, so that much of the rules comes up."""
    state, chance = State(Deal.from_seed(rules, 2026)), SplitMix64(2026)
    lines = _opening(state)
    while not state.is_over:
        turn = state.act(peeking_player(state, chance))
        lines.append(_line(state, turn))
    return _closing(state, lines)


def _bot_game(bot: str, rules: Rules) -> str:
    from handful.bots.table import play_game

    deal = Deal.from_seed(rules, 2026)
    lines = _opening(State(deal))
    state = play_game(
        deal,
        [player_named(bot).plain] * rules.players,
        seed=2026,
        on_turn=lambda state, turn: lines.append(_line(state, turn)),
    )
    return _closing(state, lines)


def _opening(state: State) -> list[str]:
    variant = state.rules.variant
    lines = [f"{variant.name}, {state.rules.players} players, seed {state.deal.seed}", f"deck: {state.deal.text()}", ""]
    for player in range(state.rules.players):
        hand = " ".join(card_text(variant, card) for card in state.hand(player))
        lines.append(f"{NAMES[player]}: {hand}")
    return [*lines, ""]


def _line(state: State, turn: Turn) -> str:
    stacks = "".join(map(str, state.stacks))
    words = turn_text(state.rules, turn, NAMES)
    left = "" if state.turns_left is None else f", {state.turns_left} turns left"
    return f"{turn.number:3} {words:58} stacks {stacks}, hints {turn.hints}, strikes {turn.strikes}{left}"


def _closing(state: State, lines: list[str]) -> str:
    return "\n".join([*lines, "", f"score {state.score}: {state.ending}", ""])


if __name__ == "__main__":
    for golden in golden_names():
        golden_path(golden).write_text(golden_text(golden))
