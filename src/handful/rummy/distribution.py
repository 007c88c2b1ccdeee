"""How long will it take, not only on average: the whole distribution of the turns under optimal play.

Finkle 2017, section 6.2 asks for the variance around E. Both it and the distribution follow exactly from the chain of
hands that optimal play runs through (see the kernels); where too many can be met, those that are met rarely are
bundled. Where two throws have equal expected turns, the spread may
depend on which is made: ours is said there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.rummy.cards import NUM_CARDS, HandLike
from handful.rummy.solver.spread import open_spread

if TYPE_CHECKING:
    from handful._records import Ints
    from handful.rummy.answers import Answers
    from handful.rummy.kernels.chain import SolvedGame

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
LEAST_REST = 1e-9  # the chances of single turns are listed until less than this is left
MOST_TURNS = 20_000
MOST_HANDS, MOST_TARGETS_A_HAND = 600_000, 48
# All hands that can be met are followed if a game has no more kinds. Of others, those that are met with at least this
# chance, and some for the rest; or, where there is no room for all of these, with some times that chance.
FOLLOWED_KINDS = 500_000
LEAST_VISITS, MORE_VISITS = 1e-4, 3.0


@dataclass(frozen=True)
class Turns(Shown):
    """How many turns a hand takes under optimal play.

    `chances[t]` is P(T = t); what lies beyond its end is less than a billionth, and falls by `tail_ratio` in each turn.
    `hands_met` is how many hands, up to symmetry, were followed. With six cards and more there may be too many to
    follow all: `not_followed` is the chance to meet one that was not. Such a hand goes on as followed hands of its
    expected turns do on average: so `expected` is exact, and the rest nearly. `sd` is exact (`is_sd_exact`) if all were
    followed, or if the `spread` of the game is on disk. If cards are gone, `sampled_games` may have been played: then
    all but `expected` comes from them.
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
    summary = answers.summary()
    least_visits = 0.0 if summary.kinds <= FOLLOWED_KINDS else LEAST_VISITS
    turns = follow(solved_answers(answers), answers.index(hand), least_visits)
    spread = None if turns.is_sd_exact else open_spread(answers)
    if spread is None:
        return turns
    return replace(turns, sd=float(spread.deviations[answers.index(hand)]), is_sd_exact=True)


def solved_answers(answers: Answers) -> SolvedGame:
    """Return what kernels need to play by answers."""
    from handful.rummy.kernels.chain import SolvedGame

    return SolvedGame(answers.hand_index, answers.values, NUM_CARDS, answers.game.cards)


def follow(
    game: SolvedGame,
    hand: int,
    least_visits: float = 0.0,
    binomials: Ints | None = None,
    most_hands: int = MOST_HANDS,
) -> Turns:
    """Return how many turns a hand takes, given by its index (or, in a smaller deck, its number, by `binomials`).

    Of hands that are met less likely than `least_visits` only some are followed, by lot; so it is, too, if more than
    `most_hands` are met.
    """
    import numpy as np

    from handful.rummy.kernels.chain import FOLLOWED, LEFT, explore, make_chain, make_moves, put_in_order
    from handful.rummy.kernels.distribution import turns_of

    expected = float(game.values[hand])
    if expected == 0.0:
        return Turns(0.0, 0.0, (1.0,), 0.0, 0, 0.0)
    draws = game.deck_size - game.hand_size
    most = min(most_hands, len(game.values))
    while True:
        chain = make_chain(most, MOST_TARGETS_A_HAND * most)
        if explore(game, binomials, hand, least_visits, make_moves(), chain):
            break
        least_visits = max(MORE_VISITS * least_visits, 1e-10)
    put_in_order(chain)
    chances, second_moment, not_followed = turns_of(chain, draws, MOST_TURNS, LEAST_REST)
    fates, stays = (column[: int(chain.sizes["hands"])] for column in (chain.fates, chain.stays))
    variance = second_moment - expected**2
    if not_followed:
        chances, numbers = chances / chances.sum(), np.arange(len(chances))
        variance = float((numbers**2 * chances).sum() - (numbers * chances).sum() ** 2)
    sd = sqrt(max(variance, 0.0))
    tail, met = float(stays[fates != LEFT].max()) / draws, int((fates == FOLLOWED).sum())
    return Turns(expected, sd, tuple(chances.tolist()), tail, met, not_followed, is_sd_exact=not not_followed)
