"""Prompts and finesses at a table of `partner`: hints that ask somebody on the way to play the card that is missing.

Several may be under way. Which slots they ask for is noted when the hint is given: hands change before all have
answered. The rules are numbered as in `handful.bots.partner`.
"""

from __future__ import annotations

from handful._bits import lowest_bit, wide
from handful._jit import kernel
from handful.bots.conventions.notes_kernel import NO_SLOT
from handful.bots.partner.notes_kernel import NOBODY, NUM_ASKS, Paper, open_hand, steps_between, tell
from handful.hanabi.kernels.layout import Rulebook


@kernel
def connecting_slot(paper: Paper, seat: int, size: int, bit: int) -> int:
    """Return the slot that a seat plays if asked for a card: by a prompt, or else by a finesse; NO_SLOT if none can be.

    Prompt: the newest touched slot that may be the card, and is not sure to be playable. Finesse: the newest slot that
    no hint has touched.
    """
    blind = wide(NO_SLOT)
    for slot in range(paper["length"][seat] - 1, -1, -1):
        mask = paper["masks"][seat * size + slot]
        if mask & ~paper["playable"] == 0:
            continue
        if paper["touched"][seat] >> slot & 1:
            if mask & bit:
                return wide(slot)
        elif blind == NO_SLOT and mask & bit:
            blind = wide(slot)
    return blind


@kernel
def note_connections(paper: Paper, rulebook: Rulebook, giver: int) -> None:
    """Write which slot of each seat a prompt or a finesse for the next card of a suit means."""
    values, size = wide(rulebook["values"]), wide(rulebook["hand_size"])
    missing = paper["playable"] & ~paper["held"]
    for suit in range(wide(rulebook["suits"])):
        bit = missing & ((wide(1) << values) - 1) << suit * values
        for seat in range(rulebook["players"]):
            paper["connect"][seat, suit] = connecting_slot(paper, wide(seat), size, bit) if bit else wide(NO_SLOT)
    if paper["level"] >= 3:
        note_bluffs(paper, rulebook, (giver + 1) % wide(rulebook["players"]))


@kernel
def note_bluffs(paper: Paper, rulebook: Rulebook, seat: int) -> None:
    """Write which slot of a seat a bluff asks for: the newest that no hint has touched and that may be playable."""
    size = wide(rulebook["hand_size"])
    for slot in range(paper["length"][seat] - 1, -1, -1):
        mask = paper["masks"][seat * size + slot]
        if mask & paper["playable"] and mask & ~paper["playable"] and not paper["touched"][seat] >> slot & 1:
            for suit in range(wide(rulebook["suits"])):
                if paper["connect"][seat, suit] == NO_SLOT:
                    paper["connect"][seat, suit] = slot
            return


@kernel
def free_ask(paper: Paper) -> int:
    """Return a number under which another prompt or finesse can be noted; NOBODY if too many are under way."""
    for number in range(NUM_ASKS):
        if paper["ask_seat"][number] == NOBODY:
            return wide(number)
    return wide(NOBODY)


@kernel
def connected_cards(paper: Paper, rulebook: Rulebook, giver: int, receiver: int) -> int:
    """Return the cards that are playable once somebody between giver and receiver has played the one below it."""
    values, players = wide(rulebook["values"]), wide(rulebook["players"])
    missing, cards, deaf = paper["playable"] & ~paper["held"], wide(0), paper["literal"] | paper["plain"]
    if paper["level"] < 2 or paper["is_last"] or free_ask(paper) == NOBODY or deaf >> giver & 1:
        return cards
    for suit in range(wide(rulebook["suits"])):
        bit = missing & ((wide(1) << values - 1) - 1) << suit * values
        if bit == 0:
            continue
        for ahead in range(1, steps_between(rulebook, giver, receiver)):
            seat = (giver + ahead) % players
            if paper["connect"][seat, suit] != NO_SLOT and not deaf >> seat & 1:
                cards |= bit << 1
    following = (giver + 1) % players
    if paper["level"] >= 3 and following != receiver and not deaf >> following & 1:
        for suit in range(wide(rulebook["suits"])):
            slot = paper["connect"][following, suit]
            if slot != NO_SLOT and not paper["touched"][following] >> slot & 1:
                cards |= ((wide(1) << values) - 1) << suit * values
    return cards & ~paper["soon"] & ~paper["worthless"]


