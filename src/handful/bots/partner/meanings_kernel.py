"""What turns mean at a table of `partner`: statements on hands, worked out from what is public alone.

The rules are numbered as in `handful.bots.partner`. Whoever chooses an action may do so for any reason, as long as it
is honest: the cards that the others hold are among those that it leaves possible.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.conventions.notes_kernel import NO_SLOT, is_first_turn, newest
from handful.bots.partner.notes_kernel import (
    NOBODY,
    Paper,
    begin,
    begin_deal,
    is_single,
    move_down,
    note_error,
    refresh,
)
from handful.hanabi.kernels.layout import Game, Rulebook

SILENT, CHOP_SAFE, CHOP_CRITICAL = range(3)  # what a play or a discard says of the next player's chop


@inlined_kernel
def steps_between(rulebook: Rulebook, seat: int, other: int) -> int:
    """Return how many seats another one is ahead."""
    steps = other - seat
    return steps + wide(rulebook["players"]) if steps < 0 else steps


@kernel
def copy_hand(paper: Paper, seat: int, size: int) -> None:
    """Let an action change nothing, at first, in a hand of paper["after"]."""
    for place in range(seat * size, seat * size + paper["length"][seat]):
        paper["after"][place] = paper["masks"][place]


@kernel
def open_hand(paper: Paper, seat: int, size: int) -> None:
    """Let a hand of paper["after"] be changed."""
    if not paper["changed"] >> seat & 1:
        paper["changed"] |= wide(1) << seat
        copy_hand(paper, seat, size)


@kernel
def tell(paper: Paper, place: int, cards: int) -> bool:
    """Leave only these cards in a place of paper["after"], unless all know that it has none of them."""
    if paper["after"][place] & cards:
        paper["after"][place] &= cards
        return True
    return False


# Prompts and finesses


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
def note_connections(paper: Paper, rulebook: Rulebook) -> None:
    """Write which slot of each seat a prompt or a finesse for the next card of a suit means."""
    values, size = wide(rulebook["values"]), wide(rulebook["hand_size"])
    missing = paper["playable"] & ~paper["held"]
    for suit in range(wide(rulebook["suits"])):
        bit = missing & ((wide(1) << values) - 1) << suit * values
        for seat in range(rulebook["players"]):
            paper["connect"][seat, suit] = connecting_slot(paper, wide(seat), size, bit) if bit else wide(NO_SLOT)


@kernel
def connected_cards(paper: Paper, rulebook: Rulebook, giver: int, receiver: int) -> int:
    """Return the cards that are playable once somebody between giver and receiver has played the one below it."""
    values, players = wide(rulebook["values"]), wide(rulebook["players"])
    missing, cards = paper["playable"] & ~paper["held"], wide(0)
    if paper["level"] < 2 or paper["finesse_seat"] != NOBODY or paper["is_last"]:
        return cards
    for suit in range(wide(rulebook["suits"])):
        bit = missing & ((wide(1) << values - 1) - 1) << suit * values
        if bit == 0:
            continue
        for ahead in range(1, steps_between(rulebook, giver, receiver)):
            seat = (giver + ahead) % players
            if paper["connect"][seat, suit] != NO_SLOT and not paper["literal"] >> seat & 1:
                cards |= bit << 1
    return cards & ~paper["soon"] & ~paper["worthless"]


@kernel
def bluffed_cards(paper: Paper, rulebook: Rulebook, seat: int, slot: int) -> int:
    """Return the cards that the focus may be if the player after the giver plays another card than the one below it.

    Rule 5: only that player, from the slot that a finesse asks for, with a card that no finesse here would ask for.
    """
    cards = wide(0)
    if seat != (paper["finesse_giver"] + 1) % wide(rulebook["players"]) or paper["touched"][seat] >> slot & 1:
        return cards
    values = wide(rulebook["values"])
    for suit in range(wide(rulebook["suits"])):
        if paper["asked"][seat, suit] == slot:
            cards |= ((wide(1) << values) - 1) << suit * values
    return cards & paper["finesse_cards"]


@kernel
def answer_finesse(paper: Paper, rulebook: Rulebook, actor: int, slot: int, played: int) -> bool:
    """Narrow paper["after"] by what a turn says to the prompt or finesse under way; return whether that is over.

    `played`: the card that the actor has played, as a mask; 0 for another action, or a strike. Rule 4: whoever is asked
    plays the card; if nobody has done so when it is the receiver's turn, nobody was asked. Somebody who has come to
    know of that card otherwise, or who plays another copy, leaves it open.
    """
    receiver, size = paper["finesse_seat"], wide(rulebook["hand_size"])
    if receiver == NOBODY:
        return False
    place = receiver * size + paper["finesse_slot"]
    following = played << 1 & paper["finesse_cards"]
    if following and slot == paper["asked"][actor, lowest_bit(played) // wide(rulebook["values"])]:
        open_hand(paper, receiver, size)
        also = paper["finesse_direct"] if paper["plays"][actor] >> slot & 1 else wide(0)
        tell(paper, place, following | also)
        return True
    if played and not following and not paper["plays"][actor] >> slot & 1:
        cards = bluffed_cards(paper, rulebook, actor, slot)
        if cards:
            open_hand(paper, receiver, size)
            tell(paper, place, cards)
            return True
    if (actor + 1) % wide(rulebook["players"]) == receiver:
        open_hand(paper, receiver, size)
        tell(paper, place, paper["finesse_direct"] | following)
        return True
    return actor == receiver


# Hints


@kernel
def saved_cards(paper: Paper, rulebook: Rulebook, hint: int) -> int:
    """Return the cards that a hint on the chop may save: by their value those that are critical, and all 2s.

    By their suit: those that are critical, but neither 2s nor of the highest value, which are saved by their value.
    """
    suits, values = wide(rulebook["suits"]), wide(rulebook["values"])
    twos, tops = wide(0), wide(0)
    for suit in range(suits):
        twos |= wide(2) << suit * values
        tops |= wide(1) << suit * values + values - 1
    if hint < rulebook["suit_hints"]:
        return paper["critical"] & ~twos & ~tops
    if hint == rulebook["suit_hints"] + 1:
        return paper["critical"] | (twos & ~paper["worthless"] & ~paper["held"])
    return paper["critical"]


@kernel
def narrow_by_hint(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, hint: int, touched: int) -> int:
    """Write the receiver's masks after a hint that touches these slots to paper["after"], by rules 1 to 4.

    Returns the slot that the hint is about, or NO_SLOT if it says no more than it shows.
    """
    shown, playable, first = (
        wide(rulebook["hint_masks"][hint]),
        paper["playable"],
        receiver * wide(rulebook["hand_size"]),
    )
    is_play_shown = False
    open_hand(paper, receiver, wide(rulebook["hand_size"]))
    for slot in range(paper["length"][receiver]):
        before = paper["after"][first + slot]
        mask = before & shown if touched >> slot & 1 else before & ~shown
        paper["after"][first + slot] = mask
        if before & ~playable and mask & ~playable == 0 and mask:
            is_play_shown = True
    if paper["literal"] >> giver & 1:
        return wide(NO_SLOT)
    new = touched & ~paper["touched"][receiver]
    if new:
        plays = (paper["soon"] | connected_cards(paper, rulebook, giver, receiver)) & ~paper["held"]
        chop = paper["chop"][receiver]
        if chop != NO_SLOT and new >> chop & 1:
            if tell(paper, first + chop, plays | saved_cards(paper, rulebook, hint)):
                return wide(chop)
            new ^= wide(1) << chop
        while new:
            slot = newest(new)
            if tell(paper, first + slot, plays):
                return slot
            new ^= wide(1) << slot
        return wide(NO_SLOT)
    plays = playable | connected_cards(paper, rulebook, giver, receiver)
    while touched and not is_play_shown:
        slot = newest(touched)
        if paper["masks"][first + slot] & ~playable and tell(paper, first + slot, plays):
            return slot
        touched ^= wide(1) << slot
    return wide(NO_SLOT)


@kernel
def awaited_cards(paper: Paper, rulebook: Rulebook, receiver: int, focus: int, hint: int) -> int:
    """Return what a hint tells the focus may be that is to be playable only soon; by paper["after"]."""
    cards = paper["after"][receiver * wide(rulebook["hand_size"]) + focus] & paper["soon"] & ~paper["playable"]
    if focus == paper["chop"][receiver]:
        cards &= ~saved_cards(paper, rulebook, hint)
    return cards


@kernel
def note_awaited(paper: Paper, rulebook: Rulebook, receiver: int, focus: int, hint: int) -> None:
    """Take note of what a focus may be only if cards that are coming make it playable."""
    place = receiver * wide(rulebook["hand_size"]) + focus
    paper["awaited"][place] = awaited_cards(paper, rulebook, receiver, focus, hint)


# Plays and discards: chop moves


@kernel
def first_play(paper: Paper, rulebook: Rulebook, seat: int) -> int:
    """Return the sure play that comes first: of the lowest value that it may have, then the oldest; or NO_SLOT."""
    plays, chosen, least = paper["plays"][seat], wide(NO_SLOT), wide(rulebook["values"])
    while plays:
        slot = lowest_bit(plays)
        plays &= plays - 1
        mask = paper["masks"][seat * wide(rulebook["hand_size"]) + slot]
        while mask:
            value = lowest_bit(mask) % wide(rulebook["values"])
            mask &= mask - 1
            if value < least:
                least, chosen = value, slot
    return chosen


@kernel
def said_of_chop(paper: Paper, rulebook: Rulebook, actor: int, slot: int, is_play: bool) -> int:
    """Return what a play or a discard says of the next player's chop, by rule 6."""
    plays, trash = paper["plays"][actor], paper["trash"][actor]
    if plays and not is_play:
        return CHOP_CRITICAL
    if is_play:
        if not plays >> slot & 1 or is_single(plays):
            return SILENT
        return CHOP_SAFE if slot == first_play(paper, rulebook, actor) else CHOP_CRITICAL
    chop = paper["chop"][actor]
    if slot == (lowest_bit(trash) if trash else chop):
        return CHOP_SAFE
    if popcount(trash) > 1:
        return CHOP_CRITICAL if trash >> slot & 1 else SILENT
    return CHOP_CRITICAL if slot == (chop if trash else paper["next_chop"][actor]) else SILENT


