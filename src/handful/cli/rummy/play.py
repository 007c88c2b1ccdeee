"""`handful rummy play` and `handful rummy match`: policies simulated, alone and against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from handful.cli.rummy.shared import (
    AcesOption,
    CardsOption,
    MostTurnsOption,
    RummySeedOption,
    make_ready,
    page_of,
    solving_bar,
)
from handful.cli.shared.options import GamesOption, JsonOption, WorkersOption
from handful.cli.shared.output import console, mean_text, print_json, share_text
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.rummy.policies import TABLE_KINDS

if TYPE_CHECKING:
    from handful.lab.rummy_play import MatchResult, PlayResult

POLICIES = "optimal, counting (heeds what lies thrown), greedy or random; optimal(aces=low), optimal(tolerance=0.5)."
PolicyArgument: TypeAlias = Annotated[str, typer.Argument(metavar="POLICY", help=POLICIES)]
DeckOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--deck", metavar="KIND", help="replace: thrown cards come back at once; pile: when the pile is empty."
    ),
]


def play(
    policies: Annotated[
        list[str] | None, typer.Argument(metavar="[POLICY]…", help=POLICIES + "  [default: all three]")
    ] = None,
    cards: CardsOption = 3,
    aces: AcesOption = "low",
    deck: DeckOption = "replace",
    hand: Annotated[str, typer.Option("--hand", metavar="HAND", help="Start from this hand, not from a deal.")] = "",
    games: GamesOption = 10_000,
    seed: RummySeedOption = 0,
    most_turns: MostTurnsOption = 10_000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play alone, many times: how many turns does a policy take?

    Whoever can go out goes out. Who plays by the table of the game (optimal) takes the expected turns of the table as
    long as thrown cards come back at once; with a real pile, what is thrown does not come back soon.

    Example: handful rummy play optimal greedy random --cards 3 --deck pile

    Example: handful rummy play "optimal(tolerance=1)" --hand "AC QH KD" --games 100000 --json
    """
    from handful.lab.rummy_play import Games, play_rummy

    prepare_solver()
    results = []
    chosen = policies or ["optimal", "greedy", "random"]
    if not TABLE_KINDS.isdisjoint(chosen):
        make_ready(cards, aces)
    played = Games(cards, aces, deck, games, seed, most_turns)
    for policy in chosen:
        with solving_bar() as show, progress_bar(policy, games) as advance:
            results.append(play_rummy(policy, played, hand=hand, workers=workers, on_progress=advance, on_solving=show))
    if as_json:
        told = [each.to_dict() for each in results]
        print_json(told if len(told) > 1 else told[0])
    else:
        _print_play(results)


def _print_play(results: list[PlayResult]) -> None:
    first = results[0]
    game = f"{first.cards} cards, aces {first.aces}, {first.hand or 'any deal'}, {first.deck}"
    figures = (">turns", ">sd", ">expected", ">5 %", ">median", ">95 %", ">given up")
    page = page_of(f"{game}; {first.games:,} games, seed {first.seed}", "policy", *figures, title_justify="left")
    for each in results:
        page.add_row(
            each.policy,
            mean_text(each.mean, each.mean_ci95),
            f"{each.sd:.3f}",
            "" if each.expected is None else f"{each.expected:.4f}",
            *(str(each.quantiles[share]) for share in ("0.05", "0.5", "0.95")),
            f"{each.unfinished:,}",
        )
    page.caption = "±: 95 % confidence"
    console().print(page)


def match(
    first: PolicyArgument = "optimal",
    second: PolicyArgument = "random",
    cards: CardsOption = 3,
    aces: AcesOption = "low",
    deck: DeckOption = "pile",
    takes: Annotated[
        bool, typer.Option("--take-discards/--no-take-discards", help="The card thrown last may be taken.")
    ] = False,
    games: GamesOption = 10_000,
    seed: RummySeedOption = 0,
    most_turns: MostTurnsOption = 10_000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let two policies play against each other: who goes out first?

    Both are dealt from one deck, and start in turns. With --take-discards, who plays by a table takes what the
    opponent threw if that is better than a draw is on average.

    Example: handful rummy match optimal random --cards 3 --games 100000

    Example: handful rummy match optimal greedy --cards 7 --take-discards --json
    """
    from handful.lab.rummy_play import Games, match_rummy

    prepare_solver()
    if not TABLE_KINDS.isdisjoint((first, second)):
        make_ready(cards, aces)
    played = Games(cards, aces, deck, games, seed, most_turns)
    with solving_bar() as show, progress_bar(f"{first} against {second}", games) as advance:
        result = match_rummy(first, second, played, takes=takes, workers=workers, on_progress=advance, on_solving=show)
    print_json(result.to_dict()) if as_json else _print_match(result)


def _print_match(result: MatchResult) -> None:
    page = page_of(f"{result.first} against {result.second}")
    taking = "may be taken" if result.takes else "may not be taken"
    page.add_row("game", f"{result.cards} cards, aces {result.aces}, {result.deck}, thrown cards {taking}")
    page.add_row("games", f"{result.games:,} (seed {result.seed})")
    page.add_row(f"{result.first} won", share_text(result.first_share, result.first_share_ci95))
    page.add_row("who started won", share_text(result.starter_share, result.starter_share_ci95))
    if result.better_deal_share is not None and result.better_deal_share_ci95 is not None:
        page.add_row("the better deal won", share_text(result.better_deal_share, result.better_deal_share_ci95))
    page.add_row("turns of both", f"{result.mean_turns:.2f}")
    if result.unfinished:
        page.add_row("given up", f"{result.unfinished:,} after {result.most_turns:,} turns")
    page.add_row("time", f"{result.seconds:.2f} s")
    page.caption = "( to ): 95 % confidence"
    console().print(page)
