"""The cells of a question: a hint names one of so many, and they are shared out among the outcomes of a question.

An outcome with more cells can be told in more detail by the next question, so likelier outcomes get more. `hat` and
`information` both ask like this.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._jit import kernel


@kernel
def share_cells(row: npt.NDArray[np.int64], shares: int, chances: int, outcomes: int, cells: int) -> None:
    """Give each outcome a cell, and each further cell to the outcome with the largest chance per cell.

    `shares` and `chances` are where in a row the cells and the chances of the outcomes are.
    """
    for outcome in range(outcomes):
        row[shares + outcome] = 1
    for _ in range(cells - outcomes):
        best = 0
        for outcome in range(1, outcomes):
            # chance / cells of this outcome > that of the best one
            if row[chances + outcome] * row[shares + best] > row[chances + best] * row[shares + outcome]:
                best = outcome
        row[shares + best] += 1
