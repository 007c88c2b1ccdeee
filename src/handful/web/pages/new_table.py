"""A new table: the deal and the places that the form describes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from fastapi import UploadFile

from handful.errors import NotationError
from handful.hanabi.deal import Deal
from handful.hanabi.live.records import MAX_RECORD_BYTES, read_record
from handful.hanabi.live.seeds import deal_from_live_seed, is_live_seed, parse_live_seed
from handful.hanabi.notation import NAMES
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import variant_named

PERSON = "person"  # what the form says of a seat in which no bot sits
DEALS = ("drawn", "seed", "file")
# Seeds that the server draws. Whoever sees a few cards must not be able to try all seeds for the one that fits.
DRAWN_SEEDS = 2**63


def deal_from_form(players: int, variant: str, rules: str, seed: str | None) -> Deal:
    """Return the deal of a seed, or of one that is drawn now (None). A seed of hanab.live says who plays what."""
    if seed is None:
        return Deal.from_seed(_rules(rules, players, variant), secrets.randbelow(DRAWN_SEEDS))
    text = seed.strip()
    if is_live_seed(text):
        implied = parse_live_seed(text)
        return deal_from_live_seed(text, _rules(rules, implied.players, implied.variant.name))
    number, slash, game = text.partition("/")
    if not _is_number(number) or (slash and not _is_number(game)):
        raise NotationError(f"seed {text!r}: expected a number such as 7, or a seed of hanab.live such as p4v0s415")
    return Deal.from_seed(_rules(rules, players, variant), int(number), int(game or 0))


def deal_from_upload(file: UploadFile | None) -> Deal:
    """Return the deal of a record that was sent: its deck, players, variant and options, not its actions."""
    if file is None or not file.filename:
        raise NotationError("no file was chosen: expected a game's JSON, as hanab.live writes it")
    return read_record(file.file.read(MAX_RECORD_BYTES + 1)).deal


def deal_anew(deal: Deal) -> Deal:
    """Return another deal of the same game, drawn now."""
    return Deal.from_seed(deal.rules, secrets.randbelow(DRAWN_SEEDS))


def places_from_form(players: int, names: Sequence[str], seats: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names and the bots by seat; whoever has no name is called as usual."""
    places = []
    for usual, name, seat in zip(NAMES[:players], names, seats, strict=False):
        places.append((" ".join(name.split()) or usual, "" if seat == PERSON else seat))
    return places


def _rules(text: str, players: int, variant: str) -> Rules:
    return rules_from_text(text, players, variant_named(variant))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20
