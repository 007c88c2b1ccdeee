"""Perft: how many action sequences of each length a game has, and what the complete ones score.

Counted with `State`, and by a brute force written from the text of the rules (Bergh 2015, section 2.2; Baffier 2016,
appendix A) that shares nothing with the package but the deck and the settings. Tiny games are counted to their ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from handful.hanabi import Deal, Rules, State, Variant


@dataclass
class Tree:
    """`sequences[d]` is the number of action sequences of length d; `scores` counts the complete games by score."""

    sequences: list[int]
    scores: Counter[int]

    def add_branch(self, branch: Tree) -> None:
        longer = len(branch.sequences) + 1 - len(self.sequences)
        self.sequences += [0] * longer
        for depth, count in enumerate(branch.sequences, start=1):
            self.sequences[depth] += count
        self.scores += branch.scores


# The brute force


@dataclass(frozen=True)
class Toy:
    """A position of a game with plain suits. Discards are not kept: no rule asks for them."""

    hands: tuple[tuple[tuple[int, int], ...], ...]
    deck: tuple[tuple[int, int], ...]
    tops: tuple[int, ...]
    tokens: int
    errors: int = 0
    turn: int = 0
    turns_to_go: int | None = None


def first_toy(deal: Deal) -> Toy:
    rules, cards = deal.rules, tuple((card.suit, card.value) for card in deal.deck)
    size, dealt = rules.hand_size, rules.players * rules.hand_size
    hands = tuple(cards[start : start + size] for start in range(0, dealt, size))
    toy = Toy(hands, cards[dealt:], (0,) * rules.variant.num_suits, rules.max_hints or 0)
    return replace(toy, turns_to_go=rules.players) if not toy.deck and rules.end_of_deck != "never" else toy


def toy_score(rules: Rules, toy: Toy) -> int | None:
    """The score if the game has ended by the text of the rules, or None."""
    if toy.errors == rules.max_strikes:
        return sum(toy.tops) if rules.strike_score == "keep" else 0
    if sum(toy.tops) == rules.variant.num_suits * rules.variant.num_values or toy.turns_to_go == 0:
        return sum(toy.tops)
    return None


def toy_moves(rules: Rules, toy: Toy) -> Iterator[Toy]:
    """All positions after one action of the player whose turn it is."""
    me, hand = toy.turn, toy.hands[toy.turn]
    for other in range(rules.players):
        if other == me or toy.tokens == 0:
            continue
        for position, kinds in ((0, range(rules.variant.num_suits)), (1, range(1, rules.variant.num_values + 1))):
            for kind in kinds:
                if rules.empty_hints or kind in [card[position] for card in toy.hands[other]]:
                    yield toy_next(rules, replace(toy, tokens=toy.tokens - 1), toy)
    for slot, (suit, value) in enumerate(hand):
        kept = hand[:slot] + hand[slot + 1 :] + toy.deck[:1]
        hands = tuple(kept if player == me else toy.hands[player] for player in range(rules.players))
        without = replace(toy, hands=hands, deck=toy.deck[1:])
        is_full = toy.tokens == rules.max_hints
        if not is_full or rules.discard_at_max:
            yield toy_next(rules, replace(without, tokens=toy.tokens + (not is_full)), toy)
        if toy.tops[suit] + 1 == value:
            tops = tuple(top + (each == suit) for each, top in enumerate(toy.tops))
            bonus = rules.bonus_hint and value == rules.variant.num_values and not is_full
            yield toy_next(rules, replace(without, tops=tops, tokens=toy.tokens + bonus), toy)
        else:
            yield toy_next(rules, replace(without, errors=toy.errors + 1), toy)


def toy_next(rules: Rules, toy: Toy, before: Toy) -> Toy:
    """The turn passes; in the last round one turn fewer is left, and the last card drawn starts it."""
    turns_to_go = before.turns_to_go
    if turns_to_go is not None:
        turns_to_go -= 1
    elif not toy.deck and rules.end_of_deck != "never":
        turns_to_go = rules.players
    return replace(toy, turn=(toy.turn + 1) % rules.players, turns_to_go=turns_to_go)


def toy_tree(rules: Rules, toy: Toy, depth: int, known: dict[tuple[Toy, int], Tree]) -> Tree:
    if (toy, depth) not in known:
        score = toy_score(rules, toy)
        tree = Tree([1], Counter() if score is None else Counter([score]))
        if score is None and depth:
            moves = list(toy_moves(rules, toy))
            if not moves:
                tree.scores[sum(toy.tops)] += 1
            for after in moves:
                tree.add_branch(toy_tree(rules, after, depth - 1, known))
        known[toy, depth] = tree
    return known[toy, depth]


# The same with the package


def state_tree(state: State, depth: int, known: dict[object, Tree] | None) -> Tree:
    """Count by acting and taking back. With `known`, positions that differ only in what is known are counted once."""
    key = (
        tuple(tuple(held.order for held in hand) for hand in state.hands),
        (state.deck_size, state.stacks, state.hints, state.strikes, state.current, state.turns_left, depth),
    )
    if known is not None and key in known:
        return known[key]
    tree = Tree([1], Counter([state.score] if state.is_over else []))
    for action in state.legal_actions() if depth else ():
        state.act(action)
        tree.add_branch(state_tree(state, depth - 1, known))
        state.undo()
    if known is not None:
        known[key] = tree
    return tree


def tiny(players: int, hand_size: int, copies: tuple[int, ...], options: str = "", suits: int = 2) -> Rules:
    variant = Variant.custom(suits, copies=copies)
    return Rules(variant, players, hand_size, max_hints=2, max_strikes=2).with_options(options)


TO_THE_END = [
    tiny(2, 1, (2, 1)),
    tiny(2, 2, (2, 1)),
    tiny(2, 1, (2, 2)),
    tiny(2, 2, (3, 1), "max_strikes=1"),
    tiny(3, 1, (2, 1), "max_hints=1"),
    tiny(3, 2, (2, 1), "max_hints=1"),  # all cards are dealt
    tiny(3, 1, (2, 1), "strike_score=keep"),
    tiny(2, 1, (1, 1, 1)),
    tiny(2, 2, (2, 1, 1), "max_hints=1, max_strikes=1"),
    tiny(2, 1, (2, 1), "empty_hints"),
    tiny(3, 1, (2, 1), "empty_hints, max_hints=1"),
    tiny(2, 2, (2, 1), "discard_at_max"),
    tiny(2, 2, (2, 1), "bonus_hint=no"),
    tiny(2, 2, (2, 1), "end_of_deck=never"),
    tiny(3, 1, (2, 1), "end_of_deck=never, empty_hints, max_hints=1"),
    tiny(2, 1, (1, 1, 1), "end_of_deck=never, discard_at_max, strike_score=keep"),
    tiny(2, 2, (2, 1), "max_hints=0"),
    tiny(2, 2, (2, 1), "max_hints=0, discard_at_max, max_strikes=9"),
    tiny(3, 2, (1, 1, 1), "discard_at_max, empty_hints, bonus_hint=no, max_hints=1"),
]


def text(rules: object) -> str | None:
    if not isinstance(rules, Rules):
        return None
    return f"{rules.players} players, {rules.variant.suits[0].copies}, {rules.options_text()}"


@pytest.mark.parametrize("rules", TO_THE_END, ids=text)
def test_tiny_games_are_counted_to_the_end(rules: Rules) -> None:
    for seed in range(3):
        deal = Deal.from_seed(rules, seed)
        assert state_tree(State(deal), 99, {}) == toy_tree(rules, first_toy(deal), 99, {})


@pytest.mark.parametrize(
    ("rules", "depth"),
    [
        (tiny(2, 2, (2, 1)), 7),
        (tiny(3, 2, (3, 2, 1)), 5),
        (tiny(3, 1, (3, 2, 1), "empty_hints"), 5),
        (Rules(players=2), 3),
        (Rules(players=5), 2),
        (Rules(players=3).with_options("empty_hints, discard_at_max"), 2),
    ],
    ids=text,
)
def test_larger_games_are_counted_to_a_depth_without_memory(rules: Rules, depth: int) -> None:
    deal = Deal.from_seed(rules, 0)
    assert state_tree(State(deal), depth, None) == toy_tree(rules, first_toy(deal), depth, {})


def test_counts_for_others_to_compare_with() -> None:
    """Classic Hanabi, the deal of seed 0: action sequences of length 0, 1, 2, 3."""
    counts = {players: state_tree(State(Deal.from_seed(Rules(players=players), 0)), 3, None) for players in (2, 5)}
    assert {players: tree.sequences for players, tree in counts.items()} == {
        2: [1, 12, 170, 2578],
        5: [1, 24, 640, 17344],
    }
