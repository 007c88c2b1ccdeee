"""What is said of a game that was played: how it ended, in words; its JSON object; its hanab.live record and link."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handful.cli.shared.options import Seed
from handful.cli.shared.output import counted
from handful.errors import HandfulError, NotationError
from handful.hanabi.cards import card_text
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import Turn
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record, save_record
from handful.hanabi.notation import action_text, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State


def ending_text(state: State) -> str:
    """Return the score and how the game ended, in a sentence; where it stands, if it goes on."""
    score, turns = f"{state.score} of {state.rules.max_score}", len(state.history)
    if state.ending == "perfect":
        return f"A perfect game: {score}, in {turns} turns."
    if state.ending == "strikes":
        points = f", with {counted(state.points, 'point')} on the stacks" if state.score < state.points else ""
        return f"Score {score}: strike {state.strikes} ended the game on turn {turns}{points}."
    if state.ending == "deck":
        return f"Score {score}: the deck ran out, and the last round is over."
    if state.ending == "stuck":
        return f"Score {score}: the next player has no card and no hint to give."
    if state.ending == "lost":
        return f"Score {score}: a card is lost, and the game was for all or nothing."
    return f"{counted(state.points, 'point')} so far: the game is not over."


def game_object(state: State, bots: Sequence[str], names: Sequence[str], seed: Seed) -> dict[str, Any]:
    """Return a game as the JSON object of `--json`; `bots` are those at the table, by seat."""
    rules = state.rules
    return {
        "bot": bots[0] if len(set(bots)) == 1 else ", ".join(bots),
        "bots": list(bots),
        "names": list(names),
        "players": rules.players,
        "variant": rules.variant.name,
        "rules": rules.options_text(),
        "seed": seed.live or seed.number,
        "game": seed.game,
        "score": state.score,
        "max_score": rules.max_score,
        "points": state.points,
        "strikes": state.strikes,
        "ending": state.ending,
        "turns": [turn_object(rules, turn, names) for turn in state.history],
    }


def turn_object(rules: Rules, turn: Turn, names: Sequence[str]) -> dict[str, Any]:
    """Return a turn as a JSON object. Players have their seats from 1."""
    return {
        "number": turn.number,
        "player": turn.actor + 1,
        "action": action_text(rules, turn.action, names),
        "text": turn_text(rules, turn, names),
        "card": None if turn.card is None else card_text(rules.variant, turn.card),
        "strike": turn.is_strike,
        "hints": turn.hints,
        "strikes": turn.strikes,
        "points": turn.points,
    }


def check_record(path: Path | None, deal: Deal, names: Sequence[str]) -> None:
    """Refuse a record that cannot be written, before a game is played for it."""
    if path is None:
        return
    if path.is_dir():
        raise NotationError(f"--record {path}: it is a directory, expected a file")
    if not path.parent.is_dir():
        raise NotationError(f"--record {path}: there is no directory {path.parent}")
    Record.from_state(State(deal), names).to_json()


def write_record(path: Path, state: State, names: Sequence[str]) -> None:
    """Write the record of a game to a file."""
    save_record(path, Record.from_state(state, names))


def record_and_link(state: State, names: Sequence[str]) -> dict[str, Any]:
    """Return `record` and `link`; what hanab.live cannot express is None, and `no_link` says why there is no link."""
    found: dict[str, Any] = {"record": None, "link": None, "no_link": None}
    try:
        record = Record.from_state(state, names)
        found["record"] = record.to_json()
        found["link"] = link_from_record(record)
    except HandfulError as error:
        found["no_link"] = str(error)
    return found
