"""What `hat` and `information` share, beside plain Python: copies, cells, questions, numbers, losses, worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest

from handful._records import words_of
from handful.bots.hat.code_kernel import PAPER, PAPER_AT, count_numbers, number_of_hint, sum_answers
from handful.bots.hat.notes_kernel import NOTES, begin, put_copy, take_copy, weight
from handful.bots.hat.outlook_kernel import expected_loss, look_around
from handful.bots.hat.position_kernel import POSITION, POSITION_AT, WORLD_AT, draw_world, prepare_worlds
from handful.bots.hat.questions_kernel import SETTINGS, ask, share_cells, take_up_hand
from handful.bots.hat.settings import hat_settings, information_settings
from handful.bots.shared.worlds_kernel import WORLD
from handful.hanabi import VARIANTS, Deal, Rules, State, card_index
from handful.hanabi.kernels.bridge import game_from_view
from handful.hanabi.kernels.layout import rulebook_of
from handful.splitmix import SplitMix64

BOTS = {"hat": hat_settings(), "information": information_settings(4), "information of three": information_settings(3)}


class Desk(NamedTuple):
    """A game as its seat to move sees it, with notes and paper, as kernels take them."""

    state: State
    game: Any
    rulebook: Any
    notes: Any
    paper: Any
    settings: Any


def desks(bot: str, variant: str = "No Variant", players: int = 4) -> Iterator[Desk]:
    """Yield positions of random games, in which few cards were discarded, with what the hints alone have said."""
    rules, settings = Rules(VARIANTS[variant], players, max_strikes=None), BOTS[bot].view(SETTINGS)[0]
    for seed in range(4):
        state, chance = State(Deal.from_seed(rules, seed)), SplitMix64(seed)
        while not state.is_over:
            actions = state.legal_actions()
            state.act(actions[chance.below(len(actions))])
            if chance.below(5) == 0 and not state.is_over:
                notes, paper = np.zeros(1, NOTES)[0], np.zeros(1, PAPER)[0]
                game, rulebook = game_from_view(state.view(state.current))[0], rulebook_of(rules)[0]
                begin(game, rulebook, notes, settings)
                yield Desk(state, game, rulebook, notes, paper, settings)


def members(mask: int) -> list[int]:
    return [card for card in range(int(mask).bit_length()) if mask >> card & 1]


# Copies and cells.


@pytest.mark.kernel
def test_planes_count_copies() -> None:
    chance, planes, counted = SplitMix64(1), np.zeros(3, np.int64), Counter[int]()
    for _ in range(300):
        card = chance.below(20)
        if counted[card] == 3 or (counted[card] and chance.below(2)):
            take_copy(planes, 1 << card)
            counted[card] -= 1
        else:
            put_copy(planes, 1 << card)
            counted[card] += 1
        mask = chance.below(1 << 20)
        assert weight(planes, mask) == sum(counted[each] for each in members(mask))


def plain_cells(chances: list[int], cells: int) -> list[int]:
    """Give each outcome a cell, and each further one where the chance per cell is largest, the first of equals."""
    shares = [1] * len(chances)
    for _ in range(cells - len(chances)):
        best = max(range(len(chances)), key=lambda i: (Fraction(chances[i], shares[i]), -i))
        shares[best] += 1
    return shares


@pytest.mark.kernel
def test_cells_go_where_the_chance_per_cell_is_largest() -> None:
    chance = SplitMix64(2)
    for _ in range(100):
        chances = [chance.below(12) for _ in range(1 + chance.below(6))]
        cells = len(chances) + chance.below(12)
        shares = np.zeros(32, np.int64)
        share_cells(shares, np.array(chances, np.int64), len(chances), cells)
        assert shares[: len(chances)].tolist() == plain_cells(chances, cells)


# Questions.


class PlainQuestions:
    """The questions about a hand that is seen, on sets of cards; `answer` is the answer to all of them."""

    def __init__(self, desk: Desk, hand: list[set[int]], cards: list[int], cells: int) -> None:
        self.settings, self.hand, self.cards = desk.settings, hand, cards
        self.one = 1 << int(desk.settings["chance_bits"])
        self.copies = Counter(card for plane in desk.notes["free"] for card in members(plane))
        self.playable, self.dead = set(members(desk.notes["playable"])), set(members(desk.notes["dead"]))
        self.answer, is_split = 0, False
        while cells > 1:
            found = None if is_split and not self.settings["asks_again"] else self.plain_question(cells)
            if found is None:
                found, is_split = self.question_for_groups(cells), True
            if found is None:
                break
            chances, outcome = found
            shares = plain_cells(chances, cells)
            self.answer += sum(shares[:outcome])
            cells = shares[outcome]

    def weigh(self, types: set[int]) -> int:
        """How many copies there are of some cards."""
        return sum(self.copies[card] for card in types)

    def chance(self, slot: int, wanted: set[int]) -> int:
        """The chance of a slot to be of the wanted cards, rounded down."""
        return self.weigh(self.hand[slot] & wanted) * self.one // self.weigh(self.hand[slot])

    def plain_question(self, cells: int) -> tuple[list[int], int] | None:
        """Which is the first playable, the first dead card? Is this one playable?"""
        has_play = any(mask <= self.playable for mask in self.hand)
        if not has_play and (found := self.first(self.open_slots(self.playable, cells - 1), self.playable)):
            return found
        asks_for_dead = self.settings["asks_always_for_dead"] or not has_play
        if asks_for_dead and not any(mask <= self.dead for mask in self.hand):
            found = self.first(self.open_slots(self.dead, cells - 1), self.dead)
            if found:
                return found
        low, high, best = (int(self.one * self.settings[f"even_{word}"]) for word in ("low", "high", "best"))
        slots = [slot for slot in self.open_slots(self.playable, 99) if low <= self.chance(slot, self.playable) <= high]
        if not slots:
            return None
        by_chance = self.settings["ties_to_unlikely"]
        slot = min(
            sorted(slots),
            key=lambda slot: (
                abs(self.chance(slot, self.playable) - best),
                self.chance(slot, self.playable) if by_chance else 0,
            ),
        )
        chances, outcome = self.first([slot], self.playable) or ([], 0)
        return (chances, outcome) if self.settings["yes_comes_first"] else (chances[::-1], 1 - outcome)

    def open_slots(self, wanted: set[int], most: int) -> list[int]:
        """The slots that may be of the wanted cards or not: the likeliest, by ascending chance."""
        slots = [slot for slot, mask in enumerate(self.hand) if mask & wanted and mask - wanted]
        return sorted(slots, key=lambda slot: self.chance(slot, wanted))[-most:]

    def first(self, slots: list[int], wanted: set[int]) -> tuple[list[int], int] | None:
        """Which of some slots is the first of the wanted cards, or none?"""
        if not slots:
            return None
        chances, rest = [], self.one
        for slot in slots:
            chances.append(rest * self.chance(slot, wanted) // self.one)
            rest -= chances[-1]
        outcome = 0
        while outcome < len(slots) and self.cards[slots[outcome]] not in wanted:
            self.hand[slots[outcome]] -= wanted
            outcome += 1
        if outcome < len(slots):
            self.hand[slots[outcome]] &= wanted
        return [*chances, rest], outcome

    def question_for_groups(self, cells: int) -> tuple[list[int], int] | None:
        """Is the slot least likely dead, of those not known, dead, or of which group?"""
        slots = [slot for slot, mask in enumerate(self.hand) if mask - self.dead and len(mask) > 1]
        if not slots:
            return None
        slot = min(slots, key=lambda slot: self.chance(slot, self.dead))
        dead, live = self.hand[slot] & self.dead, sorted(self.hand[slot] - self.dead)
        groups = [dead] if dead else []
        count = min(cells - len(groups), len(live))
        splitter = self.split_as_it_goes if self.settings["splits_as_it_goes"] else self.split_what_is_left
        groups += splitter(live, count)
        weights, outcome = [self.weigh(group) for group in groups], 0
        while self.cards[slot] not in groups[outcome]:
            outcome += 1
        total = self.weigh(self.hand[slot])
        self.hand[slot] = groups[outcome]
        is_exact = self.settings["splits_as_it_goes"]
        return (weights if is_exact else [each * self.one // total for each in weights]), outcome

    def split_as_it_goes(self, live: list[int], count: int) -> list[set[int]]:
        """A group ends when the groups so far have their part of the whole, or the cards left are needed one by one."""
        groups: list[set[int]] = [set()]
        for place, card in enumerate(live):
            groups[-1].add(card)
            part = Fraction(self.weigh(set(live[: place + 1])), self.weigh(set(live)))
            left = len(live) - place - 1
            if left and (part >= Fraction(len(groups), count) or left <= count - len(groups)):
                groups.append(set())
        return groups

    def split_what_is_left(self, live: list[int], count: int) -> list[set[int]]:
        """A group has its share of what is left, and leaves a card for each group to come; the last has the rest."""
        groups = []
        for still in range(count, 1, -1):
            share, group = self.weigh(set(live)) // still, {live[0]}
            live = live[1:]
            while len(live) >= still and self.weigh(group) < share:
                if 2 * self.weigh(group) + self.weigh({live[0]}) > 2 * share:
                    break
                group.add(live[0])
                live = live[1:]
            groups.append(group)
        return [*groups, set(live)]


@pytest.mark.parametrize("bot", BOTS)
def test_answers_are_those_of_plain_python_and_are_read_back(bot: str) -> None:
    """Whoever sees the hand finds the answer; who hears the answer narrows the hand in the same way."""
    asked = 0
    for desk in desks(bot):
        state, notes, paper = desk.state, desk.notes, desk.paper
        sum_answers(desk.game, desk.rulebook, notes, paper, state.current, state.current, 2, desk.settings)
        for seat in range(state.rules.players):
            if seat == state.current:
                continue
            first, cards = seat * state.rules.hand_size, [card_index(state.rules.variant, c) for c in state.hand(seat)]
            for cells in (2, 3, 8, 12):
                paper["playable"], paper["dead"] = notes["playable"], notes["dead"]
                take_up_hand(notes, paper, first, len(cards))
                hand = [set(members(mask)) for mask in paper["hand"][: len(cards)]]
                answer = ask(desk.game, paper, cells, -1, desk.settings)
                narrowed = paper["hand"][: len(cards)].tolist()
                take_up_hand(notes, paper, first, len(cards))
                assert ask(desk.game, paper, cells, answer, desk.settings) == answer < cells
                assert paper["hand"][: len(cards)].tolist() == narrowed
                assert all(mask >> card & 1 for mask, card in zip(narrowed, cards, strict=True))
                plain = PlainQuestions(desk, hand, cards, cells)
                assert plain.answer == answer
                assert [set(members(mask)) for mask in narrowed] == plain.hand
                asked += answer > 0
    assert asked > 100


# The code.


@pytest.mark.parametrize("variant", ["No Variant", "Rainbow (6 Suits)", "White (6 Suits)"])
@pytest.mark.parametrize("bot", BOTS)
def test_hints_say_all_numbers_there_are(bot: str, variant: str) -> None:
    """For each target, suit or value, on the designated slot or past it: the numbers are 0, 1, … without a gap."""
    for desk in desks(bot, variant):
        seat, size, rulebook = desk.state.current, desk.state.rules.hand_size, desk.rulebook
        count = count_numbers(rulebook, desk.notes, desk.paper, seat, desk.settings)
        said = {
            number_of_hint(rulebook, desk.paper, seat, action, touched, desk.settings)
            for action in range(2 * size, rulebook["num_actions"])
            for touched in (0, (1 << size) - 1)
            if desk.notes["lengths"][(seat + rulebook["ahead_of"][action]) % desk.state.rules.players] > 0
        }
        assert said == set(range(count)) or (bot == "hat" and said <= set(range(count)))


# What is lost.


@pytest.mark.parametrize("bot", BOTS)
def test_a_discard_costs_what_it_is_expected_to(bot: str) -> None:
    """The mean over all copies that the card may be: 5 for the last of its kind, 1, 0.1; and 0.3 if it is playable."""
    for desk in desks(bot):
        notes, paper, seat = desk.notes, desk.paper, desk.state.current
        look_around(desk.game, desk.rulebook, notes, paper, seat, desk.settings)
        unseen = Counter(card for plane in paper["unseen"] for card in members(plane))
        left = Counter(card for plane in notes["left"] for card in members(plane))
        for slot in range(len(desk.state.hand(seat))):
            possible = members(paper["own"][slot])
            copies = Counter({card: unseen[card] for card in possible}) if len(possible) > 1 else Counter(possible)
            loss = 0.0
            for card, number in copies.items():
                is_needed = not notes["dead"] >> card & 1
                cost = 5 if left[card] == 1 else 0.1 if paper["seen"] >> card & 1 else 1
                loss += number * (cost * is_needed + 0.3 * bool(notes["playable"] >> card & 1))
            assert expected_loss(notes, paper, slot, desk.settings) == pytest.approx(loss / copies.total())


# Worlds.


@pytest.mark.parametrize("is_known", [False, True])
def test_hands_that_fit_are_equally_likely_in_plans(is_known: bool) -> None:
    """Slots that fit {1, 2}, {2, 3} and {2, 3, 4}, and perhaps one that is known: drawn 6,000 times, by chi-square."""
    copies, masks = {1: 1, 2: 2, 3: 1, 4: 1}, [0b110, 0b1100, 0b11100]
    row = np.zeros(POSITION_AT + words_of(POSITION), np.int64)
    paper: Any = row[PAPER_AT : PAPER_AT + words_of(PAPER)].view(PAPER)[0]
    for card, count in copies.items():
        for _ in range(count):
            put_copy(paper["unseen"], 1 << card)
    paper["own"][:4] = [*masks, 1 << 7]
    paper["own_known"] = 0b1000 * is_known
    length, chance = 3 + is_known, np.array([SplitMix64(8).counter], np.uint64)
    prepare_worlds(rulebook_of(Rules(players=2))[0], row, length)
    pool = [card for card, count in copies.items() for _ in range(count)]
    fitting = Counter(
        tuple(pool[place] for place in places)
        for places in permutations(range(len(pool)), 3)
        if all(mask >> pool[place] & 1 for mask, place in zip(masks, places, strict=True))
    )
    drawn, draws = Counter[tuple[int, ...]](), 6000
    for _ in range(draws):
        deck = draw_world(row, 0, chance)
        world: Any = row[WORLD_AT : WORLD_AT + words_of(WORLD)].view(WORLD)[0]
        position: Any = row[POSITION_AT:].view(POSITION)[0]
        hand = world["hand"][:length].tolist()
        assert hand[3:] == [7] * is_known
        assert sorted(hand[:3] + position["pool"][:deck].tolist()) == pool
        drawn[tuple(hand[:3])] += 1
    assert drawn.keys() == fitting.keys()
    expected = {hand: draws * count / fitting.total() for hand, count in fitting.items()}
    chi_square = sum((drawn[hand] - expected[hand]) ** 2 / expected[hand] for hand in fitting)
    freedom = len(fitting) - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5
