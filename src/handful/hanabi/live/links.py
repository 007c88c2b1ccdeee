"""The links of hanab.live that have a whole game in them: ``https://hanab.live/replay-json/415pagnsvvmk…``.

After the address come the number of players and the deck, the actions, and the number of the variant, separated by
commas, with a ``-`` after every 20 characters; a fourth part, the seed, is written by some tools and ignored here as
on the site. A character of a-z, 0-9, A-Z stands for a number of 0 to 61.

- deck: lowest and highest value as digits, then for each card suit · R + value − lowest, where R = highest − lowest + 1
- actions: lowest and highest type as digits, then for each action two characters, (value + 1, or 0 if it is missing) ·
  T + type − lowest, where T = highest − lowest + 1, and the target; ``00`` if there are none

A link has no names, seed or number of the game: they are left out on writing, and the players are called Alice, Bob, …
on reading. Whatever else a link cannot say is refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from handful.errors import HandfulError, RecordError, shown
from handful.hanabi.cards import Card
from handful.hanabi.deal import Deal
from handful.hanabi.live.addresses import is_game_address
from handful.hanabi.live.records import Record, load_record
from handful.hanabi.live.seeds import MAX_LIVE_PLAYERS, MIN_LIVE_PLAYERS, deal_from_live_seed, is_live_seed
from handful.hanabi.live.translation import LiveAction, actions_of, game_from_live, live_from_actions
from handful.hanabi.notation import NAMES
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant, variant_with_live_id

if TYPE_CHECKING:
    from handful.hanabi.live.site import Site

ADDRESS = "https://hanab.live/replay-json/"
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHUNK = 20
MAX_LINK_LENGTH = 5000

_ADDRESS = re.compile(r"(?:https?://)?[^/\s]+/(?:shared-)?replay-json/(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:https?://)?[^/\s]+/(?:shared-)?replay/([0-9]+).*", re.IGNORECASE)
_BARE = re.compile(r"[1-9][0-9A-Za-z-]*,[0-9A-Za-z-]*,[0-9-]+(?:,[0-9A-Za-z_-]*)?(?:#[0-9]*)?")
_TURN = re.compile(r"#([0-9]{1,4})$")


def is_link(text: str) -> bool:
    """Whether a text looks like a link with a game in it, or like what follows the address of one.

    >>> is_link("https://hanab.live/replay-json/215…,00,0"), is_link("game.json")
    (True, False)
    """
    text = text.strip()
    return bool(_ADDRESS.fullmatch(text) or _NUMBERED.fullmatch(text) or _BARE.fullmatch(unquote(text)))


def record_from_link(text: str) -> Record:
    """Return the game of a link, given whole or without its address."""
    players, deck, actions, variant = _sections(text)
    rules = Rules(variant, players)
    try:
        deal = Deal(rules, _decode_deck(deck, variant))
    except RecordError:
        raise
    except HandfulError as error:
        raise RecordError(f"link, deck: {error}") from None
    names = NAMES[:players]
    try:
        game, ends = game_from_live(deal, names, _decode_actions(actions))
    except RecordError as error:
        raise RecordError(f"link, {error}") from None
    return Record(names, deal, actions_of(game), ends)


def turn_of_link(text: str) -> int | None:
    """Return the turn that a link points at, counted from 1; None if it points at none.

    >>> turn_of_link("https://hanab.live/shared-replay-json/415pagn#12"), turn_of_link("game.json")
    (12, None)
    """
    found = _TURN.search(text.strip()) if is_link(text) else None
    return max(1, int(found[1])) if found else None


def is_file(name: str) -> bool:
    """Whether there is a file of this name; a text that cannot be a name is none."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a path, or with a zero byte
        return False


def record_given(given: str, site: Site | None = None) -> Record:
    """Return the game of what a user gives: the name of a file, a link, or a number of a game, which is fetched.

    What is there as a file is a file. A game is fetched from `site`, by default hanab.live.
    """
    if is_file(given):
        return load_record(given)
    if is_game_address(given):
        from handful.hanabi.live.site import game_given

        return game_given(given, site)
    return record_from_link(given) if is_link(given) else load_record(given)


def deal_given(given: str) -> Deal:
    """Return the deal of what a user gives: a seed of hanab.live, the name of a file, a link, or a game's number.

    >>> deal_given("p4v0s415") == deal_given(" p4v0s415 ")
    True
    """
    text = given.strip()
    return deal_from_live_seed(text) if is_live_seed(text) else record_given(given).deal


def link_from_record(record: Record) -> str:
    """Return the link of a game; names, seed and hanab.live's number are not in it.

    >>> from handful.hanabi import Deal, Rules, State
    >>> link_from_record(Record.from_state(State(Deal.from_seed(Rules(), seed=1))))[:40]
    'https://hanab.live/replay-json/215vkuppw'
    """
    _check_expressible(record)
    parts = (
        f"{record.rules.players}{_encode_deck(record.deal)}",
        _encode_actions(live_from_actions(record.replay(), record.ends)),
        f"{record.rules.variant.live_id}",
    )
    whole = ",".join(parts)
    return ADDRESS + "-".join(whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK))


# Reading


