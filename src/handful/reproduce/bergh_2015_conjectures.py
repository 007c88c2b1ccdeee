"""Van den Bergh 2015, section 5: its two conjectures, decided by small cases. docs/counting.md has the proofs."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from handful.hanabi import Card, Deal, Discard, HintValue, Play, Rules, State, Suit, Variant
from handful.playability.sequences.line import play_sequence
from handful.playability.sequences.theorems import conjectured_permutations, merged_rules, playable_permutations
from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Line, Outcome, Picture, Source, exact_line, further_line
from handful.reproduce.pictures import COLOURS, MARKERS, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh 2015"
FALSE = (
    "The conjecture is false: for k = 2, m = 1 it says 2, but of 1 2 and 2 1 only the first can be played. What it "
    "counts are the orders that m + 1 cards in hand can play."
)


def conjecture_5_1(effort: Effort) -> Outcome:
    """Return what the conjecture says beside what playing every order gives."""
    most = effort.pick(6, 8)
    lines = []
    for values in range(1, most + 1):
        for hand in range(1, values + 1):
            played = sum(
                play_sequence(order, hand, end_of_deck="never").playable for order in permutations(range(1, values + 1))
            )
            claimed = conjectured_permutations(values, hand)
            lines.append(exact_line(f"k = {values}, m = {hand}", f"{claimed:,}", f"{played:,}", FALSE))
            if played != playable_permutations(values, hand):
                lines.append(Line("m! m^(k − m)", f"{playable_permutations(values, hand):,}", f"{played:,}", "differs"))
        effort.on_progress(values / most)
    true = "m! m^(k − m), proved; every order was played"
    lines.append(further_line(f"what is right, for all k up to {most}", true))
    return Outcome(
        "bergh-2015-conjecture-5.1",
        "Orders of single cards that m cards in hand can play",
        Source(DOCUMENT, "Conjecture 5.1"),
        "m! (m + 1)^(k − m)",
        "false for every k > m; m! m^(k − m) is right, and proved",
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
        tried = agree = 0
        for cards in _small_sequences(most):
            if len(cards) >= players:
                tried += 1
                rules = _free_rules(cards, players)
                agree += _can_win(rules, cards) == _can_win(merged_rules(rules), cards)
        effort.on_progress(players / 3)
        name = f"sequences of one suit with up to {most} cards, {players} players with a card each"
        lines.append(exact_line(name, f"{tried:,} agree", f"{agree:,} agree"))
    lines.append(further_line("hands of any size", "true as well, and proved, if the empty deck ends neither game"))
    return Outcome(
        "bergh-2015-conjecture-5.2",
        "p players with a card each, or one with p cards",
        Source(DOCUMENT, "Conjecture 5.2"),
        "the same decks can be played",
        "true, and proved, for hands of any size",
        tuple(lines),
        "Every position of both games was visited through the plain rules, with hints as passes.",
    )


def _small_sequences(most_cards: int) -> list[tuple[Card, ...]]:
    """Return every order of every deck of one suit with so many cards at most, each value at least once."""
    found: set[tuple[int, ...]] = set()

    def extend(prefix: tuple[int, ...], top: int) -> None:
        if prefix and set(prefix) == set(range(1, top + 1)):
            found.add(prefix)
        if len(prefix) < most_cards:
            for value in range(1, most_cards + 1):
                extend((*prefix, value), max(top, value))

    extend((), 0)
    return [tuple(Card(0, value) for value in values) for values in sorted(found)]


def _free_rules(cards: tuple[Card, ...], players: int) -> Rules:
    values = [card.value for card in cards]
    copies = tuple(values.count(value) for value in range(1, max(values) + 1))
    variant = Variant("one suit", (Suit("Red", "r", copies),))
    return Rules(
        variant,
        players=players,
        hand_size=1,
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
        legal = [action for action in state.legal_actions() if isinstance(action, Play | Discard | HintValue)]
        passes = [action for action in legal if isinstance(action, HintValue)][:1]
        for action in [action for action in legal if not isinstance(action, HintValue)] + passes:
            after = state.copy()
            after.act(action)
            if _position(after) not in met:
                met.add(_position(after))
                waiting.append(after)
    return False


def _position(state: State) -> tuple[object, ...]:
    hands = tuple(tuple(sorted(state.hand(player))) for player in range(state.rules.players))
    return (state.stacks, hands, state.deck_size, state.strikes, state.current, state.ending)


def _formulas_picture(most: int) -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for hand in (1, 2, 3, 4):
            at = list(range(hand, most + 1))
            colour = COLOURS[hand - 1]
            axes.plot(
                at,
                [playable_permutations(values, hand) for values in at],
                color=colour,
                marker=MARKERS[hand - 1],
                label=f"m = {hand}: counted",
            )
            axes.plot(at, [conjectured_permutations(values, hand) for values in at], "--", color=colour, linewidth=1)
        axes.plot([], [], "--", color="#777777", label="as conjectured")
        axes.set_yscale("log")
        axes.set_xlabel("values k")
        axes.set_ylabel("orders that can be played")
        grid(axes)
        axes.legend(frameon=False, loc="upper left")

    caption = "Orders of k single cards that m cards in hand can play; the conjecture for m is what is true of m + 1."
    return Picture("bergh-2015-conjecture-5.1", caption, draw)
