"""The exact decision by SAT: can the maximum score be reached from a position, all cards known, under the full rules?

One step per card that leaves a hand. The D cards of the deck make D steps, each drawing one card, with 0 to p hints
before each; then the last round has one turn for each of the p players. A deal is won by *choosing* one copy of every
missing card, and a step at which each is played; all other cards are trash without a name. What the formula says:

- the player of step i + 1 sits k + 1 seats after the player of step i if k hints are given between them;
- the card drawn at step i is held by the player of step i, and is played at a later step by the same player;
- a card is played after the card below it; one card a step;
- a step that plays nothing needs trash: its player holds fewer chosen cards than the hand has;
- tokens: a hint takes one, a discard and a completed stack bring one; no discard while all are there;
- a strike throws a card while all tokens are there, and there are fewer strikes than end the game.

Nothing is lost by these restrictions (the tests compare with a brute force on every deal of tiny games):

- *At most p hints before a step.* p more lead to the same player with fewer tokens, which only helps if a later card
  would be used with all tokens there, and there is time for them just before that card. (If hints have no limit, p
  more lead to the same position: p − 1 are enough.)
- *Strikes only while all tokens are there.* Otherwise a discard does the same and brings a token; should that make a
  later discard illegal, the strike that was saved serves there.
- *A strike need not be checked to be one.* If the trash can be played, play it: the chosen copy, played too late then,
  takes the strike that was saved (or is discarded for the token that it would have brought).
- *The last round needs no tokens, if there are any in the game.* A player who plays nothing discards, or gives a hint
  if all tokens are there.

Under rules that are not played as usual the formula may allow more than the rules (`deals.encoding`), and so it does
where a card is touched by no hint, for it takes a hint to be possible whenever there is a token. What it refutes is
lost all the same. Where the rules do not confirm its line, a stricter one is tried, and small games are searched whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from handful.errors import DealError, RulesError
from handful.hanabi.actions import Action
from handful.hanabi.state import State
from handful.playability.deals.choices import lost_card
from handful.playability.deals.encoding import Encoding
from handful.playability.deals.lines import last_round, replay, search_whole
from handful.playability.formulas import NO_TIME, Formula, find_model

NOT_CONFIRMED = "is undecided: what the formula finds is no line by the rules"


@dataclass(frozen=True)
class SatVerdict:
    """Whether the maximum score can be reached; None if that is `undecided`, which then says why.

    `moves` are legal actions that reach it, replayed by the plain rules. The sizes are of the formula; they are 0 where
    none was needed.
    """

    winnable: bool | None
    moves: tuple[Action, ...] = field(repr=False)
    variables: int
    clauses: int
    conflicts: int
    seconds: float = field(compare=False)
    undecided: str = ""


def decide(
    state: State,
    time_limit: float | None = None,
    *,
    free_hints: bool = False,
    closed: Sequence[Sequence[int]] = (),
) -> SatVerdict:
    """Return whether the maximum score can be reached from this position, and how.

    With `free_hints` the same is asked of the game with hints without limit (max_hints is None), in which a discard is
    always legal, too. This is a relaxation: an action that is legal in the real game is legal there and does the same
    to the cards, the strikes and the last round, tokens being all that a bonus or a discard changes besides. So every
    line that wins the real game wins this one. `moves` are legal under its rules. `closed` are choices of orders, a
    number for each suit, that are known to be lost even so.

    >>> from handful.hanabi import Deal, Rules, Variant
    >>> rules = Rules(Variant.custom(suits=1, copies=(1, 1, 1)), players=2, hand_size=1)
    >>> decide(State(Deal.from_cards(rules, "r1 r2 r3"))).winnable
    True
    >>> decide(State(Deal.from_cards(rules, "r3 r2 r1"))).winnable
    False
    """
    start = time.perf_counter()
    _check(state)

    def verdict(winnable: bool, moves: Iterable[Action] = ()) -> SatVerdict:
        return SatVerdict(winnable, tuple(moves), 0, 0, 0, time.perf_counter() - start)

    if state.is_over:
        return verdict(state.score == state.rules.max_score)
    if lost_card(state) is not None:
        return verdict(False)
    if free_hints:
        state = _with_free_hints(state)
    if state.deck_size == 0 and state.rules.has_last_round:
        line = last_round(state.copy())
        return verdict(line is not None, line or ())
    if time_limit is not None and time_limit <= time.perf_counter() - start:
        return SatVerdict(None, (), 0, 0, 0, time.perf_counter() - start, NO_TIME)
    found = _find_line(state, start, time_limit, closed)
    if found.winnable is None and found.undecided == NOT_CONFIRMED:
        winnable, whole = search_whole(state)
        return replace(
            found, winnable=winnable, moves=tuple(whole), undecided="" if winnable is not None else NOT_CONFIRMED
        )
    return found


def _find_line(state: State, start: float, time_limit: float | None, closed: Sequence[Sequence[int]]) -> SatVerdict:
    """Return what the formula says, and where the rules do not confirm its line, what the strict formula says."""
    verdict = None
    for strict in (False, True):
        formula = Formula()
        encoding = Encoding(state, formula, strict=strict, closed=closed)
        found = find_model(formula, None if time_limit is None else start + time_limit - time.perf_counter())
        moves = replay(state, encoding.plan(found.model)) if found.answer else None
        sizes = (formula.num_variables, len(formula.clauses), found.conflicts)
        taken = time.perf_counter() - start
        if found.answer and moves is None:
            assert not is_exact(state), "the formula and the rules disagree"
            verdict = SatVerdict(None, (), *sizes, taken, NOT_CONFIRMED)
            continue
        if strict and not found.answer:
            break  # what is strict proves nothing
        return SatVerdict(found.answer, tuple(moves or ()), *sizes, taken, found.undecided)
    assert verdict is not None
    return verdict


def is_exact(state: State) -> bool:
    """Whether lines of the formula are lines of the rules: these are the usual ones, and every card can be hinted."""
    rules = state.rules
    touched = 0
    for mask in (*rules.variant.suit_hint_masks, *rules.variant.value_hint_masks):
        touched |= mask
    return rules.is_played_as_usual and (rules.empty_hints or touched == rules.variant.all_mask)


def _check(state: State) -> None:
    """Refuse what the formula does not describe."""
    rules = state.rules
    if rules.end_of_deck == "never" and not rules.all_or_nothing:
        raise RulesError("end_of_deck is 'never': expected 'last-round', for the steps to be counted")
    if state.deck_size and not all(state.hands):
        raise DealError("a player holds no cards while there are cards to draw: expected at least one in every hand")


def _with_free_hints(state: State) -> State:
    """Return the same position in the game with hints without limit."""
    return State.arrange(
        replace(state.rules, max_hints=None),
        [state.hand(player) for player in range(state.rules.players)],
        state.deck(),
        state.stacks,
        state.discards,
        strikes=state.strikes,
        current=state.current,
        turns_left=state.turns_left,
        open_orders=state.open_orders,
    )
