"""`handful solve`: can this deal be won? The answer for records, links and seeds, with the line or the reason."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.fetching import OfflineOption, SiteOption, opened_site
from handful.cli.shared.options import (
    TIME_LIMIT,
    GameOption,
    JsonOption,
    PlayersOption,
    TimeLimitOption,
    VariantOption,
    deal_from,
    option,
    positive_number,
    rules_from,
)
from handful.cli.shared.output import ANSWERS, PLAIN, console, counted, listing, print_json, rules_text, sentence
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import NotationError, RulesError
from handful.hanabi.live.addresses import is_game_address
from handful.hanabi.live.links import is_file, record_given
from handful.hanabi.live.records import Record
from handful.hanabi.live.seeds import is_live_seed
from handful.hanabi.notation import default_names
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.state import State
from handful.hanabi.variants import variant_named

if TYPE_CHECKING:
    from rich.console import Console

    from handful.hanabi.live.site import Site
    from handful.playability import Solution

THE_ANSWER_IS_NO = 1


@dataclass(frozen=True)
class Question:
    """A position to solve: what the user called it, the names at the table, and where the game stands."""

    given: str
    names: tuple[str, ...]
    state: State


def solve(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|LINK|ID|SEED",
            help="Records (hanab.live's JSON), its links, numbers of its games, its seeds such as p2v0s40.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[str | None, option("--seed -s S", "A deal of our own: a number.")] = None,
    players: PlayersOption = None,
    game: GameOption = None,
    variant: VariantOption = None,
    rules: Annotated[
        str | None,
        option(
            "--rules TEXT", "A preset, options, or both, instead of the rules of the record.  [default: hanab-live]"
        ),
    ] = None,
    turn: Annotated[
        int | None,
        option("--turn T", "Not the deal of a record, but its game as it stands before this turn.", positive_number),
    ] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Can this deal be won? With all cards known, under the full rules; with what proves the answer.

    Yes comes with a line of legal actions and its link, no with a reason. The exit code is 1 if the answer is no (for
    several deals: if it is no for one of them), and 0 if it is yes, or unknown because the time was not enough.
    With --json, several deals are a list, one object each, in their order. A number of a game, or a link with no more
    than that, is fetched from the site: once, and kept.

    Example: handful solve p2v0s40

    Example: handful solve --seed 7 --players 3 --variant "6 Suits"

    Example: handful solve game.json --turn 31 --json
    """
    if inputs and seed is not None:
        raise NotationError(f"--seed {seed} beside {inputs[0]}: expected the one or the other")
    if inputs:
        # All of them are read before the first is solved: what is wrong is said at once.
        options = _Options(players, variant, rules, turn)
        numbers = [given for given in inputs if is_game_address(given) and not is_file(given)]
        with opened_site(site, offline) if numbers else nullcontext() as opened:
            questions = [_question(given, options, opened if given in numbers else None) for given in inputs]
    elif seed is not None:
        questions = [_own_deal(seed, game, _Options(players, variant, rules, turn))]
    else:
        raise NotationError("there is nothing to solve: expected files, links or seeds of hanab.live, or --seed S")
    prepare_solver()
    solutions = _solve_all(questions, time_limit)
    if as_json:
        found = [answer_object(*each) for each in zip(questions, solutions, strict=True)]
        print_json(found if len(found) > 1 else found[0])
    elif len(questions) == 1:
        print_answer(console(), questions[0], solutions[0])
    else:
        _print_list(console(), questions, solutions)
    if any(solution.winnable is False for solution in solutions):
        raise typer.Exit(THE_ANSWER_IS_NO)


def _solve_all(questions: Sequence[Question], time_limit: float) -> list[Solution]:
    from handful.playability import solve as solve_position

    solutions = []
    with progress_bar("solving", len(questions), "deals") as advance:
        for question in questions:
            solutions.append(solve_position(question.state, time_limit))
            advance(1)
    return solutions


# What is to be solved


@dataclass(frozen=True)
class _Options:
    """What the options say of the game."""

    players: int | None
    variant: str | None
    rules: str | None
    turn: int | None


