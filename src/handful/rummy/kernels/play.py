"""Games of Rummy, played: how players choose; a player alone, and two against each other.

Game i of a seed has a stream of chance of its own, so that the results do not depend on how games are split up.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import nth_bit, popcount, wide
from handful._jit import kernel
from handful._records import Annotated, Floats, Ints, TypedDict, record_type
from handful.rummy.kernels.chain import TIE
from handful.rummy.kernels.hand_index import HandIndex, mask_index
from handful.splitmix_jit import Chance, add_key, below, seed_key

RANDOM, OPTIMAL, GREEDY, COUNTING = range(4)  # how a player chooses
SHARED_CARD = float(1 << 30)  # what a card shared with a rummy counts, against rummies that share as many
ALONE_STREAM, MATCH_STREAM = 2, 3  # the first keys of the streams: no other room uses them
NOT_DONE = -1
ALL_CARDS = (1 << 52) - 1
# Fields of `counts`: cards in the pile, cards thrown.
PILE, THROWN = 0, 1


class Rules(NamedTuple):
    """The game that is played: `rummies`, int64, are the indices of the hands that meld whole, in order."""

    hand_index: HandIndex
    rummies: Ints


class Policy(NamedTuple):
    """A player. `kind` is RANDOM, OPTIMAL (by the `values` of a solved game) or GREEDY (by `masks` of rummies).

    Or COUNTING: who counts looks a draw ahead, over the cards that have not come yet, and goes by the `values` then.
    """

    kind: int
    hand_index: HandIndex
    values: Floats
    masks: Ints


@kernel
def is_rummy(rules: Rules, mask: int) -> bool:
    """Return whether all of a hand melds (a binary search)."""
    index = mask_index(rules.hand_index, mask)
    low, high = 0, len(rules.rummies)
    while low < high:
        middle = low + high >> 1
        if rules.rummies[middle] < index:
            low = middle + 1
        else:
            high = middle
    return low < len(rules.rummies) and rules.rummies[low] == index


@kernel
def judge(policy: Policy, mask: int) -> tuple[float, int]:
    """Return how bad a hand is for a player, and what orders hands that are equally bad.

    Optimal: the expected turns, and the index. Greedy: the fewer cards it shares with some rummy the worse, and of
    equals, the fewer rummies share so many.
    """
    if policy.kind == OPTIMAL or policy.kind == COUNTING:
        index = mask_index(policy.hand_index, mask)
        return policy.values[index], index
    if policy.kind == GREEDY:
        most, ways = 0, 0
        for i in range(len(policy.masks)):
            shared = popcount(mask & policy.masks[i])
            if shared > most:
                most, ways = shared, 0
            if shared == most:
                ways += 1
        return -most * SHARED_CARD - ways, 0
    return 0.0, 0


@kernel
def foreseen(policy: Policy, mask: int, left_mask: int) -> float:
    """Return the turns after a draw of one of the cards that are left and the best throw, on average over them.

    With V for the values and D for the cards that are left: Σ over d in D of min over t of V(hand + d − t), / |D|.
    """
    total, rest = 0.0, left_mask
    own = policy.values[mask_index(policy.hand_index, mask)]
    while rest:
        drawn = rest & -rest
        rest ^= drawn
        least, thrown_mask = own, mask
        while thrown_mask:
            thrown = thrown_mask & -thrown_mask
            thrown_mask ^= thrown
            least = min(least, policy.values[mask_index(policy.hand_index, (mask | drawn) ^ thrown)])
        total += least
    return total / popcount(left_mask)


@kernel
def winning_throw(rules: Rules, mask: int, kept_mask: int) -> int:
    """Return a card whose throw leaves a rummy, as a mask, or 0; cards of `kept_mask` may not be thrown."""
    rest = mask & ~kept_mask
    while rest:
        thrown = rest & -rest
        rest ^= thrown
        if is_rummy(rules, mask ^ thrown):
            return thrown
    return wide(0)


@kernel
def judge_left(policy: Policy, mask: int, left_mask: int) -> tuple[float, int]:
    """Return what `judge` does, where only some cards may come next (0: all that are not held)."""
    value, index = judge(policy, mask)
    if policy.kind == COUNTING and left_mask != 0:
        value = foreseen(policy, mask, left_mask)
    return value, index


@kernel
def choose_card(
    policy: Policy, mask: int, drawn: int, kept_mask: int, left_mask: int, chance: Chance
) -> tuple[int, float]:
    """Return the card that a player throws, as a mask, and how bad the hand is that is left.

    `left_mask` has the cards that may come next, for those who count them; 0 where all may that are not held. Of
    equally good throws, that of the drawn card; otherwise that of the least index, or of the lowest card.
    """
    free = mask & ~kept_mask
    if policy.kind == RANDOM:
        return wide(1) << nth_bit(free, below(chance, 0, popcount(free))), 0.0
    best, least, order = wide(0), np.inf, wide(0)
    if drawn & free:
        best = drawn
        least, order = judge_left(policy, mask ^ drawn, left_mask)
        order = wide(-1)
    rest = free & ~drawn
    while rest:
        thrown = rest & -rest
        rest ^= thrown
        value, index = judge_left(policy, mask ^ thrown, left_mask)
        if value < least - TIE or (value <= least + TIE and index < order):
            best, least, order = thrown, value, index
    return best, least


@kernel
def wants(policy: Policy, hand: int, offered: int, chance: Chance) -> bool:
    """Return whether a player takes a card that lies open instead of drawing.

    Optimal: if what is left after the best throw is better than after a draw, which on average is E − 1 (Finkle
    2017, section 2.3). Greedy: if more cards are shared with a rummy. At random: every other time.
    """
    if policy.kind == RANDOM:
        return below(chance, 0, 2) == 0
    own, _ = judge(policy, hand)
    _, least = choose_card(policy, hand | offered, wide(0), offered, wide(0), chance)
    if policy.kind == OPTIMAL or policy.kind == COUNTING:
        return least < own - 1.0 - TIE
    return bool(np.ceil(least / SHARED_CARD) < np.ceil(own / SHARED_CARD))


class Piles(NamedTuple):
    """The cards that lie on the table, int64: those to draw, the top one last; those thrown; `counts` of both."""

    pile: Ints
    thrown: Ints
    counts: Ints


class Result(TypedDict):
    """How a game of two ended: who won, after how many turns, and who had the better deal.

    NOT_DONE stands for no winner, and for deals that the answers of neither player tell apart.
    """

    winner: Annotated[int, np.int64]
    turns: Annotated[int, np.int64]
    better_deal: Annotated[int, np.int64]


RESULT = record_type(Result)
Results: TypeAlias = npt.NDArray[np.void]  # of that type


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
def throw_card(
    rules: Rules, policy: Policy, held: int, drawn: int, kept_mask: int, left_mask: int, chance: Chance
) -> int:
    """Return the card that a player throws, as a mask: who can go out goes out."""
    card = winning_throw(rules, held, kept_mask)
    if card == 0:
        card, _ = choose_card(policy, held, drawn, kept_mask, left_mask, chance)
    return card


@kernel
def cards_to_come(piles: Piles, held: int, has_pile: bool) -> int:
    """Return the cards that a player who holds some has to expect: not those that lie thrown; 0 if all may come.

    If the pile is empty, all that lie thrown come back, but what is thrown now.
    """
    if not has_pile:
        return wide(0)
    thrown_mask = wide(0)
    for i in range(piles.counts[THROWN]):
        thrown_mask |= wide(1) << piles.thrown[i]
    if piles.counts[PILE] == 0:
        return thrown_mask
    return ALL_CARDS & ~held & ~thrown_mask


@kernel
def play_alone(
    rules: Rules, policy: Policy, start: int, has_pile: bool, seed: int, first: int, most_turns: int, turns: Ints
) -> None:
    """Fill in how many turns each game takes a player alone, NOT_DONE if more than `most_turns`.

    Every game starts from the hand `start`, or from a new deal if that is 0. With a pile, cards that were thrown come
    back when it is empty; otherwise at once.
    """
    size = rules.hand_index["cards"]
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
            left = cards_to_come(piles, hand | drawn, has_pile)
            card = throw_card(rules, policy, hand | drawn, drawn, wide(0), left, chance)
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
    results: Results,
) -> None:
    """Play games of two, and fill in their results.

    Player 0 starts in even games. A turn is one of either player. If a player `takes` cards, the card that was thrown
    last, or turned up at the deal, may be taken instead of drawing; it may not be thrown in the same turn.
    """
    size = rules.hand_index["cards"]
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
        results[game]["better_deal"] = better_deal(policies, hands)
        starter = (first + game) & 1
        results[game]["winner"], results[game]["turns"] = NOT_DONE, most_turns
        for seat in range(2):
            if results[game]["winner"] == NOT_DONE and is_rummy(rules, hands[(starter + seat) & 1]):
                results[game]["winner"], results[game]["turns"] = (starter + seat) & 1, 0
        turn = 0
        while results[game]["winner"] == NOT_DONE and turn < most_turns:
            player = (starter + turn) & 1
            turn += 1
            hands[player] = take_turn(rules, policies[player], hands, player, has_pile, takes, chance, piles)
            if is_rummy(rules, hands[player]):
                results[game]["winner"], results[game]["turns"] = player, turn


@kernel
def better_deal(policies: tuple[Policy, Policy], hands: Ints) -> int:
    """Return whose hand has fewer expected turns, by the first answers there are; NOT_DONE if neither."""
    for policy in policies:
        if policy.kind == OPTIMAL or policy.kind == COUNTING:
            mine, theirs = judge(policy, hands[0])[0], judge(policy, hands[1])[0]
            if abs(mine - theirs) > TIE:
                return 0 if mine < theirs else 1
            return NOT_DONE
    return NOT_DONE


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
    left = cards_to_come(piles, hand | drawn, has_pile)
    card = throw_card(rules, policy, hand | drawn, drawn, kept_mask, left, chance)
    thrown[counts[THROWN]] = nth_bit(card, 0)
    counts[THROWN] += 1
    return (hand | drawn) ^ card
