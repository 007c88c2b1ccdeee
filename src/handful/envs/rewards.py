"""What a turn is worth to the team, in the ways that the literature uses. Everybody gets the same reward.

========  ===========================================================================================================
score     the change of the score: 1 for a card on a stack, and everything taken back by the last strike (the reward of
          the Hanabi Learning Environment, Bard et al. 2020). The rewards of a game add up to its score.
perfect   1 for the turn that completes the last stack, else 0: what a game is worth to those who play to win
shaped    1 for a card on a stack, which is kept even if the game is lost by strikes; −0.5 for a strike; −0.2 for every
          point that has become out of reach because the last copy of a card is gone
========  ===========================================================================================================

`Reward` mixes these parts at will.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

from handful.errors import UnknownNameError


@dataclass(frozen=True)
class Reward:
    """The weights of the parts of a reward.

    `score` is for the change of the score, `perfect` for the end of a perfect game, `point` for a card on a stack,
    `strike` for a misplay, `lost` for every point that can no longer be reached.
    """

    score: float = 0.0
    perfect: float = 0.0
    point: float = 0.0
    strike: float = 0.0
    lost: float = 0.0

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights, in the order in which kernels expect them."""
        return astuple(self)


REWARDS = {
    "score": Reward(score=1.0),
    "perfect": Reward(perfect=1.0),
    "shaped": Reward(point=1.0, strike=-0.5, lost=-0.2),
}


def reward_of(reward: str | Reward) -> Reward:
    """Return a reward from its name, or as it is.

    >>> reward_of("perfect")
    Reward(score=0.0, perfect=1.0, point=0.0, strike=0.0, lost=0.0)
    """
    if isinstance(reward, Reward):
        return reward
    if reward not in REWARDS:
        raise UnknownNameError("reward", reward, REWARDS)
    return REWARDS[reward]
