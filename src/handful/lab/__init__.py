"""Experiments at scale: many games, with their uncertainty."""

from handful.lab.simulate import Simulation, simulate

__all__ = ["Simulation", "simulate"]
