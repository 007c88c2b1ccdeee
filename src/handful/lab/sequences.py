"""Which fraction of the sequences of a deck can be played? A sample, where there are too many to count them all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.hanabi.deal import check_seed
from handful.hanabi.rules import EndOfDeck, Rules
from handful.hanabi.variants import Variant
from handful.lab.games import Chunk, cut
from handful.lab.running import work_through
from handful.lab.statistics import Interval, wilson_interval
from handful.playability.deals.solve import check_solvable
from handful.playability.sequences.counting import checked_deck

CHUNK = 5000  # sequences: a fraction of a second, for the progress bar


@dataclass(frozen=True)
class SequenceSample(Shown):
    """How many of some shuffled decks a single player can play with a hand of so many cards, knowing all of them.

    Sequence i is the deal that `handful solve --seed S --game I` decides for one player. `undecided` ones count as not
    playable in `fraction` and in the lower end of `ci95`, and as playable in the upper end.
    """

    copies: tuple[int, ...]
    suits: int
    hand: int
    end_of_deck: EndOfDeck
    seed: int
    total: int
    playable: int
    undecided: int
    seconds: float = field(compare=False)

    @property
    def fraction(self) -> float:
        """The share of the sample that can be played."""
        return self.playable / self.total

    @property
    def ci95(self) -> Interval:
        """The 95 % confidence interval of the fraction."""
        low, _ = wilson_interval(self.playable, self.total)
        _, high = wilson_interval(self.playable + self.undecided, self.total)
        return (low, high)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        values = {**self.__dict__, "copies": list(self.copies), "is_sample": True}
        return {**values, "fraction": self.fraction, "ci95": list(self.ci95)}

    def __repr__(self) -> str:
        copies = " ".join(map(str, self.copies))
        low, high = self.ci95
        share = f"{self.fraction:.3%} ({low:.3%} to {high:.3%})"
        return f"<SequenceSample {copies} in {self.suits} suits, hand {self.hand}, {self.total} sequences: {share}>"


@dataclass(frozen=True)
class _Job:
    """The decks of a seed, for a single player."""

    rules: Rules
    seed: int

    is_compiled = True


def sample_sequences(
    copies: Iterable[int],
    hand: int,
    suits: int = 1,
    *,
    total: int = 10_000,
    seed: int = 0,
    end_of_deck: EndOfDeck = "last-round",
    workers: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> SequenceSample:
    """Return how many of the first `total` sequences of a seed are playable, the same for any number of workers.

    `on_progress` is called with the number of sequences that were just decided.
    """
    checked = checked_deck(copies, hand, suits)
    if total < 1:
        raise HandfulError(f"a sample of {total} sequences: expected at least 1")
    check_seed(seed)
    rules = Rules(Variant.custom(suits, copies=checked), players=1, hand_size=hand)
    check_solvable(rules)
    started = time.perf_counter()
    playable = playable_endless = undecided = 0
    for chunk, found in work_through(decide_chunk, _Job(rules, seed), list(cut(total, CHUNK)), workers):
        playable += found[0]
        playable_endless += found[1]
        undecided += found[2]
        if on_progress is not None:
            on_progress(chunk.count)
    chosen = playable_endless if end_of_deck == "never" else playable
    seconds = time.perf_counter() - started
    return SequenceSample(checked, suits, hand, end_of_deck, seed, total, chosen, undecided, seconds)


def decide_chunk(job: _Job, chunk: Chunk) -> tuple[int, int, int]:
    """Return how many sequences of a chunk can be played with one last turn, without an end, and are undecided."""
    import numpy as np

    from handful.playability.deals.solve import desk_for
    from handful.playability.sequences.orders_kernel import decide_sequences

    desk, found = desk_for(job.rules, width=1), np.zeros(3, np.int64)
    decide_sequences(desk.work, desk.rulebooks, job.seed, chunk.first, chunk.count, found)
    return int(found[0]), int(found[1]), int(found[2])
