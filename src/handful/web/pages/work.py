"""What pages let processes of their own compute: each function is a kind of job (see `handful.web.jobs`).

Nothing here imports the server. A function gets plain arguments that its page has checked, and `report(done, total,
text)`; what it returns is what the page shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from handful.rummy.distribution import Turns
    from handful.web.pages.analysed import Analysed
    from handful.web.pages.plots import Plot
    from handful.web.pages.rummy_hand import HandAnswer

Args: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[..., None]


def analyse_game(args: Args, report: Report) -> Analysed:
    """Return where the game `game` was lost."""
    from handful.web.pages.analysed import analysed
    from handful.web.pages.games import record_of

    report(0, 0, "Looking for the turn that lost the game …")
    return analysed(record_of(args["game"]))


def rummy_table(args: Args, report: Report) -> dict[str, Any]:
    """Return the figures of the table of a Rummy game, which is made if it is not there.

    A hand is looked at with it, so that all that has to be compiled for that is compiled here.
    """
    from handful.rummy import Progress, solve
    from handful.rummy.advice import advise

    cards, aces = args["cards"], args["aces"]

    def show(progress: Progress) -> None:
        left = f", about {progress.seconds_left:.0f} s to go" if progress.seconds_left > 1 else ""
        report(progress.done, progress.total, f"{progress.done:,} of {progress.total:,} kinds of hands{left}")

    report(0, 0, f"Preparing hands of {cards} cards …")
    table = solve(cards, aces, progress=show)
    report(0, 0, "Looking at a first hand …")
    advise(table.summary().worst_hand, aces=aces)
    return table.to_dict()


def rummy_gone(args: Args, report: Report) -> tuple[HandAnswer, Turns, Plot]:
    """Return the answer for a hand when cards are gone, and how its turns are spread: the game is solved anew."""
    from handful.rummy.advice import advise
    from handful.web.pages.plots import turns_plot
    from handful.web.pages.rummy_hand import Question, answer_of

    report(0, 0, "Solving the game without the cards that are gone …")
    question = Question.of(**args)
    advice = advise(question.hand, question.draw, question.aces, question.gone)
    return answer_of(question, advice), advice.turns, turns_plot(advice.turns)
