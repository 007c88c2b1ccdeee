"""The two ways to lock in the hands of a game: exactly, band by band, or within a tolerance, in cohorts.

What is done to single hands is in the kernels of the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.rummy.melds import rummies

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.game import Game
    from handful.rummy.kernels.hand_index import HandIndex
    from handful.rummy.kernels.label_setting import State
    from handful.rummy.kernels.queue import Queue, Run
    from handful.rummy.solver.long_run import LongRun

SAMPLE = 20_000  # hands looked at to choose the limits of a band
BAND_SHARE = 200  # a band is to hold this part of all hands, but not fewer than a sample
LAST_SHARE = 8  # if the hands that are left fill no more than this part of the queue, they are the last band
STEP = 1 << 20  # hands that are looked at at a time
TAILS_TO = 9  # cards: beyond, memory is short, and the count of classes is off by a few
STEP = 1 << 22  # indices that are prepared at a time, so that the user can interrupt
ROUNDS = 1000  # cohorts between two reports of progress


def queue_capacity(size: int) -> int:
    """Return how many entries the queue of a game with so many indices has room for."""
    return max(1 << 16, size // 50)


def rummy_masks(game: Game) -> npt.NDArray[np.int64]:
    """Return all rummies of a game, as masks."""
    import numpy as np

    return np.array(rummies(game.aces, game.cards), np.int64)


def rummy_indices(game: Game, hand_index: HandIndex) -> npt.NDArray[np.int64]:
    """Return the indices of all rummies, up to symmetry."""
    import numpy as np

    from handful.rummy.kernels.hand_index import indices_of

    return np.unique(indices_of(hand_index, rummy_masks(game)))


def prepare_hands(state: State, hand_index: HandIndex) -> int:
    """Set sums and weights of all hands to where they start; return how many hands there are up to symmetry."""
    from handful.rummy.kernels.label_setting import prepare

    size = int(hand_index["total"])
    return sum(prepare(state, hand_index, first, min(first + STEP, size)) for first in range(0, size, STEP))


def solve_exactly(run: LongRun) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the values of all hands by index, and the figures of the game."""
    from handful.rummy.kernels import label_setting as kernels
    from handful.rummy.kernels.hand_index import make_hand_index
    from handful.rummy.kernels.queue import RUN, make_queue, make_run

    game = run.game
    hand_index, larger = make_hand_index(game.aces, game.cards), make_hand_index(game.aces, game.cards + 1)
    size = int(hand_index["total"])
    record, queue = make_run(), make_queue(queue_capacity(size))
    before = run.resumed()
    if before is not None:
        figures, arrays = before
        record = arrays.pop("run").view(RUN)[0]
        state = kernels.State(**arrays)
    else:
        state = kernels.make_state(size, int(larger["total"]), True, game.cards <= TAILS_TO)
        figures = {"kinds": prepare_hands(state, hand_index)}
        kernels.lock_in(record, state, queue, hand_index, larger, rummy_masks(game))
        figures["rummies"] = int(record["hands_locked"])
    kinds = figures["kinds"]
    run.report(int(record["num_locked"]), kinds)
    while int(record["num_locked"]) < kinds:
        queue = _band(record, state, queue, hand_index, larger, kinds)
        run.step(int(record["num_locked"]), kinds, figures, {"run": _as_bytes(record), **state._asdict()})
    assert int(record["hands_locked"]) == game.hands, "every hand is locked in once"
    return {"values": state.sums}, {
        **figures,
        "classes": int(record["classes"]),
        "near_ties": int(record["near_ties"]),
        "total": float(record["total"]),
        "best": float(record["best_value"]),
        "worst": float(record["worst_value"]),
    }


def _as_bytes(record: Any) -> npt.NDArray[np.uint8]:
    """Return the bytes of a record."""
    import numpy as np

    return np.frombuffer(record.data, np.uint8)


