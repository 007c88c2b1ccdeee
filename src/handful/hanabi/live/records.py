"""Games as hanab.live writes them down: a JSON object with the players, the deck and all actions.

>>> from handful.hanabi import Deal, HintValue, Rules, State
>>> state = State(Deal.from_seed(Rules(players=2), seed=1))
>>> turn = state.act(HintValue(player=1, value=4))
>>> record = Record.from_state(state)
>>> record.to_json()["actions"]
[{'type': 3, 'target': 1, 'value': 4}]
>>> read_record(record.to_text()) == record
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from handful import _json_fields as json_fields
from handful._files import read_at_most, write_whole
from handful.errors import HandfulError, IllegalActionError, RecordError
from handful.hanabi.actions import Action
from handful.hanabi.cards import Card
from handful.hanabi.deal import Deal
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.live.translation import (
    OWN_SEED,
    EndAction,
    LiveAction,
    LiveOptions,
    actions_of,
    game_from_live,
    json_from_options,
    live_from_actions,
    options_from_json,
)
from handful.hanabi.measures import best_score, is_played_out
from handful.hanabi.notation import NAMES
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.hanabi.state import State

FIELDS = ("players", "deck", "actions", "options", "notes", "characters", "id", "seed")

PLAYED_OUT = "nothing left to play"

MAX_RECORD_BYTES = 2_000_000
MAX_NAME = 100
MAX_NOTE = 100_000
MAX_NUMBER = 2**53 - 1  # what JavaScript keeps exactly


@dataclass(frozen=True, slots=True)
class Character:
    """A character that a player was given on hanab.live. It is kept, but no character is played by here."""

    name: str
    metadata: int = 0


@dataclass(frozen=True)
class Record:
    """A game that was played, or the beginning of one.

    `names` are the players' names. `ends` is what ended the game other than its last turn: a clock, a player, a vote.
    `notes[p]` are the notes of player p, by the order of the card. `game_id` is hanab.live's number of the game, 0 if
    it has none; `extra_options` are those that do not touch the rules, about clocks.
    """

    names: tuple[str, ...]
    deal: Deal
    actions: tuple[Action, ...] = ()
    ends: tuple[EndAction, ...] = ()
    notes: tuple[tuple[str, ...], ...] = ()
    characters: tuple[Character, ...] = ()
    game_id: int = 0
    extra_options: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) != self.rules.players:
            raise RecordError(f"players has {len(self.names)} names: expected {self.rules.players}")
        for player, name in enumerate(self.names):
            _check_name(name, f"players[{player}]")

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.deal.rules

    @property
    def seed(self) -> str:
        """The seed that the deck came from, hanab.live's or one of ours; empty if from none."""
        return self.deal.seed

    # Playing it again

    def replay(self, turns: int | None = None) -> State:
        """Return the game after so many turns; after all of them, if none is said."""
        if turns is not None and not 0 <= turns <= len(self.actions):
            raise RecordError(f"turn {turns}: the record has {len(self.actions)} turns, expected 0 to that")
        if turns is None:
            return self._whole_game.copy()
        state = State(self.deal)  # under other rules, what comes after these turns may be illegal
        for action in self.actions[:turns]:
            state.act(action)
        return state

    @cached_property
    def _whole_game(self) -> State:
        """The game after all its turns. A record of a game that was just played, or read, has that one (`_of`)."""
        return self.replay(len(self.actions))

    def states(self) -> Iterator[State]:
        """Return the game before its first turn and after each turn, each a state of its own."""
        return (self._whole_game.after(turns) for turns in range(len(self.actions) + 1))

    # What became of it

    @property
    def ending(self) -> str | None:
        """How the game ended; None if the record stops before that.

        A game that is not over by our rules was ended by a clock, a player or a vote, or because nothing could be
        played any more: then hanab.live lets nobody go on.
        """
        game = self._whole_game
        if game.ending is not None or not self.ends:
            return game.ending or (PLAYED_OUT if is_played_out(game) else None)
        return self.ends[-1].reason

    @property
    def score(self) -> int:
        """The score, as hanab.live writes it down: a game that a clock, a player or a vote ended has none.

        Nor has a game against the clock (*speedrun*) that cannot become perfect any more: it ends there.
        """
        game = self._whole_game
        was_left = game.ending is None and any(not end.is_normal for end in self.ends)
        is_failed_run = dict(self.extra_options).get("speedrun") and best_score(game) < self.rules.max_score
        return 0 if was_left or is_failed_run else game.score

    # Making one

    @staticmethod
    def from_state(state: State, names: Sequence[str] = ()) -> Record:
        """Return the record of a game that was played from its first turn."""
        names = tuple(names) or NAMES[: state.rules.players]
        record = Record(names, state.deal, actions_of(state))
        if state.is_arranged and not record._leads_to(state):
            raise RecordError("the game was arranged in the middle: a record has games from their first turn only")
        return record._of(state)

    def _leads_to(self, state: State) -> bool:
        """Whether the actions, from the first turn on, are legal and lead to what everybody knows in this state."""
        try:
            return self.replay().common_knowledge() == state.common_knowledge()
        except IllegalActionError:
            return False

    def _of(self, state: State) -> Record:
        """Return this record, having noted the game after all its turns."""
        self.__dict__["_whole_game"] = state.copy()
        return self

    def bare(self) -> Record:
        """Return the game alone: without notes, characters, hanab.live's number and options about clocks."""
        return replace(self, notes=(), characters=(), game_id=0, extra_options=())._of(self._whole_game)

    # As JSON

    @staticmethod
    def from_json(value: object) -> Record:
        """Return the record of a JSON object. What is malformed, illegal or not supported is refused by name."""
        fields = json_fields.fields_of(value, "the record", FIELDS)
        names = _names(json_fields.required(fields, "players", "players"))
        options = options_from_json(fields.get("options"), len(names))
        deal = _deal(fields, options)
        live = _live_actions(fields.get("actions"))
        game, ends = game_from_live(deal, names, live)
        return Record(
            names,
            deal,
            actions_of(game),
            ends,
            _notes(fields.get("notes"), len(names)),
            _characters(fields.get("characters")),
            json_fields.number_in(fields, "id", "", 0, MAX_NUMBER, default=0),
            options.extra,
        )._of(game)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of this record; fields that would say nothing are left out."""
        is_own_seed = OWN_SEED.fullmatch(self.seed) is not None
        options = LiveOptions(self.rules, self.deal.starter, self.seed if is_own_seed else "", self.extra_options)
        fields: dict[str, Any] = {
            "players": list(self.names),
            "deck": [
                {"suitIndex": card.suit, "rank": self.rules.variant.live_value(card.value)} for card in self.deal.deck
            ],
            "actions": [
                {"type": live.kind, "target": live.target, "value": live.value}
                for live in live_from_actions(self._whole_game, self.ends)
            ],
            "options": json_from_options(options),
            "notes": [list(notes) for notes in self.notes],
            "characters": [{"name": each.name, "metadata": each.metadata} for each in self.characters],
            "id": self.game_id,
            "seed": "" if is_own_seed else self.seed,
        }
        return {name: value for name, value in fields.items() if value or name in ("players", "deck", "actions")}

    def to_text(self) -> str:
        """Return the JSON text of this record, a line for each field."""
        lines = (
            f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in self.to_json().items()
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


def read_record(text: str | bytes) -> Record:
    """Return the record of a JSON text."""
    if len(text) > MAX_RECORD_BYTES:
        raise RecordError(f"the record has more than {MAX_RECORD_BYTES:,} bytes: expected a game's JSON")
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise RecordError(f"the record is not UTF-8 text: byte {error.start} cannot be read") from None
    if not decoded.strip():
        raise RecordError("the record is empty: expected a JSON object")
    try:
        value = json.loads(decoded, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"the record is not JSON: {error.msg}, {place}") from None
    except RecursionError:
        raise RecordError("the record is nested too deeply: expected a game's JSON") from None
    except RecordError:
        raise
    except ValueError:
        raise RecordError("the record has a number of thousands of digits: expected a game's JSON") from None
    return Record.from_json(value)


def load_record(path: str | Path) -> Record:
    """Return the record in a file."""
    data = read_at_most(path, MAX_RECORD_BYTES, RecordError)
    try:
        return read_record(data)
    except HandfulError as error:
        raise RecordError(f"{path}: {error}") from error


def save_record(path: str | Path, record: Record) -> None:
    """Write a record to a file, whole or not at all."""
    data = record.to_text().encode()
    try:
        write_whole(Path(path), data)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise RecordError(f"{str(path)!r} cannot be written: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise RecordError(f"the record has {name}, which is not JSON: expected numbers")


def _check_name(name: object, field: str) -> str:
    text = json_fields.text(name, field, MAX_NAME)
    if not text.strip() or not text.isprintable():
        json_fields.refuse(field, name, "a name of printable characters")
    return text


def _names(value: object) -> tuple[str, ...]:
    names = json_fields.listed(value, "players")
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise RecordError(f"players has {len(names)} names: expected 1 to {MAX_PLAYERS}")
    return tuple(_check_name(name, f"players[{player}]") for player, name in enumerate(names))


def _deal(fields: dict[str, object], options: LiveOptions) -> Deal:
    """Return the deal of a record. A deck may be left out where a seed of hanab.live gives it."""
    seed = json_fields.text(fields.get("seed"), "seed", MAX_NAME)
    cards = json_fields.listed(fields.get("deck"), "deck")
    if seed and options.own_seed:
        raise RecordError(f"options.handfulSeed is {options.own_seed!r} beside seed {seed!r}: expected one of them")
    if not cards and not seed:
        raise RecordError("deck is missing: expected the cards, or a seed of hanab.live")
    if not cards:
        try:
            return replace(deal_from_live_seed(seed, options.rules), starter=options.starter)
        except HandfulError as error:
            raise RecordError(f"deck is missing, and the seed does not give it: {error}") from None
    variant = options.rules.variant
    if len(cards) != variant.num_cards:
        raise RecordError(f"deck has {len(cards)} cards: expected {variant.num_cards} for {variant.name}")
    deck = tuple(_card(card, f"deck[{place}]", options.rules) for place, card in enumerate(cards))
    try:
        return Deal(options.rules, deck, options.own_seed or seed, options.starter)
    except HandfulError as error:
        raise RecordError(f"deck: {error}") from None


def _card(value: object, field: str, rules: Rules) -> Card:
    fields = json_fields.fields_of(value, field, ("suitIndex", "rank"))
    variant = rules.variant
    suit = json_fields.number_in(fields, "suitIndex", field, 0, variant.num_suits - 1)
    most = variant.live_value(variant.num_values)
    value = variant.value_from_live(json_fields.number_in(fields, "rank", field, 1, most))
    if value is None:
        start = f" or {most} for START" if variant.start_value else ""
        json_fields.refuse(f"{field}.rank", fields["rank"], f"1 to {variant.stack_size}{start}")
    return Card(suit, value)


def _live_actions(value: object) -> list[LiveAction]:
    return [
        _live_action(action, f"actions[{index}]") for index, action in enumerate(json_fields.listed(value, "actions"))
    ]


def _live_action(value: object, field: str) -> LiveAction:
    fields = json_fields.fields_of(value, field, ("type", "target", "value"))
    has_value = fields.get("value") is not None
    return LiveAction(
        json_fields.number_in(fields, "type", field, 0, 5),
        json_fields.number_in(fields, "target", field, -1, MAX_NUMBER),
        json_fields.number_in(fields, "value", field, 0, MAX_NUMBER) if has_value else None,
    )


def _notes(value: object, players: int) -> tuple[tuple[str, ...], ...]:
    hands = json_fields.listed(value, "notes")
    if hands and len(hands) != players:
        raise RecordError(f"notes has {len(hands)} lists: expected one for each of {players} players")
    return tuple(
        tuple(
            json_fields.text(note, f"notes[{player}][{order}]", MAX_NOTE)
            for order, note in enumerate(json_fields.listed(notes, f"notes[{player}]"))
        )
        for player, notes in enumerate(hands)
    )


def _characters(value: object) -> tuple[Character, ...]:
    return tuple(
        _character(each, f"characters[{player}]") for player, each in enumerate(json_fields.listed(value, "characters"))
    )


def _character(value: object, field: str) -> Character:
    fields = json_fields.fields_of(value, field, ("name", "metadata"))
    return Character(
        json_fields.text(fields.get("name"), f"{field}.name", MAX_NAME),
        json_fields.number_in(fields, "metadata", field, -1, MAX_NUMBER, default=0),
    )
