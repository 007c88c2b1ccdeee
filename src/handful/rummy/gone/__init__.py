"""Rummy when cards are gone: the value of every card that is, a game solved around a hand, play-outs, the endgame."""
