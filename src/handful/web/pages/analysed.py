"""A game on the page: where it was lost, the line that would have won it, and every position on the way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from handful.errors import HandfulError
from handful.hanabi.actions import Discard, HintSuit, HintValue, Play
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import HeldCard
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.measures import Measures, measures
from handful.hanabi.notation import slot_text, turn_text
from handful.hanabi.state import State
from handful.hanabi.variants import Suit
from handful.hanabi.worth import copies_left, playable_mask, unique_mask, worthless_mask
from handful.playability.deals.analysis import Analysis, analyse
from handful.playability.deals.reachable import Reach, reachable_scores
from handful.playability.deals.solve import Solution, solve
from handful.web.pages.addresses import token_of
from handful.web.table_picture import ShownStack, after_turns, shown_stacks, told_of

SECONDS_A_POSITION = 20.0

Tone = Literal["won", "lost", "open", "undecided"]


@dataclass(frozen=True)
class Analysed:
    """An analysed game. `answers` says for every turn whether the maximum was possible after it (None: undecided).

    `is_deal` says that nobody has played it, and `proof` how large the proof is that it is lost, if that is known.
    `reach` has for every position, the deal first, the most points that could be reached from it. `line` is the line
    that wins in words (of a deal that cannot be won, the best one that was found), from turn `line_begins` on;
    `line_score` is what it comes to, and `line_game` the whole game with it, as `addresses.record_of` reads it.
    """

    tone: Tone
    headline: str
    reason: str
    proof: str
    is_deal: bool
    winnable: bool | None
    lost_at: int | None
    answers: tuple[bool | None, ...]
    reach: tuple[Reach, ...]
    line_score: int
    line: tuple[str, ...]
    line_begins: int
    line_game: str
    line_link: str
    solved: int
    seconds: float

    @property
    def first_look(self) -> int:
        """The position to show first: just before the turn that lost the game; otherwise where the line begins."""
        if self.lost_at:
            return self.lost_at - 1
        return self.line_begins - 1 if self.line else len(self.answers) if self.tone == "won" else 0


def analysed(record: Record, seconds_a_position: float = SECONDS_A_POSITION) -> Analysed:
    """Return where a game was lost, for the page; one that stops before its end gets a line that goes on from there."""
    found = analyse(record, seconds_a_position)
    solution = found.missed_line or found.best_line
    if solution is None and not found.is_won:
        solution = _line_from_the_end(played(record), seconds_a_position)
    line, game = _line(record, solution)
    reason, proof = split_proof(found.reason)
    answers = tuple(turn.winnable_after for turn in found.turns)
    return Analysed(
        tone=tone_of(found),
        headline=headline_of(found),
        reason=_sentence(reason),
        proof=proof,
        is_deal=not found.turns,
        winnable=found.winnable,
        lost_at=found.lost_at_turn,
        answers=answers,
        reach=tuple(reachable_scores(list(record.states()), [found.winnable, *answers])),
        line_score=0 if solution is None else solution.score,
        line=line,
        line_begins=0 if game is None else len(game.actions) - len(line) + 1,
        line_game="" if game is None else token_of(game),
        line_link="" if game is None else link_of(game),
        solved=found.solved,
        seconds=found.seconds,
    )


def tone_of(found: Analysis) -> Tone:
    """Return how the game went, in a word."""
    if found.is_won:
        return "won"
    if found.lost_at_turn is not None:
        return "lost"
    return "open" if found.lost_between is None else "undecided"


def headline_of(found: Analysis) -> str:
    """Return the one sentence that everybody wants to read."""
    most = found.rules.max_score
    if found.is_won:
        return f"A perfect game: {most} of {most}."
    if not found.turns:
        return deal_headline_of(found)
    if found.lost_at_turn == 0:
        return f"Nobody could have won this deal: {most} was out of reach before the first turn."
    if found.lost_at_turn is not None:
        return f"Turn {found.lost_at_turn} lost the game: {found.turns[found.lost_at_turn - 1].text}."
    if found.lost_between is None:
        return f"Not lost: {most} is possible where the record stops."
    return _sentence(found.verdict)


def deal_headline_of(found: Analysis) -> str:
    """Return that of a deal that nobody has played."""
    most = found.rules.max_score
    if found.winnable is None:
        return f"Undecided: it is not known whether {most} points can be made of this deal."
    if found.winnable:
        return f"This deal can be won: {most} of {most}."
    return f"Nobody can win this deal: {most} is out of reach."


def split_proof(reason: str) -> tuple[str, str]:
    """Return a reason without the size of its proof, and that.

    >>> split_proof("tokens: no line wins (1,204 variables, 1 clause, 0 conflicts)")
    ('tokens: no line wins', '1,204 variables, 1 clause, 0 conflicts')
    """
    found = _PROOF.search(reason)
    return (reason, "") if found is None else (reason.replace(found[0], ""), found[1])


_PROOF = re.compile(r" \(([\d,]+ variables?, [\d,]+ clauses?, [\d,]+ conflicts?)\)")


def link_of(record: Record) -> str:
    """Return hanab.live's link of a game; empty where a link cannot say what the game is."""
    try:
        return link_from_record(record.bare())
    except HandfulError:
        return ""


