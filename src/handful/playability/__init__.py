"""Can it be won? Real deals with all cards known, played games, Solitaire Hanabi; how many sequences can be played?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from handful.playability.deals.analysis import Analysis, analyse
from handful.playability.deals.solve import Solution, solve
from handful.playability.sequences.counting import (
    PlayableCount,
    SequenceCount,
    count,
    count_playable,
    count_sequences,
    count_total,
    count_unplayable,
)
from handful.playability.sequences.line import SequenceLine, play_sequence

if TYPE_CHECKING:
    from handful.playability.solitaire import Solitaire, SolitaireAnswer
    from handful.playability.solitaire.three_sat import Reduction, reduce_formula

__all__ = [
    "Analysis",
    "PlayableCount",
    "Reduction",
    "SequenceCount",
    "SequenceLine",
    "Solitaire",
    "SolitaireAnswer",
    "Solution",
    "analyse",
    "count",
    "count_playable",
    "count_sequences",
    "count_total",
    "count_unplayable",
    "play_sequence",
    "reduce_formula",
    "solve",
]

# Imported when they are asked for.
_SOLITAIRE = {"Solitaire": "game", "SolitaireAnswer": "", "Reduction": "three_sat", "reduce_formula": "three_sat"}


def __getattr__(name: str) -> Any:
    if name not in _SOLITAIRE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.solitaire.{_SOLITAIRE[name]}".rstrip(".")), name)
