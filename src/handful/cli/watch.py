"""`handful watch`: one game of bots, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from handful.cli.shared.game_result import check_record, ending_text, game_object, record_and_link, write_record
from handful.cli.shared.options import (
    DEFAULT_BOTS,
    BotOption,
    GameOption,
    JsonOption,
    PlayersOption,
    RecordOption,
    RulesOption,
    SeedOption,
    VariantOption,
    deal_from,
    option,
    parse_seed,
    rules_from,
    seated,
)
from handful.cli.shared.output import console, counted, print_json, rules_text
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import default_names
from handful.hanabi.rules import Rules
from handful.hanabi.state import State

if TYPE_CHECKING:
    from handful.bots.players import Player
    from handful.cli.shared.table_text import TurnLines

EXPLAINED_INDENT = 5


def watch(
    bot: BotOption = DEFAULT_BOTS,
    players: PlayersOption = None,
    seed: SeedOption = "0",
    game: GameOption = None,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    tables: Annotated[bool, option("--tables", "Draw the whole table after every turn.")] = False,
    explain: Annotated[
        bool, option("--explain", "Say after every turn what it told whom, beyond what anybody sees.")
    ] = False,
    record: RecordOption = None,
    link: Annotated[bool, option("--link", "End with a link that replays the game on hanab.live.")] = False,
    json: JsonOption = False,
) -> None:
    """Watch bots play one game, turn by turn.

    One bot takes every seat; several take one seat each. A star marks a card that a hint has touched.

    Example: handful watch --bot random --players 3 --seed 7

    Example: handful watch --bot random --seed p4v0s415 --record game.json

    Example: handful watch --bot recommendation --players 5 --seed 7 --explain
    """
    from handful.bots.table import play_game

    origin = parse_seed(seed, game)
    if players is None and len(bot) > 1 and origin.live is None:
        players = len(bot)
    chosen = rules_from(players, variant, rules, seed)
    at_table, names = seated(bot, chosen.players), default_names(chosen.players)
    deal = deal_from(seed, chosen, game)
    check_record(record, deal, names)
    explained = Explained(deal.rules, at_table, names) if explain else None
    screen = None if json else _Screen(names, tables, explained)
    if screen:
        screen.open(deal, at_table)
    makers = [player.plain for player in at_table]
    follow = screen.turn if screen else explained.follow if explained else None
    state = play_game(deal, makers, origin.number, origin.game, on_turn=follow)
    if record:
        write_record(record, state, names)
    if screen:
        screen.close(state, link, record)
    else:
        bots = [player.name for player in at_table]
        stand_for = [_plays_as(player, deal) for player in at_table]
        told: dict[str, Any] = {"plays_as": stand_for} if any(stand_for) else {}
        if explained:
            told["explained"] = explained.turns
        print_json(game_object(state, bots, names, origin) | told | record_and_link(state, names))


class Explained:
    """One explainer for each distinct bot, each following the whole game; the actor's own is the one that is heard.

    The hints of a bot without an explainer tell what they say: nothing is added to them.
    """

    def __init__(self, rules: Rules, at_table: Sequence[Player], names: Sequence[str]) -> None:
        distinct = {player.name: player for player in at_table}
        found = {name: player.explainer(rules, names) for name, player in distinct.items()}
        self._explainers = {name: explainer for name, explainer in found.items() if explainer is not None}
        self._bots = [player.name for player in at_table]
        self.turns: list[list[str]] = []

    def follow(self, state: State, turn: Turn) -> None:
        """Add to `turns` the sentences on what a turn told whom. To be called after every turn, in order."""
        said = {name: explainer.explain(state, turn) for name, explainer in self._explainers.items()}
        self.turns.append(said.get(self._bots[turn.actor], []))


class _Screen:
    """A game on the terminal, as it goes on."""

    def __init__(self, names: Sequence[str], has_tables: bool, explained: Explained | None) -> None:
        self.names, self.has_tables, self.explained, self.out = names, has_tables, explained, console()
        self.lines: TurnLines | None = None

    def open(self, deal: Deal, at_table: Sequence[Player]) -> None:
        """Show who plays what, and the table before the first turn."""
        from handful.cli.shared.table_text import TurnLines, state_picture

        self.lines = TurnLines(deal.rules, self.names, self.out.width)
        self.out.print(_title(deal, at_table, self.names), style="bold")
        self.out.print(state_picture(State(deal), self.names))
        self.out.print()
        if not self.has_tables:
            self.out.print(self.lines.head())

    def turn(self, state: State, turn: Turn) -> None:
        """Show a turn: in a line, or with the whole table after it; and what it told, if that is asked for."""
        from handful.cli.shared.table_text import state_picture, turn_words

        if self.explained:
            self.explained.follow(state, turn)
        if self.lines is not None and not self.has_tables:
            self.out.print(self.lines.line(state, turn), soft_wrap=True)
            self._say()
            return
        self.out.print(f"{turn.number:3}. ", turn_words(state.rules, turn, self.names), sep="", style="bold")
        self._say()
        self.out.print(state_picture(state, self.names))
        self.out.print()

    def _say(self) -> None:
        """Show what the last turn told, set off from the turns."""
        from rich.padding import Padding

        for sentence in self.explained.turns[-1] if self.explained else []:
            self.out.print(Padding.indent(sentence, EXPLAINED_INDENT), style="dim")

    def close(self, state: State, has_link: bool, record: Path | None) -> None:
        """Show the last table, the score and how it came to it."""
        from handful.cli.shared.table_text import state_picture

        if not self.has_tables:
            self.out.print()
            self.out.print(state_picture(state, self.names))
            self.out.print()
        self.out.print(ending_text(state), style="bold")
        if has_link:
            found = record_and_link(state, self.names)
            self.out.print(found["link"] or f"No link: {found['no_link']}", soft_wrap=True)
        if record:
            self.out.print(f"Written: {record}", soft_wrap=True)


def _title(deal: Deal, at_table: Sequence[Player], names: Sequence[str]) -> str:
    game = f"{rules_text(deal.rules)}, seed {deal.seed}"
    bots = [_bot_text(player, deal) for player in at_table]
    if len(set(bots)) == 1:
        return f"{game}: {counted(deal.rules.players, 'player')}, {bots[0]}"
    return f"{game}: {', '.join(f'{name} ({bot})' for name, bot in zip(names, bots, strict=True))}"


def _bot_text(player: Player, deal: Deal) -> str:
    """Return the name of a bot, and which one it stands for if it is an alias."""
    stands_for = _plays_as(player, deal)
    return player.name if stands_for is None else f"{player.name}, here {stands_for}"


def _plays_as(player: Player, deal: Deal) -> str | None:
    from handful.bots.best import plays_as

    return plays_as(player, deal.rules)
