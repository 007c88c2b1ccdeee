"""What many games say together: figures, where games are lost, how it went over time, and which to learn from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import fmean
from typing import Any

from handful.hanabi.live.records import PLAYED_OUT
from handful.lab.history.findings import MISTAKES, PACE_POINTS, RESULTS, Finding
from handful.lab.statistics import Interval, wilson_interval

MOST_INSTRUCTIVE = 10
TURNS_A_BIN = 10
MOST_PERIODS = 24
TO_THE_END = ("perfect", "deck", PLAYED_OUT)  # endings of games that were played as far as they could be
OF_NO_CARD = 0.25  # what a mistake counts that no single card shows: anybody could have made it
OF_BAD_LUCK = 0.5  # a card that came again, but too late, was not known to


@dataclass(frozen=True)
class Played:
    """A game that was played: what it says, and on which day it was, if that is known."""

    finding: Finding
    day: date | None = None


@dataclass(frozen=True)
class Line:
    """Some of the games, taken together: those of a variant, of a number of players, with a partner, of a time."""

    name: str
    games: int
    perfect: int
    unwinnable: int
    lost: int
    mine: int  # of those lost, by the player who is asked about
    bottom_deck: int
    score_share: float  # the mean of score / maximum
    efficiency: float | None  # the mean of the games that were played to their end
    least_efficiency: float | None
    pace: float | None  # the mean when half of the deck was left

    @property
    def perfect_share(self) -> float:
        """The share of perfect games among those that could be won."""
        winnable = self.games - self.unwinnable
        return self.perfect / winnable if winnable else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "perfect_share": self.perfect_share}


@dataclass(frozen=True)
class Instructive:
    """A game to learn from: the turn that lost it, by whom and how, and how plainly it could be seen."""

    game: str
    game_id: int
    names: tuple[str, ...]
    score: int
    max_score: int
    turn: int
    player: str
    mistake: str
    text: str
    foreseen: float | None
    link: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "names": list(self.names)}


@dataclass(frozen=True)
class Streaks:
    """Runs of games one after another: perfect ones, the longest and the present one; and games not lost by the player.

    Deals that cannot be won neither end a run nor count.
    """

    perfect: int
    perfect_now: int
    without_own_mistake: int
    without_own_mistake_now: int


@dataclass(frozen=True)
class Summary:
    """What games say. `results` counts those of each result; the others are explained where they come from."""

    player: str
    games: int
    unread: dict[str, int]
    results: dict[str, int]
    perfect_ci95: Interval  # of the perfect games among those that could be won
    mean_score: float
    mistakes: dict[str, int]
    own_mistakes: dict[str, int]
    causes: dict[str, int]
    bottom_deck: int
    lost_turns: dict[int, int]  # first turn of ten: how many games were lost there
    pace_curve: dict[str, tuple[float | None, ...]]  # of all, of perfect and of lost games
    by_variant: tuple[Line, ...]
    by_players: tuple[Line, ...]
    by_partner: tuple[Line, ...]
    over_time: tuple[Line, ...]
    streaks: Streaks
    instructive: tuple[Instructive, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        plain = dict(self.__dict__)
        for name in ("by_variant", "by_players", "by_partner", "over_time", "instructive"):
            plain[name] = [each.to_dict() for each in plain[name]]
        plain["perfect_ci95"] = list(self.perfect_ci95)
        plain["lost_turns"] = {str(turn): count for turn, count in self.lost_turns.items()}
        plain["pace_curve"] = {name: list(curve) for name, curve in self.pace_curve.items()}
        plain["streaks"] = dict(self.streaks.__dict__)
        return plain


def summarise(
    games: Sequence[Played], player: str = "", link_of: Callable[[Finding], str] = lambda each: ""
) -> Summary:
    """Return what games say, the oldest first. `player` is whom they are about, if anybody; `link_of` shows a game."""
    read = [each for each in games if not each.finding.error]
    findings = [each.finding for each in read]
    counts = Counter(finding.result for finding in findings)
    winnable = len(findings) - counts["unwinnable"] - counts["undecided"]
    lost = [finding for finding in findings if finding.result == "lost"]
    own = [finding for finding in lost if is_own(finding, player)]
    turns = Counter((finding.lost_at or 1) - 1 for finding in lost)
    return Summary(
        player=player,
        games=len(findings),
        unread=dict(Counter(short_error(each.finding) for each in games if each.finding.error).most_common()),
        results={name: counts[name] for name in RESULTS},
        perfect_ci95=wilson_interval(counts["perfect"], max(0, winnable)),
        mean_score=fmean(finding.score for finding in findings) if findings else 0.0,
        mistakes=_by_kind(finding.mistake for finding in lost),
        own_mistakes=_by_kind(finding.mistake for finding in own),
        causes=dict(Counter(finding.cause for finding in findings if finding.cause).most_common()),
        bottom_deck=sum(finding.mistake == "bottom deck" for finding in lost),
        lost_turns=_binned(turns),
        pace_curve={
            "all": _curve(findings),
            "perfect": _curve(finding for finding in findings if finding.result == "perfect"),
            "lost": _curve(lost),
        },
        by_variant=_lines(read, player, lambda each: [each.finding.variant]),
        by_players=_lines(read, player, lambda each: [f"{each.finding.players} players"], by_name=True),
        by_partner=_lines(read, player, lambda each: partners(each.finding, player)) if player else (),
        over_time=periods(read, player),
        streaks=streaks_of(findings, player),
        instructive=instructive(lost, player, link_of),
    )


def is_own(finding: Finding, player: str) -> bool:
    """Whether it was this player who lost the game."""
    return finding.culprit is not None and finding.names[finding.culprit].lower() == player.lower()


def partners(finding: Finding, player: str) -> list[str]:
    """Return who else played."""
    return [name for name in finding.names if name.lower() != player.lower()]


def short_error(finding: Finding) -> str:
    """Return what is wrong with a game, without its name: so that the same is counted together.

    >>> short_error(Finding(game="game 17", error="game 17: options.variant: there is no variant 'X'"))
    "options.variant: there is no variant 'X'"
    """
    return finding.error.removeprefix(f"{finding.game}: ")


def _by_kind(kinds: Iterable[str]) -> dict[str, int]:
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in MISTAKES if counts[kind]}


def _binned(turns: Counter[int]) -> dict[int, int]:
    """Return how many games were lost on turns 1 to 10, 11 to 20, …, by the first turn of each."""
    bins: Counter[int] = Counter()
    for turn, count in turns.items():
        bins[turn // TURNS_A_BIN] += count
    return {TURNS_A_BIN * number + 1: bins[number] for number in range(max(bins, default=-1) + 1)}


def _curve(findings: Iterable[Finding]) -> tuple[float | None, ...]:
    """Return the mean pace at each tenth of the deck."""
    curves = [finding.paces for finding in findings if len(finding.paces) == PACE_POINTS]
    columns = [[curve[place] for curve in curves] for place in range(PACE_POINTS)]
    return tuple(_mean(column) for column in columns)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _lines(
    games: Sequence[Played], player: str, names_of: Callable[[Played], Iterable[str]], by_name: bool = False
) -> tuple[Line, ...]:
    """Return a line for each name that games go by, those with most games first."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for each in games:
        for name in names_of(each):
            groups[name].append(each.finding)
    lines = [line_of(name, findings, player) for name, findings in groups.items()]
    return tuple(sorted(lines, key=lambda line: line.name if by_name else (-line.games, line.name)))


