"""What is each action worth, by what the player to move can know? Positions judged by a reference team."""

from handful.lab.review.judge import Effort, Judge, Judged, Judgement

__all__ = ["Effort", "Judge", "Judged", "Judgement"]
