"""What the actions of the bot `conventions` mean: predicates on the partner's hand, from what both know alone.

Which action to choose is another matter (`policy_kernel`): whoever chooses may do so for any reason, as
long as the action is honest, that is, as long as the cards that the partner holds are among those it leaves possible.
The rules are numbered as in `conventions`.
"""

from __future__ import annotations

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful.bots.conventions.state_kernel import (
    AFTER,
    CHOP,
    CRITICAL,
    HAND,
    HELD,
    HINTS,
    LEFT,
    LENGTH,
    MASKS,
    NEXT_CHOP,
    NO_SLOT,
    PLAYABLE,
    PLAYS,
    SOON,
    TOUCHED,
    TRASH,
    TURN,
    WORTHLESS,
    Ints,
    begin,
    begin_deal,
    is_first_turn,
    newest,
    refresh,
    weight,
)
from handful.hanabi.kernels.layout import Game, Rulebook

LEAST_LIKELY_PLAY = 0.2  # a slot less likely to be playable is not asked about

# What a play or a discard answers. To the question that both know to be asked: no, yes; with three cards to choose
# from, yes to the second question (and no to the first), no to both. Or only whether the chop is critical.
SILENT, NO, YES, SECOND_YES, NO_TO_BOTH, CHOP_NO, CHOP_YES = range(7)


@kernel
def tell(state: Ints, slot: int, cards: int) -> None:
    """Leave only these cards in a slot of state[AFTER], unless both know that it has none of them."""
    if state[AFTER + slot] & cards:
        state[AFTER + slot] &= cards


@kernel
def narrow_by_hint(state: Ints, rulebook: Rulebook, receiver: int, hint: int, touched: int) -> int:
    """Write the receiver's masks after a hint that touches these slots to state[AFTER], by rules 1 to 3.

    Returns the slot that the hint is about, or NO_SLOT if it says no more than it shows.
    """
    first, shown = MASKS + receiver * HAND, wide(rulebook["hint_masks"][hint])
    playable = state[PLAYABLE]
    is_play_shown = False
    for slot in range(state[LENGTH + receiver]):
        before = state[first + slot]
        mask = before & shown if touched >> slot & 1 else before & ~shown
        state[AFTER + slot] = mask
        if before & ~playable and mask & ~playable == 0 and mask:
            is_play_shown = True
    new = touched & ~state[TOUCHED + receiver]
    if new:
        plays = state[SOON] & ~state[HELD]
        chop = state[CHOP + receiver]
        if chop != NO_SLOT and new >> chop & 1:
            # 1. The chop is playable; by a value hint, playable or critical.
            cards = plays | state[CRITICAL] if hint >= rulebook["suit_hints"] else plays
            if state[AFTER + chop] & cards:
                state[AFTER + chop] &= cards
                return wide(chop)
            new ^= wide(1) << chop
        while new:
            # 2. The newest card touched for the first time that may be playable is.
            slot = newest(new)
            if state[AFTER + slot] & plays:
                state[AFTER + slot] &= plays
                return slot
            new ^= wide(1) << slot
        return NO_SLOT
    while touched and not is_play_shown:
        # 3. No card is touched for the first time: the newest that may be playable is, if it was not known to be.
        slot = newest(touched)
        if state[AFTER + slot] & playable and state[first + slot] & ~playable:
            state[AFTER + slot] &= playable
            return slot
        touched ^= wide(1) << slot
    return NO_SLOT


@kernel
def ranked_play(state: Ints, values: int, seat: int, rank: int) -> int:
    """Return the sure play of this rank, or NO_SLOT: by the lowest value that it may have, then the oldest."""
    plays, chosen = state[PLAYS + seat], NO_SLOT
    for _ in range(rank + 1):
        chosen, least = NO_SLOT, values
        rest = plays
        while rest:
            slot = lowest_bit(rest)
            rest &= rest - 1
            mask = state[MASKS + seat * HAND + slot]
            while mask:
                value = lowest_bit(mask) % values
                mask &= mask - 1
                if value < least:
                    least, chosen = value, slot
        if chosen != NO_SLOT:
            plays &= ~(wide(1) << chosen)
    return chosen