@kernel
def has_play(paper: Paper, seat: int, size: int) -> bool:
    """Return whether a seat has a sure play by paper["after"]."""
    for place in range(seat * size, seat * size + paper["length"][seat]):
        if paper["after"][place] & ~paper["playable"] == 0:
            return True
    return False


@kernel
def promise_chop(paper: Paper, seat: int, size: int, touched: int) -> None:
    """Rule 7: the chop of the next player, who is left without a sure play, is not critical."""
    if has_play(paper, seat, size):
        return
    for slot in range(paper["length"][seat]):
        mask = paper["after"][seat * size + slot]
        if not touched >> slot & 1 and mask & ~paper["critical"] and mask & ~paper["worthless"]:
            tell(paper, seat * size + slot, ~paper["critical"])
            return


@kernel
def narrow_by_card(paper: Paper, rulebook: Rulebook, actor: int, slot: int, is_play: bool) -> int:
    """Write what a play or a discard says to paper["after"], by rules 6 to 8; return what it says of the chop."""
    size, following = wide(rulebook["hand_size"]), (actor + 1) % wide(rulebook["players"])
    if paper["level"] < 3 or paper["literal"] >> actor & 1 or paper["finesse_seat"] != NOBODY:
        return SILENT
    said = said_of_chop(paper, rulebook, actor, slot, is_play)
    open_hand(paper, following, size)
    chop = paper["chop"][following]
    if said != SILENT:
        if chop != NO_SLOT:
            tell(paper, following * size + chop, paper["critical"] if said == CHOP_CRITICAL else ~paper["critical"])
    elif is_play and paper["plays"][actor] >> slot & 1:
        promise_chop(paper, following, size, paper["touched"][following])
    is_idle = not is_play and said == CHOP_SAFE and rulebook["players"] == 2
    if is_idle and paper["hints"] > 0 and not has_play(paper, following, size):
        for place in range(following * size, following * size + paper["length"][following]):
            tell(paper, place, ~paper["playable"])
    return said


