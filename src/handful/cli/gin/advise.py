"""`handful gin advise`: what to do with a hand."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from handful.cli.gin.shared import GinRulesOption, ScoreOption, advice_table, app, parse_score, place_text
from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_solver
from handful.errors import HandfulError

FIRST_ANSWER = 0.2  # seconds


@app.command()
def advise(
    hand: Annotated[list[str], typer.Argument(metavar="HAND", help="10 cards, or 11 before a throw: AC 10D JH KS.")],
    upcard: Annotated[str | None, typer.Option("--upcard", "-u", metavar="CARD", help="What may be taken.")] = None,
    discards: Annotated[
        str, typer.Option("--discards", "-d", metavar="CARDS", help="What lies in the pile below it, bottom first.")
    ] = "",
    opponent_took: Annotated[
        str, typer.Option("--opponent-took", metavar="CARDS", help="Upcards that the opponent took and still has.")
    ] = "",
    opponent_threw: Annotated[
        str | None,
        typer.Option("--opponent-threw", metavar="CARDS", help="Of the pile, in order; else the top and every other."),
    ] = None,
    taken: Annotated[
        str | None, typer.Option("--taken", metavar="CARD", help="Of eleven, the upcard that you have just taken.")
    ] = None,
    passed: Annotated[bool, typer.Option("--passed", help="The opponent has refused the first upcard.")] = False,
    score: ScoreOption = "0-0",
    rules: GinRulesOption = "eaai",
    seconds: Annotated[float, typer.Option("--seconds", "-s", metavar="S", help="How long to think.")] = 2.0,
    worlds: Annotated[
        int | None, typer.Option("--worlds", metavar="N", help="Instead: how many worlds to look at.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of chance.", min=0)] = 0,
    as_json: JsonOption = False,
) -> None:
    """Say what to do: take or draw, every throw, knock or not; with win chances, points, and the risk of an undercut.

    A first answer comes at once, a better one when the time is up. What the opponent took and threw is heeded.

    Example: handful gin advise 2S 3C 3S 6H 7H 9H 9S QH QS KH --upcard 9D

    Example: handful gin advise AC 2C 3C 7D 8D 9D 9H 9S 4H 6S KS --discards "QD JH KD" --score 40-62

    Example: handful gin advise AC 2C 3C 7D 8D 9D 9H QS 4H 6S -u KS -d "JD 5H" --opponent-took 8S --worlds 200 --json
    """
    from handful.rummy.cards import parse_card
    from handful.rummy.gin import gin_rules
    from handful.rummy.gin.advice import BATCH, Adviser, check_score
    from handful.rummy.gin.position import Remembered, view_of

    remembered = Remembered(discards, opponent_took, opponent_threw, parse_card(taken) if taken else None, passed)
    faced = parse_card(upcard) if upcard else None
    view = view_of(" ".join(hand), faced, remembered, rules=gin_rules(rules), score=parse_score(score))
    check_score(view.rules, view.scores)
    if not seconds > 0:
        raise HandfulError(f"--seconds {seconds}: expected more than 0")
    prepare_solver()
    adviser, page, started = Adviser(view, seed=seed), console(), time.perf_counter()
    is_seen, told_first = sys.stdout.isatty() and not as_json, False
    if not as_json:
        page.print(place_text(view))
    while True:
        adviser.look(BATCH if worlds is None else min(BATCH, worlds - adviser.worlds))
        spent = time.perf_counter() - started
        if spent >= seconds if worlds is None else adviser.worlds >= worlds:
            break
        if is_seen and not told_first and spent >= FIRST_ANSWER:
            told_first = True
            best = adviser.advice().best
            page.print(f"at first sight: {best.action}, {best.win_chance:.1%}", style="dim")
    advice = adviser.advice()
    if as_json:
        print_json({"view": view.to_dict(), **advice.to_dict()})
        return
    page.print(advice_table(advice))
