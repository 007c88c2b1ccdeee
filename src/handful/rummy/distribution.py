"""How long will it take, not only on average: the whole distribution of the turns under optimal play.

Finkle 2017, section 6.2 asks for the variance around E. Both it and the distribution follow exactly from the chain of
hands that optimal play runs through (see the kernels). Where two throws have equal expected turns, the spread may
depend on which is made: ours is said there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.rummy.cards import NUM_CARDS, HandLike, mask_of, parse_cards
from handful.rummy.game import EXACT_TURNS_SIZES, FOLLOWED_SIZES
from handful.rummy.solver.spread import open_spread

if TYPE_CHECKING:
    from handful._records import Ints
    from handful.rummy.answers import Answers
    from handful.rummy.kernels.distribution import SolvedGame

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
LEAST_REST = 1e-9  # the chances of single turns are listed until less than this is left
MOST_TURNS = 20_000
LEAST_VISITS = 1e-8  # where not all hands that can be met are followed: those that are, have at least this chance
MOST_HANDS = 150_000
MOST_TARGETS = 40 * MOST_HANDS
# With more cards so many games are played instead.
SAMPLED_GAMES = {7: 40_000, 8: 20_000, 9: 10_000, 10: 10_000}


@dataclass(frozen=True)
class Turns(Shown):
    """How many turns a hand takes under optimal play.

    `chances[t]` is P(T = t); what lies beyond its end is less than a billionth, and falls by `tail_ratio` in each turn.
    `hands_met` is how many hands, up to symmetry, were followed. With six cards there are too many to follow all:
    `not_followed` is the chance to meet one that was not. Such a hand enters with its exact expected turns, but as two
    plain waits. With seven and more cards `sampled_games` were played (always the same), and all but `expected`, which
    is exact, comes from them. `sd` is exact all the same (`is_sd_exact`), if the `spread` of the game is on disk.
    """

    expected: float
    sd: float
    chances: tuple[float, ...]
    tail_ratio: float
    hands_met: int
    not_followed: float
    sampled_games: int = 0
    is_sd_exact: bool = True

    def quantile(self, share: float) -> int:
        """Return the least number of turns that suffices with this chance.

        >>> Turns(1.5, 0.5, (0.0, 0.5, 0.5), 0.0, 1, 0.0).quantile(0.75)
        2
        """
        if not 0 <= share < 1:
            raise HandfulError(f"quantile {share}: expected a chance of at least 0 and below 1")
        for turn, total in enumerate(accumulate(self.chances)):
            if total >= share:
                return turn
        return len(self.chances)

    @property
    def quantiles(self) -> dict[str, int]:
        """The usual quantiles, by their names."""
        return {f"{share:g}": self.quantile(share) for share in QUANTILES}

    def chance_within(self, turns: int) -> float:
        """Return the chance to be done within so many turns."""
        return sum(self.chances[: turns + 1])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "expected_turns": self.expected,
            "sd": self.sd,
            "is_sd_exact": self.is_sd_exact,
            "quantiles": self.quantiles,
            "distribution": list(self.chances),
            "tail_ratio": self.tail_ratio,
            "hands_met": self.hands_met,
            "not_followed": self.not_followed,
            "sampled_games": self.sampled_games,
        }

    def __repr__(self) -> str:
        low, middle, high = (self.quantile(share) for share in (0.05, 0.5, 0.95))
        return f"<Turns {self.expected:.4f} ± {self.sd:.4f}, median {middle}, 5 % to 95 %: {low} to {high}>"


def turns_of(answers: Answers, hand: HandLike) -> Turns:
    """Return how many turns a hand takes under optimal play."""
    cards = answers.game.cards
    if cards in FOLLOWED_SIZES:
        least_visits = 0.0 if cards in EXACT_TURNS_SIZES else LEAST_VISITS
        turns = follow(solved_answers(answers), answers.index(hand), answers.summary().best, least_visits)
    else:
        turns = sample_turns(answers, hand, SAMPLED_GAMES[cards])
    spread = None if turns.is_sd_exact else open_spread(answers)
    if spread is None:
        return turns
    return replace(turns, sd=float(spread.deviations[answers.index(hand)]), is_sd_exact=True)


def solved_answers(answers: Answers) -> SolvedGame:
    """Return what kernels need to play by answers."""
    from handful.rummy.kernels.distribution import SolvedGame

    return SolvedGame(answers.hand_index, answers.values, NUM_CARDS, answers.game.cards)


def follow(game: SolvedGame, hand: int, best: float, least_visits: float = 0.0, binomials: Ints | None = None) -> Turns:
    """Return how many turns a hand takes, given by its index (or, in a smaller deck, its number, by `binomials`).

    `best` is what the best hands take that are no rummies. Hands that are met less likely than `least_visits` are not
    followed.
    """
    from handful.rummy.kernels.distribution import explore, make_chain, make_moves, put_in_order, turns_of

    expected = float(game.values[hand])
    if expected == 0.0:
        return Turns(0.0, 0.0, (1.0,), 0.0, 0, 0.0)
    draws = game.deck_size - game.hand_size
    most, targets = MOST_HANDS, MOST_TARGETS
    if binomials is not None:
        most, targets = len(game.values), 48 * len(game.values)
    while True:
        chain = make_chain(most, targets)
        if explore(game, binomials, hand, least_visits, make_moves(), chain):
            break
        least_visits = max(10 * least_visits, 1e-10)
    put_in_order(chain)
    chances, second_moment = turns_of(chain, draws, best, MOST_TURNS, LEAST_REST)
    size = int(chain.sizes["hands"])
    stays, visits = chain.stays[:size], chain.visits[:size]
    is_waited = stays < 0
    tail = max(float(stays.max()) / draws, 1.0 - 1.0 / best if is_waited.any() else 0.0)
    variance = second_moment - expected**2
    followed = size - int(is_waited.sum())
    not_followed = float(visits[is_waited].sum())
    sd = sqrt(max(variance, 0.0))
    return Turns(expected, sd, tuple(chances.tolist()), tail, followed, not_followed, is_sd_exact=not is_waited.any())


def sample_turns(answers: Answers, hand: HandLike, games: int, seed: int = 0) -> Turns:
    """Return how many turns a hand takes, from games that are played by the answers; the expected turns are exact."""
    import numpy as np

    from handful.rummy.kernels import play as kernels
    from handful.rummy.kernels.play import play_alone
    from handful.rummy.policies import compiled_rules

    player = kernels.Policy(kernels.OPTIMAL, answers.hand_index, answers.values, np.zeros(0, np.int64))
    expected = answers.expected_turns(hand)
    start = mask_of(parse_cards(hand, answers.game.cards))
    turns = np.zeros(games, np.int64)
    play_alone(compiled_rules(answers.game), player, start, False, seed, 0, MOST_TURNS, turns)
    chances = np.bincount(turns) / games
    tail = 1.0 - 1.0 / answers.summary().best if expected else 0.0
    sd = float(turns.std(ddof=1))
    return Turns(expected, sd, tuple(chances.tolist()), tail, 0, 0.0, games, is_sd_exact=expected == 0.0)
