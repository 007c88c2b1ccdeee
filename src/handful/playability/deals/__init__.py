"""Can this deal, or the rest of this game, be won, with all cards known?"""
