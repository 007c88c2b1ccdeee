"""Bots without agreements: any legal action, and the rules of thumb of van den Bergh 2015."""
