"""Handful: can this game be won, how should it be played, how long will it take?"""

__version__ = "0.2.0"
