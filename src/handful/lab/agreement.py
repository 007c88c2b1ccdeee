"""How often would a bot have done what was done in recorded games?

At every turn the bot sits in the seat of whoever moved. It has watched the game from the first turn, as it was played,
and is asked what it would do; then what was done is done. Nobody's choice changes the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from handful.bots.players import Player, player_of
from handful.bots.table import seat_bots, tell
from handful.display import Listing, Shown
from handful.errors import HandfulError, RulesError
from handful.hanabi.actions import Action, Discard, Play
from handful.hanabi.live.records import Record
from handful.hanabi.state import State
from handful.lab.analyses import Given, games_in, read_game
from handful.lab.statistics import wilson_interval

KINDS = ("play", "discard", "hint")


def kind_of(action: Action) -> str:
    """Return the kind of an action: play, discard or hint."""
    return "play" if isinstance(action, Play) else "discard" if isinstance(action, Discard) else "hint"


@dataclass(frozen=True)
class KindCount:
    """Of the positions in which people took actions of a kind: in how many a bot took the same, or one of that kind."""

    positions: int = 0
    same_action: int = 0
    same_kind: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts as plain values."""
        return {"positions": self.positions, "same_action": self.same_action, "same_kind": self.same_kind}


@dataclass(frozen=True)
class Agreement(Shown):
    """How often a bot agreed with what was done; `errors` are sentences on games that could not be gone through."""

    bot: str
    games: int
    by_kind: dict[str, KindCount]
    errors: tuple[str, ...] = ()

    @property
    def positions(self) -> int:
        """In how many positions the bot was asked."""
        return sum(count.positions for count in self.by_kind.values())

    @property
    def same_action(self) -> float:
        """The share of positions with the same action; 0 if there are none."""
        return sum(count.same_action for count in self.by_kind.values()) / max(self.positions, 1)

    @property
    def same_kind(self) -> float:
        """The share of positions with an action of the same kind; 0 if there are none."""
        return sum(count.same_kind for count in self.by_kind.values()) / max(self.positions, 1)

    @property
    def same_action_ci95(self) -> tuple[float, float]:
        """The interval of 95 % for the share of the same action, as if positions were independent."""
        return wilson_interval(sum(count.same_action for count in self.by_kind.values()), self.positions)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "bot": self.bot,
            "games": self.games,
            "positions": self.positions,
            "same_action": self.same_action,
            "same_action_ci95": list(self.same_action_ci95),
            "same_kind": self.same_kind,
            "by_kind": {kind: count.to_dict() for kind, count in self.by_kind.items()},
            "errors": list(self.errors),
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: a row for each kind of action."""
        rows: list[tuple[object, ...]] = [
            (kind, f"{count.positions:,}", _share(count.same_action, count), _share(count.same_kind, count))
            for kind, count in self.by_kind.items()
        ]
        sentence = f"{self.bot}: {self.same_action:.1%} the same action in {self.positions:,} positions"
        return Listing(sentence, ("done", "positions", "same action", "same kind"), rows)


def _share(count: int, of: KindCount) -> str:
    return f"{count / of.positions:.1%}" if of.positions else "–"


def agreement(
    given: Given | Sequence[Given],
    bot: str | Player,
    *,
    player: str | None = None,
    seed: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> Agreement:
    """Return how often a bot would have done what was done in games: files, links, records, folders of files.

    `player`: count only the turns of whoever is called so. `seed` is that of the bot's own chance. A game that cannot
    be read, or that the bot cannot play, is left out, with a sentence in `errors`.
    """
    chosen = player_of(bot)
    chosen.check_sees_a_view("it is compared with players, who see no more than their view")
    counts: Counter[tuple[str, str]] = Counter()
    num_games, errors = 0, []
    for number, game in enumerate(games_in(given)):
        try:
            record = read_game(game)
            counts += _compare(record, chosen, player, seed, number)
            num_games += 1
        except HandfulError as error:
            errors.append(str(error) if isinstance(game, str) and game in str(error) else f"game {number + 1}: {error}")
        if on_progress is not None:
            on_progress(1)
    by_kind = {
        kind: KindCount(counts[kind, "positions"], counts[kind, "same action"], counts[kind, "same kind"])
        for kind in KINDS
    }
    return Agreement(chosen.name, num_games, by_kind, tuple(errors))


def _compare(record: Record, bot: Player, player: str | None, seed: int, number: int) -> Counter[tuple[str, str]]:
    """Return the counts of one game."""
    if player is not None and player not in record.names:
        raise RulesError(f"nobody is called {player}: expected one of {', '.join(record.names)}")
    state, counts = State(record.deal), Counter[tuple[str, str]]()
    rules = record.deal.rules
    seats = seat_bots(rules, [bot.plain] * rules.players, seed, number)
    for done in record.actions:
        if player is None or record.names[state.current] == player:
            choice, kind = seats[state.current].choose(state.view(state.current)), kind_of(done)
            counts[kind, "positions"] += 1
            counts[kind, "same action"] += choice == done
            counts[kind, "same kind"] += kind_of(choice) == kind
        tell(state, seats, state.act(done))
    return counts