def line_of(name: str, findings: Sequence[Finding], player: str) -> Line:
    """Return some games taken together."""
    counts = Counter(finding.result for finding in findings)
    lost = [finding for finding in findings if finding.result == "lost"]
    return Line(
        name=name,
        games=len(findings),
        perfect=counts["perfect"],
        unwinnable=counts["unwinnable"],
        lost=len(lost),
        mine=sum(is_own(finding, player) for finding in lost),
        bottom_deck=sum(finding.mistake == "bottom deck" for finding in lost),
        score_share=fmean(finding.score / finding.max_score for finding in findings),
        efficiency=_mean(finding.efficiency for finding in findings if finding.ending in TO_THE_END),
        least_efficiency=_mean(finding.least_efficiency for finding in findings),
        pace=_mean(finding.paces[PACE_POINTS // 2] for finding in findings if len(finding.paces) == PACE_POINTS),
    )


def periods(games: Sequence[Played], player: str) -> tuple[Line, ...]:
    """Return lines over time: by years, months or days, as fits; or so many games each, where days are not known."""
    if not games:
        return ()
    days = [each.day for each in games]
    if None not in days:
        for form in ("%Y-%m-%d", "%Y-%m", "%Y"):
            names = [day.strftime(form) for day in days if day is not None]
            if len(set(names)) <= MOST_PERIODS:
                order = list(dict.fromkeys(sorted(names)))
                lines = {line.name: line for line in _lines(games, player, lambda each: [each.day.strftime(form)])}  # type: ignore[union-attr]  # noqa: B023
                return tuple(lines[name] for name in order)
    size = -(-len(games) // MOST_PERIODS)
    return tuple(
        line_of(
            f"{first + 1}–{min(first + size, len(games))}",
            [each.finding for each in games[first : first + size]],
            player,
        )
        for first in range(0, len(games), size)
    )


def streaks_of(findings: Sequence[Finding], player: str) -> Streaks:
    """Return the runs of games, the oldest first."""

    def runs(is_good: Callable[[Finding], bool]) -> tuple[int, int]:
        longest = now = 0
        for finding in findings:
            if finding.result != "unwinnable":
                now = now + 1 if is_good(finding) else 0
                longest = max(longest, now)
        return longest, now

    perfect, perfect_now = runs(lambda finding: finding.result == "perfect")
    own, own_now = runs(lambda finding: not is_own(finding, player)) if player else (0, 0)
    return Streaks(perfect, perfect_now, own, own_now)


def instructive(lost: Sequence[Finding], player: str, link_of: Callable[[Finding], str]) -> tuple[Instructive, ...]:
    """Return the games to learn most from: own mistakes first.

    Of these, what could be seen most plainly comes first, in games that were otherwise good.
    What counts is the chance, by all that the player saw, that the card was what it was (half of it, where other copies
    were still to come), and half of the share of points that the game reached.
    """

    def value(finding: Finding) -> float:
        seen = OF_NO_CARD if finding.foreseen is None else finding.foreseen
        seen *= OF_BAD_LUCK if finding.mistake == "bottom deck" else 1
        return seen + finding.points / finding.max_score / 2

    def order(finding: Finding) -> tuple[bool, float, int, str]:
        return not is_own(finding, player), -value(finding), finding.game_id, finding.game

    best = sorted(lost, key=order)[:MOST_INSTRUCTIVE]
    return tuple(
        Instructive(
            game=finding.game,
            game_id=finding.game_id,
            names=finding.names,
            score=finding.score,
            max_score=finding.max_score,
            turn=finding.lost_at or 0,
            player=finding.names[finding.culprit or 0],
            mistake=finding.mistake,
            text=finding.text,
            foreseen=finding.foreseen,
            link=link_of(finding),
        )
        for finding in best
    )