def _line_from_the_end(state: State, seconds: float) -> Solution | None:
    if state.is_over:
        return None
    solution = solve(state, seconds)
    return solution if solution.winnable else None


def _line(record: Record, solution: Solution | None) -> tuple[tuple[str, ...], Record | None]:
    """Return a winning line in words, and the whole game with it, under the players' names."""
    if solution is None or not solution.line:
        return (), None
    game = Record.from_state(solution.finished, record.names)
    turns = solution.finished.history[-len(solution.line) :]
    return tuple(turn_text(record.rules, turn, record.names) for turn in turns), game


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


# Its positions


@dataclass(frozen=True)
class CardInHand:
    """A card of a hand: its face, what hints have told of it, and its part in what happens.

    `marks` are classes for the page: told (by a hint, ever), pointed (by the hint that was just given), drawn (just
    now), next (about to be played or discarded).
    """

    suit: Suit
    value: str
    slot: str
    told_suits: tuple[Suit, ...]
    told_values: tuple[str, ...]
    worth: str  # playable, worthless, unique, or nothing of these
    marks: tuple[str, ...]

    @property
    def words(self) -> str:
        """All of it in words, for who does not see it."""
        told = [suit.name.lower() for suit in self.told_suits] + list(self.told_values)
        parts = [f"slot {self.slot}: {self.suit.name.lower()} {self.value}"]
        parts += [self.worth] if self.worth else []
        parts += [f"told {' and '.join(told)}"] if told else []
        return ", ".join(parts)


@dataclass(frozen=True)
class Hand:
    """A player's cards, the oldest first."""

    name: str
    is_current: bool
    cards: tuple[CardInHand, ...]


@dataclass(frozen=True)
class Board:
    """A position of a game: after `turn` of `last_turn` turns.

    `happened` is the turn that led here, `comes` the one that follows in this game; both are empty where there is none.
    `discards` are the cards that are gone, by suit: (value, how many).
    """

    state: State
    turn: int
    last_turn: int
    happened: str
    comes: str
    stacks: tuple[ShownStack, ...]
    discards: tuple[tuple[Suit, tuple[tuple[str, int], ...]], ...]
    hands: tuple[Hand, ...]
    measures: Measures
    ending: str


ENDINGS = {
    "perfect": "a perfect game",
    "strikes": "ended by strikes",
    "deck": "the last round is over",
    "stuck": "nobody can move",
    "lost": "a card that all or nothing needs is lost",
}


def ending_of(record: Record) -> str:
    """Return how a game ended, for the page; empty if the record stops before that."""
    return ENDINGS.get(record.ending or "", record.ending or "")


@lru_cache(maxsize=64)
def played(record: Record) -> State:
    """Return a game as it stands after its last turn: whoever steps through it need not play it each time."""
    return record.replay()


