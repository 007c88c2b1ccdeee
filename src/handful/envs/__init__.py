"""Environments for learning: PettingZoo's form, batches of games as arrays, observations, datasets of bots' games.

`handful.envs.pettingzoo` is one game by PettingZoo's conventions, `handful.envs.batched` many games at once. Both give
the canonical observation of the Hanabi Learning Environment (`observation`, `words`) and the rewards of `rewards`;
`dataset` writes the games of bots to disk. Importing any of them loads no compiler.
"""
