"""Bots that see more than a player, to measure others by: `cheat` sees all hands, `oracle` the deck."""
