"""What both players of the bot `conventions` know of both hands, the same for either, and what actions add to it.

For each slot of each hand there is the mask of the cards that may be there: by the hints themselves, and by what the
actions of both meant. Everything else follows from these masks and from the table.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful._records import Annotated, Ints, TypedDict, record_type
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, Game, Rulebook

NO_SLOT = -1
HAND = MAX_HAND_CARDS // 2
NUM_PLANES = 4  # of copies: plane i has the cards with more than i copies

LEAST_LIKELY_PLAY = 0.2  # a slot less likely to be playable is not asked about (chosen by hand)

# What a play or a discard answers. To the question that both know to be asked: no, yes; with three cards to choose
# from, yes to the second question (and no to the first), no to both. Or only whether the chop is critical.
SILENT, NO, YES, SECOND_YES, NO_TO_BOTH, CHOP_NO, CHOP_YES = range(7)


class Notes(TypedDict):
    """What both know. Cards and slots are masks; what is per seat has two entries."""

    turn: Annotated[int, np.int64]  # that the notes stand for, plus 1; 0: nothing is noted yet
    playable: Annotated[int, np.int64]
    worthless: Annotated[int, np.int64]
    critical: Annotated[int, np.int64]  # the last copy of a card still needed
    soon: Annotated[int, np.int64]  # playable once cards that both can name have been played
    held: Annotated[int, np.int64]  # by somebody, for all to know
    hints: Annotated[int, np.int64]  # tokens
    left: Annotated[Ints, np.int64, NUM_PLANES]  # copies in the hands or in the deck, as bit planes
    touched: Annotated[Ints, np.int64, 2]  # slots touched by a hint
    plays: Annotated[Ints, np.int64, 2]  # sure plays
    trash: Annotated[Ints, np.int64, 2]  # sure trash
    chop: Annotated[Ints, np.int64, 2]  # a slot, or NO_SLOT
    next_chop: Annotated[Ints, np.int64, 2]  # the one after it
    length: Annotated[Ints, np.int64, 2]  # cards held
    masks: Annotated[Ints, np.int64, (2, HAND)]  # per seat and slot: the cards that may be there


class Paper(Notes):
    """The notes, and scratch paper behind them, for what is not common knowledge."""

    after: Annotated[Ints, np.int64, HAND]  # per slot of the partner: the cards that may be there after an action
    own: Annotated[Ints, np.int64, HAND]  # per own slot of the player to move: the cards that it may be for that player
    faces: Annotated[Ints, np.int64, HAND]  # per slot of the partner: the card
    unseen: Annotated[Ints, np.int64, NUM_PLANES]  # copies that the player to move cannot see, nor name, as bit planes


NOTES, PAPER = record_type(Notes), record_type(Paper)


@kernel
def note_worth(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Write which cards are playable, worthless and critical, and the copies that are left."""
    values = wide(rulebook["values"])
    playable, worthless = wide(0), wide(0)
    plane_1, plane_2, plane_3, plane_4 = wide(0), wide(0), wide(0), wide(0)
    for suit in range(wide(rulebook["suits"])):
        height, first, is_blocked = wide(game["stacks"][suit]), suit * values, False
        for value in range(values):
            bit, left = wide(1) << first + value, wide(game["left"][first + value])
            if value == height:
                playable |= bit
            if value < height or is_blocked:
                worthless |= bit
            is_blocked = is_blocked or (value >= height and left == 0)
            plane_1 |= bit * (left > 0)
            plane_2 |= bit * (left > 1)
            plane_3 |= bit * (left > 2)
            plane_4 |= bit * (left > 3)
    paper["left"][0], paper["left"][1], paper["left"][2], paper["left"][3] = plane_1, plane_2, plane_3, plane_4
    paper["playable"], paper["worthless"] = playable, worthless
    paper["critical"] = plane_1 & ~plane_2 & ~worthless


