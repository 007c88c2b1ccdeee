"""Open games (Bergh 2015, Definition 3.4) by trying everything, twice: through the real engine, and from the text.

Both visit every position that can be reached, each once: passes without limit go round in circles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from handful.hanabi import Card, Deal, Discard, Play, Rules, State, Suit, Variant

LETTERS = "rygbp"


def deck_rules(cards: Sequence[Card], **options: object) -> Rules:
    """The rules of Algorithm 2.16 for a deck that is just these cards, every value of every suit among them."""
    values, suits = max(card.value for card in cards), 1 + max(card.suit for card in cards)
    copies = Counter(cards)
    made = [
        Suit(f"Suit {suit}", LETTERS[suit], tuple(copies[Card(suit, value)] for value in range(1, values + 1)))
        for suit in range(suits)
    ]
    thesis = {"empty_hints": True, "discard_at_max": True, "max_strikes": 1}
    return Rules(Variant("deck of a test", tuple(made)), **(thesis | options))  # type: ignore[arg-type]


def engine_can_win(rules: Rules, cards: Sequence[Card]) -> bool:
    """Whether the real engine can be led to the maximum. Which hint is given does not matter: it is a pass."""
    first = State(Deal(rules, tuple(cards)))
    waiting, met = [first], {position_of(first)}
    while waiting:
        state = waiting.pop()
        if state.ending == "perfect":
            return True
        has_passed = False
        for action in state.legal_actions():
            is_pass = not isinstance(action, Play | Discard)
            if is_pass and has_passed:
                continue
            has_passed |= is_pass
            after = state.copy()
            after.act(action)
            if position_of(after) not in met:
                met.add(position_of(after))
                waiting.append(after)
    return False


def position_of(state: State) -> tuple[object, ...]:
    """All of a state but its past and what hints have told."""
    hands = tuple(tuple(sorted(state.hand(player))) for player in range(state.rules.players))
    return (
        state.stacks,
        hands,
        state.deck_size,
        state.hints,
        state.strikes,
        state.current,
        state.turns_left,
        state.ending,
    )


# A position of the open game, from the text: stacks, hands, cards drawn, passes left, strikes, player, turns left
# (None before the last round).
Open = tuple[tuple[int, ...], tuple[tuple[Card, ...], ...], int, int, int, int, int | None]


def open_game_can_win(cards: Sequence[Card], players: int, hand: int, passes: int, strikes: int = 1) -> bool:
    """Whether the open game can be won, by Algorithm 2.16 with step 2a replaced by a pass. Anybody may pass."""
    deck = tuple(cards)
    suits, values = 1 + max(card.suit for card in deck), max(card.value for card in deck)
    hands = tuple(tuple(sorted(deck[player * hand : (player + 1) * hand])) for player in range(players))
    drawn = players * hand
    start: Open = ((0,) * suits, hands, drawn, passes, 0, 0, players if drawn == len(deck) else None)
    waiting, met = [start], {start}
    while waiting:
        game = waiting.pop()
        if sum(game[0]) == suits * values:
            return True
        if game[4] < strikes and game[6] != 0:
            new = set(_open_turns(deck, values, players, passes, game)) - met
            met |= new
            waiting += new
    return False


def _open_turns(deck: tuple[Card, ...], values: int, players: int, most: int, game: Open) -> Iterator[Open]:
    stacks, hands, drawn, passes, strikes, me, turns_left = game
    following = (me + 1) % players

    def later(now_drawn: int) -> int | None:
        if turns_left is not None:
            return turns_left - 1
        return players if now_drawn == len(deck) else None

    if passes:
        yield (stacks, hands, drawn, passes - 1, strikes, following, later(drawn))
    for card in set(hands[me]):
        left = list(hands[me])
        left.remove(card)
        left += deck[drawn : drawn + 1]
        now_drawn = min(drawn + 1, len(deck))
        held = (*hands[:me], tuple(sorted(left)), *hands[me + 1 :])
        more = min(passes + 1, most)
        yield (stacks, held, now_drawn, more, strikes, following, later(now_drawn))
        if stacks[card.suit] == card.value - 1:
            higher = (*stacks[: card.suit], card.value, *stacks[card.suit + 1 :])
            gained = more if card.value == values else passes
            yield (higher, held, now_drawn, gained, strikes, following, later(now_drawn))
        else:
            yield (stacks, held, now_drawn, passes, strikes + 1, following, later(now_drawn))


def printed_algorithm(sequence: Iterable[tuple[int, int]], points: int, hand: int) -> bool:
    """Algorithm 3.36 (3.29 for a single suit) as it is printed, on pairs of value and suit."""

    def step_2(cards: tuple[tuple[int, int], ...], left: int, wanted: int) -> bool:
        first = next((i for i, (value, _) in enumerate(cards, start=1) if value == 1), None)
        if first is None:
            return False
        if wanted == 1:
            return True
        if left - first < wanted - 1:
            return False
        suit = cards[first - 1][1]

        def lowered(some: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
            return tuple((value - (its_suit == suit), its_suit) for value, its_suit in some)

        before, after = cards[: first - 1], cards[first:]
        if first <= hand:
            return step_2(lowered(before + after), left - 1, wanted - 1)
        return any(
            step_2(lowered(kept + after), left - first + hand - 1, wanted - 1)
            for kept in combinations(before, hand - 1)
        )

    given = tuple(sequence)
    return len(given) - hand + 1 >= points and step_2(given, len(given), points)


def single_player_can_win(cards: Sequence[Card], hand: int, points: int, is_endless: bool = False) -> bool:
    """Whether a single player can make so many points, by trying every card of the hand on every turn."""
    deck = tuple(cards)
    stacks = (0,) * (1 + max(card.suit for card in deck))
    games = {(stacks, tuple(sorted(deck[:hand])))}
    turns = len(deck) if is_endless else len(deck) - hand + 1
    for turn in range(turns):
        drawn = deck[hand + turn : hand + turn + 1]
        following = set()
        for heights, held in games:
            for slot, card in enumerate(held):
                left = tuple(sorted(held[:slot] + held[slot + 1 :] + drawn))
                is_next = heights[card.suit] == card.value - 1
                following.add((tuple(h + (is_next and s == card.suit) for s, h in enumerate(heights)), left))
        games = following
    return any(sum(heights) >= points for heights, _ in games)
