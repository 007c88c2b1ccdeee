"""The register of bots: names, settings, and where to find each. It is data: reading it loads none of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handful.bots.protocol import Sees
from handful.bots.settings import Parameter
from handful.errors import RulesError
from handful.hanabi.rules import Rules


@dataclass(frozen=True)
class BotEntry:
    """What the register says of a bot.

    The module has ``plain(**settings)``, which returns a maker of `Bot`s, and may have ``compiled(rules,
    **settings)``, which returns a `CompiledBot`. A bot with no ``plain`` is played through its compiled form.
    """

    name: str
    module: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()
    players: tuple[int, ...] = ()  # the numbers of players that it can play with; empty: any
    sees: Sees = "view"  # a seat's view, as the game has it; all hands; or the deck, too
    games_a_chunk: int | None = None  # for slow bots, so that progress is seen; None: the usual number
    needs_usual_hints: bool = True  # whether it plays only where cards and hints work as usual (see `check`)
    is_alias: bool = False  # stands for another bot, which one depends on the game

    def check(self, rules: Rules) -> None:
        """Refuse a game that the bot cannot play: with other numbers of players, or in variants that it does not know.

        Most bots play where suit hint s is that of suit s, every value can be hinted, and cards are played as usual:
        `Variant.has_usual_hints` says in which variants, `Rules.is_played_as_usual` under which options.
        """
        is_usual = rules.variant.has_usual_hints and rules.is_played_as_usual
        if self.needs_usual_hints and not is_usual:
            raise RulesError(
                f"the bot {self.name!r} does not play {rules.variant.name} under these rules: it needs cards and hints "
                "that work as usual; random, rules, cheat and oracle play everything"
            )
        if self.players and rules.players not in self.players:
            *first, last = map(str, self.players)
            most = f"{', '.join(first)} or {last}" if first else last
            raise RulesError(f"the bot {self.name!r} plays with {most} players: this game has {rules.players}")


# The settings of the bots that have some

_RULES = (
    Parameter("omega_p", 0.6, "play a card that is playable with at least this probability", 0.0, 1.0),
    Parameter("omega_s", 1, "1: with one strike left, play only what is certain; 0: take the risk", choices=(0, 1)),
    Parameter("omega_d", 1.0, "discard a card that is worthless with at least this probability", 0.0, 1.0),
    Parameter("omega_h", 1.0, "give a hint with this probability, if a token is left", 0.0, 1.0),
    Parameter("hint", 3, "1 random, 2 most cards, 3 playable, 4 playable then worthless", choices=(1, 2, 3, 4)),
    Parameter("discard", 2, "1 random, 2 most worthless, 3 oldest, 4 least unique", choices=(1, 2, 3, 4)),
    Parameter(
        "reading", "tables", "as the published tables were made, or as the text says", choices=("tables", "text")
    ),
)

_POLICY = Parameter(
    "policy", "random", "who plays the play-outs: nearly random, or `rules`", choices=("random", "rules")
)
_MILLISECONDS = Parameter(
    "milliseconds", 0.0, "time a move instead of a number of play-outs, not repeatable; 0: off", 0, 1e6
)
_MONTECARLO = (
    Parameter("playouts", 500, "play-outs for each action", 1, 1_000_000),
    Parameter("depth", 5, "turns that a play-out looks ahead: the D of the paper", 1, 100),
    _POLICY,
    _MILLISECONDS,
)
_UCT = (
    Parameter("playouts", 1000, "play-outs for a move", 1, 10_000_000),
    Parameter("depth", 2, "own moves that the tree looks ahead, this one included", 1, 8),
    Parameter("exploration", 1.5, "points that an action hardly tried might be better by", 0, 100),
    Parameter("caution", 2.5, "how much better than the policy an action must be, in points by √trials", 0, 100),
    replace(_POLICY, default="rules"),
    _MILLISECONDS,
)

_CHEAT = (
    Parameter("worlds", 40, "decks to shuffle for a move; 0: by the rule alone", 0, 1_000_000),
    Parameter("caution", 1.0, "how much better than by the rule it must be, in standard errors", 0, 100),
)
_ORACLE = (Parameter("time_limit", 60.0, "seconds that the solver may take for a position", 0, 1e6),)

_SEARCH = (
    Parameter(
        "blueprint",
        "best",
        "whose conventions to keep to; best: conventions for two players, else information",
        choices=("best", "information", "conventions", "learned", "partner"),
    ),
    Parameter("worlds", 0, "worlds to try actions in, at most; 0: as suits the blueprint", 0, 10_000),
    Parameter("z", 2.0, "how many standard errors better another action must be", 0.0, 100.0),
    Parameter("objective", "perfect", "what to maximise: perfect games, or the mean", choices=("perfect", "mean")),
    Parameter("deck", 0, "search with at most so many cards in the deck; 0: as suits the players", 0, 60),
    Parameter("hands", 0, "own hands to weigh by the partner's actions; 0: as suits", 0, 100_000),
    Parameter("back", 12, "the partner's last actions to weigh hands by (conventions)", 0, 100),
    Parameter("unfit", 0.07, "what a hand is worth with an action that does not fit it", 0.0, 1.0),
    Parameter("depth", 3, "turns that are played out before the network judges (learned)", 0, 200),
    Parameter("milliseconds", 0.0, "time for a move, at most; not repeatable; 0: as it takes", 0, 1e6),
)

_LEARNED = (
    Parameter("candidates", 8, "honest actions that are judged, those with the best scores; fewer are quicker", 1, 60),
)

_PARTNER = (
    Parameter("level", 3, "1 play and save hints, 2 prompts and finesses too, 3 chop moves too", choices=(1, 2, 3)),
)

# The bots: name, module, summary, source

_BOTS = (
    BotEntry(
        "random",
        "handful.bots.simple.random_legal",
        "any legal action, each equally likely",
        "van den Bergh 2015, Example 2.18, with legal actions only",
        needs_usual_hints=False,
    ),
    BotEntry(
        "rules",
        "handful.bots.simple.rules_of_thumb",
        "plays, discards and hints by thresholds and rules of thumb",
        "van den Bergh 2015, section 4; van den Bergh, Kosters, Spieksma, section 4",
        _RULES,
        needs_usual_hints=False,
    ),
    BotEntry(
        "recommendation",
        "handful.bots.hat.recommendation",
        "a hint tells everybody at once what to do: play or discard a slot (hat guessing)",
        "Cox et al. 2015, the recommendation strategy",
        players=(4, 5),
    ),
    BotEntry(
        "hat-2018",
        "handful.bots.hat.hat_2018",
        "hat guessing: a hint is the sum of what everybody is to do",
        "van Doorn 2019, the strategy until March 2019",
        players=(4, 5),
    ),
    BotEntry(
        "hat",
        "handful.bots.hat.hat",
        "hat guessing that remembers what was told, with planned endgames",
        "van Doorn 2019, with the improvements of March 2019 and our own",
        players=(4, 5),
    ),
    BotEntry(
        "information",
        "handful.bots.hat.information",
        "tells everybody something at once: the sum of the answers to questions about all hands",
        "after Cox et al. 2015 and van Doorn 2019; questions, order of plays and gain of a hint after hanabi.rs",
        players=(2, 3, 4, 5),
    ),
    BotEntry(
        "conventions",
        "handful.bots.conventions",
        "hints, plays and discards with agreed meanings: playable, critical, nothing to tell",
        "ours: the rules are in handful.bots.conventions",
        players=(2,),
    ),
    BotEntry(
        "learned",
        "handful.bots.learned",
        "the conventions of `conventions`; a network says after which action a perfect game is likeliest",
        "ours: the network was learned from games of the bot with itself, docs/learned.md",
        _LEARNED,
        players=(2,),
    ),
    BotEntry(
        "partner",
        "handful.bots.partner",
        "plays as people do, and says why: play and save hints, prompts, finesses, chop moves",
        "ours: the conventions are those that most people on hanab.live share",
        _PARTNER,
        players=(2, 3, 4, 5, 6),
    ),
    BotEntry(
        "montecarlo",
        "handful.bots.thinking.montecarlo",
        "tries every action in play-outs of a nearly random player, a few turns deep",
        "van den Bergh, Kosters, Spieksma, section 4",
        _MONTECARLO,
        games_a_chunk=4,
    ),
    BotEntry(
        "uct",
        "handful.bots.thinking.uct",
        "a tree over what this seat may see and do, in worlds that fit all it knows, with play-outs of `rules`",
        "after van den Bergh, Kosters, Spieksma, section 5; Cowling, Powley, Whitehouse 2012",
        _UCT,
        games_a_chunk=4,
    ),
    BotEntry(
        "cheat",
        "handful.bots.ceilings.cheat",
        "looks at all hands, its own included, and thinks ahead with the deck shuffled: a ceiling",
        "ours; the rule it goes by is like the cheating strategy of hanabi.rs",
        _CHEAT,
        sees="hands",
        needs_usual_hints=False,
        games_a_chunk=20,
    ),
    BotEntry(
        "oracle",
        "handful.bots.ceilings.oracle",
        "knows the deck, and plays the deal solver's line: wins every deal that can be won",
        "ours: handful.playability.solve",
        _ORACLE,
        sees="everything",
        needs_usual_hints=False,
    ),
    BotEntry(
        "search",
        "handful.bots.search",
        "one turn of search on top of a convention bot: does what wins most often, if that is clear and honest",
        "ours: after Lerer et al. 2020, Improving Policies via Search in Cooperative Partially Observable Games",
        _SEARCH,
        players=(2, 3, 4, 5),
        games_a_chunk=10,
    ),
    BotEntry(
        "best",
        "handful.bots.best",
        "the strongest bot for the game: `simulate` says which it stands for",
        "ours: a table in handful.bots.best",
        is_alias=True,
        needs_usual_hints=False,
    ),
)

REGISTER: dict[str, BotEntry] = {entry.name: entry for entry in _BOTS}
