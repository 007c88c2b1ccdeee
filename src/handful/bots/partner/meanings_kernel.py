"""What turns mean at a table of `partner`: statements on hands, worked out from what is public alone.

The rules are numbered as in `handful.bots.partner`. Whoever chooses an action may do so for any reason, as long as it
is honest: the cards that the others hold are among those that it leaves possible.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful.bots.conventions.notes_kernel import NO_SLOT, is_first_turn, newest
from handful.bots.partner.finesse_kernel import (
    answer_asks,
    connected_cards,
    is_asked,
    is_finesse,
    note_connections,
    note_finesse,
)
from handful.bots.partner.notes_kernel import (
    Paper,
    begin,
    begin_deal,
    is_single,
    move_down,
    note_error,
    open_hand,
    refresh,
    tell,
)
from handful.bots.partner.trust_kernel import note_unanswered, note_untruth
from handful.hanabi.kernels.layout import Game, Rulebook

SILENT, CHOP_SAFE, CHOP_CRITICAL = range(3)  # what a play or a discard says of the next player's chop


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
    if (paper["literal"] >> giver | paper["literal"] >> receiver) & 1:
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
    return wide(cards)


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
    """Return what a play or a discard says of the next player's chop, by rule 7."""
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
    """Rule 8: the chop of the next player, who is left without a sure play, is not critical."""
    if has_play(paper, seat, size):
        return
    for slot in range(paper["length"][seat]):
        mask = paper["after"][seat * size + slot]
        if not touched >> slot & 1 and mask & ~paper["critical"] and mask & ~paper["worthless"]:
            tell(paper, seat * size + slot, ~paper["critical"])
            return


@kernel
def narrow_by_card(paper: Paper, rulebook: Rulebook, actor: int, slot: int, is_play: bool) -> int:
    """Write what a play or a discard says to paper["after"], by rules 7 to 9; return what it says of the chop."""
    size, following = wide(rulebook["hand_size"]), (actor + 1) % wide(rulebook["players"])
    silent = paper["literal"] | paper["quiet"]
    is_silent = (silent >> actor | silent >> following) & 1
    if paper["level"] < 3 or is_silent or is_asked(paper, rulebook, actor, slot):
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
        answer_asks(paper, rulebook, actor, slot, played, False)
        return narrow_by_card(paper, rulebook, actor, slot, is_play)
    answer_asks(paper, rulebook, actor, wide(NO_SLOT), wide(0), False)
    receiver = (actor + wide(rulebook["ahead_of"][action])) % players
    focus = narrow_by_hint(paper, rulebook, actor, receiver, wide(rulebook["hint_of"][action]), touched)
    following, silent = (actor + 1) % players, paper["literal"] | paper["quiet"]
    is_silent = (silent >> actor | silent >> following) & 1
    if paper["level"] >= 3 and paper["hints"] < rulebook["max_hints"] and not is_silent:
        is_free = following == receiver or not is_finesse(paper, rulebook, actor, receiver, focus)
        if is_free and not is_asked(paper, rulebook, following, wide(NO_SLOT)):
            open_hand(paper, following, size)
            also = touched if following == receiver else wide(0)
            promise_chop(paper, following, size, also | paper["touched"][following])
    return focus


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
        note_connections(paper, rulebook, actor)
    note_misunderstanding(game, rulebook, paper)
    note_unanswered(game, rulebook, paper, actor)
    focus = narrow_by_action(paper, rulebook, actor, action, wide(game["last_touched"]), played)
    receiver = (actor + wide(rulebook["ahead_of"][action])) % wide(rulebook["players"])
    is_asking = not is_card and is_finesse(paper, rulebook, actor, receiver, focus)
    is_about = not is_card and focus != NO_SLOT
    note_untruth(game, rulebook, paper, actor, receiver * size + focus if is_about else wide(NO_SLOT))
    answer_asks(paper, rulebook, actor, wide(game["last_slot"]), played, True)
    if is_asking:
        note_finesse(paper, rulebook, actor, receiver, focus)
    if is_about:
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