@kernel
def forget_meanings(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Go back to the direct information: what hints have shown."""
    size = wide(rulebook["hand_size"])
    for seat in range(2):
        for slot in range(wide(game["lengths"][seat])):
            paper["masks"][seat, slot] = game["possible"][seat * size + slot]


@kernel
def rule_out_copies(paper: Paper) -> bool:
    """Narrow all masks by counting copies; return whether each still has a card.

    A card all of whose copies lie in slots where nothing else is possible is nowhere else.
    """
    left_1, left_2, left_3, left_4 = paper["left"][0], paper["left"][1], paper["left"][2], paper["left"][3]
    is_changed = True
    while is_changed:
        once, twice, thrice = wide(0), wide(0), wide(0)
        for seat in range(2):
            for slot in range(paper["length"][seat]):
                paper["masks"][seat, slot] &= left_1
                mask = paper["masks"][seat, slot]
                if mask == 0:
                    return False
                if mask & (mask - 1) == 0:
                    thrice |= twice & mask
                    twice |= once & mask
                    once |= mask
        paper["held"] = once
        located = (left_1 & ~left_2 & once) | (left_2 & ~left_3 & twice) | (left_3 & ~left_4 & thrice)
        is_changed = False
        for seat in range(2):
            for slot in range(paper["length"][seat]):
                mask = paper["masks"][seat, slot]
                if mask & (mask - 1) and mask & located:
                    paper["masks"][seat, slot] = mask & ~located
                    is_changed = True
    return True


@kernel
def note_hand(paper: Paper, seat: int) -> None:
    """Write what follows from the masks of a hand: sure plays, sure trash, the chop and the next chop.

    The chop is the oldest slot that no hint has touched and that is not sure to be playable, worthless or critical.
    """
    plays, trash, chop, next_chop = wide(0), wide(0), NO_SLOT, NO_SLOT
    for slot in range(paper["length"][seat]):
        mask = paper["masks"][seat, slot]
        if mask & ~paper["playable"] == 0:
            plays |= wide(1) << slot
        elif mask & ~paper["worthless"] == 0:
            trash |= wide(1) << slot
        elif not paper["touched"][seat] >> slot & 1 and mask & ~paper["critical"]:
            if chop == NO_SLOT:
                chop = slot
            elif next_chop == NO_SLOT:
                next_chop = slot
    paper["plays"][seat], paper["trash"][seat] = plays, trash
    paper["chop"][seat], paper["next_chop"][seat] = chop, next_chop


@kernel
def refresh(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Write all that follows from the masks and from the table."""
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    note_worth(game, rulebook, paper)
    for seat in range(2):
        touched = wide(0)
        length = wide(game["lengths"][seat])
        for slot in range(length):
            place = seat * size + slot
            paper["masks"][seat, slot] &= game["possible"][place]
            touched |= wide(game["touched"][place] != 0) << slot
        paper["touched"][seat], paper["length"][seat] = touched, length
    if not rule_out_copies(paper):
        forget_meanings(game, rulebook, paper)  # somebody meant something else
        rule_out_copies(paper)
    tops = wide(0)
    for suit in range(wide(rulebook["suits"])):
        tops |= wide(1) << suit * values + values - 1
    soon, more = wide(0), paper["playable"]
    while more != soon:
        soon = more
        more = soon | (soon & paper["held"] & ~tops) << 1
    paper["soon"] = soon & ~paper["worthless"]
    note_hand(paper, 0)
    note_hand(paper, 1)
    paper["hints"], paper["turn"] = game["hints"], game["turn"] + 1


@kernel
def clear(paper: Paper) -> None:
    """Forget what is noted of a game."""
    paper["playable"], paper["worthless"], paper["held"] = 0, 0, 0
    for plane in range(NUM_PLANES):
        paper["left"][plane] = 0
    for seat in range(2):
        paper["touched"][seat] = 0
        for slot in range(HAND):
            paper["masks"][seat, slot] = 0


@kernel
def begin(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Write the notes of a game of which nothing is known but what lies open."""
    clear(paper)
    forget_meanings(game, rulebook, paper)
    refresh(game, rulebook, paper)


@kernel
def begin_deal(rulebook: Rulebook, paper: Paper) -> None:
    """Write the notes of a game in which nobody has moved yet."""
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    clear(paper)
    for suit in range(wide(rulebook["suits"])):
        paper["playable"] |= wide(1) << suit * values
        for card in range(suit * values, (suit + 1) * values):
            for copy in range(min(4, wide(rulebook["copies"][card]))):
                paper["left"][copy] |= wide(1) << card
    paper["critical"] = paper["left"][0] & ~paper["left"][1]
    paper["soon"], paper["hints"], paper["turn"] = paper["playable"], rulebook["max_hints"], 1
    for seat in range(2):
        for slot in range(size):
            paper["masks"][seat, slot] = rulebook["all_mask"]
        paper["length"][seat] = size
        note_hand(paper, seat)


@kernel
def is_first_turn(game: Game, rulebook: Rulebook) -> bool:
    """Return whether this is a deal of which at most one turn has been played, and not a position in mid-game."""
    cards = wide(game["turn"] == 1 and game["last_slot"] >= 0)  # used on the first turn
    for card in range(wide(rulebook["types"])):
        cards += game["left"][card]
    return bool(game["turn"] <= 1 and cards == rulebook["deck_size"])


@kernel
def newest(slots: int) -> int:
    """Return the newest slot of a mask of slots that is not empty."""
    slot = 0
    while slots > 1:
        slots >>= 1
        slot += 1
    return slot


@kernel
def weight(mask: int, planes: Ints) -> int:
    """Return how many copies there are of the cards of a mask, by bit planes: those left, or those unseen.

    A fourth copy and those after it do not count: only decks of one's own have them.
    """
    return popcount(mask & planes[0]) + popcount(mask & planes[1]) + popcount(mask & planes[2])


# What actions mean: statements on the partner's hand, from what both know alone. The rules are numbered as in
# `conventions`. Whoever chooses an action may do so for any reason, as long as it is honest, that is, as long as the
# cards that the partner holds are among those it leaves possible.


@kernel
def tell(paper: Paper, slot: int, cards: int) -> None:
    """Leave only these cards in a slot of paper["after"], unless both know that it has none of them."""
    if paper["after"][slot] & cards:
        paper["after"][slot] &= cards


@kernel
def narrow_by_hint(paper: Paper, rulebook: Rulebook, receiver: int, hint: int, touched: int) -> int:
    """Write the receiver's masks after a hint that touches these slots to paper["after"], by rules 1 to 3.

    Returns the slot that the hint is about, or NO_SLOT if it says no more than it shows.
    """
    shown, playable = wide(rulebook["hint_masks"][hint]), paper["playable"]
    is_play_shown = False
    for slot in range(paper["length"][receiver]):
        before = paper["masks"][receiver, slot]
        mask = before & shown if touched >> slot & 1 else before & ~shown
        paper["after"][slot] = mask
        if before & ~playable and mask & ~playable == 0 and mask:
            is_play_shown = True
    new = touched & ~paper["touched"][receiver]
    if new:
        plays = paper["soon"] & ~paper["held"]
        chop = paper["chop"][receiver]
        if chop != NO_SLOT and new >> chop & 1:
            # 1. The chop is playable; by a value hint, playable or critical.
            cards = plays | paper["critical"] if hint >= rulebook["suit_hints"] else plays
            if paper["after"][chop] & cards:
                paper["after"][chop] &= cards
                return wide(chop)
            new ^= wide(1) << chop
        while new:
            # 2. The newest card touched for the first time that may be playable is.
            slot = newest(new)
            if paper["after"][slot] & plays:
                paper["after"][slot] &= plays
                return slot
            new ^= wide(1) << slot
        return NO_SLOT
    while touched and not is_play_shown:
        # 3. No card is touched for the first time: the newest that may be playable is, if it was not known to be.
        slot = newest(touched)
        if paper["after"][slot] & playable and paper["masks"][receiver, slot] & ~playable:
            paper["after"][slot] &= playable
            return slot
        touched ^= wide(1) << slot
    return NO_SLOT


@kernel
def ranked_play(paper: Paper, values: int, seat: int, rank: int) -> int:
    """Return the sure play of this rank, or NO_SLOT: by the lowest value that it may have, then the oldest."""
    plays, chosen = paper["plays"][seat], NO_SLOT
    for _ in range(rank + 1):
        chosen, least = NO_SLOT, values
        rest = plays
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            mask = paper["masks"][seat, slot]
            while mask:
                value = lowest_bit(mask) % values
                mask &= mask - 1
                if value < least:
                    least, chosen = value, slot
        if chosen != NO_SLOT:
            plays &= ~(wide(1) << chosen)
    return chosen


@kernel
def rank_of(paper: Paper, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Return the place of a slot among the sure plays, or in the sure trash: 0, 1 or 2; NO_SLOT if it is further on."""
    trash = paper["trash"][actor]
    for rank in range(3):
        if is_play:
            if slot == ranked_play(paper, values, actor, rank):
                return rank
        elif trash:
            if slot == lowest_bit(trash):
                return rank
            trash &= trash - 1
    return NO_SLOT


@kernel
def answer_of(paper: Paper, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Return which answer a play or a discard gives, by rule 5."""
    plays, trash = paper["plays"][actor], paper["trash"][actor]
    if plays and not is_play:
        return CHOP_YES
    if is_play:
        options = popcount(plays) if plays >> slot & 1 else 0
    else:
        options = popcount(trash)
        if options < 2:
            chop = paper["chop"][actor]
            if slot == (lowest_bit(trash) if options else chop):
                return CHOP_NO
            return CHOP_YES if slot == (chop if options else paper["next_chop"][actor]) else SILENT
    rank = rank_of(paper, values, actor, slot, is_play) if options > 1 else NO_SLOT
    if rank == NO_SLOT:
        return SILENT
    if options == 2:
        return YES if rank else NO
    return NO_TO_BOTH if rank == 0 else (YES if rank == 1 else SECOND_YES)


@kernel
def question_about_chop(paper: Paper, receiver: int) -> int:
    """Return the chop if, for all that both know, it may be critical or not; otherwise NO_SLOT."""
    chop = wide(paper["chop"][receiver])
    if chop == NO_SLOT:
        return NO_SLOT
    mask = paper["masks"][receiver, chop]
    return chop if mask & paper["critical"] and mask & ~paper["critical"] else NO_SLOT


@kernel
def question_about_play(paper: Paper, receiver: int) -> int:
    """Return the slot that is most likely playable, of those not sure to be (the newest of equals), or NO_SLOT."""
    most, chosen = LEAST_LIKELY_PLAY, NO_SLOT
    for slot in range(paper["length"][receiver]):
        mask = paper["masks"][receiver, slot]
        if mask & paper["playable"] and mask & ~paper["playable"]:
            chance = weight(mask & paper["playable"], paper["left"]) / weight(mask, paper["left"])
            if chance >= most:
                most, chosen = chance, slot
    return chosen


@kernel
def narrow_by_answer(paper: Paper, actor: int, slot: int, is_play: bool, answer: int) -> None:
    """Narrow paper["after"] by the answer that a play or a discard of this slot gives (rule 4)."""
    receiver = 1 - actor
    critical, playable = paper["critical"], paper["playable"]
    used = paper["masks"][actor, slot]
    if is_play and used & (used - 1) == 0:
        playable &= ~used  # the card that is being played, and that both can name, is not playable any more
    chop, play = question_about_chop(paper, receiver), question_about_play(paper, receiver)
    if answer in (CHOP_YES, CHOP_NO):
        if chop != NO_SLOT:
            tell(paper, chop, critical if answer == CHOP_YES else ~critical)
        elif play != NO_SLOT and paper["trash"][actor] and not paper["plays"][actor]:
            tell(paper, play, playable if answer == CHOP_YES else ~playable)
    elif chop == NO_SLOT:
        if play != NO_SLOT:
            tell(paper, play, playable if answer in (YES, SECOND_YES) else ~playable)
    else:
        tell(paper, chop, critical if answer == YES else ~critical)
        if play != NO_SLOT and answer in (SECOND_YES, NO_TO_BOTH):
            tell(paper, play, playable if answer == SECOND_YES else ~playable)


@kernel
def has_play(paper: Paper, receiver: int) -> bool:
    """Return whether the receiver has a sure play by paper["after"]."""
    plays = 0
    for slot in range(paper["length"][receiver]):
        plays += paper["after"][slot] & ~paper["playable"] == 0
    return plays > 0


@kernel
def promise_chop(paper: Paper, receiver: int, touched: int) -> None:
    """Rule 6: the chop of a partner who is left without a sure play is not critical."""
    if has_play(paper, receiver):
        return
    for slot in range(paper["length"][receiver]):
        mask = paper["after"][slot]
        if not touched >> slot & 1 and mask & ~paper["critical"] and mask & ~paper["worthless"]:
            tell(paper, slot, ~paper["critical"])
            return


@kernel
def narrow_by_card(paper: Paper, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Write the partner's masks after a play or a discard to paper["after"], by rules 4 to 7; return the answer."""
    receiver = 1 - actor
    for other in range(paper["length"][receiver]):
        paper["after"][other] = paper["masks"][receiver, other]
    answer = answer_of(paper, values, actor, slot, is_play)
    if answer != SILENT:
        narrow_by_answer(paper, actor, slot, is_play, answer)
    elif is_play and paper["plays"][actor] >> slot & 1:
        promise_chop(paper, receiver, paper["touched"][receiver])
    is_idle = not is_play and answer != SILENT and answer != CHOP_YES
    if is_idle and paper["hints"] > 0 and not has_play(paper, receiver):
        # 7. Whoever discards with a token in hand has no play to tell.
        for other in range(paper["length"][receiver]):
            tell(paper, other, ~paper["playable"])
    return answer


@kernel
def narrow_by_action(paper: Paper, rulebook: Rulebook, actor: int, action: int, touched: int) -> int:
    """Write the partner's masks after any action to paper["after"]; `touched`: the slots that a hint touches.

    Returns the slot that a hint is about (or NO_SLOT), or the answer that a play or a discard is.
    """
    size = wide(rulebook["hand_size"])
    if action < 2 * size:
        is_play = action >= size
        return narrow_by_card(paper, wide(rulebook["values"]), actor, action - size if is_play else action, is_play)
    receiver = 1 - actor
    focus = narrow_by_hint(paper, rulebook, receiver, wide(rulebook["hint_of"][action]), touched)
    if paper["hints"] < rulebook["max_hints"]:
        promise_chop(paper, receiver, touched | paper["touched"][receiver])
    return focus


@kernel
def note_turn(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Take note of the last turn: narrow the masks by what it meant, then by what it showed."""
    if paper["turn"] == 0:
        if not is_first_turn(game, rulebook):
            begin(game, rulebook, paper)  # this seat was not there from the start: it knows what lies open
            return
        begin_deal(rulebook, paper)
    actor = wide(game["last_actor"])
    narrow_by_action(paper, rulebook, actor, wide(game["last_action"]), wide(game["last_touched"]))
    for slot in range(paper["length"][1 - actor]):
        paper["masks"][1 - actor, slot] = paper["after"][slot]
    if game["last_slot"] >= 0:
        # The card leaves the hand, newer ones move down, and a new one may have come.
        length = paper["length"][actor]
        for slot in range(wide(game["last_slot"]), length - 1):
            paper["masks"][actor, slot] = paper["masks"][actor, slot + 1]
        if game["last_drew"] >= 0:
            paper["masks"][actor, length - 1] = rulebook["all_mask"]
    refresh(game, rulebook, paper)
