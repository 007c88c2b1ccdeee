"""Which honest action the bot `partner` chooses: the one with the best outlook one turn ahead.

An action is scored by what it does to the table, and by the others' hands as their holders will then know them.
`handful.bots.partner` says what actions mean.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Annotated, Floats, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.conventions.notes_kernel import NO_SLOT, NUM_PLANES, weight
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.partner.finesse_kernel import (
    bluffed_cards,
    connected_cards,
    connecting_slot,
    is_asked,
    is_finesse,
    note_connections,
)
from handful.bots.partner.meanings_kernel import awaited_cards, narrow_by_action, note_turn
from handful.bots.partner.notes_kernel import (
    NOBODY,
    NUM_ASKS,
    PAPER,
    Paper,
    all_tops,
    begin_notes,
    copy_hand,
    is_single,
    open_hand,
    steps_between,
)
from handful.hanabi.kernels.game import legal_mask, pace
from handful.hanabi.kernels.layout import NOT_YET, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance

NUM_TOKENS = 8
NONE = -1
SEVERAL = -2
DISHONEST = -1e9


class Weights(TypedDict):
    """The weights of the scores, in points of no particular size. `partner.weights` has the numbers."""

    play: Annotated[float, np.float64]  # a card played,
    play_value: Annotated[float, np.float64]  # less this for each of its value
    strike: Annotated[float, np.float64]  # the first strike, the second, the last
    second_strike: Annotated[float, np.float64]
    last_strike: Annotated[float, np.float64]
    first_play: Annotated[float, np.float64]  # another player has a sure play; for each further one
    more_plays: Annotated[float, np.float64]
    later_play: Annotated[float, np.float64]  # factor of the first play for each seat further on
    coming: Annotated[float, np.float64]  # for each card that its holder knows to be playable soon
    has_trash: Annotated[float, np.float64]  # the player has sure trash
    unsure: Annotated[float, np.float64]  # per doubling of the cards that a useful one may be, if it is playable;
    one_away: Annotated[float, np.float64]  # factors if it is one or more off
    further_away: Annotated[float, np.float64]
    protected: Annotated[float, np.float64]  # a critical card that is touched or known to be critical
    bad_touch: Annotated[float, np.float64]  # a touched card that is worthless or seen elsewhere, and not known to be
    lose_critical: Annotated[float, np.float64]  # a card lost: critical, playable, any other, or one seen elsewhere
    lose_playable: Annotated[float, np.float64]
    lose_useful: Annotated[float, np.float64]
    lose_seen: Annotated[float, np.float64]
    danger_play: Annotated[float, np.float64]  # of the loss of a player's chop, if there is a sure play, sure trash,
    danger_trash: Annotated[float, np.float64]
    danger: Annotated[float, np.float64]  # neither, nor a token;
    danger_no_token: Annotated[float, np.float64]
    later_danger: Annotated[float, np.float64]  # factor of it for each seat further on
    no_slack: Annotated[float, np.float64]  # a discard when no more can be afforded; one; two or three
    slack_1: Annotated[float, np.float64]
    slack_3: Annotated[float, np.float64]
    tokens: Annotated[Floats, np.float64, NUM_TOKENS]  # the first token, the second, …


WEIGHTS = record_type(Weights)
NUM_WEIGHTS = words_of(WEIGHTS)
WEIGHTS_AT = 1  # in a row of parameters, after the level


@kernel
def take_copy(planes: Ints, card: int) -> None:
    """Take a copy of a card out of planes."""
    bit = wide(1) << card
    for plane in range(NUM_PLANES - 1, -1, -1):
        if planes[plane] & bit:
            planes[plane] ^= bit
            return


@kernel
def note_faces(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> None:
    """Write the cards that a seat sees in other hands, and the copies that it does not see."""
    size = wide(rulebook["hand_size"])
    for plane in range(NUM_PLANES):
        paper["unseen"][plane] = paper["left"][plane]
    once, twice = wide(0), wide(0)
    for other in range(rulebook["players"]):
        if other == seat:
            continue
        for place in range(other * size, other * size + paper["length"][other]):
            card = wide(game["cards"][game["orders"][place]])
            paper["faces"][place] = card
            take_copy(paper["unseen"], card)
            twice |= once & wide(1) << card
            once |= wide(1) << card
    paper["seen"][0], paper["seen"][1] = once, twice


@kernel
def note_coming(paper: Paper, rulebook: Rulebook, seat: int) -> None:
    """Write what may be playable now or soon for a seat, which sees the cards of the others, and what surely is.

    Touched cards may be played; those are surely played that are playable soon, whatever they may be.
    """
    size, tops = wide(rulebook["hand_size"]), all_tops(rulebook)
    for is_certain in range(2):
        coming, more = wide(0), paper["playable"]
        while more != coming:
            coming = more
            for other in range(rulebook["players"]):
                for slot in range(paper["length"][other]):
                    place = other * size + slot
                    mask = paper["masks"][place]
                    if is_certain and (mask & ~paper["soon"] or (other == seat and not is_single(mask))):
                        continue
                    if is_certain or paper["touched"][other] >> slot & 1 or mask & ~paper["soon"] == 0:
                        if other != seat:
                            mask = wide(1) << paper["faces"][place]
                        more |= (mask & coming & ~tops) << 1
        if is_certain:
            paper["certain"] = coming
        else:
            paper["coming"] = coming


@kernel
def note_own(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> None:
    """Write what the own cards may be for a seat: the public masks, without what it sees all copies of.

    With one strike left only what hints literally say counts: nobody loses a game by a convention alone.
    """
    first = seat * wide(rulebook["hand_size"])
    is_last = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1
    for slot in range(paper["length"][seat]):
        mask = paper["masks"][first + slot]
        narrowed = mask & ~(paper["awaited"][first + slot] & ~paper["coming"] & ~paper["worthless"])
        if narrowed:
            mask = narrowed
        paper["own"][slot] = game["possible"][first + slot] if is_last else mask
    paper["forced"] = NO_SLOT if is_last else asked_slot(paper, rulebook, seat)
    known = wide(0)
    for _ in range(3):
        for slot in range(paper["length"][seat]):
            mask = paper["own"][slot]
            if known >> slot & 1:
                continue
            if not mask & paper["unseen"][0]:
                mask = game["possible"][first + slot]  # somebody meant something else
            if mask & paper["unseen"][0]:
                mask &= paper["unseen"][0]
            paper["own"][slot] = mask
            if is_single(mask):
                take_copy(paper["unseen"], lowest_bit(mask))
                known |= wide(1) << slot


@kernel
def asked_slot(paper: Paper, rulebook: Rulebook, seat: int) -> int:
    """Return the own slot that a prompt or a finesse asks for, and write what it is; NO_SLOT if it asks somebody else.

    Whoever sees the focus knows whether it is playable by itself. If not, the card below it is with somebody between
    giver and receiver: with oneself, if nobody else has it where it is asked for.
    """
    for number in range(NUM_ASKS):
        if paper["ask_seat"][number] not in (NOBODY, seat):
            slot, cards = slot_asked_for(paper, rulebook, wide(number), seat)
            cards &= paper["unseen"][0]
            if cards:
                paper["own"][slot] &= cards
                return slot
    return wide(NO_SLOT)


@kernel
def slot_asked_for(paper: Paper, rulebook: Rulebook, number: int, seat: int) -> tuple[int, int]:
    """Return the slot of a seat that a prompt or finesse asks for, and what it may be; no cards if it asks for none.

    For somebody who sees all hands but that of the seat.
    """
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    card = paper["faces"][paper["ask_seat"][number] * size + paper["ask_slot"][number]]
    slot = paper["asked"][number, seat, card // values]
    bit = wide(1) << card >> 1
    if not paper["ask_cards"][number] >> card & 1 or slot == NO_SLOT:
        return wide(NO_SLOT), wide(0)
    for other in range(rulebook["players"]):
        held = paper["asked"][number, other, card // values]
        is_held = held != NO_SLOT and paper["faces"][other * size + held] == card - 1
        if is_held and other != seat and bit & paper["playable"]:
            return wide(NO_SLOT), wide(0)
    cards = bit & paper["playable"]
    if bluffed_cards(paper, rulebook, number, seat, slot) >> card & 1:
        cards |= paper["playable"] & ~(paper["ask_cards"][number] >> 1) & paper["masks"][seat * size + slot]
    return slot, cards


@kernel
def is_busy(paper: Paper, rulebook: Rulebook, giver: int, seat: int) -> bool:
    """Return whether another prompt or finesse may ask a seat already, for all that a giver sees."""
    size = wide(rulebook["hand_size"])
    for number in range(NUM_ASKS):
        receiver = paper["ask_seat"][number]
        if receiver == NOBODY:
            continue
        card = NONE if receiver == giver else paper["faces"][receiver * size + paper["ask_slot"][number]]
        if receiver != giver and not paper["ask_cards"][number] >> card & 1:
            continue
        for suit in range(wide(rulebook["suits"])):
            if paper["asked"][number, seat, suit] != NO_SLOT:
                return True
    return False


@kernel
def seen_elsewhere(paper: Paper, seat: int, own_slot: int, face: int) -> int:
    """Return the cards that the player to move sees or can name, but for an own slot and one card of another hand."""
    seen = paper["seen"][0]
    if face != NONE and not paper["seen"][1] >> face & 1:
        seen &= ~(wide(1) << face)
    for slot in range(paper["length"][seat]):
        mask = paper["own"][slot]
        if slot != own_slot and is_single(mask):
            seen |= mask
    return wide(seen)


@kernel
def loss(paper: Paper, mask: int, seen: int, weights: Weights) -> float:
    """Return what it costs to lose a card of a mask; `seen`: the cards of which another copy is seen."""
    if is_single(mask):
        if mask & paper["worthless"]:
            return 0.0
        if mask & paper["critical"]:
            return float(weights["lose_critical"])
        if mask & seen:
            return float(weights["lose_seen"])
        return float(weights["lose_playable"] if mask & paper["playable"] else weights["lose_useful"])
    total = weight(mask, paper["unseen"])
    mask &= ~paper["worthless"]
    if total == 0 or mask == 0:
        return 0.0
    critical = mask & paper["critical"]
    others = mask & ~critical & ~seen
    cost = weights["lose_critical"] * weight(critical, paper["unseen"])
    cost += weights["lose_seen"] * weight(mask & ~critical & seen, paper["unseen"])
    cost += weights["lose_playable"] * weight(others & paper["playable"], paper["unseen"])
    cost += weights["lose_useful"] * weight(others & ~paper["playable"], paper["unseen"])
    return float(cost / total)


@kernel
def outlook(paper: Paper, rulebook: Rulebook, seat: int, other: int, hint: Ints, weights: Weights) -> float:
    """Return how good another hand is, by the masks of paper["after"].

    `hint`: the tokens, and the slots of this hand that are touched.
    """
    first, values = other * wide(rulebook["hand_size"]), wide(rulebook["values"])
    hints, touched = hint[0], hint[1]
    playable, worthless, critical = paper["playable"], paper["worthless"], paper["critical"]
    plays, num_plays, has_trash, chop = wide(0), 0, False, wide(NO_SLOT)
    score = 0.0
    for slot in range(paper["length"][other]):
        mask, card = paper["after"][first + slot], paper["faces"][first + slot]
        bit = wide(1) << card
        if paper["awaited"][first + slot] & mask & ~bit & ~paper["coming"]:
            mask &= ~(paper["awaited"][first + slot] & ~bit & ~paper["coming"])  # its holder sees what is coming
        if mask & ~playable == 0:
            num_plays += not plays & bit
            plays |= bit
        elif mask & ~worthless == 0:
            has_trash = True
        else:
            if mask & ~paper["coming"] == 0:
                score += weights["coming"]
            is_touched = touched >> slot & 1
            if not is_touched and mask & ~critical:
                if chop == NO_SLOT:
                    chop = wide(slot)
            elif critical & bit:
                score += weights["protected"]
            if not worthless & bit:
                doublings = weights["unsure"] * np.log2(weight(mask, paper["left"]))
                if playable & bit:
                    score -= doublings
                elif card % values and playable & bit >> 1:
                    score -= weights["one_away"] * doublings
                else:
                    score -= weights["further_away"] * doublings
            elif is_touched:
                score -= weights["bad_touch"]
    steps = steps_between(rulebook, seat, other) - 1
    if num_plays:
        score += weights["first_play"] * weights["later_play"] ** steps + weights["more_plays"] * (num_plays - 1)
    if has_trash:
        score += weights["has_trash"]
    if chop != NO_SLOT:
        danger = weights["danger"] if hints else weights["danger_no_token"]
        if num_plays:
            danger = weights["danger_play"]
        elif has_trash:
            danger = weights["danger_trash"]
        card = paper["faces"][first + chop]
        cost = loss(paper, wide(1) << card, seen_elsewhere(paper, seat, -1, card), weights)
        score -= danger * weights["later_danger"] ** steps * cost
    return score


@kernel
def outlook_of_all(paper: Paper, rulebook: Rulebook, seat: int, receiver: int, hint: Ints, weights: Weights) -> float:
    """Return how good all other hands are after an action; a hint touches slots of the receiver.

    `hint`: tokens, touched slots of the receiver, and whether all hands are to be judged anew.
    """
    score, touched = 0.0, hint[1]
    for other in range(rulebook["players"]):
        if other == seat:
            continue
        if not hint[2] and not paper["changed"] >> other & 1:
            score += paper["base"][other]
            continue
        if not paper["changed"] >> other & 1:
            copy_hand(paper, wide(other), wide(rulebook["hand_size"]))
        hint[1] = paper["touched"][other] | (touched if other == receiver else wide(0))
        score += outlook(paper, rulebook, seat, wide(other), hint, weights)
    hint[1] = touched
    return score


@kernel
def play_score(game: Game, rulebook: Rulebook, paper: Paper, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of playing an own slot; paper["after"] has what it tells."""
    mask, playable, worthless = paper["own"][slot], paper["playable"], paper["worthless"]
    values = wide(rulebook["values"])
    value = lowest_bit(mask) % values + 1
    chance, hint = 1.0, np.zeros(3, np.int64)
    hint[0] = game["hints"]
    if mask & ~playable:
        total = weight(mask, paper["unseen"])
        chance = weight(mask & playable, paper["unseen"]) / total if total else 0.0
    elif is_single(mask):
        # The card is known: the other hands are judged by the stacks after it.
        paper["playable"] ^= mask
        paper["worthless"] |= mask
        if value < values:
            paper["playable"] |= mask << 1
        hint[2] = 1
    score = outlook_of_all(paper, rulebook, seat, wide(NOBODY), hint, weights)
    paper["playable"], paper["worthless"] = playable, worthless
    score += chance * (weights["play"] - weights["play_value"] * value)
    left = wide(rulebook["max_strikes"]) - wide(game["strikes"])
    if chance < 1.0 and (game["turns_left"] == NOT_YET or left == 1):
        cost = weights["last_strike"] if left == 1 else (weights["second_strike"] if left == 2 else weights["strike"])
        cost += loss(paper, mask & ~playable, seen_elsewhere(paper, seat, slot, NONE), weights)
        if pace(game, rulebook) <= 0:
            cost += weights["no_slack"]
        score -= (1.0 - chance) * cost
    return float(score)


