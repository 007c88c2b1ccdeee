"""The actions and the options of hanab.live, and ours.

There an action has a type, a target and a value. A card is named by its place in the deck's order, not by its slot, so
both ways lead through a replay of the game by the plain rules.

====  =============  ================  ===========================================
type  what           target            value
====  =============  ================  ===========================================
0     play           order of a card   0 or missing (with `deckPlays` also of the last one in the deck)
1     discard        order of a card   0 or missing
2     suit hint      player            number of the suit hint
3     value hint     player            value
4     end of game    player            why: a code of `END_REASONS`
5     end by vote    −1                a code, or 0
====  =============  ================  ===========================================

Of the options, what hanab.live can say is said in its words; the rest of our rules goes into a field of our own,
``handfulRules``, as `Rules.options_text` writes them, and a seed of our own into ``handfulSeed``. The site ignores
both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handful import _json_fields as json_fields
from handful.errors import HandfulError, RecordError
from handful.hanabi import legality
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play, PlayDeck
from handful.hanabi.cards import card_text
from handful.hanabi.deal import Deal
from handful.hanabi.rules import DEFAULT_HAND_SIZE, Rules, rules_from_text
from handful.hanabi.state import State
from handful.hanabi.variants import NO_VARIANT, Variant, variant_named

# Actions

PLAY, DISCARD, HINT_SUIT, HINT_VALUE, END_GAME, END_BY_VOTE = range(6)
NOBODY = -1
MAX_END_CODE = 60

NORMAL_END = 1
END_REASONS = {
    NORMAL_END: "normal end",
    2: "strikes",
    3: "out of time",
    4: "ended by a player",
    5: "speedrun failed",
    6: "idle for too long",
    7: "stuck by a character",
    8: "all or nothing failed",
    9: "stuck in all or nothing",
    10: "ended by vote",
}


class LiveAction(NamedTuple):
    """An action as hanab.live writes it. `value` is None where it is missing."""

    kind: int
    target: int
    value: int | None


@dataclass(frozen=True, slots=True)
class EndAction:
    """The end of a game other than by its last turn. `player` is None where it is nobody's doing; `code` says why.

    >>> EndAction(code=4, player=1).reason
    'ended by a player'
    """

    code: int
    player: int | None = None
    by_vote: bool = False

    @property
    def is_normal(self) -> bool:
        """Whether the game came to its end by the rules: then its points count."""
        return self.code == NORMAL_END and not self.by_vote

    @property
    def reason(self) -> str:
        """Why the game ended, in words."""
        return "ended by vote" if self.by_vote else END_REASONS.get(self.code, f"hanab.live's code {self.code}")


def actions_of(state: State) -> tuple[Action, ...]:
    """Return the actions of a game so far."""
    return tuple(turn.action for turn in state.history)


def game_from_live(deal: Deal, names: Sequence[str], live: Iterable[LiveAction]) -> tuple[State, tuple[EndAction, ...]]:
    """Return a game after these actions, and what ended it; refuse the first one that the rules forbid."""
    state = State(deal)
    ends: list[EndAction] = []
    for index, each in enumerate(live):
        where = f"actions[{index}] (turn {state.turn_number}, {names[state.current]})"
        if each.kind in (END_GAME, END_BY_VOTE):
            ends.append(_end_from_live(deal, index, each))
            continue
        if ends:
            raise RecordError(f"{where} comes after the end of the game: {ends[-1].reason}")
        if state.is_over:
            raise RecordError(f"{where} comes after the end of the game: {state.ending}, {state.points} points")
        action = _action_from_live(state, where, each)
        reason = legality.why_illegal(state, action)
        if reason is not None:
            raise RecordError(f"{where}: {_words(state, each)} is illegal: {reason}")
        state.act(action)
    return state, tuple(ends)


def live_from_actions(state: State, ends: Iterable[EndAction]) -> list[LiveAction]:
    """Return hanab.live's actions for all that happened in a game, and for what ended it."""
    live: list[LiveAction] = []
    for turn in state.history:
        match turn.action:
            case HintSuit(player, suit):
                live.append(LiveAction(HINT_SUIT, player, suit))
            case HintValue(player, value):
                live.append(LiveAction(HINT_VALUE, player, value))
            case Play() | Discard() | PlayDeck():
                assert turn.order is not None
                live.append(LiveAction(DISCARD if isinstance(turn.action, Discard) else PLAY, turn.order, 0))
    for end in ends:
        player = NOBODY if end.player is None else end.player
        live.append(LiveAction(END_BY_VOTE if end.by_vote else END_GAME, player, end.code))
    return live


