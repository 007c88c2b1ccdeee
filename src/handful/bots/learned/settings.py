"""The numbers that the bot `learned` goes by: those of the register, and those that only tests and we change."""

from __future__ import annotations

from handful.bots.register import REGISTER
from handful.bots.settings import Parameter

# What is not in the register was chosen by games of seed 7100, between rounds of learning. In the first round a prior
# of 0.2 was best; by the fourth 0.05 was, with a point or two fewer games perfect at 0.03 and at 0.1.
PARAMETERS = (
    *REGISTER["learned"].parameters,
    Parameter("margin", 20.0, "points of the linear score that a candidate may be worse by than the best"),
    Parameter("prior", 0.05, "what a point of the linear score counts, in log odds"),
)
