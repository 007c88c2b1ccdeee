"""A new table: the deal and the places that the form describes."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import UploadFile
from pydantic import BaseModel, Field

from handful.bots.players import REGISTER
from handful.errors import HandfulError, NotationError, RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.listing import nearest_names, search
from handful.hanabi.live.records import MAX_RECORD_BYTES, read_record
from handful.hanabi.live.seeds import deal_from_live_seed, is_live_seed, parse_live_seed
from handful.hanabi.notation import NAMES
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import Variant, variant_named
from handful.web.table_options import MAX_INCREMENT, MAX_MINUTES, TableOptions
from handful.web.tables import MAX_PLAYERS, MIN_PLAYERS

PERSON = "person"  # what the form says of a seat in which no bot sits
USUAL_BOT = "partner"
BOT_FOR_ALL = "rules(reading=text)"
# Seeds that the server draws. Whoever sees a few cards must not be able to try all seeds for the one that fits.
DRAWN_SEEDS = 2**63

Text: TypeAlias = Annotated[str, Field(max_length=200)]


class NewTable(BaseModel):
    """What the form says: the game, where its deal comes from, and a name and a person or bot for each seat."""

    players: Annotated[int, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)] = 3
    variant: Text = "No Variant"
    rules: Text = "hanab-live"
    deck_plays: bool = False
    all_or_nothing: bool = False
    empty_hints: bool = False
    cards: Literal["usual", "more", "fewer"] = "usual"
    deal: Literal["drawn", "seed", "file"] = "drawn"
    seed: Text = ""
    file: UploadFile | None = None
    name_1: Text = ""
    name_2: Text = ""
    name_3: Text = ""
    name_4: Text = ""
    name_5: Text = ""
    name_6: Text = ""
    seat_1: Text = PERSON
    seat_2: Text = USUAL_BOT
    seat_3: Text = USUAL_BOT
    seat_4: Text = USUAL_BOT
    seat_5: Text = USUAL_BOT
    seat_6: Text = USUAL_BOT
    casual: bool = False
    open_hands: bool = False
    clock_minutes: Annotated[int, Field(ge=0, le=MAX_MINUTES)] = 0
    clock_seconds: Annotated[int, Field(ge=0, le=MAX_INCREMENT)] = 10

    def options(self) -> TableOptions:
        """Return how the table is played at; without minutes there is no clock."""
        increment = self.clock_seconds if self.clock_minutes else 0
        return TableOptions(self.casual, self.open_hands, 60 * self.clock_minutes, increment)

    def dealt(self) -> Deal:
        """Return the deal: drawn now, of a seed, or of a record that was sent (its actions are left alone)."""
        if self.deal == "file":
            if self.file is None or not self.file.filename:
                raise NotationError("no file was chosen: expected a game's JSON, as hanab.live writes it")
            return read_record(self.file.file.read(MAX_RECORD_BYTES + 1)).deal
        if self.deal == "seed":
            return self._deal_of_seed(self.seed.strip())
        return Deal.from_seed(self._rules(), secrets.randbelow(DRAWN_SEEDS))

    def places(self, rules: Rules) -> list[tuple[str, str]]:
        """Return the names and the bots by seat; whoever has no name is called as usual.

        In games that the usual bot cannot play another one sits down, which plays everything.
        """
        try:
            REGISTER[USUAL_BOT].check(rules)
            usual_bot = USUAL_BOT
        except RulesError:
            usual_bot = BOT_FOR_ALL
        names = (self.name_1, self.name_2, self.name_3, self.name_4, self.name_5, self.name_6)
        seats = (self.seat_1, self.seat_2, self.seat_3, self.seat_4, self.seat_5, self.seat_6)
        return [
            (" ".join(name.split()) or usual, "" if seat == PERSON else usual_bot if seat == USUAL_BOT else seat)
            for usual, name, seat in zip(NAMES[: rules.players], names, seats, strict=False)
        ]

    def _deal_of_seed(self, seed: str) -> Deal:
        """Return the deal of a seed. One of hanab.live says how many play, and what."""
        if is_live_seed(seed):
            implied = parse_live_seed(seed)
            return deal_from_live_seed(seed, self._rules_of(implied.players, implied.variant))
        number, slash, game = seed.partition("/")
        if not _is_number(number) or (slash and not _is_number(game)):
            raise NotationError(f"seed {seed!r}: expected a number such as 7, or a seed of hanab.live such as p4v0s415")
        return Deal.from_seed(self._rules(), int(number), int(game or 0))

    def _rules(self) -> Rules:
        return self._rules_of(self.players, variant_named(self.variant))

    def _rules_of(self, players: int, variant: Variant) -> Rules:
        """Return the rules of the preset or text, with the options that were ticked on top."""
        rules = rules_from_text(self.rules, players, variant)
        return replace(
            rules,
            deck_plays=rules.deck_plays or self.deck_plays,
            all_or_nothing=rules.all_or_nothing or self.all_or_nothing,
            empty_hints=rules.empty_hints or self.empty_hints,
            hand_size=rules.hand_size + {"usual": 0, "more": 1, "fewer": -1}[self.cards],
        )


MOST_FOUND = 12


def variants_found(text: str) -> dict[str, Any]:
    """Return what the form says of a text: the variant that it names, others that it could mean, or what is wrong."""
    words = [word.strip("()&,").lower() for word in text.split()]
    names = [name for name, _code, _live_id in search([word for word in words if word])] if any(words) else []
    try:
        chosen, mistake = variant_named(text), ""
        names = [name for name in names if name != chosen.name]
    except HandfulError as error:
        chosen, mistake = None, "" if names or not any(words) else str(error)
        names = names or nearest_names(text)
    return {"chosen": chosen, "mistake": mistake, "found": names[:MOST_FOUND], "num_found": len(names)}


def deal_anew(deal: Deal) -> Deal:
    """Return another deal of the same game, drawn now."""
    return Deal.from_seed(deal.rules, secrets.randbelow(DRAWN_SEEDS))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20
