"""Games of Rummy, played: a player alone, and two against each other.

Game i of a seed has a stream of chance of its own, so that the results do not depend on how games are split up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import nth_bit, wide
from handful._jit import kernel
from handful.rummy.kernels.distribution import TIE
from handful.rummy.kernels.hand_index import Ints
from handful.rummy.kernels.policies import TABLE, Policy, Rules, choose_card, is_rummy, judge, wants, winning_throw
from handful.splitmix_jit import Chance, add_key, below, seed_key

ALONE_STREAM, MATCH_STREAM = 2, 3  # the first keys of the streams: no other room uses them
NOT_DONE = -1
ALL_CARDS = (1 << 52) - 1
# Fields of `counts`: cards in the pile, cards thrown.
PILE, THROWN = 0, 1


class Piles(NamedTuple):
    """The cards that lie on the table, int64: those to draw, the top one last; those thrown; `counts` of both."""

    pile: Ints
    thrown: Ints
    counts: Ints


@kernel
def shuffle(chance: Chance, cards: Ints, first: int, last: int) -> None:
    """Put cards [first, last) in a random order."""
    for i in range(first, last - 1):
        j = i + below(chance, 0, last - i)
        cards[i], cards[j] = cards[j], cards[i]


@kernel
def draw_from_pile(chance: Chance, piles: Piles) -> int:
    """Return the top card of the pile, as a mask. If it is empty, what was thrown is shuffled, all but the last."""
    pile, thrown, counts = piles.pile, piles.thrown, piles.counts
    if counts[PILE] == 0:
        last = thrown[counts[THROWN] - 1]
        counts[PILE] = counts[THROWN] - 1
        pile[: counts[PILE]] = thrown[: counts[PILE]]
        thrown[0], counts[THROWN] = last, 1
        shuffle(chance, pile, 0, counts[PILE])
    counts[PILE] -= 1
    return wide(1) << wide(pile[counts[PILE]])


@kernel
def draw_any(chance: Chance, out_mask: int) -> int:
    """Return a card that is not in a mask, as a mask, each equally likely."""
    left, number = ALL_CARDS & ~out_mask, wide(52)
    rest = out_mask
    while rest:
        rest &= rest - 1
        number -= 1
    return wide(1) << nth_bit(left, below(chance, 0, number))


@kernel
def throw_card(rules: Rules, policy: Policy, held: int, drawn: int, kept_mask: int, chance: Chance) -> int:
    """Return the card that a player throws, as a mask: who can go out goes out."""
    card = winning_throw(rules, held, kept_mask)
    if card == 0:
        card, _ = choose_card(policy, held, drawn, kept_mask, chance)
    return card


@kernel
def play_alone(
    rules: Rules, policy: Policy, start: int, has_pile: bool, seed: int, first: int, most_turns: int, turns: Ints
) -> None:
    """Fill in how many turns each game takes a player alone, NOT_DONE if more than `most_turns`.

    Every game starts from the hand `start`, or from a new deal if that is 0. With a pile, cards that were thrown come
    back when it is empty; otherwise at once.
    """
    size = rules.hands["cards"]
    chance = np.zeros(1, np.uint64)
    deck = np.zeros(52, np.int64)
    piles = Piles(np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(2, np.int64))
    for game in range(len(turns)):
        chance[0] = add_key(add_key(seed_key(seed), ALONE_STREAM), first + game)
        # The cards of the hand come first.
        place, others = 0, size
        for card in range(52):
            if start == 0 or start >> card & 1:
                deck[place] = card
                place += 1
            else:
                deck[others] = card
                others += 1
        shuffle(chance, deck, 0 if start == 0 else size, 52)
        hand = wide(0)
        for i in range(size):
            hand |= wide(1) << deck[i]
        piles.counts[PILE], piles.counts[THROWN] = 52 - size, 0
        piles.pile[: 52 - size] = deck[size:]
        turns[game] = NOT_DONE
        for turn in range(most_turns + 1):
            if is_rummy(rules, hand):
                turns[game] = turn
                break
            drawn = draw_from_pile(chance, piles) if has_pile else draw_any(chance, hand)
            card = throw_card(rules, policy, hand | drawn, drawn, wide(0), chance)
            hand = (hand | drawn) ^ card
            piles.thrown[piles.counts[THROWN]] = nth_bit(card, 0)
            piles.counts[THROWN] += has_pile


@kernel
def play_match(
    rules: Rules,
    policies: tuple[Policy, Policy],
    has_pile: bool,
    takes: bool,
    seed: int,
    first: int,
    most_turns: int,
    results: Ints,
) -> None:
    """Play games of two; fill in ``results[game] = (winner, turns, who had the better deal)``, int64.

    NOT_DONE stands for no winner, and for deals that no table of the players tells apart.
    Player 0 starts in even games. A turn is one of either player. If a player `takes` cards, the card that was thrown
    last, or turned up at the deal, may be taken instead of drawing; it may not be thrown in the same turn.
    """
    size = rules.hands["cards"]
    chance = np.zeros(1, np.uint64)
    deck, hands = np.zeros(52, np.int64), np.zeros(2, np.int64)
    piles = Piles(np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(2, np.int64))
    for game in range(len(results)):
        chance[0] = add_key(add_key(seed_key(seed), MATCH_STREAM), first + game)
        deck[:] = np.arange(52)
        shuffle(chance, deck, 0, 52)
        hands[:] = 0
        for i in range(2 * size):
            hands[i & 1] |= wide(1) << deck[i]
        piles.counts[PILE], piles.counts[THROWN] = 52 - 2 * size, 0
        piles.pile[: 52 - 2 * size] = deck[2 * size :]
        if takes:
            piles.thrown[0], piles.counts[THROWN] = nth_bit(draw_from_pile(chance, piles), 0), 1
        results[game, 2] = better_deal(policies, hands)
        starter = (first + game) & 1
        results[game, 0], results[game, 1] = NOT_DONE, most_turns
        for seat in range(2):
            if results[game, 0] == NOT_DONE and is_rummy(rules, hands[(starter + seat) & 1]):
                results[game, 0], results[game, 1] = (starter + seat) & 1, 0
        turn = 0
        while results[game, 0] == NOT_DONE and turn < most_turns:
            player = (starter + turn) & 1
            turn += 1
            if player == 0:
                hands[0] = take_turn(rules, policies[0], hands, 0, has_pile, takes, chance, piles)
            else:
                hands[1] = take_turn(rules, policies[1], hands, 1, has_pile, takes, chance, piles)
            if is_rummy(rules, hands[player]):
                results[game, 0], results[game, 1] = player, turn


@kernel
def better_deal(policies: tuple[Policy, Policy], hands: Ints) -> int:
    """Return which player has the hand with fewer expected turns, by the first table there is; NOT_DONE if neither."""
    mine = theirs = 0.0
    if policies[0].kind[0] == TABLE:
        mine, _ = judge(policies[0], hands[0])
        theirs, _ = judge(policies[0], hands[1])
    elif policies[1].kind[0] == TABLE:
        mine, _ = judge(policies[1], hands[0])
        theirs, _ = judge(policies[1], hands[1])
    if abs(mine - theirs) <= TIE:
        return NOT_DONE
    return 0 if mine < theirs else 1


@kernel
def take_turn(
    rules: Rules,
    policy: Policy,
    hands: Ints,
    player: int,
    has_pile: bool,
    takes: bool,
    chance: Chance,
    piles: Piles,
) -> int:
    """Return the hand of a player after a turn of two players."""
    hand, thrown, counts = wide(hands[player]), piles.thrown, piles.counts
    offered = wide(0)
    if takes and counts[THROWN] > 0:
        offered = wide(1) << thrown[counts[THROWN] - 1]
    kept_mask = wide(0)
    if offered and (winning_throw(rules, hand | offered, offered) != 0 or wants(policy, hand, offered, chance)):
        drawn = kept_mask = offered
        counts[THROWN] -= 1
    elif has_pile:
        drawn = draw_from_pile(chance, piles)
    else:
        drawn = draw_any(chance, hands[0] | hands[1] | offered)
        counts[THROWN] = 0  # what lay open goes back among the others
    card = throw_card(rules, policy, hand | drawn, drawn, kept_mask, chance)
    thrown[counts[THROWN]] = nth_bit(card, 0)
    counts[THROWN] += 1
    return (hand | drawn) ^ card
