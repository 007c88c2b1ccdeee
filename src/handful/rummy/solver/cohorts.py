"""Solve a game within a tolerance, in cohorts (Finkle 2017, section 5.2): what `cohort_kernel` does, in rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.rummy.solver.exact import prepare_hands, rummy_indices

if TYPE_CHECKING:
    import numpy.typing as npt

    from handful.rummy.solver.long_run import LongRun

ROUNDS = 1000  # cohorts between two reports of progress


def solve_in_cohorts(run: LongRun) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the values and cohorts of all hands by index, and the figures of the game."""
    import numpy as np

    from handful.rummy.kernels import cohorts as kernels
    from handful.rummy.kernels.hand_index import make_hands, orbits_of_all
    from handful.rummy.kernels.label_setting import make_state
    from handful.rummy.kernels.neighbours import make_work

    game = run.game
    hands, larger = make_hands(game.aces, game.cards), make_hands(game.aces, game.cards + 1)
    size = int(hands["total"])
    plain = make_state(size, 0, False, False)
    kinds = prepare_hands(plain, hands)
    work = make_work()
    state = kernels.make_cohorts(plain.sums, plain.weights)
    kernels.lock_first_cohort(state, work, hands, larger, rummy_indices(game, hands))
    left = 1
    while left:
        left = kernels.run_rounds(state, work, hands, larger, game.tolerance, ROUNDS)
        run.report(kinds - left, kinds)
    orbits = np.zeros(size, np.uint16)
    orbits_of_all(hands, 0, size, orbits)
    values = np.where(orbits > 0, state.sums, -1.0)
    return {"values": state.sums, "cohorts": state.cohorts}, {
        "kinds": kinds,
        "rummies": int(orbits[state.cohorts == 0].sum(dtype=np.int64)),
        "classes": int(state.counters[kernels.ROUND]) + 1,
        "near_ties": 0,
        "total": float(np.where(orbits > 0, orbits * values, 0.0).sum()),
        "best": float(values[values > 0].min()),
        "worst": float(values.max()),
    }
