"""A reviewed game: what each decision cost by what its player could know, its mark, and a line for each player."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

from handful.display import Listing, Shown
from handful.hanabi.actions import Action, Discard, Play, PlayDeck
from handful.hanabi.notation import action_text, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.lab.review.judge import Judged, Judgement
from handful.playability import Analysis

Kind = Literal["play", "discard", "hint"]
KINDS: tuple[Kind, ...] = ("play", "discard", "hint")

# A mistake is marked by the chance to win that it cost, if that is more than its margin: the cost could else be chance.
DUBIOUS, MISTAKE, BLUNDER, ONLY_MOVE = "?!", "?", "??", "!!"
COSTS = {BLUNDER: 0.20, MISTAKE: 0.10, DUBIOUS: 0.05}
MARK_WORDS = {BLUNDER: "blunder", MISTAKE: "mistake", DUBIOUS: "dubious", ONLY_MOVE: "only move found"}
LEAST_LEAD = 0.10  # of the only move over all others


@dataclass(frozen=True)
class Option:
    """An action that could have been taken: as the command line writes it, and what came of it in its worlds."""

    action: str
    chance: float
    score: float
    worlds: int


@dataclass(frozen=True)
class ReviewedTurn:
    """A decision, by what its player could know.

    `chance` and `score` are those of the position before the turn, after the best action and played on by the reference
    team. `loss` is what the action played cost against it, in chance to win, with its 95 % `margin`; `points_lost` is
    that in expected points. `lead` is how much the best action wins more than the next. `options` are the actions of
    the race, the best first. `trust` is how far the player was taken to know more of the card that was used than hints
    say, and `doubt` how far not to have kept a card that can be played (see `manner`). `is_possible` says whether the
    maximum was still possible after it with all cards known (None: undecided), and `is_fatal` that it was with this
    turn that it stopped being so.
    """

    number: int
    player: int
    kind: Kind
    action: str
    text: str
    chance: float
    score: float
    played: Option
    best: Option
    loss: float
    margin: float
    points_lost: float
    lead: float
    is_clear: bool
    is_best: bool
    is_obvious: bool
    trust: float
    doubt: float
    options: tuple[Option, ...] = field(repr=False)
    is_possible: bool | None = None
    is_fatal: bool = False

    @property
    def mark(self) -> str:
        """What annotators write: `??`, `?`, `?!`, `!!`, or nothing."""
        if self.loss > self.margin:
            return next((mark for mark, cost in COSTS.items() if self.loss >= cost), "")
        is_found = self.is_best and self.is_clear and self.lead >= LEAST_LEAD and not self.is_obvious
        return ONLY_MOVE if is_found else ""

    @property
    def cost(self) -> float:
        """What it cost, as it is shown: a difference of chances can come out below 0, a cost cannot."""
        return max(0.0, self.loss)

    @property
    def words(self) -> str:
        """What there is to say of a marked turn; empty for others."""
        if self.mark == ONLY_MOVE:
            return f"the only move: anything else wins {points(self.lead)} less"
        if not self.mark:
            return ""
        return (
            f"better: {self.best.action}, which wins {percent(self.best.chance)} (this: {percent(self.played.chance)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; players have their seats from 1."""
        return {**asdict(self), "player": self.player + 1, "mark": self.mark, "words": self.words}


@dataclass(frozen=True)
class ReviewedPlayer:
    """How a player did in a game. `marks` counts the marked turns, by kind of action.

    `accuracy` is what the actions kept of what the best ones would have: Σ value played / Σ value best, where the value
    is the chance to win, and the share of the maximum score where that is out of reach.
    """

    name: str
    decisions: int
    accuracy: float
    mean_loss: float
    marks: dict[str, dict[str, int]]
    best_find: int | None

    def count(self, mark: str) -> int:
        """Return how many turns have a mark."""
        return sum(kinds.get(mark, 0) for kinds in self.marks.values())

    @property
    def blunders(self) -> str:
        """The marked mistakes by kind, in words."""
        counts = [(kind, mark, self.marks[kind].get(mark, 0)) for kind in KINDS for mark in COSTS]
        parts = [f"{times} {kind}{'s' if times > 1 else ''} {mark}" for kind, mark, times in counts if times]
        return ", ".join(parts) or "none"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Proof:
    """What the solver proves with all cards known: whether the deal can be won, and with which turn it was lost.

    `lost_at_turn` is 0 if the deal itself cannot be won, None if the game was not lost or it is not known where.
    """

    winnable: bool | None
    lost_at_turn: int | None
    verdict: str
    reason: str

    @classmethod
    def of(cls, analysis: Analysis) -> Proof:
        """Return what an analysis proves."""
        return cls(analysis.winnable, analysis.lost_at_turn, analysis.verdict, analysis.reason)


