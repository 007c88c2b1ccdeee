"""Experiments at scale: many games, with their uncertainty."""

from handful.lab.compare import Comparison, compare
from handful.lab.simulate import Simulation, simulate

__all__ = ["Comparison", "Simulation", "compare", "simulate"]
