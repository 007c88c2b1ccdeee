"""The stages of the deal solver, compiled."""
