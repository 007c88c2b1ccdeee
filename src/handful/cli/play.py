"""`handful play`: a person at the table with bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from handful.cli.shared.game_result import check_record, ending_text, game_object, record_and_link, write_record
from handful.cli.shared.options import (
    BotOption,
    JsonOption,
    PlayersOption,
    RecordOption,
    RulesOption,
    VariantOption,
    deal_from,
    option,
    parse_seed,
    rules_from,
    seated,
    whole_number,
)
from handful.cli.shared.output import console, print_json, rules_text
from handful.errors import RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.notation import YOU, default_names
from handful.hanabi.rules import Rules
from handful.hanabi.state import State

if TYPE_CHECKING:
    from rich.console import Console

    from handful.bots.players import Player
    from handful.bots.protocol import Bot, PlainMaker
    from handful.splitmix import SplitMix64

USUAL_BOTS = ["partner"]
# Seeds that are drawn are short, to be noted down: two people hardly ever meet the same deal.
DRAWN_SEEDS = 10**9


def play(
    players: PlayersOption = None,
    bot: BotOption = USUAL_BOTS,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    seed: Annotated[str | None, option("--seed -s S", "A number, or a seed of hanab.live; drawn if not given.")] = None,
    seat: Annotated[int, option("--seat N", "Where you sit; seat 1 begins.", whole_number)] = 1,
    explain: Annotated[
        bool, option("--explain", "Say after every turn what it meant by the conventions of partner.")
    ] = False,
    record: RecordOption = None,
    json: JsonOption = False,
) -> None:
    """Sit down at the table with bots. You see their cards, and of your own what the hints have told.

    Answer each question with play c, discard a, hint Bob red or hint 2 3; help explains the rest. The bots play by the
    conventions that most people share: hint Bob red? tells what they would read into a hint; why, what the last turns
    meant. (Without --bot, in games that these conventions are not for, the others play by rules of thumb.)

    Example: handful play --players 3 --bot random --seed 7

    Example: handful play --players 4 --explain

    With --json the conversation goes to standard error.
    """
    drawn = seed is None
    seed = str(secrets.randbelow(DRAWN_SEEDS)) if seed is None else seed
    chosen = rules_from(players, variant, rules, seed)
    if not 1 <= seat <= chosen.players:
        raise RulesError(f"--seat {seat}: expected 1 to {chosen.players}")
    deal, names = deal_from(seed, chosen), _names(chosen, seat - 1)
    check_record(record, deal, names)
    others = _others(bot, chosen)
    out = console(to_stderr=json)
    out.print(_title(chosen, names, others, None if drawn else seed), style="bold")
    state = _play(deal, _makers(others, _sit_down(others, names, out, explain), seat - 1), seed)
    _close(state, names, seed, record, out)
    if json:
        print_json(_result(state, others, names, seed, seat))


def _names(rules: Rules, person: int) -> list[str]:
    return [YOU if seat == person else name for seat, name in enumerate(default_names(rules.players))]


def _title(rules: Rules, names: Sequence[str], others: Sequence[Player], seed: str | None) -> str:
    bots = iter(others)
    who = ", ".join(name if name == YOU else f"{name} ({next(bots).name})" for name in names)
    return f"{rules_text(rules)}{f', seed {seed}' if seed else ''}: {who}"


def _others(bot: list[str], rules: Rules) -> list[Player]:
    """Return who sits down with the person: what was asked for, else those that play as people do."""
    from handful.bots.players import REGISTER

    if bot != USUAL_BOTS:
        return seated(bot, rules.players - 1)
    if rules.players == 1:
        return []
    try:
        REGISTER[USUAL_BOTS[0]].check(rules)
    except RulesError:
        bot = ["rules"]
    return seated(bot, rules.players - 1)


def _sit_down(others: Sequence[Player], names: Sequence[str], out: Console, explains: bool) -> PlainMaker:
    """Return what seats the person, and reads turns for them, if a bot is there that keeps to conventions of people."""
    from handful.bots.partner.words import PartnerExplainer
    from handful.cli.shared.person import Person

    levels = [
        dict(player.settings).get("level", 3) for player in others if player.entry and player.entry.name == "partner"
    ]

    def sit_down(rules: Rules, seat: int, chance: SplitMix64) -> Bot:
        reader = PartnerExplainer(rules, names, max(levels)) if levels else None
        return Person(rules, seat, chance, names, out, reader, explains)

    return sit_down


def _makers(others: Sequence[Player], person: PlainMaker, seat: int) -> list[PlainMaker]:
    """Return who makes the player of each seat: the bots, and the person between them."""
    makers = [player.plain for player in others]
    return [*makers[:seat], person, *makers[seat:]]


def _play(deal: Deal, makers: Sequence[PlainMaker], seed: str) -> State:
    """Return the game as it stands when it ends or the person leaves."""
    from handful.bots.table import seat_bots, take_turn
    from handful.cli.shared.person import LeftTableError

    origin = parse_seed(seed)
    state, bots = State(deal), seat_bots(deal.rules, makers, origin.number, origin.game)
    try:
        while not state.is_over:
            take_turn(state, bots)
    except LeftTableError:
        pass
    return state


def _close(state: State, names: Sequence[str], seed: str, record: Path | None, out: Console) -> None:
    """Show how it ended. Only after the end are the own cards open, and is there a record."""
    from handful.cli.shared.table_text import state_picture

    out.print()
    if state.is_over:
        out.print(state_picture(state, names))
        out.print()
    out.print(ending_text(state), style="bold")
    out.print(f"The seed was {seed}." if state.is_over else f"Goodbye. The seed was {seed}.")
    if record and state.is_over:
        write_record(record, state, names)
    if record:
        out.print(f"Written: {record}" if state.is_over else "No record: the game was not finished.", soft_wrap=True)


def _result(state: State, others: Sequence[Player], names: Sequence[str], seed: str, seat: int) -> dict[str, Any]:
    """Return the JSON object of `--json`: an unfinished game has no score and no record."""
    result = game_object(state, [player.name for player in others], names, parse_seed(seed))
    result |= {"seat": seat, "finished": state.is_over}
    if state.is_over:
        return result | record_and_link(state, names)
    return result | {"score": None, "record": None, "link": None}
