"""Rummy on arrays, compiled."""
