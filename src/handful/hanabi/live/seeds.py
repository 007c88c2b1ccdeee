"""The seeds of hanab.live, such as ``p4v0s415``: each has a deck, which is dealt here without the network.

A seed has the number of players, the number of the variant and a suffix. Its text is hashed (CRC-64/ECMA), the hash
seeds Go's classic generator, and that shuffles the sorted deck.

That is Go's math/rand, an additive lagged Fibonacci generator with 607 words: x_k = x_{k−607} + x_{k−273} mod 2^64.
Its words start from the seed, xored with *cooked* words: those of the same recurrence, started from seed 1, after
7.8·10^12 steps. They are not shipped but computed, by a jump in the ring of polynomials, and kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from handful._files import write_whole
from handful.errors import NotationError, RulesError, UnknownNameError
from handful.hanabi.cards import Card, sorted_deck
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant, variant_with_live_id

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

MIN_LIVE_PLAYERS, MAX_LIVE_PLAYERS = 2, 6
MAX_SEED_LENGTH = 100

CRC_POLYNOMIAL = 0xC96C5795D7870F42  # ECMA-182, its bits reflected
MASK64 = (1 << 64) - 1

NUM_WORDS = 607
LAG = 273
FIRST_FEED = NUM_WORDS - LAG
COOKED_STEPS = 7_800_000_000_000
LARGEST_INT31 = (1 << 31) - 1  # a prime, the modulus of seeding too
INSTEAD_OF_ZERO = 89_482_311

CACHE_NAME = "go-random-cooked-1.bin"
CHECKSUM_BYTES = 32

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


# Go's generator


class GoRandom:
    """A stream of Go's random numbers: ``rand.New(rand.NewSource(seed))``.

    >>> chance = GoRandom(1)
    >>> [chance.intn(100) for _ in range(5)]
    [81, 87, 47, 59, 81]
    """

    def __init__(self, seed: int) -> None:
        self._words = [word ^ cooked for word, cooked in zip(_seeded_words(seed, 40, 20), cooked_words(), strict=True)]
        self._tap, self._feed = 0, FIRST_FEED

    def uint64(self) -> int:
        """Return the next 64 bits."""
        # Places are counted down: the word from 607 steps ago lies at `feed`, the one from 273 steps ago at `tap`.
        self._tap = (self._tap - 1) % NUM_WORDS
        self._feed = (self._feed - 1) % NUM_WORDS
        word = (self._words[self._feed] + self._words[self._tap]) & MASK64
        self._words[self._feed] = word
        return word

    def int31(self) -> int:
        """Return a uniform number of 0, …, 2^31 − 1: bits 32 to 62."""
        return self.uint64() >> 32 & LARGEST_INT31

    def intn(self, n: int) -> int:
        """Return a uniform number of 0, …, n − 1 (n from 1 to 2^31 − 1)."""
        assert 1 <= n <= LARGEST_INT31
        if n & (n - 1) == 0:
            return self.int31() & (n - 1)
        # Numbers above the largest multiple of n would favour the small remainders.
        largest = LARGEST_INT31 - (1 << 31) % n
        number = self.int31()
        while number > largest:
            number = self.int31()
        return number % n


def _seed_numbers(seed: int) -> Iterator[int]:
    """Yield the numbers that the words are seeded from: y = 48271·y mod 2^31 − 1."""
    number = seed % LARGEST_INT31 or INSTEAD_OF_ZERO
    while True:
        number = number * 48_271 % LARGEST_INT31
        yield number


def _seeded_words(seed: int, shift_first: int, shift_second: int) -> list[int]:
    """Return the 607 words of a seed: three numbers a, b, c each, as a << first ^ b << second ^ c."""
    numbers = _seed_numbers(seed)
    for _ in range(20):
        next(numbers)
    return [
        (next(numbers) << shift_first ^ next(numbers) << shift_second ^ next(numbers)) & MASK64
        for _ in range(NUM_WORDS)
    ]


@cache
def cooked_words() -> tuple[int, ...]:
    """Return the 607 words that every seed is xored with, from the cache if it is sound."""
    words = _read_cache()
    if words is None:
        words = compute_cooked_words()
        _write_cache(words)
    return words


def compute_cooked_words() -> tuple[int, ...]:
    """Return the words of seed 1 after 7.8·10^12 steps; about 0.3 s.

    With x_k = x_{k−607} + x_{k−273}, stepping is multiplication by X in the ring of polynomials over the integers mod
    2^64 with X^607 = X^334 + 1. So if X^n = Σ c_j X^j there, then x_{i+n} = Σ c_j x_{i+j}: two times 607 words and the
    coefficients of one power of X are enough.
    """
    import numpy as np

    vector = _seeded_words(1, 20, 10)
    # The word of time t lies at place (334 − 1 − t) mod 607: the first step replaces place 333, the next one 332, …
    words = [vector[(FIRST_FEED - 1 - time) % NUM_WORDS] for time in range(NUM_WORDS)]
    for _ in range(NUM_WORDS - 1):
        words.append((words[-NUM_WORDS] + words[-LAG]) & MASK64)
    # x_{i+n} = Σ_j c_j x_{i+j}, for i = 0, …, 606
    later = np.correlate(np.array(words, dtype=np.uint64), _power_of_x(COOKED_STEPS), mode="valid")
    # Time i + n lies at place (333 − i − n) mod 607.
    cooked = [0] * NUM_WORDS
    for time, word in enumerate(later):
        cooked[(FIRST_FEED - 1 - time - COOKED_STEPS) % NUM_WORDS] = int(word)
    return tuple(cooked)


def _power_of_x(exponent: int) -> Words:
    """Return the 607 coefficients of X^exponent, by squaring, bit by bit of the exponent."""
    import numpy as np

    power = np.zeros(NUM_WORDS, dtype=np.uint64)
    power[0] = 1
    for bit in f"{exponent:b}":
        power = _reduced(np.convolve(power, power))
        if bit == "1":
            power = _reduced(np.concatenate(([np.uint64(0)], power)))
    return power


def _reduced(polynomial: Words) -> Words:
    """Return a polynomial of degree under 1214 with X^607 replaced by X^334 + 1, until its degree is under 607."""
    import numpy as np

    while len(polynomial) > NUM_WORDS:
        low, high = polynomial[:NUM_WORDS], polynomial[NUM_WORDS:]
        # Σ h_i X^{607+i} = Σ h_i X^i + Σ h_i X^{334+i}
        length = max(NUM_WORDS, FIRST_FEED + len(high))
        polynomial = np.zeros(length, dtype=np.uint64)
        polynomial[:NUM_WORDS] = low
        polynomial[: len(high)] += high
        polynomial[FIRST_FEED : FIRST_FEED + len(high)] += high
    return polynomial


def _cache_path() -> Path | None:
    """Return where the words are kept, or None for a user without a home."""
    folder = Path(platformdirs.user_cache_dir("handful"))
    return folder / CACHE_NAME if folder.is_absolute() else None


def _read_cache() -> tuple[int, ...] | None:
    """Return the words of the cache, or None if there are none or they are damaged."""
    path = _cache_path()
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            data = file.read(CHECKSUM_BYTES + 8 * NUM_WORDS + 1)
    except OSError:
        return None
    checksum, body = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    if len(body) != 8 * NUM_WORDS or hashlib.sha256(body).digest() != checksum:
        return None
    return tuple(int.from_bytes(body[start : start + 8], "little") for start in range(0, len(body), 8))


def _write_cache(words: tuple[int, ...]) -> None:
    """Keep the words for the next time; a cache that cannot be written is done without."""
    path = _cache_path()
    if path is None:
        return
    body = b"".join(word.to_bytes(8, "little") for word in words)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, hashlib.sha256(body).digest() + body)
