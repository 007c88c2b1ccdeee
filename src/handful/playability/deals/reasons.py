"""Why a position cannot be won, in a line that a player can check. The kind of reason stands before the colon.

The *merged relaxation* is a game that is easier than the real one: one player holds the cards of all hands, and hints
are free. A turn uses a card, so all lines have drawn equally many cards after equally many turns. (A misplay throws a
card, and is a discard here.) If even this game is lost, so is the real one:

- **pace**: more discards must be made than are affordable. A discard is a turn without a point; affordable are the
  turns in which a card can be used (one for each card to draw, one for each player in the last round), less the points
  that are missing.
- **capacity**: nothing can be played, and every card held is the last of its kind and needed: the next discard loses
  one.

If the merged game can be won and the real one cannot, the hands or the tokens are to blame:

- **who holds what**: even with hints without limit it cannot be won.
- **tokens**: with hints without limit it could be won.

Where suits can be built in several orders, the merged game is lost for every choice of them; the reason is that of the
choice whose cards come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.errors import RulesError
from handful.hanabi.cards import card_text
from handful.hanabi.state import State
from handful.playability.deals.choices import Choice, open_choices
from handful.playability.deals.sat import SatVerdict, decide
from handful.playability.formulas import NO_TIME

MOST_POSITIONS = 100_000  # of the merged game that are looked at, where there are choices


def why_merged(state: State, most_positions: int = MOST_POSITIONS) -> str | None:
    """Return why the merged relaxation cannot be won from a position; None if it can.

    Most of the time hands without limit explain it, and there is nothing to choose. Otherwise all choices of what to
    throw are tried. If these are more than `most_positions`, the caller is trusted that it cannot be won.

    >>> from handful.hanabi import Deal, Rules, Variant
    >>> rules = Rules(Variant.custom(suits=1, copies=(2, 1, 1)), players=1, hand_size=1)
    >>> print(why_merged(State(Deal.from_cards(rules, "r2 r1 r3 r1"))))
    capacity: nothing can be played, and the only card held is needed and the last of its kind (r2): a discard loses it
    """
    if state.rules.end_of_deck == "never" and not state.rules.all_or_nothing:
        raise RulesError("end_of_deck is 'never': expected 'last-round', for the turns to be counted")
    choices = list(open_choices(state))
    if len(choices) == 1:
        return _why_lost(_Merged.of(state, choices[0]), most_positions)
    reasons: list[tuple[int, str, str]] = []
    for choice in choices:
        game = _Merged.of(state, choice)
        why = _why_lost(game, most_positions)
        if why is None:
            return None
        reasons.append((game.arrivals(), why, choice.in_words(state.stacks)))
    kind, _, words = min(reasons)[1].partition(": ")
    return f"{kind}: in whatever order the suits are built; with {min(reasons)[2]}, {words}"


def _why_lost(game: _Merged, most_positions: int) -> str | None:
    """Return why the merged game cannot be won under a choice of orders; None if it can."""
    if game.missing == 0:
        return None
    return _lost_card(game) or _too_few_turns(game) or _without_limit(game) or _with_choices(game, most_positions)


def why_refuted(
    state: State,
    time_limit: float | None = None,
    refutation: SatVerdict | None = None,
    closed: Sequence[Sequence[int]] = (),
) -> str:
    """Return why a position cannot be won that has been refuted, although the merged relaxation can be won.

    `refutation` is the verdict under the full rules, if there is one: it proves the half of "tokens" that is not proved
    here. If the time is not enough to tell which of the two it is, or there is no solver, the kind is "refuted".
    `closed` are choices of orders that the merged relaxation has refuted.
    """
    return refutation_text(decide(state, time_limit, free_hints=True, closed=closed), refutation, what_binds(state))


def what_binds(state: State) -> str:
    """Return what plays must fit even if hints are free."""
    return "the hands and the last round" if state.rules.has_last_round else "the hands"


def refutation_text(
    free: SatVerdict, refutation: SatVerdict | None = None, what_binds: str = "the hands and the last round"
) -> str:
    """Return the reason from the verdicts with free hints, and under the full rules, if there is one."""
    if free.winnable is False:
        return f"who holds what: even with free hints no order of plays fits {what_binds}{_size(free)}"
    size = "" if refutation is None else _size(refutation)
    if free.winnable:
        return (
            "tokens: with free hints it could be won, but every such line has a hint or a discard "
            f"that the tokens do not allow{size}"
        )
    if free.undecided == NO_TIME:
        return f"refuted: no line wins; there was no time to find out whether one would with free hints{size}"
    return f"refuted: no line wins; to find out whether one would with free hints {free.undecided}{size}"


def _size(verdict: SatVerdict) -> str:
    """Return the size of a proof, in brackets; nothing if no formula was needed."""
    if not verdict.variables:
        return ""
    sizes = {"variable": verdict.variables, "clause": verdict.clauses, "conflict": verdict.conflicts}
    return f" ({', '.join(_number(count, word) for word, count in sizes.items())})"


@dataclass(frozen=True)
class _Merged:
    """The merged game under a choice of orders. Masks are of its types; a type is needed until it is played.

    `deck[i]` is the type at place i (0 for trash), `rest[i]` has the types from there on; `start` cards have been
    drawn. `held` are the needed types in the hands; all else there, dead cards and second copies, is trash. `turns` are
    those in which a card can be used; `capacity` is how many cards the hands hold while there is a deck.
    """

    state: State
    choice: Choice
    deck: tuple[int, ...]
    rest: tuple[int, ...]
    start: int
    played: int
    held: int
    turns: int
    capacity: int

    @staticmethod
    def of(state: State, choice: Choice) -> _Merged:
        """Return the merged game of a position."""
        rules = state.rules
        deck = tuple(map(choice.bit, state.deal.deck))
        rest = [0]
        for card in reversed(deck):
            rest.append(rest[-1] | card)
        played = choice.played(state.stacks)
        cards = [card for player in range(rules.players) for card in state.hand(player)]
        held = choice.types(cards) & ~played
        if not rules.has_last_round:
            turns = state.deck_size + len(cards)
        else:
            turns = state.deck_size + rules.players if state.turns_left is None else state.turns_left
        start = len(deck) - state.deck_size
        return _Merged(state, choice, deck, tuple(rest[::-1]), start, played, held, turns, len(cards))

    @property
    def missing(self) -> int:
        """How many points are missing."""
        return self.state.rules.max_score - self.state.points

    @property
    def affordable(self) -> int:
        """How many discards are affordable."""
        return self.turns - self.missing

    def playable(self, played: int) -> int:
        """Return the types that extend a stack: the first of it, or the type below is played."""
        return (played << 1 | self.choice.first_types) & ~played & self.choice.all_types

    def at_hand(self, drawn: int, held: int) -> int:
        """Return the types that can be played: those held, and the last card of the deck where the rules say so."""
        if not self.state.rules.deck_plays or drawn < len(self.deck) - 1:
            return held
        suit = self.state.rules.variant.suits[self.state.deal.deck[drawn].suit]
        return held if suit.is_played_by_discarding else held | self.deck[drawn]

    def discards(self, drawn: int, played: int) -> int:
        """Return how many discards have been made: the turns that made no point."""
        return (drawn - self.start) - (played.bit_count() - self.played.bit_count())

    def next_playable(self, drawn: int, played: int) -> int:
        """Return the place in the deck of the first card that could be played, if nothing is played before."""
        playable = self.playable(played)
        return next(place for place in range(drawn, len(self.deck)) if self.deck[place] & playable)

    def arrivals(self) -> int:
        """Return roughly when the needed cards come, all added up."""
        total, size = 0, self.choice.variant.stack_size
        for suit, height in enumerate(self.state.stacks):
            when = 0
            for place in range(height, size):
                bit = 1 << suit * size + place
                came = (
                    self.start
                    if self.held & bit
                    else next(
                        (at for at in range(self.start, len(self.deck)) if self.deck[at] == bit), 2 * len(self.deck)
                    )
                )
                when = max(when, came)
                total += when
        return total


def _lost_card(game: _Merged) -> str | None:
    """Return which card is needed and neither held nor in the deck."""
    for name in game.choice.names(game.choice.all_types & ~(game.played | game.held | game.rest[game.start])):
        return f"lost card: no {name} is left"
    return None


def _too_few_turns(game: _Merged) -> str | None:
    """Return that there are fewer turns than missing points, if that is so."""
    if game.affordable >= 0:
        return None
    points, turns = _number(game.missing, "point is", "points are"), _number(game.turns, "turn")
    which = "" if game.start == len(game.deck) else "in which a card can be used "
    return f"pace: {points} missing, and {turns} {which}{'is' if game.turns == 1 else 'are'} left"


def _without_limit(game: _Merged) -> str | None:
    """Return why the merged game cannot be won even if nothing needed is ever thrown: hands have no limit.

    Whatever can be played is played. When nothing can, everything has been played that any line could have played with
    as many cards drawn; so no line has made fewer discards, and all types that are held now and come no more are held
    in every line that loses none. If they fill the hands, the next discard loses one.
    """
    played, held = game.played, game.held
    for drawn in range(game.start, len(game.deck)):
        ready = game.playable(played) & game.at_hand(drawn, held)
        if ready:
            played |= ready & -ready
            if played == game.choice.all_types:
                return None
        elif (last := held & ~game.rest[drawn]).bit_count() >= game.capacity:
            return f"capacity: {_when(game, drawn)}nothing can be played, and {_must_keep(game, last)}"
        elif game.discards(drawn + 1, played) > game.affordable:
            place = game.next_playable(drawn, played)
            points, discards = played.bit_count(), game.discards(place + 1, played)
            return (
                f"pace: {_arrival(game, place)}; until then at most {_number(points, 'point')} can be made, so at "
                f"least {_discards(game, discards)}, and {_affordable(game)}"
            )
        held = (held | game.deck[drawn]) & ~played
    return None


def _with_choices(game: _Merged, most_positions: int) -> str | None:
    """Return why the merged game cannot be won, whatever is thrown; None if it can.

    Turn by turn, the positions (played, held) of all lines that have lost no card and can afford their discards.
    Whatever can be played is played: it must be at some time, and the order does not matter. If nothing can, trash is
    thrown. A hand full of needed cards throws one that comes again: the type of the next card, if that is held (it is
    there again at once), otherwise all choices are tried. The reason is that of the line that lasts longest.
    """
    all_types = game.choice.all_types
    positions = {(game.played, game.held)}
    looked_at = 0
    has_slow, has_full = False, False  # lines that have ended: too many discards, hands full of last cards
    for drawn in range(game.start, len(game.deck)):
        looked_at += len(positions)
        if looked_at > most_positions:
            return (
                f"capacity: the hands hold {_number(game.capacity, 'card')}, too few to keep what is needed "
                f"with {_discards(game, game.affordable)}"
            )
        following: set[tuple[int, int]] = set()
        slow: list[int] = []  # what these lines have played
        full: list[int] = []  # what these lines hold
        for played, held in positions:
            ready = game.playable(played) & game.at_hand(drawn, held)
            if ready:
                played |= ready & -ready
                if played == all_types:
                    return None
                following.add((played, (held | game.deck[drawn]) & ~played))
            elif game.discards(drawn + 1, played) > game.affordable:
                slow.append(played)
            elif throws := _throws(game, drawn, held):
                following.update((played, (held & ~thrown | game.deck[drawn]) & ~played) for thrown in throws)
            else:
                full.append(held)
        has_slow, has_full = has_slow or bool(slow), has_full or bool(full)
        if slow and not following:
            place = min(game.next_playable(drawn, played) for played in slow)
            unless = " (or a card is lost)" if has_full else ""
            return (
                f"pace: {_arrival(game, place)}; the hands cannot keep all until then, and whatever is thrown, at "
                f"least {_discards(game, game.affordable + 1)} come before it{unless}, and "
                f"{_affordable(game)}"
            )
        if full and not following:
            unless = f" or {_discards(game, game.affordable + 1)} are made" if has_slow else ""
            return (
                f"capacity: whatever is thrown, a card is lost{unless}; in the line that lasts longest, "
                f"{_when(game, drawn)}nothing can be played, and {_must_keep(game, min(full))}"
            )
        positions = following
    return None


def _throws(game: _Merged, drawn: int, held: int) -> list[int]:
    """Return what may be thrown when nothing can be played: trash (0) if there is any, or types that come again."""
    if held.bit_count() < game.capacity:
        return [0]
    if held & game.deck[drawn]:
        return [game.deck[drawn]]
    again = held & game.rest[drawn]
    return [1 << index for index in range(again.bit_length()) if again >> index & 1]


# The words


def _number(count: int, word: str, words: str = "") -> str:
    return f"{count:,} {word if count == 1 else words or word + 's'}"


def _discards(game: _Merged, count: int) -> str:
    """Return so many discards, which are more discards in a game that has begun."""
    has_begun = game.state.points or game.state.discards
    return _number(count, "more discard" if has_begun else "discard")


def _affordable(game: _Merged) -> str:
    return _number(game.affordable, "is affordable", "are affordable")


def _when(game: _Merged, drawn: int) -> str:
    """Return when it is that so many cards have been drawn; nothing for now."""
    return "" if drawn == game.start else f"when card {drawn} of {len(game.deck)} has come, "


def _arrival(game: _Merged, place: int) -> str:
    """Return which card comes at a place of the deck."""
    deck = game.state.deal.deck
    name, where = card_text(game.state.rules.variant, deck[place]), f"as card {place + 1} of {len(deck)}"
    return f"{name} comes again only {where}" if deck[place] in deck[:place] else f"the first {name} comes {where}"


def _must_keep(game: _Merged, last: int) -> str:
    """Return that these types, the last of their kind, fill the hands."""
    count, names = last.bit_count(), " ".join(game.choice.names(last))
    if count > game.capacity:
        return (
            f"{count} cards are needed and the last of their kind ({names}): "
            f"the hands hold {game.capacity}, so one is lost"
        )
    if count == 1:
        return f"the only card held is needed and the last of its kind ({names}): a discard loses it"
    held = "both cards held" if count == 2 else f"all {count} cards held"
    return f"{held} are needed and the last of their kind ({names}): a discard loses one"