@kernel
def is_finesse(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> bool:
    """Return whether a hint may be a prompt or a finesse, for all that is public."""
    if focus == NO_SLOT or paper["literal"] >> giver & 1:
        return False
    after = paper["after"][receiver * wide(rulebook["hand_size"]) + focus]
    return bool(after & connected_cards(paper, rulebook, giver, receiver))


@kernel
def note_finesse(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> None:
    """Take note of a prompt or finesse that a hint may be."""
    number = free_ask(paper)
    after = paper["after"][receiver * wide(rulebook["hand_size"]) + focus]
    cards = after & connected_cards(paper, rulebook, giver, receiver)
    paper["ask_seat"][number], paper["ask_slot"][number], paper["ask_giver"][number] = receiver, focus, giver
    paper["ask_direct"][number], paper["ask_cards"][number] = after & ~cards, cards
    ahead = steps_between(rulebook, giver, receiver)
    for seat in range(rulebook["players"]):
        is_between = 0 < steps_between(rulebook, giver, wide(seat)) < ahead
        for suit in range(wide(rulebook["suits"])):
            slot = paper["connect"][seat, suit]
            paper["asked"][number, seat, suit] = slot if is_between else wide(NO_SLOT)


@kernel
def is_asked(paper: Paper, rulebook: Rulebook, seat: int, slot: int) -> bool:
    """Return whether a prompt or finesse under way may ask a seat for a slot; NO_SLOT: for any."""
    for number in range(NUM_ASKS):
        if paper["ask_seat"][number] == NOBODY:
            continue
        for suit in range(wide(rulebook["suits"])):
            asked = paper["asked"][number, seat, suit]
            if asked != NO_SLOT and slot in (NO_SLOT, asked):
                return True
    return False


@kernel
def bluffed_cards(paper: Paper, rulebook: Rulebook, number: int, seat: int, slot: int) -> int:
    """Return the cards that the focus may be if the player after the giver plays another card than the one below it.

    Rule 5: only that player, from the slot that a finesse asks for, with a card that no finesse here would ask for.
    """
    cards = wide(0)
    is_next = seat == (paper["ask_giver"][number] + 1) % wide(rulebook["players"])
    if not is_next or paper["level"] < 3 or paper["touched"][seat] >> slot & 1:
        return cards
    values = wide(rulebook["values"])
    for suit in range(wide(rulebook["suits"])):
        if paper["asked"][number, seat, suit] == slot:
            cards |= ((wide(1) << values) - 1) << suit * values
    return wide(cards & paper["ask_cards"][number])


@kernel
def answered_cards(paper: Paper, rulebook: Rulebook, number: int, actor: int, slot: int, played: int) -> int:
    """Return what the focus of a prompt or finesse is if a play of this card answers it; 0 if it does not."""
    if paper["ask_seat"][number] == NOBODY or not played:
        return wide(0)
    following = played << 1 & paper["ask_cards"][number]
    if not following:
        return bluffed_cards(paper, rulebook, number, actor, slot)
    suit = lowest_bit(played) // wide(rulebook["values"])
    return following if slot == paper["asked"][number, actor, suit] else wide(0)


@kernel
def answer_asks(paper: Paper, rulebook: Rulebook, actor: int, slot: int, played: int, is_over: bool) -> None:
    """Narrow paper["after"] by what a turn says to the prompts and finesses under way.

    `played`: the card that the actor has played, as a mask; 0 for another action, or a strike. `is_over`: the turn has
    happened, and it is noted who has answered. Rule 4: whoever is asked plays the card; if nobody has done so when it
    is the receiver's turn, nobody was asked. A play that may have other reasons leaves it open.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    num_answered = 0
    for number in range(NUM_ASKS):
        num_answered += answered_cards(paper, rulebook, wide(number), actor, slot, played) != 0
    is_clear = num_answered == 1 and not paper["plays"][actor] >> slot & 1
    for number in range(NUM_ASKS):
        receiver = paper["ask_seat"][number]
        if receiver == NOBODY:
            continue
        place = receiver * size + paper["ask_slot"][number]
        cards = answered_cards(paper, rulebook, wide(number), actor, slot, played)
        direct = paper["ask_direct"][number] | cards | played << 1 & paper["ask_cards"][number]
        rest = paper["ask_cards"][number] & paper["playable"] << 1 & ~direct
        is_answer, is_last = cards != 0 and is_clear, (actor + 1) % players == receiver or rest == 0
        if is_answer or is_last:
            open_hand(paper, receiver, size)
            tell(paper, place, cards if is_answer else direct)
        if not is_over:
            continue
        paper["ask_direct"][number] = direct
        paper["ask_cards"][number] = rest
        for suit in range(wide(rulebook["suits"])):
            paper["asked"][number, actor, suit] = NO_SLOT
        if is_answer or is_last or actor == receiver:
            paper["ask_seat"][number] = NOBODY
