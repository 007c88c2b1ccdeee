"""What did each decision cost, by what its player could know? Positions judged by a reference team, games reviewed."""

from handful.lab.review.judge import Effort, Judge, Judged, Judgement
from handful.lab.review.reviewed import Review, ReviewedPlayer, ReviewedTurn
from handful.lab.review.reviewing import review

__all__ = ["Effort", "Judge", "Judged", "Judgement", "Review", "ReviewedPlayer", "ReviewedTurn", "review"]
