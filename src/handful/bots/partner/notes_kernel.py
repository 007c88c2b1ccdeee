"""What everybody at a table of `partner` knows of all hands, the same for each, and how a turn changes it.

For each slot of each hand there is the mask of the cards that may be there: by the hints themselves, and by what turns
meant (`meanings_kernel`). Everything else follows from these masks and from the table. Copies are counted in *planes*:
plane i has the cards with more than i copies.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, Floats, Ints, TypedDict, record_type
from handful.bots.conventions.notes_kernel import NO_SLOT, NUM_PLANES, is_first_turn, note_worth
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, MAX_SUITS, NO_CARD, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS

NOBODY = -1
NUM_ASKS = 3  # prompts and finesses that may be under way
PATIENCE = 2  # misunderstandings with a seat, after which only what hints literally say counts with it


class Notes(TypedDict):
    """What everybody knows. Cards and slots are masks; a place is seat · hand size + slot."""

    turn: Annotated[int, np.int64]  # that the notes stand for, plus 1; 0: nothing is noted yet
    level: Annotated[int, np.int64]  # which conventions are kept: 1, 2 or 3
    playable: Annotated[int, np.int64]
    worthless: Annotated[int, np.int64]
    critical: Annotated[int, np.int64]  # the last copy of a card still needed
    soon: Annotated[int, np.int64]  # playable now, or once cards have been played that are known to be coming
    held: Annotated[int, np.int64]  # by somebody, for all to know
    hints: Annotated[int, np.int64]  # tokens
    is_last: Annotated[int, np.int64]  # whether one more strike ends the game: nobody is asked for a play then
    literal: Annotated[int, np.int64]  # seats that mean no more than hints literally say
    plain: Annotated[int, np.int64]  # seats that neither give nor answer prompts, finesses and bluffs
    quiet: Annotated[int, np.int64]  # seats whose turns say nothing of the next player's chop
    left: Annotated[Ints, np.int64, NUM_PLANES]  # planes: copies in the hands or in the deck
    touched: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: slots touched by a hint
    plays: Annotated[Ints, np.int64, MAX_PLAYERS]  # sure plays
    trash: Annotated[Ints, np.int64, MAX_PLAYERS]  # sure trash
    chop: Annotated[Ints, np.int64, MAX_PLAYERS]  # a slot, or NO_SLOT
    next_chop: Annotated[Ints, np.int64, MAX_PLAYERS]  # the one after it
    length: Annotated[Ints, np.int64, MAX_PLAYERS]  # cards held
    errors: Annotated[Ints, np.int64, MAX_PLAYERS]  # misunderstandings with a seat so far
    masks: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place: the cards that may be there
    awaited: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place: of its cards those meant to be playable soon
    teller: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place: 1 + the seat whose turn meant something of it; or 0
    # Hints that are prompts or finesses, if their focus is one of `ask_cards`.
    ask_seat: Annotated[Ints, np.int64, NUM_ASKS]  # whose card the hint is about; NOBODY: there is none
    ask_slot: Annotated[Ints, np.int64, NUM_ASKS]
    ask_giver: Annotated[Ints, np.int64, NUM_ASKS]
    ask_direct: Annotated[Ints, np.int64, NUM_ASKS]  # what the focus is if nobody answers
    ask_cards: Annotated[Ints, np.int64, NUM_ASKS]  # what it may be otherwise
    asked: Annotated[Ints, np.int64, (NUM_ASKS, MAX_PLAYERS, MAX_SUITS)]  # slots asked for, of those still to answer


class Paper(Notes):
    """The notes, and scratch paper behind them, for what is not common knowledge."""

    after: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place: the cards that may be there after an action
    changed: Annotated[int, np.int64]  # the seats whose `after` differs from `masks`
    connect: Annotated[Ints, np.int64, (MAX_PLAYERS, MAX_SUITS)]  # the slot that a prompt or finesse for a suit means
    own: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per own slot of the player to move: what it may be for that player
    faces: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place that the player to move sees: the card
    coming: Annotated[int, np.int64]  # as `soon`, for the player to move
    certain: Annotated[int, np.int64]  # the same, with own cards only where they are known
    forced: Annotated[int, np.int64]  # the own slot that a prompt or a finesse asks for, or NO_SLOT
    unseen: Annotated[Ints, np.int64, NUM_PLANES]  # planes: copies that the player to move cannot see, nor name
    seen: Annotated[Ints, np.int64, 2]  # cards that the player to move sees in other hands, at least once and twice
    base: Annotated[Floats, np.float64, MAX_PLAYERS]  # per seat: how good its hand is as it is


NOTES, PAPER = record_type(Notes), record_type(Paper)


@inlined_kernel
def is_single(mask: int) -> bool:
    """Return whether a mask has at most one member."""
    return mask & (mask - 1) == 0


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


@kernel
def lose_patience(paper: Paper, seat: int) -> None:
    """Take note of a misunderstanding with a seat: then it plays at level 1, and after the next one it is literal."""
    paper["errors"][seat] += 1
    paper["plain"] |= wide(1) << seat
    if paper["errors"][seat] >= PATIENCE:
        paper["literal"] |= wide(1) << seat


@kernel
def note_error(paper: Paper, place: int) -> None:
    """Take note that somebody meant something else of a place than was read into it."""
    if paper["teller"][place]:
        lose_patience(paper, paper["teller"][place] - 1)
    paper["teller"][place] = 0


@kernel
def rule_out_copies(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Narrow all masks by counting copies: what lies for all to know where nothing else can be is nowhere else.

    Where nothing is possible any more somebody meant something else: that slot goes back to what hints have shown.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    left_1, left_2, left_3, left_4 = paper["left"][0], paper["left"][1], paper["left"][2], paper["left"][3]
    is_changed, rounds = True, 0
    while is_changed and rounds < MAX_HAND_CARDS:
        rounds += 1
        once, twice, thrice = wide(0), wide(0), wide(0)
        for seat in range(players):
            for place in range(seat * size, seat * size + paper["length"][seat]):
                mask = paper["masks"][place] & left_1
                if mask == 0:
                    mask = game["possible"][place] & left_1
                    note_error(paper, place)
                paper["masks"][place] = mask
                if is_single(mask):
                    thrice |= twice & mask
                    twice |= once & mask
                    once |= mask
        paper["held"] = once
        located = (left_1 & ~left_2 & once) | (left_2 & ~left_3 & twice) | (left_3 & ~left_4 & thrice)
        is_changed = False
        for seat in range(players):
            for place in range(seat * size, seat * size + paper["length"][seat]):
                mask = paper["masks"][place]
                if not is_single(mask) and mask & located:
                    paper["masks"][place] = mask & ~located
                    is_changed = True


@kernel
def note_hand(paper: Paper, seat: int, size: int) -> None:
    """Write what follows from the masks of a hand: sure plays, sure trash, the chop and the next chop.

    The chop is the oldest slot that no hint has touched and that is not sure to be playable, worthless or critical.
    """
    plays, trash, chop, next_chop = wide(0), wide(0), wide(NO_SLOT), wide(NO_SLOT)
    for slot in range(paper["length"][seat]):
        mask = paper["masks"][seat * size + slot]
        if mask & ~paper["playable"] == 0:
            plays |= wide(1) << slot
        elif mask & ~paper["worthless"] == 0:
            trash |= wide(1) << slot
        elif not paper["touched"][seat] >> slot & 1 and mask & ~paper["critical"]:
            if chop == NO_SLOT:
                chop = wide(slot)
            elif next_chop == NO_SLOT:
                next_chop = wide(slot)
    paper["plays"][seat], paper["trash"][seat] = plays, trash
    paper["chop"][seat], paper["next_chop"][seat] = chop, next_chop


@inlined_kernel
def all_tops(rulebook: Rulebook) -> int:
    """Return the cards of the highest value."""
    tops, values = wide(0), wide(rulebook["values"])
    for suit in range(wide(rulebook["suits"])):
        tops |= wide(1) << suit * values + values - 1
    return tops


@kernel
def note_soon(paper: Paper, rulebook: Rulebook) -> None:
    """Write what is playable now or soon: what lies where a card is playable soon, whatever it may be, is played.

    A card that was told to be playable soon, and cannot be any more, is not what was meant.
    """
    size, tops = wide(rulebook["hand_size"]), all_tops(rulebook)
    soon, more = wide(0), paper["playable"]
    while more != soon:
        soon = more
        for seat in range(rulebook["players"]):
            for place in range(seat * size, seat * size + paper["length"][seat]):
                mask = paper["masks"][place]
                if mask & ~soon == 0:
                    more |= (mask & ~tops) << 1
    paper["soon"] = soon & ~paper["worthless"]


@kernel
def drop_awaited(paper: Paper, rulebook: Rulebook) -> None:
    """Leave out of all masks what was meant to be playable soon and cannot be, now that other cards are known.

    That is: what no touched cards, whatever they may be, make playable.
    """
    size, tops = wide(rulebook["hand_size"]), all_tops(rulebook)
    coming, more = wide(0), paper["playable"] | paper["soon"]
    while more != coming:
        coming = more
        for seat in range(rulebook["players"]):
            for slot in range(paper["length"][seat]):
                if paper["touched"][seat] >> slot & 1:
                    more |= (paper["masks"][seat * size + slot] & coming & ~tops) << 1
    for seat in range(rulebook["players"]):
        for place in range(seat * size, seat * size + paper["length"][seat]):
            gone = paper["awaited"][place] & ~coming & ~paper["worthless"]  # another copy may have been played
            if gone and paper["masks"][place] & ~gone:
                paper["masks"][place] &= ~gone
                paper["awaited"][place] &= ~gone


@kernel
def refresh(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Write all that follows from the masks and from the table."""
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    note_worth(game, rulebook, paper)
    for seat in range(players):
        touched, length = wide(0), wide(game["lengths"][seat])
        for slot in range(length):
            place = seat * size + slot
            mask = paper["masks"][place] & game["possible"][place]
            if paper["literal"] >> seat & 1:
                mask = game["possible"][place]
            if mask == 0:
                mask = game["possible"][place]
                note_error(paper, place)
            paper["masks"][place] = mask
            touched |= wide(game["touched"][place] != 0) << slot
        paper["touched"][seat], paper["length"][seat] = touched, length
    rule_out_copies(game, rulebook, paper)
    note_soon(paper, rulebook)
    drop_awaited(paper, rulebook)
    for seat in range(players):
        note_hand(paper, wide(seat), size)
    paper["hints"], paper["turn"] = game["hints"], game["turn"] + 1
    paper["is_last"] = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1


