"""Experiments at scale: many games, with their uncertainty."""

from handful.lab.analyses import AnalysedGame, analyse_all
from handful.lab.compare import Comparison, compare
from handful.lab.simulate import Simulation, simulate

__all__ = ["AnalysedGame", "Comparison", "Simulation", "analyse_all", "compare", "simulate"]
