"""`handful gin melds`, `players`, `match` and `simulate`: hands, who plays, and how they do."""

from __future__ import annotations

from typing import Annotated

import typer

from handful.cli.gin.shared import GinRulesOption, app
from handful.cli.rummy.shared import RummySeedOption
from handful.cli.shared.options import GamesOption, JsonOption, WorkersOption
from handful.cli.shared.output import console, figures, listing, print_json, share_text
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import DealError


@app.command()
def melds(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help="3 to 11 cards: AC 10D JH KS.")],
    as_json: JsonOption = False,
) -> None:
    """Show every way to meld a hand that leaves the least deadwood; with eleven cards, after the best throw.

    Example: handful gin melds 4C 5C 6C 5D 5H KS

    Example: handful gin melds AC 2C 3C 4C 7D 8D 9D KH KS KD 5H --json
    """
    from handful.rummy.cards import format_cards, parse_cards
    from handful.rummy.gin import best_arrangements, deadwood

    cards = parse_cards(" ".join(hand))
    if not 3 <= len(cards) <= 11:
        raise DealError(f"{format_cards(cards)}: {len(cards)} cards, expected 3 to 11")
    throws = sorted(
        ((deadwood([other for other in cards if other != card]), card) for card in cards if len(cards) == 11),
        key=lambda throw: throw[0],
    )
    ways = best_arrangements(cards)
    if as_json:
        print_json(
            {
                "hand": format_cards(cards),
                "deadwood": ways[0].deadwood,
                "arrangements": [way.to_dict() for way in ways],
                "throws": [{"card": str(card), "deadwood": points} for points, card in throws],
            }
        )
        return
    for way in ways:
        console().print(str(way))
    if throws:
        rows = [(str(card), str(points)) for points, card in throws]
        console().print(listing(("throw", ">deadwood then"), rows))


@app.command()
def players(as_json: JsonOption = False) -> None:
    """List who plays Gin here, and where each comes from.

    Example: handful gin players
    """
    from handful.rummy.gin import PLAYERS

    if as_json:
        print_json([{"name": each.name, "summary": each.summary, "source": each.source} for each in PLAYERS.values()])
        return
    rows = [(each.name, each.summary, each.source) for each in PLAYERS.values()]
    console().print(listing(("player", "what it does", "source"), rows))


@app.command()
def match(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="A name that `handful gin players` lists.")] = "table",
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="Against whom.")] = "simple",
    rules: GinRulesOption = "eaai",
    games: GamesOption = 10_000,
    seed: RummySeedOption = 0,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let two players of Gin play games to the target: who wins how often?

    Every deal is played twice, seats exchanged, so that neither has the better cards.

    Example: handful gin match table marjj --games 12000

    Example: handful gin match simple random --rules "hoyle, oklahoma=yes, target=150" --games 100 --json
    """
    from handful.lab.gin_play import match_gin

    prepare_solver()
    with progress_bar(f"{first} against {second}", games) as advance:
        result = match_gin(first, second, rules=rules, games=games, seed=seed, workers=workers, on_progress=advance)
    if as_json:
        print_json(result.to_dict())
        return
    rows = [
        ("rules", result.rules),
        ("games", f"{result.games:,}, each deal twice (seed {result.seed})"),
        (f"{result.first} won", share_text(result.first_share, result.first_share_ci95)),
        ("points in a game", f"{result.points[0]:.1f} against {result.points[1]:.1f}"),
        ("rounds won", f"{result.rounds_won[0]:,} against {result.rounds_won[1]:,}; {result.rounds:.1f} in a game"),
        *([("unfinished", f"{result.unfinished:,}")] if result.unfinished else []),
        ("time", f"{result.seconds:.2f} s"),
    ]
    console().print(figures(f"{result.first} against {result.second}", rows, "( to ): 95 % confidence"))


@app.command()
def simulate(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A name that `handful gin players` lists.")] = "quick",
    rules: GinRulesOption = "eaai",
    rounds: Annotated[int, typer.Option("--rounds", "-n", metavar="N", help="How many rounds.", min=1)] = 10_000,
    seed: RummySeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play rounds of a player with itself: how do they end, how long do they take, what do they bring?

    Example: handful gin simulate table --rounds 1000

    Example: handful gin simulate simple --rules "hoyle, oklahoma=yes" --json
    """
    from handful.lab.gin_rounds import simulate_gin

    prepare_solver()
    with progress_bar(f"rounds of {player}", rounds, "rounds") as advance:
        result = simulate_gin(player, rules=rules, rounds=rounds, seed=seed, on_progress=advance)
    if as_json:
        print_json(result.to_dict())
        return
    shares = ", ".join(f"{name} {share:.1%}" for name, share in result.endings.items() if share)
    rows = [
        ("rules", result.rules),
        ("rounds", f"{result.rounds:,} (seed {result.seed})"),
        ("they end with", shares),
        ("who starts wins", share_text(result.starter_share, result.starter_share_ci95)),
        ("points of the winner", f"{result.points:.1f}"),
        ("turns of both", f"{result.turns:.1f}"),
        ("time", f"{result.seconds:.2f} s"),
    ]
    console().print(figures(f"{result.player} with itself", rows, "( to ): 95 % confidence"))
