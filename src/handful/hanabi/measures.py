"""The numbers that players live by: pace, risk, cards gotten, efficiency, hints still usable.

All of them follow from what everybody knows, so they can be shown at a table without giving anything away. The
definitions are those of hanab.live; a *clue* there is a hint here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from handful.display import Listing, Shown, named_rows
from handful.hanabi.actions import HintSuit, HintValue
from handful.hanabi.cards import cards_mask
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import Turn
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Variant
from handful.hanabi.view import CommonKnowledge
from handful.hanabi.worth import best_heights, copies_left, playable_mask, worthless_mask

Risk = Literal["low", "medium", "high", "none left"]

# What lies open in a game: the whole state has it, and so has whoever sits at the table.
Open: TypeAlias = State | CommonKnowledge


@dataclass(frozen=True)
class Measures(Shown):
    """Where a game stands, in the numbers that players live by.

    `best_score` is the best that can still be reached as far as the discard pile tells; `pace` is what is left to
    discard on the way there (None without a last round), `risk` that of a discard now. `gotten` cards were played, or
    are touched and not known to be worthless; `hints_spent` are the hints given and the tokens lost, and `efficiency`
    is gotten / spent (None before the first). `hints_usable` hints can still be given, and what is left needs
    `future_efficiency` cards for each of them: None if there are none, or no limit.
    """

    points: int
    best_score: int
    pace: int | None
    risk: Risk | None
    gotten: int
    hints_spent: float
    efficiency: float | None
    hints_usable: int | None
    future_efficiency: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return asdict(self)

    def shown(self) -> Listing:
        """Return what a notebook shows: a line for each number."""
        return Listing("", (), named_rows(self.to_dict()))


def measures(game: Open) -> Measures:
    """Return the numbers of a game as it stands.

    >>> from handful.hanabi import Deal
    >>> start = measures(State(Deal.from_seed(Rules(players=5), seed=1)))
    >>> start.pace, start.risk, start.hints_usable, round(start.future_efficiency, 2)
    (10, 'low', 22, 1.14)
    """
    left = _copies_left(game)
    heights = _best_stacks(game, left)
    best = sum(heights)
    got, spent, usable = _gotten(game, left, best), hints_spent(game), _hints_usable(game, heights)
    spare = _pace(game, best)
    return Measures(
        points=game.points,
        best_score=best,
        pace=spare,
        risk=risk_of_discard(spare, game.rules.players),
        gotten=got,
        hints_spent=spent,
        efficiency=got / spent if spent else None,
        hints_usable=usable,
        future_efficiency=(best - got) / usable if usable else None,
    )


# The best score, and the pace


def needed_mask(game: Open) -> int:
    """Return the mask of the cards that can still be played and are not yet: worth having, and with a copy left."""
    return _needed_mask(game, _copies_left(game))


def _needed_mask(game: Open, left: Sequence[int]) -> int:
    there = sum(1 << index for index, count in enumerate(left) if count)
    return there & ~worthless_mask(game.rules.variant, game.stacks, left, game.open_orders)


def _copies_left(game: Open) -> list[int]:
    return copies_left(game.rules.variant, game.stacks, game.discards, game.open_orders)


def best_stacks(game: Open) -> tuple[int, ...]:
    """Return for each suit how high its stack can still become: no stack goes past a card that is lost."""
    return _best_stacks(game, _copies_left(game))


def _best_stacks(game: Open, left: Sequence[int]) -> tuple[int, ...]:
    return best_heights(game.rules.variant, game.stacks, left, game.open_orders)


def best_score(game: Open) -> int:
    """Return the best score still possible, as far as the discard pile tells: 25 until the last copy of a card is gone.

    >>> from handful.hanabi import Deal
    >>> best_score(State(Deal.from_seed(Rules(players=2), seed=1)))
    25
    """
    return sum(best_stacks(game))


def is_played_out(game: State) -> bool:
    """Return whether nothing can be played any more: no card that fits a stack is left to those who still have a turn.

    hanab.live ends a game then; here it goes on, for the last turns can still be hints.
    """
    variant, players = game.rules.variant, game.rules.players
    turns = players if game.turns_left is None else game.turns_left
    hands = [card for ahead in range(turns) for card in game.hand((game.current + ahead) % players)]
    return not cards_mask(variant, (*hands, *game.deck())) & playable_mask(variant, game.stacks, game.open_orders)


def pace(game: Open) -> int | None:
    """Return how many more cards may be discarded or misplayed with the best score still in reach.

    Pace = points + deck + players − best score. In the last round, for which hanab.live shows none, the turns that are
    left count for the players: below 0, the best score is out of reach. None where the end of the deck does not end
    the game, or plays lie face down.

    >>> from handful.hanabi import Deal
    >>> pace(State(Deal.from_seed(Rules(players=2), seed=1)))
    17
    """
    return _pace(game, best_score(game))


def _pace(game: Open, best: int) -> int | None:
    rules = game.rules
    if not rules.has_last_round or _is_hidden(game):
        return None
    last_turns = rules.players if game.turns_left is None else game.turns_left
    return game.points + game.deck_size + last_turns - best


def risk_of_discard(pace: int | None, players: int) -> Risk | None:
    """Return how much a discard risks at this pace: the fewer are left for each player, the more.

    None left at pace ≤ 0; high if pace − players + ⌊players / 2⌋ < 0; medium if pace − players < 0; low otherwise.

    >>> [risk_of_discard(pace, players=4) for pace in (4, 3, 2, 1, 0)]
    ['low', 'medium', 'medium', 'high', 'none left']
    """
    if pace is None:
        return None
    if pace <= 0:
        return "none left"
    if pace - players + players // 2 < 0:
        return "high"
    return "medium" if pace < players else "low"


# Efficiency


def gotten(game: Open) -> int:
    """Return how many cards were gotten: played, or touched in a hand and not known by hints to be worthless.

    At most the best score: of two touched copies of a card, one is gotten for nothing.
    """
    return _gotten(game, _copies_left(game), best_score(game))


def _gotten(game: Open, left: Sequence[int], best: int) -> int:
    needed = _needed_mask(game, left)
    touched = sum(
        held.knowledge.is_touched and bool(held.knowledge.possible_mask & needed)
        for hand in game.hands
        for held in hand
    )
    return min(game.points + touched, best)


def hints_spent(game: Open) -> float:
    """Return the hints given and the tokens lost: by a strike, and by completing a stack while all tokens are there."""
    rules, spent = game.rules, 0.0
    for turn in game.history:
        if isinstance(turn.action, HintSuit | HintValue):
            spent += 1
        elif turn.is_strike:
            spent += token_for_a_discard(rules)
    if rules.max_hints is not None:
        # Of the first turn nothing is known before it; there only an arranged game has a stack to complete.
        spent += token_for_a_stack(rules) * sum(
            place > 0 and game.history[place - 1].hints == rules.max_hints
            for place in _completing_turns(rules.variant, game.stacks, game.history)
        )
    return spent


def _completing_turns(variant: Variant, stacks: Sequence[int], history: Sequence[Turn]) -> list[int]:
    """Return the places in the history at which a stack was completed: the last card that each full stack got."""
    full = {suit for suit, height in enumerate(stacks) if height == variant.stack_size}
    found = []
    for place in range(len(history) - 1, -1, -1):
        card = history[place].card
        if card is not None and card.suit in full and _adds_a_point(history, place):
            full.remove(card.suit)
            found.append(place)
    return found


def _adds_a_point(history: Sequence[Turn], place: int) -> bool:
    turn = history[place]
    return turn.points > (history[place - 1].points if place else turn.points - (not turn.is_strike))


def hints_usable(game: Open) -> int | None:
    """Return how many hints can still be given on the way to the best score: None if there is no limit.

    Before the last round as many cards leave hands as the deck has. The points that the last round cannot hold must be
    among them; the others may be discards, each for a token. With as few plays as that, the stacks that miss least are
    completed first, each for a token. Half a token is no hint.
    """
    return _hints_usable(game, best_stacks(game))


def _hints_usable(game: Open, best: Sequence[int]) -> int | None:
    rules = game.rules
    if game.hints is None or not rules.has_last_round or _is_hidden(game):
        return None
    missing, deck = sum(best) - game.points, game.deck_size
    # Plays before the last round; all that misses may fit into it, or not even the whole deck be enough.
    plays = min(max(0, missing - rules.players), deck)
    tokens = game.hints + game.half_token / 2 + (deck - plays) * token_for_a_discard(rules)
    full = rules.variant.stack_size
    for misses in sorted(full - height for height, top in zip(game.stacks, best, strict=True) if height < top == full):
        plays -= misses
        if plays < 0:
            break
        tokens += token_for_a_stack(rules)
    return int(tokens)


def least_efficiency(rules: Rules) -> float | None:
    """Return the efficiency that a perfect game needs at least: the maximum / the hints usable at the start.

    >>> [round(least_efficiency(Rules(players=players)), 2) for players in (2, 3, 4, 5)]
    [0.86, 1.0, 1.0, 1.14]
    """
    if rules.max_hints is None or not rules.has_last_round:
        return None
    usable = hints_usable(State(Deal.from_seed(rules, 0)))  # the same for every deal
    return rules.max_score / usable if usable else None


def token_for_a_discard(rules: Rules) -> float:
    """Return what a discard gives: a hint token, or half of one."""
    return 0.5 if rules.variant.modifiers.clue_starved else 1


def token_for_a_stack(rules: Rules) -> float:
    """Return what a completed stack gives: a hint token, if the rules say so, or half of one."""
    return token_for_a_discard(rules) if rules.completed_stack_gives else 0


def _is_hidden(game: Open) -> bool:
    """Whether stacks and strikes are not known, because plays lie face down."""
    return isinstance(game, CommonKnowledge) and game.is_hidden
