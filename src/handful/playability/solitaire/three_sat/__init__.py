"""3-SAT as a solitaire, and back: why Solitaire Hanabi is NP-complete (Baffier 2016)."""