def _action_from_live(state: State, where: str, live: LiveAction) -> Action:
    if live.kind in (HINT_SUIT, HINT_VALUE):
        if live.value is None:
            raise RecordError(f"{where}: the value of a hint is missing")
        return (HintSuit if live.kind == HINT_SUIT else HintValue)(live.target, live.value)
    if live.kind not in (PLAY, DISCARD):
        raise RecordError(f"{where}: type is {live.kind}, expected {PLAY} to {END_BY_VOTE}")
    if live.value:
        raise RecordError(f"{where}: value is {live.value}, expected 0 or none for a play or discard")
    if live.kind == PLAY and legality.why_deck_unplayable(state) is None and live.target == len(state.deal.deck) - 1:
        return PlayDeck()
    orders = [held.order for held in state.hands[state.current]]
    if live.target not in orders:
        raise RecordError(f"{where}: target is card {live.target}, expected one in the hand: {_series(orders)}")
    return (Play if live.kind == PLAY else Discard)(orders.index(live.target))


def _end_from_live(deal: Deal, index: int, live: LiveAction) -> EndAction:
    last = deal.rules.players - 1
    if not NOBODY <= live.target <= last:
        raise RecordError(f"actions[{index}].target is {live.target}: expected a player, {NOBODY} (nobody) to {last}")
    code = live.value or 0
    if not 0 <= code <= MAX_END_CODE:
        raise RecordError(f"actions[{index}].value is {code}: expected a code of an end, 0 to {MAX_END_CODE}")
    return EndAction(code, None if live.target == NOBODY else live.target, live.kind == END_BY_VOTE)


def _words(state: State, live: LiveAction) -> str:
    """Return what was tried, for a message."""
    if live.kind in (PLAY, DISCARD):
        card = card_text(state.rules.variant, state.deal.deck[live.target])
        return f"{'playing' if live.kind == PLAY else 'discarding'} card {live.target} ({card})"
    kind = "suit" if live.kind == HINT_SUIT else "value"
    return f"the {kind} hint {live.value} to player {live.target}"


