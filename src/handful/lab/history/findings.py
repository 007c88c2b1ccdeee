"""What one game says: whether its deal could be won, the turn that lost it, and which kind of mistake that was.

Kinds of mistakes, of the first turn after which the maximum is out of reach:

==================  ================================================================================================
critical discarded  the last copy of a card that was needed is thrown
bottom deck         a needed card is thrown, and its other copies lie so deep that they come too late
misplay             a card is played that does not fit: it is lost, or its turn or its token is
time                there are fewer turns or places left than are needed: a turn or a good discard was wasted
tokens              with more hints it could still be won
order               who holds what: the cards cannot be played in time from where they are
==================  ================================================================================================
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from handful.errors import HandfulError
from handful.hanabi.actions import Discard, Play
from handful.hanabi.cards import card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.live.archives import StoredGame
from handful.hanabi.live.links import ADDRESS, link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.measures import least_efficiency, needed_mask
from handful.hanabi.state import State
from handful.hanabi.worth import copies_left, playable_mask
from handful.playability.deals.analysis import Analysis, analyse

MISTAKES = ("critical discarded", "bottom deck", "misplay", "time", "tokens", "order", "other")
RESULTS = ("perfect", "unwinnable", "lost", "undecided", "stopped")
# What stands before the colon of a reason, and the mistake that it speaks of where the turn itself says nothing.
_OF_REASON = {"pace": "time", "capacity": "time", "tokens": "tokens", "who holds what": "order"}
PACE_POINTS = 11  # of the curve of pace: with a full deck, with nine tenths of it, …, with none


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a game says; `error` says why it says nothing. Seats count from 0, turns from 1.

    `result` is one of `RESULTS`: perfect; a deal that cannot be won; lost on `lost_at`, by `mistake`; undecided, if the
    time was not enough; stopped, if the game was left before it was lost. `cause` says why a deal cannot be won.
    `foreseen` is the chance, by all that `culprit` could see, that the card which lost the game was of that kind:
    critical, needed, or not playable. `efficiency` is that of the whole game, `least_efficiency` what it takes.
    `paces` are those when the deck was full, at nine tenths, …, empty (None: it never was).
    """

    game: str
    game_id: int = 0
    names: tuple[str, ...] = ()
    variant: str = ""
    rules: str = ""
    seed: str = ""
    score: int = 0
    max_score: int = 0
    points: int = 0
    turns: int = 0
    ending: str = ""
    result: str = ""
    lost_at: int | None = None
    mistake: str = ""
    culprit: int | None = None
    foreseen: float | None = None
    text: str = ""
    reason: str = ""
    cause: str = ""
    efficiency: float | None = None
    least_efficiency: float | None = None
    paces: tuple[int | None, ...] = ()
    link: str = ""
    error: str = ""

    @property
    def players(self) -> int:
        """How many played."""
        return len(self.names)

    @property
    def is_decided(self) -> bool:
        """Whether it is known what became of the game."""
        return not self.error and self.result != "undecided"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @staticmethod
    def from_dict(values: dict[str, Any]) -> Finding:
        """Return what `to_dict` gave."""
        known = {field.name for field in fields(Finding)}
        plain: dict[str, Any] = {name: each for name, each in values.items() if name in known}
        return Finding(**plain | {name: tuple(plain[name]) for name in ("names", "paces") if name in plain})


