"""The bot `uct`: a tree search over what this seat may see and do, on top of rules of thumb.

The Monte Carlo player of Bergh et al. 2016 with what its authors propose next. On a turn:

1. *Worlds.* The own hand and the deck are dealt anew, so that they fit all hints; all such deals are equally likely.
2. *Trials.* An action is tried in a world, and the game is played to its end by the play-out policy: the bot `rules`
   with its tuned settings, which sees only what a player may see. The value is the final score.
3. *Rounds.* All sensible actions are tried in the same worlds; after each round, the worse half is dropped and the rest
   gets the next share of the play-outs (sequential halving).
4. *The tree.* Where the same things happened in public until the own next move, trials meet in a node (`depth` own
   moves deep). What was learned there is used: a move that has proved better than the policy's is made in its place.
   Every eighth visit explores by upper confidence bounds (UCB1); such a trial is not counted for the moves before it.
5. *Caution.* The policy's own action is never dropped, and another one is chosen only if it is better by more than
   luck. Without that the bot is more than a point weaker: among twenty actions one always looks good by luck.

Only the searcher's own moves branch. The others are taken to play by the policy, from what they see: so nobody in the
tree acts on cards that are hidden from him, and a hint is worth what it changes in what its receiver will do. (A tree
that searches the others' moves, too, in worlds where their hands are known, lets them play well without any hint.)
"""

from __future__ import annotations

from typing import Any

from handful.bots.protocol import CompiledBot
from handful.hanabi.rules import Rules


def compiled(rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot with these settings."""
    from handful.bots.shared.clock_kernel import check_clock
    from handful.bots.thinking import thinking_settings
    from handful.bots.thinking.uct_kernel import choose

    check_clock(settings.get("milliseconds", 0.0))
    return CompiledBot(choose, parameters=thinking_settings(rules, "uct", **settings))
