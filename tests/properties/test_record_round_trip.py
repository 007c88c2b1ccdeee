"""Records and links say the same game, whichever way it is written; and nothing that is given crashes the reader."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from handful.errors import RecordError
from handful.hanabi import VARIANTS, Deal, Rules, State, Variant
from handful.hanabi.live.links import link_from_record, record_from_link
from handful.hanabi.live.records import Character, Record, read_record
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.live.translation import EndAction
from handful.hanabi.rules import rules_from_text
from tests.hanabi.test_links import REAL_CONTENT, REAL_LINK
from tests.players import PLAYERS, play_out

LIVE_VARIANTS = [variant for variant in VARIANTS.values() if variant.live_id is not None]
OTHER_VARIANTS = [VARIANTS["Dutch Box"], Variant.custom(3, copies=(4, 2, 2, 1)), Variant.custom(7)]
OPTIONS = [
    "",
    "thesis",
    "hand_size=4",
    "hand_size=2, empty_hints",
    "max_hints=3, max_strikes=none",
    "strike_score=keep",
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)

REAL = record_from_link(REAL_LINK).to_json()


@st.composite
def games(draw: st.DrawFn, variants: list[Variant], options: list[str]) -> State:
    """A game, or the beginning of one, by one of three players."""
    players = draw(st.integers(2, 6))
    rules = rules_from_text(draw(st.sampled_from(options)), players, draw(st.sampled_from(variants)))
    seed = draw(st.integers(0, 2**32))
    player = draw(st.sampled_from(PLAYERS))
    return play_out(Deal.from_seed(rules, seed), player, seed, max_turns=draw(st.integers(0, 100)))


@st.composite
def full_records(draw: st.DrawFn) -> Record:
    """A record with everything that one can have."""
    state = draw(games(LIVE_VARIANTS + OTHER_VARIANTS, OPTIONS))
    players = state.rules.players
    names = draw(st.lists(NAMES, min_size=players, max_size=players))
    notes = st.lists(TEXTS, max_size=3).map(tuple)
    ends = st.builds(EndAction, st.integers(0, 10), st.none() | st.integers(0, players - 1), st.booleans())
    return replace(
        Record.from_state(state, names),
        ends=tuple(draw(st.lists(ends, max_size=2))),
        notes=draw(st.just(()) | st.tuples(*[notes] * players)),
        characters=tuple(draw(st.lists(st.builds(Character, TEXTS, st.integers(-1, 5)), max_size=players))),
        game_id=draw(st.integers(0, 10**7)),
        extra_options=draw(st.sampled_from([(), (("timed", True), ("timeBase", 60)), (("speedrun", True),)])),
    )


@given(record=full_records())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_record_to_json_and_back(record: Record) -> None:
    again = Record.from_json(record.to_json())
    assert again == record
    assert read_record(record.to_text()) == read_record(record.to_text().encode()) == record
    assert again.to_text() == record.to_text()
    assert again.replay().common_knowledge() == record.replay().common_knowledge()


@given(state=games(LIVE_VARIANTS, [""]))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_record_to_link_and_back(state: State) -> None:
    record = Record.from_state(state)
    link = link_from_record(record)
    again = record_from_link(link)
    assert again == replace(record, deal=replace(record.deal, seed=""))
    assert link_from_record(again) == link
    assert again.replay().score == state.score


@given(
    players=st.integers(2, 6),
    variant=st.sampled_from(LIVE_VARIANTS),
    suffix=st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True),
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_live_seed_gives_a_whole_deck_and_is_written_as_such(players: int, variant: Variant, suffix: str) -> None:
    text = f"p{players}v{variant.live_id}s{suffix}"
    deal = deal_from_live_seed(text)  # a deal checks that its cards are the deck of the variant
    assert deal.rules == Rules(variant, players)
    record = Record.from_state(State(deal))
    assert record.to_json()["seed"] == text
    assert read_record(record.to_text()) == record


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
ANY_JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
)


@st.composite
def spoiled_records(draw: st.DrawFn) -> Any:
    """The real game with some fields, anywhere in it, replaced by something else."""
    fields: Any = copy.deepcopy(REAL)
    fields |= {"notes": [[], [], [], []], "characters": [{"name": "x", "metadata": 1}], "id": 3, "seed": "p4v0s415"}
    fields["options"] |= {"handfulRules": "", "startingPlayer": 0, "timed": False, "oneExtraCard": False}
    for _ in range(draw(st.integers(1, 3))):
        place = fields
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and draw(st.integers(0, 4)):
                place = place[key]
                continue
            place[key] = draw(ANY_JSON | st.integers(-1, 60) | st.sampled_from([*OPTIONS, "3 Suits", "p3v0s1"]))
            break
    return fields


@given(value=ANY_JSON | spoiled_records())
@example(value={"players": ["a"], "deck": [], "seed": "p1v0s1"})
@example(value={"players": ["a", "b"], "options": {"variant": "Custom (1 suit, copies 1)"}, "deck": [{}]})
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        record = Record.from_json(value)
    except RecordError:
        return
    assert Record.from_json(record.to_json()) == record


@given(text=st.text() | st.binary() | ANY_JSON.map(json.dumps) | spoiled_records().map(json.dumps))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    try:
        record = read_record(text)
    except RecordError:
        return
    assert read_record(record.to_text()) == record


@st.composite
def spoiled_links(draw: st.DrawFn) -> str:
    """The real link with a piece cut out, and another piece put in."""
    start = draw(st.integers(0, len(REAL_CONTENT)))
    stop = draw(st.integers(start, min(start + 4, len(REAL_CONTENT))))
    piece = draw(st.text("abcdefgh0123456789XYZ,-#?%/é", max_size=4))
    return REAL_CONTENT[:start] + piece + REAL_CONTENT[stop:]


@given(text=st.text() | spoiled_links())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_link_is_read_or_refused(text: str) -> None:
    try:
        record = record_from_link(text)
    except RecordError:
        return
    assert record_from_link(link_from_record(record)) == record
