"""A new table of Gin: the house, the deals, and the two places that the form describes."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from handful.errors import NotationError
from handful.hanabi.notation import NAMES
from handful.rummy.gin.game import GinPlan
from handful.rummy.gin.rules import LARGEST_TARGET, gin_rules
from handful.web.pages.new_table import DRAWN_SEEDS, PERSON

USUAL_BOT = "montecarlo"
TARGETS = (50, 100, 250)

Text: TypeAlias = Annotated[str, Field(max_length=200)]


class NewGinTable(BaseModel):
    """What the form says: the house, how far the game goes, who sits opposite, and where the deals come from."""

    opponent: Text = USUAL_BOT
    name: Text = ""
    opponent_name: Text = ""
    rules: Text = "eaai"
    target: Annotated[int, Field(ge=1, le=LARGEST_TARGET)] = 100
    oklahoma: bool = False
    hints: Literal["yes", "no"] = "yes"
    deal: Literal["drawn", "seed"] = "drawn"
    seed: Text = ""

    def plan(self) -> GinPlan:
        """Return the house, and the deals: drawn now, or of a seed."""
        text = self.rules
        if gin_rules(text).target != self.target:
            text += f", target={self.target}"
        if self.oklahoma and not gin_rules(text).oklahoma:
            text += ", oklahoma=yes"
        rules = gin_rules(text)
        if self.deal == "drawn":
            return GinPlan(rules, secrets.randbelow(DRAWN_SEEDS), secrets.randbelow(2))
        seed = self.seed.strip()
        if not (seed.isascii() and seed.isdigit() and len(seed) <= 20) or int(seed) >= DRAWN_SEEDS:
            raise NotationError(f"seed {seed!r}: expected a number below 2^63, such as 7")
        return GinPlan(rules, int(seed))

    def places(self) -> list[tuple[str, str]]:
        """Return the names and the bots of both seats."""
        bot = "" if self.opponent == PERSON else self.opponent
        own, other = (" ".join(name.split()) for name in (self.name, self.opponent_name))
        return [(own or NAMES[0], ""), (other or NAMES[1], bot)]


def plan_anew(plan: GinPlan) -> GinPlan:
    """Return another game in the same house, drawn now; who started the last one does not start this one."""
    return GinPlan(plan.rules, secrets.randbelow(DRAWN_SEEDS), 1 - plan.starter)
