"""Which orders of a deck can be played, and how many: the theorems of van den Bergh 2015."""