def _sections(text: str) -> tuple[int, str, str, Variant]:
    """Return the number of players, the deck and the actions as they are written, and the variant."""
    if len(text) > MAX_LINK_LENGTH:
        raise RecordError(f"link has {len(text)} characters: expected at most {MAX_LINK_LENGTH}")
    parts = _content(text).replace("-", "").split(",")
    if len(parts) not in (3, 4):
        raise RecordError(f"link has {len(parts)} parts between commas: expected 3, for deck, actions and variant")
    deck, actions, live_id = parts[:3]
    players = _digit(deck[:1], "link, number of players", MIN_LIVE_PLAYERS, MAX_LIVE_PLAYERS)
    if not (live_id.isascii() and live_id.isdigit() and len(live_id) <= 6):
        raise RecordError(f"link, variant is {shown(live_id)}: expected the number of a variant")
    try:
        return players, deck[1:], actions, variant_with_live_id(int(live_id))
    except HandfulError as error:
        raise RecordError(f"link, variant: {error}") from None


def _content(text: str) -> str:
    """Return what has the game in it: without the address, a query and a fragment (the turn to show)."""
    text = text.strip()
    if numbered := _NUMBERED.fullmatch(text):
        raise RecordError(
            f"link has only the number of a game, {numbered[1][:20]}, and the game itself is on hanab.live: "
            f"save https://hanab.live/export/{numbered[1][:20]} to a file and give that"
        )
    found = _ADDRESS.fullmatch(text)
    content = found[1] if found else text
    if not found and "/" in content:
        raise RecordError(f"link is {shown(text)}: expected {ADDRESS}… or what follows that address")
    return unquote(re.split(r"[?#]", content, maxsplit=1)[0]).rstrip("/")


def _digit(character: str, what: str, low: int, high: int) -> int:
    if len(character) == 1 and character in "0123456789" and low <= int(character) <= high:
        return int(character)
    raise RecordError(f"{what} is {shown(character)}: expected a digit from {low} to {high}")


def _number(character: str, what: str) -> int:
    number = ALPHABET.find(character)
    if number < 0:
        raise RecordError(f"{what} has the character {shown(character)}: expected one of a-z, 0-9, A-Z")
    return number


def _decode_deck(text: str, variant: Variant) -> tuple[Card, ...]:
    lowest = _digit(text[:1], "link, lowest value of the deck", 0, 9)
    highest = _digit(text[1:2], "link, highest value of the deck", lowest, 9)
    spread = highest - lowest + 1
    deck = []
    for place, character in enumerate(text[2:]):
        suit, above = divmod(_number(character, f"link, deck[{place}]"), spread)
        value = variant.value_from_live(lowest + above)
        # A value that the variant has not is left for the deal to refuse; in Up or Down 6 must not pass for START.
        unknown = 0 if variant.start_value else lowest + above
        deck.append(Card(suit, unknown if value is None else value))
    return tuple(deck)


def _decode_actions(text: str) -> list[LiveAction]:
    lowest = _digit(text[:1], "lowest type of the actions", 0, 5)
    highest = _digit(text[1:2], "highest type of the actions", lowest, 5)
    spread = highest - lowest + 1
    if len(text) % 2:
        raise RecordError(f"actions have {len(text) - 2} characters: expected two for each")
    live = []
    for start in range(2, len(text), 2):
        where = f"actions[{start // 2 - 1}]"
        # (value + 1, or 0 if it is missing) · T + type − lowest
        above_value, above_kind = divmod(_number(text[start], where), spread)
        target = _number(text[start + 1], where)
        live.append(LiveAction(lowest + above_kind, target, above_value - 1 if above_value else None))
    return live


# Writing


def _check_expressible(record: Record) -> None:
    """Refuse a record with something that a link has no place for."""
    rules = record.rules
    if rules.players < MIN_LIVE_PLAYERS:
        raise RecordError(f"a link is for {MIN_LIVE_PLAYERS} to {MAX_LIVE_PLAYERS} players, not for {rules.players}")
    live_id = rules.variant.live_id
    if live_id is None or variant_with_live_id(live_id) != rules.variant:
        raise RecordError(f"a link cannot have the variant {rules.variant.name!r}, which hanab.live has no number for")
    if options := rules.options_text():
        raise RecordError(f"a link cannot have the rules options {options}: save the record as a file instead")
    if record.deal.starter:
        raise RecordError(f"a link cannot have {record.names[record.deal.starter]} begin: player 0 does")
    extras = {
        "notes": any(any(notes) for notes in record.notes),
        "characters": record.characters,
        "options": record.extra_options,
    }
    for name, content in extras.items():
        if content:
            raise RecordError(f"a link cannot have {name}: leave them out with record.bare(), or save it as a file")


def _character(number: int, what: str) -> str:
    if not 0 <= number < len(ALPHABET):
        raise RecordError(f"a link cannot have {what}: its number is {number}, expected 0 to {len(ALPHABET) - 1}")
    return ALPHABET[number]


def _encode_deck(deal: Deal) -> str:
    values = [deal.rules.variant.live_value(card.value) for card in deal.deck]
    lowest, highest = min(values), max(values)
    spread = highest - lowest + 1
    codes = (card.suit * spread + value - lowest for card, value in zip(deal.deck, values, strict=True))
    return f"{lowest}{highest}" + "".join(_character(code, f"card {place}") for place, code in enumerate(codes))


def _encode_actions(live: list[LiveAction]) -> str:
    if not live:
        return "00"
    kinds = [action.kind for action in live]
    lowest, highest = min(kinds), max(kinds)
    spread = highest - lowest + 1
    text = f"{lowest}{highest}"
    for index, (kind, target, value) in enumerate(live):
        above_value = 0 if value is None else value + 1
        text += _character(above_value * spread + kind - lowest, f"the value {value} of action {index}")
        text += _character(target, f"the target {target} of action {index}")
    return text
