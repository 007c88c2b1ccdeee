"""The numbers that the bot `learned` goes by: those of the register, and those that only tests and we change."""

from __future__ import annotations

from handful.bots.register import REGISTER
from handful.bots.settings import Parameter

# What is not in the register was chosen by games of seed 7100, between rounds of learning: 0.05 to 0.06 is best by then,
# at 0.03 and at 0.1 a point or two fewer games are perfect; in the first round, 0.2.
PARAMETERS = (
    *REGISTER["learned"].parameters,
    Parameter("margin", 20.0, "points of the linear score that a candidate may be worse by than the best"),
    Parameter("prior", 0.05, "what a point of the linear score counts, in log odds"),
)
