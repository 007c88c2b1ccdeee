"""The bot `search`: a convention bot that thinks one turn ahead before it does what it is used to.

Whatever a bot with conventions, the *blueprint*, would do is tried first, and then everything else that is honest.
Tried means: in worlds that fit all that this player knows the rest of the game is played out, by the blueprint in all
seats. What reaches a perfect game clearly more often than the blueprint's action is done instead. docs/search.md has
the reasons and the figures.

**Honest actions.** The others will read the action as they read the blueprint's. So only those are tried that say what
is so. On top of `information`: plays that may succeed, discards and hints; of those with which its code says a number,
the ones that say the right one. On top of `conventions`, and of `learned`, which has the same: all actions whose
meaning is true of the partner's hand; on top of `partner`: those of them that people think of. In none is anything read
into the choice among honest actions, so nobody is misled, whatever the reason was.

**Worlds.** The own cards are drawn from those that are not in sight: all hands that fit what is public and what this
player sees are equally likely, and so are all orders of the deck. On top of `conventions` a hand counts less for each
of the partner's last actions that the blueprint would not have done, had the partner seen this hand. When few cards are
left, all deals that fit are tried, and not a sample.

On top of `learned` a play-out is a few turns long (`depth`), and then its network says how likely a perfect game is. So
a few dozen worlds do. A hand counts the less, the further behind the network sees what the partner did: a partner who
searches may well prefer what is nearly as good.

**The race.** All actions are tried in the same worlds. Only worlds in which two actions end differently tell them
apart: an action must gain more of them than it loses, by `z` standard errors, or the blueprint's is kept. Whatever
cannot get there any more is given up. Where the blueprint's action hardly ever fails nothing else is tried. With a
budget in milliseconds the race ends when time is up: what is clearly better by then is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handful.bots.learned import is_usual
from handful.bots.players import REGISTER, player_named
from handful.bots.protocol import CompiledBot, Explainer
from handful.bots.search.settings import search_settings
from handful.errors import RulesError
from handful.hanabi.rules import Rules

BLUEPRINTS = ("information", "conventions", "learned", "partner")
MOST_CARDS = 60  # in the deck: worlds are masks of the cards that are not in sight
# Who plays like `information` in play-outs plans with fewer worlds, later, and computes no chances.
PLAY_OUT_PLANNER = {"worlds": 4, "plan_deck": 8, "exact_deck": -1}


def blueprint_for(rules: Rules, name: str = "best") -> str:
    """Return the name of the blueprint in a game; `best` is the stronger one there.

    >>> blueprint_for(Rules(players=2)), blueprint_for(Rules(players=4))
    ('conventions', 'information')
    """
    if name == "best":
        name = "conventions" if rules.players == 2 else "information"
    if name == "learned" and rules.players == 2 and not is_usual(rules):
        return "conventions"  # it is what `learned` plays there
    REGISTER[name].check(rules)
    return name


def check(rules: Rules, **settings: Any) -> None:
    """Refuse a game that it does not play."""
    if rules.variant.num_cards > MOST_CARDS:
        raise RulesError(
            f"the bot 'search' draws worlds of up to {MOST_CARDS} cards: this deck has {rules.variant.num_cards}"
        )
    name = blueprint_for(rules, settings.get("blueprint", "best"))
    if name == "learned" and settings.get("objective") == "mean":
        raise RulesError("the network of the bot 'learned' knows perfect games alone: objective=mean needs another")
    if not player_named(name).can_compile(rules):
        raise RulesError(f"the bot 'search' needs the compiled form of {name!r}: this game is too large for it")


def compiled(rules: Rules, **settings: Any) -> CompiledBot:
    """Return the compiled bot."""
    import numpy as np

    from handful.bots.shared.clock_kernel import check_clock

    check(rules, **settings)
    name = blueprint_for(rules, settings.get("blueprint", "best"))
    base = player_named(name).compile(rules)
    assert base is not None
    assert base.parameters is not None
    check_clock(settings.get("milliseconds", 0.0))
    own = search_settings(name, rules.players, **settings)
    if name == "conventions":
        from handful.bots.search import conventions_kernel as conventions

        parameters = np.concatenate([base.parameters, own])
        return CompiledBot(conventions.choose, conventions.observe, conventions.MEMORY_WORDS, parameters)
    if name == "partner":
        from handful.bots.search import partner_kernel as partner

        parameters = np.concatenate([own, base.parameters])
        return CompiledBot(partner.choose, partner.observe, base.memory_words, parameters, notes_words=base.notes_words)
    if name == "learned":
        from handful.bots.search import conventions_kernel as conventions
        from handful.bots.search.learned_kernel import choose as choose_learned

        parameters = np.concatenate([own, base.parameters])
        return CompiledBot(choose_learned, conventions.observe, conventions.MEMORY_WORDS, parameters)
    from handful.bots.hat.settings import information_settings
    from handful.bots.search.information_kernel import choose

    in_play_outs = information_settings(rules.players, **PLAY_OUT_PLANNER)
    parameters = np.concatenate([base.parameters, own, in_play_outs])
    return CompiledBot(choose, base.observe, base.memory_words, parameters, notes_words=base.notes_words)


def explainer(rules: Rules, names: Sequence[str], **settings: Any) -> Explainer | None:
    """Return what says in words what the actions tell: the same as those of the blueprint."""
    return player_named(blueprint_for(rules, settings.get("blueprint", "best"))).explainer(rules, names)