@kernel
def begin(game: Game, rulebook: Rulebook, paper: Paper, level: int) -> None:
    """Write the notes of a game of which nothing is known but what lies open."""
    size = wide(rulebook["hand_size"])
    paper["level"], paper["literal"], paper["plain"], paper["quiet"] = level, 0, 0, 0
    for number in range(NUM_ASKS):
        paper["ask_seat"][number] = NOBODY
    for seat in range(rulebook["players"]):
        paper["errors"][seat] = 0
        for place in range(seat * size, seat * size + size):
            paper["masks"][place], paper["teller"][place] = game["possible"][place], 0
            paper["awaited"][place] = 0
    refresh(game, rulebook, paper)


@kernel
def begin_deal(rulebook: Rulebook, paper: Paper, level: int) -> None:
    """Write the notes of a game in which nobody has moved yet."""
    size, values = wide(rulebook["hand_size"]), wide(rulebook["values"])
    paper["level"], paper["literal"], paper["plain"], paper["quiet"] = level, 0, 0, 0
    for number in range(NUM_ASKS):
        paper["ask_seat"][number] = NOBODY
    paper["playable"], paper["worthless"], paper["held"] = 0, 0, 0
    for plane in range(NUM_PLANES):
        paper["left"][plane] = 0
    for suit in range(wide(rulebook["suits"])):
        paper["playable"] |= wide(1) << suit * values
        for card in range(suit * values, (suit + 1) * values):
            for copy in range(min(NUM_PLANES, wide(rulebook["copies"][card]))):
                paper["left"][copy] |= wide(1) << card
    paper["critical"] = paper["left"][0] & ~paper["left"][1]
    paper["soon"], paper["hints"], paper["turn"] = paper["playable"], rulebook["max_hints"], 1
    paper["is_last"] = wide(rulebook["max_strikes"]) == 1
    for seat in range(rulebook["players"]):
        for place in range(seat * size, seat * size + size):
            paper["masks"][place], paper["teller"][place] = rulebook["all_mask"], 0
            paper["awaited"][place] = 0
        paper["length"][seat], paper["touched"][seat], paper["errors"][seat] = size, 0, 0
        note_hand(paper, wide(seat), size)


@kernel
def begin_notes(game: Game, rulebook: Rulebook, paper: Paper, level: int) -> None:
    """Write the notes of a game that begins, or that is joined in its midst."""
    if is_first_turn(game, rulebook):
        begin_deal(rulebook, paper, level)
    else:
        begin(game, rulebook, paper, level)


@kernel
def move_down(game: Game, rulebook: Rulebook, paper: Paper) -> None:
    """Take the card of the last turn out of the masks of its hand; newer ones move down, and a new one may come."""
    actor = wide(game["last_actor"])
    first = actor * wide(rulebook["hand_size"])
    last = first + paper["length"][actor] - 1
    for place in range(first + wide(game["last_slot"]), last):
        paper["masks"][place], paper["teller"][place] = paper["masks"][place + 1], paper["teller"][place + 1]
        paper["awaited"][place] = paper["awaited"][place + 1]
    paper["awaited"][last] = 0
    if game["last_drew"] != NO_CARD:
        paper["masks"][last], paper["teller"][last] = rulebook["all_mask"], 0