@dataclass(frozen=True)
class Review(Shown):
    """A game with what each decision cost: `team` plays on in the worlds, each loss is measured in so many `worlds`."""

    names: tuple[str, ...]
    rules: Rules
    team: str
    seed: int
    worlds: int
    score: int
    is_over: bool
    turns: tuple[ReviewedTurn, ...]
    proof: Proof | None
    seconds: float = field(compare=False)

    @cached_property
    def players(self) -> tuple[ReviewedPlayer, ...]:
        """A line for each player, in the order of their seats."""
        return tuple(
            player_line(name, [turn for turn in self.turns if turn.player == seat])
            for seat, name in enumerate(self.names)
        )

    @property
    def mistakes(self) -> tuple[ReviewedTurn, ...]:
        """The turns that are marked as mistakes, in their order."""
        return tuple(turn for turn in self.turns if turn.mark in COSTS)

    @property
    def last_chance(self) -> float | None:
        """The chance after the last turn, where the game is over; None if it stops before."""
        return float(self.score == self.rules.max_score) if self.is_over else None

    @property
    def verdict(self) -> str:
        """The review in a sentence."""
        counts = Counter(turn.mark for turn in self.turns)
        said = [
            f"{counts[mark]} {MARK_WORDS[mark]}{'s' if counts[mark] > 1 and mark != DUBIOUS else ''}"
            for mark in COSTS
            if counts[mark]
        ]
        return ", ".join(said) or "no mistake that is larger than its margin"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "names": list(self.names),
            "players": self.rules.players,
            "variant": self.rules.variant.name,
            "rules": self.rules.options_text(),
            "score": self.score,
            "max_score": self.rules.max_score,
            "team": self.team,
            "seed": self.seed,
            "worlds": self.worlds,
            "verdict": self.verdict,
            "is_over": self.is_over,
            "proof": None if self.proof is None else asdict(self.proof),
            "by_player": [player.to_dict() for player in self.players],
            "turns": [turn.to_dict() for turn in self.turns],
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, rules: Rules, fields: dict[str, Any]) -> Review:
        """Return the review of a game under these rules that was written down by `to_dict`."""
        same = {name: fields[name] for name in ("team", "seed", "worlds", "score", "is_over", "seconds")}
        proof = None if fields["proof"] is None else Proof(**fields["proof"])
        turns = tuple(map(turn_from_dict, fields["turns"]))
        return cls(names=tuple(fields["names"]), rules=rules, turns=turns, proof=proof, **same)

    def shown(self) -> Listing:
        """Return what a notebook shows: the turns with their chances, losses and marks."""
        rows: list[tuple[object, ...]] = [
            (turn.number, turn.text, percent(turn.chance), points(turn.cost), turn.mark, turn.words)
            for turn in self.turns
        ]
        return Listing(self.verdict, ("turn", "", "chance", "cost", "", ""), rows)

    def __repr__(self) -> str:
        return f"<Review {len(self.turns)} turns, {self.score} of {self.rules.max_score}: {self.verdict}>"


def turn_from_dict(fields: dict[str, Any]) -> ReviewedTurn:
    """Return a turn that was written down by `ReviewedTurn.to_dict`."""
    own = {name: value for name, value in fields.items() if name not in ("mark", "words")}
    own["player"] -= 1
    own["played"], own["best"] = Option(**own["played"]), Option(**own["best"])
    own["options"] = tuple(Option(**each) for each in own["options"])
    return ReviewedTurn(**own)


def percent(share: float) -> str:
    """Return a chance in whole per cent.

    >>> percent(0.972)
    '97 %'
    """
    return f"{100 * share:.0f} %"


def points(loss: float) -> str:
    """Return a difference of chances in points.

    >>> points(0.124)
    '12.4'
    """
    return f"{100 * loss:.1f}"


def kind_of(action: Action) -> Kind:
    """Return whether an action is a play, a discard or a hint."""
    return "play" if isinstance(action, Play | PlayDeck) else "discard" if isinstance(action, Discard) else "hint"


def is_obvious(state: State, action: Action) -> bool:
    """Whether the player knows for sure that a card played can be played, or that one discarded is worthless."""
    view = state.view(state.current)
    match action:
        case Play(slot):
            return view.chance(slot, view.playable_mask) == 1.0
        case Discard(slot):
            return view.chance(slot, view.worthless_mask) == 1.0
    return False


def reviewed_turn(state: State, after: State, names: tuple[str, ...], judgement: Judgement) -> ReviewedTurn:
    """Return a turn as it is shown: the position before it, the one after it, and the judgement."""
    turn, rules, played = after.history[-1], state.rules, judgement.played
    assert played is not None, "the action that was played is among those that are measured"

    def option(judged: Judged) -> Option:
        return Option(action_text(rules, judged.action, names), judged.chance, judged.score, judged.worlds)

    is_best = judgement.best.action == played.action
    return ReviewedTurn(
        number=turn.number,
        player=turn.actor,
        kind=kind_of(played.action),
        action=action_text(rules, played.action, names),
        text=turn_text(rules, turn, names),
        chance=judgement.best.chance,
        score=judgement.best.score,
        played=option(played),
        best=option(judgement.best),
        loss=judgement.loss,
        margin=0.0 if is_best else judgement.margin,
        points_lost=judgement.points_lost,
        lead=judgement.lead,
        is_clear=judgement.is_clear,
        is_best=is_best,
        is_obvious=is_obvious(state, played.action),
        trust=judgement.manner.trust,
        doubt=judgement.manner.doubt,
        options=tuple(option(each) for each in judgement.actions),
    )


def player_line(name: str, turns: list[ReviewedTurn]) -> ReviewedPlayer:
    """Return how a player did on their turns."""
    kept, best = 0.0, 0.0
    for turn in turns:
        can_win = turn.best.chance > 0
        kept += turn.played.chance if can_win else turn.played.score / max(1.0, turn.best.score)
        best += turn.best.chance if can_win else 1.0
    finds = [turn for turn in turns if turn.is_best and turn.is_clear and not turn.is_obvious]
    marks = {kind: dict(Counter(turn.mark for turn in turns if turn.kind == kind and turn.mark)) for kind in KINDS}
    return ReviewedPlayer(
        name=name,
        decisions=len(turns),
        accuracy=min(1.0, kept / best) if best else 1.0,
        mean_loss=sum(turn.loss for turn in turns) / len(turns) if turns else 0.0,
        marks={kind: marks[kind] for kind in KINDS},
        best_find=max(finds, key=lambda turn: turn.lead).number if finds else None,
    )