def _series(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "it is empty"


# Options

MAX_CARDS = 2000
MAX_TEXT = 500
MAX_TIME = 10**9

# What changes the rules in ways that are not supported, and what each is.
UNSUPPORTED = {
    "cardCycle": "cards change places in the hand",
    "detrimentalCharacters": "each player is under a rule of their own",
}
RULES = (
    *("variant", "startingPlayer", "emptyClues", "oneExtraCard", "oneLessCard", "deckPlays", "allOrNothing"),
    *("handfulRules", "handfulSeed"),
)
# Options that hanab.live and we have words for.
SWITCHES = {"emptyClues": "empty_hints", "deckPlays": "deck_plays", "allOrNothing": "all_or_nothing"}
# What is about clocks, not cards: kept, and written again.
CLOCKS = ("timed", "timeBase", "timePerTurn", "speedrun")

# Seeds of ours, `7` or `7/12`. They must not stand where hanab.live looks for its own.
OWN_SEED = re.compile(r"[0-9]+(/[0-9]+)?")


@dataclass(frozen=True)
class LiveOptions:
    """The options of a record: our rules, who starts, a seed of ours, and what does not touch the rules."""

    rules: Rules
    starter: int = 0
    own_seed: str = ""
    extra: tuple[tuple[str, int], ...] = ()


def options_from_json(value: object, players: int) -> LiveOptions:
    """Return the options of a record; what changes the rules and is not supported is refused by name."""
    options = {} if value is None else value
    if isinstance(options, dict):
        for name, meaning in UNSUPPORTED.items():
            if options.get(name):
                raise RecordError(f"options.{name} is not supported ({meaning}): expected false")
    fields = json_fields.fields_of(options, "options", (*RULES, *CLOCKS, *UNSUPPORTED))
    return LiveOptions(
        rules=_rules(fields, players),
        starter=json_fields.number_in(fields, "startingPlayer", "options", 0, players - 1, default=0),
        own_seed=_own_seed(fields.get("handfulSeed")),
        extra=tuple((name, _clock(name, fields[name])) for name in CLOCKS if fields.get(name) is not None),
    )


def json_from_options(options: LiveOptions) -> dict[str, object]:
    """Return the options as a record has them: those that differ from the usual ones."""
    rules = options.rules
    _check_variant(rules.variant)
    fields: dict[str, object] = {"variant": rules.variant.name}
    if options.starter:
        fields["startingPlayer"] = options.starter
    said = []  # options that hanab.live has a word for
    for name, ours in SWITCHES.items():
        if getattr(rules, ours):
            fields[name] = True
            said.append(ours)
    more = rules.hand_size - DEFAULT_HAND_SIZE[rules.players]
    if abs(more) == 1:
        fields["oneExtraCard" if more > 0 else "oneLessCard"] = True
        said.append("hand_size")
    rest = [part for part in rules.options_text().split(", ") if part and part.partition("=")[0] not in said]
    if rest:
        fields["handfulRules"] = ", ".join(rest)
    if options.own_seed:
        fields["handfulSeed"] = options.own_seed
    return fields | dict(options.extra)


def _rules(fields: dict[str, object], players: int) -> Rules:
    variant = _variant(fields.get("variant"))
    switched = [ours for name, ours in SWITCHES.items() if json_fields.yes_or_no(fields.get(name), f"options.{name}")]
    more = json_fields.yes_or_no(fields.get("oneExtraCard"), "options.oneExtraCard")
    less = json_fields.yes_or_no(fields.get("oneLessCard"), "options.oneLessCard")
    if more and less:
        raise RecordError("options.oneExtraCard and options.oneLessCard are both true: expected one of them")
    own = json_fields.text(fields.get("handfulRules"), "options.handfulRules", MAX_TEXT)
    if (more or less) and "hand_size" in own:
        raise RecordError(
            "options.handfulRules has a hand_size beside oneExtraCard or oneLessCard: expected one of them"
        )
    parts = [own]
    if more or less:
        parts.append(f"hand_size={DEFAULT_HAND_SIZE[players] + more - less}")
    parts += [f"{ours}=yes" for ours in switched]
    try:
        return rules_from_text(", ".join(parts), players, variant)
    except HandfulError as error:
        raise RecordError(f"{'options.handfulRules' if own else 'options'}: {error}") from None


def _variant(value: object) -> Variant:
    name = json_fields.text(value, "options.variant", MAX_TEXT)
    if not name:
        return NO_VARIANT
    try:
        variant = variant_named(name)
    except HandfulError as error:
        raise RecordError(f"options.variant: {error}") from None
    _check_variant(variant)
    return variant


def _check_variant(variant: Variant) -> None:
    """Refuse a variant that a record cannot name, or with so many cards that it is no game."""
    if variant.num_cards > MAX_CARDS:
        raise RecordError(f"variant {variant.name} has {variant.num_cards} cards: a record has at most {MAX_CARDS}")
    try:
        is_known = variant_named(variant.name) == variant and len(variant.name) <= MAX_TEXT
    except HandfulError:
        is_known = False
    if not is_known:
        raise RecordError(
            f"variant {variant.name!r} cannot be in a record, which has variants by their known names only"
        )


def _own_seed(value: object) -> str:
    seed = json_fields.text(value, "options.handfulSeed", MAX_TEXT)
    if seed and not OWN_SEED.fullmatch(seed):
        json_fields.refuse("options.handfulSeed", seed, "a number, or seed/game such as 7/12")
    return seed


def _clock(name: str, value: object) -> int:
    if name in ("timed", "speedrun"):
        return json_fields.yes_or_no(value, f"options.{name}")
    return json_fields.whole_number(value, f"options.{name}", 0, MAX_TIME)
