"""Actions and turns as a person writes and reads them: `play c`, `hint Bob red`; "Bob misplays a: blue 4, strike 1".

Slots are letters, `a` is the oldest card; players are called by seat (1, 2, …) or by name, suits by name or letter.
Words can be cut short as long as it stays clear which are meant: `hint b 3`, `p c`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from handful.errors import NotationError, shown
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play, PlayDeck, Unheard
from handful.hanabi.cards import Card, parse_card
from handful.hanabi.knowledge import Turn
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Variant

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
# A player of this name is spoken to: "You play c", "Bob tells you about 3s".
YOU = "You"

EXPECTED = "expected play SLOT, discard SLOT or hint PLAYER WHAT, such as play c, discard a, hint 2 red, hint 2 3"


def default_names(players: int) -> tuple[str, ...]:
    """Return names for the seats: Alice, Bob, Cathy and so on."""
    return NAMES[:players]


def slot_text(slot: int) -> str:
    """Return the letter of a slot; after z come aa, ab, ….

    >>> slot_text(0), slot_text(4), slot_text(26)
    ('a', 'e', 'aa')
    """
    before, last = divmod(slot, 26)
    return (slot_text(before - 1) if before else "") + chr(ord("a") + last)


def card_words(variant: Variant, card: Card) -> str:
    """Return a card in words.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> card_words(NO_VARIANT, Card(0, 1))
    'red 1'
    """
    value = "start" if card.value == variant.start_value else str(card.value)
    return f"{variant.suits[card.suit].name.lower()} {value}"


def cards_in_words(variant: Variant, text: str) -> str:
    """Return a text with its cards in words, however they were written.

    >>> from handful.hanabi.variants import NO_VARIANT
    >>> cards_in_words(NO_VARIANT, "lost card: no p4 is left; both are needed (r4 y5)")
    'lost card: no purple 4 is left; both are needed (red 4, yellow 5)'
    """
    values = "".join(map(variant.value_text, range(1, variant.num_values + 1)))
    card = f"[{''.join(suit.letter for suit in variant.suits)}][{values}]"

    def words(found: re.Match[str]) -> str:
        return ", ".join(card_words(variant, parse_card(variant, each)) for each in found[0].split())

    return re.sub(rf"\b{card}(?: {card})*\b", words, text)


# Actions


def action_text(rules: Rules, action: Action, names: Sequence[str] = NAMES) -> str:
    """Return an action as `parse_action` reads it.

    >>> action_text(Rules(players=3), HintSuit(1, 0))
    'hint Bob red'
    """
    match action:
        case Play(slot):
            return f"play {slot_text(slot)}"
        case Discard(slot):
            return f"discard {slot_text(slot)}"
        case HintSuit(player, suit):
            return f"hint {_player_text(names, player)} {rules.variant.suit_hints[suit].name.lower()}"
        case HintValue(player, value):
            return f"hint {_player_text(names, player)} {rules.variant.value_hint_text(value)}"
        case PlayDeck():
            return "play deck"
        case Unheard(player, kind):
            return f"hint {_player_text(names, player)} some {kind or 'hint'}"


def parse_action(rules: Rules, actor: int, text: str, names: Sequence[str] = NAMES) -> Action:
    """Return the action of this player that is written so. Whether it is legal is another question.

    At a table of two the player of a hint may be left out.

    >>> parse_action(Rules(players=3), 0, "hint bob 3")
    HintValue(player=1, value=3)
    >>> parse_action(Rules(players=2), 1, "play c")
    Play(slot=2)
    """
    verb, *words = text.split() or [""]
    named = _beginning(verb.lower(), ("play", "discard", "hint"))
    if named == 2:
        return _parse_hint(rules, actor, words, names[: rules.players])
    if named is None:
        raise NotationError(f"{shown(text.strip())} is not an action: {EXPECTED}")
    if len(words) != 1:
        raise NotationError(
            f"{shown(text.strip())} names {len(words)} slots: expected one, such as {('play', 'discard')[named]} a"
        )
    if rules.deck_plays and named == 0 and words[0].lower() == "deck":
        return PlayDeck()
    slot = _parse_slot(rules, words[0])
    return Discard(slot) if named else Play(slot)


def _parse_slot(rules: Rules, text: str) -> int:
    slots = [slot_text(slot) for slot in range(rules.hand_size)]
    if text.lower() in slots:
        return slots.index(text.lower())
    raise NotationError(
        f"{shown(text)} is not a slot: expected a letter of {slots[0]} to {slots[-1]}; a is the oldest card"
    )


def _parse_hint(rules: Rules, actor: int, words: Sequence[str], names: Sequence[str]) -> Action:
    if len(words) == 1 and rules.players == 2:
        player = 1 - actor
    elif len(words) < 2:
        raise NotationError("a hint is for a player and about something: expected hint PLAYER WHAT, such as hint 2 red")
    else:
        player = _parse_player(" ".join(words[:-1]), rules.players, names)
    return _parse_hint_about(rules.variant, player, words[-1].lower())


def _parse_player(text: str, players: int, names: Sequence[str]) -> int:
    lower = [name.lower() for name in names]
    if lower.count(text.lower()) == 1:
        return lower.index(text.lower())
    if text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= players:
        return int(text) - 1
    found = _beginning(text.lower(), lower)
    if found is None:
        raise NotationError(f"{shown(text)} is not a player: expected 1 to {players} or a name of {', '.join(names)}")
    return found


def _parse_hint_about(variant: Variant, player: int, text: str) -> HintSuit | HintValue:
    for value in variant.value_hints:
        if text in (str(value), variant.value_hint_text(value)):
            return HintValue(player, value)
    colours = variant.suit_hints
    for index, colour in enumerate(colours):
        if text == colour.letter:
            return HintSuit(player, index)
    found = _beginning(text, [colour.name.lower() for colour in colours])
    if found is not None:
        return HintSuit(player, found)
    expected = _hints_text(variant)
    raise NotationError(f"{shown(text)} cannot be hinted in {variant.name}: expected {expected}")


def _hints_text(variant: Variant) -> str:
    """Return what can be hinted, in words."""
    values = variant.value_hints
    if not values:
        about_values = ""
    elif values == tuple(range(1, len(values) + 1)) and not variant.modifiers.odds_and_evens:
        about_values = f"a value of 1 to {values[-1]}"
    else:
        about_values = f"one of {' '.join(map(variant.value_hint_text, values))}"
    return ", or ".join(filter(None, (", ".join(hint.name.lower() for hint in variant.suit_hints), about_values)))


def _beginning(text: str, words: Iterable[str]) -> int | None:
    """Return the index of the only word that begins so (or is so), or None."""
    every = list(words)
    if every.count(text) == 1:
        return every.index(text)
    found = [index for index, word in enumerate(every) if text and word.startswith(text)]
    return found[0] if len(found) == 1 else None


def _player_text(names: Sequence[str], player: int) -> str:
    """Return a player's name, or the seat's number where the name would not be understood."""
    name = names[player] if player < len(names) else ""
    is_clear = (
        bool(name) and name == " ".join(name.split()) and [each.lower() for each in names].count(name.lower()) == 1
    )
    return name if is_clear else str(player + 1)


# Turns


def turn_text(rules: Rules, turn: Turn, names: Sequence[str] = NAMES) -> str:
    """Return what happened on a turn, in words.

    >>> turn_text(Rules(players=3), Turn(1, 0, HintValue(1, 3), 7, 0, 0, touched=(1, 3)))
    'Alice tells Bob about 3s: slots b d'
    >>> turn_text(Rules(players=3), Turn(2, 1, Play(0), 7, 1, 0, order=5, card=Card(3, 4), is_strike=True))
    'Bob misplays a: blue 4, strike 1'
    """
    actor = names[turn.actor]
    match turn.action:
        case Play(slot) | Discard(slot):
            is_orange = turn.card is not None and rules.variant.suits[turn.card.suit].is_played_by_discarding
            failed = turn.is_strike and not is_orange
            verb = "discard" if isinstance(turn.action, Discard) else "misplay" if failed else "play"
            card = "" if turn.card is None else f": {card_words(rules.variant, turn.card)}"
            if is_orange:
                what = "discards" if isinstance(turn.action, Play) else "misplays" if turn.is_strike else "plays"
                card += f", which {what} it"
            strike = f", strike {turn.strikes}" if turn.is_strike else ""
            return f"{actor} {_verb(actor, verb)} {slot_text(slot)}{card}{strike}"
        case PlayDeck():
            card = "" if turn.card is None else f": {card_words(rules.variant, turn.card)}"
            strike = f", strike {turn.strikes}" if turn.is_strike else ""
            verb = "misplay" if turn.is_strike else "play"
            return f"{actor} {_verb(actor, verb)} the last card of the deck{card}{strike}"
        case Unheard(player, kind):
            about = f"some {kind}" if kind else "something"
        case HintSuit(player, suit):
            about = rules.variant.suit_hints[suit].name.lower()
        case HintValue(player, value):
            about = f"{value}s" if not rules.variant.modifiers.odds_and_evens else rules.variant.value_hint_text(value)
    whom = "you" if names[player] == YOU else names[player]
    return f"{actor} {_verb(actor, 'tell')} {whom} about {about}: {_slots_text(turn.touched)}"


def _verb(actor: str, verb: str) -> str:
    return verb if actor == YOU else f"{verb}s"


def _slots_text(slots: Sequence[int]) -> str:
    if not slots:
        return "no card"
    return f"{'slot' if len(slots) == 1 else 'slots'} {' '.join(map(slot_text, slots))}"
