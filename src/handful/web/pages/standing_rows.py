"""What the page says of bots: where they stand, what a simulation came to, who is better on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from handful.bots.best import plays_as
from handful.bots.players import REGISTER, BotEntry, player_named
from handful.errors import NotationError, RulesError
from handful.hanabi.rules import Rules
from handful.hanabi.variants import variant_named
from handful.lab.compare import Comparison
from handful.lab.leaderboard import Standing, standings
from handful.lab.simulate import Simulation
from handful.web.pages.plots import Plot, first_score, scores_plot

MAX_GAMES = 200_000
MIN_PLAYERS, MAX_PLAYERS = 2, 6
BLOCKS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Order:
    """A simulation that somebody asks for, checked; with `against`, a comparison of two bots on the same deals."""

    bot: str
    players: int
    variant: str
    games: int
    seed: int
    against: str = ""

    @staticmethod
    def of(bot: str, players: int, variant: str, games: int, seed: int, against: str = "") -> Order:
        """Return an order, with the names as the register has them; or refuse it."""
        if not 1 <= games <= MAX_GAMES:
            raise NotationError(f"{games:,} games: expected 1 to {MAX_GAMES:,}")
        rules = Rules(variant_named(variant), players)
        names = [player_named(name) for name in (bot, against) if name.strip()]
        if not names:
            raise NotationError("no bot: expected the name of one, such as information")
        for player in names:
            if player.entry is not None:
                player.entry.check(rules)
        against = names[1].name if len(names) > 1 else ""
        return Order(names[0].name, players, rules.variant.name, games, seed, against)

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return Rules(variant_named(self.variant), self.players)

    def stands_for(self, name: str) -> str:
        """Return the bot that plays under the name `best`; empty for all others."""
        try:
            return plays_as(player_named(name), self.rules) or ""
        except RulesError:
            return ""


@dataclass(frozen=True)
class Simulated:
    """A simulation for the page: its figures, its plot, who played under an alias, and some games that were not won.

    `lost` has their numbers and scores.
    """

    result: Simulation
    plot: Plot
    stood_for: str
    lost: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(
        order: Order,
        name: str,
        result: Simulation,
        first: int | None = None,
        lost: tuple[tuple[int, int], ...] = (),
    ) -> Simulated:
        """Return what the page says of a simulation; its plot begins with the score `first`, if one is given."""
        return Simulated(result, scores_plot(result.histogram, first), order.stands_for(name), lost)

    @property
    def half_width(self) -> float:
        """What stands behind the ± of the mean."""
        return (self.result.mean_ci95[1] - self.result.mean_ci95[0]) / 2


@dataclass(frozen=True)
class Compared:
    """Two bots on the same deals, for the page."""

    comparison: Comparison
    first: Simulated
    second: Simulated

    @staticmethod
    def of(order: Order, found: Comparison) -> Compared:
        """Return what the page says of a comparison: both plots have the same scores."""
        first = min(first_score(found.first.histogram), first_score(found.second.histogram))
        return Compared(
            found,
            Simulated.of(order, order.bot, found.first, first),
            Simulated.of(order, order.against, found.second, first),
        )

    @property
    def shares(self) -> tuple[tuple[str, str, int, float, float], ...]:
        """Deals won, tied and lost: class, words, how many, and where they lie in a bar (left, width in per cent)."""
        counts = (
            ("first", f"{self.comparison.first.bot} better", self.comparison.wins),
            ("tied", "equal", self.comparison.ties),
            ("second", f"{self.comparison.second.bot} better", self.comparison.losses),
        )
        deals, left, found = max(1, sum(count for _, _, count in counts)), 0.0, []
        for kind, words, count in counts:
            found.append((kind, words, count, left, 100 * count / deals))
            left += 100 * count / deals
        return tuple(found)


def sparkline(histogram: Sequence[int]) -> str:
    """Return a histogram as a line of letters, from the lowest score that came, to be shown while the games go on.

    >>> sparkline([0, 0, 0, 1, 2, 4, 3, 8])
    ' ▁▂▄▃█'
    """
    top = max(histogram, default=0) or 1
    return "".join(BLOCKS[-(-8 * times // top)] for times in histogram[first_score(histogram) :])


Row: TypeAlias = tuple[Standing, BotEntry | None]

USUAL_PLAYERS = 3  # at whose table the leaderboard opens


@dataclass(frozen=True)
class Board:
    """The leaderboard of a table, and what other tables there are.

    `groups` are its rows under their headings: the bot that `best` stands for, the other players, the strongest first,
    and those that see more than a player may.
    """

    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    variant: str
    players: int
    variants: tuple[str, ...]
    numbers: tuple[int, ...]


def leaderboard(variant: str = "", players: int = 0) -> Board:
    """Return the leaderboard of a variant and a number of players; where there is none, one that there is."""
    every = standings()
    variants = tuple(dict.fromkeys(each.variant for each in every))
    variant = variant if variant in variants else variants[0]
    numbers = tuple(dict.fromkeys(each.players for each in every if each.variant == variant))
    if players not in numbers:
        players = USUAL_PLAYERS if USUAL_PLAYERS in numbers else numbers[0]
    at_table = [each for each in every if (each.variant, each.players) == (variant, players)]
    rows = [(each, REGISTER.get(each.bot.partition("(")[0])) for each in at_table]
    rows.sort(key=lambda row: row[0].mean, reverse=True)
    groups: dict[str, list[Row]] = {BEST: [], OTHERS: [], CEILINGS: []}
    for each, entry in rows:
        sees_more = entry is not None and entry.sees != "view"
        groups[CEILINGS if sees_more else BEST if each.is_best else OTHERS].append((each, entry))
    shown = tuple((heading, tuple(found)) for heading, found in groups.items() if found)
    return Board(shown, variant, players, variants, numbers)


BEST = "What `best` stands for: strong, and quick"
OTHERS = "Other players"
CEILINGS = "Ceilings: they see more than a player may"
