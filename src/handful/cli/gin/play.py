"""`handful gin play`: a person at the table with a player of ours, in the terminal."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.gin.shared import GinRulesOption, advice_table, app, ending_text, place_text
from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver
from handful.errors import HandfulError

if TYPE_CHECKING:
    from rich.console import Console

    from handful.rummy.gin import GinAction, GinPlayer, GinRules, Round
    from handful.splitmix import SplitMix64

DRAWN_SEEDS = 10**9
YOU = 0
HELP = """\
take            take the upcard            draw   draw from the stock
pass            leave the first upcard     7H     throw the seven of hearts
knock 7H        throw it and knock         gin is a knock with nothing loose
hint            what each choice is worth
help            these lines                quit   leave the table"""


class LeftTableError(Exception):
    """The person has left the table."""


@app.command()
def play(
    opponent: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A name that `handful gin players` lists.")
    ] = "montecarlo",
    rules: GinRulesOption = "eaai",
    seed: Annotated[int | None, typer.Option("--seed", "-s", metavar="S", help="Of the deals; else drawn.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play Gin to the target against one of the players; `hint` tells what each choice is worth.

    Answer with take, draw, pass, a card to throw, or knock and a card.

    Example: handful gin play table --seed 7

    With --json the conversation goes to standard error.
    """
    from handful.rummy.gin import gin_rules, player_named

    played, player = gin_rules(rules), player_named(opponent)
    seed = secrets.randbelow(DRAWN_SEEDS) if seed is None else seed
    prepare_solver()
    out = console(to_stderr=as_json)
    out.print(
        f"Gin to {played.target} ({played.name}) against {player.name}, seed {seed}; help explains.", style="bold"
    )
    scores: list[int] = [0, 0]
    rounds: list[dict[str, Any]] = []
    try:
        _play_game(played, player, seed, scores, rounds, out)
    except LeftTableError:
        out.print(f"Goodbye. The seed was {seed}.")
    finished = max(scores) >= played.target
    if finished:
        out.print(f"{'You win' if scores[0] > scores[1] else f'{player.name} wins'} {scores[0]} to {scores[1]}.")
    if as_json:
        print_json(
            {"opponent": player.name, "rules": played.name, "seed": seed}
            | {"finished": finished, "scores": scores, "rounds": rounds}
        )


def _play_game(
    rules: GinRules, player: GinPlayer, seed: int, scores: list[int], rounds: list[dict[str, Any]], out: Console
) -> None:
    """Play rounds until somebody reaches the target; write scores and rounds."""
    from handful.rummy.gin import GinDeal, Round
    from handful.rummy.gin.players import seat_chance

    chance, starter = seat_chance(seed, 0, 1), 0
    while max(scores) < rules.target:
        game = Round(GinDeal.from_seed(seed, 0, len(rounds)), rules, starter, (scores[0], scores[1]))
        _play_round(game, player, chance, out)
        settled = game.settlement
        assert settled is not None
        out.print(ending_text(settled, ("You", player.name)))
        rounds.append(settled.to_dict())
        if settled.winner is not None:
            scores[settled.winner] += settled.points
            starter = 1 - starter
        out.print(f"The score: {scores[0]} to {scores[1]}.\n", style="bold")


def _play_round(game: Round, player: GinPlayer, chance: SplitMix64, out: Console) -> None:
    while not game.is_over:
        if game.current == YOU:
            game.act(_asked(game, out))
            continue
        action = player.choose(game.view(game.current), chance)
        game.act(action)
        out.print(f"{player.name}: {action}", style="cyan")


def _asked(game: Round, out: Console) -> GinAction:
    """Return a legal action that the person types in."""
    from handful.rummy.gin import parse_action

    view = game.view(YOU)
    if len(view.legal) == 1:
        return view.legal[0]
    out.print(place_text(view))
    while True:
        out.print("> ", end="")
        text = sys.stdin.readline()
        if not text or text.strip() in ("quit", "exit", "q"):
            raise LeftTableError
        word = text.strip()
        if word in ("help", "?"):
            out.print(HELP)
        elif word == "hint":
            from handful.rummy.gin.advice import advise

            out.print(advice_table(advise(view, seconds=0.5), most=5))
        elif word:
            try:
                action = parse_action(word)
                if action not in view.legal:
                    kinds = ", ".join(dict.fromkeys(each.kind for each in view.legal))
                    raise HandfulError(f"{action} is not legal now: expected {kinds}")
                return action
            except HandfulError as error:
                out.print(str(error), style="red")