def finding_of(game: StoredGame, time_limit: float | None) -> Finding:
    """Return what a game says."""
    try:
        record = game.record()
        analysis = analyse(record, time_limit)
    except HandfulError as error:
        return Finding(game=game.name, error=str(error))
    states = list(record.states())
    last = analysis.turns[-1] if analysis.turns else None
    found: dict[str, Any] = {}
    if analysis.lost_at_turn:
        before, turn = states[analysis.lost_at_turn - 1], states[-1].history[analysis.lost_at_turn - 1]
        found = {
            "mistake": mistake_of(before, turn, analysis.reason),
            "culprit": turn.actor,
            "foreseen": foreseen_chance(before, turn),
            "text": analysis.turns[analysis.lost_at_turn - 1].text,
        }
    return Finding(
        game=game.name,
        game_id=record.game_id,
        names=record.names,
        variant=record.rules.variant.name,
        rules=record.rules.options_text(),
        seed=record.seed,
        score=analysis.score,
        max_score=record.rules.max_score,
        points=states[-1].points,
        turns=len(record.actions),
        ending=analysis.ending or "",
        result=result_of(analysis),
        lost_at=analysis.lost_at_turn,
        reason=analysis.reason,
        cause=_kind(analysis.reason) if analysis.lost_at_turn == 0 else "",
        efficiency=None if last is None else last.efficiency,
        least_efficiency=_least_efficiency(record.rules),
        paces=_paces(analysis),
        link=_link(record),
        **found,
    )


_least_efficiency = lru_cache(maxsize=1024)(least_efficiency)


def result_of(analysis: Analysis) -> str:
    """Return what a game came to, as one of `RESULTS`."""
    if analysis.is_won:
        return "perfect"
    if analysis.lost_at_turn is not None:
        return "lost" if analysis.lost_at_turn else "unwinnable"
    return "stopped" if analysis.lost_between is None else "undecided"


def mistake_of(before: State, turn: Turn, reason: str) -> str:
    """Return which kind of mistake a turn was, after which the game was lost for this reason."""
    if turn.is_strike:
        return "misplay"
    if isinstance(turn.action, Discard) and turn.card is not None:
        variant = before.rules.variant
        index = card_index(variant, turn.card)
        if needed_mask(before) >> index & 1:
            if copies_left(variant, before.stacks, before.discards)[index] == 1:
                return "critical discarded"
            in_hands = sum(
                card_index(variant, card) == index for seat in range(before.rules.players) for card in before.hand(seat)
            )
            if in_hands == 1:  # the one that is thrown: the others are in the deck
                return "bottom deck"
    return _OF_REASON.get(_kind(reason), "time" if reason.startswith("over: the last round") else "other")


def foreseen_chance(before: State, turn: Turn) -> float | None:
    """Return how likely the actor could think it that the card was what lost the game; None if no card was.

    Of a misplay it is the chance that the card did not fit, of a discard that it was needed; of the last copy, that it
    was a last copy. It counts all hands that the actor may have held, by all hints and all cards that it saw.
    """
    if not isinstance(turn.action, Play | Discard) or turn.card is None:
        return None
    variant = before.rules.variant
    view = before.view(turn.actor)
    if turn.is_strike:
        return 1 - view.chance(turn.action.slot, playable_mask(variant, before.stacks))
    needed, left = needed_mask(before), copies_left(variant, before.stacks, before.discards)
    if not isinstance(turn.action, Discard) or not needed >> card_index(variant, turn.card) & 1:
        return None
    critical = sum(1 << index for index, count in enumerate(left) if count == 1) & needed
    return view.chance(turn.action.slot, critical if critical >> card_index(variant, turn.card) & 1 else needed)


def _kind(reason: str) -> str:
    """Return what stands before the colon of a reason."""
    return reason.partition(":")[0].strip()


def _paces(analysis: Analysis) -> tuple[int | None, ...]:
    """Return the pace when so many tenths of the deck were left: after the first turn with no more than that."""
    rules = analysis.rules
    size = rules.variant.num_cards - rules.players * rules.hand_size
    if not analysis.turns or size <= 0:
        return (None,) * PACE_POINTS
    found: list[int | None] = []
    for tenth in range(PACE_POINTS - 1, -1, -1):
        at_most = size * tenth / (PACE_POINTS - 1)
        found.append(next((turn.pace for turn in analysis.turns if turn.deck_size <= at_most), None))
    return tuple(found)


def _link(record: Record) -> str:
    """Return the link that has the whole game in it, without the address of the site; empty if there is none."""
    try:
        return link_from_record(record.bare()).removeprefix(ADDRESS)
    except HandfulError:
        return ""
