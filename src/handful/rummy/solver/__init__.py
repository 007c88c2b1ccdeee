"""Solve a game of Rummy: the expected turns of every hand, and their spread."""