def _band(record: Run, state: State, queue: Queue, hand_index: HandIndex, larger: HandIndex, kinds: int) -> Queue:
    """Lock in the hands of the next band; return the queue, or a larger one if it was too small."""
    import numpy as np

    from handful.rummy.kernels import label_setting as kernels
    from handful.rummy.kernels.queue import NUM_BUCKETS, make_queue

    no_rummies = np.zeros(0, np.int64)
    record["low"] = low = float(record["last"])
    width = _band_width(record, state, kinds) * float(record["narrowing"])
    while True:
        record["high"], record["scale"] = low + width, NUM_BUCKETS / width
        if kernels.lock_in(record, state, queue, hand_index, larger, no_rummies):
            break
        width /= 2
        if width < 1e-9 * max(low, 1.0):  # more equal hands than the queue has room for
            queue = make_queue(2 * len(queue.entries))
            width *= 1e3
    # If a band has overflowed, the next ones are narrower for a while.
    record["narrowing"] = record["narrowing"] / 2 if record["overflow"] else min(1.0, record["narrowing"] * 1.25)
    return queue


def _band_width(record: Run, state: State, kinds: int) -> float:
    """Return how wide the next band is to be, from a sample: a function of the state alone, so that runs agree."""
    import numpy as np

    from handful.rummy.kernels import label_setting as kernels

    size = len(state.sums)
    low, left = float(record["low"]), kinds - int(record["num_locked"])
    if left < queue_capacity(size) // LAST_SHARE:
        # The last hands: a sample would miss them, and they all fit into one band.
        least, greatest = _value_range(state)
        return max(greatest, least) * (1 + 1e-6) - low
    sample = np.arange(0, size, max(1, size // SAMPLE))
    weights = state.weights[sample].astype(np.int64)
    sample, weights = sample[weights < kernels.NO_HAND], weights[weights < kernels.NO_HAND]
    with np.errstate(divide="ignore"):
        values = np.sort(state.sums[sample] / weights)
    place = int(len(values) * max(SAMPLE, size // BAND_SHARE) / left)
    reached = int(np.isfinite(values).sum())
    high = float(values[min(place, reached - 1)]) if reached else low
    # At least the next hand is in the band, and those that equal it up to rounding.
    least = _value_range(state)[0] if high <= low * (1 + 1e-6) or place >= reached else low
    return max(high, least * (1 + 1e-6)) - low


def _value_range(state: State) -> tuple[float, float]:
    """Return the least and the greatest E_hyp of the hands that are not locked in, but have one."""
    import numpy as np

    from handful.rummy.kernels.label_setting import NO_HAND

    least, greatest = np.inf, -np.inf
    for first in range(0, len(state.sums), STEP):
        weights = state.weights[first : first + STEP]
        has_one = (weights > 0) & (weights < NO_HAND)
        values = state.sums[first : first + STEP][has_one] / weights[has_one]
        least, greatest = min(least, values.min(initial=np.inf)), max(greatest, values.max(initial=-np.inf))
    return float(least), float(greatest)


def solve_in_cohorts(run: LongRun) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the values and cohorts of all hands by index, and the figures of the game (Finkle 2017, section 5.2)."""
    import numpy as np

    from handful.rummy.kernels import label_setting as kernels
    from handful.rummy.kernels.hand_index import all_orbits, make_hand_index
    from handful.rummy.kernels.neighbours import make_work

    game = run.game
    hand_index, larger = make_hand_index(game.aces, game.cards), make_hand_index(game.aces, game.cards + 1)
    size = int(hand_index["total"])
    plain = kernels.make_state(size, 0, False, False)
    kinds = prepare_hands(plain, hand_index)
    work = make_work()
    state = kernels.make_cohorts(plain.sums, plain.weights)
    kernels.lock_first_cohort(state, work, hand_index, larger, rummy_indices(game, hand_index))
    left = 1
    while left:
        left = kernels.run_rounds(state, work, hand_index, larger, game.tolerance, ROUNDS)
        run.report(kinds - left, kinds)
    orbits = all_orbits(hand_index)
    values = np.where(orbits > 0, state.sums, -1.0)
    return {"values": state.sums, "cohorts": state.cohorts}, {
        "kinds": kinds,
        "rummies": int(orbits[state.cohorts == 0].sum(dtype=np.int64)),
        "classes": int(state.counters["round"]) + 1,
        "near_ties": 0,
        "total": float(np.where(orbits > 0, orbits * values, 0.0).sum()),
        "best": float(values[values > 0].min()),
        "worst": float(values.max()),
    }
