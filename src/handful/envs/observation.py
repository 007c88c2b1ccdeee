"""What a player sees, as the vector of `fields`: the plain form, which `encoder_kernel` is compared with."""

from __future__ import annotations

from collections.abc import Iterable

from handful.envs.fields import Field, fields, observation_size
from handful.hanabi.actions import Discard, HintSuit, HintValue, Play
from handful.hanabi.cards import card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.view import View


def encode(view: View) -> list[int]:
    """Return the observation of a view: 0s and 1s, in the places that `fields` names.

    It is made of a view alone, so nothing in it depends on cards that the player cannot see.

    >>> from handful.hanabi import Deal, Rules, State
    >>> vector = encode(State(Deal.from_seed(Rules(players=2), seed=1)).view(0))
    >>> len(vector), sum(vector)
    (658, 306)
    """
    vector = [0] * observation_size(view.rules)
    place = {field.name: field for field in fields(view.rules)}
    undrawn = undrawn_seat(view)
    _hands(vector, place, view, undrawn)
    _board(vector, place, view, undrawn)
    _discards(vector, place, view)
    if view.history:
        _last_turn(vector, place, view, view.history[-1])
    _knowledge(vector, place, view, undrawn)
    return vector


def undrawn_seat(view: View) -> int | None:
    """Return the seat whose newest card the Hanabi Learning Environment would not have dealt, or None.

    When a game ends by the last strike or the last card of the last stack, it deals no card for the one just used; we
    do. The observation of such an end is made to agree with it.
    """
    if not view.is_over or not view.history or view.history[-1].drew is None:
        return None
    return view.history[-1].actor


def _set(vector: list[int], field: Field, places: Iterable[int]) -> None:
    for place in places:
        vector[field.start + place] = 1


def _hands(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, variant = view.rules, view.rules.variant
    for ahead in range(rules.players):
        seat = (view.me + ahead) % rules.players
        length = view.hand_length(seat) - (seat == undrawn)
        for slot, card in enumerate(view.cards[seat][:length]):
            first = ((ahead - 1) * rules.hand_size + slot) * variant.num_types
            _set(vector, place["cards"], [first + card_index(variant, card)])
        if length < rules.hand_size:
            _set(vector, place["short"], [ahead])


def _board(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, values = view.rules, view.rules.variant.num_values
    assert view.hints is not None
    assert rules.max_strikes is not None
    _set(vector, place["deck"], range(view.deck_size + (undrawn is not None)))
    _set(vector, place["stacks"], [suit * values + height - 1 for suit, height in enumerate(view.stacks) if height])
    _set(vector, place["hints"], range(view.hints))
    _set(vector, place["lives"], range(rules.max_strikes - view.strikes))


def _discards(vector: list[int], place: dict[str, Field], view: View) -> None:
    variant = view.rules.variant
    thrown = [0] * variant.num_types
    for card in view.discards:
        thrown[card_index(variant, card)] += 1
    first = 0
    for count, copies in zip(thrown, variant.copies, strict=True):
        _set(vector, place["discards"], range(first, first + count))
        first += copies


def _last_turn(vector: list[int], place: dict[str, Field], view: View, turn: Turn) -> None:
    rules = view.rules
    _set(vector, place["actor"], [(turn.actor - view.me) % rules.players])
    match turn.action:
        case Play(slot) | Discard(slot):
            is_play = isinstance(turn.action, Play)
            assert turn.card is not None
            _set(vector, place["move"], [0 if is_play else 1])
            _set(vector, place["slot"], [slot])
            _set(vector, place["card"], [card_index(rules.variant, turn.card)])
            _set(vector, place["success"], [0] if is_play and not turn.is_strike else [])
            _set(vector, place["bonus"], [0] if is_play and regained_hint(view) else [])
        case HintSuit(player, suit):
            _set(vector, place["move"], [2])
            _set(vector, place["target"], [(player - view.me) % rules.players])
            _set(vector, place["suit"], [suit])
        case HintValue(player, value):
            _set(vector, place["move"], [3])
            _set(vector, place["target"], [(player - view.me) % rules.players])
            _set(vector, place["value"], [value - 1])
    _set(vector, place["touched"], turn.touched)


def regained_hint(view: View) -> bool:
    """Whether the last turn brought a hint token back.

    Before the first turn all tokens are there. (A game that starts in the middle with fewer, and whose very first turn
    brings the last one back, cannot be told from that by a view.)
    """
    before = view.history[-2].hints if len(view.history) > 1 else view.rules.max_hints
    after = view.history[-1].hints
    assert before is not None
    assert after is not None
    return after > before


def _knowledge(vector: list[int], place: dict[str, Field], view: View, undrawn: int | None) -> None:
    rules, variant = view.rules, view.rules.variant
    bits = variant.num_types + variant.num_suits + variant.num_values
    for ahead in range(rules.players):
        seat = (view.me + ahead) % rules.players
        length = view.hand_length(seat) - (seat == undrawn)
        for slot, held in enumerate(view.hands[seat][:length]):
            known, first = held.knowledge, (ahead * rules.hand_size + slot) * bits
            told = known.suit_hints_mask | known.value_hints_mask << variant.num_suits
            mask = known.possible_mask | told << variant.num_types
            _set(vector, place["knowledge"], [first + bit for bit in range(bits) if mask >> bit & 1])
