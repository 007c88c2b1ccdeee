"""Our plain rules beside OpenSpiel's Hanabi (DeepMind's Hanabi Learning Environment), in lockstep.

Both get the same deck and the same actions. Before every turn these are compared: who is to move, the legal actions
(their numbers are the same), the score, what the deck can still give, and, word for word, OpenSpiel's text of the whole
table and of what every player sees, written here from our state and views: tokens, stacks, hands, what the hints told
of each card (its marks and all that it still can be), deck size, discards in their order.

OpenSpiel's rules are our defaults: a strike-out scores 0, no empty hints, no discard at the maximum of tokens, a
completed stack gives a token, a last round that includes the drawer. It differs in this:

- When the last strike or the last card of the last stack ends a game, OpenSpiel draws no card for the one just used,
  and nobody is to move; we draw first and then end, as Bergh 2015, Algorithm 2.16 does. The score is the same.
- It counts life tokens down where we count strikes up.
- It has 2 to 5 players, at most 5 suits and 5 values, and always 3, 2, …, 2, 1 copies.
- It keeps of a card the possible suits and the possible values; our mask of cards is always their product there.
- `rewards()` of the turn of a strike-out takes back the points so far; `returns()`, compared here, is the score.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from handful.hanabi import NO_VARIANT, CardKnowledge, Deal, Rules, State, Variant, View, action_index, card_index
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, Player

pyspiel = pytest.importorskip("pyspiel")

SUITS = "RYGWB"

# suits, values, players, hand size, hint tokens, strikes
SMALL = (
    (1, 1, 2, 1, 1, 1),
    (1, 5, 2, 2, 3, 2),
    (2, 2, 2, 2, 1, 1),
    (2, 2, 2, 4, 3, 3),  # the whole deck is dealt
    (2, 3, 3, 2, 2, 9),
    (2, 5, 2, 2, 3, 1),
    (2, 5, 4, 3, 3, 20),
    (3, 3, 2, 3, 0, 30),  # no hints at all
    (3, 4, 5, 2, 4, 4),
    (4, 2, 3, 3, 5, 6),
    (4, 5, 4, 5, 8, 3),
    (5, 3, 5, 3, 6, 50),
)


def small_rules(suits: int, values: int, players: int, hand_size: int, hints: int, strikes: int) -> Rules:
    return Rules(Variant.custom(suits, values), players, hand_size, hints, strikes)


@cache
def knowledge_text(num_values: int, knowledge: CardKnowledge) -> str:
    mask = knowledge.possible_mask
    cards = [divmod(index, num_values) for index in range(mask.bit_length()) if mask >> index & 1]
    suits, ranks = sorted({suit for suit, _ in cards}), sorted({rank for _, rank in cards})
    assert len(cards) == len(suits) * len(ranks)
    marks = SUITS[suits[0]] if knowledge.suit_hints_mask else "X"
    marks += str(ranks[0] + 1) if knowledge.value_hints_mask else "X"
    return f" || {marks}|{''.join(SUITS[suit] for suit in suits)}{''.join(str(rank + 1) for rank in ranks)}"


def table_text(table: State | View, is_undrawn: bool) -> str:
    """Return what OpenSpiel writes of a whole table or of a view: the hand of the observer comes first.

    `is_undrawn` says that the card just drawn, the newest of the player before, is still in OpenSpiel's deck.
    """
    rules = table.rules
    first = table.me if isinstance(table, View) else 0
    hands = []
    for seat in range(first, first + rules.players):
        player = seat % rules.players
        cards = table.cards[player] if isinstance(table, View) else table.hand(player)
        faces = [f"{SUITS[card.suit]}{card.value}" for card in cards] or ["XX"] * rules.hand_size
        lines = [
            face + knowledge_text(rules.variant.num_values, held.knowledge)
            for face, held in zip(faces, table.hands[player], strict=False)
        ]
        if is_undrawn and (player + 1) % rules.players == table.current:
            lines.pop()
        if player == table.current and not is_undrawn:
            lines.insert(0, "Cur player")
        hands.append("".join(f"{line}\n" for line in lines))
    assert rules.max_strikes is not None
    discards = "".join(f" {SUITS[card.suit]}{card.value}" for card in table.discards)
    return (
        f"Life tokens: {rules.max_strikes - table.strikes}\n"
        f"Info tokens: {table.hints}\n"
        f"Fireworks: {''.join(f'{SUITS[suit]}{height} ' for suit, height in enumerate(table.stacks))}\n"
        "Hands:\n" + "-----\n".join(hands) + f"Deck size: {table.deck_size + is_undrawn}\n"
        f"Discards:{discards}"
    )


def check_same(state: State, other: Any) -> None:
    rules = state.rules
    is_undrawn = state.ending in ("strikes", "perfect") and state.history[-1].drew is not None
    assert other.is_terminal() == state.is_over
    assert state.is_over or other.current_player() == state.current
    assert other.legal_actions() == [action_index(rules, state.current, action) for action in state.legal_actions()]
    assert other.returns() == [state.score] * rules.players
    assert str(other) == table_text(state, is_undrawn)
    for player in range(rules.players):
        assert other.observation_string(player) == table_text(state.view(player), is_undrawn)


def give_card(other: Any, deck: list[int], order: int) -> None:
    """Let OpenSpiel's chance deal card number `order` of the deck, and check the chances of all cards."""
    left = Counter(deck[order:])
    assert {card: round(chance * left.total()) for card, chance in other.chance_outcomes()} == left
    other.apply_action(deck[order])


def compare_game(game: Any, deal: Deal, player: Player, seed: int) -> State:
    state, chance, other = State(deal), SplitMix64(seed), game.new_initial_state()
    rules = deal.rules
    deck = [card_index(rules.variant, card) for card in deal.deck]
    for order in range(rules.players * rules.hand_size):
        give_card(other, deck, order)
    check_same(state, other)
    while not state.is_over:
        action, actor = player(state, chance), state.current
        turn = state.act(action)
        other.apply_action(action_index(rules, actor, action))
        if other.is_chance_node():
            assert turn.drew is not None
            give_card(other, deck, turn.drew)
        check_same(state, other)
    return state


def compare_games(rules: Rules, num_games: int) -> Counter[str]:
    """Compare so many games of every player, and return how often each ending was seen."""
    game = pyspiel.load_game(
        "hanabi",
        {
            "players": rules.players,
            "colors": rules.variant.num_suits,
            "ranks": rules.variant.num_values,
            "hand_size": rules.hand_size,
            "max_information_tokens": rules.max_hints,
            "max_life_tokens": rules.max_strikes,
        },
    )
    endings: Counter[str] = Counter()
    for player in PLAYERS:
        for number in range(num_games):
            state = compare_game(game, Deal.from_seed(rules, 2024, number), player, number)
            assert state.ending is not None
            endings[state.ending] += 1
    return endings


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_classic_games_are_open_spiels(players: int) -> None:
    endings = compare_games(Rules(NO_VARIANT, players), 80)
    assert min(endings[ending] for ending in ("strikes", "perfect", "deck")) >= 50


@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_small_games_are_open_spiels(setting: tuple[int, int, int, int, int, int]) -> None:
    compare_games(small_rules(*setting), 30)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_many_classic_games_are_open_spiels(players: int) -> None:
    compare_games(Rules(NO_VARIANT, players), 1000)
