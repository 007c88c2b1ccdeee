"""The numbers that the bot `learned` goes by: those of the register, and those that only tests and we change."""

from __future__ import annotations

from handful.bots.register import REGISTER
from handful.bots.settings import Parameter

# What is not in the register was chosen by the games that the network was learned from.
PARAMETERS = (
    *REGISTER["learned"].parameters,
    Parameter("margin", 20.0, "points of the linear score that a candidate may be worse by than the best"),
    Parameter("prior", 0.12, "what a point of the linear score counts, in log odds"),
)