@kernel
def discard_score(game: Game, rulebook: Rulebook, paper: Paper, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of discarding an own slot; paper["after"] has what it tells."""
    hint = np.zeros(3, np.int64)
    hint[0] = game["hints"] + 1
    hint[2] = game["hints"] == 0
    score = outlook_of_all(paper, rulebook, seat, wide(NOBODY), hint, weights)
    if game["hints"] < rulebook["max_hints"]:
        score += weights["tokens"][min(wide(game["hints"]), NUM_TOKENS - 1)]
    score -= loss(paper, paper["own"][slot], seen_elsewhere(paper, seat, slot, NONE), weights)
    spare = pace(game, rulebook)
    if spare <= 0 or game["turns_left"] != NOT_YET:
        score -= weights["no_slack"]
    elif spare == 1:
        score -= weights["slack_1"]
    elif spare <= 3:
        score -= weights["slack_3"]
    return float(score)


@kernel
def hint_score(
    game: Game, rulebook: Rulebook, paper: Paper, seat: int, receiver: int, touched: int, weights: Weights
) -> float:
    """Return the score of a hint; paper["after"] has what it tells."""
    hint = np.zeros(3, np.int64)
    hint[0], hint[1], hint[2] = game["hints"] - 1, touched, game["hints"] == 1
    score = outlook_of_all(paper, rulebook, seat, receiver, hint, weights)
    return float(score - weights["tokens"][min(wide(game["hints"]), NUM_TOKENS) - 1])


@kernel
def touched_slots(paper: Paper, rulebook: Rulebook, receiver: int, hint: int) -> int:
    """Return the slots of a hand that a hint touches."""
    mask, touched, size = rulebook["hint_masks"][hint], wide(0), wide(rulebook["hand_size"])
    for slot in range(paper["length"][receiver]):
        touched |= (mask >> paper["faces"][receiver * size + slot] & 1) << slot
    return touched


@kernel
def is_honest(paper: Paper, rulebook: Rulebook, seat: int) -> bool:
    """Return whether the others' cards are among those that paper["after"] leaves possible."""
    size = wide(rulebook["hand_size"])
    for other in range(rulebook["players"]):
        if other != seat and paper["changed"] >> other & 1:
            for place in range(other * size, other * size + paper["length"][other]):
                if not paper["after"][place] >> paper["faces"][place] & 1:
                    # What was not so before cannot be made good by this action.
                    if paper["masks"][place] >> paper["faces"][place] & 1:
                        return False
                    paper["after"][place] = paper["masks"][place]
    return True


@kernel
def holder_asked(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, bit: int) -> int:
    """Return the seat between giver and receiver that holds a card where it is asked for; NOBODY, or SEVERAL."""
    size, found = wide(rulebook["hand_size"]), wide(NOBODY)
    if not bit:
        return found
    for step in range(1, steps_between(rulebook, giver, receiver)):
        other = (giver + step) % wide(rulebook["players"])
        slot = connecting_slot(paper, other, size, bit)
        if slot != NO_SLOT and paper["faces"][other * size + slot] == lowest_bit(bit):
            if (
                found != NOBODY
                or (paper["literal"] | paper["plain"]) >> other & 1
                or is_busy(paper, rulebook, giver, other)
            ):
                return wide(SEVERAL)
            found = other
    return found


@kernel
def settle_bluff(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> bool:
    """Write what a hint comes to if the next player has another playable card than is missing; return whether so."""
    size, values, following = wide(rulebook["hand_size"]), wide(rulebook["values"]), giver + 1
    if following == rulebook["players"]:
        following = wide(0)
    place = receiver * size + focus
    card, cards = paper["faces"][place], paper["after"][place] & connected_cards(paper, rulebook, giver, receiver)
    slot = paper["connect"][following, card // values]
    if following == receiver or slot == NO_SLOT or paper["level"] < 3:
        return False
    if (paper["literal"] | paper["plain"]) >> following & 1 or is_busy(paper, rulebook, giver, following):
        return False
    played = wide(1) << paper["faces"][following * size + slot]
    if paper["touched"][following] >> slot & 1 or not played & paper["playable"] or played << 1 & cards:
        return False
    if not paper["masks"][following * size + slot] & played:
        return False
    left = wide(0)
    for suit in range(wide(rulebook["suits"])):
        if paper["connect"][following, suit] == slot:
            left |= cards & ((wide(1) << values) - 1) << suit * values
    open_hand(paper, following, size)
    paper["after"][following * size + slot] = played
    paper["after"][place] = left
    return True


@kernel
def settle_finesse(paper: Paper, rulebook: Rulebook, giver: int, receiver: int, focus: int) -> bool:
    """Write what a hint that may be a prompt or finesse comes to; return whether it comes to what is so."""
    size = wide(rulebook["hand_size"])
    place = receiver * size + focus
    card, after = paper["faces"][place], paper["after"][place]
    bit = wide(1) << card
    direct = after & ~connected_cards(paper, rulebook, giver, receiver)
    if direct & bit:
        paper["after"][place] = direct
        return True
    holder = holder_asked(paper, rulebook, giver, receiver, bit >> 1 & paper["playable"])
    if holder == SEVERAL:
        return False
    if holder == NOBODY:
        return settle_bluff(paper, rulebook, giver, receiver, focus)
    open_hand(paper, holder, size)
    paper["after"][holder * size + connecting_slot(paper, holder, size, bit >> 1)] = bit >> 1
    paper["after"][place] = bit
    return True


@kernel
def score_of(game: Game, rulebook: Rulebook, paper: Paper, seat: int, action: int, weights: Weights) -> float:
    """Return the score of an action; DISHONEST if the others' cards are not what it says."""
    size = wide(rulebook["hand_size"])
    touched, receiver, played = wide(0), wide(NOBODY), wide(0)
    if action >= 2 * size:
        receiver = (seat + wide(rulebook["ahead_of"][action])) % wide(rulebook["players"])
        touched = touched_slots(paper, rulebook, receiver, wide(rulebook["hint_of"][action]))
    elif action >= size and (is_single(paper["own"][action - size]) or action == size + paper["forced"]):
        # Whichever of several cards it is that is asked for, it says the same.
        played = paper["own"][action - size] & paper["playable"]
        played &= -played
    focus = narrow_by_action(paper, rulebook, seat, action, touched, played)
    if not is_honest(paper, rulebook, seat):
        return DISHONEST
    if paper["forced"] != NO_SLOT and action != size + paper["forced"]:
        return DISHONEST
    if action < size:
        return discard_score(game, rulebook, paper, seat, action, weights)
    if action < 2 * size:
        return play_score(game, rulebook, paper, seat, action - size, weights)
    if focus != NO_SLOT:
        # Whoever hears it sees what is coming: it must be.
        place = receiver * size + focus
        gone = awaited_cards(paper, rulebook, receiver, focus, wide(rulebook["hint_of"][action]))
        if gone >> paper["faces"][place] & ~paper["certain"] >> paper["faces"][place] & 1:
            return DISHONEST
        gone &= ~paper["coming"]
        paper["after"][place] &= ~gone
    is_asking = is_finesse(paper, rulebook, seat, receiver, focus)
    if is_asking and not settle_finesse(paper, rulebook, seat, receiver, focus):
        return DISHONEST
    return hint_score(game, rulebook, paper, seat, receiver, touched, weights)


@kernel
def first_weight(game: Game, rulebook: Rulebook) -> int:
    """Return where in a row the weights begin: those for an empty deck come first, then those for one card, ….

    Cards that are dealt at the start are not in the deck, even in a position that was set up before that.
    """
    dealt = wide(rulebook["players"]) * wide(rulebook["hand_size"])
    return WEIGHTS_AT + (wide(rulebook["deck_size"]) - max(wide(game["drawn"]), dealt)) * NUM_WEIGHTS


@kernel
def prepare(game: Game, rulebook: Rulebook, paper: Paper, seat: int, weights: Weights) -> None:
    """Write all that does not depend on the action: what the seat sees, and how good the other hands are now."""
    note_faces(game, rulebook, paper, seat)
    note_coming(paper, rulebook, seat)
    note_own(game, rulebook, paper, seat)
    note_connections(paper, rulebook, seat)
    hint = np.zeros(3, np.int64)
    hint[0] = game["hints"]
    for other in range(rulebook["players"]):
        if other != seat:
            copy_hand(paper, wide(other), wide(rulebook["hand_size"]))
            hint[1] = paper["touched"][other]
            paper["base"][other] = outlook(paper, rulebook, seat, wide(other), hint, weights)


@kernel
def is_sensible(paper: Paper, rulebook: Rulebook, seat: int, action: int, is_last: bool) -> bool:
    """Return whether an action is one that people think of.

    Plays that may succeed, and surely do if a strike would be the last; discards of what is surely worthless, of the
    chop and, where that says something, of the next chop; of anything if there is neither.
    """
    size = wide(rulebook["hand_size"])
    if action >= 2 * size:
        return True
    if action >= size:
        mask = paper["own"][action - size]
        if mask & ~paper["playable"] == 0:
            return True
        return bool(not is_last and mask & paper["playable"] and not is_asked(paper, rulebook, seat, action - size))
    if paper["own"][action] & ~paper["worthless"] == 0 or action == paper["chop"][seat]:
        return True
    if paper["chop"][seat] == NO_SLOT:
        return bool(paper["trash"][seat] == 0)
    return bool(paper["level"] >= 3 and action == paper["next_chop"][seat])


@kernel
def sensible_actions(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> int:
    """Return the legal actions that people think of, as a mask."""
    legal, sensible = legal_mask(game, rulebook), wide(0)
    is_last = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1
    for action in range(rulebook["num_actions"]):
        if legal >> action & 1 and is_sensible(paper, rulebook, seat, wide(action), is_last):
            sensible |= wide(1) << action
    return sensible


@kernel
def honest_actions(game: Game, rulebook: Rulebook, paper: Paper, seat: int, row: Floats) -> int:
    """Return the sensible actions that say what is so, as a mask; the seat must have chosen one before."""
    weights = record_in(row, first_weight(game, rulebook), WEIGHTS)
    actions, honest = sensible_actions(game, rulebook, paper, seat), wide(0)
    while actions:
        action = lowest_bit(actions)
        actions &= actions - 1
        if score_of(game, rulebook, paper, seat, action, weights) > DISHONEST:
            honest |= wide(1) << action
    return honest


@kernel
def choose_action(game: Game, rulebook: Rulebook, paper: Paper, seat: int, row: Floats) -> int:
    """Return the number of the best honest action; if there is none, of the way out. `row`: level and weights."""
    if paper["turn"] == 0:
        begin_notes(game, rulebook, paper, wide(row[0]))
    weights = record_in(row, first_weight(game, rulebook), WEIGHTS)
    prepare(game, rulebook, paper, seat, weights)
    size, legal = wide(rulebook["hand_size"]), legal_mask(game, rulebook)
    sensible = sensible_actions(game, rulebook, paper, seat)
    chosen = best_of(game, rulebook, paper, seat, sensible, weights)
    if chosen == NONE:
        # Nothing sensible is honest: another discard is. It says nothing.
        own = (wide(1) << size) - 1
        chosen = best_of(game, rulebook, paper, seat, legal & own & ~sensible, weights)
    return chosen if chosen != NONE else way_out(game, rulebook, paper, seat)


@kernel
def best_of(game: Game, rulebook: Rulebook, paper: Paper, seat: int, actions: int, weights: Weights) -> int:
    """Return the honest action of a mask of them that scores best; NONE if there is none."""
    best, chosen = DISHONEST, wide(NONE)
    while actions:
        action = lowest_bit(actions)
        actions &= actions - 1
        score = score_of(game, rulebook, paper, seat, action, weights)
        if score > best:
            best, chosen = score, action
    return chosen


@kernel
def way_out(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> int:
    """Return an action when none is honest: the likeliest play; with one strike left, what is least bad, if possible.

    That is the discard that is likeliest worthless, or any hint.
    """
    size, most, chosen = wide(rulebook["hand_size"]), -1.0, wide(NONE)
    legal = legal_mask(game, rulebook)
    is_last = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1
    if is_last and not legal & 1 and legal >> 2 * size:
        return 2 * size + lowest_bit(legal >> 2 * size)
    for slot in range(paper["length"][seat]):
        total = weight(paper["own"][slot], paper["unseen"])
        wanted = paper["worthless"] if is_last and legal & 1 else paper["playable"]
        chance = weight(paper["own"][slot] & wanted, paper["unseen"]) / total if total else 0.0
        if chance > most:
            most, chosen = chance, wide(slot)
    if chosen == NONE:
        return lowest_bit(legal)
    return chosen if is_last and legal & 1 else size + chosen


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats) -> None:
    """Take note of what a turn meant."""
    note_turn(games[g], rulebooks[0], record_in(memory[seat], 0, PAPER), wide(parameters[seat, 0]))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, _chance: Chance
) -> int:
    """Return the number of the action chosen."""
    paper = record_in(memory[seat], 0, PAPER)
    is_new = paper["turn"] == 0
    action = choose_action(games[g], rulebooks[0], paper, seat, parameters[seat])
    if is_new:
        paper["turn"] = 0  # a choice is not a turn: the first one is noted when it has happened
    return action