@kernel
def narrow_by_action(paper: Paper, rulebook: Rulebook, actor: int, action: int, touched: int, played: int) -> int:
    """Write all masks that an action changes to paper["after"], and whose they are to paper["changed"].

    `touched`: the slots that a hint touches; `played`: the card that is played, as a mask, or 0. Returns the slot that
    a hint is about (or NO_SLOT), or what a card says of the next player's chop.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    paper["changed"] = 0
    if action < 2 * size:
        is_play = action >= size
        slot = action - size if is_play else action
        answer_finesse(paper, rulebook, actor, slot, played)
        return narrow_by_card(paper, rulebook, actor, slot, is_play)
    answer_finesse(paper, rulebook, actor, wide(NO_SLOT), wide(0))
    receiver = (actor + wide(rulebook["ahead_of"][action])) % players
    focus = narrow_by_hint(paper, rulebook, actor, receiver, wide(rulebook["hint_of"][action]), touched)
    if paper["level"] >= 3 and paper["hints"] < rulebook["max_hints"] and not paper["literal"] >> actor & 1:
        following = (actor + 1) % players
        if paper["finesse_seat"] == NOBODY and not is_finesse(paper, rulebook, actor, receiver, focus):
            open_hand(paper, following, size)
            also = touched if following == receiver else wide(0)
            promise_chop(paper, following, size, also | paper["touched"][following])
    return focus


@kernel
def is_finesse(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> bool:
    """Return whether a hint may be a prompt or a finesse, for all that is public."""
    if focus == NO_SLOT:
        return False
    after = paper["after"][receiver * wide(rulebook["hand_size"]) + focus]
    return bool(after & connected_cards(paper, rulebook, giver, receiver))


@kernel
def note_finesse(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> None:
    """Take note of a prompt or finesse that a hint may be."""
    paper["finesse_seat"] = NOBODY
    if focus == NO_SLOT or paper["literal"] >> giver & 1:
        return
    after = paper["after"][receiver * wide(rulebook["hand_size"]) + focus]
    cards = after & connected_cards(paper, rulebook, giver, receiver)
    if cards:
        paper["finesse_seat"], paper["finesse_slot"], paper["finesse_giver"] = receiver, focus, giver
        paper["finesse_direct"], paper["finesse_cards"] = after & ~cards, cards
        ahead = steps_between(rulebook, giver, receiver)
        for seat in range(rulebook["players"]):
            is_between = 0 < steps_between(rulebook, giver, wide(seat)) < ahead
            for suit in range(wide(rulebook["suits"])):
                slot = paper["connect"][seat, suit]
                paper["asked"][seat, suit] = slot if is_between else wide(NO_SLOT)


@kernel
def note_misunderstanding(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Take note of a turn after which all know that its player, or who told that player something, meant otherwise."""
    actor, slot = wide(game["last_actor"]), wide(game["last_slot"])
    if slot < 0:
        return
    place = actor * wide(rulebook["hand_size"]) + slot
    bit = wide(1) << wide(game["cards"][game["last_order"]])
    if not paper["masks"][place] & bit:
        note_error(paper, place)


