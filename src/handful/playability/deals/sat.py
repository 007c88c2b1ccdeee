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
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from handful.errors import DealError, RulesError
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play
from handful.hanabi.state import State
from handful.playability.deals.encoding import Encoding, Step, missing_cards
from handful.playability.formulas import NO_TIME, Formula, find_model


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


def decide(state: State, time_limit: float | None = None, *, free_hints: bool = False) -> SatVerdict:
    """Return whether the maximum score can be reached from this position, and how.

    With `free_hints` the same is asked of the game with hints without limit (max_hints is None), in which a discard is
    always legal, too. This is a relaxation: an action that is legal in the real game is legal there and does the same
    to the cards, the strikes and the last round, tokens being all that a bonus or a discard changes besides. So every
    line that wins the real game wins this one. `moves` are legal under its rules.

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
    if _has_lost_card(state):
        return verdict(False)
    if free_hints:
        state = _with_free_hints(state)
    if state.deck_size == 0:
        line = _last_round(state.copy())
        return verdict(line is not None, line or ())
    if time_limit is not None and time_limit <= time.perf_counter() - start:
        return SatVerdict(None, (), 0, 0, 0, time.perf_counter() - start, NO_TIME)
    formula = Formula()
    encoding = Encoding(state, formula)
    found = find_model(formula, None if time_limit is None else start + time_limit - time.perf_counter())
    moves = tuple(_replay(state, encoding.plan(found.model))) if found.answer else ()
    sizes = (formula.num_variables, len(formula.clauses), found.conflicts)
    return SatVerdict(found.answer, moves, *sizes, time.perf_counter() - start, found.undecided)


def _check(state: State) -> None:
    """Refuse what the formula does not describe."""
    rules = state.rules
    if rules.end_of_deck == "never":
        raise RulesError("end_of_deck is 'never': expected 'last-round', for the steps to be counted")
    if state.deck_size and not all(state.hands):
        raise DealError("a player holds no cards while there are cards to draw: expected at least one in every hand")
    for suit in rules.variant.suits:
        if suit.suit_hints == "none" and suit.value_hints == "none" and not rules.empty_hints:
            raise RulesError(f"suit {suit.name!r} is touched by no hint: expected every card to be touched by one")


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
    )


def _has_lost_card(state: State) -> bool:
    """Whether all copies of a missing card have been thrown."""
    left = {card for player in range(state.rules.players) for card in state.hand(player)} | set(state.deck())
    return any(card not in left for card in missing_cards(state))


# Without a deck: the few turns that are left


def _last_round(state: State) -> list[Action] | None:
    """Return actions that win in the turns of the last round; None if there are none. The state is as before."""
    if state.points == state.rules.max_score:
        return []
    if state.is_over or (state.turns_left or 0) < state.rules.max_score - state.points:
        return None
    # Nobody has a second turn, so it does not matter which card is thrown, nor which hint is given.
    candidates: list[Action] = [Play(slot) for slot in range(state.hand_length(state.current))]
    hint = _any_hint(state)
    candidates += [action for action in (hint, Discard(0)) if action is not None and state.is_legal(action)]
    for action in candidates:
        state.act(action)
        rest = _last_round(state)
        state.undo()
        if rest is not None:
            return [action, *rest]
    return None


def _any_hint(state: State) -> Action | None:
    """Return a legal hint, to the next player if possible; None if there is none."""
    hints = (action for action in state.legal_actions() if isinstance(action, HintSuit | HintValue))
    return next(hints, None)


def _replay(state: State, plan: Iterable[Step]) -> list[Action]:
    """Return the actions of a plan, having carried them out by the plain rules up to the maximum score."""
    state, start = state.copy(), len(state.history)
    plan = list(plan)
    chosen = {step.order for step in plan}
    for step in plan:
        if state.is_over:
            # The last point is made before the deck ends.
            break
        for _ in range(step.hints):
            hint = _any_hint(state)
            assert hint is not None, "every card is touched by a hint"
            state.act(hint)
        state.act(_card_action(state, step, chosen))
    assert state.score == state.rules.max_score, "the formula and the rules disagree"
    return [turn.asked for turn in state.history[start:]]


def _card_action(state: State, step: Step, chosen: set[int | None]) -> Action:
    hand = state.hands[state.current]
    if step.order is not None:
        slot = next(slot for slot, held in enumerate(hand) if held.order == step.order)
        # A copy that has been played instead of a strike: this one brings the token that it would have brought.
        card = state.card(hand[slot])
        is_late = state.stacks[card.suit] >= card.value
        is_bonus = state.rules.bonus_hint and card.value == state.rules.variant.num_values
        return Discard(slot) if is_late and is_bonus and state.is_legal(Discard(slot)) else Play(slot)
    if step.is_last_round:
        passes = (_any_hint(state), Discard(0))
        return next(
            (action for action in passes if action and state.is_legal(action)), _strike(state, range(len(hand)))
        )
    trash = [slot for slot, held in enumerate(hand) if held.order not in chosen]
    return Discard(trash[0]) if step.is_discard else _strike(state, trash)


def _strike(state: State, slots: Iterable[int]) -> Action:
    """Return the play of one of these slots that is a strike, or of any of them if there is none."""
    hand = state.hand(state.current)
    return Play(min(slots, key=lambda slot: state.stacks[hand[slot].suit] == hand[slot].value - 1))
