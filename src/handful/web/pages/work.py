"""What pages let processes of their own compute: each function is a kind of job (see `handful.web.jobs`).

Nothing here imports the server. A function gets plain arguments that its page has checked, and `report(done, total,
text)`; what it returns is what the page shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from handful.lab.review.reviewed import Review, ReviewedTurn
    from handful.lab.sequences import SequenceSample
    from handful.playability.sequences.counting import SequenceCount
    from handful.rummy.distribution import Turns
    from handful.web.gin_hint import GinAdvised, GinReview
    from handful.web.pages.analysed import Analysed
    from handful.web.pages.explored import Solved
    from handful.web.pages.fetched import Fetched
    from handful.web.pages.history_found import Found
    from handful.web.pages.plots import Plot
    from handful.web.pages.rummy_hand import HandAnswer
    from handful.web.pages.standing_rows import Compared, Simulated
    from handful.web.pages.tried import Tried

Args: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[..., None]


class PartialReport(Protocol):
    """A report that takes parts of the result, too."""

    def __call__(self, done: float, total: float = 0, text: str = "") -> None:
        """Tell how far it is."""

    def partial(self, value: Any) -> None:
        """Tell a part of the result."""


SAMPLED_ORDERS = 50_000
LOOKED_AT, SHOWN_GAMES = 200, 12  # of a simulation: so many games are searched for some that were not won
LOADING = "Loading the bot: the first time it is compiled, which takes up to a minute …"


def fetch_game(args: Args, report: Report) -> Fetched:
    """Return the game of the site that the text `address` means: its number, or a link with it."""
    from handful.web.pages.fetched import fetched

    return fetched(args["address"], report)


def analyse_game(args: Args, report: Report) -> Analysed:
    """Return where the game `game` was lost."""
    from handful.web.pages.addresses import record_of
    from handful.web.pages.analysed import analysed

    report(0, 0, "Looking for the turn that lost the game (the first time ever, this takes half a minute) …")
    return analysed(record_of(args["game"]))


def review_game(args: Args, report: PartialReport) -> Review:
    """Return what each decision of the game `game` cost, in `worlds` worlds; first a glance at all, then in earnest.

    Each turn is told as soon as it is judged.
    """
    from dataclasses import replace

    from handful.lab.review.kept import keep_review, kept_review
    from handful.lab.review.reviewing import GLANCE, begin, finished, judged_turns, proof_of
    from handful.web.pages.addresses import record_of

    record, worlds = record_of(args["game"]), args["worlds"]
    kept = kept_review(record, 0, worlds, None)
    if kept is not None:
        return kept
    started, turns, done = time.perf_counter(), len(record.actions), 0

    def tell(turn: ReviewedTurn) -> None:
        nonlocal done
        done += 1
        report.partial(turn)
        report(done, 2 * turns, f"{min(done, turns)} of {turns} turns" + (", in more worlds" if done > turns else ""))

    report(0, 0, "Judging each decision by what its player could know …")
    job = begin(record, worlds=worlds)
    judged_turns(replace(job, worlds=min(GLANCE, worlds)), on_turn=tell)
    found = judged_turns(job, on_turn=tell)
    review = finished(job, found, proof_of(record, 20.0), time.perf_counter() - started)
    keep_review(record, review, None)
    return review


def what_if(args: Args, report: Report) -> Tried:
    """Return how good the last action of the game `game` is, which was tried out from the game `of`."""
    from handful.lab.review.reviewing import begin, judge_tried
    from handful.web.pages.addresses import record_of
    from handful.web.pages.tried import tried

    report(0, 0, "Trying it in worlds that fit what the player sees …")
    record = record_of(args["game"])
    job = begin(record_of(args["of"]), worlds=args["worlds"])
    return tried(record, judge_tried(job, record))


def play_on(args: Args, report: Report) -> str:
    """Return the game `game` as bots play on from its end, `turns` turns (0: to the end), as a part of an address."""
    from handful.bots.best import best_player
    from handful.bots.table import play_on
    from handful.hanabi.live.records import Record
    from handful.web.pages.addresses import record_of, token_of

    report(0, 0, "Bots are playing …")
    record = record_of(args["game"])
    rules = record.rules
    makers = [best_player(rules).for_game(rules).plain] * rules.players
    return token_of(Record.from_state(play_on(record.replay(), makers, turns=args["turns"] or None), record.names))


def player_history(args: Args, report: Report) -> Found:
    """Return what the games of the player `player` say: fetched, where they are missing, and analysed."""
    from handful.hanabi.live.site import Site, Wanted
    from handful.hanabi.live.site.rows import parse_since
    from handful.lab.history import history
    from handful.lab.history.kept import open_findings
    from handful.lab.history.sources import games_of_rows
    from handful.web.pages.history_found import Found

    since = parse_since(args["since"]) if args["since"] else None
    names = [args["player"], *args["others"]]
    with Site(on_wait=lambda why, seconds: report(0, 0, f"{why}; trying again in {seconds:.0f} s")) as site:
        rows = site.games_of(
            names,
            Wanted(since, args["variant"], args["limit"]),
            lambda done, total: report(done, total, f"{done:,} of {total:,} games listed"),
        )
        missing = site.missing(rows)
        for done, _ in enumerate(site.fetch(missing), start=1):
            report(done, len(missing), f"{done:,} of {len(missing):,} games fetched")
        games, address = games_of_rows(site, rows), site.address
    done = 0

    def show(count: int) -> None:
        nonlocal done
        done += count
        report(done, len(games), f"{done:,} of {len(games):,} games analysed")

    report(0, len(games), "Analysing …")
    with open_findings() as kept:
        found = history(games, names, site=address, workers=_workers(), kept=kept, on_progress=show)
    return Found.of(found)


def rummy_table(args: Args, report: Report) -> dict[str, Any]:
    """Return the figures of the table of a Rummy game, which is made if it is not there.

    A hand is looked at with it, so that all that has to be compiled for the server is compiled here.
    """
    from handful.rummy import Progress, parse_cards, solve
    from handful.rummy.advice import all_draws
    from handful.rummy.distribution import turns_of
    from handful.rummy.game import EXACT_TURNS_SIZES

    cards, aces = args["cards"], args["aces"]

    def show(progress: Progress) -> None:
        left = f", about {progress.seconds_left:.0f} s to go" if progress.seconds_left > 1 else ""
        report(progress.done, progress.total, f"{progress.done:,} of {progress.total:,} kinds of hands{left}")

    report(0, 0, f"Preparing hands of {cards} cards …")
    table = solve(cards, aces, progress=show)
    report(0, 0, "Looking at a first hand …")
    hand = parse_cards(table.summary().worst_hand)
    all_draws(table, hand)
    if cards in EXACT_TURNS_SIZES:  # those of larger hands take seconds, in a process of their own
        turns_of(table, hand)
    return table.to_dict()


def rummy_turns(args: Args, report: Report) -> tuple[Turns, Plot]:
    """Return how the turns of a large hand are spread."""
    from handful.rummy.distribution import turns_of
    from handful.rummy.solver.solve import ready_answers
    from handful.web.pages.plots import turns_plot
    from handful.web.pages.rummy_hand import Question

    report(0, 0, "Following the hand through all that may come …")
    question = Question.of(**args)
    turns = turns_of(ready_answers(len(question.hand), question.aces), question.hand)
    return turns, turns_plot(turns)


def rummy_gone(args: Args, report: Report) -> tuple[HandAnswer, Turns, Plot, str]:
    """Return the answer for a hand when cards are gone, how its turns are spread, and by which method it was found."""
    from handful.rummy.advice import advise
    from handful.web.pages.plots import turns_plot
    from handful.web.pages.rummy_hand import Question, answer_of

    report(0, 0, "Solving the game without the cards that are gone …")
    question = Question.of(**args)
    advice = advise(question.hand, question.draw, question.aces, question.gone)
    return answer_of(question, advice), advice.turns, turns_plot(advice.turns), str(advice.how)


def gin_review(args: Args, report: Report) -> GinReview:
    """Return what each decision of a hand of Gin cost."""
    from handful.web.gin_hint import review_round

    def show(done: int, total: int) -> None:
        report(done, total, f"Looking at decision {done + 1} of {total} …")

    return review_round(**args, report=show)


def gin_advice(args: Args, report: Report) -> GinAdvised:
    """Return what every choice of a place in a hand of Gin is worth."""
    from handful.web.gin_hint import advised
    from handful.web.pages.gin_adviser import AskedGin

    report(0, 0, "Playing it out …")
    return advised(AskedGin(**args).view())


def watch_solitaire(args: Args, report: Report) -> Solved:
    """Return the solitaire of the text `text` with its answer."""
    from handful.web.pages.explored import solved

    report(0, 0, "Looking for moves that win …")
    return solved(args["text"], args["hand"])


def count_hands(args: Args, report: Report) -> list[SequenceCount | SequenceSample]:
    """Return how many orders of a deck hands of several sizes can play: counted, or sampled if that is too much."""
    from handful.errors import RulesError
    from handful.lab.sequences import sample_sequences
    from handful.playability.sequences.counting import count_sequences

    copies = tuple(args["copies"])
    found: list[SequenceCount | SequenceSample] = []
    for done, hand in enumerate(args["hands"]):
        report(done, len(args["hands"]), f"Counting for a hand of {hand} …")
        try:
            found.append(count_sequences(copies, hand))
        except RulesError:
            report(done, len(args["hands"]), f"Too many to count: a sample for a hand of {hand} …")
            found.append(sample_sequences(copies, hand, total=SAMPLED_ORDERS, workers=1))
    return found


def simulate_bot(args: Args, report: Report) -> Simulated:
    """Return what many games of a bot came to. Finished games are kept in the store, and are not played again."""
    from handful.lab.games import Chunk, chunks_of, empty_tally, make_plan, play_chunk
    from handful.lab.simulate import summary, tallies
    from handful.lab.store import open_store
    from handful.web.pages.standing_rows import Order, Simulated, sparkline

    order = Order(**args)
    report(0, 0, LOADING)
    plan = make_plan(order.bot, order.players, order.variant, "hanab-live", order.seed)
    chunks = list(chunks_of(plan, order.games))
    started, tally, done = time.perf_counter(), empty_tally(plan.rules), 0
    with open_store() as store:
        for part in tallies(plan, chunks, _workers(), None, store):
            tally += part
            done = sum(tally.histogram)
            mean = sum(score * times for score, times in enumerate(tally.histogram)) / done
            words = f"{done:,} of {order.games:,} games · mean {mean:.2f} · {sparkline(tally.histogram)}"
            report(done, order.games, words)
    result = summary(plan, tally, time.perf_counter() - started)
    scores = play_chunk(plan, Chunk(0, min(order.games, LOOKED_AT))).scores
    lost = [(game, int(score)) for game, score in enumerate(scores) if score < plan.rules.max_score]
    return Simulated.of(order, order.bot, result, lost=tuple(lost[:SHOWN_GAMES]))


def play_one(args: Args, report: Report) -> tuple[str, int]:
    """Return a single game of a simulation, the one of number `game`, as a part of an address; and its score."""
    from handful.bots.players import player_named
    from handful.bots.table import play_game
    from handful.hanabi.deal import Deal
    from handful.hanabi.live.records import Record
    from handful.hanabi.notation import default_names
    from handful.web.pages.addresses import token_of
    from handful.web.pages.standing_rows import Order

    order = Order(**{name: value for name, value in args.items() if name != "game"})
    report(0, 0, LOADING)
    deal = Deal.from_seed(order.rules, order.seed, args["game"])
    maker = player_named(order.bot).plain
    state = play_game(deal, [maker] * order.players, order.seed, args["game"])
    return token_of(Record.from_state(state, default_names(order.players))), state.score


def compare_bots(args: Args, report: Report) -> Compared:
    """Return how two bots compare on the same deals."""
    from handful.lab.compare import compare
    from handful.web.pages.standing_rows import Compared, Order

    order, done = Order(**args), 0

    def show(games: int) -> None:
        nonlocal done
        done += games
        report(done, 2 * order.games, f"{done:,} of {2 * order.games:,} games")

    report(0, 0, LOADING)
    found = compare(
        order.bot,
        order.against,
        players=order.players,
        games=order.games,
        variant=order.variant,
        seed=order.seed,
        workers=_workers(),
        on_progress=show,
    )
    return Compared.of(order, found)


def _workers() -> int:
    """Return how many cores to use: one is left to the server."""
    from handful._machine import available_cores

    return max(1, available_cores() - 1)