@kernel
def note_turn(game: Game, rulebook: Rulebook, paper: Paper, level: int) -> None:
    """Take note of the last turn: narrow the masks by what it meant, then by what it showed."""
    if paper["turn"] == 0:
        if not is_first_turn(game, rulebook):
            begin(game, rulebook, paper, level)  # this seat was not there from the start: it knows what lies open
            return
        begin_deal(rulebook, paper, level)
    actor, action, size = wide(game["last_actor"]), wide(game["last_action"]), wide(rulebook["hand_size"])
    is_card = game["last_slot"] >= 0
    played = wide(0)
    if is_card and action >= size and not game["last_is_strike"]:
        played = wide(1) << wide(game["cards"][game["last_order"]])
    if not is_card and level >= 2:
        note_connections(paper, rulebook)
    note_misunderstanding(game, rulebook, paper)
    focus = narrow_by_action(paper, rulebook, actor, action, wide(game["last_touched"]), played)
    was_asked = paper["finesse_seat"] != NOBODY
    if was_asked and answer_finesse(paper, rulebook, actor, wide(game["last_slot"]), played):
        paper["finesse_seat"] = NOBODY
    elif was_asked:
        paper["finesse_direct"] |= played << 1 & paper["finesse_cards"]
        for suit in range(wide(rulebook["suits"])):
            paper["asked"][actor, suit] = NO_SLOT
    if not is_card and not was_asked:
        receiver = (actor + wide(rulebook["ahead_of"][action])) % wide(rulebook["players"])
        note_finesse(paper, rulebook, actor, receiver, focus)
    if not is_card and focus != NO_SLOT:
        receiver = (actor + wide(rulebook["ahead_of"][action])) % wide(rulebook["players"])
        note_awaited(paper, rulebook, receiver, focus, wide(rulebook["hint_of"][action]))
    for seat in range(rulebook["players"]):
        if paper["changed"] >> seat & 1:
            for place in range(seat * size, seat * size + paper["length"][seat]):
                if paper["after"][place] != paper["masks"][place]:
                    paper["awaited"][place] &= paper["after"][place]
                    paper["masks"][place], paper["teller"][place] = paper["after"][place], actor + 1
    if is_card:
        move_down(game, rulebook, paper)
    refresh(game, rulebook, paper)
