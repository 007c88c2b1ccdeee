"""The rules of Hanabi on arrays, compiled, for speed. They are checked against `hanabi.state`, the plain form."""
