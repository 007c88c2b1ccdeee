"""What the documents ask and leave open: which fraction of deals can be won, and how well can Hanabi be played?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.bots.players import all_bots
from handful.errors import RulesError
from handful.lab.winnable import winnable
from handful.reproduce.bergh_2015_strategies import best_player_line
from handful.reproduce.doorn import PUBLISHED as HAT_PLAYER
from handful.reproduce.outcome import Effort, Estimate, Line, Outcome, Picture, Source, shares
from handful.reproduce.pictures import COLOURS, draw_bars, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from handful.lab import Simulation

PLAYERS = (2, 3, 4, 5)
# The bots of a quick run: those that take milliseconds a game. A full run has all of the register.
QUICK = (
    *("random", "rules", "rules(reading=text)", "recommendation", "hat-2018", "hat"),
    *("conventions", "learned", "information"),
)
SAMPLE = 4  # games, to see how long one takes
CPU_SECONDS_A_LINE = 60.0


def winnable_deals(effort: Effort) -> Outcome:
    """Return the fraction of deals that can be won with all cards known: the first question of the thesis."""
    deals = effort.sample(4_000, 100_000)
    found = []
    for number, players in enumerate(PLAYERS, 1):
        found.append(winnable(players=players, deals=deals, workers=effort.workers))
        effort.on_progress(number / len(PLAYERS))
    lines = []
    for count in found:
        share, name = Estimate.percent(count.fraction, count.ci95), f"{count.players} players"
        lines.append(Line.further(name, share, shares(3), "not known"))
        lines += [Line.further(f"{name}, lost: {cause}", times) for cause, times in count.causes.items()]
        lines.append(Line.proved(f"{name}: deals that are decided, each win replayed", deals - count.undecided, deals))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        lost = [Estimate.percent(1 - count.fraction, (1 - count.ci95[1], 1 - count.ci95[0])) for count in found]
        axes.bar(PLAYERS, [share.value for share in lost], color=COLOURS[0], width=0.6)
        draw_bars(axes, PLAYERS, lost, color="black", marker="", capsize=4)
        for players, share in zip(PLAYERS, lost, strict=True):
            top = (players, share.high)
            axes.annotate(f"{share.value:.3f} %", top, (0, 5), textcoords="offset points", ha="center", va="bottom")
        axes.set_xticks(PLAYERS, [f"{players} players" for players in PLAYERS])
        axes.set_ylabel("deals that cannot be won, %")
        axes.margins(y=0.12)
        grid(axes, "y")

    caption = "Goes further: deals of the classic game that cannot be won even with all cards known (95 % intervals)."
    return Outcome(
        "winnable-deals",
        "Which fraction of all deals can be won?",
        Source("Bergh 2015", "sections 1 and 5, the first main question"),
        "open; single players with small decks only",
        ", ".join(f"{count.fraction:.2%} ({count.players} players)" for count in found),
        tuple(lines),
        f"{deals:,} deals for each number of players, rules of hanab.live; {sum(each.undecided for each in found)} "
        "undecided.",
        (Picture("winnable-deals", caption, draw),),
    )


def leaderboard(effort: Effort) -> Outcome:
    """Return all bots on the same deals: the second question of the thesis."""
    names = list(QUICK)
    if effort.full:
        names += [entry.name for entry in all_bots() if entry.name not in (*QUICK, "best")]
    results: list[Simulation] = []
    for number, name in enumerate(names, 1):
        played = (_measured(effort, name, players) for players in PLAYERS)
        results += [result for result in played if result is not None]
        effort.on_progress(number / len(names))
    lines = [best_player_line(effort)]
    for result in sorted(results, key=lambda each: (each.players, -each.perfect, -each.mean)):
        name = f"{result.players} players, `{result.bot}`, {result.games:,} games"
        lines.append(Line.further(f"{name}: mean score", result.mean, "{:.2f}".format))
        lines.append(Line.further(f"{name}: perfect games", Estimate.perfect(result), shares()))
    top = {players: max((r for r in results if r.players == players), key=lambda r: r.perfect) for players in PLAYERS}
    caption = "Goes further: perfect games of every bot on the same deals, by the number of players (95 % intervals)."
    return Outcome(
        "leaderboard",
        "How well can Hanabi be played?",
        Source("Bergh 2015", "sections 4 and 5, the second main question"),
        "15.4 points on average, perfect games very seldom",
        ", ".join(f"{top[players].perfect:.1%} perfect ({players}: {top[players].bot})" for players in PLAYERS),
        tuple(lines),
        "Seed 1000, rules of hanab.live. docs/leaderboard.md has more games, variants, and what others have published.",
        (leaderboard_picture(results, caption),),
    )


def leaderboard_picture(results: list[Simulation], caption: str) -> Picture:
    """Return a picture of perfect games: a row of marks for each number of players."""
    names = list(dict.fromkeys(result.bot for result in results))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for place, name in enumerate(names):
            own = [result for result in results if result.bot == name]
            at = [result.players + 0.7 * ((place + 0.5) / len(names) - 0.5) for result in own]
            draw_bars(
                axes, at, [Estimate.perfect(result) for result in own], place, markersize=6, capsize=3, label=name
            )
        for number, (players, rates) in enumerate(HAT_PLAYER.items()):
            label = "published: hat-guessing player" if not number else ""
            rate = rates["No Variant"]
            axes.hlines(rate, players - 0.4, players + 0.4, color="#888888", linewidth=0.9, label=label)
        axes.set_xticks(PLAYERS, [f"{players} players" for players in PLAYERS])
        axes.set_ylabel("perfect games, %")
        axes.set_ylim(-3, 103)
        grid(axes, "y")
        sheet.legend(loc="outside lower center", ncols=3, frameon=False)

    return Picture("leaderboard", caption, draw, (8.0, 5.0))


def _measured(effort: Effort, bot: str, players: int) -> Simulation | None:
    """Return the result of a bot, with as many games as it has time for; None if it does not play there."""
    games = effort.sample(500, 20_000)
    try:
        if not effort.full:
            return effort.simulate(bot, players, games, seed=1000)
        sample = effort.simulate(bot, players, SAMPLE, seed=1000)
    except RulesError:
        return None
    seconds = sample.cpu_seconds / sample.games
    affordable = games if seconds * games <= CPU_SECONDS_A_LINE else int(CPU_SECONDS_A_LINE / seconds)
    return effort.simulate(bot, players, max(SAMPLE, affordable), seed=1000)
