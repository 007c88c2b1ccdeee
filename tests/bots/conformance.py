"""What every bot must pass: legal actions only, the same from the same seed, nothing from what it cannot see."""

from __future__ import annotations

from collections.abc import Sequence

from handful.bots import Bot
from handful.bots.protocol import PlainMaker
from handful.bots.table import ask, seat_bots, tell
from handful.hanabi import Action, Card, Deal, Rules, State, card_index
from handful.splitmix import SplitMix64


def redeal_hidden(state: State, player: int, chance: SplitMix64) -> State:
    """Return the same game with other cards wherever this player cannot see: in the own hand, and in the deck.

    The own cards still fit every hint, so that all the player has ever seen is the same in both.
    """
    variant = state.rules.variant
    masks = [held.knowledge.possible_mask for held in state.hands[player]]
    hidden = [*state.hand(player), *state.deck()]
    while True:
        chance.shuffle(hidden)
        if hand := _fitting_hand(masks, hidden, state):
            break
    for card in hand:
        hidden.remove(card)
    deck = list(state.deal.deck)
    for held, card in zip(state.hands[player], hand, strict=True):
        deck[held.order] = card
    deck[len(deck) - len(hidden) :] = hidden
    other = state.copy()
    other.deal = Deal(state.rules, tuple(deck), starter=state.deal.starter)
    assert all(mask >> card_index(variant, card) & 1 for mask, card in zip(masks, other.hand(player), strict=True))
    return other


def _fitting_hand(masks: Sequence[int], cards: Sequence[Card], state: State) -> list[Card]:
    """Return cards for the slots, most restricted slot first, each the first that fits; empty if that gets stuck."""
    left, chosen = list(cards), dict[int, Card]()
    for slot in sorted(range(len(masks)), key=lambda slot: masks[slot].bit_count()):
        fits = [card for card in left if masks[slot] >> card_index(state.rules.variant, card) & 1]
        if not fits:
            return []
        chosen[slot] = fits[0]
        left.remove(fits[0])
    return [chosen[slot] for slot in range(len(masks))]


def play(rules: Rules, maker: PlainMaker, seed: int) -> tuple[State, list[Action]]:
    """Return a game of a bot with itself, and its actions; every choice must be legal and leave the view as it was."""
    state = State(Deal.from_seed(rules, seed))
    bots = seat_bots(rules, [maker] * rules.players, seed)
    actions = []
    while not state.is_over:
        view = state.view(state.current)
        actions.append(ask(state, bots[state.current]))
        assert view == state.view(state.current)
        assert state.is_legal(actions[-1]), (state, actions[-1])
        tell(state, bots, state.act(actions[-1]))
    return state, actions


def assert_legal_and_repeatable(rules: Rules, maker: PlainMaker, seed: int) -> None:
    """Two games from the same seed are the same, action by action."""
    assert play(rules, maker, seed)[1] == play(rules, maker, seed)[1]


def assert_blind_to_hidden_cards(rules: Rules, maker: PlainMaker, seed: int) -> int:
    """Play a game; on every turn the bot must choose the same if everything it cannot see is dealt anew.

    Two teams of the same bots follow the game. One sees it as it is; before each turn the seat to move of the other
    is shown the redealt one. Returns how many choices were compared in which the redeal changed the own hand.
    """
    state = State(Deal.from_seed(rules, seed))
    team, twins = (seat_bots(rules, [maker] * rules.players, seed) for _ in range(2))
    chance = SplitMix64(seed, 99)
    compared = 0
    while not state.is_over:
        seat = state.current
        other = redeal_hidden(state, seat, chance)
        action = _choice(team[seat], state)
        assert _choice(twins[seat], other) == action, f"turn {state.turn_number}: the choice depends on hidden cards"
        compared += other.hand(seat) != state.hand(seat)
        turn = state.act(action)
        tell(state, team, turn)
        tell(state, twins, turn)
    return compared


def assert_blind_to_the_deck(rules: Rules, maker: PlainMaker, seed: int) -> None:
    """Play a game; on every turn the bot must choose the same if the deck is in another order."""
    state = State(Deal.from_seed(rules, seed))
    team, twins = (seat_bots(rules, [maker] * rules.players, seed) for _ in range(2))
    chance = SplitMix64(seed, 99)
    while not state.is_over:
        rest = list(state.deck())
        chance.shuffle(rest)
        other = state.copy()
        deck = state.deal.deck
        other.deal = Deal(rules, (*deck[: len(deck) - len(rest)], *rest), starter=state.deal.starter)
        action = ask(state, team[state.current])
        assert ask(other, twins[state.current]) == action, f"turn {state.turn_number}: the choice depends on the deck"
        tell(state, team, state.act(action))


def _choice(bot: Bot, state: State) -> Action:
    return ask(state, bot)