def board_of(record: Record, turn: int) -> Board:
    """Return the position of a game after so many turns."""
    whole = played(record)
    state = after_turns(whole, turn)
    rules, variant = state.rules, state.rules.variant
    return Board(
        state=state,
        turn=turn,
        last_turn=len(record.actions),
        happened=turn_text(rules, state.history[-1], record.names) if state.history else "",
        comes=turn_text(rules, whole.history[turn], record.names) if turn < len(whole.history) else "",
        stacks=shown_stacks(variant, state.stacks, state.stack_values),
        discards=_gone(state),
        hands=tuple(_hand(record, state, player) for player in range(rules.players)),
        measures=measures(state),
        ending=ending_of(record) if turn == len(record.actions) else "",
    )


def _gone(state: State) -> tuple[tuple[Suit, tuple[tuple[str, int], ...]], ...]:
    """Return the discards by suit and value; suits without any are left out."""
    found = []
    variant = state.rules.variant
    for index, suit in enumerate(variant.suits):
        values = [card.value for card in state.discards if card.suit == index]
        if values:
            found.append(
                (suit, tuple((variant.value_text(value), values.count(value)) for value in sorted(set(values))))
            )
    return tuple(found)


def _hand(record: Record, state: State, player: int) -> Hand:
    cards = tuple(_card(record, state, player, slot, held) for slot, held in enumerate(state.hands[player]))
    return Hand(record.names[player], player == state.current and not state.is_over, cards)


def _card(record: Record, state: State, player: int, slot: int, held: HeldCard) -> CardInHand:
    variant, card = state.rules.variant, state.card(held)
    told_suits, told_values = told_of(variant, held.knowledge)
    return CardInHand(
        suit=variant.suits[card.suit],
        value=variant.value_text(card.value),
        slot=slot_text(slot),
        told_suits=told_suits,
        told_values=tuple(map(variant.value_hint_text, told_values)),
        worth=worth_of(state, card),
        marks=tuple(_marks(record, state, player, slot, held)),
    )


def worth_of(state: State, card: Card) -> str:
    """Return what a card is worth now, in a word: playable, worthless, unique, or nothing of these."""
    variant, index = state.rules.variant, card_index(state.rules.variant, card)
    stacks, orders = state.stacks, state.open_orders
    left = copies_left(variant, stacks, state.discards, orders)
    if playable_mask(variant, stacks, orders) >> index & 1:
        return "playable"
    if worthless_mask(variant, stacks, left, orders) >> index & 1:
        return "worthless"
    return "unique" if unique_mask(left) >> index & 1 else ""


def _marks(record: Record, state: State, player: int, slot: int, held: HeldCard) -> list[str]:
    marks = ["told"] if held.knowledge.is_touched else []
    last = state.history[-1] if state.history else None
    if last is not None:
        is_hint = isinstance(last.action, HintSuit | HintValue) and last.action.player == player
        marks += ["pointed"] if is_hint and slot in last.touched else []
        marks += ["drawn"] if last.drew == held.order else []
    done = len(state.history)
    action = record.actions[done] if done < len(record.actions) else None
    if isinstance(action, Play | Discard) and player == state.current and action.slot == slot:
        marks.append("next")
    return marks


@dataclass(frozen=True)
class Bar:
    """A turn in the picture of a whole game: where it stands (in per cent of the width), how high, and its answer."""

    turn: int
    left: float
    width: float
    height: float  # of the points, 0 to 1
    answer: str  # possible, lost or undecided; "waiting" before anything is known


ANSWERS = {True: "possible", False: "lost", None: "undecided"}


def bars_of(record: Record, answers: tuple[bool | None, ...] | None = None) -> tuple[Bar, ...]:
    """Return the picture of a game: its points after each turn, and whether the maximum was possible then.

    `answers` has that for all turns; None while nobody knows.
    """
    turns = played(record).history
    width = 100 / max(1, len(turns))
    return tuple(
        Bar(
            turn=turn.number,
            left=(turn.number - 1) * width,
            width=width,
            height=turn.points / record.rules.max_score,
            answer="waiting" if answers is None else ANSWERS[answers[turn.number - 1]],
        )
        for turn in turns
    )
