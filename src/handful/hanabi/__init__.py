"""Hanabi, the game: rules and variants, deals, states and views, records. `kernels` has the same rules on arrays."""

from handful.hanabi.actions import Action, Discard, Hint, HintSuit, HintValue, Play, PlayDeck, action_at, action_index
from handful.hanabi.cards import Card, card_at, card_index, card_text, parse_card, parse_cards
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import CardKnowledge, HeldCard, Turn
from handful.hanabi.live.links import link_from_record, record_from_link
from handful.hanabi.live.records import Record, load_record, read_record, save_record
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.rules import PRESETS, Rules, rules_from_text
from handful.hanabi.state import State
from handful.hanabi.variants import NO_VARIANT, VARIANTS, Suit, Variant, variant_named
from handful.hanabi.view import CommonKnowledge, View

__all__ = [
    "NO_VARIANT",
    "PRESETS",
    "VARIANTS",
    "Action",
    "Card",
    "CardKnowledge",
    "CommonKnowledge",
    "Deal",
    "Discard",
    "HeldCard",
    "Hint",
    "HintSuit",
    "HintValue",
    "Play",
    "PlayDeck",
    "Record",
    "Rules",
    "State",
    "Suit",
    "Turn",
    "Variant",
    "View",
    "action_at",
    "action_index",
    "card_at",
    "card_index",
    "card_text",
    "deal_from_live_seed",
    "link_from_record",
    "load_record",
    "parse_card",
    "parse_cards",
    "read_record",
    "record_from_link",
    "rules_from_text",
    "save_record",
    "variant_named",
]
