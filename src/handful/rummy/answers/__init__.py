"""The answers to a solved game, in memory and on disk."""
