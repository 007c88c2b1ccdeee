"""What the documents ask and leave open: which fraction of deals can be won, and how well can Hanabi be played?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.bots.players import all_bots
from handful.errors import RulesError
from handful.lab.winnable import WinnableCount, winnable
from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Line, Outcome, Picture, Source, further_line, share_text
from handful.reproduce.pictures import COLOURS, MARKERS, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from handful.lab import Simulation

PLAYERS = (2, 3, 4, 5)
# The bots of a quick run: those that take milliseconds a game. A full run has all of the register.
QUICK = ("random", "rules", "rules(reading=text)", "recommendation", "hat-2018", "hat", "conventions", "information")
SAMPLE = 4  # games, to see how long one takes
CPU_SECONDS_A_LINE = 60.0
# Published perfect games in per cent by number of players, of the best players that the seeds describe.
PUBLISHED = {4: 94.2, 5: 91.2}


def winnable_deals(effort: Effort) -> Outcome:
    """Return the fraction of deals that can be won with all cards known: the first question of the thesis."""
    deals = effort.sample(4_000, 100_000)
    found = []
    for number, players in enumerate(PLAYERS, 1):
        found.append(winnable(players=players, deals=deals, workers=effort.workers))
        effort.on_progress(number / len(PLAYERS))
    lines = [_winnable_line(count) for count in found]

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        lost = [100 * (1 - count.fraction) for count in found]
        low = [max(0.0, share - 100 * (1 - count.ci95[1])) for share, count in zip(lost, found, strict=True)]
        high = [100 * (1 - count.ci95[0]) - share for share, count in zip(lost, found, strict=True)]
        axes.bar(PLAYERS, lost, yerr=(low, high), color=COLOURS[0], width=0.6, capsize=4)
        for players, share, above in zip(PLAYERS, lost, high, strict=True):
            top = (players, share + above)
            axes.annotate(f"{share:.3f} %", top, (0, 5), textcoords="offset points", ha="center", va="bottom")
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
        f"{deals:,} deals for each number of players, rules of hanab.live; every one decided, each win replayed.",
        (Picture("winnable-deals", caption, draw),),
    )


def leaderboard(effort: Effort) -> Outcome:
    """Return all bots on the same deals: the second question of the thesis."""
    names = list(QUICK)
    if effort.full:
        names += [entry.name for entry in all_bots() if entry.name not in (*QUICK, "best")]
    results: list[Simulation] = []
    for number, name in enumerate(names, 1):
        for players in PLAYERS:
            result = _measured(effort, name, players)
            if result is not None:
                results.append(result)
        effort.on_progress(number / len(names))
    lines = []
    for players in PLAYERS:
        here = [result for result in results if result.players == players]
        for result in sorted(here, key=lambda each: (-each.perfect, -each.mean)):
            told = f"{result.mean:.2f} points, perfect {share_text(result.perfect, result.perfect_ci95)}"
            lines.append(further_line(f"{players} players, `{result.bot}`, {result.games:,} games", told))
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
            shift = 0.7 * ((place + 0.5) / len(names) - 0.5)
            shares = [100 * result.perfect for result in own]
            low = [share - 100 * result.perfect_ci95[0] for share, result in zip(shares, own, strict=True)]
            high = [100 * result.perfect_ci95[1] - share for share, result in zip(shares, own, strict=True)]
            axes.errorbar(
                [result.players + shift for result in own],
                shares,
                yerr=(low, high),
                color=COLOURS[place % len(COLOURS)],
                marker=MARKERS[place % len(MARKERS)],
                linestyle="none",
                capsize=3,
                label=name,
            )
        for number, (players, share) in enumerate(PUBLISHED.items()):
            label = "published: hat-guessing player" if not number else ""
            axes.hlines(share, players - 0.4, players + 0.4, color="#888888", linewidth=0.9, label=label)
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


def _winnable_line(count: WinnableCount) -> Line:
    low, high = count.ci95
    causes = ", ".join(f"{name} {times}" for name, times in sorted(count.causes.items(), key=lambda each: -each[1]))
    text = f"{count.fraction:.3%} ({low:.3%} to {high:.3%}); lost: {causes or 'none'}; undecided {count.undecided}"
    return further_line(f"{count.players} players", text, "not known")
