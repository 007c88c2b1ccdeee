"""`handful gin watch`: one round of two players, action by action; and what each choice was worth."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from handful.cli.gin.shared import GinRulesOption, ScoreOption, app, ending_text, parse_score
from handful.cli.rummy.shared import RummySeedOption
from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver

WORLDS = 192  # of an explanation


@app.command()
def watch(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="Who does not deal, and starts.")] = "montecarlo",
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="Who deals.")] = "table",
    rules: GinRulesOption = "eaai",
    seed: RummySeedOption = 0,
    score: ScoreOption = "0-0",
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of every choice what it was worth, and what the best was.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Watch two players play a round, action by action.

    Example: handful gin watch table marjj --seed 7

    Example: handful gin watch table simple --seed 3 --explain --score 40-62
    """
    from handful.rummy.cards import format_cards
    from handful.rummy.gin import GinDeal, Round, gin_rules, player_named
    from handful.rummy.gin.advice import advise, check_score
    from handful.rummy.gin.players import seat_chance

    played, players = gin_rules(rules), (player_named(first), player_named(second))
    scores = parse_score(score)
    check_score(played, scores)
    prepare_solver()
    game, page = Round(GinDeal.from_seed(seed), played, 0, scores), console()
    chances = [seat_chance(seed, 0, seat) for seat in range(2)]
    names = (first, second) if first != second else (f"{first} 1", f"{second} 2")
    told: list[dict[str, Any]] = []
    if not as_json:
        for seat in range(2):
            page.print(f"{names[seat]}: {format_cards(sorted(game.hands[seat]))}", style="bold")
        page.print(f"upcard {game.upcard}")
    while not game.is_over:
        seat, view = game.current, game.view(game.current)
        action = players[seat].choose(view, chances[seat])
        line = f"{names[seat]}: {action}"
        entry: dict[str, Any] = {"player": seat, "action": str(action)}
        if explain and len(view.legal) > 1:
            advice = advise(view, worlds=WORLDS)
            cost = advice.cost(action)
            entry |= {"best": str(advice.best.action), "cost": cost, "points_cost": advice.points_cost(action)}
            entry["win_chance"] = advice.of(action).win_chance
            line += f"   wins {entry['win_chance']:.1%}"
            if advice.best.action != action:
                line += f"; {advice.best.action} seems {cost:.1%} better ({entry['points_cost']:+.1f} points)"
        game.act(action)
        told.append(entry)
        if not as_json:
            page.print(line + (f"   drew {_drawn(view.hand, game, seat)}" if action.kind == "draw" else ""))
    assert game.settlement is not None
    if as_json:
        print_json(
            {"players": [first, second], "rules": played.name, "seed": seed, "scores": list(scores)}
            | {"actions": told, "settlement": game.settlement.to_dict()}
        )
        return
    page.print(ending_text(game.settlement, names))


def _drawn(before: Any, game: Any, seat: int) -> str:
    """Return the card that came to a hand."""
    return " ".join(str(card) for card in game.hands[seat] if card not in before)
