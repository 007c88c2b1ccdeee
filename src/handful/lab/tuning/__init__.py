"""The best settings: a grid of them, or a search."""
