"""The numbers in the rules of the bots `hat` and `information`: by them the two differ, wherever they can.

All were chosen by hand. The chance of 0.7 that questions like best is an idea of hanabi.rs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.bots.settings import Parameter, settings_row

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The defaults are those of `information` with four and more players.
PARAMETERS = (
    # What everybody knows.
    Parameter("concludes", 1, "whether cards that everybody knows are counted out for all others", choices=(0, 1)),
    # Questions.
    Parameter("chance_bits", 20, "certainty is 2 to this: chances are whole numbers, so that all machines agree"),
    Parameter("asks_always_for_dead", 0, "asks for a dead card also who knows of a playable one", choices=(0, 1)),
    Parameter("asks_again", 1, "whether the first questions may come again after one for groups", choices=(0, 1)),
    Parameter("even_low", 0.5, "the least chance to be playable that is asked about by itself"),
    Parameter("even_high", 0.9, "the largest one"),
    Parameter("even_best", 0.7, "the one that is liked best"),
    Parameter("ties_to_unlikely", 0, "of two chances as near to the best, asks for the lower one", choices=(0, 1)),
    Parameter("yes_comes_first", 0, "whether yes has the lower numbers of an answer", choices=(0, 1)),
    Parameter("splits_as_it_goes", 0, "closes a group at its part of the whole, not of what is left", choices=(0, 1)),
    # The code.
    Parameter("foresees_lowest", 1, "expects the lowest known card to be played, not the oldest", choices=(0, 1)),
    Parameter("is_code_fixed", 0, "a hint can say as many numbers whatever the hands are", choices=(0, 1)),
    Parameter("coded_deck", 20, "plays say a number while the deck has so many cards"),
    # The action.
    Parameter("bold", 0.75, "plays what else is dead with a larger chance than this"),
    Parameter("reserve", 1, "gives hints that help nobody at once while there are more tokens"),
    Parameter("loss_critical", 5.0, "what it costs to discard the last copy of a card"),
    Parameter("loss_unseen", 1.0, "a card that is nowhere in sight"),
    Parameter("loss_seen", 0.1, "a card that somebody else holds"),
    Parameter("loss_playable", 0.3, "and in addition one that is playable"),
    Parameter("loss_by_weight", 0, "adds up copies, not chances: another last digit", choices=(0, 1)),
    Parameter("calm", 4, "turns to spare with which useless cards are discarded"),
    Parameter("calm_hints", 0, "with fewer tokens than this, two turns to spare are enough"),
    Parameter("most_loss", 0.5, "hints rather than lose more"),
    Parameter(
        "counts_types", 0, "what a hint tells is the types that it rules out, not how rare they are", choices=(0, 1)
    ),
    Parameter("patience", 500, "turns after which discards come first: hints may cost nothing, and go on for ever"),
    # The endgame.
    Parameter("plan_deck", 12, "plans from so many cards in the deck on"),
    Parameter("plan_missing", 15, "and when so many points are missing, at most"),
    Parameter("worlds", 20, "worlds drawn for a plan"),
    Parameter("world_nodes", 200, "positions looked at in each"),
    Parameter("habit", 0.1, "share of the worlds by which another action must beat that of the rules"),
    Parameter("exact_deck", 7, "computes chances from so many cards on"),
    Parameter("exact_worlds", 6, "hands drawn for that, if the own cards are not known"),
    Parameter("exact_nodes", 3000, "positions looked at with each of them"),
)


def information_settings(players: int, **changed: float) -> npt.NDArray[np.float64]:
    """Return the settings of `information`, as kernels take them; `changed` are others than it has."""
    numbers: dict[str, float] = {"calm": players, "reserve": {2: 0, 3: 0, 4: 1}.get(players, 2)}
    if players <= 3:
        numbers |= {"asks_always_for_dead": 1, "even_low": 0.3, "coded_deck": 15}
    if players >= 5:
        numbers |= {"calm_hints": 2}
    return settings_row(PARAMETERS, **(numbers | changed))


def hat_settings() -> npt.NDArray[np.float64]:
    """Return the settings of `hat`, as kernels take them."""
    return settings_row(
        PARAMETERS,
        concludes=0,
        chance_bits=24,
        asks_again=0,
        ties_to_unlikely=1,
        yes_comes_first=1,
        splits_as_it_goes=1,
        foresees_lowest=0,
        is_code_fixed=1,
        calm=5,
        reserve=3,
        loss_by_weight=1,
        counts_types=1,
        plan_deck=8,
        worlds=8,
        world_nodes=100,
    )
