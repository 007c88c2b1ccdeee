"""The options of a hanab.live record, and our rules.

What hanab.live can say is said in its words; the rest of our rules goes into a field of our own, ``handfulRules``, as
`Rules.options_text` writes them, and a seed of our own into ``handfulSeed``. The site ignores both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from handful import _json_fields as json_fields
from handful.errors import HandfulError, RecordError
from handful.hanabi.rules import DEFAULT_HAND_SIZE, Rules, rules_from_text
from handful.hanabi.variants import NO_VARIANT, Variant, variant_named

MAX_CARDS = 2000
MAX_TEXT = 500
MAX_TIME = 10**9

# What changes the rules in ways that are not supported, and what each is.
UNSUPPORTED = {
    "cardCycle": "cards change places in the hand",
    "deckPlays": "the last card of the deck can be played blind",
    "allOrNothing": "a game counts only if it is perfect",
    "detrimentalCharacters": "each player is under a rule of their own",
}
RULES = ("variant", "startingPlayer", "emptyClues", "oneExtraCard", "oneLessCard", "handfulRules", "handfulSeed")
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
    starter = fields.get("startingPlayer")
    if starter is None:
        starter = 0
    return LiveOptions(
        rules=_rules(fields, players),
        starter=json_fields.whole_number(starter, "options.startingPlayer", 0, players - 1),
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
    if rules.empty_hints:
        fields["emptyClues"] = True
        said.append("empty_hints")
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
    empty_hints = json_fields.yes_or_no(fields.get("emptyClues"), "options.emptyClues")
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
    if empty_hints:
        parts.append("empty_hints=yes")
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
