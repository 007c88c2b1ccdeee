"""The seeds of hanab.live, such as ``p4v0s415``: each has a deck, which is dealt here without the network.

A seed has the number of players, the number of the variant and a suffix. Its text is hashed (CRC-64/ECMA), the hash
seeds Go's classic generator, and that shuffles the sorted deck.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from handful.errors import NotationError, RulesError, UnknownNameError
from handful.hanabi.cards import Card, sorted_deck
from handful.hanabi.deal import Deal
from handful.hanabi.live.go_random import GoRandom
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant, variant_with_live_id

MIN_LIVE_PLAYERS, MAX_LIVE_PLAYERS = 2, 6
MAX_SEED_LENGTH = 100

CRC_POLYNOMIAL = 0xC96C5795D7870F42  # ECMA-182, its bits reflected
MASK64 = (1 << 64) - 1

# Without leading zeros: the site writes none, and the text itself is hashed.
_SEED = re.compile(r"p(\d)v(0|[1-9][0-9]{0,5})s([A-Za-z0-9_-]+)", re.ASCII)


@dataclass(frozen=True)
class LiveSeed:
    """A seed of hanab.live, read. `text` is the whole seed, `suffix` what follows the players and the variant."""

    players: int
    variant: Variant
    suffix: str
    text: str


def is_live_seed(text: str) -> bool:
    """Whether a text looks like a seed of hanab.live (its variant may still be one that is not supported).

    >>> is_live_seed("p4v0s415"), is_live_seed("415")
    (True, False)
    """
    return len(text) <= MAX_SEED_LENGTH and _SEED.fullmatch(text) is not None


def parse_live_seed(text: str) -> LiveSeed:
    """Return what a seed of hanab.live says.

    >>> parse_live_seed("p4v0s415").players
    4
    """
    if not is_live_seed(text):
        shown = text if len(text) <= MAX_SEED_LENGTH else f"{text[:MAX_SEED_LENGTH]}…"
        raise NotationError(
            f"{shown!r} is not a seed of hanab.live: expected players, variant number and a suffix of letters, digits, "
            f"- and _, such as p4v0s415, at most {MAX_SEED_LENGTH} characters"
        )
    match = _SEED.fullmatch(text)
    assert match is not None
    players, live_id, suffix = int(match[1]), int(match[2]), match[3]
    if not MIN_LIVE_PLAYERS <= players <= MAX_LIVE_PLAYERS:
        raise NotationError(f"seed {text}: {players} players, expected {MIN_LIVE_PLAYERS} to {MAX_LIVE_PLAYERS}")
    try:
        variant = variant_with_live_id(live_id)
    except UnknownNameError as error:
        raise NotationError(f"seed {text}: {error}") from None
    return LiveSeed(players, variant, suffix, text)


def deal_from_live_seed(text: str, rules: Rules | None = None) -> Deal:
    """Return the deal that hanab.live makes of a seed; `rules` are for other options, with its players and variant.

    >>> deal_from_live_seed("p4v0s415").text()[:23]
    'b1 r1 y2 g4 b4 p2 p2 g3'
    """
    seed = parse_live_seed(text)
    if rules is None:
        rules = Rules(seed.variant, seed.players)
    if (rules.players, rules.variant) != (seed.players, seed.variant):
        raise RulesError(
            f"seed {text} is for {seed.players} players and {seed.variant.name}, "
            f"but the rules are for {rules.players} players and {rules.variant.name}"
        )
    return Deal(rules, tuple(_shuffled(seed)), seed=text)


def _shuffled(seed: LiveSeed) -> list[Card]:
    deck = sorted_deck(seed.variant)
    # Go takes the hash as a signed number, and then mod 2^31 − 1.
    chance = GoRandom(_signed(crc64(seed.text.encode())))
    for last in range(len(deck)):
        other = chance.intn(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def crc64(data: bytes) -> int:
    """Return the CRC-64/ECMA of some bytes, reflected, as Go and xz compute it.

    >>> hex(crc64(b"123456789"))
    '0x995dc9bbdf1939fa'
    """
    remainder = MASK64
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ CRC_POLYNOMIAL if remainder & 1 else remainder >> 1
    return remainder ^ MASK64


def _signed(word: int) -> int:
    """Return 64 bits read as a signed number: the top bit counts −2^63."""
    return word - (1 << 64) if word >> 63 else word
