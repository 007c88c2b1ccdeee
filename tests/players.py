"""Three players for tests. Random play almost always strikes out early and tests little, so there are two others."""

from __future__ import annotations

from collections.abc import Callable

from handful.hanabi import Action, Deal, Discard, HintSuit, HintValue, Play, PlayDeck, State, card_index
from handful.hanabi.worth import copies_left, playable_mask, worthless_mask
from handful.splitmix import SplitMix64

Player = Callable[[State, SplitMix64], Action]


def random_player(state: State, chance: SplitMix64) -> Action:
    """Any legal action, all equally likely. Nearly all games end by strikes."""
    return chance.choice(state.legal_actions())


def peeking_player(state: State, chance: SplitMix64) -> Action:
    """Looks at its own cards, and at the hands that the others hold. Most classic games reach the maximum."""
    legal = state.legal_actions()
    variant = state.rules.variant
    own = [card_index(variant, card) for card in state.hand(state.current)]
    playable = playable_mask(variant, state.stacks, state.open_orders)
    plays = [slot for slot, card in enumerate(own) if playable >> card & 1 and can_lay(state, slot)]
    if plays:
        return to_lay(state, min(plays, key=lambda slot: (own[slot] % variant.num_values, slot)))
    if PlayDeck() in legal and playable >> card_index(variant, state.deck()[0]) & 1:
        return PlayDeck()
    hints = [action for action in legal if isinstance(action, HintSuit | HintValue)]
    if not isinstance(legal[0], Discard):
        return chance.choice(hints or legal)
    left = copies_left(variant, state.stacks, state.discards, state.open_orders)
    worthless = worthless_mask(variant, state.stacks, left, state.open_orders)
    held = [card_index(variant, card) for player in range(state.rules.players) for card in state.hand(player)]

    def cost(slot: int) -> tuple[int, int]:
        """How much a discard hurts: worthless, held twice, another copy in the deck, the last copy (low ones more)."""
        card = own[slot]
        kind = 0 if worthless >> card & 1 else 1 if held.count(card) > 1 else 2 if left[card] > 1 else 3
        return kind, -(card % variant.num_values)

    cheapest = min(range(len(own)), key=cost)
    spare_turns = state.points + state.deck_size + state.rules.players - state.rules.max_score
    if hints and (cost(cheapest)[0] > 1 or spare_turns <= 1):
        return chance.choice(hints)
    return to_throw(state, cheapest)


def is_orange(state: State, slot: int) -> bool:
    """Whether an own card is played by discarding it."""
    return state.rules.variant.suits[state.hand(state.current)[slot].suit].is_played_by_discarding


def can_lay(state: State, slot: int) -> bool:
    """Whether an own card may go to its stack: what is played by discarding, not while all tokens are there."""
    return not is_orange(state, slot) or state.is_legal(Discard(slot))


def to_lay(state: State, slot: int) -> Action:
    """Return the action that lays an own card on its stack."""
    return Discard(slot) if is_orange(state, slot) else Play(slot)


def to_throw(state: State, slot: int) -> Action:
    """Return the action that throws an own card away."""
    return Play(slot) if is_orange(state, slot) else Discard(slot)


def cautious_player(state: State, chance: SplitMix64) -> Action:
    """Plays only what it knows to be playable from the hints; otherwise hints or discards. Games exhaust the deck."""
    legal = state.legal_actions()
    orange = state.rules.variant.orange_mask
    playable = playable_mask(state.rules.variant, state.stacks, state.open_orders)
    for slot, held in enumerate(state.hands[state.current]):
        if not held.knowledge.possible_mask & ~(playable & ~orange):
            return Play(slot)
        if not held.knowledge.possible_mask & ~(playable & orange) and isinstance(legal[0], Discard):
            return Discard(slot)
    hints = [action for action in legal if isinstance(action, HintSuit | HintValue)]
    discards = [action for action in legal if isinstance(action, Discard)]
    if hints and discards:
        return chance.choice(hints if chance.below(2) else discards)
    return chance.choice(hints or discards or legal)


PLAYERS: tuple[Player, ...] = (random_player, peeking_player, cautious_player)


def play_out(deal: Deal, player: Player, seed: int, max_turns: int = 1000) -> State:
    """Return a game of one player with itself, at its end (or after so many turns, where nothing ends a game)."""
    state, chance = State(deal), SplitMix64(seed)
    while not state.is_over and state.turn_number <= max_turns:
        state.act(player(state, chance))
    return state
