"""Lines by the plain rules: the legal actions that a plan of the formula means, the last round, small games whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play, PlayDeck
from handful.hanabi.cards import Card, card_index
from handful.hanabi.knowledge import kind_of
from handful.hanabi.state import State
from handful.hanabi.worth import playable_mask, stacked_cards
from handful.playability.deals.choices import lost_card
from handful.playability.deals.encoding import Step

MOST_POSITIONS = 2_000  # that are looked at where a game is searched whole: a second


# Single actions. An Orange card is played by discarding, and discarded by playing.


def _is_orange(state: State, card: Card) -> bool:
    return state.rules.variant.suits[card.suit].is_played_by_discarding


def playing(state: State, slot: int) -> Action:
    """Return the action that plays the card in a slot."""
    return Discard(slot) if _is_orange(state, state.hand(state.current)[slot]) else Play(slot)


def throwing(state: State, slot: int) -> Action:
    """Return the action that discards the card in a slot."""
    return Play(slot) if _is_orange(state, state.hand(state.current)[slot]) else Discard(slot)


def _fits(state: State, card: Card) -> bool:
    """Whether a card extends a stack now."""
    variant = state.rules.variant
    return bool(playable_mask(variant, state.stacks, state.open_orders) >> card_index(variant, card) & 1)


def _hints(state: State) -> list[Action]:
    """Return a legal hint of each kind, to the next player if possible: others do no more, as all cards are known."""
    found: dict[str, Action] = {}
    for action in state.legal_actions():
        if isinstance(action, HintSuit | HintValue):
            kind = kind_of(action) if state.rules.variant.modifiers.alternating else ""
            found.setdefault(kind, action)
    return list(found.values())


# Without a deck: the few turns that are left


def last_round(state: State) -> list[Action] | None:
    """Return actions that win in the turns of the last round; None if there are none. The state is as before."""
    if state.points == state.rules.max_score:
        return []
    if state.is_over or (state.turns_left or 0) < state.rules.max_score - state.points:
        return None
    for action in _last_actions(state):
        state.act(action)
        rest = last_round(state)
        state.undo()
        if rest is not None:
            return [action, *rest]
    return None


def _last_actions(state: State) -> list[Action]:
    """Return the actions that may differ in the last round: nobody has a second turn, so any card may be thrown."""
    slots = range(state.hand_length(state.current))
    hand = state.hand(state.current)
    plays: list[Action] = [playing(state, slot) for slot in slots if _fits(state, hand[slot])]
    strikes = [Play(slot) for slot in slots if not _fits(state, hand[slot])][:1]
    throws = [action for action in (throwing(state, slot) for slot in slots) if state.is_legal(action)][:1]
    return [*(play for play in plays if state.is_legal(play)), *_hints(state), *throws, *strikes]


# The plan of a model


def replay(state: State, plan: Iterable[Step]) -> list[Action] | None:
    """Return the actions of a plan, carried out by the plain rules up to the maximum score; None if they do not win."""
    state, start = state.copy(), len(state.history)
    plan = list(plan)
    chosen = {step.order for step in plan}
    for step in plan:
        if state.is_over:
            # The last point is made before the deck ends.
            break
        for _ in range(step.hints):
            hints = _hints(state)
            if not hints:
                return None
            state.act(hints[0])
        action = _card_action(state, step, chosen)
        if action is None or not state.is_legal(action):
            return None
        state.act(action)
    return [turn.action for turn in state.history[start:]] if state.score == state.rules.max_score else None


def _card_action(state: State, step: Step, chosen: set[int | None]) -> Action | None:
    """Return the action of a step; None if there is none."""
    hand = state.hands[state.current]
    if step.order is not None:
        slot = next((slot for slot, held in enumerate(hand) if held.order == step.order), None)
        return PlayDeck() if slot is None else _play_or_throw(state, slot)
    slots = range(len(hand))
    if step.is_last_round:
        throws = filter(state.is_legal, (throwing(state, slot) for slot in slots))
        return next(iter([*_hints(state)[:1], *throws]), None) or _strike(state, slots)
    trash = [slot for slot, held in enumerate(hand) if held.order not in chosen]
    if not trash:
        return PlayDeck()
    if step.is_discard:
        return next(filter(state.is_legal, (throwing(state, slot) for slot in trash)), None)
    return _strike(state, trash)


def _play_or_throw(state: State, slot: int) -> Action:
    """Return the play of a chosen copy. It may come too late: another one has been played instead of a strike.

    Then it brings the token that it would have brought.
    """
    rules, card = state.rules, state.hand(state.current)[slot]
    is_late = card in stacked_cards(rules.variant, state.stacks, state.open_orders)
    is_bonus = rules.completed_stack_gives and state.stacks[card.suit] == rules.variant.stack_size
    throw = throwing(state, slot)
    return throw if is_late and is_bonus and state.is_legal(throw) else playing(state, slot)


def _strike(state: State, slots: Iterable[int]) -> Action:
    """Return the play of one of these slots that is a strike, or of any of them if there is none."""
    hand = state.hand(state.current)
    return Play(min(slots, key=lambda slot: _fits(state, hand[slot])))


# Whole games


def search_whole(state: State, most_positions: int = MOST_POSITIONS) -> tuple[bool | None, list[Action]]:
    """Return whether a game can be won, by trying everything, and a line that wins; None if it is too large."""
    met = {_position(state)}
    waiting: list[tuple[State, tuple[Action, ...]]] = [(state.copy(), ())]
    while waiting:
        game, line = waiting.pop()
        for action in _different_actions(game):
            after = game.copy()
            after.act(action)
            if after.ending == "perfect":
                return True, [*line, action]
            if after.is_over or lost_card(after) is not None or _position(after) in met:
                continue
            met.add(_position(after))
            if len(met) > most_positions:
                return None, []
            waiting.append((after, (*line, action)))
    return False, []


def _different_actions(state: State) -> Iterator[Action]:
    """Yield the legal actions that may differ, plays that fit last: these are looked at first."""
    yield from _hints(state)
    hand = state.hand(state.current)
    seen: set[tuple[Card, bool]] = set()
    for action in sorted(state.legal_actions(), key=lambda action: isinstance(action, Play | PlayDeck)):
        if isinstance(action, Play | Discard):
            key = (hand[action.slot], isinstance(action, Play))
            if key not in seen:
                seen.add(key)
                yield action
        elif isinstance(action, PlayDeck):
            yield action


def _position(state: State) -> tuple[object, ...]:
    """Return all of a game but its past and what hints have told."""
    hands = tuple(tuple(sorted(state.hand(player))) for player in range(state.rules.players))
    counts = (state.deck_size, state.hints, state.half_token, state.strikes, state.current, state.turns_left)
    return (state.stacks, state.open_orders, hands, state.last_hint, *counts)
