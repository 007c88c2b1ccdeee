"""Bots that try actions in play-outs: `montecarlo`, and `uct` with a tree over them."""
