"""Van den Bergh 2015, sections 3 and 5: which sequences can be played. docs/counting.md has the proofs.

The closed formula and its identity; Appendix A, sequences of ten cards; the two conjectures, decided by small cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from math import factorial
from typing import TYPE_CHECKING

from handful.hanabi import Card, Deal, Discard, HintValue, Play, Rules, State, Suit, Variant
from handful.lab.sequences import SequenceSample, sample_sequences
from handful.playability.sequences.counting import PUBLISHED_HANDS, count_sequences, count_unplayable, published_table
from handful.playability.sequences.line import play_sequence
from handful.playability.sequences.theorems import (
    conjectured_permutations,
    identity_3_26,
    merged_rules,
    playable_permutations,
    unplayable_by_formula,
    unplayable_by_recurrence,
)
from handful.reproduce.outcome import (
    Effort,
    Estimate,
    Line,
    Outcome,
    Picture,
    Source,
    counted_same,
    cpu_seconds_of,
    shares,
)
from handful.reproduce.pictures import COLOURS, MARKERS, draw_bars, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh 2015"
HANABI = (3, 2, 2, 2, 1)
SUITS = 5
LARGE_HAND = 25  # cards, all different ones: beyond it only time is short, whatever the hand (docs/counting.md)
SLOW_DECK = (6, 6, 6, 6, 6)  # whose published sum has 7^5 terms
REASONS: dict[tuple[tuple[int, ...], int], str] = {
    ((1, 2, 1, 4, 2), 1): "2114 of 37800 are 0.05593; by symmetry (Lemma 3.21) what (1, 1, 2, 2, 4) has, where 0.0559 "
    "is printed.",
    ((1, 2, 2, 3, 2), 2): "28384 of 75600 are 0.3754497, which the printed algorithm finds too: wrongly rounded.",
}
FALSE = (
    "The conjecture is false: for k = 2, m = 1 it says 2, but of 1 2 and 2 1 only the first can be played. What it "
    "counts are the orders that m + 1 cards in hand can play."
)


def theorem_3_25(effort: Effort) -> Outcome:
    """Return the closed formula beside the recurrence and our own formula, on all small decks."""
    most = effort.pick(3, 4)
    decks = [copies for values in (2, 3, 4, 5) for copies in product(range(1, most + 1), repeat=values)]
    agree = 0
    for number, copies in enumerate(decks, 1):
        ours = count_unplayable(copies)
        agree += ours == unplayable_by_formula(copies) == unplayable_by_recurrence(copies)
        if number % 50 == 0:
            effort.on_progress(number / len(decks))
    counts = (unplayable_by_formula, count_unplayable)
    theirs, mine = (cpu_seconds_of(partial(count, SLOW_DECK), rounds=1) for count in counts)
    lines = (
        Line.exact(f"decks of 2 to 5 values with 1 to {most} copies", len(decks), agree, form="{:,} agree".format),
        Line.faster(f"CPU seconds for the deck {SLOW_DECK}: the closed formula, ours", theirs, mine, "{:.6f}".format),
    )
    return Outcome(
        "bergh-2015-theorem-3.25",
        "How many sequences a hand of one card cannot play",
        Source(DOCUMENT, "Theorem 3.25"),
        "a closed formula for the number of them",
        f"agrees with the recurrence and with our formula on {agree:,} of {len(decks):,} decks",
        lines,
        "Ours takes a number of steps in the order of N² instead of a sum over up to (x_1 + 1) ⋯ (x_k + 1) terms. "
        "docs/counting.md has the proofs, also that by generating functions, which section 5 asks for.",
    )


def corollary_3_26(_effort: Effort) -> Outcome:
    """Return the identity for one card of each value, as the thesis prints it and as the article does."""
    reason = "The exponent is k (as in Bergh et al. 2016, section 3), not k − ℓ: for k = 4 the printed sum is {:,}."
    reason = reason.format(identity_3_26(4, as_printed=True))
    number = "{:,}".format
    printed, right = [], []
    for values in range(2, 11):
        wanted, found = factorial(values) - 1, identity_3_26(values, as_printed=True)
        printed.append(Line.exact(f"k = {values}: the sum as printed", wanted, found, reason, number))
        right.append(Line.exact(f"k = {values}: with exponent k", wanted, identity_3_26(values), form=number))
    return Outcome(
        "bergh-2015-corollary-3.26",
        "An identity for k! − 1",
        Source(DOCUMENT, "Corollary 3.26"),
        "the sum with exponent k − ℓ is k! − 1",
        f"as printed {counted_same(printed)}; with exponent k {counted_same(right)}",
        tuple(line for pair in zip(printed, right, strict=True) for line in pair),
    )


def appendix_a(effort: Effort) -> Outcome:
    """Return the 630 fractions of Appendix A, and what lies beyond ten cards of one suit."""
    table = published_table(on_progress=lambda _row: None)
    effort.on_progress(0.2)
    lines = []
    for row, counts in table:
        for count in counts:
            printed, exact = row.printed[count.hand], float(count.fraction)
            name = f"({', '.join(map(str, row.copies))}), m = {count.hand}"
            # To four decimals, with half a unit of the last for the rounding.
            bounds = (printed - 0.5e-4 - 1e-12, printed + 0.5e-4 + 1e-12)
            reason = REASONS.get((row.copies, count.hand), "")
            form = "{:.7f}".format if reason else "{:.4f}".format
            lines.append(Line.between(name, f"{printed:.4f}", exact, bounds, reason, form))
    for suits, copies, hand in ((2, (2, 2, 2), 2), (2, (2, 2, 2), 3), (1, (3, 2, 2, 2, 2, 2, 1), 3), (3, (2, 2, 2), 2)):
        count = count_sequences(copies, hand, suits)
        deck = f"{suits} suit{'s' * (suits > 1)} of ({', '.join(map(str, copies))}), m = {hand}"
        value = (count.playable, count.total, float(count.fraction))
        not_there = "too much memory" if suits > 1 else "–"
        lines.append(Line.further(deck, value, "{:,} of {:,}, {:.5f}".format, not_there))
    samples = _samples(effort)
    for sample in samples:
        if sample.hand in (1, 2, 3, 4, 5, 10, 15, LARGE_HAND):
            name = f"the whole deck of 50 cards, m = {sample.hand}, of {sample.total:,} orders"
            share = Estimate.percent(sample.fraction, sample.ci95)
            lines.append(Line.further(name, share, shares(3), "future research"))
    return Outcome(
        "bergh-2015-appendix-a",
        "Playable sequences of ten cards, for hands of one to five",
        Source(DOCUMENT, "Appendix A"),
        f"{len(table) * len(PUBLISHED_HANDS)} fractions to four decimals",
        f"{counted_same(lines)}; the whole deck of 50 cards sampled for hands of 1 to {samples[-1].hand}",
        tuple(lines),
        "Exact counts. The thesis stops at one suit of ten cards; larger decks are counted up to symmetry, or sampled.",
        (_orders_picture(samples),),
    )


def conjecture_5_1(effort: Effort) -> Outcome:
    """Return what the conjecture says beside what playing every order gives."""
    most = effort.pick(6, 8)
    lines, proved = [], []
    for values in range(1, most + 1):
        for hand in range(1, values + 1):
            orders = permutations(range(1, values + 1))
            played = sum(play_sequence(order, hand, end_of_deck="never").playable for order in orders)
            claimed = conjectured_permutations(values, hand)
            lines.append(Line.exact(f"k = {values}, m = {hand}", claimed, played, FALSE, "{:,}".format))
            proved.append(played == playable_permutations(values, hand))
        effort.on_progress(values / most)
    told = counted_same(lines)
    lines.append(Line.proved("m! m^(k − m), which is proved: cases counted that agree", sum(proved), len(proved)))
    return Outcome(
        "bergh-2015-conjecture-5.1",
        "Orders of single cards that m cards in hand can play",
        Source(DOCUMENT, "Conjecture 5.1"),
        "m! (m + 1)^(k − m)",
        f"{told}; m! m^(k − m), which is proved, agrees in {lines[-1].ours}",
        tuple(lines),
        "Games that the empty deck does not end. Every order of up to "
        f"{most} cards was played, with every size of the hand.",
        (_formulas_picture(most),),
    )


def conjecture_5_2(effort: Effort) -> Outcome:
    """Return whether players with a card each can do what one player with all cards can, on every small sequence."""
    most = effort.pick(4, 5)
    lines = []
    for players in (2, 3):
        agree, tried = _agreements(most, players, hand=1)
        name = f"sequences of one suit with up to {most} cards, {players} players with a card each"
        lines.append(Line.exact(name, tried, agree, form="{:,} agree".format))
        effort.on_progress(players / 4)
    agree, tried = _agreements(most, players=2, hand=2)
    lines.append(
        Line.proved("hands of any size, which is proved: sequences with two cards each that agree", agree, tried)
    )
    return Outcome(
        "bergh-2015-conjecture-5.2",
        "p players with a card each, or one with p cards",
        Source(DOCUMENT, "Conjecture 5.2"),
        "the same decks can be played",
        f"{counted_same(lines)}; for two cards each {lines[-1].ours} sequences agree",
        tuple(lines),
        "Every position of both games was visited through the plain rules, with hints as passes. It is true, and "
        "proved, for hands of any size, if the empty deck ends neither game.",
    )


def _samples(effort: Effort) -> list[SequenceSample]:
    """Return how many orders of the whole deck hands of 1 to 20 can play, and a hand of all different cards."""
    orders, samples = effort.sample(10_000, 1_000_000), []
    for number, hand in enumerate((*range(1, 21), LARGE_HAND), 1):
        samples.append(sample_sequences(HANABI, hand, SUITS, total=orders, workers=effort.workers))
        effort.on_progress(0.2 + 0.8 * number / 21)
    return samples


def _orders_picture(samples: list[SequenceSample]) -> Picture:
    shares = [Estimate.percent(sample.fraction, sample.ci95) for sample in samples]

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        draw_bars(axes, [sample.hand for sample in samples[:-1]], shares[:-1], linestyle="-")
        axes.axhline(shares[-1].value, color="#888888", linewidth=0.8, linestyle="--")
        told = f"{shares[-1].value:.2f} %: for the others no hand is large enough"
        axes.text(20, 94.5, told, ha="right", va="top", fontsize=9)
        axes.set_xticks(range(1, 21))
        axes.set_xlabel("cards in hand")
        axes.set_ylabel("playable orders, %")
        axes.set_ylim(0, 106)
        grid(axes)

    caption = "Goes further: how many orders of the whole deck (50 cards) a single player who knows them can play."
    return Picture("bergh-2015-appendix-a", caption, draw)


def _formulas_picture(most: int) -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for hand, colour, marker in zip((1, 2, 3, 4), COLOURS, MARKERS, strict=False):
            at = list(range(hand, most + 1))
            counted = [playable_permutations(values, hand) for values in at]
            axes.plot(at, counted, color=colour, marker=marker, label=f"m = {hand}: counted")
            axes.plot(at, [conjectured_permutations(values, hand) for values in at], "--", color=colour, linewidth=1)
        axes.plot([], [], "--", color="#777777", label="as conjectured")
        axes.set_yscale("log")
        axes.set_xlabel("values k")
        axes.set_ylabel("orders that can be played")
        grid(axes)
        axes.legend(frameon=False, loc="upper left")

    caption = "Orders of k single cards that m cards in hand can play; the conjecture for m is what is true of m + 1."
    return Picture("bergh-2015-conjecture-5.1", caption, draw)


# Conjecture 5.2: every line of play of every small sequence


def _agreements(most_cards: int, players: int, hand: int) -> tuple[int, int]:
    """Return for how many sequences both games can be won, or neither, and how many there are."""
    tried = agree = 0
    for cards in _small_sequences(most_cards):
        if len(cards) >= players * hand:
            tried += 1
            rules = _free_rules(cards, players, hand)
            agree += _can_win(rules, cards) == _can_win(merged_rules(rules), cards)
    return agree, tried


def _small_sequences(most_cards: int) -> Iterator[tuple[Card, ...]]:
    """Yield every order of every deck of one suit with so many cards at most, each value at least once."""
    for length in range(1, most_cards + 1):
        for values in product(range(1, length + 1), repeat=length):
            if set(values) == set(range(1, max(values) + 1)):
                yield tuple(Card(0, value) for value in values)


def _free_rules(cards: tuple[Card, ...], players: int, hand: int) -> Rules:
    values = [card.value for card in cards]
    copies = tuple(values.count(value) for value in range(1, max(values) + 1))
    return Rules(
        Variant("one suit", (Suit("Red", "r", copies),)),
        players=players,
        hand_size=hand,
        max_hints=None,
        max_strikes=1,
        empty_hints=True,
        discard_at_max=True,
        end_of_deck="never",
    )


def _can_win(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Whether any line of play reaches the maximum; a position is visited once, as passes go round in circles."""
    first = State(Deal(rules, cards))
    waiting, met = [first], {_position(first)}
    while waiting:
        state = waiting.pop()
        if state.ending == "perfect":
            return True
        legal = state.legal_actions()
        passes = [action for action in legal if isinstance(action, HintValue)][:1]
        for action in [action for action in legal if isinstance(action, Play | Discard)] + passes:
            after = state.copy()
            after.act(action)
            if _position(after) not in met:
                met.add(_position(after))
                waiting.append(after)
    return False


def _position(state: State) -> tuple[object, ...]:
    hands = tuple(tuple(sorted(state.hand(player))) for player in range(state.rules.players))
    return (state.stacks, hands, state.deck_size, state.strikes, state.current, state.ending)
