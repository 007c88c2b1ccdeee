"""The rules of Hanabi on arrays, compiled: for speed. `hanabi.state` is the plain form that they are checked against."""
