"""Can it be won? Real deals with all cards known, played games, Solitaire Hanabi; how many sequences can be played?"""

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
