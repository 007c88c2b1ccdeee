"""What is done to single hands when cards are gone, compiled."""