def _question(given: str, options: _Options, site: Site | None = None) -> Question:
    """Return the position that is given as a seed of hanab.live, a link or a file; or a number, to ask a site for."""
    if is_live_seed(given.strip()):
        return _own_deal(given.strip(), None, options)
    record = record_given(given, site)
    _check_options(given, record, options)
    if options.rules is not None:
        rules = rules_from_text(options.rules, record.rules.players, record.rules.variant)
        record = replace(record, deal=replace(record.deal, rules=rules))
    if options.turn is not None and options.turn > len(record.actions) + 1:
        raise NotationError(
            f"--turn {options.turn}: {_short(given)} has {counted(len(record.actions), 'turn')}, "
            f"expected 1 to {len(record.actions) + 1}"
        )
    return Question(given, record.names, record.replay((options.turn or 1) - 1))


def _check_options(given: str, record: Record, options: _Options) -> None:
    """Refuse options that contradict a record."""
    if options.players not in (None, record.rules.players):
        raise RulesError(f"--players {options.players} contradicts {_short(given)}, of {record.rules.players} players")
    if options.variant is not None and variant_named(options.variant) != record.rules.variant:
        raise RulesError(f"--variant {options.variant!r} contradicts {_short(given)}, of {record.rules.variant.name!r}")


def _own_deal(seed: str, game: int | None, options: _Options) -> Question:
    """Return the deal of a seed, ours or hanab.live's."""
    if options.turn is not None:
        raise NotationError(f"--turn {options.turn}: seed {seed} has a deal and no turns, expected a record or a link")
    rules = rules_from(options.players, options.variant, options.rules or "hanab-live", seed)
    deal = deal_from(seed, rules, game)
    return Question(deal.seed, default_names(rules.players), State(deal))


def _short(given: str) -> str:
    """Return what was given; the middle of a long link is left out."""
    return given if len(given) <= 60 else f"{given[:40]}…{given[-10:]}"


# The answer


def answer_object(question: Question, solution: Solution) -> dict[str, Any]:
    """Return an answer as the JSON object of `--json`."""
    rules = question.state.rules
    return {
        "input": question.given,
        "players": rules.players,
        "variant": rules.variant.name,
        "rules": rules.options_text(),
        "turn": question.state.turn_number,
        "max_score": rules.max_score,
        **solution.to_dict(),
    }


def print_answer(out: Console, question: Question, solution: Solution) -> None:
    """Print an answer: in words, then the line turn by turn, then its link."""
    from handful.cli.shared.table_text import print_line

    rules = question.state.rules
    at_turn = f", before turn {question.state.turn_number}" if question.state.history else ""
    about = f"{rules_text(rules)}, {counted(rules.players, 'player')}{at_turn}"
    out.print(f"{_short(question.given)}: {about}", style="bold")
    out.print(f"{answer_words(solution, rules)} {sentence(solution.reason)}", soft_wrap=True)
    took = f"{solution.seconds * 1000:,.1f} ms, {counted(solution.nodes, 'position')}"
    out.print(f"Decided by: {solution.method} ({took})" if solution.winnable is not None else f"Searched: {took}")
    if solution.line:
        out.print()
        print_line(out, solution, question.names, solution.link())


def answer_words(solution: Solution, rules: Rules) -> str:
    """Return whether a position can be won, in a sentence; if it is not known that it can, what was reached."""
    if solution.winnable:
        return f"Winnable: yes, {solution.score} of {rules.max_score}."
    return (
        f"Winnable: {ANSWERS[solution.winnable]}. The best line found has {solution.score} of {rules.max_score}, "
        f"and more than {solution.upper_bound} is impossible."
    )


def _print_list(out: Console, questions: Sequence[Question], solutions: Sequence[Solution]) -> None:
    """Print an answer a row, and how many there are of each."""
    table = listing(("deal", "winnable", "best", "why", "ms"), **PLAIN)
    for question, solution in zip(questions, solutions, strict=True):
        best = f"{solution.score} of {question.state.rules.max_score}"
        cells = (_short(question.given), ANSWERS[solution.winnable], best, solution.reason)
        table.add_row(*cells, f"{solution.seconds * 1000:,.1f}", style="bold" if not solution.winnable else "")
    out.print(table)
    answers = [solution.winnable for solution in solutions]
    counts = f"{answers.count(True)} can be won, {answers.count(False)} cannot, {answers.count(None)} undecided"
    out.print(f"{counted(len(answers), 'deal')}: {counts}.")
