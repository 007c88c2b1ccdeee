"""Gin Rummy inside kernels: hands as masks, rounds as records, players as functions of a view."""