@kernel
def rank_of(state: Ints, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Return the place of a slot among the sure plays, or in the sure trash: 0, 1 or 2; NO_SLOT if it is further on."""
    trash = state[TRASH + actor]
    for rank in range(3):
        if is_play:
            if slot == ranked_play(state, values, actor, rank):
                return rank
        elif trash:
            if slot == lowest_bit(trash):
                return rank
            trash &= trash - 1
    return NO_SLOT


@kernel
def answer_of(state: Ints, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Return which answer a play or a discard gives, by rule 5."""
    plays, trash = state[PLAYS + actor], state[TRASH + actor]
    if plays and not is_play:
        return CHOP_YES
    if is_play:
        options = popcount(plays) if plays >> slot & 1 else 0
    else:
        options = popcount(trash)
        if options < 2:
            chop = state[CHOP + actor]
            if slot == (lowest_bit(trash) if options else chop):
                return CHOP_NO
            return CHOP_YES if slot == (chop if options else state[NEXT_CHOP + actor]) else SILENT
    rank = rank_of(state, values, actor, slot, is_play) if options > 1 else NO_SLOT
    if rank == NO_SLOT:
        return SILENT
    if options == 2:
        return YES if rank else NO
    return NO_TO_BOTH if rank == 0 else (YES if rank == 1 else SECOND_YES)


@kernel
def question_about_chop(state: Ints, receiver: int) -> int:
    """Return the chop if, for all that both know, it may be critical or not; otherwise NO_SLOT."""
    chop = wide(state[CHOP + receiver])
    if chop == NO_SLOT:
        return NO_SLOT
    mask = state[MASKS + receiver * HAND + chop]
    return chop if mask & state[CRITICAL] and mask & ~state[CRITICAL] else NO_SLOT


@kernel
def question_about_play(state: Ints, receiver: int) -> int:
    """Return the slot that is most likely playable, of those not sure to be (the newest of equals), or NO_SLOT."""
    most, chosen = LEAST_LIKELY_PLAY, NO_SLOT
    for slot in range(state[LENGTH + receiver]):
        mask = state[MASKS + receiver * HAND + slot]
        if mask & state[PLAYABLE] and mask & ~state[PLAYABLE]:
            chance = weight(mask & state[PLAYABLE], state, LEFT) / weight(mask, state, LEFT)
            if chance >= most:
                most, chosen = chance, slot
    return chosen


@kernel
def narrow_by_answer(state: Ints, actor: int, slot: int, is_play: bool, answer: int) -> None:
    """Narrow state[AFTER] by the answer that a play or a discard of this slot gives (rule 4)."""
    receiver = 1 - actor
    critical, playable = state[CRITICAL], state[PLAYABLE]
    used = state[MASKS + actor * HAND + slot]
    if is_play and used & (used - 1) == 0:
        playable &= ~used  # the card that is being played, and that both can name, is not playable any more
    chop, play = question_about_chop(state, receiver), question_about_play(state, receiver)
    if answer in (CHOP_YES, CHOP_NO):
        if chop != NO_SLOT:
            tell(state, chop, critical if answer == CHOP_YES else ~critical)
        elif play != NO_SLOT and state[TRASH + actor] and not state[PLAYS + actor]:
            tell(state, play, playable if answer == CHOP_YES else ~playable)
    elif chop == NO_SLOT:
        if play != NO_SLOT:
            tell(state, play, playable if answer in (YES, SECOND_YES) else ~playable)
    else:
        tell(state, chop, critical if answer == YES else ~critical)
        if play != NO_SLOT and answer in (SECOND_YES, NO_TO_BOTH):
            tell(state, play, playable if answer == SECOND_YES else ~playable)


@kernel
def has_play(state: Ints, receiver: int) -> bool:
    """Return whether the receiver has a sure play by state[AFTER]."""
    plays = 0
    for slot in range(state[LENGTH + receiver]):
        plays += state[AFTER + slot] & ~state[PLAYABLE] == 0
    return plays > 0


@kernel
def promise_chop(state: Ints, receiver: int, touched: int) -> None:
    """Rule 6: the chop of a partner who is left without a sure play is not critical."""
    if has_play(state, receiver):
        return
    for slot in range(state[LENGTH + receiver]):
        mask = state[AFTER + slot]
        if not touched >> slot & 1 and mask & ~state[CRITICAL] and mask & ~state[WORTHLESS]:
            tell(state, slot, ~state[CRITICAL])
            return


@kernel
def narrow_by_card(state: Ints, values: int, actor: int, slot: int, is_play: bool) -> int:
    """Write the partner's masks after a play or a discard to state[AFTER], by rules 4 to 7; return the answer it is."""
    receiver = 1 - actor
    for other in range(state[LENGTH + receiver]):
        state[AFTER + other] = state[MASKS + receiver * HAND + other]
    answer = answer_of(state, values, actor, slot, is_play)
    if answer != SILENT:
        narrow_by_answer(state, actor, slot, is_play, answer)
    elif is_play and state[PLAYS + actor] >> slot & 1:
        promise_chop(state, receiver, state[TOUCHED + receiver])
    is_idle = not is_play and answer != SILENT and answer != CHOP_YES
    if is_idle and state[HINTS] > 0 and not has_play(state, receiver):
        # 7. Whoever discards with a token in hand has no play to tell.
        for other in range(state[LENGTH + receiver]):
            tell(state, other, ~state[PLAYABLE])
    return answer


@kernel
def narrow_by_action(state: Ints, rulebook: Rulebook, actor: int, action: int, touched: int) -> int:
    """Write the partner's masks after any action to state[AFTER]; `touched`: the slots that a hint touches.

    Returns the slot that a hint is about (or NO_SLOT), or the answer that a play or a discard is.
    """
    size = wide(rulebook["hand_size"])
    if action < 2 * size:
        is_play = action >= size
        return narrow_by_card(state, wide(rulebook["values"]), actor, action - size if is_play else action, is_play)
    receiver = 1 - actor
    focus = narrow_by_hint(state, rulebook, receiver, wide(rulebook["hint_of"][action]), touched)
    if state[HINTS] < rulebook["max_hints"]:
        promise_chop(state, receiver, touched | state[TOUCHED + receiver])
    return focus


@kernel
def note_turn(game: Game, rulebook: Rulebook, state: Ints) -> None:
    """Take note of the last turn: narrow the masks by what it meant, then by what it showed."""
    if state[TURN] == 0:
        if not is_first_turn(game, rulebook):
            begin(game, rulebook, state)  # this seat was not there from the start: it knows what lies open
            return
        begin_deal(rulebook, state)
    actor = wide(game["last_actor"])
    narrow_by_action(state, rulebook, actor, wide(game["last_action"]), wide(game["last_touched"]))
    first = MASKS + (1 - actor) * HAND
    for slot in range(state[LENGTH + 1 - actor]):
        state[first + slot] = state[AFTER + slot]
    if game["last_slot"] >= 0:
        # The card leaves the hand, newer ones move down, and a new one may have come.
        first, length = MASKS + actor * HAND, state[LENGTH + actor]
        for slot in range(wide(game["last_slot"]), length - 1):
            state[first + slot] = state[first + slot + 1]
        if game["last_drew"] >= 0:
            state[first + length - 1] = rulebook["all_mask"]
    refresh(game, rulebook, state)
