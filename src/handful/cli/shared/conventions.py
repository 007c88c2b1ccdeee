"""What in played games is not as the conventions of most people would have it: found, and printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from handful.cli.shared.options import option
from handful.cli.shared.output import PLAIN, complain, counted, listing
from handful.errors import RulesError

if TYPE_CHECKING:
    from rich.console import Console

    from handful.bots.partner.review import Finding
    from handful.hanabi import Record

ConventionsOption = Annotated[
    bool, option("--conventions", "List the turns that are not as the conventions of most people would have them.")
]


def findings_in(given: str, record: Record) -> list[Finding] | None:
    """Return what in a game is not as conventions would have it; None, and say why, if none are kept in such games."""
    from handful.bots.partner.review import review_conventions
    from handful.bots.players import REGISTER

    try:
        REGISTER["partner"].check(record.deal.rules)
    except RulesError as error:
        complain(f"{given}: no conventions: {error}")
        return None
    return review_conventions(record.replay(), record.names)


def findings_told(found: list[Finding] | None) -> dict[str, object]:
    """Return the findings as `--json` prints them beside the rest."""
    return {} if found is None else {"conventions": [one.to_dict() for one in found]}


def print_findings(out: Console, games: Sequence[str], findings: Sequence[list[Finding] | None]) -> None:
    """Print what is not as conventions would have it, a line for each finding."""
    columns = (">turn", "player", "what", "why", "")
    for given, found in zip(games, findings, strict=True):
        if found is None:
            continue
        name = f"{given}: " if len(games) > 1 else ""
        out.print(f"\n{name}{counted(len(found), 'thing')} not as conventions have it", style="bold", soft_wrap=True)
        rows = [
            (str(one.turn), one.player, one.kind, one.sentence, "unclear" if one.is_unclear else "") for one in found
        ]
        if rows:
            out.print(listing(columns, rows, **PLAIN))
