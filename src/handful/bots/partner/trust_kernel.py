"""Who keeps to the conventions of `partner`, for all that one seat sees: what is not so was meant otherwise.

Whoever keeps to them says what is so, and plays what is asked for. A seat that sees the cards knows at once if somebody
does not, before all do. (Between those who do, this changes nothing: what all know stays the same for all.)
"""

from __future__ import annotations

from handful._bits import wide
from handful._jit import kernel
from handful.bots.conventions.notes_kernel import NO_SLOT
from handful.bots.partner.notes_kernel import NOBODY, NUM_ASKS, Paper, lose_patience
from handful.hanabi.kernels.layout import HIDDEN, Game, Rulebook


@kernel
def note_untruth(game: Game, rulebook: Rulebook, paper: Paper, actor: int, focus: int) -> None:
    """Take note of what a turn says by paper["after"] that is not so, where it is seen. `focus`: a place, or NO_SLOT.

    Who is wrong on a focus is misunderstood; who is wrong on a chop is from then on not listened to on that.
    """
    size = wide(rulebook["hand_size"])
    for seat in range(rulebook["players"]):
        if seat == actor or not paper["changed"] >> seat & 1:
            continue
        for slot in range(paper["length"][seat]):
            place = seat * size + slot
            card = wide(game["cards"][game["orders"][place]])
            if card == HIDDEN or not paper["masks"][place] >> card & ~paper["after"][place] >> card & 1:
                continue
            if place == focus:
                lose_patience(paper, actor)
            elif not is_focus_of_ask(paper, wide(seat), wide(slot)):
                paper["quiet"] |= wide(1) << actor


@kernel
def is_focus_of_ask(paper: Paper, seat: int, slot: int) -> bool:
    """Return whether a prompt or finesse under way is about a slot."""
    is_focus = False
    for number in range(NUM_ASKS):
        is_focus |= paper["ask_seat"][number] == seat and paper["ask_slot"][number] == slot
    return is_focus


@kernel
def note_unanswered(game: Game, rulebook: Rulebook, paper: Paper, actor: int) -> None:
    """Take note if somebody who has the missing card where it was asked for has not played it, where that is seen.

    The notes stand as they were before the turn. With one strike left nobody has to.
    """
    if paper["is_last"]:
        return
    size, values, gone = wide(rulebook["hand_size"]), wide(rulebook["values"]), wide(game["last_slot"])
    for number in range(NUM_ASKS):
        seat = paper["ask_seat"][number]
        if seat in (NOBODY, actor):
            continue
        card = wide(game["cards"][game["orders"][seat * size + paper["ask_slot"][number]]])
        if card == HIDDEN or not paper["ask_cards"][number] & paper["playable"] << 1 & wide(1) << card:
            continue
        slot = paper["asked"][number, actor, card // values]
        if slot in (NO_SLOT, gone):
            continue
        slot -= gone != NO_SLOT and gone < slot
        if wide(game["cards"][game["orders"][actor * size + slot]]) == card - 1:
            paper["plain"] |= wide(1) << actor
            return
